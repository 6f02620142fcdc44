"""Actions on one element. If success can be checked, it is: an action without effect fails."""

from __future__ import annotations

from typing import Annotated, Literal

from playwright.sync_api import ElementHandle, Page, Position
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.action_context import ActionContext, Selector
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.pointer import CHECKED, click_target, free_spot, press
from pytest_bwa.actions.pointer import click as click_on
from pytest_bwa.actions.resolve import NotFound
from pytest_bwa.steps.step import Action, ActionResult

MAX_CLICKS = 20
MAX_MOVES = 10  # over the target of a drag
STILL = 5  # movements that nothing follows: a page in a hurry follows only with the one after next
MAX_CLICK_COUNT = 3  # as one gesture: a double or a triple click
Button = Literal["left", "right", "middle"]


@action("Click an element.")
def click(
    context: ActionContext,
    *,
    selector: Selector,
    count: int = 1,
    button: Button = "left",
    x: Annotated[float, "Pixels from its top left corner."] | None = None,
    y: float | None = None,
) -> ActionResult:
    if (count, button, x, y) != (1, "left", None, None):
        return _click_specially(context, selector, count, button, x, y)
    named = context.describe(selector)
    listed = context.observation.element_for(selector)
    if listed and (spot := free_spot(context.tabs, listed)):
        element, before = None, spot.checked
        if context.target is not None:
            context.target.watch_listed(listed, spot.state)
        if not press(context.tabs, spot.reference, spot.x, spot.y):
            click_on(context.tabs, context.element(selector), context.element_ms)
    else:
        element = context.element(selector)
        named, before = context.describe_hit(selector, element), context.ask(element, CHECKED)
        click_on(context.tabs, element, context.element_ms)
    if before is None:
        return ActionResult(True, f"clicked {named}")
    try:
        after = context.ask(element or context.element(selector), CHECKED)
    except (PlaywrightError, NotFound):  # the element is gone: the click had an effect
        return ActionResult(True, f"clicked {named}")
    return _toggled(named, before, after)


def clicks_of(action: Action) -> int:
    """How many single clicks an action is: more than one gesture has are made one by one."""
    count = min(int(action.params().get("count", 1)), MAX_CLICKS)
    return count if action.action == "click" and count > MAX_CLICK_COUNT else 1


def _click_specially(
    context: ActionContext,
    selector: str,
    count: int,
    button: Button,
    x: float | None,
    y: float | None,
) -> ActionResult:
    """With another button, more than once, or at another place than the middle."""
    element = context.element(selector)
    named = context.describe_hit(selector, element)
    times = max(1, min(count, MAX_CLICK_COUNT))
    at: Position | None = None
    if x is not None or y is not None:
        width, height = context.ask(element, "sizeOf")
        at = {"x": width / 2 if x is None else x, "y": height / 2 if y is None else y}
        if not (0 <= at["x"] <= width and 0 <= at["y"] <= height):
            return failure(f"that point is outside {named}, which is {width:.0f} × {height:.0f}")
    target = element if at else click_target(context.tabs, element)
    target.click(
        button=button,
        click_count=times,
        position=at,
        timeout=context.element_ms,
        no_wait_after=True,
    )
    how = [f"with the {button} button"] * (button != "left") + [f"{times} times"] * (times > 1)
    how += [f"at {at['x']:.0f}, {at['y']:.0f} from its corner"] if at else []
    return ActionResult(True, " ".join([f"clicked {named}", *how]))


def _toggled(named: str, before: str, after: str | None) -> ActionResult:
    """Fails if a box has not changed; a radio button that was on stays on."""
    state = "on" if after and after.endswith("|true") else "off"
    if after == before and before != "radio|true":
        return failure(f"clicked {named}, but it did not change: it is still {state}")
    return ActionResult(True, f"clicked {named}: it is {state} now")


@action("Point at an element.")
def hover(context: ActionContext, *, selector: Selector) -> ActionResult:
    context.element(selector).hover(timeout=context.element_ms)
    return ActionResult(True, f"moved the pointer over {context.describe(selector)}")


@action("Drag one element onto another.")
def drag(context: ActionContext, *, selector: Selector, target: Selector) -> ActionResult:
    """Uses the real mouse, so that it works on pages with HTML5 drag events and on those that
    follow the pointer."""
    source, destination = context.element(selector), context.element(target)
    mouse = context.page.mouse
    source.hover(timeout=context.element_ms)
    mouse.down()
    try:
        destination.scroll_into_view_if_needed(timeout=context.element_ms)
        _hold_over(context, source, destination)
    finally:
        mouse.up()
    onto = context.describe(target)
    return ActionResult(True, f"dragged {context.describe(selector)} onto {onto}")


def _hold_over(context: ActionContext, source: ElementHandle, target: ElementHandle) -> None:
    """Move the pointer to where the target is, again and again until nothing follows it any more.
    The first movement begins the drag only, and a library measures and draws before it notices the
    target. The target may move away with any of them: the place where it was before is meant."""
    point, seen = _middle(context.page, target), []
    for _ in range(MAX_MOVES):
        context.page.mouse.move(*point)
        context.settler.wait(context.page, navigated=False)
        seen.append((source.bounding_box(), target.bounding_box()))
        if seen[-STILL:] == [seen[-1]] * STILL:
            return


def _middle(page: Page, element: ElementHandle) -> tuple[float, float]:
    """The middle of the part of an element that is in view."""
    box, view = element.bounding_box(), page.viewport_size
    if box is None:
        raise PlaywrightError("Element is not visible")
    right, bottom = box["x"] + box["width"], box["y"] + box["height"]
    if view is not None:
        right, bottom = min(right, view["width"]), min(bottom, view["height"])
    return (max(box["x"], 0) + right) / 2, (max(box["y"], 0) + bottom) / 2
