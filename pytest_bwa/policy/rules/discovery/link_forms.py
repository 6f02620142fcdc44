"""Which links of a listing lead to its entries: all that have one form of address."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from urllib.parse import parse_qsl, urlsplit

from pytest_bwa.facts.address import Address, address_of, segments
from pytest_bwa.facts.page import values_above_title
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.explore import may_open
from pytest_bwa.policy.rules.search import is_same_list
from pytest_bwa.spec.address_pattern import AddressPattern
from pytest_bwa.steps.step import LabelledValue
from pytest_bwa.steps.text import label_key

MIN_ENTRIES = 3
"""Entries that a list has at least whose form nobody has named."""
_ASIDE = frozenset(
    {"navigation", "complementary", "banner", "contentinfo", "search", "dialog", "comment"}
)
Key = tuple[str, ...]
"""What identifies an entry: the parts of its address that differ between entries."""


def targets_of(
    turn: Turn, form: AddressPattern, *, is_given: bool = False
) -> dict[Key, LabelledValue]:
    """The links of that form, each address once. If nobody has named the form, only those by which
    an entry of a list is called; else those in entries, if most of them stand in one."""
    links: list[tuple[Key, LabelledValue]] = []
    for link in _content_links(turn):
        parts = form.parts(link.url or "")
        if parts is not None and parts:
            links.append((parts, link))
    listed = [(key, link) for key, link in links if link.place.record]
    if is_given:
        chosen = listed if 2 * len(listed) > len(links) else links
    else:
        named = {key for key, link in listed if _is_name(link)}
        chosen = [(key, link) for key, link in listed if key in named]
    found: dict[Key, LabelledValue] = {}
    for key, link in chosen:
        known = found.get(key)
        if known is None or _is_name(link) > _is_name(known):
            found[key] = link
    return found


def plausible_forms(turn: Turn) -> dict[str, int]:
    """The forms of the links by which the entries of a list are called, with their numbers. If the
    keywords name one of them, only that one."""
    forms: dict[str, dict[Address, int]] = defaultdict(dict)
    for place, link in enumerate(_content_links(turn)):
        if link.place.record and _is_name(link):
            forms[form_of(link.url or "").text].setdefault(address_of(link.url or ""), place)
    places = {form: list(p.values()) for form, p in forms.items() if len(p) >= MIN_ENTRIES}
    numbers = {
        form: len(own)
        for form, own in places.items()
        if not any(_leads(others, own) for others in places.values())
    }
    keys = {label_key(word) for word in turn.task.keywords}
    named = {
        form: number
        for form, number in numbers.items()
        if keys & set(label_key(urlsplit(form).path).split("_"))
    }
    return named if len(named) == 1 else numbers


def _leads(first: list[int], second: list[int]) -> bool:
    """Whether the second links stand between the first ones, as those of a second column or the
    tags of an entry do: an entry is called by its first link. Of two lists, one stands after the
    other."""
    gaps = {bisect(first, place) for place in second}
    return first[0] < second[0] and len(gaps) > 1


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
    """The links of the page's content that lead to other pages of the site, and not to other parts
    of this list. What stands beside it (suggestions, what others looked at) is none of it; nor
    is what stands above the title of a page that does not mark its content."""
    page, here = turn.observation, turn.observation.url
    places = segments(here)  # a list at /archive has its entries below /archive
    above = set(map(id, values_above_title(page)))
    return [
        link for link in page.labelled
        if link.kind == "link" and link.url and not link.place.frame and id(link) not in above
        and not _ASIDE & set(link.place.regions) and may_open(turn, link.url, places)
        and address_of(link.url) != address_of(here) and not is_same_list(link.url, here)
    ]  # fmt: skip


def _is_name(link: LabelledValue) -> bool:
    """Whether the entry is called what the link is called, or the link is all of the entry."""
    name = link.place.record_name
    return name != "" and link.value.startswith(name)
