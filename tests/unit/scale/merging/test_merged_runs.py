"""The shards of a list become one run, which is what one machine would have made."""

from __future__ import annotations

import io
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from rich.console import Console
from typer.testing import CliRunner
from unit.reports.verify.conftest import write_sample
from unit.scale.merging.conftest import NAMES, end_run, make_run, shards_in

from pytest_bwa.audit import audits
from pytest_bwa.audit.plan import Plan
from pytest_bwa.cli import app
from pytest_bwa.errors import InputError, ResumeRefused
from pytest_bwa.evidence.checks import CheckRecord, Difference, SampleCheck
from pytest_bwa.evidence.files import sha256_of, write_json
from pytest_bwa.evidence.folder import RunFolder, latest_run
from pytest_bwa.evidence.integrity.manifest import files_in, write_manifests
from pytest_bwa.evidence.result_reader import CHECK, Checks
from pytest_bwa.evidence.reviews import Review, add_review, read_reviews
from pytest_bwa.evidence.run_record import DiscoveryRecord, RecipeRecord
from pytest_bwa.evidence.trajectory.reader import TrajectoryReader
from pytest_bwa.reports.allure_report.build import write_results
from pytest_bwa.reports.base import read_finished_run
from pytest_bwa.reports.diff import compare
from pytest_bwa.reports.review.reviewed import update_reviewed
from pytest_bwa.reports.verify.bag import make_bag
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.reports.watch import watch
from pytest_bwa.scale.merging.merge import merge_runs
from pytest_bwa.steps.step import Usage


def without_times(table: Path) -> bytes:
    """Without when each sample began and how many seconds it took."""
    return re.sub(rb"\d{4}-\d\d-\d\dT[\d:.]+Z,[\d.]+", b"TIME", table.read_bytes())


def contents(run: Path) -> dict[str, str]:
    return {name: sha256_of(path) for name, path in files_in(run)}


def test_the_merged_run_is_the_plain_one_with_the_proofs_of_its_shards(folder):
    runs, plain, out = shards_in(folder), folder / "evidence" / "plain", folder / "evidence/whole"
    merged = merge_runs([runs[2], runs[0], runs[1]], out)
    assert merged.without_result == ()
    assert "5 samples: as they were written" in verify(out).lines()[0]
    assert without_times(out / "combined.csv") == without_times(plain / "combined.csv")
    for name in ("samples.csv", "task_spec.json", "packages.txt"):
        assert (out / name).read_bytes() == (plain / name).read_bytes(), name
    beside = {name for name, _ in files_in(out) if not name.startswith("shards/")}
    assert beside == {name for name, _ in files_in(plain)}
    record, of_plain = merged.record, RunFolder(plain).record()
    same = ("task_id", "samples_in", "results_out", "not_run", "exit_reason", "policy", "versions")
    assert [getattr(record, key) for key in same] == [getattr(of_plain, key) for key in same]
    assert record.samples == of_plain.samples
    assert record.notes == [f"the disk was slow on machine {n}/3" for n in (1, 2, 3)]
    assert [(part.number, part.run_id) for part in record.merged] == [(1, "1"), (2, "2"), (3, "3")]
    for number, run in enumerate(runs, 1):
        own = out / "shards" / f"{number}-of-3"
        for name in ("run.json", "manifest-sha256.txt", "combined.csv", "trajectory.db"):
            assert (own / name).read_bytes() == (run / name).read_bytes(), name
    linked = [path for path in out.rglob("*.png") if path.stat().st_nlink == 2]
    assert len(linked) == len(list(out.rglob("*.png"))), "no picture takes its space twice"


def test_whoever_reads_runs_reads_a_merged_one(folder):
    out = merge_runs(shards_in(folder), folder / "evidence" / "whole").folder.path
    found = TrajectoryReader(out, out / ".live").samples()
    assert [sample.sample_id for sample in found] == sorted(NAMES)
    rows = list(openpyxl.load_workbook(out / "combined.xlsx")["samples"].values)
    assert [row[0] for row in rows[1:]] == sorted(NAMES)
    page = (out / "index.html").read_text()
    assert [page.index(f'href="{name}/index.html"') for name in NAMES] == sorted(
        page.index(f'href="{name}/index.html"') for name in NAMES
    ), "in the order of the list"
    screen = io.StringIO()
    watch(RunFolder(out), Console(file=screen, width=100), once=True)
    assert "5 of 5 samples" in screen.getvalue()
    assert not compare(RunFolder(folder / "evidence/plain"), RunFolder(out)).differs(
        with_pictures=True
    )
    (folder / "allure").mkdir()
    write_results([RunFolder(out)], folder / "allure")
    tests = [json.loads(path.read_text()) for path in (folder / "allure").glob("*-result.json")]
    assert sorted(test["name"] for test in tests) == sorted(NAMES)
    bag = make_bag(out, folder / "bag")
    assert verify(bag / "data").ok


