"""Secret columns: the value stands beside the sample, and in no file of the run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_bwa.audit import audits
from pytest_bwa.audit.plan import Plan
from pytest_bwa.errors import SamplesError
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.spec.samples import load_samples, restored
from pytest_bwa.spec.secrets import hidden_cells
from pytest_bwa.spec.task import TaskSpec

TASK = TaskSpec.model_validate(
    {
        "task_id": "t",
        "goal": "Log in with {pin}.",
        "output_schema": {"name": "string"},
        "secrets": {"pin": {"column": "pin"}, "page": {"column": "url"}},
        "input_schema": {"pin": "integer | null"},
    }
)
LIST = """sample_id,url,pin,docs
ann,https://a.example/ann,471147,https://a.example/?token=abc
bob,https://a.example/bob,,
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "list.csv"
    file.write_text(LIST)
    return file


def test_the_value_stands_beside_the_sample_and_its_name_in_the_column(path):
    ann, bob = load_samples(path, TASK).samples
    assert (ann.columns["pin"], bob.columns["pin"]) == ("<secret:pin>", "")
    assert ann.secrets == {"pin": "471147", "page": "https://a.example/ann"}
    assert ann.url == "https://a.example/ann", "it is opened, and shown nowhere"
    assert "471147" not in repr(ann)
    assert ann.plain_columns.keys() == {"sample_id", "docs"}


def test_a_fault_of_a_secret_value_does_not_quote_it(path):
    path.write_text(LIST.replace("471147", "hunter22"))
    with pytest.raises(SamplesError, match="pin") as refused:
        load_samples(path, TASK)
    assert "hunter22" not in str(refused.value)


def test_an_id_that_says_a_secret_is_refused_and_a_short_secret_is_noted(path):
    path.write_text(LIST.replace("ann,", "ann471147,", 1))
    with pytest.raises(SamplesError, match="contains a secret"):
        load_samples(path, TASK)
    path.write_text(LIST.replace("471147", "47"))
    assert 'the secret "pin" has fewer than 4 characters' in load_samples(path, TASK).notes[-1]


@pytest.fixture
def written(path, tmp_path) -> audits.Audit:
    spec = tmp_path / "spec.json"
    spec.write_text(TASK.model_dump_json())
    plan = Plan(evidence=tmp_path, run_id="r", policy="rules", model="")
    audit = audits.read_audit(plan, spec, path)
    return audits.written(audit, RunFolder.create(tmp_path, "r"))


def test_no_file_of_the_run_has_the_values_and_a_worker_gets_them(written):
    folder = written.folder.path
    for file in folder.iterdir():
        text = file.read_text()
        assert not [w for w in ("471147", "a.example/ann", "token=abc") if w in text], file
    hidden = hidden_cells(written.samples.samples, written.task)
    assert hidden["ann"].keys() == {"pin", "url", "docs"}
    in_worker = audits.reopen(written.folder, resumed=False, hidden=hidden)
    assert in_worker.samples.samples == written.samples.samples
    assert audits.reopen(written.folder, resumed=False).sample("ann").secrets == {}


def test_a_resumed_run_reads_them_from_the_list_if_it_is_the_same(written, path):
    there = audits.reopen(written.folder, resumed=True).samples
    digest = written.record.samples.sha256
    assert restored(there, TASK, str(path), digest, None).samples == written.samples.samples
    path.write_text(LIST.replace("471147", "471148"))
    with pytest.raises(SamplesError, match="has changed or is not there"):
        restored(there, TASK, str(path), digest, None)
    open_list = replace(there, samples=there.samples[1:2])
    plain = replace(open_list.samples[0], columns={"sample_id": "bob"})
    unchanged = replace(open_list, samples=(plain,))
    assert restored(unchanged, TASK, "gone.csv", digest, None) is unchanged
