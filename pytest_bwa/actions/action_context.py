"""What every action works with: the tabs, the observation it was chosen on, its time limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import ElementHandle, Page

from pytest_bwa.actions.effects import WatchedTarget
from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.actions.resolve import NotFound, count_others, resolve, resolve_all
from pytest_bwa.actions.settle import PageSettler
from pytest_bwa.confinement.guard import RequestGuard
from pytest_bwa.page.documents import LiveDocument
from pytest_bwa.page.readers import Reference
from pytest_bwa.page.script_loader import read_json
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.page.time_limit import TimeLimit
from pytest_bwa.settings import Settings
from pytest_bwa.spec.typed_secrets import TypedSecrets
from pytest_bwa.steps.step import (
    TICKED_ROLES,
    ActionResult,
    ArtifactStore,
    Element,
    ElementRef,
    Observation,
)
from pytest_bwa.steps.text import first_of, folded

if TYPE_CHECKING:
    from pytest_bwa.actions.read import OpeningPage

Selector = str
"""The parameter by which actions name an element: its number, its text, CSS or XPath. The system
prompt says so once, for all tools."""


MAX_NAMED = 8
"""Elements of one name that an answer lists."""
_TOLD_APART = TICKED_ROLES | {
    *("option", "menuitemradio", "menuitemcheckbox", "treeitem"),
    *("textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider"),
}
"""Roles of choices and fields: of several with one name, none is the one that is meant."""


@dataclass
class ActionContext:
    """The same for all actions of a sample, but for ``begin``, which is called before each."""

    tabs: Tabs
    settler: PageSettler
    store: ArtifactStore
    rate_limiter: RateLimiter
    settings: Settings
    base_url: str | None = None
    files: Mapping[str, Path] = field(default_factory=dict)
    """Files that the sample may upload, by the name that it gives them."""
    secrets: TypedSecrets = field(default_factory=TypedSecrets)
    guard: RequestGuard | None = None
    """None on a page whose requests nobody follows."""
    observation: Observation = field(default_factory=lambda: Observation(url="", title=""))
    step: int = 0
    opening: dict[str, OpeningPage | ActionResult] = field(default_factory=dict)
    """By address, what is being opened in the background, or why it is not."""
    within: TimeLimit = field(default=lambda seconds, what: nullcontext())
    target: WatchedTarget | None = None
    """None for an action that changes nothing."""
    asked_url: str = ""
    """The address that the action opened."""
    enters: bool = False
    """Whether the action is for a field."""
    types_secret: bool = False
    """Whether the text of the action went into a field that holds a secret, or was meant to."""
    appeared: dict[Reference, Sequence[int]] = field(default_factory=dict)
    """The numbers of the texts that came when the list of an element without roles was opened."""
    taken_files: dict[str, dict[str, int]] = field(default_factory=dict)
    """By address, the names of uploaded files that the page shows since, and how often."""
    entered_at: str = ""
    """The address of the page in which something was entered last, since one was opened."""

    def begin(
        self, observation: Observation, step: int, *, watches: bool, enters: bool = False
    ) -> None:
        self.observation, self.step, self.enters = observation, step, enters
        self.asked_url, self.types_secret = "", False
        self.target = WatchedTarget(self.tabs) if watches else None

    def begin_guarded(self, *, acts: bool) -> None:
        """Let the guard know that an action begins; ``acts`` if it may change something."""
        if self.guard is not None and not self.tabs.has_background:
            self.guard.begin_action(self.step, acts=acts)

    @property
    def page(self) -> Page:
        return self.tabs.current

    @property
    def element_ms(self) -> float:
        return self.settings.element_timeout * 1000

    @property
    def max_ms(self) -> float:
        """Half of the action's time limit, so that the other half is left for settling."""
        return self.settings.action_timeout * 1000 / 2

    def ask(self, element: ElementHandle, reader: str, argument: Any = None) -> Any:
        """What a reader finds of an element. Raises Playwright's error if it is gone."""
        return self.tabs.readers.ask_element(element, reader, argument)

    def element(self, selector: str | None) -> ElementHandle:
        """Raises NotFound, which lists what is there."""
        element = resolve(self.tabs, self.observation, selector or "", enters=self.enters)
        self._refuse_equals((selector or "").strip(), element)
        if self.target is not None:
            self.target.watch(element)
        return element

    def _refuse_equals(self, text: str, element: ElementHandle) -> None:
        """Raises NotFound if a text is the name of several choices or fields: the first is not what
        is meant because it is the first."""
        listed, name = self.observation.elements, folded(text)
        alike = [e for e in listed if e.role in _TOLD_APART and name in e.name.casefold()]
        if len(alike) < 2 or not name:
            return
        ref = self.ref(element)
        hit = next((e for e in alike if e.ref == ref), None)
        equals = [e for e in alike if hit and (e.role, e.name) == (hit.role, hit.name)]
        if len(equals) > 1:
            which = first_of([_in_its_place(e) for e in equals], MAX_NAMED)
            raise NotFound(
                f'{len(equals)} elements are called "{text}", and nothing was done: name one by '
                f"its number: {which}"
            )

    def ref(self, element: ElementHandle) -> ElementRef:
        """What identifies the element in the sample. Raises Playwright's error if it is gone."""
        reference = self.tabs.readers.reference(element)
        document = self.tabs.documents.number(reference.document.frame, reference.document.key)
        return document, reference.number

    def describe_hit(self, selector: str, element: ElementHandle) -> str:
        """The element that a text, CSS or XPath has found, in words, and how many others match."""
        if self.observation.element_for(selector):
            return self.describe(selector)
        reference = self.tabs.readers.reference(element)
        tag, text = self.tabs.readers.ask_reference(reference, "identity")
        hit = self._name_of(reference.document, [reference.number], tag, text)
        others = self.count_others(selector, element)
        more = f"; {others} other{'s' * (others > 1)} on the page match{'es' * (others == 1)} too"
        return f'"{selector}": {hit}{more if others else ""}'

    def count_others(self, selector: str, element: ElementHandle) -> int:
        """How many other elements match a selector as well."""
        found = self.tabs, self.observation, selector, element
        return count_others(*found, enters=self.enters)

    def describe_cover(self, selector: str) -> str:
        """What the pointer hits in place of an element, in words; empty if that cannot be known.
        Raises NotFound and Playwright's errors."""
        reference = self.tabs.readers.reference(resolve(self.tabs, self.observation, selector))
        found = self.tabs.readers.ask_reference(reference, "coverOf")
        return self._name_of(reference.document, *read_json(found)) if found else ""

    def _name_of(self, live: LiveDocument, numbers: Sequence[int], tag: str, text: str) -> str:
        """The first of these elements of a document that is listed, or else a tag with its text."""
        document = self.tabs.documents.number(live.frame, live.key)
        listed = {e.ref: e for e in self.observation.elements}
        for number in numbers:
            if element := listed.get((document, number)):
                return f'{element.role} "{element.name}" [{element.index}]'
        return f'{tag} "{text}"'

    def elements(self, selector: str) -> list[ElementHandle]:
        """All elements that match. Raises NotFound."""
        return resolve_all(self.tabs, self.observation, selector)

    def describe(self, selector: str | None) -> str:
        """The element in words: ``button "Save"``."""
        text = (selector or "").strip()
        element = self.observation.element_for(text)
        if element is None:
            return f'"{selector}"'
        icon = next((f" ({s})" for s in element.states if s.startswith("icon: ")), "")
        words = f'{element.role} "{element.name}"{icon}'
        namesake = next((e for e in self.observation.elements if e.name == text), element)
        if namesake is element:
            return words
        return f"{words}, the element [{element.index}] (the text “{text}” is [{namesake.index}])"


def _in_its_place(element: Element) -> str:
    """An element of a message, with what tells it from others of its name."""
    group = next((f" ({state})" for state in element.states if state.startswith("group=")), "")
    record, above = " | ".join(element.around), element.place.headings
    where = f" in “{record}”" if record else f" under “{above[-1]}”" if above else ""
    return f'[{element.index}] {element.role} "{element.name}"{group or where}'
