"""A real Chromium that hangs, crashes and is killed."""

import contextlib
import os
import signal
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.browser import keep_alive
from pytest_bwa.browser.driver import newest_driver
from pytest_bwa.browser.find import FoundBrowser, find_browser
from pytest_bwa.browser.keep_alive import RelaunchingBrowser
from pytest_bwa.browser.start_check import check_start
from pytest_bwa.browser.watchdog import Watchdog
from pytest_bwa.errors import BrowserMissing, PageLost
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.settings import read_settings

BOUND = 1.0
Launch = Callable[[], Browser]


@pytest.fixture
def living(launch_browser: Launch) -> Iterator[RelaunchingBrowser]:
    browser = RelaunchingBrowser(launch_browser)
    yield browser
    browser.close()


def a_page(living: RelaunchingBrowser, html: str = "hello") -> Page:
    page = living.new_context().new_page()
    page.goto(f"data:text/html,<p>{html}</p>")
    return page


def assert_serves(living: RelaunchingBrowser) -> None:
    page = a_page(living, "again")
    assert page.inner_text("p") == "again"
    page.context.close()


def kill_main_process(living: RelaunchingBrowser, *, wait: bool = True) -> None:
    assert living.pid is not None
    process = psutil.Process(living.pid)
    process.kill()
    if wait:
        process.wait(10)


def never_yielding(page: Page) -> None:
    """From now on the page's script runs for ever; the call itself comes back."""
    page.evaluate("void setTimeout(() => { while (true) {} }, 0)")


def test_a_page_that_never_yields_is_freed_in_time(living: RelaunchingBrowser) -> None:
    watchdog, page, first = Watchdog(living.kill), a_page(living), living.pid
    never_yielding(page)
    started = time.monotonic()
    with (
        pytest.raises(PageLost, match="for 1 s while reading the page; its browser was stopped"),
        watchdog.within(BOUND, "reading the page"),
    ):
        page.evaluate("1")
    assert BOUND <= time.monotonic() - started < BOUND + 3
    page.context.close()
    assert_serves(living)
    assert living.pid != first
    assert living.launches == 2


def test_a_page_that_hangs_while_it_loads_is_freed(living: RelaunchingBrowser) -> None:
    watchdog, page = Watchdog(living.kill), a_page(living)
    with pytest.raises(PageLost), watchdog.within(BOUND, "opening the page"):
        page.goto("data:text/html,<script>while (true) {}</script>", timeout=0)
    assert_serves(living)


def test_the_bound_of_one_call_never_costs_the_next_its_browser(living: RelaunchingBrowser) -> None:
    watchdog, page, first = Watchdog(living.kill), a_page(living), living.pid
    for _ in range(3):
        with watchdog.within(BOUND, "reading the page"):
            page.evaluate("new Promise(done => setTimeout(done, 500))")
    assert page.evaluate("1 + 1") == 2
    assert living.pid == first


def test_a_killed_browser_is_replaced(living: RelaunchingBrowser) -> None:
    page = a_page(living)
    kill_main_process(living)
    with pytest.raises(PlaywrightError):
        page.evaluate("1")
    assert not living.is_connected()
    page.context.close()
    assert_serves(living)
    assert living.launches == 2


def test_a_death_that_playwright_has_not_noticed_is_seen(living: RelaunchingBrowser) -> None:
    page = a_page(living)
    kill_main_process(living)
    assert not living.is_connected()
    assert_serves(living)
    page.context.close()


@pytest.mark.parametrize("new", ["new_context", "new_page"])
def test_a_browser_that_is_just_dying_is_replaced(living: RelaunchingBrowser, new: str) -> None:
    kill_main_process(living, wait=False)
    getattr(living, new)().close()
    assert living.launches == 2


def test_wrong_options_are_told_and_cost_no_browser(living: RelaunchingBrowser) -> None:
    with pytest.raises(PlaywrightError, match="nowhere"):
        living.new_context(storage_state="/nowhere/state.json")
    assert living.launches == 1


@pytest.mark.parametrize("noticed", [False, True])
def test_what_follows_a_dead_browser_raises_nothing(
    living: RelaunchingBrowser, tmp_path: Path, noticed: bool
) -> None:
    """As pytest-playwright does after each item: stop tracing, close, and move the trace."""
    page, context = a_page(living), living.new_context()
    context.tracing.start()
    kill_main_process(living)
    if noticed:
        with pytest.raises(PlaywrightError):
            page.evaluate("1")
    context.tracing.stop(path=tmp_path / "trace.zip")
    context.close()
    context.close()
    assert zipfile.is_zipfile(tmp_path / "trace.zip")
    living.close()
    living.close()