def test_the_page_says_of_which_runs_it_was_merged(folder):
    out = merge_runs(shards_in(folder), folder / "whole").folder.path
    page = (out / "index.html").read_text()
    record = RunFolder(out).record()
    assert all(shard.manifest_sha256 in page for shard in record.merged)
    assert "shards/" in (out / "README.txt").read_text()
    page = (folder / "evidence" / "2" / "index.html").read_text()
    assert "2/3: 2 of the 5 samples of the list" in page


def test_lists_that_were_walked_at_other_times_are_one_list_if_their_ids_are(folder):
    runs = shards_in(folder)
    for number, run in enumerate(runs, 1):
        found = DiscoveryRecord(listings=["https://x.org/"], found=5)
        samples = RunFolder(run).record().samples.model_copy(update={"sha256": f"{number:064}"})
        RunFolder(run).update(discovery=found, samples=samples)
        RunFolder(run).remove_live_files()
        write_manifests(run)
    merged = merge_runs(runs, folder / "whole")
    assert merged.record.discovery == found
    assert verify(merged.folder.path).ok


def test_the_command_names_what_it_made_and_what_has_no_result(folder):
    make_run(folder, "short", "2/3", left_out=["eve"])
    runs = [*map(str, shards_in(folder)[::2]), "short"]
    words = ["merge", *runs, "--out", str(folder / "whole"), "--evidence", f"{folder}/evidence"]
    done = CliRunner().invoke(app, [*words, "--alluredir", str(folder / "allure")])
    assert done.exit_code == 1, done.output
    assert "3 shards, 5 samples: 4 done" in done.output
    assert "bwa: without a result: eve" in done.output
    assert verify(folder / "whole").ok
    record = RunFolder(folder / "whole").record()
    assert (record.not_run, record.exit_reason) == (1, "all that ran passed")
    assert len(list((folder / "allure").glob("*-result.json"))) == 4


def test_runs_that_lie_in_a_store_are_merged_from_there(folder):
    addresses = [run.as_uri() for run in shards_in(folder)]
    out = folder / "a" / "whole"
    done = CliRunner().invoke(app, ["merge", *addresses, "--out", str(out)])
    assert done.exit_code == 0, done.output
    of_folders = merge_runs(shards_in(folder), folder / "b" / "whole").folder.path
    assert contents(out) == contents(of_folders)


def test_the_same_runs_make_the_same_bytes(folder):
    runs = shards_in(folder)
    first = contents(merge_runs(runs, folder / "a" / "whole").folder.path)
    assert contents(merge_runs(runs[::-1], folder / "b" / "whole").folder.path) == first
    again = merge_runs(runs, folder / "a" / "whole")
    assert contents(again.folder.path) == first, "it is there already"
    with pytest.raises(InputError, match="exists and is not a merge of these runs"):
        merge_runs(runs, folder / "evidence" / "plain")


def test_a_short_list_may_leave_shards_empty(folder):
    runs = [make_run(folder, f"of7_{n}", f"{n}/7") for n in range(1, 8)]
    out = merge_runs(runs, folder / "whole").folder.path
    assert verify(out).ok
    plain = folder / "evidence" / "plain"
    assert without_times(out / "combined.csv") == without_times(plain / "combined.csv")


