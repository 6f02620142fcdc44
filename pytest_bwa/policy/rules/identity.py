"""Whose page this is."""

from __future__ import annotations

import re

from pytest_bwa.facts.address import is_part_of, is_same_but_locale, segments
from pytest_bwa.facts.page import asks_for_password, is_in_own_region, title_of
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.subject import Subject
from pytest_bwa.spec.notation.record_names import is_called, names_alike, tells_its_kind
from pytest_bwa.steps.step import RECORD_KINDS, LabelledValue, Observation
from pytest_bwa.steps.text import label_key

# A word that is missing here costs the kind of a failure.
GONE = re.compile(
    r"\b404\b|not found|does not exist|no longer|was (?:deleted|removed)|"
    r"\b(?:0|no) (?:results|matches|entries|records|hits)\b|nothing (?:was )?found",
    re.I,
)


def is_own_page(subject: Subject, page: Observation) -> bool:
    """Whether everything on the page that is nobody else's is the sample's: it is the page at the
    sample's own address, without a redirect, a login or a heading that says that there is nothing;
    or a page that was found, and whose heading or record names the sample. Never one that names
    another."""
    title = title_of(page)
    is_gone = GONE.search(title) and not subject.is_named(title)
    if subject.is_redirected or is_gone or asks_for_password(page) or other_name(subject, page):
        return False
    if subject.address and is_part_of(page.url, subject.address):
        is_below = segments(page.url) != segments(subject.address)
        return is_below or is_same_but_locale(page.url, subject.address)
    stated = {v.value for v in _record_of(subject, page) if subject.says_name(v)}
    return any(
        stated == {name} or is_called(title, name, subject.is_kind) for name in subject.names
    )


def other_name(subject: Subject, page: Observation) -> str:
    """The name of another record of the sample's kind in the page's heading, title or open tab,
    such as OPS-20 where OPS-7 was asked for; empty if there is none, or its own name, too."""
    title = title_of(page)
    tabs = [e.name for e in page.elements if e.role == "tab" and "selected=true" in e.states]
    for name in filter(tells_its_kind, (*subject.names, *segments(subject.address)[-1:])):
        alike, own = names_alike(name), label_key(name)
        for heading in (title, *tabs):
            found = alike.findall(heading)
            if found and own not in map(label_key, found) and is_called(heading, found[0]):
                return str(found[0])  # whatever the window is called
        found = alike.findall(f"{title} {page.title}")
        others = [one for one in found if label_key(one) != own]
        if len(others) < len(found):
            return ""
        if others:
            return str(others[0])
    return ""


def _record_of(subject: Subject, page: Observation) -> list[LabelledValue]:
    return [
        v for v in page.labelled
        if v.kind in RECORD_KINDS and is_in_own_region(v.place) and not v.place.record
        and not subject.other_sections(v, title_of(page))
    ]  # fmt: skip


def contradiction(turn: Turn, subject: Subject) -> str:
    """What the page's heading or its record says against being the sample's; empty if nothing
    does."""
    page = turn.observation
    is_asked_for = bool(subject.address) and is_same_but_locale(page.url, subject.address)
    if is_asked_for and (other := other_name(subject, page)):
        return f"the page “{title_of(page) or page.title}” is that of {other}"
    return ""
