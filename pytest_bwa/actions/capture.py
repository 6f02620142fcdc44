"""Actions that capture something: pictures and text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.action_context import ActionContext, Selector
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.page.numbered_picture import take_for_model
from pytest_bwa.page.picture import take_picture
from pytest_bwa.page.script_loader import read_json
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps.step import ActionResult, ElementRef, Line, Observation
from pytest_bwa.steps.text import first_of

EXTRACT_CHARACTERS, EXTRACT_LINES = 4000, 150
MAX_PARTS = 3
"""Areas of which a picture shows only a part, as far as they are named."""
MAX_RANGES = 8
"""Runs of numbers that are named; further ones are counted."""
MAX_FOUND = 10
_LIST_MARKS = re.compile(r"\[\d+\]|\[[a-z]+\]|[|⏎]|^[\"“]|[\"”]$")
"""What the list of elements adds to a text, and a model may copy from it."""
_ADDRESS = "address"
"""What the page script calls a hit that is where a link leads. The page does not show it, so it
proves no value."""


@action("Save a picture as evidence.", changes_page=False)
def screenshot(
    context: ActionContext,
    *,
    label: str,
) -> ActionResult:
    picture = take_picture(context.tabs, context.max_ms)
    artifact = context.store.save_screenshot(picture, label or "page", context.step)
    description = f"saved {artifact.called()}{parts_in_picture(context.observation)}"
    return ActionResult(True, description, artifact=artifact)


def parts_in_picture(page: Observation) -> str:
    """Which areas of the page show only a part of what is in them: a picture has no more."""
    parts = [
        f'[{element.index}] {element.role} "{element.name}" ({state})'
        for element in page.elements
        for state in element.states
        if state.startswith("scrolled ")
    ]
    return f"; it shows only part of {first_of(parts, MAX_PARTS)}" if parts else ""


@action(
    "See the page as a picture with the list's numbers.",
    changes_page=False,
)
def look(context: ActionContext, *, question: str | None = None) -> ActionResult:
    """The question stays in the history, where the next decision finds it."""
    elements = context.observation.elements
    picture, png = take_for_model(context.tabs, context.max_ms, elements)
    is_part = not picture.read_state  # of a long page, what is in view
    left_out = [
        element.index
        for element in elements
        if (is_part and not element.in_viewport) or picture.hides(element.ref, element.box)
    ]
    number = context.tabs.list_numbers.new()
    text = f"the next message had the picture, [{number}]"
    if left_out:
        text += f", without {_ranges(left_out)}: scroll to what you want to see"
    return ActionResult(True, text, picture=png, lines=(Line(number, "look"),))


def _ranges(numbers: Sequence[int]) -> str:
    """``[3]–[7], [12]``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    named = [f"[{run[0]}]" if len(run) == 1 else f"[{run[0]}]–[{run[-1]}]" for run in runs]
    return first_of(named, MAX_RANGES)


@action("Read the whole text of all that match.", changes_page=False)
def extract(context: ActionContext, *, selector: Selector) -> ActionResult:
    elements = context.elements(selector)
    texts = [str(context.ask(element, "elementText")).strip() for element in elements]
    pairs = zip(elements, texts, strict=True)
    read = [
        (context.ref(element), line.rstrip())
        for element, text in pairs
        for line in text.splitlines()
        if line.strip()
    ]
    if not read:
        return failure(f"{context.describe(selector)} contains no text")
    kept = _first_part(read)
    size, kept_size = (sum(len(line) + 1 for _, line in part) - 1 for part in (read, kept))
    count = f"{size}" if kept == read else f"the first {kept_size} of {size}"
    matches = f" of {len(texts)} elements that match" if len(texts) > 1 else ""
    lines = _numbered(context, read, kept)
    numbered = " ⏎ ".join(f"[{line.index}] {line.text}" for line in lines)
    text = "\n".join(line for _, line in kept)
    return ActionResult(
        True, f"read {count} characters{matches}: {numbered}", read_text=text, lines=lines
    )


