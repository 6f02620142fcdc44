"""The action that searches the whole page for a text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated, Any

from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.page.script_loader import load_script, read_json
from pytest_bwa.steps import ActionResult, ElementRef

MAX_FOUND = 10
_FIND = load_script("find")
_LIST_MARKS = re.compile(r"\[\d+\]|\[[a-z]+\]|[|⏎]|^[\"“]|[\"”]$")
"""What the list of elements adds to a text, and a model may copy from it."""


@action(
    "Search the whole page for a text: also what is not listed, not in view or hidden, tooltips, "
    "labels and options. What it finds joins the list.",
    changes_page=False,
    changes_list=True,
)
def find(
    context: ActionContext, *, text: Annotated[str, "The text, or a part of it."]
) -> ActionResult:
    """Searches all frames and open shadow roots, without scrolling."""
    wanted = " ".join(text.split())
    if not wanted:
        return failure("find needs a text to look for")
    plain = " ".join(_LIST_MARKS.sub(" ", wanted).split())
    found = _search(context, wanted)
    if not found.total and plain not in ("", wanted):
        found = _search(context, plain)
    if not found.total:
        return ActionResult(True, f"0 hits in the whole page for “{wanted}”", data={"found": []})
    count = "1 hit" if found.total == 1 else f"{found.total} hits"
    first = f", the first {MAX_FOUND}" if found.total > MAX_FOUND else ""
    description = f"{count}{first}: {'; '.join(found.lines[:MAX_FOUND])}"
    return ActionResult(True, description, data={"found": found.texts[:MAX_FOUND]})


@dataclass
class _Found:
    total: int = 0
    lines: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


def _search(context: ActionContext, wanted: str) -> _Found:
    tabs, all_found, main_document = context.tabs, _Found(), 0
    for frame in tabs.frames():
        try:
            found = read_json(frame.evaluate(_FIND, {"text": wanted, "most": MAX_FOUND}))
        except PlaywrightError:
            if frame.parent_frame is None:
                raise
            continue  # a frame may go at any time
        document = tabs.documents.number(frame, found["document"])
        if frame.parent_frame is None:
            main_document = document
        all_found.total += int(found["total"])
        for hit in found["hits"]:
            ref: ElementRef = (document, hit["n"])
            number = tabs.list_numbers.number(tabs.current, main_document, ref)
            all_found.lines.append(_line(hit, number))
            all_found.texts.append(str(hit["line"]))
    return all_found


def _line(hit: dict[str, Any], number: int) -> str:
    """``[131] link “…” in the row “…” (tooltip, out of view)``."""
    place = ""
    if hit["row"]:
        place = f" in the row “{hit['row']}”"
    elif hit["heading"] and hit["heading"] != hit["line"]:
        place = f" under “{hit['heading']}”"
    notes = ", ".join(filter(None, (hit["what"], hit["place"])))
    return f"[{number}] {hit['kind'].lower()} “{hit['line']}”{place}" + (
        f" ({notes})" if notes else ""
    )
