"""Test items, their ids, marks, and pytest's own options."""

from __future__ import annotations

import contextlib
import xml.etree.ElementTree as ElementTree

import psutil
import pytest
from audit_folder import await_that


def ids(text: str) -> list[str]:
    return [
        line.split("[", 1)[1].rstrip("]")
        for line in text.splitlines()
        if line.startswith("test_") and "[" in line
    ]


def test_ids_are_sample_ids_in_file_order_and_collection_starts_nothing(desk):
    desk.samples("zoe", "adam", "m-1.x")
    run = desk.audit("--collect-only", "-q")
    assert ids(run.text) == ["zoe", "adam", "m-1.x"]
    assert desk.folders == []
    assert desk.site.requests == []


@pytest.mark.parametrize("workers", [["-n", "2"], ["-n", "0"], ["-p", "no:xdist"]])
def test_outcomes_and_evidence_do_not_depend_on_the_number_of_workers(desk, workers):
    desk.samples("zoe", "gone1", "adam", "gone2", gone1="deleted last year")
    run = desk.audit(*workers)
    assert run.status == 1, run.text
    assert run.counts() == {"passed": 2, "xfailed": 1, "failed": 1}
    rows = desk.combined()
    assert [row["sample_id"] for row in rows] == ["adam", "gone1", "gone2", "zoe"]
    assert [row["status"] for row in rows] == ["done", "failed", "failed", "done"]
    assert rows[0]["department"] == "Finance adam"
    assert desk.record()["results_out"] == {"done": 2, "failed": 2}
    # The message is enough to act on, without opening a file.
    assert "gone2: failed: not found: HTTP 404" in run.text
    assert f"evidence: {desk.folder}/gone2" in run.text
    assert "Traceback" not in run.text
    assert not (desk.folder / ".live").exists()


def test_an_expected_failure_that_passes_is_reported(desk):
    desk.spec(xfail={"zoe": "was broken in May"})
    desk.samples("zoe")
    run = desk.audit()
    assert run.status == 1
    assert "[XPASS(strict)] was broken in May" in run.text


def test_the_options_k_x_and_lf(desk):
    desk.samples("adam", "gone1", "zoe")
    assert desk.audit("-k", "adam").counts() == {"passed": 1, "deselected": 2}
    run = desk.run("--task=spec.json", "--samples=samples.csv", "-x", "--run-id=stopped")
    assert run.counts() == {"passed": 1, "failed": 1}
    assert "1 not run" in run.text
    assert (desk.path / "evidence/stopped/combined.csv").read_text().count("\n") == 3
    desk.run("--task=spec.json", "--samples=samples.csv", "-p", "cacheprovider")
    again = desk.audit("--lf")
    assert again.counts() == {"failed": 1, "deselected": 2} or again.counts() == {"failed": 1}


def test_the_junit_report_contains_status_and_cost(desk):
    desk.samples("adam")
    desk.audit("--junitxml=out.xml")
    names = {
        p.get("name"): p.get("value")
        for p in ElementTree.parse(desk.path / "out.xml").iter("property")
    }
    assert names["bwa_status"] == "done"
    assert names["bwa_model_calls"] == "0"
    assert names["bwa_evidence"].endswith("/adam")


def test_without_a_task_the_item_is_skipped_with_a_hint(desk):
    run = desk.run("-rs")
    assert run.status == 0
    assert "pass --task FILE" in run.text
    assert desk.folders == []


def test_a_bound_audit_runs_without_options_and_not_with_task(desk):
    desk.samples("adam", "zoe")
    bound = "import pytest\n@pytest.mark.bwa(task='spec.json', samples='samples.csv')\n"
    (desk.path / "test_bound.py").write_text(
        bound
        + "def test_bound(browser_agent, sample):\n    browser_agent.run(sample).assert_done()\n"
    )
    run = desk.run("-n", "2", "--strict-markers", "-W", "error")
    assert run.counts() == {"passed": 2, "skipped": 1}, run.text
    assert desk.folder.name.endswith("_hr")
    assert len(desk.combined()) == 2
    run = desk.audit("--collect-only", "-q")
    assert ids(run.text) == ["adam", "zoe"]
    assert "test_bound" not in run.text


def test_ordinary_marks_work_and_a_url_is_one_sample(desk):
    desk.samples("adam")
    (desk.path / "test_audit.py").write_text(
        "import pytest\n@pytest.mark.xfail(reason='not yet')\n"
        "def test_sample(browser_agent, sample):\n"
        "    assert browser_agent.run(sample).extracted['department'] == 'Sales'\n"
    )
    run = desk.run("--task=spec.json", f"--url={desk.site.url}/adam")
    assert run.counts() == {"xfailed": 1}, run.text
    (row,) = desk.combined()
    assert row["department"] == "Finance adam"


@pytest.mark.slow
def test_workers_start_with_the_first_samples_of_the_file(desk):
    """One worker hangs on the first sample, so that the first sample of the other is visible."""
    desk.samples("hangs", *[f"s{number:02d}" for number in range(40)])
    desk.site.pages["/hangs"] = "<h1>x</h1><script>for (;;);</script>"
    process = desk.start("--task=spec.json", "--samples=samples.csv", "-n", "2")
    requested = lambda: [path for path in desk.site.requests if path.startswith("/s")]  # noqa: E731
    await_that(requested, "no other sample was started", 60)
    for running in [*psutil.Process(process.pid).children(recursive=True), process]:
        with contextlib.suppress(psutil.Error):
            running.kill()
    process.communicate()
    assert requested()[0] == "/s01", (
        "xdist first gives each worker two samples, so the second worker begins with the third"
    )


def test_a_distribution_mode_that_loses_samples_gives_a_warning(desk):
    desk.samples("adam")
    assert "--dist loadfile loses samples" in desk.audit("-n", "1", "--dist=loadfile").text
    assert "loses samples" not in desk.audit("-n", "1", "--dist=worksteal").text


def test_ten_thousand_rows_are_collected(desk):
    rows = "".join(f"s{n},/x\n" for n in range(10_000))
    (desk.path / "samples.csv").write_text("sample_id,url\n" + rows)
    run = desk.audit("--collect-only", "-q")
    assert "10000 tests collected" in run.text
