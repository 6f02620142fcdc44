"""Carries out actions on the tabs of one sample."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import StorageState

from pytest_bwa.actions import navigate
from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.approval import Approver, Gate, element_of, is_asked_about
from pytest_bwa.actions.catalog import ACTIONS
from pytest_bwa.actions.declaration import ActionDeclaration
from pytest_bwa.actions.download import events_of, keep_files
from pytest_bwa.actions.failures import COVERED, failure, with_retries
from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.actions.read import open_pages
from pytest_bwa.actions.resolve import NotFound, resolve
from pytest_bwa.actions.seen.elements import SeenElements
from pytest_bwa.actions.settle import PageSettler
from pytest_bwa.confinement.guard import RequestGuard
from pytest_bwa.errors import PageLost
from pytest_bwa.page.picture import take_picture
from pytest_bwa.page.tabs import MAX_REPORTED, Tabs
from pytest_bwa.page.time_limit import TimeLimit
from pytest_bwa.settings import Settings
from pytest_bwa.spec.network.allowed_requests import AllowedRequest
from pytest_bwa.spec.network.urls import host_of
from pytest_bwa.spec.typed_secrets import TypedSecrets
from pytest_bwa.steps.step import (
    ENTERING_ACTIONS,
    Action,
    ActionResult,
    ArtifactStore,
    Effects,
    ElementRef,
    Observation,
    Picture,
)
from pytest_bwa.steps.text import visible_text


class Executor:
    """Carries out actions. What goes wrong on the page is in the result, never an exception."""

    def __init__(
        self,
        tabs: Tabs,
        within: TimeLimit,
        store: ArtifactStore,
        rate_limiter: RateLimiter,
        settings: Settings,
        *,
        base_url: str | None = None,
        files: Mapping[str, Path] | None = None,
        secrets: TypedSecrets | None = None,
        guard: RequestGuard | None = None,
        approver: Approver | None = None,
        is_patient: bool = False,
    ) -> None:
        """``is_patient``: see PageSettler; ``approver``: whom actions ask before they write."""
        self._within, self._approver = within, approver
        settler = PageSettler(
            tabs.current.context, settings.settle_timeout, tabs.clock, is_patient=is_patient
        )
        self._context = ActionContext(
            tabs, settler, store, rate_limiter, settings, base_url, files or {}
        )
        self._context.secrets = secrets or TypedSecrets()
        self._context.guard = guard
        self._context.within = within
        self._seen = SeenElements(tabs)

    def act(self, action: Action, observation: Observation, step: int) -> ActionResult:
        """Carry out the action, then wait for the page to settle. Raises PageLost and
        EvidenceError."""
        context, declared = self._context, ACTIONS[action.action]
        enters = action.action in ENTERING_ACTIONS
        context.begin(observation, step, watches=declared.changes_page, enters=enters)
        context.tabs.forget_shown_dialogs()
        if not context.tabs.has_background:
            context.tabs.answers.clear()
        gate = self._gate(action)
        try:
            result = self._other_record(action) or self._name_cover(
                action,
                with_retries(lambda: self._try(declared, action), lambda: not gate.approvals),
            )
            if context.types_secret:
                result = replace(result, is_secret=True)
            return gate.applied_to(self._settle(action, declared, observation, result))
        finally:
            if context.guard is not None:
                context.guard.end_action()

    def _gate(self, action: Action) -> Gate:
        """What the action passes before it writes, with a picture of what a person will be asked
        about."""
        context = self._context
        gate = Gate(self._approver, context, action)
        if self._approver is not None and context.guard and is_asked_about(action):
            with self._limit(action):
                gate.element = element_of(context, action)
            gate.picture = self.take_picture([gate.element.ref] if gate.element else ())
            context.guard.gate = gate
        return gate

    def unclear(self, action: Action, observation: Observation) -> str:
        """Why a text, CSS or XPath of an action does not name one element of the page, and only
        one; empty if it does."""
        context = self._context
        enters = action.action in ENTERING_ACTIONS
        context.begin(observation, context.step, watches=False, enters=enters)
        try:
            with self._limit(action):
                for selector in filter(None, (action.selector, action.target)):
                    if others := context.count_others(selector, context.element(selector)):
                        return f'{others + 1} elements match "{selector}"'
        except (PlaywrightError, NotFound) as problem:
            return str(problem)
        return ""

    @contextmanager
    def pages_of(self, action: Action, observation: Observation) -> Iterator[list[Action]]:
        """What ``read`` reads as an action for each page. They are open in the background as long
        as the block lasts. Raises PageLost."""
        context = self._context
        context.observation = observation
        context.begin_guarded(acts=False)
        try:
            context.tabs.handle_events()
            yield open_pages(context, action.pages or (), self._seen.listed)
        finally:
            context.tabs.close_background()

    def add_seen(self, page: Observation) -> None:
        """What the policy has seen of a page in the background, which is shown no more."""
        self._seen.add(page)
        self._context.tabs.show_background(None)

    def _other_record(self, action: Action) -> ActionResult | None:
        """A failure if what the action names by its number is another record now than what the
        policy saw; nothing is done then."""
        with suppress(PlaywrightError), self._limit(action):
            return self._seen.refusal(action, self._context.observation)
        return None

    def _name_cover(self, action: Action, result: ActionResult) -> ActionResult:
        """A failure because of what covers the element, with what that is."""
        if result.error != COVERED or not action.selector:
            return result
        with suppress(PlaywrightError, NotFound), self._limit(action):
            if cover := self._context.describe_cover(action.selector):
                return failure(f"{COVERED}: {cover}")
        return result

    def _settle(
        self,
        action: Action,
        declared: ActionDeclaration,
        observation: Observation,
        result: ActionResult,
    ) -> ActionResult:
        """The result with what followed from the action, once the page has settled."""
        context = self._context
        with self._limit(action):
            if declared.changes_page and declared.settles:
                context.settler.wait(
                    context.page,
                    navigated=context.page.url != observation.url,
                )
                if context.tabs.await_filled():
                    context.settler.wait(context.page, navigated=False)
                if context.settler.leaving and result.artifact is None:
                    self._await_file_or_page()
            if context.target is not None and result.effects == Effects():
                result = replace(result, effects=context.target.effects())
            return self._with_events(navigate.with_end(context, result))

    def _await_file_or_page(self) -> None:
        """A page that was being left is still open: a file comes, or the next page comes late."""
        context = self._context
        if not context.tabs.await_file() and context.tabs.has_open:
            context.settler.wait(context.page, navigated=True)

    def take_picture(self, reveal: Sequence[ElementRef] = ()) -> Picture | None:
        """A picture of the current page that no policy asked for; None if there is none to take,
        and the next action or observation says why."""
        context = self._context
        seconds = context.settings.action_timeout
        try:
            with self._within(seconds, "a picture was taken"):
                return take_picture(context.tabs, context.max_ms, reveal)
        except (PlaywrightError, PageLost):
            return None

    def storage_state(self) -> StorageState:
        """What the browser keeps of being signed in. Raises PageLost and Playwright's error."""
        context = self._context
        with self._within(context.settings.action_timeout, "the login was kept"):
            return context.page.context.storage_state()

    @contextmanager
    def sending_form(self, selector: str, observation: Observation) -> Iterator[None]:
        """Let the form of a field be sent, even if the task is read_only."""
        context, action = self._context, ""
        with suppress(PlaywrightError, NotFound):
            field = resolve(context.tabs, observation, selector)
            action = field.evaluate("e => e.form && e.form.getAttribute('action')") or ""
        guard, address = context.guard, urljoin(context.page.url, action)
        form = AllowedRequest(path=urlsplit(address).path or "/", host=host_of(address))
        with guard.letting_through(form) if guard is not None else nullcontext():
            yield

    def _try(self, declared: ActionDeclaration, action: Action) -> ActionResult:
        # A long wait for a rate limit says nothing about the page, and must not end the browser.
        if (seconds := declared.wait_before(self._context, action)) > 0:
            time.sleep(seconds)
        with self._limit(action):
            self._context.tabs.handle_events()
            self._context.settler.begin_action()
            self._context.begin_guarded(acts=declared.changes_page and action.action != "goto")
            result = declared(self._context, action)
        if result.success and action.action in ENTERING_ACTIONS:
            self._context.entered_at = self._context.page.url
        return result

    def _limit(self, action: Action) -> AbstractContextManager[None]:
        seconds = self._context.settings.action_timeout
        return self._within(seconds, f"{action.action} was under way")

    def _with_events(self, result: ActionResult) -> ActionResult:
        """Adds dialogs, new tabs and downloads to the result. Called after the page has settled: a
        tab opens, and a download begins, only after the click."""
        context, events = self._context, [result.description]
        files = keep_files(context)
        kept = [file.artifact for file in files if file.artifact]
        artifact = kept[-1] if kept else result.artifact
        events += _first(
            [f"a dialog opened: {s}" for s in context.tabs.unshown_dialogs()], "dialogs"
        )
        opened = context.tabs.take_opened()
        tabs = [f"tab {number} at {context.tabs.url(number)}" for number in opened]
        events += _first([f"it opened {tab} (switch_tab goes there)" for tab in tabs], "tabs")
        if context.guard is not None:
            guard, tab = context.guard, context.page
            if result.success and (stopped := guard.stopped_page(tab)):
                result = replace(result, success=False, error=stopped, forbidden=True)
                events.append(stopped)
            popup = "" if context.tabs.has_background else guard.stopped_popup(tab)
            events += filter(None, [popup, guard.take_unsent()])
        events += events_of(files)
        result = replace(result, description="; ".join(events), artifact=artifact)
        return _shareable(result, context.secrets.redactor)


def _shareable(result: ActionResult, hide: Callable[[str], str]) -> ActionResult:
    """The result without secrets and what nobody sees: what it quotes of the page is logged and
    sent to the model."""

    def clean(text: str) -> str:
        return visible_text(hide(text))

    error = None if result.error is None else clean(result.error)
    changes, looks = (
        tuple(map(clean, lines)) for lines in (result.effects.changes, result.effects.looks)
    )
    effects = replace(result.effects, changes=changes, looks=looks)
    return replace(
        result,
        description=clean(result.description),
        error=error,
        read_text=clean(result.read_text),
        lines=tuple(replace(line, text=clean(line.text)) for line in result.lines),
        effects=effects,
    )


def _first(events: list[str], things: str) -> list[str]:
    more = len(events) - MAX_REPORTED
    many = things if more > 1 else things.removesuffix("s")
    return [*events[:MAX_REPORTED], f"{more} more {many} opened"] if more > 0 else events
