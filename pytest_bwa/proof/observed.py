"""Collects what was observed in one sample, so that the places of its values can be looked at."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urljoin

from pytest_bwa.facts.address import Address, address_of, is_at
from pytest_bwa.facts.fact import LABELLED, READ_WITH_PAGE, Fact, Piece, facts_read
from pytest_bwa.facts.names import OwnNames
from pytest_bwa.facts.place import PageFacts
from pytest_bwa.facts.text_match import clean, same_text, words
from pytest_bwa.proof.entered import Entries
from pytest_bwa.proof.lines import Lines, Number
from pytest_bwa.spec.network.urls import BROWSERS_OWN
from pytest_bwa.steps.step import Action, ActionResult, Observation

OWN_READING = "own reading"
"""The role of a text of which nothing but the policy's answer says that a picture shows it."""
MAX_KEPT_FACTS = 60_000
"""Of all pages that are kept whole, about 40 MB."""
_SAYING = (
    "element",
    "value",
    "state",
    "labelled",
    "item",
    "dialog",
    "vision",
    "ocr",
    "extract",
    "find",
)


@dataclass(frozen=True)
class Look:
    """One state of a page, and the facts on it, in the order of the page."""

    number: int
    step: int
    url: str
    state: str
    language: str
    facts: tuple[Fact, ...]
    steps_done: int = 0
    """How many steps of the action log were done."""

    @cached_property
    def order(self) -> dict[Fact, int]:
        """The place of each fact among them."""
        return {fact: number for number, fact in enumerate(self.facts)}


