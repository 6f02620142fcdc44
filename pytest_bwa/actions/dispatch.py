"""The hands: one function an action, all of them on one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pytest_bwa.actions import bringing, moving, touching
from pytest_bwa.actions.grip import Doing, Grip, Keep
from pytest_bwa.actions.guard import persistently
from pytest_bwa.actions.pace import Pace
from pytest_bwa.actions.settle import Quiet
from pytest_bwa.actions.tabs import MOST_TOLD, Tabs, Within
from pytest_bwa.settings import Settings
from pytest_bwa.steps import PASSIVE_ACTIONS, Action, ActionResult, Observation

TABLE: dict[str, Doing] = {
    "goto": moving.goto,
    "click": touching.click,
    "type": touching.type_text,
    "scroll": moving.scroll,
    "screenshot": bringing.screenshot,
    "extract": bringing.extract,
    "wait": moving.wait,
    "download": bringing.download,
    "select_option": touching.select_option,
    "press": touching.press,
    "hover": touching.hover,
    "back": moving.back,
    "upload": touching.upload,
    "switch_tab": moving.switch_tab,
    "drag": touching.drag,
    "find": bringing.find,
}


class Hands:
    """Acts on the tabs of one sample. ``act`` never raises for what goes wrong on the page."""

    def __init__(
        self,
        tabs: Tabs,
        within: Within,
        keep: Keep,
        pace: Pace,
        settings: Settings,
        *,
        install: str,
        base_url: str | None = None,
        files: Mapping[str, Path] | None = None,
    ) -> None:
        self._within = within
        quiet = Quiet(tabs.current.context, install, settings.settle_timeout)
        self._grip = Grip(tabs, quiet, keep, pace, settings, base_url, files or {})

    def act(self, action: Action, observation: Observation, step: int) -> ActionResult:
        """Do it, then wait for the page to come to rest. PageLost and EvidenceError pass."""
        grip = self._grip
        grip.observation, grip.step = observation, step
        with self._within(grip.settings.action_timeout, f"{action.action} was under way"):
            grip.tabs.forget_shown_dialogs()
            grip.tabs.pump()
            result = persistently(lambda: TABLE[action.action](grip, action))
            if action.action not in PASSIVE_ACTIONS and action.action != "wait":
                grip.quiet.wait(grip.page, navigated=grip.page.url != observation.url)
                if grip.quiet.leaving and result.artifact is None:
                    grip.tabs.await_file()
            return self._with_events(result)

    def _with_events(self, result: ActionResult) -> ActionResult:
        """What happened beside the page is told only when the page has come to rest: a tab opens,
        and a file begins to come, after the click."""
        grip, told = self._grip, [result.description]
        told += _first([f"a dialog opened: {s}" for s in grip.tabs.fresh_dialogs()], "dialogs")
        tabs = [f"tab {number} at {grip.tabs.url(number)}" for number in grip.tabs.opened]
        told += _first([f"it opened {tab} (switch_tab goes there)" for tab in tabs], "tabs")
        grip.tabs.opened.clear()
        artifact = result.artifact
        for file in grip.tabs.downloads:
            artifact, size = bringing.kept(grip, file)
            told.append(f"it sent a file: {bringing.said(artifact, size)}")
        grip.tabs.downloads.clear()
        return replace(result, description="; ".join(told), artifact=artifact)


def _first(told: list[str], things: str) -> list[str]:
    more = len(told) - MOST_TOLD
    return [*told[:MOST_TOLD], f"{more} more {things} opened"] if more > 0 else told
