"""Which links of a listing lead to its entries: all that have one form of address."""

from __future__ import annotations

from collections import defaultdict
from urllib.parse import parse_qsl, urlsplit

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.addresses import bare, segments
from pytest_bwa.policy.rules.explore import links_of, may_open
from pytest_bwa.spec.listing.address_pattern import AddressPattern
from pytest_bwa.steps import LabelledValue
from pytest_bwa.text import label_key

MIN_ENTRIES = 3
"""Entries that a list has at least whose form nobody has named."""
Key = tuple[str, ...]
"""What identifies an entry: the parts of its address that differ between entries."""


def targets_of(turn: Turn, form: AddressPattern) -> dict[Key, LabelledValue]:
    """The links of that form, each address once. If most of them stand in entries of a list, those
    that stand elsewhere (in a text) are none of it."""
    links: list[tuple[Key, LabelledValue]] = []
    for link in _content_links(turn):
        parts = form.parts(link.url or "")
        if parts is not None and parts:
            links.append((parts, link))
    listed = [(key, link) for key, link in links if link.place.record]
    found: dict[Key, LabelledValue] = {}
    for key, link in listed if 2 * len(listed) > len(links) else links:
        known = found.get(key)
        if known is None or _is_name(link) > _is_name(known):
            found[key] = link
    return found


def plausible_forms(turn: Turn) -> dict[str, int]:
    """The forms in which each entry of a list has one link of its own, by which it is called, with
    the number of links. If the keywords name one of them, only that one."""
    entries: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for link in _content_links(turn):
        if link.place.record and _is_name(link):
            form = form_of(link.url or "").text
            entries[form][link.place.record].add(bare(link.url or ""))
    forms = {
        form: len(set().union(*by_record.values()))
        for form, by_record in entries.items()
        if all(len(addresses) == 1 for addresses in by_record.values())
    }
    forms = {form: number for form, number in forms.items() if number >= MIN_ENTRIES}
    keys = {label_key(word) for word in turn.task.keywords}
    named = {f: n for f, n in forms.items() if keys & set(label_key(urlsplit(f).path).split("_"))}
    return named if len(named) == 1 else forms


def form_of(url: str) -> AddressPattern:
    """The form in which addresses differ that belong to one list: in the last part of the path, or,
    if there is a query, in its last value."""
    parts = urlsplit(url)
    if query := parse_qsl(parts.query, keep_blank_values=True):
        fixed = [f"{key}={value}" for key, value in query[:-1]]
        return AddressPattern(f"{parts.path}?{'&'.join([*fixed, f'{query[-1][0]}=*'])}")
    above = parts.path.rstrip("/").rpartition("/")[0]
    return AddressPattern(f"{above}/*")


def _content_links(turn: Turn) -> list[LabelledValue]:
    """The links of the page's content that lead to other pages of the site. What stands beside it
    (suggestions, what others looked at) is none of the list."""
    here = turn.observation.url
    places = segments(here)  # a list at /archive has its entries below /archive
    return [
        link for link in links_of(turn)
        if "complementary" not in link.place.regions and not link.place.frame
        and may_open(turn, link.url or "", places) and bare(link.url or "") != bare(here)
    ]  # fmt: skip


def _is_name(link: LabelledValue) -> bool:
    """Whether the entry is called what the link is called, and so is what the link leads to."""
    return link.value == link.place.record_name
