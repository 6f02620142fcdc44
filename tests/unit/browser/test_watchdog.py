import random
import threading
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Error as PlaywrightError
from relative_time import fastest_seconds

from pytest_bwa.browser import watchdog as watchdog_module
from pytest_bwa.browser.watchdog import Watchdog
from pytest_bwa.errors import LimitReached, PageLost


class Kill:
    """A fake for killing a browser: it ends ``blocked_call``."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.count = 0

    def __call__(self) -> None:
        self.count += 1
        self.done.set()

    def blocked_call(self) -> None:
        """Like a call of Playwright on a page that hangs: it fails when the browser dies."""
        assert self.done.wait(60), "the browser was not killed"
        raise PlaywrightError("Target page, context or browser has been closed")


def test_a_blocked_call_ends_with_page_lost() -> None:
    kill = Kill()
    watchdog = Watchdog(kill)
    started = time.monotonic()
    with (
        pytest.raises(PageLost, match=r"for 0\.2 s while reading the page; its browser was"),
        watchdog.within(0.2, "reading the page"),
    ):
        kill.blocked_call()
    assert time.monotonic() - started >= 0.2
    assert kill.count == 1


def test_an_error_caused_by_the_kill_is_replaced_by_the_reason() -> None:
    kill = Kill()

    def take_picture() -> None:
        try:
            kill.blocked_call()
        except PlaywrightError as error:
            raise PageLost("the browser is gone") from error

    is_raised = pytest.raises(
        PageLost, match=r"did not answer for 0\.05 s while a picture was taken"
    )
    with is_raised, Watchdog(kill).within(0.05, "a picture was taken"):
        take_picture()


def test_a_call_that_returns_in_time_does_not_kill_the_browser() -> None:
    kill = Kill()
    watchdog = Watchdog(kill)
    with watchdog.within(60, "starting the thread"):
        pass
    with watchdog.within(0.5, "reading the page"):
        pass
    # A later limit that expires proves that the thread is past the first deadline.
    with pytest.raises(PageLost), watchdog.within(0.6, "waiting"):
        kill.blocked_call()
    assert kill.count == 1


def test_a_call_that_returns_just_after_the_kill_ends_with_page_lost() -> None:
    kill = Kill()
    watchdog = Watchdog(kill)
    with pytest.raises(PageLost), watchdog.within(0.05, "reading the page"):
        assert kill.done.wait(60)


def test_earlier_errors_and_errors_not_from_playwright_pass() -> None:
    kill = Kill()
    watchdog = Watchdog(kill)
    with pytest.raises(PlaywrightError, match="no such"), watchdog.within(30, "clicking"):
        raise PlaywrightError("no such element")
    with pytest.raises(LimitReached), watchdog.within(0.05, "clicking"):
        _reach_limit(kill)


def _reach_limit(kill: Kill) -> None:
    assert kill.done.wait(60)
    raise LimitReached("the steps are spent")


def test_an_inner_limit_cannot_extend_the_outer_one() -> None:
    kill = Kill()
    watchdog = Watchdog(kill)
    with (
        pytest.raises(PageLost, match="while clicking"),
        watchdog.within(0.1, "running the step"),
        watchdog.within(60, "clicking"),
    ):
        kill.blocked_call()


def test_the_outer_limit_still_applies_after_an_inner_one_expired() -> None:
    kill = Kill()
    watchdog = Watchdog(kill)

    def step() -> None:
        with pytest.raises(PageLost, match="while clicking"), watchdog.within(0.1, "clicking"):
            kill.blocked_call()
        kill.done.clear()
        kill.blocked_call()

    with pytest.raises(PageLost, match="while running"), watchdog.within(1.5, "running the step"):
        step()
    assert kill.count == 2


def test_the_fallback_is_called_if_killing_the_browser_does_not_help(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watchdog_module, "FALLBACK_SECONDS", 0.2)
    order: list[str] = []
    fallback = Kill()

    def kill_driver() -> None:
        order.append("driver")
        fallback()

    watchdog = Watchdog(lambda: order.append("browser"), kill_driver)
    with pytest.raises(PageLost, match="while reading"), watchdog.within(0.1, "reading the page"):
        fallback.blocked_call()
    assert order == ["browser", "driver"]


def test_the_kill_is_repeated_until_there_is_a_browser() -> None:
    answers = [False, False, True]
    killed = threading.Event()

    def kill() -> bool:
        answer = answers.pop(0)
        if answer:
            killed.set()
        return answer

    with pytest.raises(PageLost), Watchdog(kill).within(0.05, "the browser was started"):
        assert killed.wait(60)
    assert answers == []


def test_the_watchdog_survives_a_kill_that_raises() -> None:
    calls = 0
    killed = threading.Event()

    def kill() -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise RuntimeError("the process table could not be read")
        killed.set()

    with pytest.raises(PageLost), Watchdog(kill).within(0.05, "reading the page"):
        assert killed.wait(60)


def test_an_expiry_at_the_last_moment_never_kills_the_next_calls_browser() -> None:
    """400 calls, each of which takes about as long as its limit."""
    current: list[int] = []
    killed: list[int | None] = []
    watchdog = Watchdog(lambda: killed.append(current[0] if current else None))
    randomness, lost = random.Random(7), 0
    for number in range(400):
        limit = randomness.uniform(0.0005, 0.002)
        end = time.monotonic() + limit + randomness.uniform(-0.0003, 0.0003)
        try:
            with watchdog.within(limit, "racing"):
                current[:] = [number]
                _wait_until(lambda end=end: time.monotonic() >= end)
        except PageLost:
            lost += 1
            assert killed[-1] in (number, None), "lost, but another call's browser was killed"
        else:
            assert number not in killed, "killed, but PageLost was not raised"
        current.clear()
    assert len(killed) == lost
    assert 0 < lost < 400, "the calls were not close enough to their limits to prove anything"


def _wait_until(condition: Callable[[], bool]) -> None:
    while not condition():
        pass


def test_entering_is_cheap_and_one_thread_is_enough() -> None:
    watchdog = Watchdog(Kill())
    with watchdog.within(60, "warming up"):
        pass
    threads = threading.active_count()
    entering, a_thread_for_each = fastest_seconds(
        lambda: _enter_often(watchdog), _start_many_threads, rounds=5
    )
    assert entering < a_thread_for_each
    assert threading.active_count() == threads


def _enter_often(watchdog: Watchdog) -> None:
    for _ in range(1000):
        with watchdog.within(30, "reading the page"):
            pass


def _start_many_threads() -> None:
    for _ in range(1000):
        thread = threading.Thread(target=str)
        thread.start()
        thread.join()
