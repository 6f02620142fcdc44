"""Whether the next action of a reply is certain. A reply goes on for as long as it is: what the
next action names is there, and is what the policy saw, or what its words name alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from pytest_bwa.actions.seen.same_record import SameRecord, Words
from pytest_bwa.agent.step_log import NO_PAGE, Transition, action_text
from pytest_bwa.agent.verification import is_new_document
from pytest_bwa.facts.address import is_same_page
from pytest_bwa.facts.identity import find_again
from pytest_bwa.facts.page import asks_for_password
from pytest_bwa.spec.network.responses import is_error
from pytest_bwa.steps.artifacts import is_picture
from pytest_bwa.steps.step import (
    ANSWERS,
    FINAL_ACTIONS,
    FOR_A_MODEL,
    HIDDEN,
    Action,
    Element,
    Observation,
    list_number,
)

_READING = FOR_A_MODEL | {"find", "screenshot", "extract", "scroll", "wait"}
"""These look for what they name when they are carried out, and change nothing."""
_PRESSING = frozenset({"click", "press", "drag"})
"""That these succeeded says only that something was pressed."""
_ALERTS = frozenset({"alert", "alertdialog"})
_ESCAPE = "Escape"

Unclear = Callable[[Action, Observation], str]
"""Why a text, CSS or XPath of an action does not name one element of the page; else empty."""


class Uncertain(Exception):
    """Why the remaining actions of a reply are dropped."""


class Batch:
    """The actions of one reply after the other."""

    def __init__(self, unclear: Unclear) -> None:
        self._unclear = unclear
        self._page = NO_PAGE
        self._seen_on: dict[int, Observation] = {}
        """The page on which the policy has seen each number that it may decide on."""
        self._listed: dict[int, Element] = {}
        """What a policy has read under each number; a document's number is never another's."""
        self._acted_on: list[Element] = []
        """What the reply has named so far, as the policy saw it."""
        self._news = ""
        """What the page has said since, unasked."""
        self._has_dialog = self._is_vain = False
        """Whether the last action that did something opened a dialog, and whether it did nothing,
        by all that followed."""

    def begin(self, page: Observation, read: Iterable[Observation] = ()) -> None:
        """``page`` is the one that the policy has decided on, ``read`` are those beside it."""
        self._page, self._acted_on, self._seen_on = page, [], {}
        self._news, self._has_dialog, self._is_vain = "", False, False
        for one in (page, *read):
            listed = {element.index: element for element in reversed(one.elements)}
            self._listed |= listed
            self._seen_on |= dict.fromkeys(listed, one)

    def certain(self, transition: Transition, action: Action, max_steps: int) -> Action:
        """The next action of the reply, with the numbers that what it names has now. ``max_steps``
        may be more than the transition's own: a page of a list grants steps. Raises Uncertain."""
        self._note(transition)
        if not transition.result.success:
            raise Uncertain(f"{transition.action.action} failed")
        if action.action not in _READING:
            self._raise_if_unexpected(action)
        if transition.step + 1 >= max_steps and action.action not in FINAL_ACTIONS:
            raise Uncertain("only the last step is left, which is for done or fail")
        if action.action in _READING:
            return action
        if action.action == "press" and not action.selector and action.key != _ESCAPE:
            self._raise_if_unfocused(transition)
        names = {key: getattr(action, key) for key in ("selector", "target")}
        numbers = {key: list_number(name) for key, name in names.items() if name}
        now = {
            key: str(self._number_now(number, transition.after))
            for key, number in numbers.items()
            if number is not None
        }
        if len(now) < len(numbers) and (why := self._unclear(action, transition.after)):
            raise Uncertain(why)
        return action.model_copy(update=now)

    def _note(self, transition: Transition) -> None:
        """Keep what an action has named, and what became of it."""
        self._acted_on += filter(None, map(self._listed.get, _numbers(transition.action)))
        self._news = self._news or next(_news(transition), "")
        is_read = transition.action.action in _READING
        self._has_dialog = _has_new_dialog(transition) or (is_read and self._has_dialog)
        is_vain_still = self._is_vain and not transition.page_changed
        self._is_vain = is_vain_still if is_read else _is_vain(transition)

    def _raise_if_unexpected(self, action: Action) -> None:
        """Raises Uncertain if the page says something that the policy has to read first."""
        if self._news:
            raise Uncertain(self._news)
        if _selectors(action) or action.key == _ESCAPE:
            return
        if self._has_dialog:
            raise Uncertain("a dialog came")
        if action.action in ANSWERS and self._is_vain:
            raise Uncertain("what was pressed last changed nothing")

    def _raise_if_unfocused(self, transition: Transition) -> None:
        """Keys go to what the last action has named. Raises Uncertain if that is gone."""
        if is_new_document(transition.before, transition.after):
            raise Uncertain("the page is another one now, and keys would go anywhere")
        for number in _numbers(transition.action):
            self._number_now(number, transition.after)

    def _number_now(self, number: int, page: Observation) -> int:
        """The number of what a policy has read under a number. What the reply has pressed it may
        press again, as it does to turn the months of a calendar; what stands in the same record
        may say more or less since. Raises Uncertain if it is gone, or says something else."""
        was = self._listed.get(number)
        if was is None:
            raise Uncertain(f"no page has shown [{number}] yet")
        is_pressed, before = was in self._acted_on, self._seen_on.get(number, self._page)
        if before is not self._page and not is_same_page(page.url, before.url):
            return number  # that page is opened first
        now = find_again(was, before, page, is_pressed=is_pressed)
        if now is None:
            raise Uncertain(f"[{number}] {was.role} “{was.name}” is not on the page now")
        difference = SameRecord(before).difference(was, Words(now.name, now.around))
        is_own = was.around in [element.around for element in self._acted_on]
        if difference and not is_pressed and not (difference.may_tick and is_own):
            raise Uncertain(difference.text)
        if now.ref == was.ref or now.index == number:
            return number
        self._listed.setdefault(now.index, was)
        return now.index


