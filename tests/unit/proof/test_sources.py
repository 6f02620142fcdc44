"""What an answer cites: numbers, however they are written and nested, for each plain value."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.proof.sources import Citations, EqualValues, Which, leaves, numbers_in


@pytest.mark.parametrize(
    ("source", "numbers"),
    [
        (7, (7,)),
        ("7", (7,)),
        ("[7]", (7,)),
        ("[3], [7]", (3, 7)),
        ([3, "[7]", 3], (3, 7)),
        ("3.17", ("3.17",)),
        (["3.17", 4], ("3.17", 4)),
        ({"a": 3, "b": [4]}, (3, 4)),
        ("the table", ()),
        (None, ()),
        (True, ()),
        (3.5, ()),
    ],
)
def test_the_numbers_of_a_source_are_read_however_they_are_written(source, numbers):
    assert numbers_in(source) == numbers


@pytest.mark.parametrize(
    ("value", "source", "found"),
    [
        (["a", "b"], [3, 4], [("a", (3,)), ("b", (4,))]),
        (["a", "b"], 3, [("a", (3,)), ("b", (3,))]),
        (["a", "b"], [3, 4, 5], [("a", (3, 4, 5)), ("b", (3, 4, 5))]),
        ({"x": 1, "y": 2}, 3, [(1, (3,)), (2, (3,))]),
        ({"x": 1, "y": 2}, {"y": 4}, [(1, ()), (2, (4,))]),
        ([{"x": 1}, {"x": 2}], [3, {"x": 4}], [(1, (3,)), (2, (4,))]),
        (None, 3, [(None, (3,))]),
    ],
)
def test_each_plain_value_has_its_own_source_or_that_of_all_around_it(value, source, found):
    found_leaves = leaves({"f": value}, {"f": source})
    assert [(leaf.value, leaf.numbers) for leaf in found_leaves] == found


def test_equal_entries_of_a_list_have_each_its_own_source():
    citations = Citations()
    citations.add({"states": ["ok", "bad", "ok"]}, {"states": [3, 4, 5]})
    which = [Which(n, "ok", n) for n in (0, 1, 2)]
    assert [citations.of(("states",), "ok", one) for one in which] == [(3,), (5,), (5,)]


def cited(*answers: Any) -> list[tuple[Any, ...]]:
    """The numbers of all plain values of the last answer, which has no sources."""
    citations, equal = Citations(), EqualValues()
    for extracted, sources in answers[:-1]:
        citations.add({"f": extracted}, {"f": sources})
    last = leaves({"f": answers[-1]}, {})
    return [citations.of(leaf.path, leaf.value, equal.count(*leaf[1:3], leaf.entry))
            for leaf in last]  # fmt: skip


A, B, C = ({"id": n, "state": "ok"} for n in (1, 2, 3))


@pytest.mark.parametrize(
    "answers",
    [
        [([A, B, C], [3, 4, 5])],
        [([A], [3]), ([B], [4]), ([C], [5])],
        [([A], 3), ([B, C], [4, 5])],
        [([A, B], [9, 9]), ([A, B], [3, 4]), ([C], [5])],
        [([A], [3]), ([B], [4]), ([C], [5]), ([A, B, C], None)],
        [([C], [5]), ([A], [3]), ([B], [4])],
    ],
)
def test_equal_values_have_each_its_own_source_however_their_entries_came(answers):
    assert cited(*answers, [A, B, C]) == [(3,), (3,), (4,), (4,), (5,), (5,)]


def test_an_entry_that_was_saved_in_several_parts_keeps_the_source_of_each():
    part, rest = {"id": 1, "state": "ok"}, {"id": 1, "owner": "Ann"}
    whole = {**part, **rest}
    answers = [([part], [3]), ([B], [4]), ([rest], [7])]
    assert cited(*answers, [whole, B]) == [(7,), (3,), (7,), (4,), (4,)]


def test_a_value_keeps_its_source_until_it_is_given_again_with_another():
    citations = Citations()
    citations.add({"a": 1, "b": 2}, {"a": 3, "b": 4})
    citations.add({"a": 1, "b": 2}, {"b": 5})
    assert citations.of(("a",), 1) == (3,)
    assert citations.of(("b",), 2) == (5,)
    assert citations.of(("a",), 9) == (), "another value was never cited"
