"""Bad input gives exit status 4 before any browser starts, and one line with place and reason."""

from __future__ import annotations

import pytest


def error_line(run) -> str:
    """Return the only error line of a refused run."""
    assert run.status == 4, run.text
    lines = [line for line in run.text.splitlines() if line.startswith("ERROR:")]
    assert len(lines) == 1, run.text
    assert "Traceback" not in run.text
    return lines[0]


def test_an_invalid_spec_is_refused_before_anything_starts(audit_folder):
    audit_folder.samples("adam")
    (audit_folder.path / "spec.json").write_text('{"task_id": "hr", "gaol": "x"}')
    line = error_line(audit_folder.audit("-n", "2"))
    assert 'spec.json: unknown key "gaol"; did you mean "goal"?' in line
    assert audit_folder.folders == []
    assert audit_folder.site.requests == []


def test_a_secret_that_is_not_set_is_named_before_anything_starts(audit_folder):
    audit_folder.samples("adam")
    audit_folder.spec(secrets={"password": "BWA_TEST_UNSET"})
    line = error_line(audit_folder.audit())
    assert 'the secret "password" is the value of the environment variable BWA_TEST_UNSET' in line
    assert audit_folder.folders == []
    assert audit_folder.site.requests == []


def test_a_discovery_spec_without_a_list_is_refused(audit_folder):
    audit_folder.samples("adam")
    audit_folder.spec(phase="discovery", start_url="/")
    assert "a discovery spec collects a list" in error_line(
        audit_folder.run("--task=spec.json", "--run-id=two")
    )
    assert not (audit_folder.path / "evidence/two").exists()


def test_invalid_samples_are_refused_with_row_and_column(audit_folder):
    (audit_folder.path / "samples.csv").write_text("sample_id,url\na,/x\nA,/y\n")
    line = error_line(audit_folder.audit())
    assert "samples.csv" in line
    assert "row 3" in line
    assert "sample_id" in line
    assert audit_folder.folders == []


def test_a_placeholder_without_a_column_is_refused(audit_folder):
    audit_folder.spec(start_url="https://x.org/{user}")
    audit_folder.samples("adam")
    assert "{user}" in error_line(audit_folder.audit())


def test_a_placeholder_without_a_list_is_refused_with_what_works(audit_folder):
    audit_folder.spec(goal="Read it.", start_url="https://x.org/{user}")
    for arguments in ((), ("--url=https://x.org/adam",)):
        line = error_line(audit_folder.run("--task=spec.json", *arguments))
        assert "{user} stands for a column of a list: pass --samples FILE (one row" in line
        assert line.endswith("runs one of many), or --discover with --start-url URL")
    audit_folder.spec(goal="Read what {team} did.", start_url="https://x.org/")
    line = error_line(audit_folder.run("--task=spec.json"))
    assert "{team} stands for a column of a list" in line
    assert "--discover" not in line
    assert audit_folder.folders == []


@pytest.mark.parametrize("workers", [["-n", "0"], ["-n", "2"]])
def test_a_bound_audit_with_bad_input_is_refused(audit_folder, workers):
    (audit_folder.path / "test_audit.py").write_text(
        "import pytest\n@pytest.mark.bwa(task='none.json')\n"
        "def test_sample(browser_agent, sample):\n    browser_agent.run(sample)\n"
    )
    run = audit_folder.run(*workers)
    assert run.status == 4, run.text
    assert "none.json" in run.text
    assert "Traceback" not in run.text


@pytest.mark.parametrize("tests", ["nowhere/", "test_audit.py::nope"])
def test_tests_that_are_not_there_leave_no_evidence(audit_folder, tests):
    audit_folder.samples("adam")
    assert "not found: " in error_line(audit_folder.audit(tests))
    assert not (audit_folder.path / "evidence").exists()


def test_an_evidence_folder_that_cannot_be_created_is_refused(audit_folder):
    audit_folder.samples("adam")
    (audit_folder.path / "file").write_text("in the way")
    line = error_line(audit_folder.audit("--evidence=file/below"))
    assert "--evidence" in line


