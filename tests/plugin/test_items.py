"""Test items, their ids, marks, and pytest's own options."""

from __future__ import annotations

import contextlib
import hashlib
import subprocess
import xml.etree.ElementTree as ElementTree
from importlib.metadata import version
from itertools import pairwise

import psutil
import pytest
from audit_folder import AuditFolder, FinishedRun, wait_until


def ids(text: str) -> list[str]:
    return [
        line.split("[", 1)[1].rstrip("]")
        for line in text.splitlines()
        if line.startswith("test_") and "[" in line
    ]


def test_ids_are_sample_ids_in_file_order_and_collection_starts_nothing(audit_folder):
    audit_folder.samples("zoe", "adam", "m-1.x")
    run = audit_folder.audit("--collect-only", "-q")
    assert ids(run.text) == ["zoe", "adam", "m-1.x"]
    assert audit_folder.folders == []
    assert audit_folder.site.requests == []


def test_a_recipe_is_learnt_from_rows_of_different_shapes(audit_folder):
    rows = ["a,1,,gone", "b,1,,", "c,2,,", "d,2,x,", "e,,x,", "f,,,", "g,1,,"]
    text = "\n".join(["sample_id,team,note,xfail", *rows])
    (audit_folder.path / "samples.csv").write_text(text)
    learning = audit_folder.audit("--collect-only", "-q", "--recipe", "learn")
    assert ids(learning.text) == ["b", "d", "e", "a", "c", "f", "g"]
    assert ids(audit_folder.audit("--collect-only", "-q").text) == list("abcdefg")


def test_no_more_samples_run_at_once_than_the_spec_allows(audit_folder):
    audit_folder.spec(concurrency=1)
    audit_folder.samples("adam", "eve", "mary", "zoe")
    assert audit_folder.audit("-n", "2").counts() == {"passed": 4}
    results = [audit_folder.result(name) for name in ("adam", "eve", "mary", "zoe")]
    times = sorted((result["started_at"], result["finished_at"]) for result in results)
    assert all(end <= start for (_, end), (start, _) in pairwise(times))


@pytest.fixture(scope="module", params=[["-n", "2"], ["-p", "no:xdist"]])
def mixed(request, new_audit_folder) -> tuple[AuditFolder, FinishedRun]:
    """A run whose samples end in different ways."""
    audit_folder = new_audit_folder()
    audit_folder.samples("zoe", "gone1", "adam", "gone2", gone1="deleted last year")
    return audit_folder, audit_folder.audit(*request.param, "--junitxml=out.xml")


def test_outcomes_and_evidence_do_not_depend_on_the_number_of_workers(mixed):
    audit_folder, run = mixed
    assert run.status == 1, run.text
    assert run.counts() == {"passed": 2, "xfailed": 1, "failed": 1}
    rows = audit_folder.combined()
    assert [row["sample_id"] for row in rows] == ["adam", "gone1", "gone2", "zoe"]
    assert [row["status"] for row in rows] == ["done", "failed", "failed", "done"]
    assert rows[0]["department"] == "Finance adam"
    assert audit_folder.record()["results_out"] == {"done": 2, "failed": 2}
    # The message is enough to act on, without opening a file.
    assert "gone2: failed (not_found): HTTP 404" in run.text
    assert f"evidence: {audit_folder.folder}/gone2" in run.text
    assert "bwa: known to be bad, and may fail: gone1\n" in run.text
    page = f"{audit_folder.folder.name}/index.html"
    assert [x for x in run.text.splitlines() if x.startswith("open ") and x.endswith(page)]
    assert "Traceback" not in run.text
    assert not (audit_folder.folder / ".live").exists()


def test_run_json_names_the_browser_that_ran(mixed):
    audit_folder, _ = mixed
    (browser,) = audit_folder.record()["browsers"]
    assert (browser["name"], browser["channel"]) == ("chromium", None)
    assert browser["readers"] == "isolated world"
    answer = subprocess.run([browser["path"], "--version"], capture_output=True, text=True)
    assert browser["version"] in answer.stdout


def test_run_json_names_the_packages_and_how_far_the_clock_is_off(mixed):
    audit_folder, _ = mixed
    origin = audit_folder.record()["origin"]
    packages = (audit_folder.folder / "packages.txt").read_bytes()
    assert origin["packages_sha256"] == hashlib.sha256(packages).hexdigest()
    assert f"playwright=={version('playwright')}\n".encode() in packages
    assert abs(origin["clock_offset_seconds"]) <= 60, "the site runs on this machine"


def test_an_expected_failure_that_passes_is_reported(audit_folder):
    audit_folder.spec(xfail={"zoe": "was broken in May"})
    audit_folder.samples("zoe")
    run = audit_folder.audit()
    assert run.status == 1
    assert "[XPASS(strict)] was broken in May" in run.text


def test_the_options_k_x_and_lf(audit_folder):
    audit_folder.samples("adam", "gone1", "zoe")
    assert audit_folder.audit("-k", "adam").counts() == {"passed": 1, "deselected": 2}
    run = audit_folder.audit("-x", "--run-id=stopped", "-p", "cacheprovider")
    assert run.counts() == {"passed": 1, "failed": 1}
    assert "1 not run" in run.text
    assert (audit_folder.path / "evidence/stopped/combined.csv").read_text().count("\n") == 3
    again = audit_folder.audit("--lf")
    assert again.counts() == {"failed": 1, "deselected": 2} or again.counts() == {"failed": 1}


