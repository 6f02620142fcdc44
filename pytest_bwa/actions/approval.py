"""The gate that an action passes before it writes: a person is asked about each address that it
would write to, and what it sends there until its page is still belongs to the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.resolve import NotFound, resolve
from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.approvals import ApprovalDesk, Question
from pytest_bwa.spec.redaction import MASK
from pytest_bwa.steps.approval import Answer, Approval
from pytest_bwa.steps.requests import public_url
from pytest_bwa.steps.step import (
    TICKED_ROLES,
    Action,
    ActionResult,
    Box,
    Element,
    Observation,
    Picture,
    utc_now,
)
from pytest_bwa.steps.text import continued

LABEL = "approval"
"""That of the picture which a person was shown."""
_PRESSING = frozenset({"click", "press", "select_option", "upload", "drag", "download"})
_FIELDS = frozenset({"textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider"})
_PASSWORD, _FILE = "password, filled", "holds "


@dataclass(frozen=True, slots=True)
class Approver:
    """Asks about the actions of one sample."""

    desk: ApprovalDesk
    task_id: str
    sample_id: str
    seconds: float
    stopped: Callable[[], AbstractContextManager[None]]
    """Stops the sample's time."""
    show: Callable[[Question], None] = lambda question: None
    """Shows a question that waits, again and again; it may decide it."""
    rejected: dict[str, Answer] = field(default_factory=dict)
    """What is not asked twice, because all of it is the same."""


@dataclass
class Gate:
    """What one action may send."""

    approver: Approver | None
    """None where nobody is asked."""
    context: ActionContext
    action: Action
    element: Element | None = None
    picture: Picture | None = None
    """Taken before the action."""
    problem: EvidenceError | KeyboardInterrupt | None = field(default=None, init=False)
    _file: str = field(default="", init=False)
    """That of the picture, once it is evidence."""
    _decided: dict[tuple[str, str], Approval] = field(default_factory=dict, init=False)

    def __call__(self, method: str, url: str) -> bool:
        """Whether a request may be sent. The first one to an address waits for a person; after a
        rejection nothing more of the action is sent."""
        if self.problem is not None or self._is_rejected:
            return False
        address = method, url.partition("?")[0]
        try:
            if address not in self._decided:
                self._decided[address] = self._ask(method, url)
        except (EvidenceError, KeyboardInterrupt) as problem:
            # Raised within an event of the browser, it would be lost, or end the browser's driver.
            self.problem = problem
            return False
        if not self._is_rejected:
            self._decided[address].add_sent(f"{method} {public_url(url)}")
        return not self._is_rejected

    @property
    def approvals(self) -> tuple[Approval, ...]:
        return tuple(self._decided.values())

    @property
    def _is_rejected(self) -> bool:
        return any(approval.decision == "rejected" for approval in self.approvals)

    def applied_to(self, result: ActionResult) -> ActionResult:
        """The result with what was decided. Raises what kept a person from being asked."""
        if self.problem is not None:
            raise self.problem
        if not self.approvals:
            return result
        result = replace(result, approvals=self.approvals)
        if not self._is_rejected:
            words = "; ".join(dict.fromkeys(a.in_words() for a in self.approvals))
            return replace(result, description=continued(result.description, words))
        rejected = next(a for a in self.approvals if a.decision == "rejected")
        sent = ", ".join(request for approval in self.approvals for request in approval.sent)
        error = f"{rejected.in_words()}; {f'before that, {sent}' if sent else 'nothing'} was sent"
        failed = replace(result, success=False, infrastructure=False)
        return replace(failed, description=error, error=error)

    def _ask(self, method: str, url: str) -> Approval:
        """What was decided, and what of: all of that is the same as once rejected still is."""
        assert self.approver is not None, "a gate is set only where somebody is asked"
        question, rejected = self._question(self.approver, method, url), self.approver.rejected
        same = repr((question.what, question.to, question.fields))
        if (answer := rejected.get(same)) is None:
            if self.picture is not None and not self._file:
                saved = self.context.store.save_screenshot(self.picture, LABEL, self.context.step)
                self._file = saved.filename
            answer = self._wait(self.approver, question)
        if answer.decision == "rejected":
            rejected[same] = answer
        return Approval(
            **answer.model_dump(),
            asked_at=question.since,
            what=question.what,
            to=question.to,
            fields=question.fields,
            picture=self._file,
            box=question.box,
        )

    def _wait(self, approver: Approver, question: Question) -> Answer:
        png = self.picture.png if self.picture else None
        with approver.stopped():
            answer = approver.desk.ask(question, png, approver.show)
        late = f"nobody decided within {question.seconds:g} s"
        return answer or Answer(decision="rejected", by="", at=utc_now(), comment=late)

    def _question(self, approver: Approver, method: str, url: str) -> Question:
        page = self.context.observation
        fields = list(entered(page))
        question = Question(
            sample_id=approver.sample_id,
            task_id=approver.task_id,
            what=self._in_words(),
            to=f"{method} {public_url(url)}",
            fields=fields,
            url=public_url(page.url),
            title=page.title,
            box=self._box(),
            alike=self._alike(method, url, [name for name, _ in fields]),
            seconds=approver.seconds,
        )
        return self.context.secrets.redactor.model(question)

    def _in_words(self) -> str:
        """The action with what it enters: ``press textbox "To": Enter``."""
        action = self.action
        text = action.text or action.value or action.key or action.file or ""
        if self.context.types_secret:
            text = MASK
        named = f" {self.context.describe(action.selector)}" if action.selector else ""
        enter = ", Enter" if _presses_enter(action) else ""
        return f"{action.action}{named}{f': {text}' if text else ''}{enter}"

    def _box(self) -> Box | None:
        element, picture = self.element, self.picture
        if element is None or element.box is None or picture is None:
            return None
        return picture.box_of(element.ref, element.box)

    def _alike(self, method: str, url: str, names: list[str]) -> str:
        """The same for the same button, fields and address, whatever numbers that has."""
        element, parts = self.element, urlsplit(url)
        pressed = (element.role, element.name) if element else self._in_words()
        steps = unquote(parts.path).split("/")
        path = ["*" if any(map(str.isdigit, step)) else step for step in steps]
        same = self.action.action, pressed, names, method, parts.scheme, parts.netloc, path
        return sha256(repr(same).encode()).hexdigest()[:32]


def is_asked_about(action: Action) -> bool:
    """Whether a person is asked about what an action sends. What others cause to be sent, or a page
    by itself, is not sent."""
    return action.action in _PRESSING or _presses_enter(action)


def _presses_enter(action: Action) -> bool:
    return bool(action.params().get("enter"))


def element_of(context: ActionContext, action: Action) -> Element | None:
    """The element of the list that an action presses; None if that is none of them."""
    page = context.observation
    if not action.selector:
        return next((e for e in page.elements if "focused" in e.states), None)
    if listed := page.element_for(action.selector):
        return listed
    with suppress(PlaywrightError, NotFound):
        ref = context.ref(resolve(context.tabs, page, action.selector, enters=context.enters))
        return next((e for e in page.all_elements if e.ref == ref), None)
    return None


def entered(page: Observation) -> Iterator[tuple[str, str]]:
    """What the fields of a page contain, by their names."""
    for element in page.all_elements:
        name, states = element.name or element.role, element.states
        if element.role in _FIELDS and element.value:
            yield name, element.value
        elif element.role in TICKED_ROLES and "checked=true" in states:
            yield name, "checked"
        elif _PASSWORD in states:
            yield name, MASK
        elif files := next((s for s in states if s.startswith(_FILE)), ""):
            yield name, files.removeprefix(_FILE)
