// The whole picture, with a frame on the value: as wide as there is room, or larger.

import { image } from "./cache.js";
import { el } from "./dom.js";

const STEP = 1.5;
const LARGEST = 4;
const AROUND = 4;

export class PictureView {
  /**
   * @param {Picture} picture
   * @param {string} name What the frame is on
   */
  constructor(picture, name) {
    this.picture = picture;
    this.zoom = 0; // CSS pixels for one of the picture; 0: as wide as there is room
    const alt = `The whole picture ${picture.name}, with ${name} in a frame`;
    this.image = image(picture.url, alt, picture);
    this.frame = el("div", { class: "frame", hidden: !picture.box });
    const sheet = el(
      "div",
      { class: "sheet", on: { click: () => this.scale(this.zoom ? 0 : 1) } },
      this.image,
      this.frame,
    );
    this.window = el(
      "div",
      { class: "window", tabindex: 0, role: "region", "aria-label": picture.name },
      sheet,
    );
    this.element = el(
      "section",
      { class: "picture", "aria-label": "Whole picture" },
      this.tools(),
      this.window,
    );
    new ResizeObserver(() => this.draw()).observe(this.window);
  }

  tools() {
    /** @param {string} label @param {string} sign @param {() => void} run */
    const tool = (label, sign, run) =>
      el("button", { type: "button", "aria-label": label, on: { click: run } }, sign);
    return el("div", { class: "tools" }, [
      tool("Smaller picture", "−", () => this.smaller()),
      tool("Larger picture", "+", () => this.larger()),
      tool("Fit the picture", "fit", () => this.scale(0)),
      el(
        "span",
        { class: "quiet small" },
        this.picture.name,
        this.picture.taken && `, taken ${this.picture.taken}`,
      ),
    ]);
  }

  larger() {
    this.scale(Math.min(LARGEST, this.factor() * STEP));
  }

  smaller() {
    const less = this.factor() / STEP;
    this.scale(less <= this.fitting() ? 0 : less);
  }

  /** @param {number} zoom */
  scale(zoom) {
    this.zoom = zoom;
    this.draw();
  }

  fitting() {
    return Math.min(1, this.window.clientWidth / this.picture.width);
  }

  factor() {
    return this.zoom || this.fitting();
  }

  /** Size the picture, put the frame on the value, and bring that to the middle. */
  draw() {
    const factor = this.factor();
    this.image.style.width = `${this.picture.width * factor}px`;
    if (!this.picture.box) return;
    const [x, y, width, height] = this.picture.box.map((length) => length * factor);
    this.frame.style.left = `${x - AROUND}px`;
    this.frame.style.top = `${y - AROUND}px`;
    this.frame.style.width = `${width + 2 * AROUND}px`;
    this.frame.style.height = `${height + 2 * AROUND}px`;
    this.window.scrollLeft = x + (width - this.window.clientWidth) / 2;
    this.window.scrollTop = y + (height - this.window.clientHeight) / 2;
  }
}
