"""The names of controls that lead through a list page by page: next, load more, older, ›, 2."""

from __future__ import annotations

import re

ONWARD_NAMES = frozenset(
    {"next", "next page", "load more", "show more", "view more", "see more", "older", "older posts"}
)
NEWER_NAMES = frozenset({"newer", "newer posts"})
"""These lead back in most lists, but onward in a list that begins with its oldest entry."""
BACK_NAMES = frozenset({"previous", "prev"})
ONWARD_ARROWS = ("›", "⟩", ">", "→", "»")
"""A page may have two of them: one that leads to the next page and one that leads to the last. The
one that leads to the next page comes first here."""
BACK_ARROWS = ("‹", "←", "«")
_NUMBERED_PAGE = re.compile(r"page \d+", re.I)
_PUNCTUATION_AROUND = re.compile(r"^\W+|\W+$")


def names_next_page(name: str) -> bool:
    """Whether a control with this name shows the next part of a list: "Next", "Load more ›"."""
    return _plain_name(name) in ONWARD_NAMES


def turns_page(name: str) -> bool:
    """Whether a control with this name opens another part of a list, by words, by number ("Page 2")
    or by arrows."""
    plain = _plain_name(name)
    is_numbered = _NUMBERED_PAGE.fullmatch(plain) is not None
    return plain in ONWARD_NAMES | NEWER_NAMES or is_numbered or _consists_of(name, ONWARD_ARROWS)


def is_paging(name: str) -> bool:
    """Whether a control with this name belongs to a list's paging, in either direction. Unlike the
    others it accepts a bare page number and "more"."""
    exact = name.strip().casefold()
    return (
        turns_page(name)
        or _plain_name(name) in BACK_NAMES
        or _consists_of(name, BACK_ARROWS)
        or exact == "more"
        or exact.isdecimal()
    )


def _plain_name(name: str) -> str:
    """The name in lower case, without arrows and other punctuation around it."""
    return _PUNCTUATION_AROUND.sub("", name).casefold()


def _consists_of(name: str, arrows: tuple[str, ...]) -> bool:
    return bool(name.strip()) and set(name.strip()) <= set(arrows)
