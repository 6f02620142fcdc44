"""Asks the readers of a page: the scripts that say what is on it.

On Chromium they live in an isolated world, which has the page's document and none of its
JavaScript: what a page replaces changes nothing there. Other engines offer no such world, so there
they live in the page's own one.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, ElementHandle, Frame, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.page.documents import LiveDocument
from pytest_bwa.page.isolated_world import IsolatedWorld
from pytest_bwa.page.script_loader import load_script

CHANNEL = f"bwa{secrets.token_hex(12)}"
"""The name of the events that cross between the worlds; no page knows it."""
MAIN_WORLD = f"bwa{secrets.token_hex(12)}"
"""The property of the window by which the page's own world is asked."""
INIT_SCRIPT = f'({load_script("main_world")})("{CHANNEL}", "{MAIN_WORLD}");'
"""What must live in the page's own world. It runs in every document before the page's own scripts;
some documents miss that, and it may run again."""
READERS_SCRIPT = load_script("readers")
_ON_NEW_DOCUMENT = f'({READERS_SCRIPT})("{CHANNEL}");'
_RUN = "(...args) => window[Symbol.for('bwa.readers')]?.run(...args) ?? null"
_ELEMENT = "(...args) => window[Symbol.for('bwa.readers')]?.element(...args) ?? null"
_AX_ELEMENT = "function() { return window[Symbol.for('bwa.readers')]?.axElement(this) ?? null; }"
_HAND_OVER = f"([token, ...elements]) => window['{MAIN_WORLD}']?.handOver(elements, token) ?? null"
MAX_PAINT_MS = 300
_PAINTED = """longest => new Promise((resolve) => {
  setTimeout(resolve, longest);
  requestAnimationFrame(() => requestAnimationFrame(resolve));
})"""
_GONE = "the element is not attached to the page"


@dataclass(frozen=True, slots=True)
class Reference:
    """An element by its number in its document, which it keeps as long as it exists."""

    document: LiveDocument
    number: int


class World(Protocol):
    """Where the readers of a page live."""

    def call(self, frame: Frame, function: str, arguments: Sequence[Any]) -> Any:
        """What a function returns there."""

    def wait(self, frame: Frame, function: str, arguments: Sequence[Any]) -> None:
        """Until the promise that a function returns there is kept."""

    def element(
        self, frame: Frame, function: str, arguments: Sequence[Any]
    ) -> ElementHandle | None:
        """The element that a function returns there."""


class MainWorld:
    """The page's own world."""

    name = "main world"

    def __init__(self, page: Page, script: str) -> None:
        """The script is installed when something is asked first."""

    def call(self, frame: Frame, function: str, arguments: Sequence[Any]) -> Any:
        return frame.evaluate(f"args => ({function})(...args)", list(arguments))

    def wait(self, frame: Frame, function: str, arguments: Sequence[Any]) -> None:
        self.call(frame, function, arguments)

    def element(
        self, frame: Frame, function: str, arguments: Sequence[Any]
    ) -> ElementHandle | None:
        found = frame.evaluate_handle(f"args => ({function})(...args)", list(arguments))
        return found.as_element()


def world_of(browser: Browser | None) -> type[IsolatedWorld] | type[MainWorld]:
    """Where the readers live in the pages of a browser."""
    is_chromium = browser is None or browser.browser_type.name == "chromium"
    return IsolatedWorld if is_chromium else MainWorld


class Readers:
    """The readers of the tabs of one sample. All methods raise Playwright's errors."""

    def __init__(self) -> None:
        self._worlds: dict[Page, World] = {}
        self._references: WeakKeyDictionary[ElementHandle, Reference] = WeakKeyDictionary()

    def world(self, page: Page) -> World:
        """Where the readers of a tab live."""
        if page not in self._worlds:
            self._worlds[page] = world_of(page.context.browser)(page, _ON_NEW_DOCUMENT)
        return self._worlds[page]

    def ask(self, frame: Frame, reader: str, argument: Any = None) -> Any:
        """What a reader finds in the document that a frame shows now."""
        return self._run(frame, reader, argument, None)

    def ask_reference(self, reference: Reference, reader: str, argument: Any = None) -> Any:
        """What a reader finds of an element. Raises an error if it is not in the page any more."""
        key = {"key": reference.document.key, "number": reference.number}
        return self._run(reference.document.frame, reader, argument, key)

    def ask_element(self, element: ElementHandle, reader: str, argument: Any = None) -> Any:
        """The same for an element that was found otherwise than by its number."""
        return self.ask_reference(self.reference(element), reader, argument)

    def wait_for_paint(self, frame: Frame) -> None:
        """Until what a script has scrolled is painted, and what the page itself paints for it; a
        page in the background is not painted at all."""
        self.world(frame.page).wait(frame, _PAINTED, (MAX_PAINT_MS,))

    def element(self, reference: Reference) -> ElementHandle | None:
        """The element, to act on; None if it is not in the page any more."""
        frame, arguments = reference.document.frame, (reference.document.key, reference.number)
        element = self.world(frame.page).element(frame, _ELEMENT, arguments)
        if element is not None:
            self._references[element] = reference
        return element

    def ask_node(self, frame: Frame, node: int) -> Any:
        """What is to be known of a node that the browser's accessibility tree names; None for what
        is no element of its own. Only Chromium has such nodes."""
        world = self.world(frame.page)
        assert isinstance(world, IsolatedWorld)
        return world.call_on_node(frame, node, _AX_ELEMENT)

    def reference(self, element: ElementHandle) -> Reference:
        """Raises an error if the element is not in the page any more."""
        found = self.references([element])[0]
        if found is None:
            raise PlaywrightError(_GONE)
        return found

    def references(self, elements: Sequence[ElementHandle]) -> list[Reference | None]:
        """The numbers of elements of one frame; None for what is not in the page any more."""
        unknown = [element for element in elements if element not in self._references]
        frame = unknown[0].owner_frame() if unknown else None
        if frame is not None:
            self._number(frame, unknown)
        return [self._references.get(element) for element in elements]

    def _number(self, frame: Frame, elements: Sequence[ElementHandle]) -> None:
        """The page's own world has the elements; it shows each of them to the readers."""
        self.ask(frame, "extent")  # the readers are there, and listen
        token = secrets.token_hex(8)
        frame.evaluate(_HAND_OVER, [token, *elements])
        found = self.ask(frame, "numberHanded", {"token": token, "count": len(elements)})
        document = LiveDocument(frame, found["document"])
        for element, number in zip(elements, found["numbers"], strict=True):
            if number is not None:
                self._references[element] = Reference(document, number)

    def _run(
        self, frame: Frame, reader: str, argument: Any, reference: dict[str, Any] | None
    ) -> Any:
        world, arguments = self.world(frame.page), (reader, argument, reference)
        answer = world.call(frame, _RUN, arguments)
        if answer is None:
            world.call(frame, READERS_SCRIPT, (CHANNEL,))
            answer = world.call(frame, _RUN, arguments)
        if "alone" in answer:
            with suppress(PlaywrightError):  # a page may prevent it; it is read all the same
                frame.evaluate(INIT_SCRIPT)
            answer = world.call(frame, _RUN, arguments)
        if "found" not in answer:
            raise PlaywrightError(_GONE)
        return answer["found"]