def notice_of_dropped(remaining: Sequence[Action], reason: object) -> str:
    """``click [7] and 2 more actions were not executed, because …``."""
    first, more = action_text(remaining[0]), len(remaining) - 1
    others = f" and {more} more action{'s' if more > 1 else ''} were" if more else " was"
    return f"{first}{others} not executed, because {reason}."


def _news(transition: Transition) -> Iterator[str]:
    """What a page says after an action that nobody has asked it for."""
    before, after = transition.before, transition.after
    if after is before:
        return
    yield from (f"a dialog said “{message}”" for message in after.dialogs)
    is_other = is_new_document(before, after) or not is_same_page(before.url, after.url)
    if is_other and is_error(after.http_status):
        yield f"the server answered with {after.http_status}"
    if is_other and asks_for_password(after) and not asks_for_password(before):
        yield "the page asks for a password now"
    known = {(e.role, e.name) for e in _visible(before)}
    new = [e for e in _visible(after) if (e.role, e.name) not in known]
    yield from (f"the page says “{e.name}”" for e in new if e.role in _ALERTS and e.name)
    flaws = {(e.ref, s) for e in before.all_elements for s in e.states}
    for e in after.all_elements:
        flaw = next((s for s in e.states if s.startswith("invalid")), "")
        if flaw and (e.ref, flaw) not in flaws:
            yield f"the page says of the {e.role} “{e.name}”: {flaw}"


def _is_vain(transition: Transition) -> bool:
    """Whether something was pressed, and nothing came of it: no change, and no file."""
    file = transition.result.artifact
    has_effect = transition.had_effect or (file is not None and not is_picture(file.filename))
    return transition.action.action in _PRESSING and not has_effect


def _has_new_dialog(transition: Transition) -> bool:
    known = {element.ref for element in _visible(transition.before)}
    new = [element for element in _visible(transition.after) if element.ref not in known]
    return any(e.role == "dialog" or "dialog" in e.place.regions for e in new)


def _visible(page: Observation) -> Iterator[Element]:
    return (element for element in page.all_elements if HIDDEN not in element.states)


def _selectors(action: Action) -> list[str]:
    return [selector for selector in (action.selector, action.target) if selector]


def _numbers(action: Action) -> list[int]:
    """The numbers of the list that an action names."""
    return [n for n in map(list_number, _selectors(action)) if n is not None]
