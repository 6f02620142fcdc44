"""What a run says of its end agrees with its counts, and its time is its own."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from pytest_bwa.evidence.checks import CheckRecord, Difference, SampleCheck
from pytest_bwa.evidence.files import sha256_of, write_json
from pytest_bwa.evidence.folder import SPEC, RunFolder
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import RecipeUse, SampleResult
from pytest_bwa.evidence.result_reader import Checks
from pytest_bwa.evidence.run_record import FileRecord, RecipeRecord, RunRecord
from pytest_bwa.facts.place import ValuePlace
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.reports.combined import csv_lines
from pytest_bwa.reports.handover.report import write_run_page
from pytest_bwa.reports.resume_line import resume_command
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.reports.tables.rows import tables_of
from pytest_bwa.reports.terminal import summary_lines
from pytest_bwa.spec.sample import place_in_run
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.place_identity import PlaceIdentity
from pytest_bwa.steps.step import utc_now

TASK = {"task_id": "hr", "goal": "Read the record.", "required_artifacts": ["record"]}
DONE, FAILED, BROKEN = (
    {"status": "done"},
    {"status": "failed"},
    {"status": "failed", "broken": True},
)


def a_run(folder: Path, results: list[dict[str, Any]], listed: int, xfail: str = "") -> RunFolder:
    """A run of ``listed`` samples, of which the first ones have these results."""
    run = RunFolder.create(folder, "run x")
    rows = [f"s{number},{xfail if number == 0 else ''}\n" for number in range(listed)]
    source = folder / "samples.csv"
    source.write_text("sample_id,xfail\n" + "".join(rows))
    file = FileRecord(path=str(source), sha256=sha256_of(source))
    record = RunRecord(
        run_id="run x", task_id="hr", policy="rules", spec=file, samples=file,
        started_at=utc_now(), samples_in=listed,
    )  # fmt: skip
    run.write_inputs(record, TaskSpec(**TASK).model_dump(mode="json"), source.read_text())
    for number, given in enumerate(results):
        times = {"started_at": utc_now(), "finished_at": utc_now()}
        result = SampleResult(sample_id=f"s{number}", task_id="hr", **{**times, **given})
        run.sample(result.sample_id).mkdir()
        write_json(run.sample(result.sample_id) / "result.json", result)
    return run


@pytest.mark.parametrize(
    ("results", "listed", "status", "stopped", "expected", "resumes"),
    [
        ([DONE, DONE], 2, 0, "", "all passed", False),
        ([DONE, DONE], 2, 1, "", "all passed", False),  # another audit of the session failed
        ([DONE, FAILED], 2, 1, "", "some failed", False),
        ([DONE, DONE], 2, 2, "", "all passed", False),  # interrupted in another audit
        ([DONE], 3, 0, "", "all that ran passed", False),  # the others were not selected
        ([FAILED], 3, 1, "stopping after 1 failures", "stopping after 1 failures", True),
        ([DONE, BROKEN], 3, 2, "", "interrupted", True),
        ([DONE, BROKEN], 2, 1, "", "some failed", True),
        ([], 2, 5, "", "nothing ran", False),
        ([], 2, 2, "the key is refused", "the key is refused", True),
    ],
)
def test_the_reason_agrees_with_the_counts_and_a_resume_is_named_where_it_helps(
    results: list[dict[str, Any]],
    listed: int,
    status: int,
    stopped: str,
    expected: str,
    resumes: bool,
    tmp_path: Path,
) -> None:
    ended = finish_run(a_run(tmp_path, results, listed), status, stopped)
    assert ended.record.exit_reason == expected
    lines = [line for line in summary_lines(ended) if line.startswith("resume ")]
    assert bool(lines) == resumes


def test_a_known_bad_sample_that_fails_is_named_as_such(tmp_path: Path) -> None:
    ended = finish_run(a_run(tmp_path, [FAILED, DONE], 2, xfail="known"), 0, "")
    assert ended.record.exit_reason == "all passed, but those known to be bad"
    assert "samples   2: 1 done, 1 known bad" in summary_lines(ended)


def test_the_time_of_an_audit_is_that_in_which_its_samples_ran(tmp_path: Path) -> None:
    """Two workers at once, a pause in which another audit ran, and a session of the day after."""

    def ran(first: str, last: str) -> dict[str, Any]:
        return {**DONE, "started_at": f"2026-11-{first}Z", "finished_at": f"2026-11-{last}Z"}

    results = [
        ran("20T10:00:00", "20T10:00:10"),
        ran("20T10:00:05", "20T10:00:20"),
        ran("20T10:30:00", "20T10:30:04"),
        ran("21T10:00:00", "21T10:00:01"),
    ]
    ended: FinishedRun = finish_run(a_run(tmp_path, results, 4), 0, "")
    assert ended.totals.seconds == 25
    assert "steps     0 in 25 s" in summary_lines(ended)


def test_a_reason_that_is_cut_says_so(tmp_path: Path) -> None:
    long = {**FAILED, "reason": "The page says a lot of " + "this and that, " * 20}
    ended = finish_run(a_run(tmp_path, [long, {**FAILED, "reason": "It is gone."}], 2), 1, "")
    (cut,) = [line for line in summary_lines(ended) if "s0: " in line]
    assert cut.endswith("…")
    assert len(cut.partition("s0: ")[2]) <= 120
    assert any(line.endswith("s1: It is gone.") for line in summary_lines(ended))


@pytest.mark.parametrize(
    ("started", "resumed"),
    [
        ("pytest 'my tests/' --task=a.yaml -n 2 -x", "pytest 'my tests/' --task=a.yaml -n 2"),
        ("pytest --resume old --maxfail 3 -vx", "pytest -v"),
        ("pytest --resume --run-id=one t.py", "pytest t.py"),
        ("pytest --prompt 'Read it' --discover --start-url /list -q", "pytest -q"),
        ("pytest --task a.yaml --discover --start-url /list", None),
        ("pytest --api-key=abc", "pytest '--api-key=***'"),
    ],
)
def test_the_line_can_be_pasted(started: str, resumed: str | None, tmp_path: Path) -> None:
    folder = tmp_path / "the run; rm -r $HOME"
    line = resume_command(shlex.split(started), folder)
    assert shlex.split(line) == [*shlex.split(resumed or started), f"--resume={folder}"]


def stands(heading: str) -> Grounding:
    identity = PlaceIdentity(role="definition", name="Phone", headings=(heading,))
    place = ValuePlace(identity=identity, part="text", page="desk.test/*", steps_done=0, text="7")
    return Grounding(how="verbatim", place=place)


@pytest.mark.parametrize("fail_on", [[], ["flagged"]])
def test_a_value_of_another_section_than_in_the_other_samples_is_flagged(
    tmp_path: Path, fail_on: list[str]
) -> None:
    def found(heading: str) -> dict[str, Any]:
        answer = {"phone": "7", "mobile": "7"}
        grounding = {"phone": stands(heading), "mobile": stands("Work")}
        return {**DONE, "outcome": "found", "extracted": answer, "grounding": grounding}

    run = a_run(tmp_path, [*[found("Work")] * 6, found("Emergency contact")], 7)
    task = {**TASK, "output_schema": {"phone": "string", "mobile": "string"}}
    (run.path / SPEC).write_text(TaskSpec(**task).model_dump_json())
    run.update(fail_on=fail_on)
    ended = finish_run(run, 0, "")
    assert list(ended.flagged_late) == ["s6"]
    assert ended.is_wrong_after_all == bool(fail_on)
    kept = run.result("s6")
    assert kept is not None
    assert kept.flagged
    elsewhere = "it stands elsewhere than in most samples: under “Emergency contact > Phone”"
    assert kept.notes == [f'phone ("7"): {elsewhere}']
    assert kept.grounding["phone"].doubts == ("odd",)
    assert any("1 flagged: s6" in line for line in summary_lines(ended))
    assert any(elsewhere in line for line in csv_lines(tables_of(ended)[0]))
    assert finish_run(run, 0, "").flagged_late == {}  # it is said once


def test_a_doubted_place_is_one_line_for_all_samples_that_share_it(tmp_path: Path) -> None:
    doubted = stands("Work").with_doubts({Doubt.OTHER_VALUE: "Phone | 8"})
    other = stands("Work").with_doubts({Doubt.HIDDEN: ""})
    ended_so = {**DONE, "outcome": "found", "extracted": {"phone": "7"}, "flagged": True}
    records = (doubted, doubted, doubted, other)
    found = [{**ended_so, "grounding": {"phone": record}} for record in records]
    task = TaskSpec(**{**TASK, "output_schema": {"phone": "string"}})
    run = a_run(tmp_path, found, len(found))
    (run.path / SPEC).write_text(task.model_dump_json())
    ended = finish_run(run, 0, "")
    lines = summary_lines(ended)
    assert "review    phone under “Phone”: 3 samples, the page also says “Phone | 8”" in lines
    assert not any("1 sample," in line for line in lines), "the line of the sample says it"
    said = [line.split()[1] for line in lines if line.startswith("  flagged")]
    assert said == ["s0:", "s3:"], "the first of each place"
    assert any('s3: phone ("7"): nobody can see the text that has it' in line for line in lines)
    write_run_page(ended)
    page = (run.path / "index.html").read_text().partition("<h2>Samples</h2>")[0]
    assert "Doubted places" in page
    assert "the page also says “Phone | 8”" in page
    assert '3: <a href="s0/index.html">s0</a>, <a href="s1/index.html">s1</a>' in page


def test_samples_that_need_a_review_for_one_doubted_place_are_named_once(tmp_path: Path) -> None:
    said = 'phone ("7"): the page also says “Phone | 8”'
    doubted = stands("Work").with_doubts({Doubt.OTHER_VALUE: "Phone | 8"})
    open_ = {"status": "needs_review", "reason": said, "flagged": True, "outcome": "found",
             "extracted": {"phone": "7"}, "grounding": {"phone": doubted}}  # fmt: skip
    worse = {**open_, "reason": f"no mail; {said}"}
    run = a_run(tmp_path, [open_, open_, worse, open_], 4)
    lines = summary_lines(finish_run(run, 1, ""))
    assert [line.split()[2] for line in lines if line.startswith("  to review")] == [
        "s0:",
        "s2:",
    ]
    assert any("… and 2 more" in line for line in lines)
    assert "review    phone under “Phone”: 4 samples, the page also says “Phone | 8”" in lines


@pytest.mark.parametrize("fan_out", [False, True])
def test_a_flag_of_a_late_check_counts_in_how_the_run_ended(tmp_path: Path, fan_out: bool) -> None:
    """The check is compared when the run has ended; --fail-on flagged holds for its flags, too."""
    run = a_run(tmp_path, [{**DONE, "recipe": RecipeUse(kind="replayed")}], 1)
    check = CheckRecord(rate=0.02, seed="")
    run.update(recipe=RecipeRecord(mode="learn"), check=check, fail_on=["flagged"])
    if fan_out:
        place = place_in_run("s0", fan_out=True)
        (run.path / place).parent.mkdir(parents=True)
        run.sample("s0").rename(run.path / place)
        run.update(fan_out=True)
        run = RunFolder(run.path)
    place = Checks(run).place("s0")
    place.mkdir(parents=True)
    check = SampleCheck(sample_id="s0", differences={"owner": Difference(first=1, again=2)})
    write_json(place / "check.json", check)
    ended = finish_run(run, 0, "")
    assert ended.record.exit_reason == "some failed"
    assert ended.totals.not_passed == list(ended.flagged_late) == ["s0"]
    assert [sample.result.flagged for sample in ended.finished_samples(ended.flagged_late)] == [
        True
    ]
