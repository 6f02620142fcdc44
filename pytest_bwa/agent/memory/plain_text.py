"""Learnt text as one short line that no page can misuse, and the host of an address."""

from __future__ import annotations

import unicodedata

from pytest_bwa.spec.network.urls import host_of

MAX_CHARACTERS = 200


def plain(text: str, limit: int = MAX_CHARACTERS) -> str:
    """The text on one line, without control and invisible characters, and cut to a length."""
    # All categories C…: controls, formats such as marks of direction, surrogates, private use.
    visible = ("" if unicodedata.category(c) in _UNSEEN else c for c in _spaced(text))
    return " ".join("".join(visible).split())[:limit].rstrip()


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def _spaced(text: str) -> str:
    """Line breaks and tabs become spaces, before control characters are removed."""
    return " ".join(text.split())


def web_host_of(url: str) -> str:
    """The host of a web address in lower case; empty for anything else."""
    is_web = url.lower().startswith(("http://", "https://"))
    return host_of(url) if is_web else ""
