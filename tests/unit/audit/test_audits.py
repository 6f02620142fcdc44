"""What run.json records of a run and of the sessions that resume it."""

from __future__ import annotations

import inspect
import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from plans import opened, plan_in

from pytest_bwa.audit import audits
from pytest_bwa.audit.discovery import discovers
from pytest_bwa.audit.plan import Plan
from pytest_bwa.errors import InputError, ResumeRefused
from pytest_bwa.evidence.approvals import LOST_SECONDS, ApprovalDesk, Question
from pytest_bwa.evidence.files import sha256_of
from pytest_bwa.evidence.run_record import DiscoveryRecord
from pytest_bwa.reports.base import load_run_task
from pytest_bwa.reports.terminal import describe_usage, header_lines
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.approval import Answer
from pytest_bwa.steps.step import Usage, utc_now

SPEC = {"task_id": "hr", "goal": "Read it.", "output_schema": {"a": "string"}, "max_steps": 7}


def write_spec(plan: Plan, **keys: object) -> None:
    (plan.evidence.parent / "spec.json").write_text(json.dumps({**SPEC, **keys}))


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    (tmp_path / "spec.json").write_text(json.dumps(SPEC))
    (tmp_path / "samples.csv").write_text("sample_id,url\nadam,https://x.org/\n")
    return plan_in(tmp_path)


def test_a_resumed_run_records_the_policy_model_and_steps_of_each_session(plan):
    opened(plan)
    other = replace(plan, resume="run_1", policy="claude", model="model-x", max_steps=3)
    opened(other)
    resumed = opened(replace(plan, resume="run_1"))
    record = json.loads((resumed.folder.path / "run.json").read_text())
    assert (record["policy"], record["model"]) == ("rules", "")
    keys = ("policy", "model", "max_steps")
    assert [tuple(session[key] for key in keys) for session in record["resumed"]] == [
        ("claude", "model-x", 3),
        ("rules", "", 7),
    ]
    assert [session["time"] for session in record["resumed"]] == record["resumed_at"]
    assert all("playwright" in session["versions"] for session in record["resumed"])


def test_each_session_says_how_it_was_started_in_workers_too(plan):
    started = replace(plan, command_line=("--task", "spec.json", "--api-key=abc"))
    audit = opened(Plan.from_portable(started.portable()))
    opened(replace(plan, resume="run_1", command_line=("--resume",)))
    record = audit.folder.record()
    assert record.origin.command_line == ["--task", "spec.json", "--api-key=***"]
    assert [session.origin.command_line for session in record.resumed] == [["--resume"]]


def test_the_copies_in_the_folder_have_hashes_of_their_own(plan):
    folder = opened(plan).folder
    record = folder.record()
    assert record.spec.copy_sha256 == sha256_of(folder.path / "task_spec.json")
    assert record.samples.copy_sha256 == sha256_of(folder.path / "samples.csv")
    assert record.spec.sha256 == sha256_of(plan.task)


@pytest.mark.parametrize("with_task", [True, False])
def test_max_steps_of_a_resumed_session_apply_in_the_controller_and_in_workers(plan, with_task):
    opened(replace(plan, max_steps=5))
    other = replace(plan, resume="latest", max_steps=30)
    audit = opened(other if with_task else replace(other, task=None, samples=None))
    assert audit.task.max_steps == 30
    in_worker = audits.reopen(audit.folder, resumed=True, options={"max_steps": 30})
    assert in_worker.task.max_steps == 30
    (plan.evidence.parent / "spec.json").write_text(json.dumps(SPEC, indent=4))
    assert opened(other).task.max_steps == 30


def test_not_found_is_taken_as_the_option_says_else_as_the_spec_says(plan):
    write_spec(plan, not_found="pass")
    audit = opened(plan)
    assert (audit.task.not_found, audit.record.not_found) == ("pass", "pass")
    other = replace(plan, resume="latest", not_found="fail")
    assert opened(other).task.not_found == "fail"
    assert (
        audits.reopen(audit.folder, resumed=True, options={"not_found": "fail"}).task.not_found
        == "fail"
    )
    record = opened(replace(plan, resume="latest")).record
    assert [session.not_found for session in record.resumed] == ["fail", "pass"]
    assert load_run_task(audit.folder, record).not_found == "pass"


def test_only_the_option_changes_how_a_resumed_run_takes_not_found(plan):
    opened(plan)
    write_spec(plan, not_found="pass")
    resumed = replace(plan, resume="latest")
    with pytest.raises(ResumeRefused, match="the spec changed in not_found"):
        opened(resumed)
    assert opened(replace(resumed, not_found="pass")).task.not_found == "pass"


def test_a_run_that_was_started_with_the_option_is_reported_with_it(plan):
    audit = opened(replace(plan, not_found="pass"))
    assert load_run_task(audit.folder, audit.record).not_found == "pass"


