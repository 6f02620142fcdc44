from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_bwa.errors import SpecError
from pytest_bwa.spec.output import OutputSchema, check_schema


@pytest.mark.parametrize(
    ("form", "valid", "invalid"),
    [
        ("string", ["", "a"], [1, True, ["a"]]),
        ("number", [0, 1.5, -3], ["1", True, "many"]),
        ("integer", [0, 12], [1.5, "1", False]),
        ("boolean", [True, False], [0, "true"]),
        ("array", [[], ["a"]], ["a", {}]),
        ("object", [{}, {"a": 1}], [[], "a"]),
        ("date", ["2024-02-29"], ["2023-02-29", "29.02.2024", "2024-2-9", "20240229", 5]),
        ("date | null", ["2024-01-01"], ["soon"]),
        ("date | number", ["2024-01-01", 3], ["soon", True]),
        ("string|number", ["a", 1], [True, []]),
        ("string | date", ["any text"], [1]),
        ({"enum": ["open", "closed"]}, ["open"], ["Open", 1]),
        ({"type": "string", "pattern": "^[A-Z]+-\\d+$"}, ["AB-1"], ["ab"]),
        ({"type": "string", "format": "date"}, ["2024-01-01"], ["2024-13-01"]),
        ({"type": "array", "items": {"type": "integer"}}, [[1, 2]], [[1, "x"]]),
        ({"type": "date | null", "description": "x"}, ["2024-01-01"], ["soon", 5]),
        ({"type": ["date", "null"]}, ["2024-01-01"], ["soon"]),
        ({"type": "array", "items": {"type": "date"}}, [["2024-01-01"]], [["soon"]]),
        ({"type": "date", "minimum": "2024-01-01"}, ["2024-01-01"], ["2023-12-31", "soon"]),
        ({"type": "date | null", "maximum": "2024-01-01"}, ["2024-01-01"], ["2024-01-02"]),
        (
            {
                "type": "array",
                "items": {"properties": {"due": {"type": "date", "minimum": "2024-01-01"}}},
            },
            [[{"due": "2024-01-01"}]],
            [[{"due": "2023-12-31"}]],
        ),
        ({"properties": {"type": {"type": "date"}}}, [{"type": "2024-01-01"}], [{"type": "x"}]),
    ],
)
def test_valid_and_invalid_values_of_a_field(
    form: Any, valid: list[Any], invalid: list[Any]
) -> None:
    schema = OutputSchema({"field": form})
    assert [value for value in valid if schema.problems({"field": value})] == []
    assert [value for value in invalid if not schema.problems({"field": value})] == []


@pytest.mark.parametrize(
    ("form", "value", "sentence"),
    [
        ("number | null", "many", 'f should be number or null, not "many"'),
        ("date", "soon", 'f should be date (yyyy-mm-dd), not "soon"'),
        ("array", {"a": 1}, 'f should be array, not {"a": 1}'),
        ({"enum": ["a", "b"]}, "c", 'f should be one of "a", "b", not "c"'),
        ({"const": 3}, 4, "f should be 3, not 4"),
        ({"type": ["string", "null"]}, 4, "f should be string or null, not 4"),
        (
            {"type": "integer", "minimum": 0},
            -1,
            "f should be a value that satisfies minimum 0, not -1",
        ),
        (
            {"type": "date", "maximum": "2010-12-31"},
            "2068-03-04",
            'f should be 2010-12-31 or earlier, not "2068-03-04"',
        ),
        (
            {"type": "array", "items": {"properties": {"n": {"type": "number"}}}},
            [{"n": 1}, {"n": "x"}],
            'f[1].n should be number, not "x"',
        ),
        (
            {"type": "object", "required": ["n"]},
            {},
            'f should be an object with the keys "n", not {}',
        ),
        (
            "string",
            ["line\nend\x1b[0m\u2028"],
            'f should be string, not ["line\\nend\\u001b[0m\\u2028"]',
        ),
    ],
)
def test_a_problem_names_the_expected_and_the_actual_value(
    form: Any, value: Any, sentence: str
) -> None:
    assert OutputSchema({"f": form}).problems({"f": value}) == [sentence]


def test_one_problem_per_field_in_the_order_of_the_schema() -> None:
    schema = OutputSchema({"b": "number", "a": {"enum": [1]}, "c": "string"})
    problems = schema.problems({"a": 2, "b": "x", "c": "fine"})
    assert [problem.split()[0] for problem in problems] == ["b", "a"]


def test_a_long_value_is_cut_in_the_message() -> None:
    (problem,) = OutputSchema({"a": "number"}).problems({"a": "x" * 10_000})
    assert len(problem) < 100


def test_missing_and_null_values_are_valid() -> None:
    schema = OutputSchema({"a": "string", "b": {"type": "integer"}})
    assert schema.problems({"a": None}) == []


