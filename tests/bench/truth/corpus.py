"""What a play is made of: a small site, a task, samples with their true answers, and how a model
may answer wrongly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from local_site import Site

Kind = Literal[
    "invented",
    "miscited",
    "other record",
    "older",
    "neighbour",
    "cut",
    "hidden",
    "digit",
    "null",
    "misread",
]
"""How an answer is wrong. A neighbour's label counts only in a play of ten alike samples.
``misread``: the cited icon is the right one, and its name, in the site's language, means the other.
"""
Page = str | tuple[int, dict[str, str], bytes]


@dataclass(frozen=True, slots=True)
class At:
    """A numbered line of what the model was shown, named by its content."""

    texts: tuple[str, ...]
    """What the line contains, all of it."""
    role: str = ""
    after: str = ""
    """The line is the first such one after a line that contains this."""
    on: str = ""
    """A part of the address of its page; empty for the newest page that has the line."""
    every: bool = False
    """All such lines of that page, for what is counted."""


Cite = At | Sequence["Cite"]
"""Several where a value was put together, or one for each entry of an array."""


def at(*texts: str, role: str = "", after: str = "", on: str = "") -> At:
    return At(texts, role, after, on)


def every(*texts: str, role: str = "", on: str = "") -> At:
    return At(texts, role, on=on, every=True)


@dataclass(frozen=True, slots=True)
class Do:
    """One action on the way; ``target`` is named as a line is. It is repeated until the page shows
    ``until``, and left out where the page shows it at once."""

    action: str
    target: At | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    until: At | None = None


def click(*texts: str, role: str = "", after: str = "") -> Do:
    return Do("click", At(texts, role, after))


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong answer: what differs from the true one. Where a field has no cite here, and its value
    differs, the model names no source for it."""

    kind: Kind
    values: Mapping[str, Any]
    cites: Mapping[str, Cite] = field(default_factory=dict)
    walk: Sequence[Do] | None = None
    """Another way than that of the true answer."""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """One row of the list."""

    sample_id: str
    url: str
    """Below the site's address."""
    truth: Mapping[str, Any]
    """Empty for a sample that does not exist."""
    cites: Mapping[str, Cite]
    walk: Sequence[Do] = ()
    """One action a decision, before the answer."""
    wrong: Sequence[Wrong] = ()
    missing: At | None = None
    """The line that says that there is no such record."""
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Play:
    """An audit: one task over several samples of one application."""

    name: str
    spec: Mapping[str, Any]
    pages: Mapping[str, Page]
    samples: Sequence[Sample]
    is_alike: bool = False
    """Whether its samples are ten alike ones, so that the odd one can be told."""

    def serve(self, site: Site) -> None:
        site.pages.update(self.pages)


def redirect(address: str) -> Page:
    return 302, {"Location": address}, b""


def missing(html: str, status: int = 404) -> Page:
    return status, {}, html.encode()