def test_a_missing_browser_is_refused(audit_folder):
    audit_folder.samples("adam")
    line = error_line(audit_folder.audit(BWA_BROWSER="/nowhere/chrome"))
    assert "/nowhere/chrome" in line
    assert audit_folder.folders == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--headed"], "--headed needs a display"),
        (["-p", "no:playwright"], "an audit needs pytest-playwright"),
    ],
)
def test_conditions_that_would_fail_every_sample_are_refused(audit_folder, arguments, expected):
    audit_folder.samples("adam")
    assert expected in error_line(audit_folder.audit(*arguments, DISPLAY="", WAYLAND_DISPLAY=""))
    assert audit_folder.folders == []


def test_a_browser_of_the_users_fixture_that_does_not_start_ends_the_run(audit_folder):
    """Only the fixture knows it, so it cannot be tried before; but not every sample says it."""
    audit_folder.samples("adam", "zoe", "bob")
    (audit_folder.path / "conftest.py").write_text(WRONG_PATH)
    run = audit_folder.audit()
    assert run.counts() == {"failed": 1}, run.text
    assert "the browser does not start: " in run.text
    assert "1 failed, 2 not run" in run.text


WRONG_PATH = """
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": "/nowhere/chrome"}
"""


def test_a_missing_login_is_reported_at_the_start(audit_folder, tmp_path):
    audit_folder.spec(auth_profile="intranet")
    audit_folder.samples("adam")
    line = error_line(audit_folder.audit(BWA_HOME=str(tmp_path / "home")))
    assert "bwa login intranet URL" in line
    assert audit_folder.folders == []
    assert audit_folder.audit("--collect-only", "-q", BWA_HOME=str(tmp_path / "home")).status == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--max-steps=none"], "--max-steps"),
        (["--not-found=skip"], '--not-found takes fail or pass, not "skip"'),
        (["--run-id=../up"], "--run-id"),
        (["--resume=nothing"], "no such run folder"),
        (["--policy=replay"], "replay"),
    ],
)
def test_invalid_options_are_refused(audit_folder, arguments, expected):
    audit_folder.samples("adam")
    assert expected in error_line(audit_folder.audit(*arguments))


ORDINARY = """
def test_ordinary():
    pass
"""
OTHER_BROWSER_TEST = """
def test_the_arguments_of_a_browser_are_untouched(browser_type_launch_args):
    assert "executable_path" not in browser_type_launch_args
"""
BOUND = """
import pytest
@pytest.mark.bwa(task="spec.json", samples="samples.csv")
def test_sample(browser_agent, sample):
    browser_agent.run(sample)
"""
WRONG_SETTING = {"REFLECTION_MODE": "sometimes"}


def test_a_project_without_an_audit_never_fails_because_of_a_wrong_setting(audit_folder):
    (audit_folder.path / "test_audit.py").write_text(ORDINARY + OTHER_BROWSER_TEST)
    (audit_folder.path / ".env").write_text("BWA_MODEL_DEADLINE=none\n")
    run = audit_folder.run("-n", "1", **WRONG_SETTING, BWA_BROWSER="/nowhere/chrome")
    assert run.counts() == {"passed": 2}, run.text


def test_a_wrong_setting_is_refused_with_task_and_with_resume(audit_folder):
    audit_folder.samples("adam")
    assert "REFLECTION_MODE" in error_line(audit_folder.audit(**WRONG_SETTING))
    assert "REFLECTION_MODE" in error_line(audit_folder.run("--resume", **WRONG_SETTING))
    (audit_folder.path / ".env").write_bytes(b"KEY=\x9d\xff\n")
    assert "/.env is not UTF-8 (line 1)" in error_line(audit_folder.audit())
    assert audit_folder.folders == []


def test_a_wrong_setting_is_refused_if_a_bound_test_is_collected(audit_folder):
    audit_folder.samples("adam")
    (audit_folder.path / "test_audit.py").write_text(BOUND)
    run = audit_folder.run("-n", "2", **WRONG_SETTING)
    assert run.status == 4, run.text
    assert "REFLECTION_MODE" in run.text
    assert "Traceback" not in run.text


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("", "--recipe is empty: it takes learn, only, off or a recipe file"),
        ("Learn", "Learn is not a file: --recipe takes learn, only, off or a recipe file"),
        ("spec.json", "spec.json is not a recipe: it has no schema_version"),
    ],
)
def test_a_recipe_that_is_none_is_refused_before_anything_starts(audit_folder, given, reason):
    audit_folder.samples("adam")
    assert reason in error_line(audit_folder.audit(f"--recipe={given}"))
    assert (audit_folder.folders, audit_folder.site.requests) == ([], [])
