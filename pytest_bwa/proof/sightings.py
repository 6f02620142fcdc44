"""Collects what was observed in one sample, so that the places of its values can be looked at."""

from __future__ import annotations

from array import array
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urljoin

from pytest_bwa.facts.address import Address, address_of, is_at
from pytest_bwa.proof.entered import Entries
from pytest_bwa.proof.lines import Lines, Number
from pytest_bwa.proof.own_names import OwnNames
from pytest_bwa.proof.spots import READ_WITH_PAGE, Spot, spots_of, spots_read
from pytest_bwa.proof.texts.text_match import clean, same_text, words
from pytest_bwa.spec.network.urls import BROWSERS_OWN
from pytest_bwa.steps.step import Action, ActionResult, Observation

OWN_READING = "own reading"
"""The role of a text of which nothing but the policy's answer says that a picture shows it."""
MAX_KEPT_SIZE = 60_000
"""Elements and labelled values of all pages that are kept whole, about 40 MB."""
_SAYING = ("element", "value", "labelled", "dialog", "vision", "ocr", "extract", "find")


@dataclass(frozen=True, slots=True)
class Look:
    """One state of a page, and the spots on it, in the order of the page."""

    number: int
    step: int
    url: str
    state: str
    language: str
    spots: array[int]
    steps_done: int = 0
    """How many steps of the action log were done."""


