"""Text to the types of a schema: what is not certain is refused."""

from __future__ import annotations

import json

import pytest

from pytest_bwa.spec.coercion import Uncertain, coerce, read_boolean, read_string
from pytest_bwa.spec.output import OutputSchema


def read(text: str, form: object, **context: str) -> object:
    return coerce(text, OutputSchema({"f": form}).kinds("f"), **context)


@pytest.mark.parametrize(
    ("text", "form", "value"),
    [
        ("5", "number", 5), ("5.50", "number", 5.5), ("12.00", "integer", 12), ("5", "string", "5"),
        ("3 May 2026", "date", "2026-05-03"), ("3 May 2026", "string", "3 May 2026"),
        ("3 May 2026", "string | date", "2026-05-03"), ("soon", "string | date", "soon"),
        ("5", "integer | string", 5), ("5 days", "integer | string", "5 days"),
        ("007", "number | string", "007"), ("Yes", "boolean", True), ("1", "boolean | number", 1),
        ("Open", {"enum": ["Open", "Closed"]}, "Open"), ("any", {}, "any"),
        ("a; b", "array | string", ["a", "b"]), ("a", "array | string", "a"),
    ],
)  # fmt: skip
def test_the_first_kind_that_fits(text, form, value):
    result = read(text, form)
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("5.5", "integer"), ("five", "number"), ("perhaps", "boolean"), ("soon", "date"),
        ("text", "object"), ("{}", "object"), ("text", "null"), ("04/05/2026", "date | null"),
    ],
)  # fmt: skip
def test_a_text_that_fits_no_kind_is_refused_by_name(text, form):
    with pytest.raises(Uncertain) as refusal:
        read(text, form)
    assert str(refusal.value).startswith(f'"{text}" ')
    assert "\n" not in str(refusal.value)


def test_locale_and_machine_time_reach_the_reader():
    assert read("1.250", "number", locale="de") == 1250
    assert read("04/05/2026", "date", locale="en-GB") == "2026-05-04"
    assert read("3 days ago", "date", machine_time="2026-05-03T10:00Z") == "2026-05-03"


@pytest.mark.parametrize("form", ["string", "string | null", "number | null", "array | null", {}])
@pytest.mark.parametrize("text", ["", " ", "\n\t\u00a0", "\u200b"])
def test_an_empty_text_says_neither_a_value_nor_that_there_is_none(text, form):
    with pytest.raises(Uncertain):
        read(text, form)


@pytest.mark.parametrize("text", ["-", "–", "—", " -- "])
def test_a_dash_is_null_where_null_is_allowed_and_no_value_elsewhere(text):
    for form in ("string", "number", "date", "boolean", "array"):
        assert read(text, f"{form} | null") is None
    for form in ("string", "number", "date", "boolean"):
        with pytest.raises(Uncertain):
            read(text, form)


@pytest.mark.parametrize("text", ["None", "n/a", "N/A", "null"])
def test_words_for_nothing_are_null_but_the_text_of_a_text_field(text):
    assert read(text, "number | null") is None
    assert read(text, "date | null") is None
    assert read(text, "string | null") == text
    with pytest.raises(Uncertain):
        read(text, "number")


def test_a_masked_or_cut_text_is_refused_as_such():
    for text, why in (
        ("****1234", "is masked"),
        ("1,234…", "is cut"),
        ("{{n}}", "before or instead"),
    ):
        with pytest.raises(Uncertain, match=why):
            read(text, "number")


def test_other_words_are_no_null():
    for text in ("unknown", "TBD", "never", "no", "0", "not set"):
        with pytest.raises(Uncertain):
            read(text, "date | null")


def test_numbers_are_those_that_json_keeps():
    assert read("9007199254740993", "integer") == 9007199254740993
    assert json.dumps(read("12345678901234567890123", "number")) == "12345678901234567890123"
    assert json.dumps(read("0.10", "number")) == "0.1"
    with pytest.raises(Uncertain, match="more digits"):
        read("9007199254740993.5", "number")
    with pytest.raises(Uncertain, match="more digits"):
        read("0.12345678901234567890", "number")


@pytest.mark.parametrize(
    "text", ["true", "Yes", "YES.", "✓", "✔️", "✅", "☑", "checked", "Ja", "Sí"]
)
def test_yes(text):
    assert read_boolean(text) is True


@pytest.mark.parametrize("text", ["false", "No", "✗", "✘", "❌", "☐", "unchecked", "Nein", "non"])
def test_no(text):
    assert read_boolean(text) is False


@pytest.mark.parametrize(
    "text",
    ["", "1", "0", "x", "×", "☒", "enabled", "active", "Yes, but", "yes/no", "Yes No", "not yes",
     "n/a", "maybe", "y", "No data"],
)  # fmt: skip
def test_neither_yes_nor_no(text):
    with pytest.raises(Uncertain):
        read_boolean(text)


def test_text_is_folded_within_its_lines():
    assert read_string("  Main\u00a0 Street\t5 \r\n  12345   Berlin\n\n\n\nGermany ") == (
        "Main Street 5\n12345 Berlin\n\nGermany"
    )
    assert read_string("LED\u200b-\u00ad77 \u2068Jane\u2069") == "LED-77 Jane"
    assert read_string("👩\u200d💻") == "👩\u200d💻"


@pytest.mark.parametrize(
    "text",
    ["{{name}}", "{{ user.name }}", "${name}", "<%= name %>", "{% name %}", "[object Object]",
     "undefined", "NaN", "Invalid Date", "Loading…", "The first words...", "The first… Read more",
     "****1234", "•••• 1234", "XXX-XX-1234", "%USER_NAME%", "__MSG_name__",
     "abc\u202edef", "Andr\ufffd", "\ue900 Open", "\ud83d"],
)  # fmt: skip
@pytest.mark.parametrize("form", ["string", "string | null", "array", "number | null"])
def test_what_stands_for_a_value_or_hides_one_is_no_value(text, form):
    with pytest.raises(Uncertain):
        read(text, form)


@pytest.mark.parametrize(
    "text", ["Escape {{name}} in titles", "a ... b", "**bold**", "Null Island"]
)
def test_text_about_such_things_is_text(text):
    assert read(text, "string | null") == text


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("bug", ["bug"]), ("good first issue", ["good first issue"]),
        ("Doe, John; Roe, Jane", ["Doe, John", "Roe, Jane"]), ("a; b;", ["a", "b"]),
        ("Doe, John\nRoe, Jane", ["Doe, John", "Roe, Jane"]), ("a\n\nb", ["a", "b"]),
        ("• a\n• b", ["a", "b"]), ("- a\n- b and c", ["a", "b and c"]),
        ("None", []), ("—", []),
    ],
)  # fmt: skip
def test_items_that_clearly_are(text, items):
    assert read(text, "array") == items


@pytest.mark.parametrize(
    "text",
    ["Doe, John", "a, b and c", "Ann and Bob", "Ann & Bob", "a | b", "a · b", "a / b", "a;;b",
     "None yet", "No labels",
     "a; b\nc", "Ann\n+3 more", "Ann; Bob; +3", "Ann\nand 2 others", "n/a",
     f"One sentence that is long; {'and another ' * 6}"],
)  # fmt: skip
def test_one_item_or_several_is_not_guessed(text):
    with pytest.raises(Uncertain):
        read(text, "array")
