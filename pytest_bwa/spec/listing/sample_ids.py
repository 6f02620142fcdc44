"""Ids for samples that were found on pages: safe as folder names, readable and unique."""

from __future__ import annotations

import re
from collections.abc import Container
from urllib.parse import parse_qsl, unquote, urlsplit

from pytest_bwa.spec.samples import id_problem

MAX_CHARACTERS = 60


def new_id(url: str, text: str, taken: Container[str]) -> str:
    """An id made from the end of the address, else from the text; with ``_2``, ``_3``, … if it is
    taken. ``taken`` has ids in lower case, as some disks know no capitals."""
    return unique_id(_from_address(url) or _safe(text) or "sample", taken)


def unique_id(wanted: str, taken: Container[str]) -> str:
    """The id that is wanted, in the letters that a folder's name may have, and not taken."""
    base = _safe(wanted) or "sample"
    base = f"sample_{base}" if id_problem(base) else base
    number, name = 2, base
    while name.casefold() in taken:
        number, name = number + 1, f"{base}_{number}"
    return name


def _from_address(url: str) -> str:
    """The last value of the query, else the last part of the path that is no ending such as
    ``index.html``."""
    parts = urlsplit(url)
    values = [value for _, value in parse_qsl(parts.query)]
    segments = [unquote(part) for part in parts.path.split("/") if part]
    names = [re.sub(r"\.(?:html?|php|aspx?)$", "", part) for part in segments]
    names = [name for name in names if name != "index"]
    return _safe((names or [""])[-1] if not values else "_".join([*names[-1:], *values]))


def _safe(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", text).strip("._")[:MAX_CHARACTERS].rstrip("._")
