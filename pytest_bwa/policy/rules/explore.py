"""Where the rules policy looks for what is missing: behind tabs and disclosures, and along links
that count or number what a field is called. It presses nothing that could write."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from urllib.parse import urljoin, urlsplit

from pytest_bwa.facts.address import address_of, segments
from pytest_bwa.facts.page import is_in_own_region
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.endings import open_labels
from pytest_bwa.policy.rules.fields import Reading
from pytest_bwa.policy.rules.proposal import Proposal, click, goto
from pytest_bwa.spec.field_labels import keys_of
from pytest_bwa.steps.step import LabelledValue
from pytest_bwa.steps.text import label_key

MAX_PAGES = 8
MAX_PRESSED = 8  # tabs and disclosures on one page
# Only a second guard, so a word that is missing here opens no door: a link is followed only if its
# address has the user's own word for a field, or is named by the value that it belongs to.
_CHANGES = re.compile(
    r"^(?:delete|remove|destroy|log-?out|sign-?out|approve|reject|merge|close|cancel|archive|edit|"
    r"new|create|update|unsubscribe|subscribe|vote|assign|download)$",
    re.I,
)
_COUNT = re.compile(r"\s*\(?\d+\)?$")  # of what a link leads to
_NUMBER = re.compile(r"\d+")


def look_further(turn: Turn, reading: Reading) -> Proposal | None:
    """The next tab, disclosure or link that may show an open field, or what a label is for."""
    fields = [name for name in reading.open if name not in turn.collected]
    pictures = open_labels(turn)
    if not (fields or pictures):
        return None
    return _press(turn) or _follow(turn, reading, fields, pictures)


def _press(turn: Turn) -> Proposal | None:
    """Something in the page's content that only unfolds, the lowest first: a tab above it may hide
    it. What is in a form may send it."""
    here = turn.observation
    pressed = [s.target for s in turn.history if s.action == "click" and s.url == here.url]
    names = {(target.role, target.name) for target in pressed if target}
    for element in reversed(here.elements) if len(pressed) < MAX_PRESSED else ():
        is_content = is_in_own_region(element.place) and "form" not in element.place.regions
        is_new = is_content and (element.role, element.name) not in names
        if is_new and element.unfolds and "disabled" not in element.states:
            return click(element, f"“{element.name}” may unfold what is missing.")
    return None


def _follow(
    turn: Turn, reading: Reading, fields: Sequence[str], pictures: Sequence[str]
) -> Proposal | None:
    here = turn.observation.url
    visited = {address_of(url) for url in (here, *(s.url for s in turn.history))}
    own = {turn.sample.sample_id, *segments(here)[-1:]}
    named = keys_of(turn.task, fields), keys_of(turn.task, pictures)
    urls = [v.url or "" for v in links_of(turn) if leads_to_part(v, *named)]
    urls += [v.url or "" for v in reading.links if _leads_to(v, own)]
    for url in urls if len(visited) <= MAX_PAGES else ():
        if address_of(url) not in visited and may_open(turn, url):
            return goto(url, "It may show what is missing.")
    return None


def leads_to_part(link: LabelledValue, fields: Set[str], pictures: Set[str] = frozenset()) -> bool:
    """Whether a link is called like a page that the user wants a picture of, or says how many there
    are of what a field is called ("Checks (3)"): any other may be a switch, such as "Assignee" at
    /tickets/7/assignee. Its address ends with a word of what the user calls it, so that it is no
    /items/7/status/toggle and no /items/7/status?set=open."""
    name, last = _COUNT.sub("", link.label), label_key("".join(segments(link.url or "")[-1:]))
    key = label_key(name)
    is_wanted = key in pictures or (key in fields and name != link.label)
    return is_wanted and last in (key, *key.split("_")) and not urlsplit(link.url or "").query


def _leads_to(value: LabelledValue, own: Set[str]) -> bool:
    """Whether the value is the number of its address: /pulls/418 of "#418", /commits/4a8f01c2… of
    "4a8f01c". Any other address may be a switch, such as /close/7 behind "Open", and so may one
    that has what the sample is called (``own``) before it: /release/OPS-7/4."""
    *above, last = segments(value.url or "") or [""]
    key = label_key(value.value)
    is_number = _NUMBER.search(key) is not None and label_key(last).startswith(key)
    return is_number and own.isdisjoint(above) and not urlsplit(value.url or "").query


def links_of(turn: Turn) -> list[LabelledValue]:
    """The links of the page's content."""
    found = turn.observation.labelled
    return [v for v in found if v.kind == "link" and v.url and is_in_own_region(v.place)]


def may_open(turn: Turn, url: str, places: Sequence[str] = ()) -> bool:
    """Whether an address is another page of the same site, and does not sound like an action;
    ``places`` are parts of its path that are known to be none."""
    here = turn.observation.url
    address = urljoin(here, url)
    is_here = address_of(address).site == address_of(here).site
    is_page = address.startswith(("http:", "https:")) and is_here
    parts = set(segments(address)) - set(places)
    return is_page and not any(map(_CHANGES.match, parts))
