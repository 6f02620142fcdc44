"""What a person should look at is counted and named in every report, and may be let fail."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console
from unit.plugin.test_options import config
from unit.reports.test_registry import FakeTerminal, a_result, finished, run  # noqa: F401

from pytest_bwa.audit.plan import Plan
from pytest_bwa.audit.salvage import intact_result
from pytest_bwa.errors import AuditFinding, InputError
from pytest_bwa.evidence.files import write_json
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import Judgment, SampleResult
from pytest_bwa.plugin import command_line
from pytest_bwa.reports.allure_report.build import write_results
from pytest_bwa.reports.allure_report.status import categories
from pytest_bwa.reports.base import ReportContext
from pytest_bwa.reports.junit import JUnitProperties
from pytest_bwa.reports.registry import Reports
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.reports.watch import watch

OPEN = Judgment(answer="inconclusive", confidence=0.2, reasoning="the page does not say")


@pytest.fixture
def marked(run: RunFolder) -> RunFolder:  # noqa: F811
    """``adam`` is done but its judgment is open, ``later`` needs a review, ``gone`` has failed."""
    adam = a_result("adam", "done", judgment=OPEN, flagged=True, notes=["nobody saw the owner"])
    for result in (adam, a_result("later", "needs_review", flagged=True)):
        run.sample(result.sample_id).mkdir(exist_ok=True)
        write_json(run.sample(result.sample_id) / "result.json", result)
    return run


def summary(folder: RunFolder) -> list[str]:
    reports, terminal = Reports(ReportContext()), FakeTerminal()
    reports.run_finished((finish_run(folder, 1, ""),))
    reports.write_terminal_summary(terminal)
    assert terminal.red == []
    return terminal.lines


def test_the_terminal_and_the_page_count_and_name_them(marked):
    lines = summary(marked)
    assert "review    1 needs_review: later" in lines
    assert "review    2 flagged: adam, later" in lines
    assert "  flagged                 adam: nobody saw the owner" in lines, (
        "it passed, and says why"
    )
    assert not any("flagged" in line and "later:" in line for line in lines), "it says its reason"
    assert "review    1 inconclusive: adam" in lines
    assert f"review    bwa review {marked.path}" in lines
    page = (marked.path / "index.html").read_text()
    for total in (">2 to look at<", ">2 flagged<", ">1 inconclusive<"):
        assert total in page, total
    assert page.count('<span class="unsure">inconclusive</span>') == 1


def test_a_flag_without_a_note_does_not_end_with_a_colon(marked):
    """As in runs of earlier versions."""
    old = a_result("adam", "done", flagged=True)
    write_json(marked.sample("adam") / "result.json", old)
    lines = summary(marked)
    assert "  flagged                 adam: its result.json does not say why" in lines


def test_a_run_without_them_has_no_line(run):  # noqa: F811
    assert not [line for line in summary(run) if line.startswith("review")]


def test_junit_allure_and_watch_count_and_name_them(marked, tmp_path):
    ended = finish_run(marked, 1, "")
    file = tmp_path / "junit.xml"
    file.write_text("<testsuites><testsuite/></testsuites>")
    sample = finished(marked)
    report = JUnitProperties(ReportContext(junit_file=file))
    report.sample_finished(sample)
    report.run_sealed((ended,))
    assert dict(sample.properties)["bwa_review"] == "flagged inconclusive"
    assert dict(sample.properties)["bwa_reason"] == "nobody saw the owner"
    properties = {p.get("name"): p.get("value") for p in ElementTree.parse(file).iter("property")}
    assert properties["bwa_flagged.run_x"] == "2: adam, later"
    assert properties["bwa_inconclusive.run_x"] == "1: adam"
    assert properties["bwa_needs_review.run_x"] == "1: later"

    (tmp_path / "allure").mkdir()
    write_results([marked], tmp_path / "allure")
    environment = (tmp_path / "allure/environment.properties").read_text()
    assert "flagged=2: adam, later\n" in environment
    tests = [json.loads(path.read_text()) for path in (tmp_path / "allure").glob("*-result.json")]
    tags = {t["name"]: [x["value"] for x in t["labels"] if x["name"] == "tag"] for t in tests}
    assert tags == {
        "adam": ["flagged", "inconclusive"], "gone": [], "later": ["needs_review", "flagged"],
    }  # fmt: skip

    words = {test["name"]: test["description"] for test in tests}
    assert "**flagged**: `nobody saw the owner`" in words["adam"]
    assert "**flagged**" not in words["later"] + words["gone"]

    console = Console(file=io.StringIO(), width=120)
    watch(marked, console, once=True)
    text = console.file.getvalue()
    assert "1 to review  " in text
    assert "2 flagged  1 inconclusive" in text
    assert "done flagged inconclusive" in text


def test_a_flag_that_the_end_of_the_run_gives_has_its_reason_in_junit(marked, tmp_path):
    """pytest has written the test's properties by then."""
    old = a_result("gone", "done", flagged=True, notes=["owner: it stands elsewhere \x01"])
    write_json(marked.sample("gone") / "result.json", old)
    ended = replace(finish_run(marked, 1, ""), flagged_late={"gone": "owner: it stands elsewhere"})
    file = tmp_path / "junit.xml"
    cases = "".join(
        f'<testcase name="{name}"><properties>'
        f'<property name="bwa_evidence" value="{marked.sample(name)}"/>'
        '<property name="bwa_flagged" value="false"/><property name="bwa_review" value=""/>'
        '<property name="bwa_reason" value=""/></properties></testcase>'
        for name in ("adam", "gone")
    )
    file.write_text(f"<testsuites><testsuite>{cases}<testcase/></testsuite></testsuites>")
    JUnitProperties(ReportContext(junit_file=file)).run_sealed((ended,))
    said = {
        case.get("name"): {p.get("name"): p.get("value") for p in case.iter("property")}
        for case in ElementTree.parse(file).iter("testcase")
    }
    assert said["gone"]["bwa_reason"] == "owner: it stands elsewhere \\x01"
    assert (said["gone"]["bwa_flagged"], said["gone"]["bwa_review"]) == ("true", "flagged")
    assert (said["adam"]["bwa_flagged"], said["adam"]["bwa_reason"]) == ("false", "")


