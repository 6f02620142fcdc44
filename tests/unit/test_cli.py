import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pytest_bwa import __version__, doctor
from pytest_bwa.browser import find, install
from pytest_bwa.browser.find import FoundBrowser
from pytest_bwa.browser.start_check import StartCheck
from pytest_bwa.cli import app

KEY = "sk-ant-a-very-secret-key"


def bwa(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.fixture(autouse=True)
def plain_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No .env, no key, an empty PATH and no browser."""
    for name in [n for n in os.environ if n.startswith(("ANTHROPIC_", "BWA_"))]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "pw"))
    monkeypatch.setattr(find, "_standard_places", lambda: iter(()))


@pytest.fixture
def chromium(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A browser on PATH that starts in 0.5 s."""
    path = program(tmp_path, "chromium", "exit 0")

    def trial(found: FoundBrowser) -> StartCheck:
        return StartCheck("156.0.1", 0.5)

    monkeypatch.setattr(doctor, "check_start", trial)
    monkeypatch.setattr(install, "check_start", trial)
    return path


def program(root: Path, name: str, script: str) -> Path:
    path = root / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o755)
    return path


def line(output: str, what: str) -> str:
    """The doctor's line about ``what``."""
    return next(row for row in output.splitlines() if row[9:].startswith(what + " "))


def test_version() -> None:
    assert bwa("--version").output == f"pytest-bwa {__version__}\n"


def test_help_lists_the_commands() -> None:
    shown = bwa("--help").output
    assert "setup" in shown
    assert "doctor" in shown


def test_an_unknown_command_is_refused() -> None:
    assert bwa("dcotor").exit_code == 2


def test_the_command_starts_without_what_is_slow_to_import() -> None:
    code = (
        "import sys, pytest_bwa.cli; "
        "print(sorted({'playwright', 'pydantic', 'anthropic', 'pytest'} & set(sys.modules)))"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout == "[]\n"


def test_doctor_says_what_a_run_would_use(chromium: Path) -> None:
    told = bwa("doctor")
    assert told.exit_code == 0, told.output
    for name in doctor.PACKAGES:
        assert line(told.output, name).startswith("ok ")
    assert f"{chromium} (the system's), version 156.0.1, started in 0.5 s" in told.output
    assert "rules, because neither" in line(told.output, "policy")
    assert "-n " in line(told.output, "machine")
    assert line(told.output, "allure").startswith("none ")


def test_doctor_never_shows_the_key(chromium: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    told = bwa("doctor").output
    assert "claude, because ANTHROPIC_API_KEY is set" in line(told, "policy")
    assert "claude-sonnet-5-5" in line(told, "model")
    assert KEY not in told


def test_doctor_reads_the_env_file(chromium: Path, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("ANTHROPIC_BASE_URL=http://localhost:11434\nBWA_MODEL=qwen3\n")
    told = bwa("doctor").output
    assert "because ANTHROPIC_BASE_URL is set" in line(told, "policy")
    assert "qwen3" in line(told, "model")


def test_doctor_without_a_browser_fails_with_the_remedy() -> None:
    told = bwa("doctor")
    assert told.exit_code == 1
    assert line(told.output, "browser").startswith("missing ")
    assert "run `bwa setup`" in told.output


def test_doctor_with_a_browser_that_does_not_start_fails_with_the_reason(
    chromium: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        doctor, "check_start", lambda _: StartCheck(problem="libraries are missing")
    )
    told = bwa("doctor")
    assert told.exit_code == 1
    assert f"{chromium} does not start: libraries are missing" in line(told.output, "browser")


def test_doctor_refuses_a_folder_that_cannot_be_written_to(chromium: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    told = bwa("doctor", "--evidence", str(tmp_path / "file" / "evidence"))
    assert told.exit_code == 1
    assert "cannot be written to" in line(told.output, "evidence")


def test_doctor_leaves_nothing_behind(chromium: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert bwa("doctor", "--evidence", str(tmp_path / "new/evidence")).exit_code == 0
    assert sorted(tmp_path.rglob("*")) == before


def test_a_wrong_setting_is_named_without_its_value(
    chromium: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BWA_MAX_TOKENS", KEY)
    told = bwa("doctor")
    assert told.exit_code == 1
    assert "BWA_MAX_TOKENS" in line(told.output, "settings")
    assert KEY not in told.output


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo 2.34.1", "version 2.34.1 (Java)"),
        ("echo 3.0.0", "version 3.0.0 (Node)"),
        ("exit 1", "does not run"),
    ],
)
def test_doctor_tells_the_allure_commands_apart(
    chromium: Path, tmp_path: Path, script: str, expected: str
) -> None:
    program(tmp_path, "allure", script)
    told = bwa("doctor")
    assert told.exit_code == 0, "Allure's command is never required for a run"
    assert expected in line(told.output, "allure")


def test_a_containers_memory_limits_the_suggestion(
    chromium: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory.max").write_text(str(1000 * 1024**2))
    (tmp_path / "memory.current").write_text(str(300 * 1024**2))
    monkeypatch.setattr(doctor, "CGROUP", tmp_path)
    monkeypatch.setattr(doctor, "_cores", lambda: 16)
    assert "-n 2 suits rules, up to -n 2 claude" in line(bwa("doctor").output, "machine")


def test_setup_says_what_it_found(chromium: Path) -> None:
    told = bwa("setup")
    assert told.exit_code == 0
    assert f"found the system's browser at {chromium}" in told.output


def test_setup_that_cannot_install_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "PLAYWRIGHT", ["no-such-playwright"])
    monkeypatch.setattr(install, "is_root", lambda: False)
    told = bwa("setup")
    assert told.exit_code == 1
    assert "bwa: no browser could be installed: install Google Chrome" in told.output
    assert "Traceback" not in told.output
