"""Rows of a population that are drawn, and what the run folder says of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from audit_folder import AuditFolder, FinishedRun
from test_bad_input import error_line

from pytest_bwa.evidence.files import sha256_of
from pytest_bwa.evidence.integrity.manifest import write_manifests
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.scale.merging.merge import merge_runs

NAMES = [f"row{number:02}" for number in range(12)]


@pytest.fixture(scope="module")
def drawn(new_audit_folder) -> tuple[AuditFolder, list[FinishedRun]]:
    """Three of twelve rows, then two more of them."""
    audit = new_audit_folder()
    audit.samples(*NAMES)
    first = audit.audit("--pick=3", "--seed=7", "-n2")
    audit.before = [row["sample_id"] for row in audit.combined()]
    return audit, [first, audit.run("--resume", "--pick=5", "-n0")]


def test_the_drawn_rows_run_and_the_header_says_how_they_were_drawn(drawn):
    audit, (first, more) = drawn
    assert first.counts() == {"passed": 3}, first.text
    assert more.status == 0, more.text
    assert "3 of 12 rows of samples.csv, drawn at random (seed 7)" in first.text
    assert "5 of 12 rows of samples.csv, drawn at random (seed 7)" in more.text
    page = (audit.folder / "index.html").read_text()
    assert "5 of 12 rows of samples.csv, drawn at random (seed 7)" in page


def test_a_resumed_run_draws_further_rows_beside_those_that_it_has(drawn):
    audit, _ = drawn
    names = {row["sample_id"] for row in audit.combined()}
    assert set(audit.before) < names
    assert len(names) == 5
    record = audit.record()
    population = audit.folder / "population.csv"
    assert record["population"] == {
        "file": str(audit.path / "samples.csv"),
        "rows": 12,
        "sha256": sha256_of(audit.path / "samples.csv"),
        "seed": 7,
        "method": "at random",
        "by": "",
        "copy_sha256": sha256_of(population),
    }
    assert (record["samples_in"], record["not_run"]) == (5, 0)
    assert len(population.read_text().splitlines()) == 13


def test_nothing_is_drawn_while_pytest_only_collects(drawn):
    audit, _ = drawn
    before = (audit.folder / "run.json").read_bytes(), (audit.folder / "samples.csv").read_bytes()
    run = audit.run("--resume", "--pick=6", "--collect-only", "-q")
    assert run.text.count("::test_sample[row") + run.text.count("[row") >= 6, run.text
    after = (audit.folder / "run.json").read_bytes(), (audit.folder / "samples.csv").read_bytes()
    assert after == before


def test_verify_draws_again_and_finds_a_row_that_was_not_drawn(drawn, tmp_path):
    audit, _ = drawn
    assert verify(audit.folder).faults == ()
    run = Path(shutil.copytree(audit.folder, tmp_path / "run"))
    listed, population = run / "samples.csv", (run / "population.csv").read_text().splitlines()
    rows = listed.read_text().splitlines()
    other = next(row for row in population if row not in rows)
    listed.write_text("\r\n".join([*rows[:-1], other, ""]))
    shutil.move(run / rows[-1].split(",")[0], run / other.split(",")[0])
    record = json.loads((run / "run.json").read_text())
    record["samples"]["copy_sha256"] = sha256_of(listed)
    record["population"]["method"] = "at random, in proportion to region"
    (run / "run.json").write_text(json.dumps(record))
    write_manifests(run)
    problem = "does not have the rows that the seed 7 draws from population.csv"
    faults = {(f.file, f.problem) for f in verify(run).faults}
    assert ("samples.csv", problem) in faults
    problem = "population does not say how, and from which list, the samples were drawn"
    assert ("run.json", problem) in faults


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--resume", "--pick=5", "--seed=8"], "drawn with --seed 7, not 8"),
        (["--resume", "--pick=5", "--by=url"], "drawn at random, not by url"),
        (["--resume", "--pick=4"], "it has 5 samples, and a sample can only grow"),
        (["--resume", "--pick=13"], "its population has 12 rows"),
        (["--task=spec.json", "--samples=samples.csv", "--pick=13"], "more than the 12 rows"),
        (["--task=spec.json", "--samples=samples.csv", "--pick=x"], "a whole number above 0"),
        (["--task=spec.json", "--samples=samples.csv", "--seed=7"], "pass --pick N too"),
        (["--task=spec.json", "--samples=samples.csv", "--pick=2", "--by=regio"], "--by regio"),
        (
            ["--task=masks.json", "--samples=samples.csv", "--pick=2", "--by=url"],
            "--by url: the column is secret",
        ),
        (
            ["--task=spec.json", "--samples=samples.csv", "--pick=2", "--shard=1/2"],
            "--pick with --shard needs --seed",
        ),
    ],
)
def test_a_draw_that_cannot_be_is_refused_in_one_line(drawn, options, problem):
    audit, _ = drawn
    spec = json.loads((audit.path / "spec.json").read_text())
    (audit.path / "masks.json").write_text(json.dumps({**spec, "redact": ["[0-9]+/row1"]}))
    run = audit.run(*options)
    assert run.status == 4
    assert problem in error_line(run)


def test_what_is_known_of_a_sample_leaves_its_population_to_be_bounded(new_audit_folder):
    audit = new_audit_folder()
    audit.samples("row0", "row1", "row2")
    listed = audit.path / "samples.csv"
    header, *rows = listed.read_text().splitlines()
    known = [f"{row},Finance row{n}" for n, row in enumerate(rows)]
    listed.write_text("\n".join([f"{header},expected.department", *known[:2], f"{known[2]}!"]))
    first = audit.audit("--pick=2", "--seed=7", "-n0", "--run-id=run_known")
    assert "of 2 known samples right: at least" in first.text
    assert "in 2: at most" in first.text
    whole = audit.run("--resume=run_known", "--pick=3", "-n0")
    assert "2 of 3 known samples right; all rows are known, so that nothing is left" in whole.text
    assert "drawn     1 exception in 3: that is the whole population" in whole.text
    assert "samples   3: 2 done, 1 not as expected" in whole.text


def test_a_changed_population_is_refused(drawn):
    audit, _ = drawn
    listed = audit.path / "samples.csv"
    whole = listed.read_text()
    listed.write_text("\n".join(whole.splitlines()[:-1]))
    try:
        run = audit.audit("--resume", "--pick=6")
    finally:
        listed.write_text(whole)
    assert "the samples file changed: 1 removed (row11)" in error_line(run)


def test_shards_of_one_draw_merge_into_it(new_audit_folder, tmp_path):
    audit = new_audit_folder()
    audit.samples(*NAMES)
    for shard in ("1/2", "2/2"):
        run = audit.audit("--pick=3", "--seed=7", f"--shard={shard}", "-n0")
        assert run.status == 0, run.text
    whole = merge_runs(audit.folders, tmp_path / "whole")
    assert whole.record.population.in_words(3).startswith("3 of 12 rows")
    assert verify(whole.folder.path).faults == ()
