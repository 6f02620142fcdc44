"""What pytest-playwright's options record of a sample's browser is part of its evidence."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pytest_bwa.evidence.browser_recordings import move_recordings, recordings_of
from pytest_bwa.reports.allure_report.texts import TRACE
from pytest_bwa.reports.verify.verify import verify

FAILS_AT_THE_END = """
import pytest

@pytest.fixture(autouse=True)
def failing_teardown(sample, browser_agent):
    yield
    assert sample != "late", "found only when the test was torn down"
"""


@pytest.fixture(scope="module")
def recorded(new_audit_folder: Any) -> Any:
    """Two workers: ``adam`` passes, ``gone`` fails, ``late`` fails when its test is torn down."""
    audit = new_audit_folder()
    audit.samples("adam", "gone", "late")
    (audit.path / "conftest.py").write_text(FAILS_AT_THE_END)
    ran = audit.audit(
        "-n", "2", "--screenshot=on", "--tracing=retain-on-failure", "--junitxml=junit.xml",
        "--html=report.html", "--alluredir=allure", PYTEST_ADDOPTS="",
    )  # fmt: skip
    assert ran.counts() == {"passed": 2, "failed": 1, "error": 1}, ran.text
    return audit


def names_of(recorded: Any, sample_id: str) -> list[str]:
    return [path.name for path in recordings_of(recorded.folder / sample_id)]


def test_recordings_are_moved_into_the_samples_folders_and_hashed(recorded):
    assert names_of(recorded, "adam") == ["test-finished-1.png"]
    assert names_of(recorded, "gone") == ["test-failed-1.png", "trace.zip"]
    assert names_of(recorded, "late") == ["test-failed-1.png", "trace.zip"]
    assert not [p for p in (recorded.path / "test-results").rglob("*") if p.is_file()]
    manifest = (recorded.folder / "gone" / "manifest-sha256.txt").read_text()
    assert "  recordings/trace.zip\n" in manifest
    assert verify(recorded.folder).faults == ()
    (recorded.folder / "gone/recordings/trace.zip").rename(recorded.path / "moved.zip")
    assert any("recordings/trace.zip" in str(fault) for fault in verify(recorded.folder).faults)
    (recorded.path / "moved.zip").rename(recorded.folder / "gone/recordings/trace.zip")


def test_they_are_found_from_the_pages_and_from_pytests_own_reports(recorded):
    page = (recorded.folder / "gone" / "index.html").read_text()
    assert '<a href="recordings/trace.zip">' in page
    assert "Recordings" in page
    assert "recordings/" in (recorded.folder / "README.txt").read_text()
    properties = ElementTree.parse(recorded.path / "junit.xml").iter("property")
    named = [p.get("value", "") for p in properties if p.get("name", "").startswith("playwright_")]
    assert len(named) == 5
    assert [name for name in named if not (recorded.path / name).is_file()] == []
    folder = recorded.folder.relative_to(recorded.path)
    html = (recorded.path / "report.html").read_text()
    assert f"{folder}/gone/recordings/trace.zip" in html
    assert "test-results/" not in html
    tests = [json.loads(p.read_text()) for p in (recorded.path / "allure").glob("*-result.json")]
    (gone,) = (test for test in tests if test["name"] == "gone")
    types = {entry["name"]: entry["type"] for entry in gone["attachments"]}
    assert types["recordings/trace.zip"] == TRACE
    assert types["recordings/test-failed-1.png"] == "image/png"


def _has_ffmpeg() -> bool:
    """Whether Playwright's ffmpeg is where Playwright looks for it."""
    browsers = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache/ms-playwright"
    return any(Path(browsers).glob("ffmpeg-*/ffmpeg-*"))


@pytest.mark.skipif(not _has_ffmpeg(), reason="Playwright's ffmpeg is not installed")
def test_a_video_is_moved_when_it_is_whole(audit_folder):
    audit_folder.samples("adam")
    ran = audit_folder.audit("--video=on")
    assert ran.counts() == {"passed": 1}, ran.text
    video = audit_folder.folder / "adam" / "recordings" / "video.webm"
    assert video.read_bytes()[:4] == b"\x1aE\xdf\xa3", "the start of a Matroska file"
    page = (audit_folder.folder / "adam" / "index.html").read_text()
    assert '<a href="recordings/video.webm">' in page
    assert verify(audit_folder.folder).faults == ()


def test_two_tests_of_one_sample_keep_both_of_their_recordings(tmp_path):
    for content in ("first", "second"):
        (tmp_path / "output" / "api").mkdir(parents=True)
        (tmp_path / "output/video.webm").write_text(content)
        (tmp_path / "output/api/trace.zip").write_text(content)
        moved = move_recordings(tmp_path / "output", tmp_path / "adam")
        assert len(moved) == 2
        assert not (tmp_path / "output").exists()
    assert {p.name: p.read_text() for p in recordings_of(tmp_path / "adam")} == {
        "video.webm": "first", "video-2.webm": "second",
        "trace.zip": "first", "trace-2.zip": "second",
    }  # fmt: skip
    assert move_recordings(tmp_path / "none", tmp_path / "adam") == {}
