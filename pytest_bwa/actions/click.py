"""A click where a person would click: in the middle of the visible part of an element.

Playwright's own click costs 60 ms, and twice that for the first one on a page, because its script
has to be injected into the page. If one check in the page says that the element does not move, is
enabled and is what the pointer would hit, the mouse is used directly. Otherwise Playwright's click
waits until that is so, and says what is in the way.
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import ElementHandle, Page

from pytest_bwa.steps import Element

_POINT = """(e) => {
  if (window !== top || !(e instanceof HTMLElement) || e.matches(':disabled, option')) return null;
  // What moves by style sheet; what moves by script keeps the page from being quiet.
  if (document.getAnimations().some((a) => a.playState === 'running')) return null;
  const inside = (b) => b.top >= 0 && b.left >= 0 && b.bottom <= innerHeight
    && b.right <= innerWidth;
  if (!inside(e.getBoundingClientRect())) {
    e.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'});
  }
  const box = e.getBoundingClientRect();
  // An inline link that is broken over lines has its middle outside itself.
  if (!inside(box) || !box.width || !box.height || e.getClientRects().length !== 1) return null;
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  let hit = document.elementFromPoint(x, y);
  while (hit && hit.shadowRoot && hit !== e) {
    const deeper = hit.shadowRoot.elementFromPoint(x, y);
    if (!deeper || deeper === hit) break;
    hit = deeper;
  }
  return hit && (hit === e || e.contains(hit)) ? [x, y] : null;
}"""


CHECKED = """e => {
  const box = e.matches('label') ? e.control : e;
  if (!box) return null;
  if (/^(checkbox|radio)$/.test(box.type)) return box.type + '|' + box.checked;
  const role = box.getAttribute('role') || '';
  if (!/^(checkbox|radio|switch)$/.test(role)) return null;
  return role + '|' + (box.getAttribute('aria-checked') === 'true');
}"""  # None for what cannot be checked
_LOOK = f"""n => {{
  const e = window[Symbol.for('bwa')]?.element(n), point = e && ({_POINT})(e);
  return point ? [...point, ({CHECKED})(e)] : null;
}}"""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an element can be clicked at once, in CSS pixels of the viewport."""

    x: float
    y: float
    checked: str | None
    """The result of CHECKED before the click."""


def free_spot(page: Page, element: Element | None) -> Spot | None:
    """Where a listed element of the main frame can be clicked at once; None if something covers it,
    moves it or disables it. Works without an ElementHandle: for the first one on a page Playwright
    injects its script (40 ms)."""
    if element is None or element.ref[0] != 0:
        return None
    found = page.evaluate(_LOOK, element.ref[1])
    return Spot(*found) if found else None


def click(page: Page, element: ElementHandle, timeout: float) -> None:
    """``timeout`` in ms is for Playwright's click, if that is needed."""
    point = element.evaluate(_POINT)
    if point is None:
        element.click(timeout=timeout)
    else:
        page.mouse.click(*point)
