"""A report marks the values in a copy of a picture; the picture itself stays as it is."""

from __future__ import annotations

import io

from PIL import Image

from pytest_bwa.evidence.record import Grounding
from pytest_bwa.reports.marked_pictures import draw_marks, marks

WHITE, FRAME = (255, 255, 255), (194, 24, 91)


def seen(x: float, artifact: str | None = "01_a.png") -> Grounding:
    return Grounding(how="verbatim", box=(x, 50, 40, 20), artifact=artifact)


def test_marks_are_found_in_arrays_and_objects():
    tree = {
        "name": seen(10),
        "checks": [{"state": seen(20)}, None],
        "text": seen(30, None),
        "file": seen(40, "downloads/a.pdf"),
        "none": None,
    }
    box = (50, 40, 20)
    assert marks(tree) == {"01_a.png": [("name", (10, *box)), ("checks[0].state", (20, *box))]}


def test_a_value_is_framed_in_a_copy_and_the_picture_is_unchanged(tmp_path):
    picture = tmp_path / "01_a.png"
    Image.new("RGB", (200, 100), WHITE).save(picture)
    before = picture.read_bytes()
    marked = draw_marks(picture, [("name", (10, 50, 40, 20))])
    assert picture.read_bytes() == before
    copy = Image.open(io.BytesIO(marked or b""))
    assert copy.size == (200, 100)
    assert copy.getpixel((8, 60)) == FRAME  # the left side of the frame
    assert copy.getpixel((30, 60)) == WHITE  # the value itself is not painted over
    assert FRAME in {copy.getpixel((x, 60)) for x in range(60, 90)}  # the name behind it
    assert {copy.getpixel((x, 40)) for x in range(8, 90)} == {WHITE}  # and none above


def test_boxes_outside_the_picture_and_files_that_are_no_pictures_do_no_harm(tmp_path):
    picture = tmp_path / "01_a.png"
    Image.new("RGB", (50, 50), WHITE).save(picture)
    assert draw_marks(picture, [("far", (500, 500, 10, 10)), ("top", (0, 0, 90, 90))])
    picture.write_bytes(b"no picture")
    assert draw_marks(picture, [("name", (0, 0, 10, 10))]) is None


def test_a_picture_that_is_too_large_is_not_marked(tmp_path, monkeypatch):
    picture = tmp_path / "01_a.png"
    Image.new("RGB", (50, 50), WHITE).save(picture)
    monkeypatch.setattr("pytest_bwa.reports.marked_pictures.MAX_PIXELS", 2499)
    assert draw_marks(picture, [("name", (0, 0, 10, 10))]) is None
