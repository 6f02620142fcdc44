"""Prints a page of the evidence with the browser that is there."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Literal

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, sync_playwright

from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.errors import BrowserMissing, InputError

Which = Literal["all", "flagged", "none"]
FOOTER = (
    '<div style="font-size:7px;width:100%;margin:0 14mm;display:flex;gap:12px;'
    'justify-content:space-between"><span class="title"></span><span>{digest}</span>'
    '<span style="white-space:nowrap"><span class="pageNumber"></span> of '
    '<span class="totalPages"></span></span></div>'
)
_LOAD_PICTURES = """() => Promise.all([...document.images].map((image) => {
  image.loading = "eager";
  return image.decode().catch(() => {});
}))"""
_SAMPLES = """(which) => [...document.querySelectorAll(".samples tr")]
  .filter((row) => which === "all"
    || row.matches("[data-result=to_look_at], [data-marks~=flagged]"))
  .flatMap((row) => [...row.querySelectorAll("td:first-child a")])
  .map((link) => [link.textContent, link.href])"""
_FIGURES = """(name) => [...document.querySelectorAll("figure")].map((figure) => {
  figure.querySelector("b").prepend(`${name}: `);
  for (const image of figure.querySelectorAll("img")) image.setAttribute("src", image.src);
  return figure.outerHTML;
})"""
_ADD_FIGURES = """(figures) => document.querySelector("#sign-off, .fold")
  .insertAdjacentHTML("beforebegin", `<h2>Pictures</h2>${figures.join("")}`)"""


def print_page(
    program: Path | None, page_file: Path, out: Path, *, pictures: Which = "all", digest: str = ""
) -> None:
    """Write the page as a PDF of A4 sheets; no network is used. ``program`` is the
    browser of BWA_BROWSER, ``digest`` what the foot says of the whole run. Raises BwaError."""
    if not page_file.is_file():
        raise InputError(
            f"there is no {page_file}: there is no such sample, or an earlier version made this run"
        )
    found = find_browser(program)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**launch_arguments(found))
            context = browser.new_context(offline=True)
            page = context.new_page()
            page.goto(page_file.resolve().as_uri())
            _choose_pictures(page, pictures)
            page.evaluate(_LOAD_PICTURES)
            page.pdf(
                path=out,
                format="A4",
                display_header_footer=True,
                header_template="<span></span>",
                footer_template=FOOTER.format(digest=escape(digest)),
                margin={"top": "15mm", "bottom": "18mm", "left": "14mm", "right": "14mm"},
            )
            browser.close()
    except PlaywrightError as error:
        reason = error.message.strip().splitlines()[0]
        raise BrowserMissing(f"{page_file} could not be printed ({reason})") from None
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from None


def _choose_pictures(page: Page, which: Which) -> None:
    """The page of a sample has its pictures; to that of a run, those of its samples are added."""
    if which == "none":
        page.evaluate("document.querySelectorAll('figure').forEach((one) => one.remove())")
        return
    figures: list[str] = []
    samples = page.evaluate(_SAMPLES, which)
    other = page.context.new_page() if samples else page
    for name, address in samples:
        other.goto(address)
        figures += other.evaluate(_FIGURES, name)
    if figures:
        page.evaluate(_ADD_FIGURES, figures)
