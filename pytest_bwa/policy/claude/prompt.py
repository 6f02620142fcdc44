"""What is sent for one decision: the user message in sections, with system prompt and tools.

Text that comes from a page, or from the list of samples, which may quote one, is fenced, and every
piece of it is put on one line, so that none can start a line with one of our headings.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.claude.cost import (
    HISTORY_SHARE,
    MAX_PROMPT,
    fit_lines,
    json_tokens,
    picture_tokens,
    prompt_budget,
    tokens,
)
from pytest_bwa.policy.claude.history import extract_lines, history_lines
from pytest_bwa.policy.claude.reflection import Mode
from pytest_bwa.policy.claude.response import tool_definitions
from pytest_bwa.policy.claude.system_prompt import system_blocks
from pytest_bwa.spec.network.responses import is_error
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.artifacts import picture_labels
from pytest_bwa.steps.step import PageRead, Tool
from pytest_bwa.steps.text import enclose, one_line, tag_of, visible_text

COLLECTED_CHARACTERS = 2000
LINE_CHARACTERS = 1000
"""Maximum length of a line of the page: a ``data:`` URL may contain a whole document."""
HEADING_CHARACTERS = 500
TAG_TOKENS = 40
"""Tokens of the tags around one more page."""
FRAME_TOKENS = 250
"""Tokens reserved for the tags around page text and the last line."""
MIN_PAGE_TOKENS = 1000
"""Tokens that the page always gets, because a goal that fills the budget would hide the page."""
PICTURE_REMARK = (
    "The picture above, [{number}], shows this page. Its numbers are those of this list. It is not "
    "shown again: save what only the picture says, with the source {number}, or use it now."
)
READ_CUT = "… {n} more lines do not fit: go to this page to reach them."
PAGE_CUT = "… {n} more lines of this page do not fit: scroll, or find a text, to reach them."

_OPENING_MARKS, _CLOSING_MARKS = "\"'“‘„«»`", "\"'”’“«»`"
"""Quotation marks of English, German and French texts."""

SEEN = "Seen so far"
"""The list of the run state that has a line for each page."""

_PAGINATION = (
    "The answer goes over several pages of a list: save what each page has with save_progress "
    "before you turn it, until there is no further page."
)
_CLOSING = "Answer with one tool call: the single best next action."
_CLOSING_OF_SEVERAL = "Answer with tool calls."
_CLOSING_AFTER_FAILURE = (
    "Your last {count} could not be used. Write no text. Call these tools only, each with all of "
    "its required parameters and no others: {tools}."
)


@dataclass(frozen=True, slots=True)
class _Section:
    heading: str
    lines: tuple[str, ...]
    is_data: bool = False


def decision_request(
    task_template: TaskSpec,
    turn: Turn,
    tools: Sequence[Tool],
    *,
    context_window: int,
    reflection: Mode = "light",
) -> dict[str, Any]:
    """What a model is sent. The user message gets what system and tools leave of the budget."""
    system, definitions, fixed = fixed_parts(task_template, turn, tools, reflection)
    budget = prompt_budget(context_window) - fixed - picture_tokens(turn.picture)
    message = user_message(turn, budget, full_reflection=reflection == "full")
    return {
        "system": system,
        "messages": [{"role": "user", "content": with_picture(turn.picture, message)}],
        "tools": definitions,
    }


def fixed_parts(
    task_template: TaskSpec, turn: Turn, tools: Sequence[Tool], reflection: Mode
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], int]:
    """System blocks and tool definitions, which are never cut, and how many tokens they have."""
    system = system_blocks(
        task_template,
        turn.task,
        turn.sample,
        turn.max_actions,
        reflection,
        turn.advice,
        exemplars=turn.exemplars,
        redact=turn.redact,
        evaluates=any(tool.name == "evaluate" for tool in tools),
    )
    definitions = tool_definitions(tools)
    fixed = json_tokens(definitions) + sum(tokens(block["text"]) for block in system)
    return system, definitions, fixed


def with_picture(png: bytes, text: str) -> str | list[dict[str, Any]]:
    """The content of a user message: the text, after a picture if there is one."""
    if not png:
        return text
    data = base64.b64encode(png).decode("ascii")
    source = {"type": "base64", "media_type": "image/png", "data": data}
    return [{"type": "image", "source": source}, {"type": "text", "text": text}]


def user_message(turn: Turn, budget: int = MAX_PROMPT, *, full_reflection: bool = False) -> str:
    """The message of one step: sections in a fixed order, without those that have no content.

    ``budget`` is the maximum in tokens: the history gets its share, and the page what is left. The
    task, the collected data and the notices are never left out. ``full_reflection`` shows the
    model's whole reflection in the history.
    """
    hide = turn.redact
    history_budget = int(budget * HISTORY_SHARE)
    history = history_lines(
        turn.history, history_budget, full_reflection=full_reflection, hide=hide
    )
    room = history_budget - sum(tokens(line) for line in history)
    extracts = extract_lines(turn.extracts, history, room, hide)
    others = _other_sections(turn, tuple(history), extracts, hide)
    left = budget - sum(tokens("\n".join([s.heading, *s.lines, ""])) for s in others)
    sections = [*_pages(turn, max(left - FRAME_TOKENS, MIN_PAGE_TOKENS)), *others]
    tag = tag_of(line for section in sections if section.is_data for line in section.lines)
    rendered = [_render(s, tag) for s in sections if s.lines or s.heading.startswith("**")]
    return visible_text("\n\n".join([*rendered, _closing(turn)]))


def _other_sections(
    turn: Turn, history: tuple[str, ...], extracts: Sequence[str], hide: Callable[[str], str]
) -> list[_Section]:
    """Every section except the page's."""
    task, left = turn.task, turn.max_steps - turn.step
    collected = _collected(turn.collected, hide)
    summaries = tuple(one_line(line) for text in turn.summaries for line in text.split("\n"))
    sections = [
        _Section(f"**Step {turn.step} of {turn.max_steps}** ({left} remaining)", ()),
        _Section("## Data collected so far (via save_progress)", collected, is_data=True),
        _Section("## Earlier steps (condensed)", summaries, is_data=True),
        _Section("## Run state", (*_run_state(turn), *extracts), is_data=True),
        _Section("## Action history", history, is_data=True),
        _Section("## Notices", tuple(map(_bullet, turn.notices)), is_data=True),
        _Section("## Sample", _sample(task, turn.sample), is_data=True),
        _Section("## Goal", _goal(task)),
        _Section("## Output schema", _output(task)),
    ]
    return [_Section(s.heading, tuple(hide(line) for line in s.lines), s.is_data) for s in sections]


