"""How the rules policy fills a form: only where the task asks for it, field by field, in order.

The signal is explicit: output_schema has ``form_submitted``. The sample's columns name the fields
by their labels. This is the one case in which anything is submitted.
"""

from __future__ import annotations

import re

from pytest_bwa.policy.policy import Turn
from pytest_bwa.policy.reading import words
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, Element

SUBMITTED = "form_submitted"
_FIELDS = frozenset({"textbox", "searchbox", "combobox", "listbox", "spinbutton", "checkbox"})
_SUBMIT = re.compile(r"^(?:submit|send|save|file)\b", re.I)
_DOWNLOAD = re.compile(r"\bdownload\b", re.I)

Move = tuple[Action, str] | None


def wanted(task: TaskSpec) -> bool:
    return SUBMITTED in task.output_schema


def next_move(turn: Turn) -> Move:
    """The next thing to do to the form, or None when it is submitted and everything is kept."""
    if any(_was_submit(turn, s.params.get("selector", "")) for s in turn.history if s.success):
        return _after(turn)
    if not turn.screenshots:
        return Action(action="screenshot", label=_label(turn, "empty")), "The form before anything."
    for element in turn.observation.elements:
        if move := _fill(turn, element):
            return move
    if tab := _next_tab(turn):
        return Action(action="click", selector=tab.name), f"The form goes on under {tab.name}."
    if not any("filled" in name for name in turn.screenshots):
        return Action(action="screenshot", label=_label(turn, "filled")), "The form as filled."
    button = next(
        (e for e in turn.observation.elements if e.role == "button" and _SUBMIT.search(e.name)),
        None,
    )
    if button is None:
        return Action(action="fail", note="the form shows no button to submit it"), ""
    return Action(action="click", selector=button.name), "Everything is filled: submit."


def _was_submit(turn: Turn, selector: str) -> bool:
    return bool(_SUBMIT.search(selector))


def _label(turn: Turn, stage: str) -> str:
    return next((a for a in turn.task.required_artifacts if stage in a), stage)


def _fill(turn: Turn, element: Element) -> Move:
    value = _column(turn, element)
    if element.role not in _FIELDS or not value or "disabled" in element.states:
        return None
    if element.role == "checkbox":
        on = value.casefold() in ("yes", "true", "x", "1")
        if ("checked=true" in element.states) == on or _tried(turn, element):
            return None
        return Action(action="click", selector=str(element.index)), f"Set {element.name}."
    if (element.value or "").casefold() == value.casefold() or _tried(turn, element, value):
        return None
    if element.role in ("combobox", "listbox") and "note" not in "".join(element.states):
        action = Action(action="select_option", selector=str(element.index), value=value)
        return action, f"Choose {element.name}."
    action = Action(action="type", selector=str(element.index), text=value)
    return action, f"Fill in {element.name}."


def _column(turn: Turn, element: Element) -> str:
    for name, value in turn.sample.columns.items():
        if name not in ("sample_id", "url", "xfail") and words(name) == words(element.name):
            return value.strip()
    return ""


def _tried(turn: Turn, element: Element, value: str = "") -> bool:
    """Twice is enough: a field that does not keep its value will not."""
    selector = str(element.index)
    tries = [s for s in turn.history if s.params.get("selector") == selector]
    return (
        len([s for s in tries if value in ("", s.params.get("text"), s.params.get("value"))]) >= 2
    )


def _next_tab(turn: Turn) -> Element | None:
    """A tab that was not opened yet, as long as it stands in the form and not in its result."""
    opened = {s.params.get("selector") for s in turn.history if s.action == "click"}
    tabs = [e for e in turn.observation.elements if e.role == "tab"]
    return next((t for t in tabs if t.name not in opened and "selected=true" not in t.states), None)


def _after(turn: Turn) -> Move:
    """The result page: a picture, and the report if there is one."""
    if not any("result" in name for name in turn.screenshots):
        return Action(action="screenshot", label=_label(turn, "result")), "What came of it."
    link = next(
        (
            e
            for e in turn.observation.elements
            if e.role in ("link", "button") and _DOWNLOAD.search(e.name)
        ),
        None,
    )
    if link is not None and not any(s.action == "download" for s in turn.history):
        return Action(
            action="download", selector=str(link.index)
        ), "The report is part of the proof."
    known = {SUBMITTED: True}
    if any(s.action == "download" and s.success for s in turn.history):
        known["report_downloaded"] = True
    fresh = {
        k: v for k, v in known.items() if k in turn.task.output_schema and k not in turn.collected
    }
    if fresh:
        return Action(
            action="save_progress", extracted=fresh, note="submitted"
        ), "Keep what was done."
    return None
