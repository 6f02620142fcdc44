"""Carries out actions on the tabs of one sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pytest_bwa.actions import capture
from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.catalog import ACTIONS
from pytest_bwa.actions.failures import with_retries
from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.actions.settle import PageSettler
from pytest_bwa.page.tabs import MAX_REPORTED, Tabs
from pytest_bwa.page.time_limit import TimeLimit
from pytest_bwa.settings import Settings
from pytest_bwa.steps import Action, ActionResult, ArtifactStore, Observation
from pytest_bwa.text import whole_characters


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
        install: str,
        base_url: str | None = None,
        files: Mapping[str, Path] | None = None,
    ) -> None:
        self._within = within
        settler = PageSettler(tabs.current.context, install, settings.settle_timeout)
        self._context = ActionContext(
            tabs, settler, store, rate_limiter, settings, base_url, files or {}
        )

    def act(self, action: Action, observation: Observation, step: int) -> ActionResult:
        """Carry out the action, then wait for the page to settle. Raises PageLost and
        EvidenceError."""
        context = self._context
        context.observation, context.step = observation, step
        with self._within(context.settings.action_timeout, f"{action.action} was under way"):
            context.tabs.forget_shown_dialogs()
            context.tabs.handle_events()
            declared = ACTIONS[action.action]
            result = with_retries(lambda: declared(context, action))
            if declared.changes_page and declared.settles:
                context.settler.wait(context.page, navigated=context.page.url != observation.url)
                if context.settler.leaving and result.artifact is None:
                    context.tabs.await_file()
            return self._with_events(result)

    def _with_events(self, result: ActionResult) -> ActionResult:
        """Adds dialogs, new tabs and downloads to the result. Called after the page has settled: a
        tab opens, and a download begins, only after the click."""
        context, events = self._context, [result.description]
        events += _first(
            [f"a dialog opened: {s}" for s in context.tabs.unshown_dialogs()], "dialogs"
        )
        tabs = [f"tab {number} at {context.tabs.url(number)}" for number in context.tabs.opened]
        events += _first([f"it opened {tab} (switch_tab goes there)" for tab in tabs], "tabs")
        context.tabs.opened.clear()
        artifact = result.artifact
        for file in context.tabs.downloads:
            artifact, size = capture.keep_download(context, file)
            events.append(f"it sent a file: {capture.describe_file(artifact, size)}")
        context.tabs.downloads.clear()
        return _encodable(replace(result, description="; ".join(events), artifact=artifact))


def _encodable(result: ActionResult) -> ActionResult:
    """The result without half characters: what it quotes of the page is logged and sent to the
    model."""
    data = {
        key: whole_characters(value) if isinstance(value, str) else value
        for key, value in result.data.items()
    }
    error = None if result.error is None else whole_characters(result.error)
    description = whole_characters(result.description)
    return replace(result, description=description, error=error, data=data)


def _first(events: list[str], things: str) -> list[str]:
    more = len(events) - MAX_REPORTED
    return [*events[:MAX_REPORTED], f"{more} more {things} opened"] if more > 0 else events
