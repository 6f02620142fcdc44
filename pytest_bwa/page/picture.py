"""Takes pictures of a page, each bound to the state of the page that it shows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame

from pytest_bwa.page.covered_secrets import cover, secret_boxes
from pytest_bwa.page.script_loader import read_json
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps.step import Box, ElementRef, Picture, utc_now

MAX_TRIES = 3
"""Pictures that are taken of a page that changes meanwhile; the last of them has no page state."""
_SOMEWHERE = Box(0, 0, 0, 0)


def read_state(tabs: Tabs) -> str:
    """A hash of what can be read on the current page, over all frames: the same as long as nothing
    changes there."""
    states = []
    for frame in tabs.frames():
        # A frame may go at any time; the state without it is another one.
        with suppress(PlaywrightError):
            states.append(str(tabs.readers.ask(frame, "readState")))
    return state_of(states)


def state_of(documents: Sequence[str]) -> str:
    """A hash of what the page script calls the states of the frames' documents."""
    return hashlib.sha256("\n".join(documents).encode()).hexdigest()


def take_picture(
    tabs: Tabs, timeout_ms: float, reveal: Sequence[ElementRef] = (), *, full_page: bool = True
) -> Picture:
    """A picture of the whole page, or of the part in view, which then proves no state of the page.

    Panels are scrolled for the time of the picture so that the elements in ``reveal`` are in it,
    as far as they fit together. Secrets are covered. Raises Playwright's errors.
    """
    page = tabs.current
    for tries_left in reversed(range(MAX_TRIES)):
        with _revealed(tabs, reveal):
            before, taken_at = read_state(tabs), utc_now()
            secrets = secret_boxes(tabs, full_page=full_page)
            png = page.screenshot(
                full_page=full_page,
                type="png",
                animations="disabled",
                scale="css",
                timeout=timeout_ms,
            )
            layout = _read_layout(tabs)
            secrets += secret_boxes(tabs, full_page=full_page)
            is_unchanged = read_state(tabs) == before
        if is_unchanged or tries_left == 0:
            break
    state = before if is_unchanged and full_page else ""
    png = cover(png, secrets)
    return Picture(
        png,
        page.url,
        state,
        taken_at,
        frozenset(layout.hidden),
        layout.boxes,
        layout.offsets,
        read_state=state_of(layout.states) if full_page else "",
        views=layout.views,
        still=frozenset(layout.still),
    )


@contextmanager
def _revealed(tabs: Tabs, reveal: Sequence[ElementRef]) -> Iterator[None]:
    scrolled: list[tuple[Frame, list[list[float]]]] = []
    for document in dict.fromkeys(ref[0] for ref in reveal):
        live = tabs.documents.find(tabs.current, document)
        if live is None:
            continue
        wanted = {"key": live.key, "numbers": [ref[1] for ref in reveal if ref[0] == document]}
        with suppress(PlaywrightError):
            before = tabs.readers.ask(live.frame, "revealInPanels", wanted)
            scrolled.append((live.frame, before))
            scrolled += _frames_revealed(live.frame, tabs)
    for frame in dict.fromkeys(frame for frame, _ in scrolled):
        with suppress(PlaywrightError):
            tabs.readers.wait_for_paint(frame)
    try:
        yield
    finally:
        for frame, before in reversed(scrolled):  # a panel may have been scrolled twice
            with suppress(PlaywrightError):  # the frame is gone, and its panels with it
                tabs.readers.ask(frame, "restorePanels", before)


def _frames_revealed(frame: Frame, tabs: Tabs) -> Iterator[tuple[Frame, list[list[float]]]]:
    """Scrolls the panels around a frame, and around those that it is in, until they show it."""
    while frame.parent_frame is not None:
        reference = tabs.readers.reference(frame.frame_element())
        frame = frame.parent_frame
        wanted = {"key": reference.document.key, "numbers": [reference.number]}
        yield frame, tabs.readers.ask(frame, "revealInPanels", wanted)


