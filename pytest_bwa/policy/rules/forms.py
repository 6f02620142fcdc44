"""How the rules policy fills a form: only where the spec says ``read_only: false`` and names the
button (``submit``) and what the page says afterwards (``confirmation``).

The sample's columns name the fields by their labels. The button is pressed once, when every column
of input_schema is in its field. Nothing counts as sent before the page confirms it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date

from pytest_bwa.facts.page import NEVER_OWN
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.endings import is_pictured
from pytest_bwa.policy.rules.proposal import Proposal, click, fail, screenshot, wait
from pytest_bwa.spec.coercion import Uncertain, read_boolean, read_date
from pytest_bwa.spec.field_labels import keys_of
from pytest_bwa.spec.samples import RESERVED_COLUMNS
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.artifacts import picture_labels
from pytest_bwa.steps.step import HIDDEN, Action, Element, Step, source_of
from pytest_bwa.steps.text import has_words, label_key

SUBMITTED, DOWNLOADED = "form_submitted", "report_downloaded"
"""Fields that say what was done, if output_schema has them."""
MAX_TRIES = 2  # of a field that does not keep its value
MAX_WAITS = 3
MAX_CLICKS = 30  # in a calendar: two years of months, and some
LONGEST_MONTH = 30
"""Characters of the name of a month with its year."""
_DAYS = frozenset(str(day) for day in range(1, 29))
"""What the buttons of a calendar are called, whatever the month."""
_ISO_DATE = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_LISTS, _MARKS = ("combobox", "listbox"), ("checkbox", "radio")
_FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "checkbox", *_LISTS})
_WRITTEN = frozenset({"text", "heading", "status", "alert", "listitem"})
_QUOTED = re.compile(r"[\"“”„«»「『][^\"“”«»」』]+[\"“”«»」』]")
ALIKE_OPTIONS = "options of this name"
"""How the state ends that says that what a list has chosen is called like others in it: the name
alone does not say which one it is."""
_NOT_SAID = ("struck out", "deleted", HIDDEN)
_CROSSED, _NOT_CROSSED = ("x", "1"), ("0",)
"""What people write for a box in lists, beside yes and no."""


def is_wanted(task: TaskSpec) -> bool:
    return task.read_only is False and bool(task.submit and task.confirmation)


def proposals(turn: Turn) -> Iterator[Proposal]:
    """The next thing to do to the form, or to the page that came after it."""
    if sent := next((step for step in turn.history if step.intent == "submit"), None):
        yield from _after(turn, sent)
        return
    if not turn.screenshots:
        yield _picture(turn, "empty", "The form before anything is filled in.")
    for element in turn.observation.elements:
        if (column := _column(turn, element)) and "disabled" not in element.states:
            yield from _fill(turn, element, turn.sample.columns[column].strip())
    if absent := _unfilled(turn):
        if sum(step.action == "wait" for step in turn.history) < MAX_WAITS:
            yield wait(f"The field for {absent} may still appear.")
        yield fail(f"no field of the form took {absent}; nothing was sent")
    if not is_pictured(turn):
        yield _picture(turn, "filled", "The form, filled in.")
    yield _submit(turn)


def _picture(turn: Turn, stage: str, why: str) -> Proposal:
    labels = picture_labels(turn.task.required_artifacts)
    return screenshot(next((label for label in labels if stage in label), stage), why)


def _submit(turn: Turn) -> Proposal:
    wanted = label_key(turn.task.submit or "")
    buttons = [
        e for e in turn.observation.elements
        if e.role == "button" and label_key(e.name) == wanted and "disabled" not in e.states
    ]  # fmt: skip
    if len(buttons) != 1:
        return fail(f"{len(buttons)} buttons of the form are called “{turn.task.submit}”")
    if has_words(turn.observation.text, turn.task.confirmation or "") or _confirming(turn):
        return fail(f"the page says “{turn.task.confirmation}” before anything was sent")
    return click(buttons[0], "Everything is filled.", "submit")


def _confirming(turn: Turn) -> list[Element]:
    """The lines of the page's content that confirm it, in words that nothing strikes out, and that
    are quoted only if the spec quotes them. What controls, rows of tables, menus and the window are
    called confirms nothing."""
    words = turn.task.confirmation or ""
    return [
        element for element in turn.observation.all_elements
        if element.role in _WRITTEN and has_words(element.name, words)
        and (has_words(_QUOTED.sub(" ", element.name), words) or _QUOTED.search(words))
        and not NEVER_OWN & set(element.place.regions)
        and not any(state.startswith(_NOT_SAID) for state in element.states)
    ]  # fmt: skip


# -- the fields ----------------------------------------------------------------------------------


def _column(turn: Turn, element: Element) -> str:
    """The sample's column that labels the field; for a radio button, the one whose value it is."""
    name = label_key(element.name)
    for column, value in turn.sample.columns.items():
        if column in RESERVED_COLUMNS or not value.strip():
            continue
        if element.role == "radio" and label_key(value) == name:
            if _is_of_group(turn, element, column):
                return column
            continue
        if element.role in _FIELDS and name in keys_of(turn.task, [column]):
            return column
    return ""


