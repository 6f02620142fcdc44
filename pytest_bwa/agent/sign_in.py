"""Signing in as the spec says: steps of the harness, on which no decision is spent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import StorageState

from pytest_bwa.actions.dispatch import Executor
from pytest_bwa.agent.step_log import StepLog
from pytest_bwa.agent.step_runner import StepRunner
from pytest_bwa.errors import SignInFailed
from pytest_bwa.evidence.file_lock import seated
from pytest_bwa.facts.address import address_of
from pytest_bwa.spec.login import Login
from pytest_bwa.steps.step import HIDDEN, Action, ActionResult, Element, Observation
from pytest_bwa.steps.text import has_words, label_key, one_line

MAX_TRIES = 2
"""Tries in a row that may fail, over all workers of a run: many sites lock an account after a few
wrong passwords."""
MAX_QUOTED = 200
"""Characters of a page that a reason quotes."""
_FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton"})
_WHY = "The spec says how to sign in."


@dataclass
class WorkerLogin:
    """The login that the samples of one worker share. ``folder`` is the same for all workers."""

    login: Login
    folder: Path
    state: StorageState | None = None
    """What the browser keeps of being signed in; None as long as nobody has."""
    places: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    """Where the form was seen: the login's address may lead to another one."""

    @contextmanager
    def turn(self, redact: Callable[[str], str]) -> Iterator[None]:
        """One worker at a time: all of them at once would try a wrong password as often as there
        are workers. Raises SignInFailed, without a try, after too many that failed. A page may
        repeat what was typed, so what is kept of it goes through ``redact``."""
        failures = self.folder / "failures.txt"
        with seated(self.folder, 1):
            reasons = failures.read_text("utf-8").splitlines() if failures.exists() else []
            if len(reasons) >= MAX_TRIES:
                raise SignInFailed(f"{reasons[-1]} (not tried again: {len(reasons)} tries failed)")
            try:
                yield
            except SignInFailed as problem:
                reasons.append(one_line(redact(str(problem))))
                failures.write_text("\n".join(reasons), "utf-8")
                raise
            failures.unlink(missing_ok=True)


