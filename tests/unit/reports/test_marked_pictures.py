"""A report marks the values in a copy of a picture; the picture itself stays as it is."""

from __future__ import annotations

from PIL import Image

from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.reports.pictures import draw_marks, marks

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


def test_a_value_is_framed_and_not_painted_over():
    page = Image.new("RGB", (200, 100), WHITE)
    draw_marks(page, [("name", (10, 50, 40, 20))])
    assert page.getpixel((8, 60)) == FRAME  # the left side of the frame
    assert page.getpixel((30, 60)) == WHITE  # the value itself
    assert FRAME in {page.getpixel((x, 60)) for x in range(60, 90)}  # the name behind it
    assert {page.getpixel((x, 40)) for x in range(8, 90)} == {WHITE}  # and none above


def test_boxes_outside_the_picture_do_no_harm():
    page = Image.new("RGB", (50, 50), WHITE)
    draw_marks(page, [("far", (500, 500, 10, 10)), ("top", (0, 0, 90, 90))])
    assert page.getpixel((1, 1)) == FRAME
