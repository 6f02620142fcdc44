"""The record of a value: a tree that is shaped like the answer, with page, element and place."""

from __future__ import annotations

from grounded_sample import PAGE, Sample, element, page

from pytest_bwa.evidence.grounding import Grounding, plain_values
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.steps.step import Box, LabelledValue, Place


def test_arrays_and_objects_have_a_record_for_each_value_and_none_for_null():
    sample = Sample(page("lint", "build"))
    checks = [{"name": "lint", "note": None}, None, {"name": "deploy"}]
    values = {"checks": checks, "empty": "", "none": None}
    tree = sample.ground(**values)
    assert [type(item) for item in tree["checks"]] == [dict, type(None), dict]
    assert tree["checks"][0]["name"].how == "verbatim"
    assert tree["checks"][0]["note"] is tree["empty"] is tree["none"] is None
    unseen = [path for path, _, record in plain_values(values, tree) if record.how == "unseen"]
    assert unseen == ["checks[2].name"]


def test_a_record_names_step_page_element_and_place_and_survives_the_disk():
    place = Place(frame="https://other.test/f")
    owner = element(
        4, "textbox", "Owner", value="Ann Smith", box=Box(1, 2, 30, 40), place=place
    )  # fmt: skip
    sample = Sample(page("start"), page("Owner", owner), sources={"owner": 4})
    tree = sample.ground(owner="Ann Smith", how={"how": "x"})
    assert tree["owner"] == Grounding(
        how="verbatim",
        cited=True,
        step=1,
        url=PAGE,
        frame="https://other.test/f",
        role="textbox",
        name="Owner",
        text="Ann Smith",
        box=(1, 2, 30, 40),
    )
    result = SampleResult(sample_id="s", task_id="t", status="done", grounding=tree)
    assert SampleResult.model_validate_json(result.model_dump_json()) == result


def test_a_record_has_the_label_that_the_page_gives_to_the_place():
    row = element(0, "row", "Kaution | 750 €")
    entry = LabelledValue("Kaution", "750 €", "pair", place=Place(record=row.name), ref=(0, 7))
    for source in (0, "0.7"):
        sample = Sample(page(row, labelled=(entry,)), sources={"deposit": source})
        assert sample.ground(deposit=750)["deposit"].name == "Kaution"


def test_what_is_not_shown_is_unseen_and_says_whether_it_was_cited():
    for sources, is_cited in (({}, False), ({"owner": 0}, True), ({"owner": 9}, True)):
        record = Sample(page("Ann Lee"), sources=sources).ground(owner="Bo Ek")["owner"]
        assert (record.how, record.cited, record.url) == ("unseen", is_cited, None)


def test_the_same_page_is_kept_once_and_a_changed_one_keeps_only_what_is_new():
    texts = tuple(element(n, "text", f"Text {n}") for n in range(3000))
    sample = Sample(*(page(*texts, title=f"Look {n}") for n in range(50)))
    assert len(list(sample.observed.facts)) == 3000 + 50 + 1
    same = page("a")
    assert len(Sample(same, same).observed.looks) == 1


def test_a_long_text_is_quoted_around_the_value():
    text = f"{'before ' * 60}ZX-4711{' after' * 60}"
    record = Sample(page(text), sources={"code": 0}).ground(code="ZX-4711")["code"]
    assert "ZX-4711" in record.text
    assert len(record.text) <= 200
