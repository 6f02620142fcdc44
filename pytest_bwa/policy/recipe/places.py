"""Where a value stands, and what tells pages apart: in the recipe, and in one sample. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlsplit

from pytest_bwa.facts.address import plain_address
from pytest_bwa.facts.fact import Fact
from pytest_bwa.facts.identity import PlaceNotFound, is_same_place
from pytest_bwa.facts.page import AROUND_CONTENT, only_heading
from pytest_bwa.facts.place import PageFacts, ValuePlace, Where, locate
from pytest_bwa.facts.text_match import clean
from pytest_bwa.policy.recipe.parameters import (
    ANYTHING,
    MIN_CHARACTERS,
    any_number,
    filled,
    generalised,
    names_another,
    names_sample,
)
from pytest_bwa.policy.recipe.recipe import OwnText, ValueSource
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.place_identity import PlaceIdentity
from pytest_bwa.steps.step import Observation, Place
from pytest_bwa.steps.text import whole_words

_OF_OTHERS = AROUND_CONTENT - {"complementary"}
"""Regions that say nothing of the sample; an aside may have its fields."""
ALERTS = frozenset({"alert", "alertdialog"})


@dataclass(frozen=True, slots=True)
class PageLook:
    """What tells a page from others, as it is of one sample."""

    url: str
    status: int | None
    address: str
    """Without the sample's own host."""
    heading: str
    shows: tuple[str, ...]
    """The columns of which it has the sample's text."""
    own_texts: frozenset[OwnText]
    alerts: frozenset[str]
    controls: frozenset[str]

    def sure_columns(self, columns: Mapping[str, str]) -> list[str]:
        """Those of these columns that are long enough to be no chance."""
        return [name for name in self.shows if len(columns[name]) >= MIN_CHARACTERS]


def look_at(facts: PageFacts, columns: Mapping[str, str], own_host: str) -> PageLook:
    page = facts.page
    return PageLook(
        url=page.url,
        status=page.http_status,
        address=plain_address(page.url, own_host),
        heading=only_heading(page),
        shows=_shown_columns(page, columns),
        own_texts=_own_texts(facts, columns),
        alerts=frozenset(
            generalised(e.name, columns) for e in page.all_elements if e.role in ALERTS and e.name
        ),
        controls=controls_of(page, columns),
    )


def place_in_recipe(identity: PlaceIdentity, columns: Mapping[str, str]) -> PlaceIdentity:
    """The place without anything of the sample. The page's title is checked by the page."""
    headings = identity.headings[1:] if identity.is_titled else identity.headings
    return _with_texts(identity, headings, partial(generalised, columns=columns))


def source_of(place: ValuePlace, columns: Mapping[str, str]) -> ValueSource:
    """The same of a value; a part of a text stands between other texts."""

    def fixed(text: str) -> str:
        return any_number(generalised(text, columns, keeps_ends=True))

    return ValueSource(
        place=place_in_recipe(place.identity, columns),
        part=place.part,
        before=fixed(place.text_before),
        after=fixed(place.text_after),
    )


def identity_on(
    place: PlaceIdentity, page: Observation, columns: Mapping[str, str]
) -> PlaceIdentity:
    """The place as it must be on a page of this sample. Raises KeyError."""
    headings = [filled(heading, columns) for heading in place.headings]
    if place.is_titled:
        headings.insert(0, only_heading(page))
    own = _with_texts(place, (), partial(filled, columns=columns))
    return own.model_copy(update={"headings": tuple(headings)})


def _with_texts(
    identity: PlaceIdentity, headings: Iterable[str], form: Callable[[str], str]
) -> PlaceIdentity:
    """The identity with each of its texts in another form."""
    texts = {
        "name": form(identity.name),
        "frame": form(identity.frame),
        "headings": tuple(map(form, headings)),
        "record": form(identity.record),
    }
    return identity.model_copy(update=texts)


def find_value(source: ValueSource, page: PageFacts, columns: Mapping[str, str]) -> Fact:
    """What the source says on the page of this sample; it has no text if the page has the label
    and nothing beside it. Raises PlaceNotFound."""
    identity = identity_on(source.place, page.page, columns)
    if source.address:
        return link_with(source.address, identity, page)
    before, after = filled(source.before, columns), filled(source.after, columns)
    where = Where(identity, source.part, before, after)
    where = _in_its_list(where, page)
    known = page.called_like(where)
    if len(known) == 1 and not known[0].text and not source.before:
        return known[0]
    return locate(where, page, is_certain=partial(is_beyond_doubt, page=page))


def _in_its_list(where: Where, page: PageFacts) -> Where:
    """The place in the one list that it may be in now. A recorded page had one list, whose place
    needed no name; beside another list, such as that of a parent, each has one. What stands under
    other headings is still another place."""
    own = where.identity
    if own.record:
        return where
    identities = {page.identity(fact) for fact in page.called_like(where)}
    named = [i for i in identities if i.record and i.model_copy(update={"record": ""}) == own]
    is_one = own not in identities and len(named) == 1
    return replace(where, identity=named[0]) if is_one else where


