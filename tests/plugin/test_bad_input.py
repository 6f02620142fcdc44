"""Bad input: exit status 4 before any browser, one line that says where and what (issue)."""

from __future__ import annotations

import pytest


def refused(ran) -> str:
    """The one line that a person reads."""
    assert ran.status == 4, ran.text
    lines = [line for line in ran.text.splitlines() if line.startswith("ERROR:")]
    assert len(lines) == 1, ran.text
    assert "Traceback" not in ran.text
    return lines[0]


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_a_faulty_spec_is_refused_before_anything_starts(desk, workers):
    desk.samples("adam")
    (desk.path / "spec.json").write_text('{"task_id": "hr", "gaol": "x"}')
    line = refused(desk.audit(*workers))
    assert 'spec.json: unknown key "gaol"; did you mean "goal"?' in line
    assert desk.folders == []
    assert desk.site.requests == []


def test_faulty_samples_are_refused_with_row_and_column(desk):
    (desk.path / "samples.csv").write_text("sample_id,url\na,/x\nA,/y\n")
    line = refused(desk.audit())
    assert "samples.csv" in line
    assert "row 3" in line
    assert "sample_id" in line
    assert desk.folders == []


def test_a_placeholder_without_a_column_is_refused(desk):
    desk.spec(start_url="https://x.org/{user}")
    desk.samples("adam")
    assert "{user}" in refused(desk.audit())


@pytest.mark.parametrize("workers", [["-n", "0"], ["-n", "2"]])
def test_a_bound_audit_is_refused_alike(desk, workers):
    (desk.path / "test_audit.py").write_text(
        "import pytest\n@pytest.mark.bwa(task='none.json')\n"
        "def test_sample(browser_agent, sample):\n    browser_agent.run(sample)\n"
    )
    ran = desk.run(*workers)
    assert ran.status == 4, ran.text
    assert "none.json" in ran.text
    assert "Traceback" not in ran.text


def test_an_evidence_folder_that_cannot_be_made_is_refused(desk):
    desk.samples("adam")
    (desk.path / "file").write_text("in the way")
    line = refused(desk.audit("--evidence=file/below"))
    assert "--evidence" in line


def test_a_run_without_a_browser_names_the_remedy(desk):
    desk.samples("adam")
    line = refused(desk.audit(BWA_BROWSER="/nowhere/chrome"))
    assert "/nowhere/chrome" in line
    assert desk.folders == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--headed"], "--headed needs a display"),
        (["-p", "no:playwright"], "an audit needs pytest-playwright"),
    ],
)
def test_what_would_keep_every_sample_from_its_page_is_refused(desk, arguments, said):
    desk.samples("adam")
    assert said in refused(desk.audit(*arguments, DISPLAY="", WAYLAND_DISPLAY=""))
    assert desk.folders == []


def test_a_browser_that_does_not_start_says_how_to_get_it(desk, tmp_path):
    desk.samples("adam")
    ran = desk.audit("--browser=firefox", PLAYWRIGHT_BROWSERS_PATH=str(tmp_path))
    assert "adam: failed: the browser does not start: it is not installed" in ran.text
    assert "playwright install firefox" in ran.text


def test_a_login_that_was_never_saved_is_asked_for_at_the_start(desk, tmp_path):
    desk.spec(auth_profile="intranet")
    desk.samples("adam")
    line = refused(desk.audit(BWA_HOME=str(tmp_path / "home")))
    assert "bwa login intranet URL" in line
    assert desk.folders == []
    assert desk.audit("--collect-only", "-q", BWA_HOME=str(tmp_path / "home")).status == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--max-steps=none"], "--max-steps"),
        (["--run-id=../up"], "--run-id"),
        (["--resume=nothing"], "no such run folder"),
        (["--policy=replay"], "replay"),
    ],
)
def test_options_that_cannot_be_are_refused(desk, arguments, said):
    desk.samples("adam")
    assert said in refused(desk.audit(*arguments))
