"""A real Chromium that hangs, crashes or is killed is replaced."""

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
from pytest_bwa.browser.find import FoundBrowser, find_browser
from pytest_bwa.browser.keep_alive import RelaunchingBrowser, newest_driver
from pytest_bwa.browser.start_check import check_start
from pytest_bwa.browser.watchdog import Watchdog
from pytest_bwa.errors import BrowserMissing, PageLost
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.settings import read_settings

LIMIT = 1.0
Launch = Callable[[], Browser]


@pytest.fixture
def browser(launch_browser: Launch) -> Iterator[RelaunchingBrowser]:
    browser = RelaunchingBrowser(launch_browser)
    yield browser
    browser.close()


def a_page(browser: RelaunchingBrowser, html: str = "hello") -> Page:
    page = browser.new_context().new_page()
    page.goto(f"data:text/html,<p>{html}</p>")
    return page


def assert_serves(browser: RelaunchingBrowser) -> None:
    page = a_page(browser, "again")
    assert page.inner_text("p") == "again"
    page.context.close()


def kill_main_process(browser: RelaunchingBrowser, *, wait: bool = True) -> None:
    assert browser.pid is not None
    process = psutil.Process(browser.pid)
    process.kill()
    if wait:
        process.wait(10)


def start_endless_script(page: Page) -> None:
    """Make a script of the page run for ever from now on; this call returns."""
    page.evaluate("void setTimeout(() => { while (true) {} }, 0)")


def test_a_call_to_a_page_that_hangs_ends_in_time(browser: RelaunchingBrowser) -> None:
    watchdog, page, first = Watchdog(browser.kill), a_page(browser), browser.pid
    start_endless_script(page)
    started = time.monotonic()
    with (
        pytest.raises(PageLost, match="for 1 s while reading the page; its browser was stopped"),
        watchdog.within(LIMIT, "reading the page"),
    ):
        page.evaluate("1")
    assert time.monotonic() - started >= LIMIT
    page.context.close()
    assert_serves(browser)
    assert browser.pid != first
    assert browser.launches == 2


def test_a_call_to_a_page_that_hangs_while_loading_ends(browser: RelaunchingBrowser) -> None:
    watchdog, page = Watchdog(browser.kill), a_page(browser)
    with pytest.raises(PageLost), watchdog.within(LIMIT, "opening the page"):
        page.goto("data:text/html,<script>while (true) {}</script>", timeout=0)
    assert_serves(browser)


def test_the_limit_of_one_call_never_kills_the_browser_of_the_next(
    browser: RelaunchingBrowser,
) -> None:
    watchdog, page, first = Watchdog(browser.kill), a_page(browser), browser.pid
    with watchdog.within(2 * LIMIT, "reading the page"):
        page.evaluate("1")
    with watchdog.within(60, "reading the page"):
        page.wait_for_timeout(2 * LIMIT * 1000 + 200)
    assert page.evaluate("1 + 1") == 2
    assert browser.pid == first


def test_a_killed_browser_is_replaced(browser: RelaunchingBrowser) -> None:
    page = a_page(browser)
    kill_main_process(browser)
    with pytest.raises(PlaywrightError):
        page.evaluate("1")
    assert not browser.is_connected()
    page.context.close()
    assert_serves(browser)
    assert browser.launches == 2


def test_a_death_that_playwright_has_not_noticed_is_detected(browser: RelaunchingBrowser) -> None:
    page = a_page(browser)
    kill_main_process(browser)
    assert not browser.is_connected()
    assert_serves(browser)
    page.context.close()


@pytest.mark.parametrize("new", ["new_context", "new_page"])
def test_a_browser_that_is_dying_is_replaced(browser: RelaunchingBrowser, new: str) -> None:
    kill_main_process(browser, wait=False)
    getattr(browser, new)().close()
    assert browser.launches == 2


def test_wrong_options_are_an_error_and_do_not_relaunch(browser: RelaunchingBrowser) -> None:
    with pytest.raises(PlaywrightError, match="nowhere"):
        browser.new_context(storage_state="/nowhere/state.json")
    assert browser.launches == 1


