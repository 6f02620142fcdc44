"""How the rules policy fills a form: only where the task asks for it, field by field, in order.

The signal is explicit: output_schema has ``form_submitted``. The sample's columns name the fields
by their labels. This is the one case in which anything is submitted, and only when every column
of input_schema is in its field; what the page says afterwards decides whether it was submitted.
"""

from __future__ import annotations

import re

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.date_picker import pick_day
from pytest_bwa.policy.rules.label_matching import closeness, names_of, words
from pytest_bwa.policy.rules.proposal import Proposal
from pytest_bwa.policy.rules.screenshots import headline
from pytest_bwa.spec.samples import RESERVED_COLUMNS
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, Element, Step

SUBMITTED = "form_submitted"
MAX_TRIES = 2
MAX_WAITS = 3
_FIELDS = frozenset({"textbox", "searchbox", "combobox", "listbox", "spinbutton", "checkbox"})
_LISTS = frozenset({"combobox", "listbox"})
_SUBMIT = re.compile(r"^(?:submit|send|save|file)\b", re.I)
_DOWNLOAD = re.compile(r"\bdownload\b", re.I)
_REFUSED = re.compile(
    r"\b(?:not (?:submitted|saved|sent|accepted)|errors?|invalid|failed|please correct|is required"
    r"|could not)\b",
    re.I,
)
_TRUE = frozenset({"yes", "true", "x", "1", "on", "checked"})


def wanted(task: TaskSpec) -> bool:
    return SUBMITTED in task.output_schema


def next_move(turn: Turn) -> Proposal:
    """The next thing to do to the form, or None when it is submitted and everything is kept."""
    if submitted(turn):
        return _after(turn)
    if not turn.screenshots:
        return Action(action="screenshot", label=_label(turn, "empty")), "The form before anything."
    for element in turn.observation.elements:
        if move := _fill(turn, element):
            return move
    if tab := _next_tab(turn):
        return Action(action="click", selector=tab.name), f"The form goes on under {tab.name}."
    return _unfilled(turn) or _send(turn)


def _send(turn: Turn) -> Proposal:
    if not any("filled" in name for name in turn.screenshots):
        return Action(action="screenshot", label=_label(turn, "filled")), "The form as filled."
    button = _submit_button(turn)
    if button is None:
        return Action(action="fail", note="the form shows no button to submit it"), ""
    if any(s.action == "click" and s.params.get("selector") == button.name for s in turn.history):
        return Action(action="fail", note=f'the button "{button.name}" could not be pressed'), ""
    return Action(action="click", selector=button.name), "Everything is filled: submit."


def _submit_button(turn: Turn) -> Element | None:
    buttons = [
        e
        for e in turn.observation.elements
        if e.role == "button" and _SUBMIT.search(e.name) and "file" not in e.states
    ]
    return next((b for b in buttons if "disabled" not in b.states), None)


def submitted(turn: Turn) -> Step | None:
    """The press of the submit button, if it was made."""
    return next(
        (
            s
            for s in turn.history
            if s.action == "click" and s.success and _SUBMIT.search(s.params.get("selector", ""))
        ),
        None,
    )


def _label(turn: Turn, stage: str) -> str:
    return next((a for a in turn.task.required_artifacts if stage in a), stage)


# -- the fields ------------------------------------------------------------------------------


def _fill(turn: Turn, element: Element) -> Proposal:
    column = _column(turn, element)
    if not column or "disabled" in element.states:
        return None
    value = turn.sample.columns[column].strip()
    if "readonly" in element.states:
        return pick_day(turn, element, value)
    tries = _tries(turn, element, value)
    if tries and (option := _offered(turn, element, value)):
        return Action(action="click", selector=str(option.index)), f"Choose {value} of the list."
    if _holds(element, value) or any(s.success for s in tries):
        return None  # a field may write the value its own way once it has taken it
    if len(tries) >= MAX_TRIES:
        note = f'the field "{element.name}" does not take "{value}": {tries[-1].error}'
        return Action(action="fail", note=note), "A form that is not filled is not submitted."
    selector, why = str(element.index), f"Fill in {element.name}."
    if element.role in ("checkbox", "radio"):
        return Action(action="click", selector=selector), why
    # An empty list has a value, an empty text field with suggestions has none.
    no_list = element.value is None or any(t.action == "select_option" for t in tries)
    if element.role in _LISTS and not no_list:
        return Action(action="select_option", selector=selector, value=value), why
    return Action(action="type", selector=selector, text=value), why


def _offered(turn: Turn, element: Element, value: str) -> Element | None:
    """The option that a field with suggestions offers for what was typed: it counts only when one
    was chosen."""
    if element.role != "combobox" or "expanded=true" not in element.states:
        return None
    options = [e for e in turn.observation.elements if e.role == "option"]
    return next((o for o in options if o.name.casefold() == value.casefold()), None)


