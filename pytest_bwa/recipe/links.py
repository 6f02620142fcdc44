"""Links whose address says what their text is, and texts that are made of such links. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from pytest_bwa.place_identity import AROUND_CONTENT, PlaceIdentity, PlaceNotFound, is_same_place
from pytest_bwa.proof.places.readable import Readable, ReadablePage
from pytest_bwa.proof.text_match import clean
from pytest_bwa.recipe.parameters import ANYTHING, plain_address
from pytest_bwa.steps import Box, Place

LINK_BESIDE = "a link stands beside the text"
_OF_OTHERS = AROUND_CONTENT - {"complementary"}
"""Regions that say nothing of the sample; an aside may have its fields."""
"""A sentence of the page script labelled/contents.js."""


def is_content(place: Place) -> bool:
    return _OF_OTHERS.isdisjoint(place.regions)


def link_with(address: str, identity: PlaceIdentity, page: ReadablePage) -> Readable:
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


def named_links(page: ReadablePage) -> Iterator[tuple[Readable, str]]:
    """The links whose text is a part of the address that they lead to, each with this address and
    ``*`` in place of the text."""
    host = urlsplit(page.page.url).netloc
    links = [readable for readable in page.readables if readable.role == "link"]
    addresses = {(r.label, r.box): r.text for r in links if r.part == "address"}
    for link in links:
        address = addresses.get((link.text, link.box))
        if link.part == "text" and address is not None and is_content(link.place):
            text = re.escape(clean(link.text))
            parts = re.split(rf"(?<!\w){text}(?!\w)", plain_address(address, host))
            if len(parts) == 2:
                yield link, ANYTHING.join(parts)


def is_beyond_doubt(readable: Readable, *, page: ReadablePage) -> bool:
    """Whether nothing speaks against a text. Links in it do not where it is made of links alone
    that lead to addresses alike: then none of them is a button beside it."""
    if readable.refusal == LINK_BESIDE:
        return _is_made_of_links(readable, page)
    return not readable.refusal


def _is_made_of_links(readable: Readable, page: ReadablePage) -> bool:
    inside = {
        (link.box.y, link.box.x): (link.text, pattern)
        for link, pattern in named_links(page)
        if link.box is not None and readable.box is not None and _holds(readable.box, link.box)
    }
    rest = clean(readable.text)
    for _, (text, _) in sorted(inside.items()):
        rest = rest.replace(clean(text), "", 1)
    patterns = {pattern for _, pattern in inside.values()}
    return len(patterns) == 1 and not any(map(str.isalnum, rest))


def _holds(outer: Box, inner: Box) -> bool:
    is_within_x = outer.x <= inner.x and inner.x + inner.width <= outer.x + outer.width
    is_within_y = outer.y <= inner.y and inner.y + inner.height <= outer.y + outer.height
    return is_within_x and is_within_y
