"""Measures one sample phase by phase: pytest-bwa, and the same calls in bare Playwright."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from statistics import median
from typing import Any

from bench.page import BenchSite
from playwright.sync_api import Browser, sync_playwright

from pytest_bwa.actions.dispatch import Executor
from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.page.perception.observer import Observer
from pytest_bwa.page.readers import INIT_SCRIPT
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.settings import read_settings
from pytest_bwa.steps.step import Action, Observation, Step, utc_now

CONTEXT: Any = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
Times = dict[str, list[float]]
PHASES = (
    "context", "navigation", "observe", "observe again", "idle action", "observe after",
    "record", "screenshot", "three steps", "three steps and screenshot",
)  # fmt: skip


@contextmanager
def timed(times: Times, *phases: str) -> Iterator[None]:
    started = time.perf_counter()
    yield
    for phase in phases:
        times[phase].append(time.perf_counter() - started)


def measure(folder: Path, rounds: int) -> tuple[Times, Times, BenchSite]:
    """Return seconds by phase, of pytest-bwa and of bare Playwright, and the site, still open."""
    os.environ["BWA_RATE_LIMITS"] = "{}"
    ours: Times = defaultdict(list)
    bare: Times = defaultdict(list)
    site = BenchSite()
    with sync_playwright() as playwright:
        found_browser = find_browser(read_settings().browser)
        browser = playwright.chromium.launch(**launch_arguments(found_browser))
        for number in range(rounds + 1):
            # The first round warms up both and is not counted.
            times = (ours, bare) if number else (defaultdict(list), defaultdict(list))
            _ours(browser, site.url + "/", folder / f"s{number}", times[0])
            _bare(browser, site.url + "/", times[1])
        browser.close()
    return ours, bare, site


def _ours(browser: Browser, url: str, folder: Path, times: Times) -> None:
    within = lambda seconds, what: nullcontext()  # noqa: E731 - no time limit
    settings = read_settings()  # read once per run
    with timed(times, "three steps and screenshot"):
        with timed(times, "three steps"):
            with timed(times, "context"):
                context = browser.new_context(**CONTEXT)
                page = context.new_page()
                page.context.add_init_script(INIT_SCRIPT)
                writer = SampleWriter(folder, "s", 9)
                tabs = Tabs(page)
                observer = Observer(tabs, within)
                rate_limiter = RateLimiter(folder / ".pace", settings.rate_limits)
                executor = Executor(tabs, within, writer, rate_limiter, settings)
            with timed(times, "navigation"):
                executor.act(Action(action="goto", url=url), Observation(url="", title=""), 0)
            with timed(times, "observe"):
                observation = observer.observe()
            assert len(observation.elements) > 100, "the content of the page is not loaded yet"
            idle = str(next(e.index for e in observation.elements if e.name == "Idle"))
            with timed(times, "observe again"):
                observer.observe()
            with timed(times, "idle action"):
                executor.act(Action(action="click", selector=idle), observation, 1)
            with timed(times, "observe after"):
                observation = observer.observe()
            with timed(times, "record"):
                writer.log(_step(url))
                writer.checkpoint(1, {}, [], "done")
        with timed(times, "screenshot"):
            executor.act(Action(action="screenshot", label="page"), observation, 2)
    context.close()


def _step(url: str) -> Step:
    now = utc_now()
    return Step(
        step=1, action="click", result="", success=True, url=url, started_at=now, timestamp=now
    )


def _bare(browser: Browser, url: str, times: Times) -> None:
    with timed(times, "three steps and screenshot"):
        with timed(times, "three steps"):
            with timed(times, "context"):
                context = browser.new_context(**CONTEXT)
                page = context.new_page()
            with timed(times, "navigation"):
                page.goto(url)
                page.wait_for_selector("text=Value 83")
            with timed(times, "observe"):
                page.locator("body").aria_snapshot()
            with timed(times, "observe again"):
                page.locator("body").aria_snapshot()
            with timed(times, "idle action"):
                page.get_by_role("button", name="Idle").click()
            with timed(times, "observe after"):
                page.locator("body").aria_snapshot()
        with timed(times, "screenshot"):
            page.screenshot(full_page=True, animations="disabled")
    context.close()


def table(ours: Times, bare: Times) -> str:
    lines = [f"{'phase':28}{'ours s':>9}{'bare s':>9}{'ratio':>8}"]
    for phase in PHASES:
        our_median = median(ours[phase])
        bare_median = median(bare[phase]) if bare[phase] else None
        compared = (
            f"{bare_median:9.3f}{our_median / bare_median:8.2f}"
            if bare_median
            else f"{'–':>9}{'–':>8}"
        )
        lines.append(f"{phase:28}{our_median:9.3f}{compared}")
    return "\n".join(lines)