def _column(turn: Turn, element: Element) -> str:
    """The sample's column that labels the field; for a radio, the one whose value it is."""
    for name, value in turn.sample.columns.items():
        if name in RESERVED_COLUMNS or not value.strip():
            continue
        if element.role == "radio" and words(value) == words(element.name):
            return name
        if element.role in _FIELDS and _named(turn, name, element):
            return name
    return ""


def _named(turn: Turn, column: str, element: Element) -> bool:
    label = re.sub(r"\s*\*$|\((?:required|optional)\)", "", element.name, flags=re.I)
    return closeness(label, names_of(turn.task, column)) >= 90


def _holds(element: Element, value: str) -> bool:
    if element.role in ("checkbox", "radio"):
        on = value.casefold() in _TRUE or element.role == "radio"
        return ("checked=true" in element.states) == on
    return (element.value or "").casefold() == value.casefold()


def _tries(turn: Turn, element: Element, value: str) -> list[Step]:
    """Tries that this field was given this value here."""
    return [
        s
        for s in turn.history
        if s.url == turn.observation.url
        and s.params.get("selector") == str(element.index)
        and (s.action == "click" or value in (s.params.get("text"), s.params.get("value")))
    ]


def _unfilled(turn: Turn) -> Proposal:
    """A column that the task names as input, but that no field of the form took. A list that
    depends on another may come a moment later."""
    given = {v for s in turn.history for v in (s.params.get("text"), s.params.get("value")) if v}
    shown = [e for e in turn.observation.elements if _column(turn, e)]
    for name in turn.task.input_schema:
        value = turn.sample.columns.get(name, "").strip()
        if name in RESERVED_COLUMNS or not value or value in given:
            continue
        own = [e for e in shown if _column(turn, e) == name]
        if any(_holds(e, value) for e in own) or any(e.role in ("checkbox", "radio") for e in own):
            continue
        if sum(s.action == "wait" for s in turn.history) < MAX_WAITS:
            return Action(action="wait"), f"The field for {name} may still appear."
        note = f"the form has no field that takes {name}"
        return Action(action="fail", note=note), "A form that is not filled is not submitted."
    return None


def _next_tab(turn: Turn) -> Element | None:
    """A tab that was not opened yet, as long as it stands in the form and not in its result."""
    opened = {s.params.get("selector") for s in turn.history if s.action == "click"}
    tabs = [e for e in turn.observation.elements if e.role == "tab"]
    return next((t for t in tabs if t.name not in opened and "selected=true" not in t.states), None)


# -- afterwards ------------------------------------------------------------------------------


def _after(turn: Turn) -> Proposal:
    """The result page: a picture, and the report if there is one."""
    if not any("result" in name for name in turn.screenshots):
        return Action(action="screenshot", label=_label(turn, "result")), "What came of it."
    if SUBMITTED not in turn.collected and (refusal := _refusal(turn)):
        note = f"the form was not accepted: {refusal}"
        return Action(action="fail", note=note), "The page says that nothing was submitted."
    link = next(
        (
            e
            for e in turn.observation.elements
            if e.role in ("link", "button") and _DOWNLOAD.search(e.name)
        ),
        None,
    )
    if link is not None and not any(s.action == "download" for s in turn.history):
        action = Action(action="download", selector=str(link.index))
        return action, "The report is part of the proof."
    known = {SUBMITTED: True}
    if any(s.action == "download" and s.success for s in turn.history):
        known["report_downloaded"] = True
    fresh = {
        k: v for k, v in known.items() if k in turn.task.output_schema and k not in turn.collected
    }
    if not fresh:
        return None
    action = Action(action="save_progress", extracted=fresh, note="submitted")
    return action, "Keep what was done."


def _refusal(turn: Turn) -> str:
    """What speaks against the form having been taken, or empty: an error status, an alert, a
    heading, or the same form still asking to be submitted."""
    seen = turn.observation
    alerts = [e.name for e in seen.elements if e.role == "alert" and _REFUSED.search(e.name)]
    if alerts:
        return alerts[0]
    if (seen.http_status or 200) >= 400 or _REFUSED.search(headline(turn)):
        return f"the page says “{headline(turn)}”" + (
            f" (HTTP {seen.http_status})" if (seen.http_status or 200) >= 400 else ""
        )
    sent = submitted(turn)
    button = _submit_button(turn)
    filled = [e for e in seen.elements if _column(turn, e) and e.value]
    if sent is not None and button is not None and filled and sent.url == seen.url:
        return f'the filled form still shows "{button.name}"'
    return ""
