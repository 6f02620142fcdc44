"""What the sample's own record says of a field, and what speaks against it."""

from __future__ import annotations

from typing import Any

import pytest
from rules_audit import Audit, Seen, control, page, value

from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import LabelledValue

URI = {"type": "string", "format": "uri"}


def reading(form: Any, *values: LabelledValue, language: str = "", **spec: Any) -> Seen:
    """What is read of the one field ``size``."""
    seen = page("/1", "Box", *values, language=language)
    return Audit({"size": form}, asked="/1", spec=spec).read(seen)


def why(form: Any, *values: LabelledValue, **more: Any) -> str:
    """Why there is no value, or what speaks against the one there is."""
    found = reading(form, *values, **more)
    assert found.values == {}
    return found.open["size"]


def size(text: str, kind: str = "definition", **more: Any) -> LabelledValue:
    return value("Size", text, kind, **more)


@pytest.mark.parametrize("kind", ["definition", "table", "text", "input", "pair", "count"])
def test_values_of_every_kind_are_read(kind):
    beside = value("Colour", "red", kind)  # a line that stands alone may be a sentence
    assert reading("string", size("L", kind), beside).values == {"size": "L"}


@pytest.mark.parametrize("kind", ["link", "search"])
def test_links_and_searches_are_no_values(kind):
    assert why("string", size("L", kind)) == "not found"


# -- one value, or none --------------------------------------------------------------------------


def test_places_that_agree_are_one_answer():
    assert reading("string", size("L"), size(" L ", "text")).values == {"size": "L"}
    assert reading("number", size("1,000,000"), size("1000000")).values == {"size": 10**6}


@pytest.mark.parametrize("kinds", [("definition", "definition"), ("definition", "pair")])
def test_of_two_values_the_first_is_kept_and_the_other_named(kinds):
    seen = reading("string", size("L", kinds[0]), size("XL", kinds[1]))
    assert (seen.doubted, seen.codes) == ({"size": "L"}, {"size": ["other_value"]})
    assert seen.open["size"] == "the page also says “Size | XL”"


def test_a_name_and_an_alias_that_differ_are_different_values():
    values = size("L"), value("Fits", "XL")
    assert "also says “Fits | XL”" in why("string", *values, aliases={"size": ["Fits"]})


def test_a_value_that_nothing_speaks_against_goes_before_one_that_is_doubted():
    hidden = size("L", doubt=Doubt.PAINTED_OVER)
    assert reading("string", hidden, size("L")).values == {"size": "L"}
    assert reading("string", hidden, size("M")).doubted == {"size": "M"}
    assert reading("string | null", size("—"), size("M")).doubted == {"size": "M"}
    assert reading("number", size("many"), size("7")).values == {"size": 7}


def test_each_value_says_where_it_stands():
    one, several = (
        value("Size", "L", ref=(2, 7)),
        value("Tags", "a\nb", items=("a", "b"), ref=(2, 9)),
    )
    fields = {"size": "string", "tags": "array"}
    answers = Audit(fields, asked="/1").read(page("/1", "Box", one, several)).reading.answers
    assert (answers["size"].source, answers["tags"].source) == ("2.7", ["2.9", "2.9"])


def test_a_null_is_only_what_the_page_says():
    assert reading("string | null", size("—")).values == {"size": None}
    assert reading("number | null", size("")).values == {"size": None}, "nothing is painted there"
    assert why("string | null", size("", doubt=Doubt.SIGN_ONLY))
    assert why("string", size("—"))
    assert why("string | null") == "not found"


# -- texts that may not be the value -------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "note"),
    [
        (size("an end that is mis", cut=True), "only the beginning"),
        (size("an end that is…"), "its text is cut"),
        (size("L", doubt=Doubt.LINK_BESIDE), "a link stands beside the text"),
        (size(""), "no text there"),
        (size("{{ size }}"), "before or instead of a value"),
        (size("${size}"), "before or instead of a value"),
        (size("\u202eL"), "direction"),
    ],
)
def test_what_may_be_no_value_is_kept_with_the_doubt(one, note):
    assert note in why("string", one)
    assert reading("string", one).doubted == ({"size": one.value} if one.value else {})


def test_an_unfinished_value_is_doubted_even_where_it_fits_the_type():
    assert why("number", size("12", cut=True))
    assert why("array", size("a", items=("a", "b"), cut=True))


def test_a_date_may_be_in_an_order_that_the_language_of_the_page_does_not_have():
    beside, american = value("Updated", "25/05/2026"), value("Updated", "05/25/2026")
    assert why("date", size("04/05/2026"), beside, language="en-US")
    assert why("date", size("04/05/2026"), american, language="en-GB")
    assert reading("date", size("26/05/2026"), beside, language="en-US").values
    assert reading("date", size("04/05/2026"), beside, language="en-GB").values
    assert reading("date", size("04/05/2026"), language="fr").values == {"size": "2026-05-04"}


