"""The action that scrolls the page, or an area of it that scrolls by itself."""

from __future__ import annotations

from typing import Any, Literal

from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.effects import scroll_position
from pytest_bwa.actions.failures import failure
from pytest_bwa.page.script_loader import read_json
from pytest_bwa.steps.step import ActionResult, Effects

Direction = Literal["up", "down", "left", "right", "top", "bottom"]
_ENDS = {"up": "top", "top": "top", "left": "left edge", "right": "right edge"}


@action("Scroll the page or an area; without direction, to the element.")
def scroll(
    context: ActionContext,
    *,
    direction: Direction | None = None,
    selector: str | None = None,
) -> ActionResult:
    area = _scroll(context, selector, direction or (None if selector else "down"))
    if area is None:
        return failure(f"nothing here can be scrolled {direction}")
    name = area["name"] or "the page"
    if not area["hasMoved"]:
        end = _ENDS.get(direction or "", "end")
        return failure(f"already at the {end} of {name}")
    what = f"{area['name']} " if area["name"] else ""
    at = scroll_position(area["at"])
    if not direction and selector:
        if context.target is not None:
            context.target.reported_scroller = area["number"]
        return ActionResult(True, f"scrolled to {context.describe(selector)}: {name} is at {at}")
    # Where it stands has been said; that it moved is an effect.
    return ActionResult(True, f"scrolled {what}to {at}", effects=Effects(is_scrolled=True))


def _scroll(
    context: ActionContext, selector: str | None, direction: Direction | None
) -> dict[str, Any] | None:
    """What was scrolled; None if nothing can be. Without a selector the first frame counts in which
    something moves."""
    if selector:
        found = context.ask(context.element(selector), "scrollArea", direction)
        return read_json(found) if found else None
    first = None
    for frame in context.tabs.frames():
        try:
            found = context.tabs.readers.ask(frame, "scrollPage", direction)
        except PlaywrightError:  # a frame may go at any time
            continue
        area = read_json(found) if found else None
        if area and area["hasMoved"]:
            return dict(area)
        first = first or area
    return first
