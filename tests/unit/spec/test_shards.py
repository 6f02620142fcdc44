"""A run of a shard: every n-th sample of the list, and what run.json says of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import plans
import pytest

from pytest_bwa.audit import recordings
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.plan import Plan
from pytest_bwa.errors import ResumeRefused
from pytest_bwa.evidence.files import sha256, sha256_of
from pytest_bwa.plugin import items
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.reports.terminal import header_lines
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.spec.samples import read_samples
from pytest_bwa.spec.shard import ListShard, Shard

SPEC = {"task_id": "hr", "goal": "Read it.", "output_schema": {"a": "string"}}
NAMES = [f"s{number}" for number in range(1, 11)]

LISTED = ListShard(2, 4, rows=10, ids_sha256=sha256("".join(f"{n}\n" for n in NAMES).encode()))


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    (tmp_path / "spec.json").write_text(json.dumps(SPEC))
    rows = "".join(f"{name},https://x.org/{name}\n" for name in NAMES)
    (tmp_path / "samples.csv").write_text(f"sample_id,url\n{rows}")
    return plans.plan_in(tmp_path)


def opened(plan: Plan, shard: str | None = None, run_id: str = "run_1") -> Audit:
    part = Shard.parse(shard) if shard else None
    return plans.opened(replace(plan, shard=part, run_id=run_id))


def names(audit: Audit) -> list[str]:
    return [sample.sample_id for sample in audit.samples.samples]


def test_the_shards_of_a_list_have_each_sample_once(plan):
    parts = [names(opened(plan, f"{number}/4")) for number in range(1, 5)]
    assert parts[1] == ["s2", "s6", "s10"]
    assert sorted(name for part in parts for name in part) == sorted(NAMES)


def test_the_run_says_which_shard_it_is_and_of_how_many_samples(plan):
    folder = opened(plan, "2/4").folder
    record = folder.record()
    assert record.shard == LISTED
    assert (record.samples_in, record.samples.rows) == (3, 3), "what was asked of this run"
    assert record.samples.sha256 == sha256_of(plan.samples), "the whole list's"
    assert [s.sample_id for s in read_samples(folder.path / "samples.csv").samples] == [
        "s2",
        "s6",
        "s10",
    ]
    assert "shard 2/4: 3 of 10 samples from" in header_lines(record, folder, [])[0]


def test_workers_get_the_shard(plan):
    sharded = replace(plan, shard=Shard(2, 4))
    assert Plan.from_portable(json.loads(json.dumps(sharded.portable()))) == sharded


def test_a_shard_is_resumed_as_itself(plan):
    opened(plan, "2/4")
    again = replace(plan, resume="run_1")
    assert names(opened(again)) == ["s2", "s6", "s10"]
    assert names(opened(again, "2/4")) == ["s2", "s6", "s10"]
    with pytest.raises(ResumeRefused, match="a run of the shard 2/4, not of 1/4"):
        opened(again, "1/4")
    opened(plan, run_id="whole")
    with pytest.raises(ResumeRefused, match="a run of the whole list, not of 1/4"):
        opened(replace(plan, resume="whole"), "1/4")


def test_a_shard_is_resumed_with_what_its_folder_leaves_out_of_its_own_rows(plan):
    header, *rows = plan.samples.read_text().split()
    plan.samples.write_text("\n".join([header, *(f"{row}?token=t0p" for row in rows)]))
    written = opened(plan, "2/4")
    assert "t0p" not in (written.folder.path / "samples.csv").read_text()
    resumed = opened(replace(plan, task=None, samples=None, resume="run_1"))
    assert [sample.columns["url"] for sample in resumed.samples.samples] == [
        f"https://x.org/{name}?token=t0p" for name in ("s2", "s6", "s10")
    ]


def test_a_shard_without_a_sample_is_a_run_that_passes_and_verifies(plan):
    audit = opened(plan, "11/12")
    assert names(audit) == []
    (mark,) = items.not_run(audit).marks
    assert mark.kwargs["reason"] == "the shard 11/12 has no sample: the list has 10"
    record = finish_run(audit.folder, 0, "").record
    assert (record.samples_in, record.not_run, record.exit_reason) == (0, 0, "nothing ran")


def test_a_run_that_says_another_shard_than_it_has_does_not_verify(plan):
    folder = opened(plan, "2/4").folder
    finish_run(folder, 0, "")
    folder.update(shard=replace(LISTED, rows=100))
    faults = [str(fault) for fault in verify(folder.path).faults]
    assert "run.json: shard is 25, and the folder has 3" in faults


def test_a_replayed_shard_stays_one(plan):
    opened(plan, "2/4")
    again = replace(plan, task=None, samples=None, replay="run_1", run_id="run_2")
    audit = recordings.open_audit(again, collect_only=True, ready=lambda task: None)
    assert audit.record.shard == LISTED
    assert names(audit) == ["s2", "s6", "s10"]