def test_whether_a_place_of_the_answer_may_have_a_value() -> None:
    born = {"type": "date | null", "maximum": "2010-12-31"}
    schema = OutputSchema(
        {
            "born": born,
            "people": {"type": "array", "items": {"properties": {"born": born}}},
            "share": {"type": "integer", "maximum": 100},
        }
    )
    for path in (("born",), ("people", "born"), ("people", 3, "born")):
        assert schema.allows(path, "1968-03-04")
        assert not schema.allows(path, "2068-03-04")
    assert schema.allows(("share",), 1.25), "a page does not know that the field is a whole number"
    assert not schema.allows(("share",), 1250)
    assert schema.allows(("unknown",), 5)
    assert schema.allows(("people", "name"), "any")


def test_unknown_fields_are_listed_but_valid() -> None:
    schema = OutputSchema({"a": "string"})
    assert schema.problems({"a": "x", "extra": 1}) == []
    assert schema.unknown({"a": "x", "extra": 1}) == ["extra"]


def test_all_fields_form_one_json_schema() -> None:
    whole = OutputSchema({"a": "string | null", "d": "date", "e": {"enum": [1]}}).json_schema
    Draft202012Validator.check_schema(whole)
    assert whole == {
        "type": "object",
        "properties": {
            "a": {"type": ["string", "null"]},
            "d": {"type": "string", "format": "date"},
            "e": {"enum": [1]},
        },
    }


def test_a_short_type_in_an_object_is_written_as_json_schema_knows_it() -> None:
    form = {"type": "date | null", "description": "The day it is due."}
    whole = OutputSchema({"due": form}).json_schema
    Draft202012Validator.check_schema(whole)
    due = {"type": ["string", "null"], "format": "date", "description": "The day it is due."}
    assert whole["properties"]["due"] == due
    assert form["type"] == "date | null"


@pytest.mark.parametrize(
    ("form", "kinds"),
    [
        ("string | null", {"string", "null"}),
        ("date | null", {"date", "null"}),
        ("date | string", {"date", "string"}),
        ({"type": ["integer", "null"]}, {"integer", "null"}),
        ({"type": "string", "format": "date"}, {"date"}),
        ({"type": "string", "format": "email"}, {"string"}),
        ({"type": "date | null"}, {"date", "null"}),
        ({"anyOf": [{"type": "date"}, {"type": "null"}]}, {"date", "null"}),
        ({"enum": ["a", 1, None, True, 1.5]}, {"string", "integer", "null", "boolean", "number"}),
        ({"const": []}, {"array"}),
        ({"anyOf": [{"type": "number"}, {"type": "null"}]}, {"number", "null"}),
        ({}, set()),
    ],
)
def test_kinds(form: Any, kinds: set[str]) -> None:
    assert OutputSchema({"a": form}).kinds("a") == kinds


def test_a_missing_field_has_no_kinds() -> None:
    assert OutputSchema({}).kinds("a") == frozenset()


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("strng", '"strng" is not a type; did you mean "string"?'),
        ("str | None", 'did you mean "string | null"?'),
        ("string?", 'did you mean "string | null"?'),
        ("String", 'did you mean "string"?'),
        ("int", 'did you mean "integer"?'),
        ("string |", 'did you mean "string"?'),
        ("number, null", '"number, null" is not a type'),
        ("yes | no | inconclusive", 'write fixed choices as {"enum": […]}'),
        ("", '"" is not a type (types: string, '),
        (5, "5 is not a type"),
        (None, "null is not a type"),
        (["string", "null"], 'write text such as "string | null"'),
        (["string"], 'write text such as "array"'),
        ({"type": "strin"}, 'f.type": "strin" is not a type; did you mean "string"?'),
        ({"type": "bool", "description": "x"}, 'did you mean "boolean"?'),
        ({"type": None}, 'f.type": null is not a type; write text such as "string | null"'),
        ({"items": {"type": "str"}}, 'f.items.type": "str" is not a type; did you mean "string"?'),
        ({"anyOf": [{"type": "int"}]}, 'f.anyOf.0.type": "int" is not a type'),
        ({"properties": {"x": {"type": "Date"}}}, 'f.properties.x.type": "Date" is not a type'),
        ({"pattern": "("}, 'output_schema.f.pattern": is not valid JSON Schema'),
        ({"properties": {"x": {"minimum": "a"}}}, "f.properties.x.minimum"),
        ({"type": "date", "minimum": "soon"}, 'minimum: "soon" is not a date such as 2026-12-04'),
        ({"type": "date", "maximum": 2010}, "maximum: 2010 is not a date such as 2026-12-04"),
        ({"$ref": "https://example.org/x.json"}, "refers to another schema"),
        ({"items": [{"$ref": "#/f"}]}, "refers to another schema"),
    ],
)
def test_an_invalid_schema_of_a_field(form: Any, expected: str) -> None:
    with pytest.raises(SpecError) as caught:
        check_schema({"ok": "string", "f": form}, "spec.json", "output_schema")
    message = str(caught.value)
    assert message.startswith('spec.json: key "output_schema.f')
    assert expected in message
    assert len(message.splitlines()) == 1
