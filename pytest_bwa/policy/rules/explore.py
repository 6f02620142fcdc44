"""Where the rules policy looks for what is missing: behind tabs and disclosures, and along links
that are called like a field. It presses nothing that could write."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from urllib.parse import urljoin, urlsplit

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.addresses import bare, segments, site
from pytest_bwa.policy.rules.endings import open_labels
from pytest_bwa.policy.rules.fields import Reading
from pytest_bwa.policy.rules.page_parts import is_in_own_region
from pytest_bwa.policy.rules.proposal import Proposal, click, goto
from pytest_bwa.spec.field_labels import keys_of
from pytest_bwa.steps import LabelledValue
from pytest_bwa.text import label_key

MAX_PAGES = 8
MAX_PRESSED = 8  # tabs and disclosures on one page
# Only a second guard, so a word that is missing here opens no door: a link is followed only if its
# address has the user's own word for a field, or is named by the value that it belongs to.
_CHANGES = re.compile(
    r"^(?:delete|remove|destroy|log-?out|sign-?out|approve|reject|merge|close|cancel|archive|edit|"
    r"new|create|update|unsubscribe|subscribe|vote|assign|download)$",
    re.I,
)
_NUMBER = re.compile(r"\d+")
_COUNT = re.compile(r"\s*\(?\d+\)?$")  # of what a link leads to


def look_further(turn: Turn, reading: Reading) -> Proposal | None:
    """The next tab, disclosure or link that may show an open field, or what a label is for."""
    wanted = [name for name in reading.open if name not in turn.collected] + open_labels(turn)
    return (_press(turn) or _follow(turn, reading, wanted)) if wanted else None


def _press(turn: Turn) -> Proposal | None:
    """Something in the page's content that only unfolds. What is in a form may send it."""
    here = turn.observation
    pressed = [s.target for s in turn.history if s.action == "click" and s.url == here.url]
    names = {(target.role, target.name) for target in pressed if target}
    for element in here.elements if len(pressed) < MAX_PRESSED else ():
        is_content = is_in_own_region(element.place) and "form" not in element.place.regions
        is_new = is_content and (element.role, element.name) not in names
        if is_new and element.unfolds and "disabled" not in element.states:
            return click(element, f"“{element.name}” may unfold what is missing.")
    return None


def _follow(turn: Turn, reading: Reading, wanted: Sequence[str]) -> Proposal | None:
    here = turn.observation.url
    visited = {bare(url) for url in (here, *(s.url for s in turn.history))}
    keys = keys_of(turn.task, wanted)
    links = [v for v in links_of(turn) if label_key(_COUNT.sub("", v.label)) in keys]
    called = [v for v in links if any(_is_called(v.url or "", key) for key in keys)]
    urls = [v.url or "" for v in called if _COUNT.search(v.label) or _is_one_of_several(turn, v)]
    own = {turn.sample.sample_id, *segments(here)[-1:]}
    urls += [v.url or "" for v in reading.links if _leads_to(v, own)]
    for url in urls if len(visited) <= MAX_PAGES else ():
        if bare(url) not in visited and may_open(turn, url):
            return goto(url, "It may show what is missing.")
    return None


def _is_called(url: str, key: str) -> bool:
    """Whether the path ends with a word of what the user calls the field, so that the link is a
    place and no switch, as /items/7/status/toggle and /items/7/status?set=open are."""
    last = label_key("".join(segments(url)[-1:]))
    return last in (key, *key.split("_")) and not urlsplit(url).query


def _is_one_of_several(turn: Turn, link: LabelledValue) -> bool:
    """Whether the page has links to other parts of the same whole, as a menu of its parts has. The
    only one may do something, as "Claim" at /items/7/claim does, if it has no count ("Checks (3)").
    """
    above = segments(link.url or "")[:-1]
    paths = {tuple(segments(v.url or "")) for v in links_of(turn)} - {()}
    return sum(list(path[:-1]) == above for path in paths) > 1


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
    is_page = address.startswith(("http:", "https:")) and site(address) == site(here)
    parts = set(segments(address)) - set(places)
    return is_page and not any(map(_CHANGES.match, parts))
