"""What a browser is started with, read from what Playwright really starts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_bwa.browser import launch
from pytest_bwa.browser.find import FoundBrowser
from pytest_bwa.browser.launch import UNSEEN_FEATURES, launch_arguments


@pytest.fixture
def recorder(tmp_path: Path) -> Path:
    """A browser that writes its arguments down, a line each, and ends."""
    path = tmp_path / "browser"
    path.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/arguments\nexit 1\n')
    path.chmod(0o755)
    return path


STARTING = """
import json, sys
from playwright.sync_api import Error, sync_playwright
with sync_playwright() as playwright:
    try:
        playwright.chromium.launch(**json.loads(sys.argv[1]))
    except Error:
        pass
"""


def started_with(recorder: Path) -> list[str]:
    """In a process of its own, since this one may have a Playwright running."""
    arguments = launch_arguments(FoundBrowser(recorder, own=False))
    subprocess.run([sys.executable, "-c", STARTING, json.dumps(arguments)], check=True, timeout=60)
    return (recorder.parent / "arguments").read_text().splitlines()


def test_a_window_that_nobody_sees_is_made_without_popups_and_nothing_of_playwrights_is_undone(
    recorder: Path,
) -> None:
    arguments = started_with(recorder)
    playwrights, ours = (
        argument.partition("=")[2].split(",")
        for argument in arguments
        if argument.startswith("--disable-features=")
    )
    assert len(playwrights) > 3
    assert ours == [*playwrights, *UNSEEN_FEATURES]
    given_twice = [a.split("=")[0] for a in arguments if a.startswith("--")]
    twice = {name for name in given_twice if given_twice.count(name) > 1}
    assert twice == {"--disable-features"}, "the last one would undo Playwright's"


@pytest.mark.parametrize("driver", [None, "var renamed = ['A'];"])
def test_a_driver_of_another_layout_leaves_playwrights_list_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, driver: str | None
) -> None:
    if driver:
        (tmp_path / "lib").mkdir()
        (tmp_path / "lib/coreBundle.js").write_text(driver)
    monkeypatch.setattr(launch, "driver_package", lambda: tmp_path)
    arguments = launch_arguments(FoundBrowser(tmp_path, own=False))["args"]
    assert not [a for a in arguments if "-features" in a]


def test_playwrights_own_shell_has_no_window_and_is_started_as_it_would(tmp_path: Path) -> None:
    arguments = launch_arguments(FoundBrowser(tmp_path, own=True))
    assert "executable_path" not in arguments
    assert not [a for a in arguments["args"] if "-features" in a]


@pytest.mark.parametrize(("user", "sandbox"), [(0, False), (1000, True)])
def test_the_sandbox_is_on_unless_we_are_root(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, user: int, sandbox: bool
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: user, raising=False)
    assert launch_arguments(FoundBrowser(tmp_path, own=True))["chromium_sandbox"] is sandbox
