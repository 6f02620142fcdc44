"""What every Chromium is launched with, and what the header says of the hosts of a run."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import confining_arguments
from pytest_bwa.confinement.boundary import boundary_of
from pytest_bwa.errors import BwaError
from pytest_bwa.plugin.browser_choice import (
    arguments_for_launch,
    check_browser,
    confinement_notes,
)
from pytest_bwa.settings import read_settings
from pytest_bwa.spec.task import TaskSpec

SPEC = {"task_id": "t", "goal": "g"}


def config(**options: Any) -> pytest.Config:
    class Config:
        def getoption(self, name: str, default: Any = None) -> Any:
            return options.get(name.lstrip("-").replace("-", "_"), default)

        pluginmanager = SimpleNamespace(hasplugin=lambda name: True)

    return cast(pytest.Config, Config())


@pytest.mark.parametrize(
    ("options", "users"),
    [
        ({}, {"executable_path": "/opt/chrome", "args": ["--mine"]}),
        ({}, {"channel": "chrome", "args": ["--mine"]}),
        ({"browser_channel": "chrome"}, {"args": ["--mine"]}),
    ],
)
def test_a_browser_of_the_user_gets_only_what_confinement_needs(
    options: dict[str, Any], users: dict[str, Any]
) -> None:
    arguments = arguments_for_launch(config(**options), read_settings(), users)
    assert arguments == {**users, "args": [*confining_arguments(), "--mine"]}


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"browser": ["firefox"]}, "firefox cannot be used: it is not installed"),
        ({"browser_channel": "msedge-dev"}, "msedge-dev cannot be used: Chromium distribution"),
        ({"video": "on"}, "chromium cannot be used: --video needs Playwright's ffmpeg"),
        ({"browser": ["chromium", "firefox"]}, "an audit runs in one browser, and --browser names"),
    ],
)
def test_what_no_sample_could_use_is_said_before_the_first(
    options: dict[str, Any], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BWA_BROWSER", str(find_browser().path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    given = {"browser": [], "headed": False, "video": "off", **options}
    with pytest.raises(BwaError, match=problem) as refused:
        check_browser(config(**given), read_settings())
    assert len(str(refused.value).splitlines()) == 1


def test_other_engines_know_none_of_these_arguments() -> None:
    other = config(browser=["firefox"])
    assert arguments_for_launch(other, read_settings(), {"slow_mo": 5}) == {"slow_mo": 5}


def test_the_header_says_where_a_run_may_go_and_what_is_left_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("all_proxy", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    urls = [f"https://h{n}.example/" for n in range(7)]
    boundary = boundary_of(TaskSpec(**SPEC, read_only=True), urls)  # type: ignore[arg-type]
    named = "h0.example, h1.example, h2.example, h3.example, h4.example and 2 more"
    hosts = f"hosts {named}; nothing that may write is sent"
    assert confinement_notes(config(), boundary) == [hosts]
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:1080")
    notes = confinement_notes(config(browser=["firefox"]), boundary)
    assert notes[0] == hosts
    assert "WebRTC" in notes[1]
    assert (
        "which are no boundary, because no other proxy can be put behind one of the kind socks5://"
        in notes[2]
    )
