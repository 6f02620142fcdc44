"""Takes pictures of a page, each bound to the state of the page that it shows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame, JSHandle

from pytest_bwa.page.script_loader import load_script, read_json
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps import Box, ElementRef, Picture, utc_now

MAX_TRIES = 3
"""Pictures that are taken of a page that changes meanwhile; the last of them has no page state."""
_STATE = load_script("read_state")
_HIDDEN = load_script("actions/hidden_in_panels")
_REVEAL = load_script("actions/reveal_in_panels")
_RESTORE = load_script("actions/restore_panels")
_ORIGIN = "[scrollX, scrollY, window[Symbol.for('bwa')].document()]"


def read_state(tabs: Tabs) -> str:
    """A hash of what can be read on the current page, over all frames: the same as long as nothing
    changes there."""
    states = []
    for frame in tabs.frames():
        # A frame may go at any time; the state without it is another one.
        with suppress(PlaywrightError):
            states.append(str(frame.evaluate(_STATE)))
    return state_of(states)


def state_of(documents: Sequence[str]) -> str:
    """A hash of what the page script calls the states of the frames' documents."""
    return hashlib.sha256("\n".join(documents).encode()).hexdigest()


def take_picture(
    tabs: Tabs, timeout_ms: float, reveal: Sequence[ElementRef] = (), *, full_page: bool = True
) -> Picture:
    """A picture of the whole page, or of the part in view, which then proves no state of the page.

    Panels are scrolled for the time of the picture so that the elements in ``reveal`` are in it,
    as far as they fit together. Raises Playwright's errors.
    """
    page = tabs.current
    for tries_left in reversed(range(MAX_TRIES)):
        with _revealed(tabs, reveal):
            before, taken_at = read_state(tabs), utc_now()
            png = page.screenshot(
                full_page=full_page,
                type="png",
                animations="disabled",
                scale="css",
                timeout=timeout_ms,
            )
            hidden, boxes, offsets = _hidden(tabs), _boxes(tabs, reveal), _offsets(tabs)
            is_unchanged = read_state(tabs) == before
        if is_unchanged or tries_left == 0:
            break
    state = before if is_unchanged and full_page else ""
    return Picture(png, page.url, state, taken_at, hidden, boxes, offsets)


@contextmanager
def _revealed(tabs: Tabs, reveal: Sequence[ElementRef]) -> Iterator[None]:
    scrolled: list[tuple[Frame, JSHandle]] = []
    for document in dict.fromkeys(ref[0] for ref in reveal):
        live = tabs.documents.find(tabs.current, document)
        if live is None:
            continue
        wanted = {"key": live.key, "numbers": [ref[1] for ref in reveal if ref[0] == document]}
        with suppress(PlaywrightError):
            scrolled.append((live.frame, live.frame.evaluate_handle(_REVEAL, wanted)))
    try:
        yield
    finally:
        for frame, before in scrolled:
            with suppress(PlaywrightError):  # the frame is gone, and its panels with it
                frame.evaluate(_RESTORE, before)


def _hidden(tabs: Tabs) -> frozenset[ElementRef]:
    """The elements that the picture does not show, because a panel has scrolled them away."""
    refs: set[ElementRef] = set()
    for frame in tabs.frames():
        with suppress(PlaywrightError):
            found = read_json(frame.evaluate(_HIDDEN))
            document = tabs.documents.number(frame, found["document"])
            refs.update((document, number) for number in found["numbers"])
    return frozenset(refs)


def _offsets(tabs: Tabs) -> dict[int, tuple[float, float]]:
    """How far the elements of each frame stand from their boxes, which are their document's."""
    offsets: dict[int, tuple[float, float]] = {}
    for frame in tabs.frames()[1:]:
        with suppress(PlaywrightError):
            x, y, document = frame.evaluate(_ORIGIN)
            box = frame.frame_element().bounding_box()
            if box is not None:
                number = tabs.documents.number(frame, document)
                offsets[number] = (box["x"] - x, box["y"] - y)
    return offsets


def _boxes(tabs: Tabs, refs: Sequence[ElementRef]) -> dict[ElementRef, Box]:
    """Where in the picture the revealed elements are."""
    boxes: dict[ElementRef, Box] = {}
    if not refs:
        return boxes
    x, y = tabs.current.evaluate("[scrollX, scrollY]")
    for ref in refs:
        with suppress(PlaywrightError):
            handle = tabs.element(ref)
            box = handle.bounding_box() if handle is not None else None
            if box is not None:
                boxes[ref] = Box(box["x"] + x, box["y"] + y, box["width"], box["height"])
    return boxes
