"""The templates of the pages: one file each, with one style for all.

Every text is escaped, and a page's Content-Security-Policy allows nothing but its own style and
script and the pictures beside it: text of a page or a model is never obeyed.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import TYPE_CHECKING, Any

from pytest_bwa.reports.handover.origin import time_text, utc_text
from pytest_bwa.reports.handover.values import value_text
from pytest_bwa.reports.handover.words import in_words
from pytest_bwa.steps.text import one_line, show_controls

if TYPE_CHECKING:
    from jinja2 import Environment


def render(name: str, **content: Any) -> bytes:
    """The page that the template ``name`` makes of the content."""
    return _environment().get_template(name).render(content).encode("utf-8", "backslashreplace")


@cache
def _environment() -> Environment:
    # Imported here, because pytest would start later in projects that only have us installed.
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    loader = PackageLoader("pytest_bwa.reports.handover")
    environment = Environment(
        loader=loader,
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: show_controls(value) if type(value) is str else value,
    )
    environment.filters |= {
        "value": value_text,
        "time": time_text,
        "utc": utc_text,
        "line": one_line,
        "words": in_words,
    }
    for name in ("style.css", "table.js", "trajectory.css"):
        source, *_ = loader.get_source(environment, name)
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        key = name.partition(".")[0]
        environment.globals |= {key: _Raw(source), f"{key}_hash": digest}
    return environment


class _Raw(str):
    """Our own style or script, which stands in a page as it is."""

    def __html__(self) -> str:
        return self