@pytest.mark.parametrize("end", ["close", "trace", "browser"])
def test_a_browser_that_does_not_answer_cannot_hold_whoever_closes_it(
    living: RelaunchingBrowser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr(keep_alive, "CLOSING_SECONDS", BOUND)
    monkeypatch.setattr(keep_alive, "TRACE_SECONDS", BOUND)
    page, context = a_page(living), living.new_context()
    context.tracing.start(screenshots=True)
    context.new_page()
    assert living.pid is not None
    psutil.Process(living.pid).suspend()
    started = time.monotonic()
    match end:
        case "close":
            page.context.close()
        case "trace":
            context.tracing.stop(path=tmp_path / "trace.zip")
            assert zipfile.is_zipfile(tmp_path / "trace.zip")
            context.close()
        case "browser":
            living.close()
    assert time.monotonic() - started < 3 * BOUND + 3
    assert_serves(living)
    assert living.launches == 2


def test_tracing_and_closing_still_work_on_a_living_browser(
    living: RelaunchingBrowser, tmp_path: Path
) -> None:
    context = living.new_context()
    context.tracing.start()
    context.new_page().goto("data:text/html,hello")
    context.tracing.stop(path=tmp_path / "trace.zip")
    context.close()
    assert "trace.trace" in zipfile.ZipFile(tmp_path / "trace.zip").namelist()
    other = living.new_context()
    with pytest.raises(PlaywrightError, match="start tracing"):
        other.tracing.stop(path=tmp_path / "never_started.zip")


def test_a_killed_renderer_ends_its_page_and_not_the_browser(living: RelaunchingBrowser) -> None:
    page = a_page(living)
    crashed: list[Page] = []
    page.on("crash", lambda lost: crashed.append(lost))
    threading.Timer(0.3, kill_renderers, [living]).start()
    with pytest.raises(PlaywrightError, match="crashed"):
        page.evaluate("new Promise(() => {})")
    assert crashed == [page]
    with pytest.raises(PlaywrightError):
        page.evaluate("1")
    page.context.close()
    assert_serves(living)
    assert living.launches == 1


def test_a_crash_frees_whoever_waits_for_the_page_and_is_told_as_such(
    living: RelaunchingBrowser,
) -> None:
    tabs, watchdog = Tabs(a_page(living)), Watchdog(living.kill)
    asked = tabs.current.context.new_cdp_session(tabs.current)
    with pytest.raises(PlaywrightError), watchdog.within(20, "it crashed"):
        asked.send("Page.crash")  # which has no answer
    within = tabs.naming_crashes(watchdog.within)
    with pytest.raises(PageLost, match="the page crashed"), within(20, "the page was read"):
        tabs.pump()
    assert living.launches == 1
    assert_serves(living)


def kill_renderers(living: RelaunchingBrowser) -> None:
    assert living.pid is not None
    for process in psutil.Process(living.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if any("--type=renderer" in argument for argument in process.cmdline()):
                os.kill(process.pid, signal.SIGKILL)


def test_kill_stops_every_process_of_the_browser(living: RelaunchingBrowser) -> None:
    a_page(living)
    assert living.pid is not None
    main = psutil.Process(living.pid)
    family = [main, *main.children(recursive=True)]
    assert len(family) > 2
    killer = threading.Thread(target=living.kill)
    killer.start()
    killer.join()
    _, alive = psutil.wait_procs(family, timeout=10)
    assert [p for p in alive if p.status() != psutil.STATUS_ZOMBIE] == []
    assert living.kill(), "a browser that is gone already counts as stopped"


def test_all_else_is_the_browsers_own(living: RelaunchingBrowser) -> None:
    assert living.version
    assert living.browser_type.name == "chromium"
    context = living.new_context()
    assert living.contexts == [context]
    page = living.new_page()
    assert len(living.contexts) == 2
    page.close()
    context.close()


class Told:
    """A browser of which CDP tells what it is told to."""

    def __init__(self, browser: Any, number: int | None) -> None:
        self._browser, self._number = browser, number

    def new_browser_cdp_session(self) -> "Told":
        if self._number is None:
            raise PlaywrightError("CDP session is only available in Chromium")
        return self

    def send(self, _: str) -> dict[str, Any]:
        return {"processInfo": [{"type": "browser", "id": self._number, "cpuTime": 0}]}

    def detach(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._browser, name)


def test_without_cdp_the_drivers_newest_process_is_the_browser(launch_browser: Launch) -> None:
    told: Any = lambda: Told(launch_browser(), None)  # noqa: E731
    living = RelaunchingBrowser(told)
    assert living.pid is not None
    listed = launch_browser_pid(living)
    assert living.pid == listed
    living.close()


def launch_browser_pid(living: RelaunchingBrowser) -> int:
    """What Chromium itself says, asked past the stand-in."""
    session = living._browser._browser.new_browser_cdp_session()  # type: ignore[attr-defined]
    listed = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return int(next(p["id"] for p in listed if p["type"] == "browser"))


def test_a_process_number_from_elsewhere_is_never_believed() -> None:
    """A browser on another machine tells its own number: here that is somebody else's."""
    stranger: Any = Told(None, os.getppid())
    assert keep_alive._process_of(stranger, newest_driver(), time.time() + 60) is None


def test_a_browser_that_cannot_start_is_told_in_one_line() -> None:
    def launch() -> Browser:
        raise PlaywrightError("BrowserType.launch: failed\nFATAL: No usable sandbox! Update\n" * 9)

    with pytest.raises(BrowserMissing, match=r"allows no sandbox .*run `bwa doctor`") as missing:
        RelaunchingBrowser(launch)
    assert "\n" not in str(missing.value)


def test_a_trial_says_that_the_real_browser_starts() -> None:
    trial = tried(find_browser(read_settings().browser))
    assert trial.problem == ""
    assert trial.version.split(".")[0].isdigit()
    assert trial.seconds > 0


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        (
            "echo 'x: error while loading shared libraries: libnss3.so' >&2; exit 127",
            "install-deps",
        ),
        ("exit 1", "closed"),
    ],
)
def test_a_trial_says_why_a_program_is_no_browser(
    tmp_path: Path, script: str, problem: str
) -> None:
    path = tmp_path / "browser"
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o755)
    trial = tried(FoundBrowser(path, own=False))
    assert problem in trial.problem
    assert "\n" not in trial.problem


def tried(found: FoundBrowser) -> Any:
    """In a thread of its own: this one already has a Playwright, by pytest-playwright."""
    with ThreadPoolExecutor(1) as own:
        return own.submit(check_start, found).result()