def _is_of_group(turn: Turn, radio: Element, column: str) -> bool:
    """Whether a radio button is the column's: alone of its name, or in the group that the column
    labels."""
    name, group = label_key(radio.name), radio.place.headings[-1:]
    alike = [
        e for e in turn.observation.elements if e.role == "radio" and label_key(e.name) == name
    ]
    return len(alike) < 2 or label_key("".join(group)) in keys_of(turn.task, [column])


def _fill(turn: Turn, element: Element, value: str) -> Iterator[Proposal]:
    why, selector = f"Fill in {element.name}.", str(element.index)
    tries = [
        step for step in turn.history
        if step.url == turn.observation.url and step.params.get("selector") == selector
        and (step.action == "click" or value in (step.params.get("text"), step.params.get("value")))
    ]  # fmt: skip
    if "readonly" in element.states:
        yield from _pick_day(turn, element, value)
    elif element.role == "checkbox" and _is_yes(value) is None:
        yield fail(f'whether "{value}" means that the box "{element.name}" is checked is not known')
    elif _holds(element, value) or any(step.success for step in tries):
        return  # a field may write the value its own way once it has taken it
    elif len(tries) >= MAX_TRIES:
        yield fail(f'the field "{element.name}" does not take "{value}"')
    elif element.role in _MARKS:
        yield click(element, why)
    elif element.role in _LISTS:  # only a chosen option counts
        yield Proposal(Action(action="select_option", selector=selector, value=value), why)
    else:
        yield Proposal(Action(action="type", selector=selector, text=value), why)


def _holds(element: Element, value: str) -> bool:
    if element.role in _MARKS:
        is_wanted_on = element.role == "radio" or _is_yes(value)
        return ("checked=true" in element.states) == is_wanted_on
    is_one_of_several = any(state.endswith(ALIKE_OPTIONS) for state in element.states)
    return not is_one_of_several and (element.value or "").casefold() == value.casefold()


def _is_yes(value: str) -> bool | None:
    """None if it is neither yes nor no: then nothing may be sent."""
    if value.casefold() in (*_CROSSED, *_NOT_CROSSED):
        return value.casefold() in _CROSSED
    try:
        return read_boolean(value)
    except Uncertain:
        return None


def _unfilled(turn: Turn) -> str:
    """A column of input_schema that is in no field yet; empty if all are."""
    for column in turn.task.input_schema:
        value = turn.sample.columns.get(column, "").strip()
        own = (e for e in turn.observation.elements if _column(turn, e) == column)
        is_in = _was_entered(turn, column, value) or any(_holds(e, value) for e in own)
        if column not in RESERVED_COLUMNS and value and not is_in:
            return column
    return ""


def _was_entered(turn: Turn, column: str, value: str) -> bool:
    """Whether a field that this column labels took the value; another one may have the same."""
    keys = keys_of(turn.task, [column])
    return any(
        value in (step.params.get("text"), step.params.get("value"))
        for step in turn.history
        if step.success and step.target is not None and label_key(step.target.name) in keys
    )