def _closing(turn: Turn) -> str:
    """The last line of the message; stricter after replies that could not be used."""
    if turn.failed_decisions == 0:
        return _CLOSING if turn.max_actions == 1 else _CLOSING_OF_SEVERAL
    count = "reply" if turn.failed_decisions == 1 else f"{turn.failed_decisions} replies"
    return _CLOSING_AFTER_FAILURE.format(count=count, tools=", ".join(turn.allowed or ()))


def _render(section: _Section, tag: str) -> str:
    body = enclose(section.lines, tag) if section.is_data else section.lines
    return "\n".join([section.heading, *body])


def _pages(turn: Turn, budget: int) -> list[_Section]:
    """The page, and those that were read beside it. They share the budget: what one does not need
    is left for those after it, the shortest of which come first."""
    pages = {"## Current page state": (_page(turn), PAGE_CUT)}
    for read in turn.pages:
        heading = f"## Page: {one_line(turn.redact(read.url), HEADING_CHARACTERS)}"
        pages[heading] = (_page_read(read), READ_CUT)
    texts = {
        heading: tuple(one_line(turn.redact(line), LINE_CHARACTERS) for line in lines)
        for heading, (lines, _) in pages.items()
    }
    budget -= sum(tokens(f"{heading}\n\n") for heading in [*texts][1:]) + TAG_TOKENS * len(
        turn.pages
    )
    fitted: dict[str, tuple[str, ...]] = {}
    for heading in sorted(texts, key=lambda heading: len("".join(texts[heading]))):
        share = budget // (len(texts) - len(fitted))
        fitted[heading] = fit_lines(texts[heading], share, pages[heading][1])
        budget -= sum(tokens(f"{line}\n") for line in fitted[heading])
    return [_Section(heading, fitted[heading], is_data=True) for heading in texts]


def _page_read(read: PageRead) -> tuple[str, ...]:
    page = read.page
    if page is None:
        return (read.remark,)
    remarks = [read.remark] if read.remark else []
    return (f"Title: {page.title}", *remarks, *page.lines())