def _first_part(read: Sequence[tuple[ElementRef, str]]) -> list[tuple[ElementRef, str]]:
    """As many of the lines, each with its element, as the history shows."""
    kept, left = [], EXTRACT_CHARACTERS
    for ref, line in read[:EXTRACT_LINES]:
        if left <= 0:
            break
        kept.append((ref, line[:left]))
        left -= len(line) + 1
    return kept


def _numbered(
    context: ActionContext,
    read: Sequence[tuple[ElementRef, str]],
    kept: Sequence[tuple[ElementRef, str]],
) -> tuple[Line, ...]:
    """The lines with their numbers; one that was cut says so."""
    whole = (f"{line}…" if line != all_of_it else line
             for (_, line), (_, all_of_it) in zip(kept, read, strict=False))  # fmt: skip
    number, url = context.tabs.list_numbers.line, context.page.url
    return tuple(
        number("extract", line, where=url, ref=ref)
        for (ref, _), line in zip(kept, whole, strict=True)
    )


@action(
    "Search the whole page, also tooltips and addresses; hits join the list.",
    changes_page=False,
    changes_list=True,
)
def find(context: ActionContext, *, text: str) -> ActionResult:
    """Searches all frames and open shadow roots, without scrolling."""
    wanted = " ".join(text.split())
    if not wanted:
        return failure("find needs text to look for")
    plain = " ".join(_LIST_MARKS.sub(" ", wanted).split())
    found = _search(context, wanted)
    if not found.total and plain not in ("", wanted):
        found = _search(context, plain)
    if not found.total:
        return ActionResult(True, f"0 hits on the whole page for “{wanted}”", found=())
    count = "1 hit" if found.total == 1 else f"{found.total} hits"
    first = f", the first {MAX_FOUND}" if found.total > MAX_FOUND else ""
    hits = found.hits[:MAX_FOUND]
    description = f"{count}{first}: {'; '.join(hit.description for hit in hits)}"
    lines = tuple(hit.line for hit in hits if hit.line)
    return ActionResult(True, description, found=tuple(line.text for line in lines), lines=lines)


@dataclass(frozen=True, slots=True)
class _Hit:
    description: str
    line: Line | None
    """None for where a link leads."""


@dataclass
class _Found:
    total: int = 0
    hits: list[_Hit] = field(default_factory=list)


def _search(context: ActionContext, wanted: str) -> _Found:
    tabs, all_found = context.tabs, _Found()
    for frame in tabs.frames():
        try:
            found = read_json(tabs.readers.ask(frame, "find", {"text": wanted, "most": MAX_FOUND}))
        except PlaywrightError:
            if frame.parent_frame is None:
                raise
            continue  # a frame may go at any time
        document = tabs.documents.number(frame, found["document"])
        all_found.total += int(found["total"])
        all_found.hits += [_hit(tabs, document, hit) for hit in found["hits"]]
    return all_found


def _hit(tabs: Tabs, document: int, hit: dict[str, Any]) -> _Hit:
    numbers = [
        tabs.list_numbers.number(tabs.current, (document, one))
        for one in (hit["n"], hit["opener"])
        if one is not None
    ]
    line = None
    if hit["what"] != _ADDRESS:
        line = Line(numbers[0], "find", str(hit["line"]), (document, hit["n"]))
    return _Hit(_line(hit, *numbers), line)


def _line(hit: dict[str, Any], number: int, opener: int | None = None) -> str:
    """``[131] link “…” in the row “…” (tooltip, out of view)``."""
    place = ""
    if hit["row"]:
        place = f" in the row “{hit['row']}”"
    elif hit["heading"] and hit["heading"] != hit["line"]:
        place = f" under “{hit['heading']}”"
    opens = f"[{opener}] first, which may show it" if opener is not None else ""
    notes = ", ".join(filter(None, (hit["what"], hit["place"], opens)))
    return f"[{number}] {hit['kind'].lower()} “{hit['line']}”{place}" + (
        f" ({notes})" if notes else ""
    )