@pytest.mark.parametrize("noticed", [False, True])
def test_cleaning_up_after_a_dead_browser_raises_nothing(
    browser: RelaunchingBrowser, tmp_path: Path, noticed: bool
) -> None:
    """Like pytest-playwright after each item: stop tracing, close, and move the trace."""
    page, context = a_page(browser), browser.new_context()
    context.tracing.start()
    kill_main_process(browser)
    if noticed:
        with pytest.raises(PlaywrightError):
            page.evaluate("1")
    context.tracing.stop(path=tmp_path / "trace.zip")
    context.close()
    context.close()
    assert zipfile.is_zipfile(tmp_path / "trace.zip")
    browser.close()
    browser.close()


@pytest.mark.parametrize("end", ["close", "trace", "browser"])
def test_closing_a_browser_that_hangs_takes_limited_time(
    browser: RelaunchingBrowser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr(keep_alive, "CLOSING_SECONDS", LIMIT)
    monkeypatch.setattr(keep_alive, "TRACE_SECONDS", LIMIT)
    page, context = a_page(browser), browser.new_context()
    context.tracing.start(screenshots=True)
    context.new_page()
    assert browser.pid is not None
    psutil.Process(browser.pid).suspend()
    match end:  # each would wait for ever
        case "close":
            page.context.close()
        case "trace":
            context.tracing.stop(path=tmp_path / "trace.zip")
            assert zipfile.is_zipfile(tmp_path / "trace.zip")
            context.close()
        case "browser":
            browser.close()
    assert_serves(browser)
    assert browser.launches == 2


def test_tracing_and_closing_still_work_on_a_live_browser(
    browser: RelaunchingBrowser, tmp_path: Path
) -> None:
    context = browser.new_context()
    context.tracing.start()
    context.new_page().goto("data:text/html,hello")
    context.tracing.stop(path=tmp_path / "trace.zip")
    context.close()
    assert "trace.trace" in zipfile.ZipFile(tmp_path / "trace.zip").namelist()
    other = browser.new_context()
    with pytest.raises(PlaywrightError, match="start tracing"):
        other.tracing.stop(path=tmp_path / "never_started.zip")


def test_a_killed_renderer_crashes_its_page_and_not_the_browser(
    browser: RelaunchingBrowser,
) -> None:
    page = a_page(browser)
    crashed: list[Page] = []
    page.on("crash", lambda lost: crashed.append(lost))
    threading.Timer(0.3, kill_renderers, [browser]).start()
    with pytest.raises(PlaywrightError, match="crashed"):
        page.evaluate("new Promise(() => {})")
    assert crashed == [page]
    with pytest.raises(PlaywrightError):
        page.evaluate("1")
    page.context.close()
    assert_serves(browser)
    assert browser.launches == 1


def test_a_crash_ends_a_call_to_the_page_and_is_named(
    browser: RelaunchingBrowser,
) -> None:
    tabs, watchdog = Tabs(a_page(browser)), Watchdog(browser.kill)
    session = tabs.current.context.new_cdp_session(tabs.current)
    with pytest.raises(PlaywrightError), watchdog.within(20, "it crashed"):
        session.send("Page.crash")  # this command never returns
    within = tabs.report_crashes(watchdog.within)
    with pytest.raises(PageLost, match="the page crashed"), within(20, "the page was read"):
        tabs.handle_events()
    assert browser.launches == 1
    assert_serves(browser)


def kill_renderers(browser: RelaunchingBrowser) -> None:
    assert browser.pid is not None
    for process in psutil.Process(browser.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if any("--type=renderer" in argument for argument in process.cmdline()):
                os.kill(process.pid, signal.SIGKILL)


def test_kill_stops_every_process_of_the_browser(browser: RelaunchingBrowser) -> None:
    a_page(browser)
    assert browser.pid is not None
    main = psutil.Process(browser.pid)
    family = [main, *main.children(recursive=True)]
    assert len(family) > 2
    killer = threading.Thread(target=browser.kill)
    killer.start()
    killer.join()
    _, alive = psutil.wait_procs(family, timeout=10)
    assert [p for p in alive if p.status() != psutil.STATUS_ZOMBIE] == []
    assert browser.kill(), "a browser that has already exited counts as killed"


def test_all_other_attributes_are_those_of_the_real_browser(browser: RelaunchingBrowser) -> None:
    assert browser.version
    assert browser.browser_type.name == "chromium"
    context = browser.new_context()
    assert browser.contexts == [context]
    page = browser.new_page()
    assert len(browser.contexts) == 2
    page.close()
    context.close()


class FakeProcessInfo:
    """A browser whose CDP session reports the process id that it is given."""

    def __init__(self, browser: Any, number: int | None) -> None:
        self._browser, self._number = browser, number

    def new_browser_cdp_session(self) -> "FakeProcessInfo":
        if self._number is None:
            raise PlaywrightError("CDP session is only available in Chromium")
        return self

    def send(self, _: str) -> dict[str, Any]:
        return {"processInfo": [{"type": "browser", "id": self._number, "cpuTime": 0}]}

    def detach(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._browser, name)


def test_without_cdp_the_newest_child_of_the_driver_is_the_browser(launch_browser: Launch) -> None:
    launch: Any = lambda: FakeProcessInfo(launch_browser(), None)  # noqa: E731
    browser = RelaunchingBrowser(launch)
    assert browser.pid is not None
    assert browser.pid == real_pid(browser)
    browser.close()


def real_pid(browser: RelaunchingBrowser) -> int:
    """The process id that Chromium itself reports, without the fake."""
    session = browser._browser._browser.new_browser_cdp_session()  # type: ignore[attr-defined]
    listed = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return int(next(p["id"] for p in listed if p["type"] == "browser"))


def test_a_process_id_of_another_machine_is_ignored() -> None:
    """A browser on another machine reports its id, which belongs to another process here."""
    remote_browser: Any = FakeProcessInfo(None, os.getppid())
    assert keep_alive._process_of(remote_browser, newest_driver(), time.time() + 60) is None


def test_the_message_about_a_browser_that_cannot_start_is_one_line() -> None:
    def launch() -> Browser:
        raise PlaywrightError("BrowserType.launch: failed\nFATAL: No usable sandbox! Update\n" * 9)

    with pytest.raises(
        BrowserMissing, match=r"does not allow .* sandbox .*run `bwa doctor`"
    ) as missing:
        RelaunchingBrowser(launch)
    assert "\n" not in str(missing.value)


def test_the_start_check_succeeds_with_the_real_browser() -> None:
    check = check_in_thread(find_browser(read_settings().browser))
    assert check.problem == ""
    assert check.version.split(".")[0].isdigit()
    assert check.seconds > 0


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
def test_the_start_check_says_why_a_program_does_not_start(
    tmp_path: Path, script: str, problem: str
) -> None:
    path = tmp_path / "browser"
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o755)
    check = check_in_thread(FoundBrowser(path, is_default=False))
    assert problem in check.problem
    assert "\n" not in check.problem


def check_in_thread(found: FoundBrowser) -> Any:
    """Run in a new thread, because pytest-playwright already runs Playwright in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(check_start, found).result()


def test_a_prepared_page_is_for_the_first_who_asks_for_such_a_context(
    browser: RelaunchingBrowser,
) -> None:
    browser.prepare(locale="de")
    assert not browser.new_context(locale="fr").pages
    context = browser.new_context(locale="de")
    (page,) = context.pages
    assert page.evaluate("navigator.language") == "de"
    assert not browser.new_context(locale="de").pages
    context.close()


def test_a_prepared_page_that_nobody_needs_is_closed(browser: RelaunchingBrowser) -> None:
    browser.prepare(locale="de")
    browser.prepare(locale="fr")
    assert len(browser.contexts) == 1
    browser.drop_prepared()
    assert not browser.contexts
    browser.drop_prepared()  # twice


def test_a_prepared_page_dies_with_its_browser(browser: RelaunchingBrowser) -> None:
    browser.prepare(locale="de")
    kill_main_process(browser)
    assert not browser.new_context(locale="de").pages
    assert browser.launches == 2
    with contextlib.suppress(PlaywrightError):
        browser.prepare(locale="de")
    kill_main_process(browser)
    with pytest.raises(PlaywrightError):
        browser.prepare(locale="de")
    assert_serves(browser)