class Observed:
    """Everything that one sample's agent observed. A text that stays where it is is kept once.

    ``labels_prove`` says whether the policy answers from labelled values alone. ``given`` is what
    the samples list says of the sample, ``own_url`` the address of its record, ``start_urls`` are
    the addresses that it may begin at, ``others`` what the list calls its other samples.
    ``read_only`` is what the spec says; None: what the agent enters tells whether the task fills in
    a form. ``reads_labels`` says whether an answer may need what pages label.
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
        reads_labels: bool = True,
    ) -> None:
        self.read_only, self.labels_prove, self._opens_own = read_only, labels_prove, False
        self._reads_labels = reads_labels
        self.names = OwnNames(given, others)
        self.own_url = own_url
        self.looks: list[Look] = []
        self.lines, self.entries = Lines(), Entries()
        self.steps_done = 0
        """How many steps of the action log are done, with the one that is being carried out."""
        self.pages: OrderedDict[int, PageFacts] = OrderedDict()
        """The page of each look, by its number; very large ones only for a while."""
        self.opened_by: list[int] = []
        """For each look how many pages had been opened by then."""
        self.invented: set[Address] = set()
        """The addresses that the agent opened and no page had."""
        self._start_urls = {same_text(url) for url in start_urls}
        self._addresses: set[Address] = set()
        """Those of links and pages that were seen."""
        self._led_to: set[str] = set()
        """Where the sample's own address led to."""
        self._known: dict[Fact, Fact] = {}
        """Each fact by itself: what is read again is kept once."""
        self._looks_of: dict[Fact, list[int]] = {}
        """For each fact the numbers of the looks that have it, the oldest fact first."""
        self._by_word: defaultdict[str, list[Fact]] = defaultdict(list)
        self._labels_read: set[str] = set()
        """The states of pages of which labelled values were cited."""
        self._titled: dict[int, bool] = {}
        """Of which looks it is known whether the page's titles name the sample."""
        self._latest: Observation | None = None
        self._newest_reading: dict[str, Look] = {}
        """For each state of a page the look of the last time that it was read."""

    # -- collecting --------------------------------------------------------------------------

    def add_observation(
        self, observation: Observation, step: int, *, is_beside: bool = False
    ) -> None:
        """Keep what the page shows; an observation that was kept before costs nothing.
        ``is_beside``: the sample's own page is another one, which is still open."""
        last = self._latest
        if not is_beside:
            self._latest = observation
        if self._opens_own:
            self._led_to.add(observation.url)
            self._opens_own = False
        self.entries.add_page(observation, is_beside=is_beside)
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
        """What the page labels counts only for a policy that reads it: it may be painted otherwise
        than its text says. What OCR read has no box."""
        own = PageFacts(page)
        labels_prove = self.labels_prove or page.state in self._labels_read
        known = own.labelled if labels_prove or self._reads_labels else ()
        labelled = (fact for fact in known if fact.text and (labels_prove or fact.box is None))
        self._add_look((*own.unlabelled, *labelled), page, step)
        self.pages[len(self.looks) - 1] = own
        self._newest_reading[page.state] = self.looks[-1]
        while len(self.pages) > 1 and self._kept() > MAX_KEPT_FACTS:
            self.pages.popitem(last=False)

    def _kept(self) -> int:
        return sum(len(own.unlabelled) for own in self.pages.values())

    def add_action(
        self, action: Action, result: ActionResult, page: Observation, step: int
    ) -> None:
        """Keep what an action read, and remember what the agent itself entered."""
        self.entries.remember(action, result, page, len(self.looks))
        if action.action == "goto" and result.success:
            self.entries.opened += 1  # nothing that was sent is answered with this page
            self._opens_own = is_at(urljoin(page.url, action.url or ""), self.own_url)
        for url in _typed_addresses(action) if step > 0 else ():
            address = address_of(urljoin(page.url, url))
            if address not in self._addresses and same_text(url) not in self._start_urls:
                self.invented.add(address)
        self.lines.add_result(result)
        if facts := list(facts_read(action, result, page)):
            self._add_look(facts, page, step)

    def add_reading(self, texts: Iterable[str], page: Observation, step: int) -> None:
        """Keep what the policy itself says that it read from a picture of the page."""
        self._add_look([Fact(clean(text), "vision", OWN_READING) for text in texts], page, step)

    def _add_look(self, facts: Iterable[Fact], page: Observation, step: int) -> None:
        if page.url.startswith(BROWSERS_OWN):
            return
        number = len(self.looks)
        seen = tuple(dict.fromkeys(self._known.setdefault(fact, fact) for fact in facts))
        look = Look(number, step, page.url, page.state, page.language, seen, self.steps_done)
        self.looks.append(look)
        self.opened_by.append(self.entries.opened)
        for fact in seen:
            if fact not in self._looks_of:
                self._keep(fact)
            self._looks_of[fact].append(number)

    def _keep(self, fact: Fact) -> None:
        self._looks_of[fact] = []
        for word in set(words(fact.text)):
            self._by_word[word].append(fact)
        if fact.is_address:
            self._addresses.add(address_of(fact.text))
        self.lines.add_fact(fact)

    # -- looking up --------------------------------------------------------------------------

    @property
    def facts(self) -> Iterable[Fact]:
        """Everything that was seen, each fact once, the oldest first."""
        return self._looks_of

    def facts_at(self, number: Number) -> list[Fact]:
        """The facts of a line in all of its states, the newest first; the line of a row stands for
        what is in it. Empty if no line that was shown had this number."""
        found = dict.fromkeys(self.lines.facts_of(number))
        for row in [fact for fact in found if fact.role == "row"]:
            found.update(dict.fromkeys(self._in_row(row)))
        return sorted(found, key=self.newest_look, reverse=True)

    def _in_row(self, row: Fact) -> Iterator[Fact]:
        """What stands in a row: what has it for its record, and the values in its box."""
        yield from self.lines.in_row(row)
        for fact in self.looks[self.newest_look(row)].facts:
            if (fact.kind in LABELLED or fact.is_in_field) and fact.is_inside(row.box):
                yield fact

    def says(self, number: Number) -> str:
        """What the newest state of a line says, for people; empty if there is no such line."""
        facts = self.facts_at(number)
        own = [fact for fact in facts if fact.kind in _SAYING] or facts
        newest = [fact for fact in own if fact.role == "row"] or own
        return newest[0].text if newest else ""

    def texts_now(self, fact: Fact) -> Iterator[str]:
        """What stands in a fact's element in the newest look that has the element."""
        inside = [other for other in self.lines.in_element(fact) if other.kind == fact.kind]
        newest = max(map(self.newest_look, inside), default=-1)
        return (other.text for other in inside if self.newest_look(other) == newest)

    def looks_at(self, fact: Fact) -> list[int]:
        """The numbers of the looks that have a fact."""
        return self._looks_of[fact]

    def newest_look(self, fact: Fact) -> int:
        return self._looks_of[fact][-1]

    def looks_with(self, fact: Fact) -> list[Look]:
        """The looks that have a fact, the oldest first."""
        return [self.looks[number] for number in self._looks_of[fact]]

    def first_look(self, fact: Fact) -> Look:
        return self.looks[self._looks_of[fact][0]]

    def page_of(self, fact: Fact) -> PageFacts | None:
        """The newest page that has a fact, if it is still kept."""
        return self.pages.get(self.newest_look(fact))

    def values_at(self, piece: Piece) -> list[Fact]:
        """The labelled values that a piece of a text is in."""
        page = self.page_of(piece.fact)
        return page.values_at(piece) if page else []

    def label_at(self, piece: Piece) -> str:
        """What the page calls a place; empty if it calls it nothing."""
        return next((value.label for value in self.values_at(piece)), piece.fact.label)

    def with_words(self, wanted: Iterable[str]) -> list[Fact]:
        """The facts that have all of these words, the oldest first."""
        lists = sorted((self._by_word.get(word, []) for word in set(wanted)), key=len)
        if not lists:
            return []
        others = [set(facts) for facts in lists[1:]]
        return [fact for fact in lists[0] if all(fact in other for other in others)]

    def is_titled_like_sample(self, look: int) -> bool:
        """Whether the title or a heading of a page names the sample."""
        if look not in self._titled:
            self._titled[look] = any(map(self.names.are_in, self._titles(self.looks[look])))
        return self._titled[look]

    def is_at_own_address(self, url: str) -> bool:
        """Whether it is the sample's own address, or one that this led to."""
        return url in self._led_to or is_at(url, self.own_url)

    def is_own_page(self, look: Look) -> bool:
        """Whether a page is at the sample's own address; or this address led to it, and it is not
        called like another sample, or says itself whose it is."""
        if is_at(look.url, self.own_url):
            return True
        if not self.is_at_own_address(look.url):
            return False
        is_others = any(map(self.names.are_others, self._titles(look)))
        return not is_others or any(self.names.are_in(fact.text) for fact in look.facts)

    def _titles(self, look: Look) -> Iterator[str]:
        """The title and the headings of a page."""
        return (f.text for f in look.facts if f.kind == "title" or f.role == "heading")

    def is_in(self, fact: Fact, look: Look) -> bool:
        return look.number in self.looks_at(fact)

    def is_outdated(self, fact: Fact, look: Look) -> bool:
        """Whether the page, read again in the state of a look, no longer has a fact: a class or a
        style sheet changes how a text is painted, and no text. A page that was opened anew has
        other elements."""
        newest = self._newest_reading.get(look.state) if look.state else None
        if newest is None or fact.kind not in READ_WITH_PAGE or self.is_in(fact, newest):
            return False
        own = fact.element
        return own is None or any(f.element and f.element[0] == own[0] for f in newest.facts)

    def in_state(self, state: str) -> list[Look]:
        """The looks at one state of a page; a page that changes all the time has no state."""
        return [look for look in self.looks if state and look.state == state]


def _typed_addresses(action: Action) -> Sequence[str]:
    """The addresses that the action opens, which may be the policy's own."""
    if action.action == "read":
        return [] if action.selector else [str(page) for page in action.pages or ()]
    return [action.url] if action.action == "goto" and action.url else []


def _is_same(last: Observation, page: Observation) -> bool:
    """Whether the observer gave out the same reading again, as it does if nothing changed."""
    return (
        last.elements is page.elements
        and last.labelled is page.labelled
        and last.picture_text is page.picture_text
        and last.other_lines == page.other_lines
        and (last.url, last.title, last.state) == (page.url, page.title, page.state)
    )