def test_reviews_of_a_shard_are_reviews_of_the_whole(folder):
    runs = shards_in(folder)
    for run, name, time in ((runs[2], "cyd", "11"), (runs[0], "bo", "10")):
        review = Review(
            reviewer="ann",
            time=f"2026-11-22T{time}:00:00Z",
            sample_id=name,
            subject="value",
            field="staff",
            decision="accepted",
            value=1200,
            result_sha256=sha256_of(run / name / "result.json"),
        )
        add_review(run, review)
    out = merge_runs(runs, folder / "whole").folder.path
    assert [review.sample_id for review in read_reviews(out).reviews] == ["bo", "cyd"]
    found = verify(out)
    assert found.ok, found.faults
    assert found.reviews[0].startswith("reviews.jsonl: 2 reviews by ann")
    add_review(out, review.model_copy(update={"time": "2026-11-23T10:00:00Z"}))
    assert verify(out).ok, "a merged run is reviewed like any other"
    assert set(read_finished_run(RunFolder(out)).reviews) == {"bo", "cyd"}
    reviewed = update_reviewed(RunFolder(out))
    assert reviewed is not None
    assert (reviewed / "cyd" / "index.html").is_file()


def test_recipes_costs_and_sessions_are_added_up(folder):
    runs = shards_in(folder)
    for number, run in enumerate(runs, 1):
        check = SampleCheck(
            sample_id=f"s{number}",
            differences={"staff": Difference(first=1, again=2)} if number == 3 else {},
            usage=Usage(calls=1, cost_usd=0.25),
        )
        recipe = RecipeRecord(
            mode="learn",
            sha256=str(number),
            learnt_from=[f"t{number}"],
            replayed=number,
            handed_over={f"h{number}": "why"},
            rests="wrong" if number == 3 else "",
        )
        usage = Usage(calls=2, cost_usd=0.5)
        checked = CheckRecord(rate=0.02, seed="").with_checks([check])
        run_folder = RunFolder(run)
        place = Checks(run_folder).place(check.sample_id)
        place.mkdir(parents=True)
        write_json(place / CHECK, check)
        run_folder.update(recipe=recipe, check=checked, preparation_usage=usage, hints_shown=number)
        RunFolder(run).remove_live_files()
        write_manifests(run)
    merged = merge_runs(runs, folder / "whole")
    record = merged.record
    assert record.recipe is not None
    assert record.check is not None
    assert (record.recipe.replayed, record.check.alike, record.check.lower_bound) == (6, 2, 0.1354)
    assert (record.recipe.sha256, record.recipe.learnt_from) == ("", ["t1", "t2", "t3"])
    assert record.recipe.rests == "wrong (the shard 3/3)"
    assert record.is_recipe_wrong
    assert "in the shard 3/3" in record.notes[-1]
    assert "learnt from 3, 6 replayed" in (folder / "whole" / "index.html").read_text()
    usage = read_finished_run(merged.folder).usage
    assert (usage.calls, usage.cost_usd) == (9, 2.25)
    assert record.hints_shown == 6


def test_a_merged_run_is_not_resumed_but_its_shard_is(folder):
    run = make_run(folder, "short", "2/3", left_out=["eve"])
    plan = Plan(evidence=folder / "evidence", run_id="x", policy="rules", model="")
    whole = merge_runs([*shards_in(folder)[::2], run], folder / "evidence" / "whole")
    with pytest.raises(ResumeRefused, match="resume its shards and merge them again"):
        resume(plan, "whole")
    audit = resume(plan, "short")
    assert [sample.sample_id for sample in audit.samples.samples] == ["adam", "eve"]
    write_sample(audit.folder, "eve", folder / "download")
    end_run(audit.folder)
    assert verify(whole.folder.path).ok, "what it has in common with the shard stays as it was"
    out = merge_runs([*shards_in(folder)[::2], run], folder / "evidence" / "whole-again")
    assert out.without_result == ()
    assert out.record.resumed_at == RunFolder(run).record().resumed_at
    assert verify(out.folder.path).ok


def resume(plan: Plan, run: str) -> audits.Audit:
    again = replace(plan, resume=run)
    audit = audits.open_option_audit(again, collect_only=False, ready=lambda task: None)
    assert audit is not None
    return audit


def test_half_of_a_merge_is_never_the_latest_run(folder):
    half = folder / "evidence" / ".whole.merging" / "whole"
    half.mkdir(parents=True)
    shutil.copy(folder / "evidence" / "plain" / "run.json", half)
    latest = latest_run(folder / "evidence")
    assert latest is not None
    assert latest.path.name == "3"
    merge_runs(shards_in(folder), folder / "evidence" / "whole")
    assert not half.parent.exists()
