"""How the rules policy fills a form: only where the spec says ``read_only: false`` and names the
button (``submit``) and what the page says afterwards (``confirmation``).

The sample's columns name the fields by their labels. The button is pressed once, when every column
of input_schema is in its field. Nothing counts as sent before the page confirms it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.endings import fail, is_pictured
from pytest_bwa.policy.rules.label_matching import keys_of
from pytest_bwa.policy.rules.proposal import Proposal
from pytest_bwa.spec.samples import RESERVED_COLUMNS
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, Element, Step
from pytest_bwa.text import has_words, label_key

SUBMITTED, DOWNLOADED = "form_submitted", "report_downloaded"
"""Fields that say what was done, if output_schema has them."""
MAX_TRIES = 2  # of a field that does not keep its value
MAX_WAITS = 3
MAX_CLICKS = 30  # in a calendar: two years of months, and some
_FIELDS = frozenset({"textbox", "searchbox", "combobox", "listbox", "spinbutton", "checkbox"})
_TRUE = frozenset({"yes", "true", "x", "1", "on", "checked"})


def is_wanted(task: TaskSpec) -> bool:
    return task.read_only is False and bool(task.submit and task.confirmation)


def proposals(turn: Turn) -> Iterator[Proposal]:
    """The next thing to do to the form, or to the page that came after it."""
    if sent := _press_of_submit(turn):
        yield from _after(turn, sent)
        return
    if not turn.screenshots:
        yield _shot(turn, "empty", "The form before anything.")
    for element in turn.observation.elements:
        if proposal := _fill(turn, element):
            yield proposal
    if absent := _unfilled(turn):
        if sum(step.action == "wait" for step in turn.history) < MAX_WAITS:
            yield Proposal(Action(action="wait"), f"The field for {absent} may still appear.")
        yield fail(f"no field of the form took {absent}; nothing was sent")
    if not is_pictured(turn):
        yield _shot(turn, "filled", "The form as it is filled.")
    yield _submit(turn)


def _shot(turn: Turn, stage: str, why: str) -> Proposal:
    label = next((name for name in turn.task.required_artifacts if stage in name), stage)
    return Proposal(Action(action="screenshot", label=label), why)


def _submit(turn: Turn) -> Proposal:
    wanted = label_key(turn.task.submit or "")
    buttons = [
        e for e in turn.observation.elements
        if e.role == "button" and label_key(e.name) == wanted and "disabled" not in e.states
    ]  # fmt: skip
    if len(buttons) != 1:
        return fail(f"{len(buttons)} buttons of the form are called “{turn.task.submit}”")
    if _confirmed(turn):
        return fail(f"the page says “{turn.task.confirmation}” before anything was sent")
    action = Action(action="click", selector=str(buttons[0].index))
    return Proposal(action, "Everything is filled.", "submit")


def _press_of_submit(turn: Turn) -> Step | None:
    return next((step for step in turn.history if step.intent == "submit"), None)


def _confirmed(turn: Turn) -> bool:
    page, words = turn.observation, turn.task.confirmation or ""
    texts = [page.text, page.title, *(e.name for e in page.elements)]
    return any(has_words(text, words) for text in texts)


# -- the fields ----------------------------------------------------------------------------------


def _column(turn: Turn, element: Element) -> str:
    """The sample's column that labels the field; for a radio button, the one whose value it is."""
    name = label_key(element.name)
    for column, value in turn.sample.columns.items():
        if column in RESERVED_COLUMNS or not value.strip():
            continue
        if element.role == "radio" and label_key(value) == name:
            return column
        if element.role in _FIELDS and name in keys_of(turn.task, [column]):
            return column
    return ""


def _fill(turn: Turn, element: Element) -> Proposal | None:
    column = _column(turn, element)
    if not column or "disabled" in element.states:
        return None
    value, selector = turn.sample.columns[column].strip(), str(element.index)
    if "readonly" in element.states:
        return _pick_day(turn, element, value)
    tries = _tries(turn, element, value)
    if tries and (option := _offered(turn, element, value)):
        click = Action(action="click", selector=str(option.index))
        return Proposal(click, f"Choose {value} from the list.")
    if _holds(element, value) or any(step.success for step in tries):
        return None  # a field may write the value its own way once it has taken it
    if len(tries) >= MAX_TRIES:
        return fail(f'the field "{element.name}" does not take "{value}"')
    if element.role in ("checkbox", "radio"):
        action = Action(action="click", selector=selector)
    elif element.role in ("combobox", "listbox") and element.value is not None and not tries:
        action = Action(action="select_option", selector=selector, value=value)
    else:
        action = Action(action="type", selector=selector, text=value)
    return Proposal(action, f"Fill in {element.name}.")