def test_the_american_english_of_a_template_does_not_say_which_number_is_the_month():
    american = value("Updated", "05/25/2026")
    assert why("date", size("04/05/2026"), language="en-US")
    found = reading("date", size("04/05/2026"), american, language="en-US")
    assert found.values == {"size": "2026-04-05"}
    assert reading("date", size("May 4, 2026"), language="en-US").values == {"size": "2026-05-04"}


@pytest.mark.parametrize(
    ("text", "either"),
    [
        ("04/03/68", ["1968-03-04", "2068-03-04"]),
        ("04.03.31", ["2031-03-04", "1931-03-04"]),
        ("17/Oct/52", ["1952-10-17", "2052-10-17"]),
        ("3 May ’26 10:15", ["2026-05-03", "1926-05-03"]),
    ],
)
def test_a_year_of_two_digits_is_kept_with_both_readings(text, either):
    found = reading("date", size(text), language="en-GB")
    assert (found.doubted, found.codes) == ({"size": either[0]}, {"size": ["two_readings"]})
    assert found.open["size"] == f"it may also mean {either[1]}"
    bounded = {"type": "date | null", "maximum": "2012-12-31", "minimum": "1925-01-01"}
    if "52" in text or "68" in text:
        assert reading(bounded, size(text), language="en-GB").values == {"size": either[0]}


# -- types ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "text"),
    [("date", "04/05/2026"), ("number", "1,5"), ("number", "5-7"), ("number", "12 furlongs"),
     ("number", "many"), ("boolean", "perhaps"), ("integer", "1.5")],
)  # fmt: skip
def test_text_that_may_be_another_value_is_named(form, text):
    assert text in why(form, size(text)) or "may also mean" in why(form, size(text))


UNSURE = "its point or comma may mark a fraction or thousands"


@pytest.mark.parametrize(
    ("spec", "language", "iso"),
    [({"locale": "en-GB"}, "", "2026-05-04"), ({}, "en-GB", "2026-05-04"),
     ({"locale": "en-US"}, "en-GB", "2026-04-05")],
)  # fmt: skip
def test_the_locale_of_the_spec_goes_before_that_of_the_page(spec, language, iso):
    found = reading("date", size("04/05/2026"), language=language, **spec)
    assert found.values == {"size": iso}


def test_the_machines_day_tells_that_of_a_relative_one_and_a_moment_does_not():
    for day in ("2026-11-18", "2026-11-18T08:00", "2026-11-18T08:00:00+01:00"):
        assert reading("date", size("3 days ago", datetime=day)).values == {"size": "2026-11-18"}
    assert why("date", size("tomorrow", datetime="2026-11-18T23:30:00Z"))
    written = size("18 November 2026", datetime="2026-11-17T23:30:00Z")
    assert reading("date", written).values == {"size": "2026-11-18"}
    assert why("date", size("3 days ago"))


def test_the_entries_of_a_list_are_an_array_as_they_are():
    listed = size("a, b\nc", items=("a, b", "c"))
    assert reading("array", listed).values == {"size": ["a, b", "c"]}
    assert reading("array", size("one", items=("one",))).values == {"size": ["one"]}


def test_a_list_is_no_text():
    assert "its text has 2 lines" in why("string", size("a\nb", items=("a", "b")))
    assert reading("string", size("a", items=("a",))).values == {"size": "a"}


# -- addresses -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "address"),
    [
        (size("the label", url="https://a.org/x"), "https://a.org/x"),
        (size("https://a.org/x"), "https://a.org/x"),
        (size("mail", url="mailto:a@b.c"), None),
        (size("a.org/x"), None),
        (size("see https://a.org/x"), None),
    ],
)
def test_an_address_is_that_of_the_one_link(one, address):
    found = reading(URI, one)
    assert found.values == ({"size": address} if address else {})


def test_a_text_field_never_takes_the_address():
    assert reading("string", size("LED-1", url="https://x.org/LED-1")).values == {"size": "LED-1"}


def test_numbers_that_are_as_the_language_has_them_contradict_nothing():
    for text in ("2.400,75", "1.2.3,4", "2,5"):
        found = reading("number", size("1.250"), value("Weight", text), language="de")
        assert found.values == {"size": 1250}


def test_a_null_whose_label_the_page_has_without_a_value_is_left_to_a_person():
    """A link "Size" that nobody opens, or a shape of label and value that nobody reads."""
    fields = {"size": "string | null", "colour": "string"}
    for name in ("Size", "Size: XL", "Size 12", "Size (3)"):
        audit = Audit(fields, asked="/1")
        end = audit.end(page("/1", "Box", value("Colour", "red"), control(1, "link", name)))
        assert "its label is on the page" in (end.review or ""), name
    audit = Audit(fields, asked="/1")
    end = audit.end(page("/1", "Box", value("Colour", "red"), control(1, "link", "Sizes")))
    assert (end.action, end.review) == ("done", None)
