import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pytest_bwa import __version__
from pytest_bwa.audit import doctor
from pytest_bwa.browser import find, install
from pytest_bwa.browser.find import FoundBrowser
from pytest_bwa.browser.start_check import StartCheck
from pytest_bwa.cli import app

KEY = "sk-ant-a-very-secret-key"


def bwa(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.fixture(autouse=True)
def plain_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without .env, key and browser, and with an empty PATH. BWA_HOME stays that of
    the test, because no test may use the user's."""
    for name in [n for n in os.environ if n.startswith(("ANTHROPIC_", "BWA_"))]:
        if name != "BWA_HOME":
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "pw"))
    monkeypatch.setattr(find, "_standard_paths", lambda: iter(()))


@pytest.fixture
def chromium(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A browser on PATH that starts in 0.5 s."""
    path = program(tmp_path, "chromium", "exit 0")

    def check(found: FoundBrowser) -> StartCheck:
        return StartCheck("156.0.1", 0.5)

    monkeypatch.setattr(doctor, "check_start", check)
    monkeypatch.setattr(install, "check_start", check)
    return path


def program(root: Path, name: str, script: str) -> Path:
    path = root / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o755)
    return path


def line(output: str, name: str) -> str:
    """The line of `bwa doctor` about ``name``."""
    return next(row for row in output.splitlines() if row[9:].startswith(name + " "))


def test_version() -> None:
    assert bwa("--version").output == f"pytest-bwa {__version__}\n"


def test_help_lists_the_commands() -> None:
    output = bwa("--help").output
    order = ["Start", "setup", "Look", "show", "Hand over", "verify", "Repeat", "Scale", "merge"]
    places = [output.index(f" {word} ") for word in order]
    assert places == sorted(places), "each command is in its panel"


def test_an_unknown_command_is_refused() -> None:
    assert bwa("dcotor").exit_code == 2


def test_the_command_line_imports_nothing_slow() -> None:
    code = (
        "import sys, pytest_bwa.cli; "
        "print(sorted({'playwright', 'pydantic', 'anthropic', 'pytest'} & set(sys.modules)))"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert process.stdout == "[]\n"


def test_doctor_shows_what_a_run_would_use(chromium: Path) -> None:
    result = bwa("doctor")
    assert result.exit_code == 0, result.output
    for name in doctor.PACKAGES:
        assert line(result.output, name).startswith("ok ")
    assert f"{chromium} (the system's), version 156.0.1, started in 0.5 s" in result.output
    assert "rules, because neither" in line(result.output, "policy")
    assert "-n " in line(result.output, "machine")
    assert line(result.output, "allure").startswith("optional ")


def test_doctor_never_shows_the_key(chromium: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    output = bwa("doctor").output
    assert "claude, because ANTHROPIC_API_KEY is set" in line(output, "policy")
    assert "claude-sonnet-5-5" in line(output, "model")
    assert KEY not in output


def test_doctor_reads_the_env_file(chromium: Path, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("ANTHROPIC_BASE_URL=http://localhost:11434\nBWA_MODEL=qwen3\n")
    output = bwa("doctor").output
    assert "because ANTHROPIC_BASE_URL is set" in line(output, "policy")
    assert "qwen3" in line(output, "model")


def test_doctor_without_a_browser_says_what_to_do() -> None:
    result = bwa("doctor")
    assert result.exit_code == 1
    assert line(result.output, "browser").startswith("missing ")
    assert "run `bwa setup`" in result.output


def test_doctor_says_why_a_browser_does_not_start(
    chromium: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        doctor, "check_start", lambda _: StartCheck(problem="libraries are missing")
    )
    result = bwa("doctor")
    assert result.exit_code == 1
    assert f"{chromium} does not start: libraries are missing" in line(result.output, "browser")


def test_doctor_shows_control_characters_and_does_not_pass_them_on(
    chromium: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "check_start", lambda _: StartCheck(problem="\x1b[2Jgone"))
    output = bwa("doctor").output
    assert r"does not start: \x1b[2Jgone" in line(output, "browser")
    assert "\x1b[2J" not in output


def test_doctor_refuses_a_folder_that_cannot_be_written_to(chromium: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    result = bwa("doctor", "--evidence", str(tmp_path / "file" / "evidence"))
    assert result.exit_code == 1
    assert "cannot be written to" in line(result.output, "evidence")


def test_doctor_creates_no_files(chromium: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert bwa("doctor", "--evidence", str(tmp_path / "new/evidence")).exit_code == 0
    assert sorted(tmp_path.rglob("*")) == before


def test_a_wrong_setting_is_named_without_its_value(
    chromium: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BWA_MODEL_DEADLINE", KEY)
    result = bwa("doctor")
    assert result.exit_code == 1
    assert "BWA_MODEL_DEADLINE" in line(result.output, "settings")
    assert KEY not in result.output


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo 2.34.1", "version 2.34.1 (Java)"),
        ("echo 3.0.0", "version 3.0.0 (Node)"),
        ("exit 1", "does not run"),
    ],
)
def test_doctor_distinguishes_the_allure_commands(
    chromium: Path, tmp_path: Path, script: str, expected: str
) -> None:
    program(tmp_path, "allure", script)
    result = bwa("doctor")
    assert result.exit_code == 0, "a run never needs the Allure command"
    assert expected in line(result.output, "allure")


def test_the_memory_limit_of_a_container_limits_the_workers(
    chromium: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory.max").write_text(str(1000 * 1024**2))
    (tmp_path / "memory.current").write_text(str(300 * 1024**2))
    monkeypatch.setattr(doctor, "CGROUP", tmp_path)
    monkeypatch.setattr(doctor, "_cores", lambda: 16)
    assert "use -n 2 with rules, up to -n 2 with claude" in line(bwa("doctor").output, "machine")


def test_setup_shows_what_it_found(chromium: Path) -> None:
    result = bwa("setup")
    assert result.exit_code == 0
    assert f"found the system's browser at {chromium}" in result.output


def test_setup_that_cannot_install_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "PLAYWRIGHT", ["no-such-playwright"])
    monkeypatch.setattr(install, "is_root", lambda: False)
    result = bwa("setup")
    assert result.exit_code == 1
    assert "bwa: no browser could be installed: install Google Chrome" in result.output
    assert "Traceback" not in result.output


def test_lessons_are_listed_and_forgotten_by_their_id(home):
    listed = bwa("lessons")
    assert listed.exit_code == 0, listed.output
    first, *lines = listed.output.splitlines()
    assert first == f"3 lessons in {home / 'memory.json'}"
    lesson_id = lines[0].split()[0]
    assert "forgotten" in bwa("lessons", "forget", lesson_id).output
    again = bwa("lessons", "forget", lesson_id)
    assert again.exit_code == 1
    assert f'there is no lesson "{lesson_id}"' in again.output
    assert len(bwa("lessons").output.splitlines()) == 3


@pytest.mark.parametrize("arguments", [["forget"], ["show", "x"]])
def test_lessons_takes_nothing_or_an_id_to_forget(arguments):
    assert bwa("lessons", *arguments).exit_code == 2


def test_lessons_in_a_broken_file_or_an_unusable_home_are_one_line(home):
    home.mkdir()
    (home / "memory.json").write_text("{")
    assert "memory.json.broken-" in bwa("lessons").output
    unusable = CliRunner().invoke(app, ["lessons"], env={"BWA_HOME": str(home / "memory.json/x")})
    assert unusable.exit_code == 1
    assert len(unusable.output.splitlines()) == 1


def test_a_login_without_a_display_says_so_and_what_to_do(tmp_path, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("BWA_HOME", str(tmp_path))
    shown = " ".join(bwa("login", "tracker", "https://example.org").output.split())
    assert "no display (neither DISPLAY nor WAYLAND_DISPLAY is set)" in shown
    assert "a machine with a display" in shown
    assert "tracker.json" in shown.replace(" ", "")
