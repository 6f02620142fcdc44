"""Where the rules policy looks for what is missing: behind tabs and disclosures, and along links
that are called like a field. It presses nothing that could write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import urljoin, urlsplit

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.addresses import bare, is_part_of, segments, site
from pytest_bwa.policy.rules.endings import open_labels
from pytest_bwa.policy.rules.fields import Reading
from pytest_bwa.policy.rules.page_parts import is_in_own_region
from pytest_bwa.policy.rules.proposal import Proposal, click, goto
from pytest_bwa.spec.field_labels import keys_of
from pytest_bwa.steps import Element, LabelledValue
from pytest_bwa.text import has_words, label_key

MAX_PAGES = 8
MAX_PRESSED = 8  # tabs and disclosures on one page
MIN_WORD = 3
# Only a second guard, so a word that is missing here opens no door: a link is followed only if its
# address has the user's own word for a field, or is named by the value that it belongs to.
_CHANGES = re.compile(
    r"^(?:delete|remove|destroy|log-?out|sign-?out|approve|reject|merge|close|cancel|archive|edit|"
    r"new|create|update|unsubscribe|subscribe|vote|assign|download)$",
    re.I,
)
_NUMBER = re.compile(r"\d+")
_COUNT = re.compile(r"\s*\(?\d+\)?$")


def look_further(turn: Turn, reading: Reading) -> Proposal | None:
    """The next tab, disclosure or link that may show an open field, or what a label is for; with
    nothing open, a tab that may say something else."""
    wanted = [name for name in reading.open if name not in turn.collected] + open_labels(turn)
    return (_press(turn) or _follow(turn, reading, wanted)) if wanted else _press_parallel(turn)


def _press(turn: Turn) -> Proposal | None:
    """A tab that is not open, or something that says of itself that it only unfolds."""
    for element in _unpressed(turn):
        return click(element, f"“{element.name}” may unfold what is missing.")
    return None


def _press_parallel(turn: Turn) -> Proposal | None:
    """A tab whose name differs from that of the open one in nothing but a number: behind
    "Applicant 2" stands the same as behind "Applicant 1", of somebody else."""
    tabs = [e for e in turn.observation.elements if e.role == "tab" and may_press(e)]
    selected = {_NUMBER.sub("", e.name) for e in tabs if "selected=true" in e.states}
    for element in _unpressed(turn):
        is_tab, name = element.role == "tab", element.name
        if is_tab and _NUMBER.search(name) and _NUMBER.sub("", name) in selected:
            return click(element, f"“{name}” may say something else.")
    return None


def _unpressed(turn: Turn) -> Iterator[Element]:
    here = turn.observation
    pressed = [s.target for s in turn.history if s.action == "click" and s.url == here.url]
    names = {(target.role, target.name) for target in pressed if target}
    for element in here.elements if len(pressed) < MAX_PRESSED else ():
        if _unfolds(element) and (element.role, element.name) not in names:
            yield element


def _unfolds(element: Element) -> bool:
    if element.role == "tab":
        return may_press(element) and "selected=true" not in element.states
    return element.role == "button" and "expanded=false" in element.states and may_press(element)


def may_press(element: Element) -> bool:
    """Whether an element belongs to the page's content, and to no form, which it may send."""
    is_content = is_in_own_region(element.place) and "form" not in element.place.regions
    return is_content and "disabled" not in element.states


def _follow(turn: Turn, reading: Reading, wanted: Sequence[str]) -> Proposal | None:
    here = turn.observation.url
    visited = {bare(url) for url in (here, *(s.url for s in turn.history))}
    keys = keys_of(turn.task, wanted)
    links = [v for v in links_of(turn) if label_key(_COUNT.sub("", v.label)) in keys]
    urls = [v.url for v in links if any(_is_called(v.url or "", key) for key in keys)]
    # A value may lead to what it names; an address below this page's own may change the value.
    urls += [v.url for v in reading.links if _leads_to(v) and not is_part_of(v.url or "", here)]
    for url in urls if len(visited) <= MAX_PAGES else ():
        if url and bare(url) not in visited and may_open(turn, url):
            return goto(url, "It may show what is missing.")
    return None


def _is_called(url: str, key: str) -> bool:
    """Whether a part of the path has a word of what the user calls the field, so that the link is a
    place and no switch: /items/7/do?a=release is none of a release."""
    parts = [label_key(part) for part in segments(url)]
    return any(word in part for word in key.split("_") for part in parts if len(word) >= MIN_WORD)


def _leads_to(value: LabelledValue) -> bool:
    """Whether the value names its address: /pulls/418 is named by "#418", /commits/4a8f01c2… by
    "4a8f01c". Any other address may be a switch, such as /close/7 behind "Open"."""
    parts = segments(value.url or "")
    last, key = label_key(parts[-1]) if parts else "", label_key(value.value)
    begins_it = _NUMBER.search(key) is not None and last.startswith(key)
    is_named = bool(last) and (has_words(value.value, last) or begins_it)
    return is_named and not urlsplit(value.url or "").query


def links_of(turn: Turn) -> list[LabelledValue]:
    """The links of the page's content."""
    found = turn.observation.labelled
    return [v for v in found if v.kind == "link" and v.url and is_in_own_region(v.place)]


def may_open(turn: Turn, url: str, places: Sequence[str] = ()) -> bool:
    """Whether an address is another page of the same site, and does not sound like an action;
    ``places`` are parts of its path that are known to be none."""
    here = turn.observation.url
    address = urljoin(here, url)
    is_page = address.startswith(("http:", "https:")) and site(address) == site(here)
    parts = set(segments(address)) - set(places)
    return is_page and not any(map(_CHANGES.match, parts))
