"""What a policy and a person read of values that are not proven: one notice for all of them."""

from __future__ import annotations

import pytest
from grounded_sample import Sample, element, page

from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.proof.objections import (
    ADVICE,
    MAX_NAMED,
    PICTURE,
    READ_BACK,
    WHOLE,
    doubts_in_words,
    object_to,
)
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import LabelledValue


def test_a_miscited_value_is_answered_with_what_stands_there():
    sample = Sample(page("Item | Kettle", "Item | Goggles"), sources={"item": 0})
    found = sample.objection(item="Goggles")
    assert found is not None
    assert found.notice == f'item="Goggles": [0] says “Item | Kettle”. {ADVICE.format("done")}'
    assert found.reason == (
        'the line that the answer cites does not show item ("Goggles"): [0] says “Item | Kettle”'
    )
    assert found.fields == ("item",)


def test_one_notice_names_all_values_and_only_those_that_are_not_proven():
    sources = {"item": 0, "owner": 7, "code": 1}
    sample = Sample(page("Item | Kettle", "Code | ZX-4711", "3 | 3", "Notes | 3"), sources=sources)
    answer = {"item": "Goggles", "owner": "Ann", "code": "ZX-4711", "notes": 3, "place": "Rome"}
    found = sample.objection(**answer)
    assert found is not None
    assert found.fields == ("item", "owner", "notes", "place")
    assert 'owner="Ann": no line that was shown has the number 7' in found.notice
    assert 'place="Rome": no line that was shown has it' in found.notice
    assert "notes=3: give the line" in found.notice
    assert "ZX-4711" not in found.notice
    assert found.notice.count(ADVICE.format("done")) == 1
    assert 'no page that was observed shows place ("Rome")' in found.reason


def test_the_fields_of_lists_and_objects_are_named_by_their_place():
    found = Sample(page("lint")).objection(checks=[{"name": "lint"}, {"name": "deploy"}])
    assert found is not None
    assert found.notice.startswith('checks[1].name="deploy": no line')
    assert found.fields == ("checks",)


def test_a_count_that_does_not_fit_says_how_many_lines_were_cited():
    sample = Sample(page("Ada", "Bo", "Cy"), sources={"notes": [0, 1]})
    found = sample.objection(notes=3)
    assert found is not None
    assert found.notice.startswith("notes=3: [0] says “Ada”, [1] says “Bo” (2 lines are cited). ")


def test_a_ref_has_no_number_in_the_notice():
    entry = LabelledValue("Owner", "Ann Lee", "definition", ref=(3, 17))
    found = Sample(page(labelled=(entry,)), sources={"owner": "3.17"}).objection(owner="Bo Ek")
    assert found is not None
    assert found.notice.startswith('owner="Bo Ek": it says “Ann Lee”. ')


def test_a_text_of_which_only_the_beginning_is_shown_is_wanted_as_a_whole():
    sample = Sample(page("Leak in hall…"), sources={"summary": 0})
    found = sample.objection(summary="Leak in hall…")
    assert found is not None
    assert found.reason == 'the page shows only the beginning of summary ("Leak in hall…")'
    assert WHOLE in found.notice


def test_what_the_agent_entered_is_to_be_read_back():
    """The page did show the postal code: in the field into which the agent had typed it."""
    field = element(0, "textbox", "Postal code", value="05812")
    sample = Sample(page(field), sources={"code": 0})
    sample.act("type", selector="0", text="05812")
    found = sample.objection(code="05812")
    assert found is not None
    assert found.reason == 'only what the agent itself entered has code ("05812")'
    assert READ_BACK in found.notice


def test_a_value_that_no_picture_shows_is_named_with_what_is_not_seen_at_all():
    refused = Sample(page("Ann")).grounder({}).refused({"owner": "Bo"})
    value = ("city", "Rome", Grounding(how="verbatim"))
    found = object_to(refused, [value], lambda number: "")
    assert found is not None
    why = 'no picture shows the page on which city ("Rome") was seen'
    assert why in found.reason
    assert "Bo" in found.reason
    assert PICTURE in found.notice
    assert found.fields == ("owner", "city")
    assert object_to([], [], lambda number: "") is None


def test_many_values_are_named_up_to_a_number():
    answer = {f"f{n}": f"nobody {n}" for n in range(MAX_NAMED + 3)}
    found = Sample(page("x")).objection(**answer)
    assert found is not None
    assert f'f{MAX_NAMED}="' not in found.notice
    assert "and 3 more values" in found.notice
    assert "and 3 more values" in found.reason
    assert found.fields == tuple(answer)


@pytest.mark.parametrize(
    ("details", "said"),
    [
        (("Ann", "Ann"), ['a ("x"), b ("x"): the page also says “Ann”']),
        (
            ("Ann", ""),
            ['a ("x"): the page also says “Ann”', 'b ("x"): the page says something else there, '
             "too"],
        ),
    ],
)  # fmt: skip
def test_doubts_are_said_once_for_all_values_with_the_same_detail(details, said):
    values = [
        (name, "x", Grounding(how="verbatim").with_doubts({Doubt.OTHER_VALUE: detail}))
        for name, detail in zip("ab", details, strict=True)
    ]
    assert doubts_in_words(values) == said
