"""What the sample's own record says of a field: one certain value, or why there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rules_audit import Audit, page, row, value

from pytest_bwa.policy.rules.fields import Reading
from pytest_bwa.steps import LabelledValue

URI = {"type": "string", "format": "uri"}


def reading(form: Any, *values: LabelledValue, language: str = "", **spec: Any) -> Reading:
    """What is read of the one field ``size``."""
    seen = page("/1", "Box", *values, language=language)
    return Audit({"size": form}, asked="/1", spec=spec).read(seen)


def why(form: Any, *values: LabelledValue, **more: Any) -> str:
    """Why there is no value."""
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
def test_two_different_values_are_none_and_both_are_named(kinds):
    note = why("string", size("L", kinds[0]), size("XL", kinds[1]))
    assert note == "the page has different values: 'L', 'XL'"


def test_a_name_and_an_alias_that_differ_are_different_values():
    values = size("L"), value("Fits", "XL")
    assert "different values" in why("string", *values, aliases={"size": ["Fits"]})


def test_an_unreadable_value_beside_a_certain_one_is_not_passed_over():
    assert "many" in why("number", size("7"), size("many"))
    assert why("string", size("L"), size("")) == "the page has no text there"


def test_a_null_is_only_what_the_page_says():
    assert reading("string | null", size("—")).values == {"size": None}
    assert why("string", size("—"))
    assert why("string | null") == "not found"


# -- texts that may not be the value -------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "note"),
    [
        (size("an end that is mis", cut=True), "only the beginning: “an end that is mis”"),
        (size("L", doubt="a link follows the text"), "“L”: a link follows the text"),
        (size(""), "no text there"),
        (size("S → L"), "“S → L” is not one value"),
        (size("S -> L"), "not one value"),
        (size("S => L"), "not one value"),
        (size("{{ size }}"), "not one value"),
        (size("☐ Single\n☒ Married"), "not one value"),
        (size("${size}"), "not one value"),
        (size("<%= size %>"), "not one value"),
        (size("Size:"), "“Size:” is only its label"),
        (size("\u202eL"), "direction"),
        (size("Set size", url="https://x.org/1/size"), "is a link that offers to change it"),
        (size("translation_missing: en.size"), "is the key of a text that is missing"),
    ],
)
def test_what_may_be_no_value_is_refused_and_named(one, note):
    assert note in why("string", one)


def test_a_link_whose_text_is_the_value_is_a_value():
    assert reading("string", size("Extra large", url="https://x.org/xl")).values
    assert reading("string", size("Size XL")).values, "no link: nothing can be changed by it"


def test_an_unfinished_value_stays_out_even_where_it_fits_the_type():
    assert why("number", size("12", cut=True))
    assert why("array", size("a", items=("a", "b"), cut=True))


def test_a_date_in_the_notation_of_another_language_is_not_read_by_that_of_the_page():
    german, foreign = value("Angelegt", "05.04.2026"), size("05/04/2026")
    assert why("date", foreign, german, language="de")
    assert reading("date", foreign, language="de").values == {"size": "2026-04-05"}
    assert reading("date", size("05.04.2026"), foreign, language="de").values == {}
    beside = value("Due", "05/04/2026")
    assert reading("date", size("05.04.2026"), beside, language="de").values


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


# -- types ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "text"),
    [("date", "04/05/2026"), ("number", "1,5"), ("number", "5-7"), ("number", "12 furlongs"),
     ("number", "many"), ("boolean", "perhaps"), ("integer", "1.5")],
)  # fmt: skip
def test_text_that_may_be_another_value_is_named(form, text):
    assert text in why(form, size(text))


def test_a_point_on_a_page_in_the_english_of_a_template_may_part_thousands():
    assert why("number", size("1.250"), language="en") == "“1.250” may be a fraction or a thousand"
    assert reading("number", size("1.25"), language="en").values == {"size": 1.25}
    assert why("number", size("1.250"), language="en-US")
    assert reading("number", size("1.250"), language="en-GB").values == {"size": 1.25}
    assert reading("number", size("1.250"), locale="en-US").values == {"size": 1.25}
    assert reading("string", size("1.250"), language="en").values == {"size": "1.250"}


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


@pytest.mark.parametrize("last", ["+3 more", "and 2 others", "(+1)", "i 2 inne", "他3件"])
def test_a_list_that_says_that_it_goes_on_is_not_whole(last):
    assert "lists more than it shows" in why("array", size("a", items=("a", "b", last)))


def test_a_list_is_no_text():
    assert why("string", size("a\nb", items=("a", "b"))) == "the page lists 2 values"
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


@pytest.mark.parametrize(
    ("one", "is_known"),
    [
        (size("many", url="https://x.org/2"), True),
        (size("Set size", url="https://x.org/2"), False),
        (size("", url="https://x.org/2"), False),
        (size("7 Edit", url="https://x.org/2", doubt="a link follows the text"), False),
    ],
)
def test_the_link_of_a_value_is_known_but_never_one_that_may_change_it(one, is_known):
    assert list(reading("number", one).links) == [one] * is_known


@pytest.mark.parametrize(("form", "answer"), [("string", {"size": "7"}), ("number", {})])
def test_a_number_below_a_heading_that_may_name_its_unit_is_none(form, answer):
    cells = row("A-1", value("Size", "7", "table", headings=("In thousands",)))
    audit = Audit({"size": form}, sample_id="A-1", asked="/1")
    assert audit.read(page("/1", "Box", *cells)).values == answer


@pytest.mark.parametrize(
    ("text", "language", "beside"),
    [
        ("1.250", "de", "2,400.75"),
        ("1,250", "en-GB", "2.400,75 €"),
        ("1,250", "fr", "$1,000,000.5"),
    ],
)
def test_a_number_of_the_page_may_contradict_the_marks_of_its_language(text, language, beside):
    assert "which is not as its language has it" in why(
        "number", size(text), value("Weight", beside), language=language
    )
    assert reading("number", size(text), value("Weight", "2.5"), language=language).values


def test_numbers_that_are_as_the_language_has_them_contradict_nothing():
    for text in ("2.400,75", "1.2.3,4", "2,5"):
        found = reading("number", size("1.250"), value("Weight", text), language="de")
        assert found.values == {"size": 1250}


@pytest.mark.parametrize("text", ["CHF 1,250.00", "1,250.00 CHF", "$1,250.00"])
def test_a_number_in_another_currency_than_its_label_is_no_value(text):
    spec = {"aliases": {"size": ["Amount (EUR)"]}}
    clash = value("Amount (EUR)", text)
    expected = f"“{text}” is in another currency than “Amount (EUR)”"
    assert why("number", clash, language="en-GB", **spec) == expected
    for fitting in ("€1,250.00", "EUR 1,250.00", "1,250.00"):
        found = reading("number", value("Amount (EUR)", fitting), language="en-GB", **spec)
        assert found.values == {"size": 1250}
    assert reading("string", clash, **spec).values == {"size": text}


def test_lines_of_the_text_are_no_values_where_the_record_has_labels_of_its_own():
    lines = [size("L", "text"), value("Colour", "red", "text")]
    assert reading("string", *lines).values == {"size": "L"}
    for kind in ("pair", "definition", "table"):
        own = value("Status", "Open", kind)
        assert why("string", own, *lines) == "only a line of the text says “L”"


def test_a_section_is_no_subject_though_the_window_says_so():
    inside = value("Phone", "555 0142", headings=("Ada Quist", "Next of kin"))
    audit = Audit({"phone": "string"}, {"name": "Ada Quist"}, asked="/1")
    alone = replace(page("/1", "Ada Quist", inside), title="Ada Quist – Next of kin")
    assert audit.read(alone).values == {"phone": "555 0142"}
    team = value("Team", "Core", headings=("Ada Quist",))
    both = replace(page("/1", "Ada Quist", team, inside), title="Ada Quist – Next of kin")
    assert audit.read(both).values == {}


@pytest.mark.parametrize(
    ("heading", "window", "values"),
    [
        ("Wiki export loses anchors", "BUG-7: Wiki export loses anchors - Desk", {"size": "L"}),
        ("Wiki export loses anchors", "Bug #BUG-7: Wiki export loses anchors", {"size": "L"}),
        ("Wiki export loses anchors", "BUG-70: Wiki export loses anchors - Desk", {}),
        ("Wiki export loses anchors", "BUG-8: Wiki export loses anchors - Desk", {}),
        ("Wiki export loses anchors", "BUG-7 - Desk", {}),
        ("Emergency contact", "BUG-7: Emergency contact - Desk", {}),
        ("Task BUG-7", "Task BUG-7: Wiki export - Desk", {"size": "L"}),
        ("Blocks BUG-7", "Task BUG-7: Wiki export - Desk", {}),
    ],
)
def test_what_the_window_says_that_the_sample_is_about_is_no_other_record(heading, window, values):
    beside = value("Colour", "red", headings=("Bug 7", heading))
    seen = page("/1", "Bug 7", size("L", headings=("Bug 7", heading)), beside)
    audit = Audit({"size": "string"}, sample_id="BUG-7", asked="/1")
    assert audit.read(replace(seen, title=window)).values == values
