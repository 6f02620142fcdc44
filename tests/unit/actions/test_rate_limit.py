"""Rate limits per domain, across processes."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest

from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.settings import Settings

RESERVE = """
import sys
from pathlib import Path
from pytest_bwa.actions.rate_limit import RateLimiter
rate_limiter = RateLimiter(Path(sys.argv[1]), {"default": 5.0})
import time
for _ in range(5):
    print(time.time() + rate_limiter.reserve("https://example.org/x"))
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


def test_two_workers_share_one_sequence_of_start_times(tmp_path):
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", RESERVE, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    moments = sorted(float(line) for w in workers for line in w.communicate()[0].splitlines())
    gaps = [later - earlier for earlier, later in itertools.pairwise(moments)]
    assert len(moments) == 10
    assert all(gap == pytest.approx(5.0, abs=0.5) for gap in gaps)


def test_domains_do_not_wait_for_each_other(tmp_path):
    rate_limiter = RateLimiter(tmp_path, {"default": 60.0})
    assert rate_limiter.reserve("https://a.org/1") < 1
    assert rate_limiter.reserve("https://b.org/1") < 1
    assert rate_limiter.reserve("https://a.org/2") > 55
