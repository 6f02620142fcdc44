"""Every spec in tasks/ loads with its samples list, and the practice sites work."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.samples import load_samples
from tasks.practice.serve import serve

TASKS = Path(__file__).parent.parent.parent.parent / "tasks"
SPECS = sorted(
    path
    for path in TASKS.rglob("*")
    if path.suffix in (".yaml", ".json") and not path.name.endswith(".recipe.yaml")
)
MIN_SAMPLES = {"tickets": 12, "commits": 8, "people": 8, "blame": 8, "form": 8}
DISCOVERED = ("members", "archive")
"""Practice specs whose samples are found on the site."""
REAL_SITES = (
    "github_profile",
    "github_discovery",
    "github_commit_audit",
    "linear_tickets",
    "github_pr_audit_chain",
    "github_contributor_deep_audit",
)


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
def test_every_spec_loads_with_its_inputs(path):
    task = load_task(path)
    inputs = path.parent / "inputs" / f"{path.stem}.csv"
    if path.stem.startswith("_") or path.stem in DISCOVERED:
        return
    samples = load_samples(inputs, task).samples
    assert len(samples) >= MIN_SAMPLES.get(path.stem, 1)


def test_all_documented_specs_exist():
    assert {p.stem for p in SPECS} >= {*REAL_SITES, *MIN_SAMPLES, "_template"}


@pytest.fixture(scope="module")
def practice() -> Iterator[str]:
    with serve() as url:
        yield url


def fetch(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=60) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_no_link_of_the_practice_sites_is_broken(practice):
    visited, waiting = set(), [practice + "/"]
    while waiting:
        url = waiting.pop()
        if url in visited:
            continue
        visited.add(url)
        status, body = fetch(url)
        assert status in (200, 429), url
        waiting += [urljoin(url, href) for href in re.findall(r'<a href="([^"]+)"', body)]
    assert len(visited) > 60


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/tickets/ENG-110", 404),
        ("/tickets/ENG-111", 200),
        ("/ledger/commit/none", 404),
        ("/people/ben-okoro", 429),
        ("/people/nobody", 404),
        ("/nowhere", 404),
    ],
)
def test_practice_sites_answer_with_error_statuses(practice, path, status):
    assert fetch(practice + path)[0] == status


def test_the_ticket_of_a_commit_is_on_another_origin(practice):
    _, body = fetch(practice + "/ledger/pull/412")
    link = re.search(r'href="(http://[^"]+/browse/LED-77)"', body)
    assert link
    assert not link[1].startswith(practice)
    assert fetch(link[1])[0] == 200
