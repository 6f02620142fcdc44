"""What a process of pytest and the Dask worker that started it say to each other."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time

import pytest
from audit_folder import wait_until

from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.errors import CostLimitReached, RunStopped
from pytest_bwa.evidence.cost_limit import CostLimit
from pytest_bwa.scale.cluster import link
from pytest_bwa.scale.cluster.bridge import Bridge
from pytest_bwa.scale.cluster.link import LINK, own_link, shared_rate_limit, stop_reason

WAITS = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.default_int_handler)  # as the plugin does
from pytest_bwa.scale.cluster.link import stop_reason
try:
    assert stop_reason() == ""  # as before each sample
    print("linked", flush=True)
    time.sleep(100)
except KeyboardInterrupt:
    print("interrupted:", stop_reason())
"""


SERVES = """
import time
from pytest_bwa.scale.cluster.bridge import Bridge
with Bridge(lambda domain, seconds: None) as bridge:
    print(bridge.address, flush=True)
    time.sleep(100)
"""


@pytest.fixture(scope="module", autouse=True)
def _not_interrupted():
    """The links of this process outlive their tests for a moment, so this is never undone."""
    link.interrupt_this_process = lambda: None


@pytest.fixture
def started_by(monkeypatch):
    """Makes this process one that a Dask worker has started."""
    return lambda address: monkeypatch.setenv(LINK, address)


def python(code, **variables):
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env={**variables, "PYTHONPATH": ":".join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    )


def linked(address):
    process = python(WAITS, BWA_CLUSTER_LINK=address)
    assert process.stdout.readline() == "linked\n"
    return process


def test_the_rate_limits_of_a_process_are_those_of_all(tmp_path, started_by):
    asked, free = [], threading.Event()

    def reserve(domain, seconds):
        asked.append((domain, seconds))
        assert free.wait(60)

    with Bridge(reserve) as bridge:
        started_by(bridge.address)
        limiter = RateLimiter(tmp_path / "pace", {"example.com": 2.5}, shared_rate_limit())
        began = time.monotonic()
        threading.Timer(0.2, free.set).start()
        assert limiter.reserve("https://www.example.com/page") == 0.0
        assert time.monotonic() - began >= 0.2  # it waited until the worker let it
        assert limiter.reserve("https://unlimited.example/") == 0.0
        assert asked == [("example.com", 2.5)]
        assert not (tmp_path / "pace").exists()


def test_after_a_stop_no_further_sample_begins(started_by):
    with Bridge(lambda domain, seconds: None) as bridge:
        started_by(bridge.address)
        limit = CostLimit(lambda: None, list, stop_reason)
        limit.check()
        bridge.stop("$5.00 are spent", at_once=False)
        wait_until(stop_reason, "the stop did not come")
        with pytest.raises(CostLimitReached, match="are spent"):
            limit.check()


def test_a_process_that_starts_after_the_stop_is_stopped_too(started_by):
    with Bridge(lambda domain, seconds: None) as bridge:
        bridge.stop("enough", at_once=False)
        started_by(bridge.address)
        made = own_link()
        wait_until(lambda: made.stop_reason, "the stop did not come")
        assert made.stop_reason == "enough"


def test_a_stop_at_once_interrupts_the_process():
    with Bridge(lambda domain, seconds: None) as bridge:
        process = linked(bridge.address)
        bridge.stop("interrupted by the user", at_once=True)
        assert process.communicate(timeout=60)[0] == "interrupted: interrupted by the user\n"


def test_a_stop_that_is_there_before_the_link_interrupts_nothing(monkeypatch, started_by):
    """It came while the link was made, so that this was not remembered: the end of the session made
    the link again, and was interrupted while it completed the evidence."""
    interrupts = []
    monkeypatch.setattr(link, "interrupt_this_process", lambda: interrupts.append(1))
    with Bridge(lambda domain, seconds: None) as bridge:
        bridge.stop("enough", at_once=True)
        started_by(bridge.address)
        made = own_link()
        wait_until(lambda: made.stop_reason, "the stop did not come")
        assert interrupts == []
        assert stop_reason() == "enough"


def test_a_bridge_leaves_no_thread_and_no_port_behind():
    before = set(threading.enumerate())
    with Bridge(lambda domain, seconds: None) as bridge:
        process = linked(bridge.address)
        port = int(bridge.address.partition("/")[0])
    process.communicate(timeout=60)
    wait_until(lambda: set(threading.enumerate()) <= before, "a thread still runs")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))


def test_a_process_ends_with_the_worker_that_started_it():
    worker = python(SERVES)
    process = linked(worker.stdout.readline().strip())
    worker.kill()
    worker.communicate()
    assert "that started this process is gone" in process.communicate(timeout=60)[0]


def test_without_the_worker_or_with_another_key_no_sample_begins(monkeypatch, started_by):
    with Bridge(lambda domain, seconds: None) as bridge:
        other_byte = "01" if bridge.address.endswith("00") else "00"
        started_by(bridge.address[:-2] + other_byte)
        with pytest.raises(RunStopped):
            own_link()
        started_by(bridge.address)
        assert own_link()  # the others are served as before
    started_by("1/00")
    assert "is gone" in stop_reason()
    monkeypatch.delenv(LINK)
    assert stop_reason() == ""
    assert shared_rate_limit() is None
