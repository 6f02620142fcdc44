"""run.json says who started a run, where and how, and nothing that is secret."""

from __future__ import annotations

import subprocess

import pytest

from pytest_bwa.evidence.integrity.origin import login_name, masked, origin


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["--task", "a.yaml", "-n", "4"], ["--task", "a.yaml", "-n", "4"]),
        (["--api-key=abc", "x"], ["--api-key=***", "x"]),
        (["--api-key", "abc", "x"], ["--api-key", "***", "x"]),
        (["--token", "--task", "x"], ["--token", "--task", "x"]),
        (["--proxy=http://me:pw@host:1/a"], ["--proxy=http://***@host:1/a"]),
        (["--url", "https://x.org/a?sig=1&b=2"], ["--url", "https://x.org/a?***"]),
        (["--url=https://x.org/a#token=1"], ["--url=https://x.org/a?***"]),
        (["-o", "k=say hunter22 twice"], ["-o", "k=say *** twice"]),
    ],
)
def test_the_command_line_is_kept_without_secrets(monkeypatch, given, kept):
    monkeypatch.setenv("PORTAL_PASSWORD", "hunter22")
    assert masked(given) == kept
    assert masked(kept) == kept


def test_user_host_zone_and_platform_are_named_and_the_clock_is_not_guessed(tmp_path):
    found = origin(["--task", "x"], tmp_path / "spec.yaml")
    assert found.user
    assert found.host
    assert "(UTC" in (found.time_zone or "")
    assert found.platform
    assert (found.clock_offset_seconds, found.spec_commit) == (None, None)


@pytest.mark.parametrize("error", [OSError, KeyError, ImportError])
def test_a_user_whom_the_system_does_not_know_has_no_name(monkeypatch, error):
    def unknown():
        raise error("pwd")

    monkeypatch.setattr("getpass.getuser", unknown)
    assert login_name() is None


def test_the_commit_is_that_of_the_repository_of_the_spec(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    assert origin([], tmp_path / "spec.yaml").spec_commit is None  # nothing is committed yet
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    commit = origin([], tmp_path / "spec.yaml").spec_commit
    assert commit is not None
    assert len(commit) == 40


def test_without_git_no_commit_is_known(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert origin([], tmp_path / "spec.yaml").spec_commit is None
