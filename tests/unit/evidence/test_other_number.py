"""1.250 is one of two numbers, unless the page, its language or the spec tells what the mark is."""

from __future__ import annotations

import pytest
from grounded_sample import Sample, page

from pytest_bwa.proof.flagging import is_doubtful
from pytest_bwa.proof.objections import object_to


def other_number(sample: Sample, value: float) -> str | None:
    values = {"amount": value}
    record = sample.ground(**values)["amount"]
    assert is_doubtful(values, {"amount": record}) == (record.other_reading is not None)
    return record.other_reading


@pytest.mark.parametrize(("value", "other"), [(1.25, "1250"), (1250, "1.25")])
def test_either_number_is_named_with_the_other(value, other):
    assert other_number(Sample(page("Amount: 1.250")), value) == other


@pytest.mark.parametrize(
    ("texts", "value", "more"),
    [
        (["Amount: 1.250"], 1250, {"language": "de"}),
        (["Amount: 1,250"], 1250, {"language": "en"}),
        (["Amount: 1.250", "Total: 14.310,75"], 1250, {}),
        (["Amount: 1.250,00"], 1250, {}),
        (["Amount: 12.5"], 12.5, {}),
        (["Amount: € 1,250"], 1250, {}),
        (["Amount (3)"], 3, {}),
        (["Amount: (1,250.00)"], -1250, {}),
    ],
)
def test_a_number_is_certain(texts, value, more):
    assert other_number(Sample(page(*texts, **more)), value) is None


def test_the_locale_of_the_spec_tells_which_it_is():
    assert other_number(Sample(page("Amount: 1.250"), locale="de"), 1250) is None


@pytest.mark.parametrize("text", ["310.40 DR", "310.40 Cr.", "310.40-"])
def test_a_sign_behind_a_number_may_be_either(text):
    sample = Sample(page(f"Amount: {text}", language="en-GB"))
    assert other_number(sample, 310.4) == "-310.4"
    assert other_number(sample, -310.4) == "310.4"


def test_the_note_names_both_and_what_can_tell():
    record = Sample(page("Amount: 1.250")).ground(amount=1250)["amount"]
    pictured = record.model_copy(update={"artifact": "01_page.png"})
    objection = object_to([("amount", 1250, pictured)])
    assert objection is not None
    assert (objection.notice, objection.reason) == ("", "")
    assert objection.doubt == (
        "amount is 1250 or 1.25 (“Amount: 1.250”): the spec's locale can tell"
    )


@pytest.mark.parametrize("text", ["Amount: 10–14", "Amount: 10 - 14"])
def test_one_end_of_a_range_is_contested_by_the_range(text):
    record = Sample(page(text, language="en")).ground(amount=10)["amount"]
    assert record.contested == (text,)
    whole = Sample(page(text, "Amount: 10", language="en")).ground(amount=10)["amount"]
    assert whole.contested is None
