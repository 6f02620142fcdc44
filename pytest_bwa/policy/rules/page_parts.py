"""The parts of a page: its content, its main heading, and the sections that are somebody else's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace

from pytest_bwa.policy.rules.subject import RECORD_KINDS, Subject
from pytest_bwa.spec.notation.record_names import goes_on
from pytest_bwa.steps import Box, LabelledValue, Observation, Place
from pytest_bwa.text import has_words, label_key

NEVER_OWN = frozenset({"navigation", "banner", "contentinfo", "search", "comment"})
_ASIDE = NEVER_OWN | {"complementary", "dialog", "article"}
# Headings of a record's own parts. An unknown heading keeps its values out, so a word that is
# missing here costs an answer and never a wrong one.
_NEUTRAL_WORDS = """
details detail overview summary general information info basic basics properties attributes fields
specification specifications meta metadata key facts about data of the
additional further technical
zusätzliche weitere technische daten
complémentaires techniques adicional adicionales técnicos
übersicht allgemein stammdaten eigenschaften angaben informationen details
détails données aperçu résumé général informations propriétés du de la
detalles resumen información datos propiedades dettagli riepilogo informazioni dati
詳細 概要 基本情報
"""
_NEUTRAL = frozenset(_NEUTRAL_WORDS.split())
_BEGINNING = RECORD_KINDS | {"heading"}


def is_in_own_region(place: Place) -> bool:
    """In main, or, on a page without one, outside of everything around the content."""
    regions = place.regions
    if "main" in regions:
        return not (_ASIDE - {"complementary"}) & set(regions[regions.index("main") + 1 :])
    return not _ASIDE & set(regions)


def part_in_section(value: LabelledValue, sections: Set[str]) -> LabelledValue | None:
    """A value of a section that an alias names, as one of the page's own: aside, in a dialog or in
    a card that is called so, or only "Details", too. None for what others wrote, for rows of a
    table and for cards that are called otherwise."""
    place = value.place
    is_below = sections & set(map(label_key, place.headings))
    if not is_below or NEVER_OWN & set(place.regions):
        return None
    if not place.record:
        return value
    key = label_key(place.record_name)
    is_section = key in sections or _NEUTRAL.issuperset(key.split("_"))
    return out_of_record(value) if is_section and value.kind != "table" else None


def out_of_record(value: LabelledValue) -> LabelledValue:
    return replace(value, place=replace(value.place, record="", record_name=""))


def title_of(page: Observation) -> str:
    """The page's main heading: its one h1, else the first heading, if the window is called so, or
    the content begins with it and it is the only one of its level; empty if there are several. If
    the content has none, the heading above it counts."""
    values = [v for v in page.labelled if not v.place.frame]
    own = [v for v in values if is_in_own_region(v.place)]
    headings = [v for v in own if v.kind == "heading"]
    first = {v.value: v for v in headings or values if v.kind == "heading" and v.label == "h1"}
    if first or not headings:
        return next(iter(first)) if len(first) == 1 else ""
    begins, level = next(v for v in own if v.kind in _BEGINNING), headings[0].label
    is_only = [v.label for v in headings].count(level) == 1
    is_title = (begins is headings[0] and is_only) or has_words(page.title, headings[0].value)
    return headings[0].value if is_title else ""


def below_title(page: Observation) -> Sequence[LabelledValue]:
    """Without what stands above the main heading: the site's own, and the user's. Where the page
    marks its content, that is what is painted above it, if the record stands below."""
    title, values = title_of(page), page.labelled
    is_title = (v.kind == "heading" and v.value == title for v in values)
    place = next((n for n, found in enumerate(is_title) if found), 0)
    is_marked = any("main" in v.place.regions for v in values)
    below = [v for v in values[place:] if v.kind in RECORD_KINDS and is_in_own_region(v.place)]
    if is_marked and not below:
        return values
    beside = [v for v in values[:place] if is_marked and not _is_above(v.box, values[place].box)]
    return [*beside, *values[place:]]


def values_beside(page: Observation) -> list[LabelledValue]:
    """What the page's own aside says. It may be the record's, or another's: it answers nothing,
    and speaks against what differs."""
    return [
        v for v in page.labelled
        if set(v.place.regions) == {"complementary"}
        and v.kind in RECORD_KINDS and not (v.place.record or v.place.frame)
    ]  # fmt: skip


def _is_above(box: Box | None, other: Box | None) -> bool:
    """Whether what is painted in the one ends where the other begins; False for what has no box."""
    return bool(box and other and box.height and box.y + box.height <= other.y)


def other_sections(subject: Subject, value: LabelledValue, title: str) -> list[str]:
    """The headings above a value that name something else: not the page or the sample, and not
    with such words as "Details", or "Order" and "Order details" of "Order 7", or at /orders/7, a
    part of it."""
    kinds = _kinds_of(subject, title, value.language)

    def is_neutral(heading: str) -> bool:
        words = label_key(heading).split("_")
        rest = [word for word in words if word not in _NEUTRAL]
        if len(rest) == len(words):
            return rest in kinds
        is_of_address = len(rest) == 1 and subject.collection.startswith(rest[0])
        return is_of_address or sorted(rest) in map(sorted, [[], *kinds])

    def is_own(heading: str) -> bool:
        # Below "Ada Quist", "Ada Quist – Emergency contact" is a section.
        is_section = goes_on(heading) and subject.is_named(title)
        return heading == title or (subject.is_named(heading) and not is_section)

    return [h for h in value.place.headings if not is_own(h) and not is_neutral(h)]


def _kinds_of(subject: Subject, title: str, language: str) -> list[list[str]]:
    """The words that say what the sample is: all words of the title, of its name, or of what stands
    before its name in the title; numbers aside. "Customer details" of "Customer order 7" are the
    customer's; in English, the last word says what it is."""
    before = [title.partition(name)[0] for name in subject.names if name and name in title]
    is_english = language.casefold().partition("-")[0] == "en"
    last = [text.split()[-1] for text in before if is_english and text.strip()]
    keys = (label_key(re.sub(r"\d", " ", text)) for text in (title, *subject.names, *before, *last))
    words = ([word for word in key.split("_") if word and word not in _NEUTRAL] for key in keys)
    return [kind for kind in words if kind]


def out_of_own_cards(
    values: Sequence[LabelledValue], subject: Subject, title: str
) -> list[LabelledValue]:
    """The values, of which those in a card that is one of the page's own sections stand in no
    record: in the only card that has the page's title, or such a heading ("Details"), beside others
    that look alike."""
    cards = {(v.place.record_name, v.place.record) for v in values if v.place.record}
    names = Counter(name for name, _ in cards)

    def is_own(value: LabelledValue) -> bool:
        name = value.place.record_name
        if value.kind == "table" or name not in value.place.headings or names[name] > 1:
            return False
        says_so = name == title or not _NEUTRAL.isdisjoint(label_key(name).split("_"))
        return says_so and not other_sections(subject, value, title)

    return [out_of_record(value) if is_own(value) else value for value in values]