def is_repeated(source: ValueSource, page: PageFacts, columns: Mapping[str, str]) -> bool:
    """Whether the page has the source's label more often than any page before it."""
    label = filled(source.place.name, columns)
    return count_namesakes(label, page, columns) > source.namesakes


def count_namesakes(label: str, page: PageFacts, columns: Mapping[str, str]) -> int:
    return len(namesakes(label, page, columns)) if label else 1


def namesakes(label: str, page: PageFacts, columns: Mapping[str, str]) -> Collection[Fact]:
    """The different texts that the content of a page has under a label. What stands under the name
    of another sample is not this one's."""
    found = {
        (fact.place, fact.text): fact
        for fact in page.texts
        if fact.label == label and is_content(fact.place)
        if not any(names_another(heading, columns) for heading in fact.place.headings)
    }
    return found.values()


def _shown_columns(page: Observation, columns: Mapping[str, str]) -> tuple[str, ...]:
    names = (element.name for element in page.all_elements)
    texts = dict.fromkeys([*names, *(value.value for value in page.labelled)])
    everything = "\n".join(clean(text).casefold() for text in texts)
    known = {name: clean(text).casefold() for name, text in columns.items()}
    return tuple(n for n, text in known.items() if text and whole_words([text]).search(everything))


def controls_of(page: Observation, columns: Mapping[str, str]) -> frozenset[str]:
    """What the content of a page has to press that may show more of it."""
    return frozenset(
        generalised(element.name, columns)
        for element in page.all_elements
        if element.role in ("button", "tab")
        or any(state.startswith("expanded=") for state in element.states)
        if is_content(element.place)
    )


def _own_texts(page: PageFacts, columns: Mapping[str, str]) -> frozenset[OwnText]:
    """The texts of a page that name the sample."""
    found = set()
    for fact in page.texts:
        text = generalised(fact.text, columns, names_page=True)
        if names_sample(text):
            regions = fact.place.regions
            found.add(OwnText(role=fact.role, label=fact.label, regions=regions, text=text))
    return frozenset(found)


def labels_beside(
    source: ValueSource, found: Fact | None, page: PageFacts, columns: Mapping[str, str]
) -> set[str]:
    """The labels of the section and the record that a value stands in, or would stand in."""
    if not source.place.name:
        return set()
    own = identity_on(source.place, page.page, columns).model_copy(update={"name": ""})
    if found is not None:
        own = page.places.identity(found.role, "", found.place)
    others = [fact for fact in page.texts if fact.label and fact.role == own.role]
    same = {
        place
        for place in {fact.place for fact in others}
        if page.places.identity(own.role, "", place) == own
    }
    return {generalised(fact.label, columns) for fact in others if fact.place in same}


def is_content(place: Place) -> bool:
    return _OF_OTHERS.isdisjoint(place.regions)


def link_with(address: str, identity: PlaceIdentity, page: PageFacts) -> Fact:
    """The one link at a place that leads to an address with its own text in it. Raises
    PlaceNotFound."""
    found = {
        link.text: link
        for link, pattern in named_links(page)
        if pattern == address and is_same_place(identity, page.identity(link))
    }
    if len(found) != 1:
        raise PlaceNotFound(f"the page has {len(found)} links like {address}, and not one")
    return next(iter(found.values()))


def named_links(page: PageFacts) -> Iterator[tuple[Fact, str]]:
    """The links whose text is a part of the address that they lead to, each with this address and
    ``*`` in place of the text."""
    host = urlsplit(page.page.url).netloc
    links = [fact for fact in page.placed if fact.role == "link"]
    addresses = {(r.label, r.box): r.text for r in links if r.kind == "link"}
    for link in links:
        address = addresses.get((link.text, link.box))
        if link.kind == "element" and address is not None and is_content(link.place):
            text = re.escape(link.text)
            parts = re.split(rf"(?<!\w){text}(?!\w)", plain_address(address, host))
            if len(parts) == 2:
                yield link, ANYTHING.join(parts)


def is_beyond_doubt(fact: Fact, *, page: PageFacts) -> bool:
    """Whether nothing speaks against a text. Links in it do not where it is made of links alone
    that lead to addresses alike: then none of them is a button beside it."""
    if fact.refusal is Doubt.LINK_BESIDE:
        return _is_made_of_links(fact, page)
    return not fact.refusal


def _is_made_of_links(fact: Fact, page: PageFacts) -> bool:
    inside = {
        (link.box.y, link.box.x): (link.text, pattern)
        for link, pattern in named_links(page)
        if link.box is not None and link.is_inside(fact.box)
    }
    rest = fact.text
    for _, (text, _) in sorted(inside.items()):
        rest = rest.replace(text, "", 1)
    patterns = {pattern for _, pattern in inside.values()}
    return len(patterns) == 1 and not any(map(str.isalnum, rest))