def _page(turn: Turn) -> tuple[str, ...]:
    page = turn.observation
    answer = f"The server answered HTTP {page.http_status}." if is_error(page.http_status) else ""
    remarks = list(filter(None, [answer, turn.page_change]))
    remarks += [PICTURE_REMARK.format(number=turn.picture_number)] if turn.picture else []
    return (f"URL: {page.url}", f"Title: {page.title}", *remarks, *page.lines())


def _run_state(turn: Turn) -> tuple[str, ...]:
    lists = {"Screenshots saved": turn.screenshots, **turn.run_state}
    return tuple(map(one_line, list_lines(lists, turn.run_state_totals)))


def list_lines(lists: Mapping[str, Sequence[str]], totals: Mapping[str, int]) -> list[str]:
    """A line for each list that is not empty: ``name: entry, entry``; of a list that is cut also
    how many entries it has. What was seen has a line for each page."""
    lines: list[str] = []
    for name, entries in lists.items():
        cut = f" (the last {len(entries)} of {totals[name]})" if name in totals else ""
        head = f"{name}{cut}:"
        if name == SEEN and len(entries) > 1:
            lines += [head, *(f"- {entry}" for entry in entries)]
        elif entries:
            lines.append(f"{head} {', '.join(entries)}")
    return lines


def _collected(values: Mapping[str, Any], hide: Callable[[str], str]) -> tuple[str, ...]:
    """The collected data, cut at 2,000 characters; a cut text names every saved field."""
    lines = tuple(hide(line) for line in _json(values))
    text = "\n".join(lines)
    rest = len(text) - COLLECTED_CHARACTERS
    names = ", ".join(name for name, value in values.items() if value is not None)
    note = f"… ({rest} more characters are saved but not shown; saved so far: {one_line(names)})"
    if rest <= len(note):
        return lines
    return (*text[:COLLECTED_CHARACTERS].split("\n"), note)


def _sample(task: TaskSpec, sample: Sample) -> tuple[str, ...]:
    """Every column except xfail: a model that knows the expected result is no auditor. A sentence
    that the goal quotes is not said twice; a single word may stand in the goal by chance."""
    return tuple(
        f"{one_line(name)}: {one_line(value)}"
        for name, value in sample.columns.items()
        if name != "xfail" and value and not (" " in value.strip() and _quotes(task.goal, value))
    )


def _quotes(goal: str, value: str) -> bool:
    """Whether the goal shows where the value begins and ends: between quotation marks, as a line
    of its own, or at the end of one after a colon. Of a text within a sentence nobody can tell."""
    around = rf"(?:^|: |[{_OPENING_MARKS}]){re.escape(value.strip())}(?:$|[{_CLOSING_MARKS}](?!\w))"
    return value in goal and re.search(around, goal, re.MULTILINE) is not None


def _goal(task: TaskSpec) -> tuple[str, ...]:
    lines = [task.goal]
    if task.stop_condition:
        lines.append(f"Finished when: {task.stop_condition}")
    if task.pagination:
        lines.append(_PAGINATION)
    if task.judgment_required and task.judgment_question:
        lines.append(f"Judgment question: {task.judgment_question}")
    return tuple(lines)


def _output(task: TaskSpec) -> tuple[str, ...]:
    """What the parameters of ``done`` do not say."""
    lines = []
    if task.required_fields:
        lines.append("Required fields: " + ", ".join(task.required_fields))
    if task.derived:
        lines.append("Fields that you work out yourself: " + ", ".join(task.derived))
    if labels := picture_labels(task.required_artifacts):
        lines.append("Required screenshots, by label: " + ", ".join(labels))
    if files := [name for name in task.required_artifacts if name not in labels]:
        lines.append("Required files, to be downloaded, by name: " + ", ".join(files))
    if expected := task.expected_by_field:
        counts = (f"{number} of {name}" for name, number in expected.items())
        lines.append("Expected items: " + ", ".join(counts))
    return tuple(lines)


def _json(value: Mapping[str, Any]) -> tuple[str, ...]:
    if not value:
        return ()
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    return tuple(one_line(line) for line in text.split("\n"))


def _bullet(notice: str) -> str:
    return "- " + "\n  ".join(one_line(line) for line in notice.split("\n"))
