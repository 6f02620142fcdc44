"""From a spec to the walk over its listing, and from what was found to the samples list."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_bwa.audit import discovery
from pytest_bwa.errors import InputError, SpecError
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.settings import Settings
from pytest_bwa.spec.load import build_task
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import SampleList, read_samples
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Step

SETTINGS = Settings(_env_file=None)
EXECUTION = {"task_id": "profile", "goal": "Read {login}.", "output_schema": {"city": "string"}}
LISTING = "https://x.org/orgs/guild"
COLLECTS = {
    "task_id": "d", "phase": "discovery", "goal": "Collect.", "start_url": LISTING,
    "output_schema": {"people": discovery.ENTRIES},
}  # fmt: skip


def task(**keys: Any) -> TaskSpec:
    return build_task({**EXECUTION, **keys}, "spec.json")


def walk_of(spec: TaskSpec, start_url: str | None = None) -> TaskSpec:
    return discovery.listing_task(spec, start_url, "spec.json")


def test_the_form_of_the_links_follows_from_the_start_url_of_the_execution_spec():
    walk = walk_of(task(start_url="https://x.org/people/{login}"), LISTING)
    assert (walk.phase, walk.start_url, walk.read_only) == ("discovery", LISTING, None)
    assert walk.discover.links == "https://x.org/people/*"
    assert "Read login." in walk.goal
    assert "{" not in walk.goal


@pytest.mark.parametrize(("given", "walks"), [(None, None), (False, None), (True, True)])
def test_a_walk_never_writes_and_sends_nothing_that_may_write_if_the_spec_says_so(given, walks):
    """A list that is asked for by POST can be walked unless the spec is read_only."""
    rules = {"allowed_domains": ["x.org"], "allow_requests": [{"path": "/find"}]}
    walk = walk_of(task(start_url="https://x.org/{login}", read_only=given, **rules), LISTING)
    assert walk.read_only is walks
    assert (walk.allowed_domains, walk.allow_requests[0].path) == (["x.org"], "/find")


def test_the_command_line_wins_over_the_spec_and_the_spec_over_what_follows_from_it():
    spec = task(
        start_url="/people/{login}",
        discover={"start_url": "/a", "links": "/m/*", "goal": "All.", "max_pages": 2},
    )
    assert walk_of(spec).start_url == "/a"
    walk = walk_of(spec, "/b")
    assert (walk.start_url, walk.discover.links, walk.discover.max_pages) == ("/b", "/m/*", 2)
    assert walk.discover.max_samples == discovery.MAX_LISTED
    assert walk.goal.startswith("All.")


@pytest.mark.parametrize(
    ("keys", "start_url", "problem"),
    [
        ({}, None, "no listing to walk"),
        ({"start_url": "/people/{login}"}, None, "no listing to walk"),
        ({}, "javascript:x", "only http and https"),
    ],
)
def test_without_a_listing_there_is_no_walk(keys, start_url, problem):
    with pytest.raises(InputError, match=problem):
        walk_of(task(**keys), start_url)


def test_a_discovery_spec_must_have_a_list_to_collect():
    spec = build_task({**COLLECTS, "output_schema": {"people": "array"}}, "spec.json")
    with pytest.raises(SpecError, match="one array field whose items have the properties"):
        walk_of(spec)
    assert walk_of(build_task(COLLECTS, "spec.json")).listing_field == "people"


@pytest.mark.parametrize(
    ("keys", "asked", "has_samples", "is_wanted"),
    [
        ({}, True, False, True),
        ({}, False, False, False),
        ({"needs_discovery": True}, False, False, True),
        ({"needs_discovery": True}, False, True, False),
        ({"needs_discovery": True}, True, True, True),
        ({"phase": "discovery", "start_url": LISTING}, False, False, True),
        ({"phase": "discovery", "start_url": LISTING}, False, True, True),
    ],
)
def test_samples_are_discovered_if_they_are_asked_for_or_none_are_given(
    keys, asked, has_samples, is_wanted
):
    assert discovery.is_wanted(task(**keys), asked=asked, has_samples=has_samples) == is_wanted


def test_a_placeholder_in_the_listing_needs_a_first_list():
    spec = build_task({**COLLECTS, "start_url": "/orgs/{org}"}, "spec.json")
    with pytest.raises(InputError, match=r"the placeholder \{org\}: pass --samples"):
        discovery.listings(walk_of(spec), None, "spec.json")


# -- what was found ------------------------------------------------------------------------------


def walked(origin: Sample, *entries: dict[str, Any], url: str = LISTING) -> Any:
    step = Step(
        step=2, action="save_progress", params={"extracted": {"samples": list(entries)}}, result="",
        success=True, url=url, started_at="", timestamp="2026-11-22T10:00:00.000Z",
    )  # fmt: skip
    result = SampleResult(
        sample_id=origin.sample_id,
        task_id="t",
        status="done",
        extracted={"samples": list(entries)},
        started_at="",
        finished_at="",
    )
    return origin, result, [step]


ORIGIN = Sample("listing", {"sample_id": "listing"})


def found(*walks: Any, start_url: str = "/people/{login}") -> SampleList:
    execution = task(start_url=start_url)
    return discovery.found_samples(walk_of(execution, LISTING), execution, walks)


def test_each_address_becomes_one_row_with_where_and_when_it_was_found():
    samples = found(
        walked(
            ORIGIN,
            {"url": "/people/ada#top", "text": "Ada\nQuist"},
            {"url": "https://x.org/people/ada", "text": "again"},
            {"url": "/people/bo", "sample_id": "../Bo"},
            {"url": "javascript:alert(1)", "text": "no address"},
        )
    )
    assert [dict(s.columns) for s in samples.samples] == [
        {
            "sample_id": "ada", "url": "https://x.org/people/ada", "login": "ada",
            "text": "Ada Quist", "discovered_at": "2026-11-22T10:00:00.000Z",
            "discovered_on": LISTING,
        },
        {
            "sample_id": "Bo", "url": "https://x.org/people/bo", "login": "bo", "text": "",
            "discovered_at": "2026-11-22T10:00:00.000Z", "discovered_on": LISTING,
        },
    ]  # fmt: skip


def test_the_columns_of_the_first_list_are_kept_and_the_file_can_be_read_again(tmp_path: Path):
    one = Sample("guild", {"sample_id": "guild", "org": "Guild", "note": "=1+1"})
    two = Sample("port", {"sample_id": "port", "org": "Port", "note": ""})
    samples = found(walked(one, {"url": "/people/ada"}), walked(two, {"url": "/members/ada"}))
    path = tmp_path / "samples.csv"
    path.write_bytes(samples.to_csv().encode())
    again = read_samples(path).samples
    assert [(s.sample_id, s.columns["org"], s.columns["login"]) for s in again] == [
        ("ada", "Guild", "ada"),
        ("ada_2", "Port", ""),
    ]
    assert again[0].columns["note"] == "=1+1"


def test_the_pages_own_count_and_why_a_list_is_incomplete_are_recorded():
    samples = found(walked(ORIGIN, {"url": "/people/ada"}))
    _, result, _ = walked(ORIGIN, {"url": "/people/ada"})
    result.extracted["total"] = 2
    failed = result.model_copy(update={"status": "failed", "reason": "HTTP 429"})
    record = discovery.discovery_record(samples, [failed], [LISTING])
    assert (record.found, record.counted, record.problems) == (1, 2, ["HTTP 429"])
    record = discovery.discovery_record(samples, [result], [LISTING])
    assert record.problems == []
