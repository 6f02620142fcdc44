"""Collects what was observed in one sample, so that the places of its values can be looked at."""

from __future__ import annotations

from array import array
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote_plus, urljoin, urlsplit

from pytest_bwa.proof.entered import Entered, Entries
from pytest_bwa.proof.own_address import OwnAddress, same_address
from pytest_bwa.proof.spots import READ_WITH_PAGE, SAID, Spot, spots_of, spots_read
from pytest_bwa.proof.text_match import clean, same_text, words
from pytest_bwa.spec.network.urls import BROWSERS_OWN
from pytest_bwa.steps import Action, ActionResult, ElementRef, Observation
from pytest_bwa.text import cells_of, has_words, label_key

Number = int | str
"""How a place is cited: the number of a line, or the ref of what no list has, as text: "3.17"."""
OWN_READING = "own reading"
"""The role of a text of which nothing but the policy's answer says that a picture shows it."""
MAX_KEPT_SIZE = 60_000
"""Elements and labelled values of all pages that are kept whole, about 40 MB."""
_SAYING = ("element", "value", "labelled", "dialog", "vision", "ocr", "extract", "find")
MIN_TELLING = 4
"""Characters of a column that tells the sample from others."""


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
        self._read_only = read_only
        columns = [text for text in given if text]
        self.own_address = OwnAddress(own_url, frozenset(map(label_key, columns)))
        self.spots: list[Spot] = []
        self.looks: list[Look] = []
        self.looks_of: list[list[int]] = []
        """For each spot the numbers of the looks that have it."""
        self._start_urls = {same_text(url) for url in start_urls}
        self.given = {same_text(text) for text in columns}
        """The sample's own columns, in the form in which they are compared."""
        self.telling = [text for text in self.given if len(text) >= MIN_TELLING]
        """Those that tell the sample from others."""
        self._numbers: dict[Spot, int] = {}
        self._by_word: defaultdict[str, list[int]] = defaultdict(list)
        self._entries = Entries()
        self._opened_by: list[int] = []
        """For each look how many pages had been opened by then."""
        self._titled: dict[int, bool] = {}
        """Of which looks it is known whether the page's titles name the sample."""
        self._refs: defaultdict[int, set[ElementRef]] = defaultdict(set)
        """For each number of the list the elements that have had it."""
        self._number_of: dict[ElementRef, int] = {}
        self._at: defaultdict[ElementRef, list[int]] = defaultdict(list)
        """For each element the spots in it."""
        self._in_row: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        """For each row, by its frame and text, the spots in it."""
        self._invented: set[str] = set()
        self._addresses: set[str] = set()
        """Those of links and pages that were seen, in the form in which addresses are compared."""
        self._led_to: set[str] = set()
        """Where the sample's own address led to."""
        self._opens_own = False
        self._latest: Observation | None = None
        self.labels_prove = labels_prove
        self._keys = frozenset(map(label_key, columns))
        self.others = frozenset(label_key(n) for n in others if len(n) >= MIN_TELLING) - self._keys
        """The names of the other samples of the list, as keys: FV/2026/7 is FV-2026-7."""
        self.steps_done = 0
        """How many steps of the action log are done, with the one that is being carried out."""
        self.pages: OrderedDict[int, Observation] = OrderedDict()
        """The observation of each look, by its number; very large ones only for a while."""
        self._newest_reading: dict[str, Look] = {}
        """For each state of a page the look of the last time that the page was read in it."""

    # -- collecting --------------------------------------------------------------------------

    def add_observation(self, observation: Observation, step: int) -> None:
        """Keep what the page shows; an observation that was kept before costs nothing."""
        last, self._latest = self._latest, observation
        if self._opens_own:
            self._led_to.add(observation.url)
            self._opens_own = False
        self._entries.add_page(observation)
        is_known = last is not None and _is_same(last, observation)
        if is_known or observation.url.startswith(BROWSERS_OWN):
            return
        self._add_look(spots_of(observation), observation, step)
        for element in observation.elements:
            self._keep_number(element.index, element.ref)
        for line in observation.said:
            self._keep_number(line.index, (SAID, line.index))
        self.pages[len(self.looks) - 1] = observation
        self._newest_reading[observation.state] = self.looks[-1]
        while sum(_size(page) for page in self.pages.values()) > MAX_KEPT_SIZE:
            if len(self.pages) == 1:
                break
            self.pages.popitem(last=False)

    def add_action(
        self, action: Action, result: ActionResult, page: Observation, step: int
    ) -> None:
        """Keep what an action read, and remember what the agent itself entered."""
        self._entries.remember(action, result, page, len(self.looks))
        if action.action == "goto" and result.success:
            self._entries.opened += 1  # nothing that was sent is answered with this page
            self._opens_own = self.own_address.is_of(urljoin(page.url, action.url or ""))
        if action.action == "goto" and step > 0 and action.url:
            address = same_address(urljoin(page.url, action.url))
            if address not in self._addresses and same_text(action.url) not in self._start_urls:
                self._invented.add(address)
        for line in result.lines:
            is_hit = line.source == "find" and line.ref is not None
            self._keep_number(line.index, line.ref if is_hit and line.ref else (SAID, line.index))
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
        self._opened_by.append(self._entries.opened)
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
                self._addresses.add(same_address(spot.text))
            for ref in {spot.ref, spot.holder}:
                if ref is not None:
                    self._at[ref].append(number)
            if spot.record:
                self._in_row[spot.frame, clean(spot.record)].append(number)
        return number

    def _keep_number(self, number: int, ref: ElementRef) -> None:
        if number >= 0:
            self._refs[number].add(ref)
            self._number_of[ref] = number

    # -- looking up --------------------------------------------------------------------------

    def spots_at(self, number: Number) -> list[int]:
        """The spots of a line in all of its states, the newest first; the line of a row stands for
        what is in it. Empty if no line that was shown had this number."""
        found = dict.fromkeys(n for ref in self._refs_of(number) for n in self._at[ref])
        for row in [self.spots[n] for n in found if self.spots[n].role == "row"]:
            found.update(dict.fromkeys(self._in_row[row.frame, row.text]))
        return sorted(found, key=lambda n: self.looks_of[n][-1], reverse=True)

    def _refs_of(self, number: Number) -> Iterable[ElementRef]:
        if isinstance(number, int):
            return self._refs.get(number, ())
        document, _, element = number.partition(".")
        return [(int(document), int(element))]

    def number_of(self, spot: Spot) -> int | None:
        """The number under which the prompt has shown a spot, or the row that it stands in."""
        for ref in (spot.ref, spot.holder):
            if ref is not None and ref in self._number_of:
                return self._number_of[ref]
        return None

    def says(self, number: Number) -> str:
        """What the newest state of a line says, for people; empty if there is no such line."""
        spots = [self.spots[n] for n in self.spots_at(number)]
        own = [s for s in spots if s.source in _SAYING] or spots
        newest = [s for s in own if s.role == "row"] or own
        return newest[0].text if newest else ""

    def texts_now(self, spot: Spot) -> Iterator[str]:
        """What stands in a spot's element in the newest look that has the element."""
        numbers = [n for n in self._at.get(spot.ref or (SAID, SAID), ())
                   if self.spots[n].source == spot.source]  # fmt: skip
        newest = max((self.looks_of[n][-1] for n in numbers), default=-1)
        return (self.spots[n].text for n in numbers if self.looks_of[n][-1] == newest)

    def with_words(self, wanted: Iterable[str]) -> list[int]:
        """The spots that have all of these words, the oldest first."""
        lists = sorted((self._by_word.get(word, []) for word in set(wanted)), key=len)
        if not lists:
            return []
        others = [set(numbers) for numbers in lists[1:]]
        return [n for n in lists[0] if all(n in other for other in others)]

    def is_own(self, spot: Spot, value: str) -> bool:
        """Whether a spot has the value only because the agent entered it there: in a field, in the
        address that it opened, or in the address of its own query."""
        if spot.source == "address" and same_address(spot.text) in self._invented:
            return True
        if spot.source != "value" and not spot.is_address:
            return False
        if spot.source == "value" and self._entries.has_ticked(spot):
            return True
        key = same_text(value)
        is_echo = spot.source == "value" and (
            key in self.given or same_text(spot.text) in self.given
        )
        typed_here = spot.source == "value" and self._entries.has_typed(spot.text)
        return self._entries.has_typed(value) or typed_here or (is_echo and "search" in spot.role)

    def is_entered(self, text: str) -> bool:
        """Whether the agent typed or picked a text in this sample."""
        return self.is_typed(text) or self._picked(same_text(text)) is not None

    def is_typed(self, text: str) -> bool:
        return self._entries.has_typed(text)

    def fills_in(self) -> bool:
        """Whether the task fills in a form. If the spec does not say, two of the sample's columns
        were entered: to find a record it takes one."""
        if self._read_only is not None:
            return not self._read_only
        entered = self._entries.among(self.given)  # asked of each place of each value
        return len(entered) > 1 and sum(map(self.is_entered, entered)) > 1

    def is_read_back(self, spot: Spot, value: str) -> bool:
        """Whether a field has what the agent entered earlier on a page that was opened anew since
        then, so that the site kept it. The page that answers a form may only repeat what was sent,
        and so may one that has it in its address, as a search does."""
        if spot.source != "value" or spot.ref is None or "search" in spot.role:
            return False
        entered = self._entries.latest_in(spot, value)
        if entered is None:
            return False
        is_new = self._entries.age_of(spot.ref[0]) >= entered.opened + 2
        if not is_new and not self._is_opened_in_place(spot, entered):
            return False
        keys = {same_text(value), same_text(spot.text)}
        urls = (self.looks[number].url for number in self.looks_of[self._numbers[spot]])
        queries = [same_text(unquote_plus(urlsplit(url).query)) for url in urls]
        return not any(key in query for key in keys for query in queries)

    def is_older_than_entry(self, spot: Spot, value: str) -> bool:
        """Whether a text was seen last before the agent entered or picked the same: then it is no
        proof that the site has kept it. What was picked stays in the page, too, until that is
        opened anew."""
        keys = {same_text(value), same_text(spot.text)}
        picked = [entered for key in keys if (entered := self._picked(key)) is not None]
        last = self.looks_of[self._numbers[spot]][-1]
        if picked and not self._is_opened_in_place(spot, max(picked)):
            return self._opened_by[last] <= max(picked).opened
        typed = self._entries.typed_among(value, spot.text)
        return any(last < entered.looks for entered in [*typed, *picked])

    def _picked(self, key: str) -> Entered | None:
        """When something with this name was chosen: what was clicked, and led to no other page."""
        entered, url = self._entries.clicked.get(key, (None, ""))
        after = self.looks[entered.looks : entered.looks + 1] if entered else []
        return None if any(look.url != url for look in after) else entered

    def _is_opened_in_place(self, spot: Spot, entered: Entered) -> bool:
        """Whether an application that never loads a page opened a record anew: at another address
        than that of the form in which something was entered, with a third one between them, such
        as that of the list."""
        numbers = self.looks_of[self._numbers[spot]]
        here = same_address(self.looks[numbers[-1]].url)
        between = {same_address(look.url) for look in self.looks[entered.looks : numbers[0]]}
        is_other = here != entered.address and numbers[0] >= entered.looks
        return is_other and bool(between - {here, entered.address})

    def names_sample(self, entry: str) -> bool:
        """Whether a cell of an entry is what the samples list says of the sample, or the entry has
        a long one of these in it."""
        if not self._keys.isdisjoint(map(label_key, cells_of(entry))):
            return True
        return any(has_words(entry, own) for own in self.telling)

    def is_titled_like_sample(self, look: int) -> bool:
        """Whether the title or a heading of a page names the sample."""
        if look not in self._titled:
            spots = map(self.spots.__getitem__, self.looks[look].spots)
            titles = (spot.text for spot in spots if spot.role in ("title", "heading"))
            self._titled[look] = any(map(self.names_sample, titles))
        return self._titled[look]

    def is_own_page(self, look: Look) -> bool:
        """Whether a page is at the sample's own address; or this address led to it, and it is not
        called like another sample, or says itself whose it is."""
        if self.own_address.is_of(look.url):
            return True
        if look.url not in self._led_to:
            return False
        spots = [self.spots[n] for n in look.spots]
        titles = (s.text for s in spots if s.role in ("title", "heading"))
        is_others = any(not self.others.isdisjoint(map(label_key, cells_of(t))) for t in titles)
        return not is_others or any(self.names_sample(s.text) for s in spots)

    def first_look(self, number: int) -> Look:
        """The first look that has a spot."""
        return self.looks[self.looks_of[number][0]]

    def is_in(self, spot: Spot, look: Look) -> bool:
        return look.number in self.looks_of[self._numbers[spot]]

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
        and (last.url, last.title, last.state) == (page.url, page.title, page.state)
    )


def _size(page: Observation) -> int:
    return len(page.elements) + len(page.unlisted) + len(page.labelled)
