"""What a person sees otherwise, or not at all, what only the agent saw, and one text that two
fields were read from."""

from __future__ import annotations

import pytest
from grounded_sample import Sample, element, page

from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.proof.doubts.on_page import PAINTED
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import HIDDEN, ActionResult, LabelledValue, Line, Place

HIDDEN_TEXT = element(0, "text", "Approval: APPROVED", states=(HIDDEN,))


@pytest.mark.parametrize(
    ("others", "is_hidden"),
    [
        ((), True),
        ((element(1, "heading", "Approval: open"),), True),
        ((element(1, "row", "Approval | APPROVED"),), False),
        ((element(1, "button", "APPROVED"),), False),
    ],
)
def test_a_value_that_only_hidden_text_has_is_doubted(others, is_hidden):
    shown = page(HIDDEN_TEXT, *others)
    assert ("hidden" in Sample(shown).against(approval="APPROVED")) is is_hidden
    cited = Sample(shown, sources={"approval": 0})
    assert cited.against(approval="APPROVED") == {"hidden": ""}, "whatever else has it"


def test_what_only_a_link_would_ask_for_is_hidden_and_where_it_leads_is_not():
    asked = page(element(0, "link", "Next", url="https://site.test/?sort=ZX-4711"))
    named = page(element(0, "link", "See", url="https://site.test/ZX-4711"))
    assert Sample(asked, sources={"code": 0}).against(code="ZX-4711") == {"hidden": ""}
    assert Sample(named, sources={"code": 0}).against(code="ZX-4711") == {}


@pytest.mark.parametrize(
    ("text", "states", "row", "is_said"),
    [
        ("1,299 €", ('struck out="1,299 €"',), "", True),
        ("1,299 €", ('deleted="1,299 €"',), "", True),
        ("Price | 1,299 € 999 €", (), "Price | (struck out: 1,299 €) 999 €", True),
        ("1,299 € 999 €", ('struck out="999 €"',), "", False),
    ],
)
def test_a_value_that_is_struck_out_is_doubted_and_what_stands_beside_it_is_not(
    text, states, row, is_said
):
    shown = page(element(0, "row", text, states=states, row_line=row), language="en")
    sample = Sample(shown, sources={"price": 0})
    assert sample.against(price=1299) == ({Doubt.STRUCK_OUT: ""} if is_said else {})


@pytest.mark.parametrize(
    ("doubt", "is_said"),
    [*((doubt, True) for doubt in sorted(PAINTED)), (Doubt.MIXED_LOOK, False), (None, False)],
)
def test_a_text_that_is_painted_otherwise_is_doubted(doubt, is_said):
    entry = LabelledValue("Owner", "Ann Lee", "pair", doubt=doubt, ref=(0, 7))
    sample = Sample(page(labelled=(entry,)), sources={"owner": "0.7"})
    assert sample.against(owner="Ann Lee") == ({doubt: ""} if is_said else {})


def test_what_only_the_agents_own_look_has_is_doubted_and_what_vision_read_is_not():
    looked, read = Sample(page("x")), Sample(page(other_lines=(Line(5, "vision", "State: red"),)))
    looked.observed.add_reading(["state: red"], page("x"), 1)
    assert looked.against(state="red") == {"own_look": ""}
    assert read.against(state="red") == {}
    shown = Sample(page("x"), sources={"state": 7})
    shown.act("look", ActionResult(True, "", lines=(Line(7, "look"),)))
    assert shown.against(state="red") == {"own_look": ""}


# -- one cell for two fields -----------------------------------------------------------------------

PAIR = page(element(0, "row", "Owner | Ann Lee | Bo Ek"), element(1, "text", "Ann Lee"))