def test_what_shall_fail_fails_says_why_and_is_run_again(marked):
    marked.update(fail_on=["inconclusive"])
    lines = summary(marked)
    assert lines[1] == "samples   3: 1 to review, 1 failed, 1 failed by --fail-on"
    assert "  done (inconclusive)     adam: nobody saw the owner" in lines
    result = marked.result("adam")
    assert result is not None
    assert result.passed
    assert intact_result(marked, "adam", "fail") is not None
    assert intact_result(marked, "adam", "fail", ["inconclusive"]) is None
    with pytest.raises(AuditFinding, match=r"^adam: done \(inconclusive\): nobody saw the owner$"):
        result.fail_on(["inconclusive"]).assert_done()


def test_a_record_that_does_not_exist_may_be_taken_as_a_pass_and_still_be_open():
    missing = SampleResult(
        sample_id="a", task_id="t", status="failed", outcome="not_found", reason="r", judgment=OPEN
    )
    assert missing.take_not_found_as("pass").passed
    assert not missing.fail_on(["inconclusive"]).passed
    assert missing.fail_on(["flagged"]).passed


def test_evidence_alone_makes_the_same_red_samples(marked, tmp_path):
    marked.update(fail_on=["flagged"])
    (tmp_path / "allure").mkdir()
    write_results([marked], tmp_path / "allure")
    tests = [json.loads(path.read_text()) for path in (tmp_path / "allure").glob("*-result.json")]
    (adam,) = (test for test in tests if test["name"] == "adam")
    assert adam["status"] == "failed"
    message = adam["statusDetails"]["message"]
    names = [c["name"] for c in categories() if re.fullmatch(c["messageRegex"], message)]
    assert names == ["To be reviewed: --fail-on makes it fail"]
    assert marked.record().current.fail_on == ["flagged"]


def test_the_option_takes_marks_and_no_other_words(tmp_path: Path):
    plan = command_line.plan(config(fail_on="inconclusive, flagged"))
    assert plan.fail_on == ("flagged", "inconclusive")
    assert Plan.from_portable(plan.portable()).fail_on == plan.fail_on
    assert command_line.plan(config(ini={"fail_on": "flagged"})).fail_on == ("flagged",)
    with pytest.raises(InputError, match=r'--fail-on takes needs_review, .* not "unsure"'):
        command_line.plan(config(fail_on="flagged,unsure"))