class Sightings:
    """Everything that one sample's agent observed. A text that stays where it is is kept once.

    ``labels_prove`` says whether the policy answers from labelled values alone. ``given`` is what
    the samples list says of the sample, ``own_url`` the address of its record, ``start_urls`` are
    the addresses that it may begin at, ``others`` what the list calls its other samples.
    ``read_only`` is what the spec says; None: what the agent enters tells whether the task fills in
    a form.
    """

    def __init__(
        self,
        given: Iterable[str] = (),
        *,
        labels_prove: bool = True,
        own_url: str = "",
        start_urls: Iterable[str] = (),
        others: frozenset[str] = frozenset(),
        read_only: bool | None = None,
    ) -> None:
        self.read_only, self.labels_prove, self._opens_own = read_only, labels_prove, False
        self.names = OwnNames(given, others)
        self.own_url = own_url
        self.spots: list[Spot] = []
        self.looks: list[Look] = []
        self.looks_of: list[list[int]] = []
        """For each spot the numbers of the looks that have it."""
        self.lines, self.entries = Lines(), Entries()
        self.steps_done = 0
        """How many steps of the action log are done, with the one that is being carried out."""
        self.pages: OrderedDict[int, Observation] = OrderedDict()
        """The observation of each look, by its number; very large ones only for a while."""
        self.opened_by: list[int] = []
        """For each look how many pages had been opened by then."""
        self.invented: set[Address] = set()
        """The addresses that the agent opened and no page had."""
        self._start_urls = {same_text(url) for url in start_urls}
        self._addresses: set[Address] = set()
        """Those of links and pages that were seen."""
        self._led_to: set[str] = set()
        """Where the sample's own address led to."""
        self._numbers: dict[Spot, int] = {}
        self._by_word: defaultdict[str, list[int]] = defaultdict(list)
        self._labels_read: set[str] = set()
        """The states of pages of which labelled values were cited."""
        self._titled: dict[int, bool] = {}
        """Of which looks it is known whether the page's titles name the sample."""
        self._latest: Observation | None = None
        self._newest_reading: dict[str, Look] = {}
        """For each state of a page the look of the last time that it was read."""

    # -- collecting --------------------------------------------------------------------------

    def add_observation(self, observation: Observation, step: int) -> None:
        """Keep what the page shows; an observation that was kept before costs nothing."""
        last, self._latest = self._latest, observation
        if self._opens_own:
            self._led_to.add(observation.url)
            self._opens_own = False
        self.entries.add_page(observation)
        is_known = last is not None and _is_same(last, observation)
        if is_known or observation.url.startswith(BROWSERS_OWN):
            return
        self._add_page(observation, step)
        self.lines.add_page(observation)

    def add_labelled(self, page: Observation, step: int) -> None:
        """Keep what a page labels, too: a recipe or a replay answers from it."""
        if not self.labels_prove and page.state not in self._labels_read:
            self._labels_read.add(page.state)
            self._add_page(page, step)

    def _add_page(self, page: Observation, step: int) -> None:
        labels_prove = self.labels_prove or page.state in self._labels_read
        self._add_look(spots_of(page, labels_prove=labels_prove), page, step)
        self.pages[len(self.looks) - 1] = page
        self._newest_reading[page.state] = self.looks[-1]
        while len(self.pages) > 1 and sum(map(_size, self.pages.values())) > MAX_KEPT_SIZE:
            self.pages.popitem(last=False)

    def add_action(
        self, action: Action, result: ActionResult, page: Observation, step: int
    ) -> None:
        """Keep what an action read, and remember what the agent itself entered."""
        self.entries.remember(action, result, page, len(self.looks))
        if action.action == "goto" and result.success:
            self.entries.opened += 1  # nothing that was sent is answered with this page
            self._opens_own = is_at(urljoin(page.url, action.url or ""), self.own_url)
        if action.action == "goto" and step > 0 and action.url:
            address = address_of(urljoin(page.url, action.url))
            if address not in self._addresses and same_text(action.url) not in self._start_urls:
                self.invented.add(address)
        self.lines.add_result(result)
        if spots := list(spots_read(action, result, page)):
            self._add_look(spots, page, step)

    def add_reading(self, texts: Iterable[str], page: Observation, step: int) -> None:
        """Keep what the policy itself says that it read from a picture of the page."""
        self._add_look([Spot(clean(text), "vision", OWN_READING) for text in texts], page, step)

    def _add_look(self, spots: Iterable[Spot], page: Observation, step: int) -> None:
        if page.url.startswith(BROWSERS_OWN):
            return
        number = len(self.looks)
        numbers = array("L", dict.fromkeys(self._number(spot) for spot in spots))
        look = Look(number, step, page.url, page.state, page.language, numbers, self.steps_done)
        self.looks.append(look)
        self.opened_by.append(self.entries.opened)
        for spot in numbers:
            self.looks_of[spot].append(number)

    def _number(self, spot: Spot) -> int:
        number = self._numbers.get(spot)
        if number is None:
            number = self._numbers[spot] = len(self.spots)
            self.spots.append(spot)
            self.looks_of.append([])
            for word in set(words(spot.text)):
                self._by_word[word].append(number)
            if spot.is_address:
                self._addresses.add(address_of(spot.text))
            self.lines.add_spot(number, spot)
        return number

    # -- looking up --------------------------------------------------------------------------

    def spots_at(self, number: Number) -> list[int]:
        """The spots of a line in all of its states, the newest first; the line of a row stands for
        what is in it. Empty if no line that was shown had this number."""
        found = dict.fromkeys(self.lines.spots_of(number))
        for row in [n for n in found if self.spots[n].role == "row"]:
            found.update(dict.fromkeys(self._in_row(row)))
        return sorted(found, key=lambda n: self.looks_of[n][-1], reverse=True)

    def _in_row(self, number: int) -> Iterator[int]:
        """What stands in a row: what has it for its record, and the values in its box."""
        row, look = self.spots[number], self.looks[self.looks_of[number][-1]]
        yield from self.lines.in_row(row)
        for inside in look.spots:
            spot = self.spots[inside]
            if spot.source in ("labelled", "value") and spot.is_inside(row.box):
                yield inside

    def says(self, number: Number) -> str:
        """What the newest state of a line says, for people; empty if there is no such line."""
        spots = [self.spots[n] for n in self.spots_at(number)]
        own = [s for s in spots if s.source in _SAYING] or spots
        newest = [s for s in own if s.role == "row"] or own
        return newest[0].text if newest else ""

    def texts_now(self, spot: Spot) -> Iterator[str]:
        """What stands in a spot's element in the newest look that has the element."""
        inside = self.lines.in_element(spot.ref)
        numbers = [n for n in inside if self.spots[n].source == spot.source]
        newest = max((self.looks_of[n][-1] for n in numbers), default=-1)
        return (self.spots[n].text for n in numbers if self.looks_of[n][-1] == newest)

    def looks_at(self, spot: Spot) -> list[int]:
        """The numbers of the looks that have a spot."""
        return self.looks_of[self._numbers[spot]]

    def looks_with(self, number: int) -> list[Look]:
        """The looks that have a spot, the oldest first."""
        return [self.looks[n] for n in self.looks_of[number]]

    def with_words(self, wanted: Iterable[str]) -> list[int]:
        """The spots that have all of these words, the oldest first."""
        lists = sorted((self._by_word.get(word, []) for word in set(wanted)), key=len)
        if not lists:
            return []
        others = [set(numbers) for numbers in lists[1:]]
        return [n for n in lists[0] if all(n in other for other in others)]

    def is_titled_like_sample(self, look: int) -> bool:
        """Whether the title or a heading of a page names the sample."""
        if look not in self._titled:
            self._titled[look] = any(map(self.names.are_in, self._titles(self.looks[look])))
        return self._titled[look]

    def is_own_page(self, look: Look) -> bool:
        """Whether a page is at the sample's own address; or this address led to it, and it is not
        called like another sample, or says itself whose it is."""
        if is_at(look.url, self.own_url):
            return True
        if look.url not in self._led_to:
            return False
        is_others = any(map(self.names.are_others, self._titles(look)))
        return not is_others or any(self.names.are_in(self.spots[n].text) for n in look.spots)

    def _titles(self, look: Look) -> Iterator[str]:
        """The title and the headings of a page."""
        spots = map(self.spots.__getitem__, look.spots)
        return (spot.text for spot in spots if spot.role in ("title", "heading"))

    def first_look(self, number: int) -> Look:
        """The first look that has a spot."""
        return self.looks[self.looks_of[number][0]]

    def is_in(self, spot: Spot, look: Look) -> bool:
        return look.number in self.looks_at(spot)

    def is_outdated(self, spot: Spot, look: Look) -> bool:
        """Whether the page, read again in the state of a look, no longer has a spot: a class or a
        style sheet changes how a text is painted, and no text."""
        newest = self._newest_reading.get(look.state) if look.state else None
        if newest is None or spot.source not in READ_WITH_PAGE:
            return False
        return not self.is_in(spot, newest)

    def in_state(self, state: str) -> list[Look]:
        """The looks at one state of a page; a page that changes all the time has no state."""
        return [look for look in self.looks if state and look.state == state]


def _is_same(last: Observation, page: Observation) -> bool:
    """Whether the observer gave out the same reading again, as it does if nothing changed."""
    return (
        last.elements is page.elements
        and last.labelled is page.labelled
        and last.picture_text is page.picture_text
        and last.other_lines == page.other_lines
        and (last.url, last.title, last.state) == (page.url, page.title, page.state)
    )


def _size(page: Observation) -> int:
    return len(page.elements) + len(page.unlisted) + len(page.labelled)
