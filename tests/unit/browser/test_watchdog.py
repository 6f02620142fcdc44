import random
import threading
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.browser import watchdog as watching
from pytest_bwa.browser.watchdog import Watchdog
from pytest_bwa.errors import LimitReached, PageLost


class Kill:
    """Stands for a browser's kill; frees whoever waits for ``done``."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.times = 0

    def __call__(self) -> None:
        self.times += 1
        self.done.set()

    def blocked_call(self) -> None:
        """As a Playwright call on a page that never yields: it ends when the browser dies."""
        assert self.done.wait(10), "nobody freed the call"
        raise PlaywrightError("Target page, context or browser has been closed")


def test_a_blocked_call_is_freed_and_told_as_a_lost_page() -> None:
    kill = Kill()
    watchdog = Watchdog(kill)
    started = time.monotonic()
    with (
        pytest.raises(PageLost, match=r"for 0\.2 s while reading the page; its browser was"),
        watchdog.within(0.2, "reading the page"),
    ):
        kill.blocked_call()
    assert 0.2 <= time.monotonic() - started < 2
    assert kill.times == 1


def test_what_the_work_says_of_the_loss_is_only_its_consequence() -> None:
    kill = Kill()

    def picture() -> None:
        try:
            kill.blocked_call()
        except PlaywrightError as error:
            raise PageLost("the browser is gone") from error

    told = pytest.raises(PageLost, match=r"did not answer for 0\.05 s while a picture was taken")
    with told, Watchdog(kill).within(0.05, "a picture was taken"):
        picture()


def test_work_done_in_time_costs_no_browser() -> None:
    kill = Kill()
    watchdog = Watchdog(kill)
    with watchdog.within(0.05, "reading the page"):
        pass
    # A later bound that does expire proves that the thread has gone past the first deadline.
    with pytest.raises(PageLost), watchdog.within(0.2, "waiting"):
        kill.blocked_call()
    assert kill.times == 1


def test_a_browser_stopped_as_the_work_came_back_is_told_all_the_same() -> None:
    kill = Kill()
    watchdog = Watchdog(kill)
    with pytest.raises(PageLost), watchdog.within(0.05, "reading the page"):
        assert kill.done.wait(10)


def test_errors_before_the_deadline_and_others_than_playwrights_pass() -> None:
    kill = Kill()
    watchdog = Watchdog(kill)
    with pytest.raises(PlaywrightError, match="no such"), watchdog.within(30, "clicking"):
        raise PlaywrightError("no such element")
    with pytest.raises(LimitReached), watchdog.within(0.05, "clicking"):
        _run_out(kill)


def _run_out(kill: Kill) -> None:
    assert kill.done.wait(10)
    raise LimitReached("the steps are spent")


def test_an_inner_bound_cannot_outlast_the_outer_one() -> None:
    kill = Kill()
    watchdog = Watchdog(kill)
    with (
        pytest.raises(PageLost, match="while clicking"),
        watchdog.within(0.1, "running the step"),
        watchdog.within(60, "clicking"),
    ):
        kill.blocked_call()


def test_the_outer_bound_still_holds_after_an_inner_one_expired() -> None:
    kill = Kill()
    watchdog = Watchdog(kill)

    def step() -> None:
        with pytest.raises(PageLost, match="while clicking"), watchdog.within(0.1, "clicking"):
            kill.blocked_call()
        kill.done.clear()
        kill.blocked_call()

    with pytest.raises(PageLost, match="while running"), watchdog.within(0.4, "running the step"):
        step()
    assert kill.times == 2


def test_who_is_not_freed_by_the_browsers_death_is_freed_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watching, "STUBBORN_SECONDS", 0.2)
    order: list[str] = []
    harder = Kill()

    def kill_driver() -> None:
        order.append("driver")
        harder()

    watchdog = Watchdog(lambda: order.append("browser"), kill_driver)
    with pytest.raises(PageLost, match="while reading"), watchdog.within(0.1, "reading the page"):
        harder.blocked_call()
    assert order == ["browser", "driver"]


def test_where_there_is_no_browser_yet_the_watchdog_asks_again() -> None:
    answers = [False, False, True]
    freed = threading.Event()

    def kill() -> bool:
        answer = answers.pop(0)
        if answer:
            freed.set()
        return answer

    with pytest.raises(PageLost), Watchdog(kill).within(0.05, "the browser was started"):
        assert freed.wait(10)
    assert answers == []


def test_a_kill_that_fails_does_not_end_the_watching() -> None:
    calls = 0
    freed = threading.Event()

    def kill() -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise RuntimeError("the process table could not be read")
        freed.set()

    with pytest.raises(PageLost), Watchdog(kill).within(0.05, "reading the page"):
        assert freed.wait(10)


def test_an_expiry_at_the_very_end_never_meets_the_next_calls_browser() -> None:
    """Work that takes about as long as its bound, many times over."""
    current: list[int] = []
    killed: list[int | None] = []
    watchdog = Watchdog(lambda: killed.append(current[0] if current else None))
    chance, lost = random.Random(7), 0
    for number in range(400):
        bound = chance.uniform(0.0005, 0.002)
        end = time.monotonic() + bound + chance.uniform(-0.0003, 0.0003)
        try:
            with watchdog.within(bound, "racing"):
                current[:] = [number]
                _until(lambda end=end: time.monotonic() >= end)
        except PageLost:
            lost += 1
            assert killed[-1] in (number, None), "lost, but another call's browser was killed"
        else:
            assert number not in killed, "killed, but not told as lost"
        current.clear()
    assert len(killed) == lost
    assert 0 < lost < 400, "the race was not run close enough to say anything"


def _until(condition: Callable[[], bool]) -> None:
    while not condition():
        pass


def test_entering_is_cheap_and_one_thread_serves_all() -> None:
    watchdog = Watchdog(Kill())
    with watchdog.within(60, "warming up"):
        pass
    threads = threading.active_count()
    best = min(_seconds_of_thousand(watchdog) for _ in range(5))
    assert best / 1000 < 50e-6
    assert threading.active_count() == threads


def _seconds_of_thousand(watchdog: Watchdog) -> float:
    started = time.perf_counter()
    for _ in range(1000):
        with watchdog.within(30, "reading the page"):
            pass
    return time.perf_counter() - started