@dataclass
class _Layout:
    """What a picture shows where, over all frames."""

    hidden: set[ElementRef] = field(default_factory=set)
    boxes: dict[ElementRef, Box | None] = field(default_factory=dict)
    offsets: dict[int, tuple[float, float]] = field(default_factory=dict)
    frames: dict[ElementRef, Box] = field(default_factory=dict)
    """What panels show of the elements of frames."""
    views: dict[int, Box] = field(default_factory=dict)
    states: list[str] = field(default_factory=list)
    """The states in which the frames were read last."""
    still: set[ElementRef] = field(default_factory=set)
    """What nothing has changed since then."""


def _read_layout(tabs: Tabs) -> _Layout:
    """Where the picture shows the elements of each frame. Of a frame that is nowhere in it, or
    that is not shown in its own size, there is no offset and no box."""
    layout, scrolled = _Layout(), (0.0, 0.0)
    for frame in tabs.frames():
        with suppress(PlaywrightError):  # a frame may go at any time
            found = read_json(tabs.readers.ask(frame, "readLayout"))
            left, top = found["scroll"]
            if frame.parent_frame is None:
                scrolled = left, top
            document = tabs.documents.number(frame, found["document"])
            layout.hidden.update((document, number) for number in found["hidden"])
            layout.states.append(str(found["state"]))
            layout.still.update((document, number) for number in found["still"])
            holder = _holder_of(frame, tabs)
            if view := _view_of(holder, layout):
                layout.views[document] = view
            window = _window_of(frame, holder, tabs, layout)
            if window is None:
                continue
            x, y = window[0] + scrolled[0], window[1] + scrolled[1]
            for number, *box in found["frames"]:
                layout.frames[document, number] = Box(box[0] + x, box[1] + y, box[2], box[3])
            for number, *box in found["boxes"]:
                placed = Box(box[0] + x, box[1] + y, box[2], box[3]) if box else None
                layout.boxes[document, number] = placed
            layout.offsets[document] = (x - left, y - top)
    return layout


def _holder_of(frame: Frame, tabs: Tabs) -> ElementRef | None:
    """The element that a frame is in; None for the page's main frame."""
    parent = frame.parent_frame
    if parent is None:
        return None
    reference = tabs.readers.reference(frame.frame_element())
    return tabs.documents.number(parent, reference.document.key), reference.number


def _view_of(holder: ElementRef | None, layout: _Layout) -> Box | None:
    """The part of the page that shows a frame, if panels decide that; without a size if none."""
    if holder is None:
        return None
    own, outer = layout.frames.get(holder), layout.views.get(holder[0])
    if holder in layout.hidden or (outer is not None and not outer.width):
        return _SOMEWHERE
    return _common(own, outer) if own is not None and outer is not None else own or outer


def _common(a: Box, b: Box) -> Box:
    """What two boxes have in common; without a size if that is nothing."""
    x, y = max(a.x, b.x), max(a.y, b.y)
    right, bottom = min(a.x + a.width, b.x + b.width), min(a.y + a.height, b.y + b.height)
    return Box(x, y, max(0, right - x), max(0, bottom - y))


def _window_of(
    frame: Frame, holder: ElementRef | None, tabs: Tabs, layout: _Layout
) -> tuple[float, float] | None:
    """Where in the page's window a frame's own window begins; None if it is hidden or scaled."""
    if holder is None:
        return 0.0, 0.0
    if holder in layout.hidden or holder[0] not in layout.offsets:
        return None
    if layout.boxes.get(holder, _SOMEWHERE) is None:
        return None
    root = frame.query_selector(":root")
    outside = root.bounding_box() if root is not None else None
    if root is None or outside is None:
        return None
    x, y, width = tabs.readers.ask(frame, "rootBox")
    is_scaled = abs(outside["width"] - width) > 1
    return None if is_scaled else (outside["x"] - x, outside["y"] - y)