def _offered(turn: Turn, element: Element, value: str) -> Element | None:
    """The option that a field with suggestions offers: only a chosen one counts."""
    if element.role != "combobox" or "expanded=true" not in element.states:
        return None
    options = [e for e in turn.observation.elements if e.role == "option"]
    return next((o for o in options if o.name.casefold() == value.casefold()), None)


def _holds(element: Element, value: str) -> bool:
    if element.role in ("checkbox", "radio"):
        is_on = value.casefold() in _TRUE or element.role == "radio"
        return ("checked=true" in element.states) == is_on
    return (element.value or "").casefold() == value.casefold()


def _tries(turn: Turn, element: Element, value: str) -> list[Step]:
    return [
        step for step in turn.history
        if step.url == turn.observation.url and step.params.get("selector") == str(element.index)
        and (step.action == "click" or value in (step.params.get("text"), step.params.get("value")))
    ]  # fmt: skip


def _unfilled(turn: Turn) -> str:
    """A column of input_schema that is in no field yet; empty if all are."""
    given = {v for s in turn.history for v in (s.params.get("text"), s.params.get("value")) if v}
    for column in turn.task.input_schema:
        value = turn.sample.columns.get(column, "").strip()
        own = [e for e in turn.observation.elements if _column(turn, e) == column]
        is_in = value in given or any(_holds(e, value) for e in own)
        if column not in RESERVED_COLUMNS and value and not is_in:
            return column
    return ""


def _pick_day(turn: Turn, element: Element, value: str) -> Proposal | None:
    """The next click towards a day, in a calendar that the page draws for a field that cannot be
    typed into; None where the field has it, or the value is no date."""
    clicks = [s for s in turn.history if s.action == "click" and s.url == turn.observation.url]
    try:
        wanted = date.fromisoformat(value)
    except ValueError:
        return None
    if (element.value or "") == value:
        return None
    if len(clicks) >= MAX_CLICKS:
        return fail(f'the calendar of "{element.name}" does not reach {value}')
    names = [(e, e.name.strip()) for e in turn.observation.elements]
    drawn = next((month for _, name in names if (month := _month(name))), None)
    if drawn is None:
        return Proposal(Action(action="click", selector=str(element.index)), "Open the calendar.")
    target = wanted.replace(day=1)
    name = str(wanted.day) if drawn == target else "next" if drawn < target else "prev"
    for button, text in names:
        is_it = text == name if name.isdigit() else text.casefold().startswith(name)
        if button.role in ("button", "clickable", "link") and is_it:
            return Proposal(Action(action="click", selector=str(button.index)), f"To {value}.")
    return None


def _month(text: str) -> date | None:
    """The first day of "March 2026"."""
    try:
        return datetime.strptime(text, "%B %Y").date()
    except ValueError:
        return None


# -- afterwards ----------------------------------------------------------------------------------


def _after(turn: Turn, sent: Step) -> Iterator[Proposal]:
    """What was done, once the page confirms it; then the page is read like any other. The button
    is never pressed again."""
    if not any(s.action == "screenshot" and s.step > sent.step for s in turn.history):
        yield _shot(turn, "result", "What came of it.")
    if not turn.collected and not _confirmed(turn):
        if sum(s.action == "wait" and s.step > sent.step for s in turn.history) < MAX_WAITS:
            yield Proposal(Action(action="wait"), "The confirmation may still appear.")
        yield fail(f"the page does not confirm it: “{turn.task.confirmation}” is not there")
    link = next((e for e in turn.observation.elements if _is_report(turn, e)), None)
    downloads = [s for s in turn.history if s.action == "download"]
    if link is not None and not downloads:
        yield Proposal(Action(action="download", selector=str(link.index)), "It is evidence too.")
    facts = {SUBMITTED: True, DOWNLOADED: any(s.success for s in downloads)}
    fresh = {k: v for k, v in facts.items() if v and k in turn.task.output_schema}
    if fresh.keys() - turn.collected.keys():
        yield Proposal(Action(action="save_progress", extracted=fresh), "What was done is kept.")


def _is_report(turn: Turn, element: Element) -> bool:
    keys = keys_of(turn.task, [DOWNLOADED])
    return element.role in ("link", "button") and label_key(element.name) in keys
