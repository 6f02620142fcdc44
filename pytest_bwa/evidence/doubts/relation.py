"""Whether the pages that a value was read on have anything to do with the sample. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import unquote_plus, urlsplit

from pytest_bwa.evidence.doubts.own_record import OwnRecord, headings_of
from pytest_bwa.evidence.lookup.own_address import same_address
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import matches, same_text, words
from pytest_bwa.evidence.sightings import Look, Sightings
from pytest_bwa.spec.notation.record_names import is_called
from pytest_bwa.text import cells_of

_ENTRIES = ("element", "labelled")
"""What may be an entry of what a search has found."""
_BETWEEN = "\nǂ\n"
"""Stands between two texts, so that no name begins in one and ends in the next."""


class Relation:
    """Follows the way from page to page in one sample's sightings. Where the samples list has no
    name that is long enough to tell the sample from others, every page counts. A policy that reads
    labelled values has decided itself which pages are the sample's."""

    def __init__(self, sightings: Sightings) -> None:
        self._sightings, self._record = sightings, OwnRecord(sightings)
        self._forms = [_form_of(text) for text in sightings.telling]
        self._related: set[str] = set()
        """The addresses of the pages that name the sample, and of those about it."""
        self._about: set[str] = set()
        self._linked: set[str] = set()
        self._spots_read = self._looks_read = 0

    def is_none(self, found: Sequence[Sighting]) -> bool:
        """Whether none of the pages that a value was seen on names the sample, nor was opened from
        a page about it, nor by a link in the sample's own row of a list."""
        if self._sightings.labels_prove or not self._sightings.telling:
            return False
        self._read_new()
        looks = [n for place in found for n in self._sightings.looks_of[place.spot]]
        return not any(self._sightings.looks[n].url in self._related for n in looks)

    def _read_new(self) -> None:
        """Follow the way on: what is opened from a page about the sample still is about it."""
        looks, spots = self._sightings.looks, self._sightings.spots
        self._linked.update(map(same_address, self._links(spots[self._spots_read :])))
        for number in range(self._looks_read, len(looks)):
            look, before = looks[number], looks[number - 1] if number else None
            is_first = before is None and self._may_be_own(look)
            is_opened = before is not None and before.url in self._about
            is_linked = same_address(look.url) in self._linked
            if is_first or is_opened or is_linked or self._is_about(look):
                self._about.add(look.url)
            if look.url in self._about or (self._names(look) and not self._is_of_another(look)):
                self._related.add(look.url)
        self._spots_read, self._looks_read = len(spots), len(looks)

    def _may_be_own(self, first: Look) -> bool:
        """Whether a run began at the sample's own address, or at one that still says which record
        it is. An address that leads to a front page, a login or another record tells nothing."""
        own = self._sightings.own_address
        return own.is_in(first.url) and not self._is_of_another(first)

    def _is_about(self, look: Look) -> bool:
        page = self._sightings.pages.get(look.number)
        if page is None or self._is_of_another(look):
            return False
        if self._is_asked_for(look.url):
            return self._record.is_own_page(page) or self._is_one_called(headings_of(page))
        return self._record.is_own_page(page) or self._record.is_named(page)

    def _is_of_another(self, look: Look) -> bool:
        """Whether the address or the heading of a page is that of another record, even if the page
        mentions the sample: NET-197, of which NET-204 is a duplicate."""
        page = self._sightings.pages.get(look.number)
        is_elsewhere = self._sightings.own_address.is_of_another(look.url)
        return is_elsewhere or (page is not None and self._record.is_named_like_another(page))

    def _links(self, spots: Iterable[Spot]) -> Iterator[str]:
        """Where the links of the texts, rows and cards lead to that name the sample."""
        for spot in spots:
            if spot.source == "link" and self._has_name(f"{spot.name} {spot.record}"):
                yield spot.text

    def _is_asked_for(self, url: str) -> bool:
        """Whether an address asks for the sample, as a search does: its page repeats the name, also
        where it has found nobody."""
        query = same_text(unquote_plus(urlsplit(url).query))
        return any(next(matches(name, query), None) for name in self._sightings.telling)

    def _is_one_called(self, texts: Iterable[str]) -> bool:
        """Whether one of the texts is a name of the sample, and no sentence about it."""
        names = self._sightings.telling
        return any(is_called(same_text(text), name) for text in texts for name in names)

    def _names(self, look: Look) -> bool:
        """Whether a page has a name of the sample, also divided otherwise, or all words of one that
        is no number or code: "Quist, Ada". An echo of what was typed is none."""
        spots = [self._sightings.spots[number] for number in look.spots]
        if self._is_asked_for(look.url):
            entries = (s for s in spots if s.source in _ENTRIES and not self._is_echo(s))
            return self._is_one_called(cell for s in entries for cell in cells_of(s.text))
        texts = [_text_of(spot) for spot in spots if not self._is_echo(spot)]
        if self._has_name(_BETWEEN.join(texts)):
            return True
        there = set(words(" ".join(texts)))
        names = [own for own in self._sightings.telling if not _has_digit(own)]
        return any(there.issuperset(words(own)) for own in names)

    def _is_echo(self, spot: Spot) -> bool:
        """Whether a spot has a name of the sample only because it was typed; a link may lead to it
        all the same: mailto:ada@corp.test."""
        is_typed = any(
            self._sightings.is_own(spot, own) and _is_in(own, form, spot.text)
            for own, form in zip(self._sightings.telling, self._forms, strict=True)
        )
        return is_typed and (spot.source != "link" or "?" in spot.text)

    def _has_name(self, text: str) -> bool:
        return any(form.search(text.casefold()) for form in self._forms)


def _is_in(name: str, form: re.Pattern[str], text: str) -> bool:
    """Whether a text has a name, whole or by its words: what else was entered of the sample, such
    as its new address, makes the field with its name no echo."""
    return form.search(text.casefold()) is not None or {*words(text)} >= {*words(name)}


def _text_of(spot: Spot) -> str:
    """What a spot says; of the page's address, not what it asks for or where it will go on to."""
    return spot.text.partition("?")[0] if spot.source == "address" else spot.text


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def _form_of(name: str) -> re.Pattern[str]:
    """Finds a name however it is divided: INV20418 as INV-20418."""
    between = r"[\W_]*".join(map(re.escape, filter(str.isalnum, name)))
    return re.compile(rf"(?<!\w){between or re.escape(name)}(?!\w)")
