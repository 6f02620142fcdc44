"""The parts of a page: its content, its main heading, and the sections that are somebody else's."""

from __future__ import annotations

import re

from pytest_bwa.policy.rules.subject import RECORD_KINDS, Subject
from pytest_bwa.spec.notation.record_names import goes_on
from pytest_bwa.steps.step import LabelledValue, Observation, Place
from pytest_bwa.steps.text import has_words, label_key

NEVER_OWN = frozenset({"navigation", "banner", "contentinfo", "search", "comment"})
_ASIDE = NEVER_OWN | {"complementary", "dialog", "article"}
# Headings of a record's own parts. A word that is missing here costs a look at a right value.
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


def values_above_title(page: Observation) -> list[LabelledValue]:
    """What stands above the main heading is the site's own, or the user's. Where the page marks its
    content, that is what is painted above it, if the record stands below."""
    title, values = title_of(page), page.labelled
    place = next((n for n, v in enumerate(values) if v.kind == "heading" and v.value == title), 0)
    is_marked = any("main" in v.place.regions for v in values)
    if is_marked and not any(v.kind in RECORD_KINDS for v in values[place:]):
        return []
    box = values[place].box if values else None

    def is_above(value: LabelledValue) -> bool:
        own = value.box
        return bool(own and box and own.height and own.y + own.height <= box.y)

    return [v for v in values[:place] if not is_marked or is_above(v)]


def other_sections(subject: Subject, value: LabelledValue, title: str) -> list[str]:
    """The headings above a value that name something else: not the page or the sample, and not
    with such words as "Details", or "Order details" at /orders/7 or of "Order 7", a part of it."""
    kind = set(label_key(re.sub(r"\d", " ", title)).split("_")) - _NEUTRAL

    def is_neutral(heading: str) -> bool:
        rest = set(label_key(heading).split("_")) - _NEUTRAL
        is_of_address = len(rest) == 1 and subject.collection.startswith(min(rest))
        return not rest or rest == kind or is_of_address

    def is_own(heading: str) -> bool:
        # Below "Ada Quist", "Ada Quist – Emergency contact" is a section.
        is_section = goes_on(heading) and subject.is_named(title)
        return heading == title or (subject.is_named(heading) and not is_section)

    return [h for h in value.place.headings if not is_own(h) and not is_neutral(h)]
