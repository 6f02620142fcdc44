"""What ``--plan-only`` says of a run before it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

from plans import plan_in

from pytest_bwa.audit.prepare import plan_lines
from pytest_bwa.browser.login import login_path
from pytest_bwa.plugin import command_line
from pytest_bwa.plugin.display import preview
from pytest_bwa.settings import read_settings

SPEC = {"task_id": "t", "goal": "Read it.", "output_schema": {"a": "string"}}


def warnings_of(folder: Path, **keys: str) -> list[str]:
    (folder / "spec.json").write_text(json.dumps({**SPEC, **keys}))
    (folder / "samples.csv").write_text("sample_id,url\nadam,https://x.org/\n")
    lines = plan_lines(plan_in(folder), read_settings())
    return [line for line in lines if line.startswith("warning: ")]


def test_a_login_that_was_never_saved_is_said_by_the_plan_too(tmp_path, monkeypatch):
    monkeypatch.setenv("BWA_HOME", str(tmp_path / "home"))
    assert warnings_of(tmp_path) == []
    (warning,) = warnings_of(tmp_path, auth_profile="tracker")
    assert "run `bwa login tracker URL`" in warning
    path = login_path(read_settings().home, "tracker")
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    assert warnings_of(tmp_path, auth_profile="tracker") == []


def test_the_plan_is_shown_in_an_encoding_that_lacks_its_characters(tmp_path, monkeypatch):
    assert warnings_of(tmp_path) == []
    screen = io.TextIOWrapper(io.BytesIO(), "cp1252")
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(command_line, "plan", lambda _: plan_in(tmp_path))
    monkeypatch.setattr(command_line, "settings_for", lambda _: read_settings())
    monkeypatch.setattr(preview, "_lines", lambda *_: ["in “Αθήνα”"])
    assert preview.show_preview(None) == 0
    assert screen.buffer.getvalue().decode("cp1252") == "bwa: in “?????”\n"