def test_the_junit_report_contains_status_and_cost(mixed):
    audit_folder, _ = mixed
    cases = ElementTree.parse(audit_folder.path / "out.xml").iter("testcase")
    (adam,) = (case for case in cases if "[adam]" in (case.get("name") or ""))
    names = {p.get("name"): p.get("value") for p in adam.iter("property")}
    assert names["bwa_status"] == "done"
    assert names["bwa_model_calls"] == "0"
    assert names["bwa_evidence"].endswith("/adam")


def test_without_a_task_the_item_is_skipped_with_a_hint(audit_folder):
    run = audit_folder.run("-rs")
    assert run.status == 0
    assert "pass --task FILE" in run.text
    assert audit_folder.folders == []


BOUND = """
import pytest

@pytest.mark.bwa(task="spec.json", samples="samples.csv")
def test_bound(browser_agent, sample):
    browser_agent.run(sample).assert_done()
"""


def test_a_bound_audit_runs_without_options_and_not_with_task(audit_folder):
    audit_folder.samples("adam", "zoe")
    (audit_folder.path / "test_bound.py").write_text(BOUND)
    run = audit_folder.run("-n", "2", "--strict-markers", "-W", "error")
    assert run.counts() == {"passed": 2}, run.text  # no placeholder of the general test
    assert audit_folder.folder.name.endswith("_hr")
    assert run.text.count("bwa: task hr, 2 samples from samples.csv") == 1, "by the controller"
    assert len(audit_folder.combined()) == 2
    run = audit_folder.audit("--collect-only", "-q")
    assert ids(run.text) == ["adam", "zoe"]
    assert "test_bound" not in run.text


def test_ordinary_marks_work_and_a_url_is_one_sample(audit_folder):
    audit_folder.samples("adam")
    (audit_folder.path / "test_audit.py").write_text(
        "import pytest\n@pytest.mark.xfail(reason='not yet')\n"
        "def test_sample(browser_agent, sample):\n"
        "    assert browser_agent.run(sample).extracted['department'] == 'Sales'\n"
    )
    run = audit_folder.run("--task=spec.json", f"--url={audit_folder.site.url}/adam")
    assert run.counts() == {"xfailed": 1}, run.text
    (row,) = audit_folder.combined()
    assert row["department"] == "Finance adam"


def test_the_page_that_the_spec_names_is_read_as_the_sample_that_is_called_like_the_task(
    audit_folder,
):
    audit_folder.samples("adam")
    audit_folder.spec(task_id="one", goal="Read the record.", start_url="/adam")
    base_url = f"--base-url={audit_folder.site.url}"
    run = audit_folder.run("--task=spec.json", base_url)
    assert run.counts() == {"passed": 1}, run.text
    assert audit_folder.result("one")["extracted"]["department"] == "Finance adam"
    again = audit_folder.run("--resume", base_url)
    assert again.status == 0, again.text


@pytest.mark.slow
def test_workers_start_with_the_first_samples_of_the_file(audit_folder):
    """One worker hangs on the first sample, so that the first sample of the other is visible."""
    audit_folder.samples("hangs", *[f"s{number:02d}" for number in range(40)])
    audit_folder.site.pages["/hangs"] = "<h1>x</h1><script>for (;;);</script>"
    process = audit_folder.start("--task=spec.json", "--samples=samples.csv", "-n", "2")
    requested = lambda: [path for path in audit_folder.site.requests if path.startswith("/s")]  # noqa: E731
    wait_until(requested, "no other sample was started")
    for running in [*psutil.Process(process.pid).children(recursive=True), process]:
        with contextlib.suppress(psutil.Error):
            running.kill()
    process.communicate()
    assert requested()[0] == "/s01", (
        "xdist first gives each worker two samples, so the second worker begins with the third"
    )


def test_a_distribution_mode_that_loses_samples_is_replaced(audit_folder):
    """With this mode one worker would get all samples of the file; with ``load`` each gets one."""
    audit_folder.samples("adam", "zoe")
    (audit_folder.path / "test_audit.py").write_text(NAMES_ITS_WORKER)
    run = audit_folder.audit("-n", "2", "--dist=loadfile")
    assert "bwa: --dist load is used instead of loadfile, which loses samples" in run.text
    assert sorted(p.name for p in audit_folder.path.glob("gw*")) == ["gw0", "gw1"], run.text


NAMES_ITS_WORKER = """
from pathlib import Path

def test_sample(browser_agent, sample, worker_id):
    Path(worker_id).touch()
"""


def test_a_bound_audit_refuses_a_distribution_mode_that_loses_samples(audit_folder):
    audit_folder.samples("adam")
    (audit_folder.path / "test_bound.py").write_text(BOUND)
    run = audit_folder.run("-n", "1", "--dist=loadgroup", "test_bound.py")
    assert run.status == 4, run.text
    assert "--dist loadgroup loses samples if a worker is killed: pass --dist load" in run.text
    assert audit_folder.folders == []


def test_ten_thousand_rows_are_collected(audit_folder):
    rows = "".join(f"s{n},/x\n" for n in range(10_000))
    (audit_folder.path / "samples.csv").write_text("sample_id,url\n" + rows)
    run = audit_folder.audit("--collect-only", "-q")
    assert "10000 tests collected" in run.text
