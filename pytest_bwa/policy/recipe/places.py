"""Where a value stands, and what tells pages apart: in the recipe, and in one sample. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

from pytest_bwa.facts.address import plain_address
from pytest_bwa.facts.fact import Fact
from pytest_bwa.facts.identity import PlaceNotFound, is_same_place
from pytest_bwa.facts.page import AROUND_CONTENT, only_heading
from pytest_bwa.facts.place import PageFacts, Where, locate
from pytest_bwa.facts.text_match import clean
from pytest_bwa.policy.recipe.lesson import Lesson
from pytest_bwa.policy.recipe.parameters import (
    ANYTHING,
    MIN_CHARACTERS,
    filled,
    generalised,
    merged,
    names_another,
    names_sample,
)
from pytest_bwa.policy.recipe.recipe import OwnText, PageRecipe, ValueSource
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.place_identity import PlaceIdentity
from pytest_bwa.steps.step import Observation, Place
from pytest_bwa.steps.text import whole_words

_OF_OTHERS = AROUND_CONTENT - {"complementary"}
"""Regions that say nothing of the sample; an aside may have its fields."""
ALERTS = frozenset({"alert", "alertdialog"})


def place_in_recipe(identity: PlaceIdentity, columns: Mapping[str, str]) -> PlaceIdentity:
    """The place without anything of the sample. The page's title is checked by the page."""
    headings = identity.headings[1:] if identity.is_titled else identity.headings
    return _with_texts(identity, headings, partial(generalised, columns=columns))


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
    if is_repeated(source, page, columns):
        raise PlaceNotFound(f"the page has “{identity.name}” more often than any page before it")
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


def places_of_label(
    source: ValueSource, page: PageFacts, columns: Mapping[str, str]
) -> tuple[PlaceIdentity, ...]:
    """Where a page has the source's label, each time."""
    label = filled(source.place.name, columns)
    found = (place_in_recipe(page.identity(r), columns) for r in namesakes(label, page, columns))
    return tuple(sorted(found, key=str))


def shows(page: Observation, text: str) -> bool:
    """Whether a page has a text, as whole words."""
    wanted = whole_words([clean(text).casefold()])
    texts = (
        *(element.name for element in page.all_elements),
        *(value.value for value in page.labelled),
    )
    return any(wanted.search(clean(known).casefold()) for known in texts)


def alerts_of(page: Observation, columns: Mapping[str, str]) -> set[str]:
    """What the page's alerts and open dialogs say."""
    everything = page.all_elements
    return {generalised(e.name, columns) for e in everything if e.role in ALERTS and e.name}


def controls_of(page: Observation, columns: Mapping[str, str]) -> set[str]:
    """What the content of a page has to press that may show more of it."""
    return {
        generalised(element.name, columns)
        for element in page.all_elements
        if element.role in ("button", "tab")
        or any(state.startswith("expanded=") for state in element.states)
        if is_content(element.place)
    }


def own_texts(page: PageFacts, columns: Mapping[str, str]) -> set[OwnText]:
    """The texts of a page that name the sample."""
    found = set()
    for fact in page.texts:
        text = generalised(fact.text, columns, names_page=True)
        if names_sample(text):
            regions = fact.place.regions
            found.add(OwnText(role=fact.role, label=fact.label, regions=regions, text=text))
    return found


def labels_beside(
    source: ValueSource, found: Fact | None, page: PageFacts, columns: Mapping[str, str]
) -> set[str]:
    """The labels of the section and the record that a value stands in, or would stand in."""
    if not source.place.name:
        return set()
    own = identity_on(source.place, page.page, columns).model_copy(update={"name": ""})
    if found is not None:
        own = page.places.identity(found.role, "", found.place)
    return {
        generalised(other.label, columns)
        for other in page.texts
        if other.label and other.role == own.role
        if page.places.identity(own.role, "", other.place) == own
    }


def merged_page(number: int, lessons: Sequence[Lesson]) -> PageRecipe:
    """What the page of each lesson has in common."""
    visits = [lesson.visits[number] for lesson in lessons]
    pairs = list(zip(visits, lessons, strict=True))
    columns_shown = [shown_columns(visit.page, lesson.columns) for visit, lesson in pairs]
    own = [own_texts(lesson.pages[number], lesson.columns) for lesson in lessons]
    pictures = [label for visit in visits for label in visit.pictures]
    return PageRecipe(
        address=merged([_address(visit.page, lesson) for visit, lesson in pairs]),
        heading=merged(
            [generalised(only_heading(v.page), le.columns, names_page=True) for v, le in pairs]
        ),
        shows=tuple(
            name for name in columns_shown[0] if all(name in names for names in columns_shown)
        ),
        own_texts=tuple(sorted(set.intersection(*own), key=str)),
        alerts=common(alerts_of(visit.page, lesson.columns) for visit, lesson in pairs),
        pictures=tuple(dict.fromkeys(pictures)),
    )


def shown_columns(page: Observation, columns: Mapping[str, str]) -> list[str]:
    """The columns of which a page has the sample's text."""
    return [
        name for name, text in columns.items() if len(text) >= MIN_CHARACTERS and shows(page, text)
    ]


def common(texts: Iterable[set[str]]) -> tuple[str, ...]:
    """What more than one lesson has: the rest may be something of one sample."""
    counts = Counter(text for own in texts for text in own)
    return tuple(sorted(text for text, number in counts.items() if number > 1))


def _address(page: Observation, lesson: Lesson) -> str:
    return generalised(plain_address(page.url, lesson.own_host), lesson.address_columns)


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