class SignIn:
    """Signs one sample in, if its task has a login, which ``worker`` keeps. Raises SignInFailed."""

    def __init__(
        self, worker: WorkerLogin | None, executor: Executor, steps: StepRunner, log: StepLog
    ) -> None:
        self._worker, self._executor, self._steps, self._log = worker, executor, steps, log
        self._own_forms: set[str] = set()
        """Addresses of the sample's own pages that ask for the same as the login."""

    def begin(self) -> None:
        """Sign in before the sample's page is opened, unless this worker is signed in."""
        if self._worker is not None and self._worker.state is None:
            self._sign_in(self._worker)

    def is_asked_on(self, page: Observation) -> bool:
        """Whether the site shows the login: at its address, or in place of a page just opened."""
        worker, last = self._worker, self._log.last_step
        if worker is None or not _is_form(page, worker.login):
            return False
        is_opened = last is not None and last.action == "goto" and page.url not in self._own_forms
        return _is_at(page.url, worker) or (is_opened and not _says(page, worker.login))

    def again(self, page: Observation) -> None:
        """Sign in where the site asks for it, and go back to where the sample was."""
        assert self._worker is not None
        last = self._log.last_step
        asked = str(last.params.get("url") or last.url) if last is not None else ""
        self._sign_in(self._worker)
        if asked and not _is_at(asked, self._worker):
            self._open(asked)
            now = self._steps.observe()
            if _is_at(now.url, self._worker) and _is_form(now, self._worker.login):
                raise SignInFailed(f"{asked} leads to the login ({now.url}) even after signing in")
            self._own_forms.add(now.url)
            self._log.notices.append(f"The site asked to sign in; that was done. This is {asked}.")

    def _sign_in(self, worker: WorkerLogin) -> None:
        login = worker.login
        self._open(login.url)
        page = self._steps.observe()
        if _is_form(page, login) or not _confirms(page, login):
            with worker.turn(self._log.writer.redactor):
                worker.places.add(_place(page.url))
                self._fill(page, login)
        worker.state = self._executor.storage_state()

    def _fill(self, page: Observation, login: Login) -> None:
        names = [
            _only(page, label, login).name for label in login.fields
        ]  # all, before any is sent
        field = page.elements[0]
        for name, text in zip(names, login.fields.values(), strict=True):
            field = _only(page, name, login)
            page = self._do(page, action="type", selector=str(field.index), text=text)[1]
        send = {"action": "press", "key": "Enter", "selector": str(field.index)}
        if login.submit:
            send = {"action": "click", "selector": str(_button(page, login).index)}
        with self._executor.sending_form(str(field.index), page):
            result, page = self._do(page, **send)
            if _confirms(page, login):
                return
            self._step(page, action="wait", selector=login.confirmation)
        page = self._steps.observe()
        if not _confirms(page, login):
            sent, text = result.description, one_line(page.text, MAX_QUOTED)
            raise SignInFailed(
                f"signing in at {login.url} failed: “{login.confirmation}” (login.confirmation) "
                f"did not come after the form was sent ({sent}); {page.url} says “{text}”"
            )

    # -- steps ---------------------------------------------------------------------------------

    def _open(self, url: str) -> None:
        self._do(Observation(url=url, title=""), action="goto", url=url)

    def _do(self, page: Observation, **parameters: str) -> tuple[ActionResult, Observation]:
        """One step that must succeed, and the page after it."""
        result, after = self._step(page, **parameters)
        if not result.success:
            raise SignInFailed(f"signing in failed: {result.error}")
        return result, after

    def _step(self, page: Observation, **parameters: str) -> tuple[ActionResult, Observation]:
        action = Action.model_validate(parameters)
        transition = self._steps.take_own_step(action, page, "sign_in", _WHY)
        return transition.result, transition.after


def _place(url: str) -> tuple[str, tuple[str, ...]]:
    """An address without its query, which often says where to go after the login."""
    address = address_of(url)
    return address.site, address.path


def _is_at(url: str, worker: WorkerLogin) -> bool:
    (site, path), (own_site, own_path) = _place(url), _place(worker.login.url)
    return (site, path) in worker.places or (own_site in ("", site) and path == own_path)


def _named(page: Observation, label: str) -> list[Element]:
    key = label_key(label)
    fields = (e for e in page.elements if e.role in _FIELDS and HIDDEN not in e.states)
    return [field for field in fields if label_key(field.name) == key]


def _is_form(page: Observation, login: Login) -> bool:
    return all(_named(page, label) for label in login.fields)


def _confirms(page: Observation, login: Login) -> bool:
    """Whether the page says what only those see who are signed in; what a form says beside its
    fields, it says to everybody."""
    return _says(page, login) and not _is_form(page, login)


def _says(page: Observation, login: Login) -> bool:
    names = (e.name for e in page.all_elements if HIDDEN not in e.states)
    return any(has_words(text, login.confirmation) for text in (page.text, *names))


def _only(page: Observation, label: str, login: Login) -> Element:
    found = _named(page, label)
    if len(found) == 1:
        return found[0]
    names = ", ".join(f"“{e.name}”" for e in page.elements if e.role in _FIELDS) or "none"
    problem = f"{len(found)} fields are" if found else "no field is"
    raise SignInFailed(
        f"signing in at {login.url} failed: {problem} called “{label}” (login.fields) on "
        f"{page.url}; its fields are {names}, and nothing was sent"
    )


def _button(page: Observation, login: Login) -> Element:
    key = label_key(login.submit or "")
    found = [e for e in page.elements if e.role == "button" and label_key(e.name) == key]
    if len(found) != 1:
        raise SignInFailed(
            f"signing in at {login.url} failed: {len(found)} buttons are called “{login.submit}” "
            f"(login.submit) on {page.url}, and nothing was sent"
        )
    return found[0]