def test_a_resumed_run_that_is_only_collected_changes_no_file(plan):
    before = (opened(plan).folder.path / "run.json").read_bytes()
    resumed = replace(plan, resume="run_1")
    audit = audits.open_option_audit(resumed, collect_only=True, ready=pytest.fail)
    assert audit is not None
    assert [sample.sample_id for sample in audit.samples.samples] == ["adam"]
    assert (plan.evidence / "run_1" / "run.json").read_bytes() == before


def test_the_terminal_names_the_policy_of_this_session_and_the_models_of_all(plan):
    opened(plan)
    audit = opened(replace(plan, resume="run_1", policy="claude", model="model-x"))
    assert "bwa: policy claude, model model-x" in header_lines(audit.record, audit.folder, ())
    assert "2 calls of model-x," in describe_usage(Usage(calls=2), audit.record)
    assert describe_usage(Usage(), audit.record) == "no model calls (policy rules, claude)"


def test_every_key_is_read_somewhere(repository):
    sources = [p.read_text() for p in (repository / "pytest_bwa").rglob("*.py")]
    sources.append(inspect.getsource(TaskSpec).replace("self.", "task."))
    unread = [k for k in TaskSpec.model_fields if not any(f"task.{k}" in s for s in sources)]
    assert unread == []


def test_a_discovery_spec_is_never_run_as_one_sample(plan):
    write_spec(plan, phase="discovery", start_url="https://x.org/people")
    with pytest.raises(InputError, match="its samples are discovered"):
        opened(replace(plan, samples=None))
    with pytest.raises(InputError, match="its samples are discovered"):
        audits.read_audit(replace(plan, task=None), plan.task, plan.samples)  # bound by a marker
    with pytest.raises(InputError, match="pass --start-url instead of --url"):
        discovers(replace(plan, url="https://x.org/people"))
    assert not plan.evidence.exists()


def test_one_sample_is_run_if_the_spec_names_its_page_and_none_if_a_placeholder_is_left(plan):
    write_spec(plan, start_url="https://x.org/people/ada")
    (sample,) = opened(replace(plan, samples=None)).samples.samples
    assert (sample.sample_id, sample.url) == ("hr", "https://x.org/people/ada")
    write_spec(plan, start_url="https://x.org/people/{login}")
    for url in (None, "https://x.org/people/ada"):
        with pytest.raises(InputError, match=r"one row is enough, and -k ID.* --discover"):
            opened(replace(plan, samples=None, url=url))


def test_a_start_url_with_a_token_is_read_again_when_its_run_is_resumed(plan):
    write_spec(plan, start_url="https://x.org/people/ada?token=s3cr3t-t0k3n")
    folder = opened(replace(plan, samples=None)).folder
    assert "s3cr3t-t0k3n" not in (folder.path / "samples.csv").read_text()
    (sample,) = opened(replace(plan, samples=None, resume="run_1")).samples.samples
    assert sample.url == "https://x.org/people/ada?token=s3cr3t-t0k3n"


def test_a_list_that_was_discovered_is_not_discovered_again_for_a_resumed_run(plan):
    write_spec(plan, needs_discovery=True, discover={"start_url": "https://x.org/people"})
    plan.samples.write_bytes(b"sample_id,url\r\nadam,https://x.org/\r\n")
    found = DiscoveryRecord(listings=["https://x.org/people"], found=1, problems=["HTTP 429"])
    opened(plan).folder.update(discovery=found)
    resumed = replace(plan, resume="run_1", samples=None)
    assert not discovers(resumed)
    audit = opened(resumed)
    assert [sample.sample_id for sample in audit.samples.samples] == ["adam"]
    assert audit.is_incomplete, "the exit status says so again"


def test_what_waited_in_a_session_that_was_killed_waits_no_more_nor_holds_what_was_decided(plan):
    folder = opened(plan).folder
    desk = ApprovalDesk(folder.path)
    question = Question(
        sample_id="adam", task_id="hr", what="click Save", to="POST https://x.org/save", fields=[],
        url="https://x.org/", title="", box=None, alike="a" * 32, seconds=600,
    )  # fmt: skip
    (kept,) = _left_by_a_killed_worker(desk, question, folder.path)
    assert [q.id for q in desk.waiting()] == [question.id]
    long_ago = time.time() - LOST_SECONDS - 1
    os.utime(kept, (long_ago, long_ago))
    assert desk.waiting() == []
    os.utime(kept)
    yes = Answer(decision="approved", by="Ada L.", at=utc_now(), alike=True)
    assert desk.decide(question.id, yes)
    other = question.model_copy(update={"id": "other", "seconds": 0.0})
    assert desk.ask(other, None, lambda _: None) == yes
    opened(replace(plan, resume="run_1"))
    assert desk.ask(other, None, lambda _: None) is None


def _left_by_a_killed_worker(desk: ApprovalDesk, question: Question, run: Path) -> list[Path]:
    def copy(_: Question) -> None:
        (path,) = run.rglob("*.question.json")
        kept.append((path, path.read_bytes()))

    kept: list[tuple[Path, bytes]] = []
    desk.ask(question.model_copy(update={"seconds": 0.05}), None, copy)
    path, content = kept[0]
    path.write_bytes(content)
    return [path]
