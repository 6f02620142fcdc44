"""Rate limits per domain, across processes."""

from __future__ import annotations

import contextlib
import itertools
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from pytest_bwa.actions.catalog import ACTIONS
from pytest_bwa.actions.dispatch import Executor
from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.settings import Settings
from pytest_bwa.steps.step import Action, Observation

RESERVE = """
import sys
from pathlib import Path
from pytest_bwa.actions.rate_limit import RateLimiter
rate_limiter = RateLimiter(Path(sys.argv[1]), {"default": 5.0})
import time
for _ in range(5):
    earliest = time.time()
    wait = rate_limiter.reserve("https://example.org/x")
    print(earliest + wait, time.time() + wait)
"""


@pytest.mark.parametrize(
    ("host", "domain", "seconds"),
    [
        ("www.linkedin.com", "linkedin.com", 3.0),
        ("github.com", "github.com", 0.5),
        ("acme.atlassian.net", "atlassian.net", 1.0),
        ("notgithub.com", "notgithub.com", 0.2),
        ("127.0.0.1", "127.0.0.1", 0.2),
    ],
)
def test_each_domain_has_its_interval(tmp_path, host, domain, seconds):
    limits = Settings.model_fields["rate_limits"].default
    assert RateLimiter(tmp_path, limits).interval(host) == (domain, seconds)


@pytest.mark.parametrize("names", [("x.org", "api.x.org"), ("api.x.org", "x.org")])
def test_a_subdomain_with_a_limit_of_its_own_has_that_in_whatever_order_they_stand(tmp_path, names):
    seconds = {"x.org": 1.0, "api.x.org": 5.0}
    limiter = RateLimiter(tmp_path, {name: seconds[name] for name in names})
    assert limiter.interval("v2.api.x.org") == ("api.x.org", 5.0)
    assert limiter.interval("www.x.org") == ("x.org", 1.0)


def test_two_workers_share_one_sequence_of_start_times(tmp_path):
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", RESERVE, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    lines = [line for worker in workers for line in worker.communicate()[0].splitlines()]
    moments = sorted(tuple(map(float, line.split())) for line in lines)
    assert len(moments) == 10
    for (after, before), (next_after, next_before) in itertools.pairwise(moments):
        assert next_after - before < 5.1
        assert next_before - after > 4.9


def test_domains_do_not_wait_for_each_other(tmp_path):
    rate_limiter = RateLimiter(tmp_path, {"default": 60.0})
    assert rate_limiter.reserve("https://a.org/1") < 1
    assert rate_limiter.reserve("https://b.org/1") < 1
    assert rate_limiter.reserve("https://a.org/2") > 20


def test_a_clock_that_is_set_back_makes_no_page_wait(tmp_path, monkeypatch):
    rate_limiter = RateLimiter(tmp_path, {"default": 2.0})
    rate_limiter.reserve("https://a.org/1")
    an_hour_ago = time.time() - 3600
    monkeypatch.setattr(time, "time", lambda: an_hour_ago)
    assert rate_limiter.reserve("https://a.org/2") <= 2


def test_a_time_from_before_the_machine_was_restarted_makes_no_page_wait(tmp_path):
    rate_limiter = RateLimiter(tmp_path, {"default": 2.0})
    rate_limiter.reserve("https://a.org/1")
    (file,) = [path for path in tmp_path.iterdir() if path.suffix != ".lock"]
    file.write_text(repr(time.monotonic() + 1_000_000))
    assert rate_limiter.reserve("https://a.org/2") <= 2


class _Page:
    url = "http://example.org/"

    def goto(self, url: str, **options: object) -> None:
        self.url = url

    def wait_for_timeout(self, timeout: float) -> None:
        pass


def test_the_wait_for_a_rate_limit_is_outside_of_the_time_limit_of_the_action(
    tmp_path, monkeypatch
):
    """Inside of it, a long wait would kill a healthy browser."""
    limits: list[str] = []

    @contextlib.contextmanager
    def within(seconds, what):
        limits.append(what)
        yield
        limits.pop()

    page = _Page()
    tabs = SimpleNamespace(
        current=page, downloads=[], answers={}, forget_shown_dialogs=lambda: None,
        handle_events=lambda: None, unshown_dialogs=lambda: (), take_opened=list,
        await_filled=lambda: False, clock=time.monotonic,
        close_empty=lambda: None, has_background=False,
    )  # fmt: skip
    page.context = SimpleNamespace(on=lambda *_: None)
    settings = Settings.model_validate({})
    rate_limiter = RateLimiter(tmp_path, {"default": 60.0})
    executor = Executor(tabs, within, None, rate_limiter, settings)
    monkeypatch.setattr(executor._context.settler, "wait", lambda *_, **__: True)
    waited: list[float] = []

    def wait(seconds):
        assert limits == []
        waited.append(seconds)

    monkeypatch.setattr(time, "sleep", wait)
    observation = Observation(url="http://example.org/a/", title="")
    for url in ("b", "c"):
        result = executor.act(Action(action="goto", url=url), observation, 1)
        assert result.description == f"opened http://example.org/a/{url}"
    assert waited == [pytest.approx(60, abs=5)]


def test_what_is_no_web_address_waits_for_no_rate_limit(tmp_path):
    rate_limiter = RateLimiter(tmp_path, {"default": 60.0})
    context = SimpleNamespace(
        observation=Observation(url="", title=""), base_url=None, rate_limiter=rate_limiter
    )
    action = Action(action="goto", url="javascript:alert(1)")
    assert ACTIONS["goto"].wait_before(context, action) == 0
    assert ACTIONS["click"].wait_before(context, Action(action="click", selector="1")) == 0