def _pick_day(turn: Turn, element: Element, value: str) -> Iterator[Proposal]:
    """The next click towards a day, in a calendar that the page draws for a field that cannot be
    typed into; nothing where the field has it, or the value is no date."""
    if element.value == value or not _ISO_DATE.fullmatch(value):
        return
    wanted = date.fromisoformat(value)
    clicks = [s for s in turn.history if s.action == "click" and s.url == turn.observation.url]
    if len(clicks) >= MAX_CLICKS:
        yield fail(f'the calendar of "{element.name}" does not reach {value}')
    buttons = [e for e in turn.observation.elements if e.role in ("button", "clickable", "link")]
    found = _drawn_month(turn) if {b.name.strip() for b in buttons} >= _DAYS else None
    if found is None:
        yield click(element, "Open the calendar.")
        return
    heading, drawn = found
    way = (drawn < wanted.replace(day=1)) - (drawn > wanted.replace(day=1))
    if way:
        yield from (click(b, f"To {value}.") for b in _arrow(buttons, heading, way))
    elif len(days := [b for b in buttons if b.name.strip() == str(wanted.day)]) == 1:
        yield click(days[0], f"To {value}.")
    yield fail(f'nothing in the calendar of "{element.name}" clearly leads to {value}')


def _drawn_month(turn: Turn) -> tuple[Element, date] | None:
    """The text that says which month a calendar shows, in the language of the page, and its first
    day."""
    for element in turn.observation.elements:
        name = element.name.strip()
        if not any(c.isdigit() for c in name) or len(name) > LONGEST_MONTH:
            continue
        for text in (f"1 {name}", f"{name}1日"):
            with suppress(Uncertain):
                return element, date.fromisoformat(read_date(text, turn.observation.language))
    return None


def _arrow(buttons: list[Element], heading: Element, way: int) -> list[Element]:
    """The button that turns to the next month (``way`` 1) or the one before (-1): on the line of
    the month's name, of two the right or the left one, and of four an inner one."""
    line = heading.box
    if line is None:
        return []
    middle = line.y + line.height / 2
    beside = [b for b in buttons if b.box and b.box.y <= middle <= b.box.y + b.box.height]
    beside.sort(key=lambda b: b.box.x if b.box else 0)
    inner = beside[1:3] if len(beside) == 4 else beside
    return [inner[way > 0]] if len(inner) == 2 else []


# -- afterwards ----------------------------------------------------------------------------------


def _after(turn: Turn, sent: Step) -> Iterator[Proposal]:
    """What was done, once the page confirms it; then the page is read like any other. The button
    is never pressed again."""
    if any(approval.decision == "rejected" for approval in sent.approvals):
        yield fail(sent.result)
    since = [step.action for step in turn.history if step.step > sent.step]
    if "screenshot" not in since:
        yield _picture(turn, "result", "What the form led to.")
    if not turn.collected and not _confirming(turn):
        if "wait" not in since:
            yield wait("The confirmation may still appear.", f"text={turn.task.confirmation}")
        yield fail(f"the page does not confirm it: “{turn.task.confirmation}” is not there")
    downloads = [step for step in turn.history if step.action == "download"]
    keys = keys_of(turn.task, [DOWNLOADED])
    for element in turn.observation.elements if not downloads else ():
        if element.role in ("link", "button") and label_key(element.name) in keys:
            action = Action(action="download", selector=str(element.index))
            yield Proposal(action, "It is evidence too.")
    facts = {SUBMITTED: True, DOWNLOADED: any(step.success for step in downloads)}
    fresh = {k: v for k, v in facts.items() if v and k in turn.task.output_schema}
    if fresh.keys() - turn.collected.keys():
        line = next((source_of(element) for element in _confirming(turn)), None)
        sources = dict.fromkeys(fresh, line) if line is not None else None
        action = Action(action="save_progress", extracted=fresh, sources=sources)
        yield Proposal(action, "Keep what was done.")