@pytest.mark.parametrize(
    ("answer", "sources", "others"),
    [
        ({"owner": "Ann Lee", "buyer": "Ann Lee"}, {"owner": 0, "buyer": 0}, ["buyer", "owner"]),
        ({"owner": "Ann Lee", "buyer": "Ann Lee"}, {"owner": 0, "buyer": 1}, [None, None]),
        ({"owner": "Ann Lee", "buyer": "Bo Ek"}, {"owner": 0, "buyer": 0}, [None, None]),
        ({"owner": "Ann Lee", "buyer": None}, {"owner": 0, "buyer": 0}, [None, None]),
        ({"owner": ["Ann Lee"], "buyer": "Ann Lee"}, {"owner": [0], "buyer": 0}, [None, "owner"]),
    ],
)
def test_two_fields_that_were_read_from_the_same_text_are_doubted(answer, sources, others):
    tree = Sample(PAIR, sources=sources).ground(**answer)
    plain = [r[0] if isinstance(r, list) else r for r in tree.values()]
    assert [r.against.get("same_cell") for r in plain] == others


@pytest.mark.parametrize(
    ("texts", "is_doubted"),
    [(("Owner | Ann Lee",), True), (("Owner | Ann Lee", "Buyer | Ann Lee"), False)],
)
def test_equal_values_without_sources_may_have_a_line_each(texts, is_doubted):
    tree = Sample(page(*texts, text="\n".join(texts))).ground(owner="Ann Lee", buyer="Ann Lee")
    assert ["same_cell" in record.doubts for record in tree.values()] == [is_doubted] * 2


def test_the_parts_of_one_entry_may_come_from_one_line():
    row = page(element(0, "row", "lint lint"))
    answer = {"checks": [{"name": "lint", "label": "lint"}]}
    tree = Sample(row, sources={"checks": [0]}).ground(**answer)
    assert [record.doubts for record in tree["checks"][0].values()] == [(), ()]


# -- what the policy itself says -------------------------------------------------------------------


def test_what_the_policy_doubts_is_in_the_record_with_what_the_page_says_against_it():
    entry = LabelledValue("Owner", "Ann Lee", "pair", doubt=Doubt.STILL_LOADING, ref=(0, 7))
    sample = Sample(page(labelled=(entry,)), sources={"owner": "0.7"})
    sample.doubts = {"owner": {Doubt.NOTE_BESIDE: "Net."}, "buyer": {Doubt.ODD: "x"}}
    assert sample.against(owner="Ann Lee") == {"still_loading": "", "note_beside": "Net."}


def test_a_record_lists_sorts_keeps_what_is_closer_and_is_read_without_it():
    seen = Grounding(how="verbatim").with_doubts({Doubt.HIDDEN: "", Doubt.UNDER_HEADING: "B-2"})
    closer = seen.with_doubts({Doubt.PARTLY_UNSEEN: ""})
    assert closer.model_dump(mode="json", include={"doubts", "why", "against"}) == {
        "doubts": ["hidden", "other_record"],
        "why": {"other_record": "under_heading", "hidden": "partly_unseen"},
        "against": {"other_record": "B-2"},
    }
    assert Grounding.model_validate(closer.model_dump(mode="json")) == closer
    older = {"how": "verbatim", "doubts": ["painted"], "against": {"painted": "it is struck out"}}
    said = Grounding.model_validate(older).in_words()
    assert list(said) == ["a person sees it otherwise: it is struck out"]


def test_an_ordinary_page_has_no_doubt():
    place = Place(headings=("Heron Mills",))
    rows = [element(n, "row", f"Label {n} | Value {n}", place=place) for n in range(9)]
    labelled = tuple(
        LabelledValue(f"Label {n}", f"Value {n}", "pair", place=place, ref=(0, 100 + n))
        for n in range(9)
    )
    for sources in (
        {f"f{n}": n for n in range(9)},
        {f"f{n}": f"0.{100 + n}" for n in range(9)},
        {},
    ):
        sample = Sample(page(*rows, labelled=labelled), sources=sources, given=("Heron Mills",))
        tree = sample.ground(**{f"f{n}": f"Value {n}" for n in range(9)})
        assert [record.doubts for record in tree.values()] == [()] * 9
