"""The hands: one function an action, all of them on one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pytest_bwa.actions import capture, interact, navigate, wait
from pytest_bwa.actions.action_context import ActionContext, ActionFunction
from pytest_bwa.actions.failures import persistently
from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.actions.settle import PageSettler
from pytest_bwa.page.tabs import MAX_TOLD, Tabs
from pytest_bwa.page.time_limit import TimeLimit
from pytest_bwa.settings import Settings
from pytest_bwa.steps import PASSIVE_ACTIONS, Action, ActionResult, ArtifactStore, Observation

TABLE: dict[str, ActionFunction] = {
    "goto": navigate.goto,
    "click": interact.click,
    "type": interact.type_text,
    "scroll": navigate.scroll,
    "screenshot": capture.screenshot,
    "extract": capture.extract,
    "wait": wait.wait,
    "download": capture.download,
    "select_option": interact.select_option,
    "press": interact.press,
    "hover": interact.hover,
    "back": navigate.back,
    "upload": interact.upload,
    "switch_tab": navigate.switch_tab,
    "drag": interact.drag,
    "find": capture.find,
}


class Executor:
    """Acts on the tabs of one sample. ``act`` never raises for what goes wrong on the page."""

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
        self._grip = ActionContext(
            tabs, settler, store, rate_limiter, settings, base_url, files or {}
        )

    def act(self, action: Action, observation: Observation, step: int) -> ActionResult:
        """Do it, then wait for the page to come to rest. PageLost and EvidenceError pass."""
        context = self._grip
        context.observation, context.step = observation, step
        with self._within(context.settings.action_timeout, f"{action.action} was under way"):
            context.tabs.forget_shown_dialogs()
            context.tabs.pump()
            result = persistently(lambda: TABLE[action.action](context, action))
            if action.action not in PASSIVE_ACTIONS and action.action != "wait":
                context.settler.wait(context.page, navigated=context.page.url != observation.url)
                if context.settler.leaving and result.artifact is None:
                    context.tabs.await_file()
            return self._with_events(result)

    def _with_events(self, result: ActionResult) -> ActionResult:
        """What happened beside the page is told only when the page has come to rest: a tab opens,
        and a file begins to come, after the click."""
        context, told = self._grip, [result.description]
        told += _first([f"a dialog opened: {s}" for s in context.tabs.fresh_dialogs()], "dialogs")
        tabs = [f"tab {number} at {context.tabs.url(number)}" for number in context.tabs.opened]
        told += _first([f"it opened {tab} (switch_tab goes there)" for tab in tabs], "tabs")
        context.tabs.opened.clear()
        artifact = result.artifact
        for file in context.tabs.downloads:
            artifact, size = capture.kept(context, file)
            told.append(f"it sent a file: {capture.said(artifact, size)}")
        context.tabs.downloads.clear()
        return replace(result, description="; ".join(told), artifact=artifact)


def _first(told: list[str], things: str) -> list[str]:
    more = len(told) - MAX_TOLD
    return [*told[:MAX_TOLD], f"{more} more {things} opened"] if more > 0 else told
