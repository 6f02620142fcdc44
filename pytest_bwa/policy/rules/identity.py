"""Whose page this is."""

from __future__ import annotations

import re

from pytest_bwa.facts.address import answers_to, is_part_of, is_same_but_locale, segments
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.page_parts import is_in_own_region, other_sections, title_of
from pytest_bwa.policy.rules.subject import RECORD_KINDS, Subject, has_name
from pytest_bwa.spec.notation.record_names import is_called, names_alike, tells_its_kind
from pytest_bwa.steps.step import Element, LabelledValue, Observation

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
    if subject.is_redirected or is_gone or wants_password(page) or other_name(subject, page):
        return False
    if subject.address and is_part_of(page.url, subject.address):
        is_below = segments(page.url) != segments(subject.address)
        return is_below or is_same_but_locale(page.url, subject.address)
    stated = {v.value for v in _record_of(subject, page) if subject.says_name(v)}
    return any(
        stated == {name} or (is_called(title, name, subject.is_kind) and not _is_echo(page, name))
        for name in subject.names
    )


def wants_password(page: Observation) -> bool:
    return any(state.startswith("password") for e in page.elements for state in e.states)


def other_name(subject: Subject, page: Observation) -> str:
    """The name of another record of the sample's kind in the page's heading, title or open tab,
    such as OPS-20 where OPS-7 was asked for; empty if there is none, or its own name, too."""
    title = title_of(page)
    tabs = [e.name for e in page.elements if e.role == "tab" and "selected=true" in e.states]
    for name in filter(tells_its_kind, (*subject.names, *segments(subject.address)[-1:])):
        for heading in (title, *tabs):
            alike = names_alike(name).findall(heading)
            if alike and not has_name(heading, name) and is_called(heading, alike[0]):
                return str(alike[0])  # whatever the window is called
        found = names_alike(name).findall(f"{title} {page.title}")
        if name.casefold() in map(str.casefold, found) and not _is_echo(page, name):
            return ""
        if others := [one for one in found if one.casefold() != name.casefold()]:
            return str(others[0])
    return ""


def _record_of(subject: Subject, page: Observation) -> list[LabelledValue]:
    return [
        v for v in page.labelled
        if v.kind in RECORD_KINDS and is_in_own_region(v.place) and not v.place.record
        and not other_sections(subject, v, title_of(page))
    ]  # fmt: skip


def _is_echo(page: Observation, name: str) -> bool:
    """Whether the page repeats what was searched for: in its address, or in a field."""
    typed = ((e.value or "").strip().casefold() for e in _fields(page))
    return answers_to(page.url, name) or name.casefold() in typed


def _fields(page: Observation) -> list[Element]:
    """The fields in which somebody may have typed what was searched for."""
    return [e for e in page.elements if e.role in ("textbox", "searchbox", "combobox")]


def contradiction(turn: Turn, subject: Subject) -> str:
    """What the page's heading or its record says against being the sample's; empty if nothing
    does."""
    page = turn.observation
    is_asked_for = bool(subject.address) and is_same_but_locale(page.url, subject.address)
    if is_asked_for and (other := other_name(subject, page)):
        return f"the page “{title_of(page) or page.title}” is that of {other}"
    return ""
