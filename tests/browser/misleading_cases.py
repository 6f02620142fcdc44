"""Pages on which a careless reader lies, as data: one HTML file for each case.

A file begins with a comment in YAML that says what the user asks and what is true. After it come
the pages of a small site, each below a comment with its path::

    <!--
    # Why a careless reader is wrong here.
    spec: {goal: …, output_schema: {owner: string | null}}     # what a user would write
    sample: {sample_id: OPS-7, url: /items/7}                  # the row of the samples list
    expected: {owner: Ada Quist}      # the true value, or null where the page does not tell it
    careless: {owner: Ben Okoro}      # the wrong value that a careless reader takes
    writes: [/items/7/delete]         # addresses that write by GET; * stands for anything
    -->
    <!-- page: /items/7 -->
    <!doctype html> …
    <!-- page: /old/7 {status: 302, headers: {Location: /items/7}, delay: 0.3} -->

``%ORIGIN%`` in a page stands for the site's address, ``%OTHER_ORIGIN%`` for the same server under
another name. A form that may be sent has two more keys: ``sends`` with the one request that is
right, and ``confirmed`` with whether the page confirms it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import yaml
from local_site import Site

CASES = Path(__file__).parent / "misleading"
PAGE = re.compile(r"^<!-- page: ((?:[A-Z]+ )?\S+)(?: (\{.*\}))? -->$\n?", re.MULTILINE)
LOGOUT = "/logout*"
"""Ends the session on every site, so no case needs to list it."""
KEYS = {"spec", "sample", "expected", "careless", "writes", "sends", "confirmed", "broken"}


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server answers for one path; ``delay`` is in seconds."""

    html: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0


@dataclass(frozen=True, slots=True)
class Case:
    """One small site, what a user asks of it, and what is true."""

    name: str
    """Folder and file name: ``identity/redirect_to_login``."""
    note: str
    spec: Mapping[str, Any]
    sample: Mapping[str, str]
    expected: Mapping[str, Any]
    pages: Mapping[str, Reply]
    careless: Mapping[str, Any] = field(default_factory=dict)
    writes: tuple[str, ...] = ()
    """Patterns of addresses that write although they are requested by GET."""
    sends: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The requests that the spec allows, such as ``POST /leave``, with the fields that are sent."""
    confirmed: bool | None = None
    """Whether the page confirms what was sent; None if the task sends nothing."""
    broken: bool = False
    """Whether the site cannot be reached, which is no finding about the sample."""

    @property
    def tells_nothing(self) -> bool:
        """Whether the pages tell none of the fields, so that silence is right."""
        return all(value is None for value in self.expected.values())

    def serve(self, site: Site) -> None:
        """Put the pages on the site."""
        other = site.url.replace("127.0.0.1", "localhost")
        for key, reply in self.pages.items():
            html = reply.html.replace("%ORIGIN%", site.url).replace("%OTHER_ORIGIN%", other)
            headers = {k: v.replace("%OTHER_ORIGIN%", other) for k, v in reply.headers.items()}
            site.pages[key] = (reply.status, headers, html.encode())
            site.delays[key] = reply.delay


def load_cases(folder: Path = CASES) -> list[Case]:
    """All cases below a folder, sorted by name."""
    return [read_case(path, folder) for path in sorted(folder.rglob("*.html"))]


def read_case(path: Path, folder: Path) -> Case:
    """Raises ValueError that names the file if the case is incomplete."""
    name = path.relative_to(folder).with_suffix("").as_posix()
    head, _, rest = path.read_text("utf-8").removeprefix("<!--\n").partition("\n-->\n")
    try:
        data = _plain(yaml.safe_load(head))
    except yaml.YAMLError as error:
        raise ValueError(f"{path}: the comment at the top is no YAML: {error}") from None
    if unknown := data.keys() - KEYS:
        raise ValueError(f"{path}: unknown keys {sorted(unknown)}; the keys are {sorted(KEYS)}")
    pages = _pages(rest)
    if not pages and not data.get("broken"):
        raise ValueError(f"{path}: a page begins with a line such as <!-- page: /items/7 -->")
    return Case(
        name=name,
        note=" ".join(line[1:].strip() for line in head.splitlines() if line.startswith("#")),
        spec={"task_id": name.replace("/", "."), **data["spec"]},
        sample={"sample_id": "s1", **data.get("sample", {})},
        expected=data["expected"],
        pages=pages,
        careless=data.get("careless", {}),
        writes=(*data.get("writes", ()), LOGOUT),
        sends=data.get("sends", {}),
        confirmed=data.get("confirmed"),
        broken=data.get("broken", False),
    )


def _pages(text: str) -> dict[str, Reply]:
    _, *parts = PAGE.split(text)
    found = {}
    for key, options, html in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        found[key] = Reply(html=html, **(yaml.safe_load(options) if options else {}))
    return found


def _plain(value: Any) -> Any:
    """YAML reads 2026-05-04 as a date; results have it as text."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value
