"""The arguments of a browser, as Playwright really passes them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_bwa.browser import launch
from pytest_bwa.browser.find import FoundBrowser
from pytest_bwa.browser.launch import CONFINING_FEATURES, WINDOW_FEATURES, launch_arguments


@pytest.fixture
def recorder(tmp_path: Path) -> Path:
    """A program that writes its arguments to a file, one per line, and exits."""
    path = tmp_path / "browser"
    path.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/arguments\nexit 1\n')
    path.chmod(0o755)
    return path


LAUNCH = """
import json, sys
from playwright.sync_api import Error, sync_playwright
with sync_playwright() as playwright:
    try:
        playwright.chromium.launch(**json.loads(sys.argv[1]))
    except Error:
        pass
"""


def started_with(recorder: Path) -> list[str]:
    """Launch in a new process, because Playwright may already run in this one."""
    arguments = launch_arguments(FoundBrowser(recorder, is_default=False))
    subprocess.run([sys.executable, "-c", LAUNCH, json.dumps(arguments)], check=True, timeout=60)
    return (recorder.parent / "arguments").read_text().splitlines()


def test_the_popups_of_the_window_are_disabled_and_playwrights_list_is_kept(
    recorder: Path,
) -> None:
    arguments = started_with(recorder)
    playwrights, ours = (
        argument.partition("=")[2].split(",")
        for argument in arguments
        if argument.startswith("--disable-features=")
    )
    assert len(playwrights) > 3
    assert ours == [*playwrights, *CONFINING_FEATURES, *WINDOW_FEATURES]
    names = [a.split("=")[0] for a in arguments if a.startswith("--")]
    repeated = {name for name in names if names.count(name) > 1}
    assert repeated == {"--disable-features"}, "the last one would override Playwright's"


@pytest.mark.parametrize("driver", [None, "var renamed = ['A'];"])
def test_no_feature_is_disabled_if_playwrights_list_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, driver: str | None
) -> None:
    if driver:
        (tmp_path / "lib").mkdir()
        (tmp_path / "lib/coreBundle.js").write_text(driver)
    monkeypatch.setattr(launch, "driver_package", lambda: tmp_path)
    arguments = launch_arguments(FoundBrowser(tmp_path, is_default=False))["args"]
    assert not [a for a in arguments if "-features" in a]


def test_playwrights_shell_is_launched_without_path_and_has_no_window(tmp_path: Path) -> None:
    arguments = launch_arguments(FoundBrowser(tmp_path, is_default=True))
    assert "executable_path" not in arguments
    [features] = [a for a in arguments["args"] if "-features" in a]
    assert features.endswith(",IsolateSandboxedIframes")


@pytest.mark.parametrize(("user", "sandbox"), [(0, False), (1000, True)])
def test_the_sandbox_is_on_unless_we_are_root(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, user: int, sandbox: bool
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: user, raising=False)
    assert launch_arguments(FoundBrowser(tmp_path, is_default=True))["chromium_sandbox"] is sandbox
