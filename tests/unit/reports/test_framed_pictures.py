"""A framed copy of a picture says what it is a picture of."""

from __future__ import annotations

from PIL import Image

import pytest_bwa.reports.pictures as framed_pictures
from pytest_bwa.reports.pictures import (
    framed,
    framed_name,
    is_copy_of,
    open_picture,
    strip_lines,
)
from pytest_bwa.spec.workpaper import Workpaper
from pytest_bwa.steps.step import Artifact

WORKPAPER = Workpaper(title="Owners", controls=("CC8.1", "CC6.1"), account="ada")
RED, PAPER = (200, 0, 0), (244, 244, 241)


def artifact(url: str = "https://a.org/x?q=1") -> Artifact:
    return Artifact(
        filename="01_page.png", sha256="5f" * 32, source_url=url,
        timestamp="2026-11-22T08:56:56.028Z", label="page", step=1,
    )  # fmt: skip


def test_the_strip_has_address_time_sample_digest_and_what_it_is_evidence_of():
    text = "\n".join(strip_lines("T-1", artifact(), WORKPAPER))
    for part in ("https://a.org/x?q=1", "2026-11-22 08:56:56.028 UTC", "sample T-1", "5f" * 32):
        assert part in text
    assert "\ncontrols CC8.1, CC6.1 - account ada\n" in text
    assert len(strip_lines("T-1", artifact(), Workpaper())) == 3
    assert framed_name("01_page.png") == "01_page.framed.png"
    assert (
        strip_lines("T-1", artifact("https://a.org/é/日"), WORKPAPER)[0]
        == "https://a.org/é/\\u65e5"
    )


def test_the_page_stands_below_the_strip_as_it_was():
    page = Image.new("RGB", (640, 100), RED)
    copy = framed(page, "T-1", artifact(), WORKPAPER)
    strip = copy.height - page.height
    assert copy.width == 640
    assert copy.crop((0, strip, 640, copy.height)).tobytes() == page.tobytes()
    written = copy.crop((0, 0, 640, strip))
    assert written.getpixel((639, 0)) == PAPER
    assert written.convert("L").getextrema()[0] < 80, "something is written there"


def test_a_long_address_on_a_narrow_page_is_broken_and_never_cut():
    narrow = Image.new("RGB", (200, 50), RED)
    long = artifact("https://a.org/" + "x" * 700)
    short_strip = framed(narrow, "T-1", artifact(), WORKPAPER).height
    copy = framed(narrow, "T-1", long, WORKPAPER)
    assert copy.width == framed_pictures.MIN_WIDTH
    assert copy.height - short_strip >= 8 * framed_pictures.LINE


def test_a_copy_of_another_picture_is_told_from_one_of_this(tmp_path):
    picture, copy = tmp_path / "01_page.png", tmp_path / "01_page.framed.png"
    page = Image.new("RGB", (640, 100), RED)
    page.save(picture)
    framed(page, "T-1", artifact(), WORKPAPER).save(copy)
    assert is_copy_of(copy, picture)
    page.putpixel((3, 99), (201, 0, 0))
    framed(page, "T-1", artifact(), WORKPAPER).save(copy)
    assert not is_copy_of(copy, picture)
    copy.write_bytes(picture.read_bytes())
    assert not is_copy_of(copy, picture), "it has no strip"
    copy.write_bytes(b"")
    assert not is_copy_of(copy, picture)


def test_what_is_no_picture_or_too_large_is_not_opened(tmp_path, monkeypatch):
    path = tmp_path / "01_a.png"
    path.write_bytes(b"no picture")
    assert open_picture(path) is None
    Image.new("RGB", (50, 50)).save(path)
    assert open_picture(path) is not None
    monkeypatch.setattr(framed_pictures, "MAX_PIXELS", 2499)
    assert open_picture(path) is None
