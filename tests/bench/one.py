"""One sample, phase by phase: ours, and the same calls in bare Playwright."""

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
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.perception.observer import PAGE_SCRIPT, Observer
from pytest_bwa.run import INIT_SCRIPT
from pytest_bwa.settings import read_settings
from pytest_bwa.steps import Action, Observation, Step, utc_now

CONTEXT: Any = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
Times = dict[str, list[float]]
PHASES = (
    "context", "navigation", "observe", "observe again", "idle action", "observe after",
    "record", "screenshot", "three steps", "three steps and screenshot",
)  # fmt: skip


@contextmanager
def timed(times: Times, *phases: str) -> Iterator[None]:
    begun = time.perf_counter()
    yield
    for phase in phases:
        times[phase].append(time.perf_counter() - begun)


def measure(folder: Path, rounds: int) -> tuple[Times, Times, BenchSite]:
    """Seconds by phase, for us and for bare Playwright; the site is still open."""
    os.environ["BWA_RATE_LIMITS"] = "{}"
    ours: Times = defaultdict(list)
    bare: Times = defaultdict(list)
    site = BenchSite()
    with sync_playwright() as playwright:
        found = find_browser(read_settings().browser)
        browser = playwright.chromium.launch(**launch_arguments(found))
        for number in range(rounds + 1):
            # The first round warms both up and is not counted.
            kept = (ours, bare) if number else (defaultdict(list), defaultdict(list))
            _ours(browser, site.url + "/", folder / f"s{number}", kept[0])
            _bare(browser, site.url + "/", kept[1])
        browser.close()
    return ours, bare, site


def _ours(browser: Browser, url: str, folder: Path, times: Times) -> None:
    within = lambda seconds, what: nullcontext()  # noqa: E731 - nothing hangs here
    settings = read_settings()  # once a run
    with timed(times, "three steps and screenshot"):
        with timed(times, "three steps"):
            with timed(times, "context"):
                context = browser.new_context(**CONTEXT)
                page = context.new_page()
                page.context.add_init_script(INIT_SCRIPT)
                writer = SampleWriter(folder, "s", 9)
                tabs = Tabs(page)
                eyes = Observer(tabs, within)
                pace = RateLimiter(folder / ".pace", settings.rate_limits)
                hands = Executor(tabs, within, writer, pace, settings, install=PAGE_SCRIPT)
            with timed(times, "navigation"):
                hands.act(Action(action="goto", url=url), Observation(url="", title=""), 0)
            with timed(times, "observe"):
                seen = eyes.observe()
            assert len(seen.elements) > 100, "the page was not filled yet"
            idle = str(next(e.index for e in seen.elements if e.name == "Idle"))
            with timed(times, "observe again"):
                eyes.observe()
            with timed(times, "idle action"):
                hands.act(Action(action="click", selector=idle), seen, 1)
            with timed(times, "observe after"):
                seen = eyes.observe()
            with timed(times, "record"):
                writer.log(_step(url))
                writer.checkpoint(1, {}, [], "done")
        with timed(times, "screenshot"):
            hands.act(Action(action="screenshot", label="page"), seen, 2)
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
        mine = median(ours[phase])
        theirs = median(bare[phase]) if bare[phase] else None
        compared = f"{theirs:9.3f}{mine / theirs:8.2f}" if theirs else f"{'–':>9}{'–':>8}"
        lines.append(f"{phase:28}{mine:9.3f}{compared}")
    return "\n".join(lines)
