"""What a list says that the site ought to show."""

from __future__ import annotations

import time

import pytest

from pytest_bwa.errors import SamplesError
from pytest_bwa.evidence.bounds import at_least, at_most, percent
from pytest_bwa.spec.known import is_equal, known_values
from pytest_bwa.spec.samples import load_samples
from pytest_bwa.spec.secrets import as_written, hidden_cells, with_hidden
from pytest_bwa.spec.task import TaskSpec

FIELDS = {
    "due": "date | null",
    "cost": "number | null",
    "open": "boolean",
    "owner": "string | null",
    "labels": {"type": "array", "items": {"type": "string"}},
}


@pytest.fixture
def read(tmp_path):
    def load(text: str, **more):
        task = TaskSpec(**{"task_id": "t", "goal": "g", "output_schema": FIELDS, **more})
        (tmp_path / "list.csv").write_text(text)
        return task, load_samples(tmp_path / "list.csv", task)

    return load


@pytest.mark.parametrize(
    ("column", "cell", "value"),
    [
        ("due", "2026-03-04", "2026-03-04"),
        ("due", "4 March 2026", "2026-03-04"),
        ("due", "null", None),
        ("cost", '"1,280.50"', 1280.5),
        ("open", "yes", True),
        ("owner", " Ada  Quist ", "Ada Quist"),
        ("labels", '"[""a"", ""b""]"', ["a", "b"]),
        ("outcome", "not_found", "not_found"),
    ],
)
def test_a_cell_is_read_by_the_type_of_its_field(read, column, cell, value):
    task, listed = read(f"sample_id,expected.{column}\ns1,{cell}\ns2,\n", locale="en-US")
    first, second = listed.samples
    assert known_values(task, first) == {column: value}
    assert known_values(task, second) == {}
    assert listed.columns == ("sample_id",)
    assert first.columns == {"sample_id": "s1"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("sample_id,expected.onwer\ns1,Ada\n", 'row 1.*expected.onwer.*no field "onwer".*"owner"'),
        ("sample_id,expected.due\ns1,soon\n", "row 2.*expected.due.*soon"),
        ("sample_id,expected.labels\ns1,{}\n", "row 2.*expected.labels.*does not match"),
        ("sample_id,expected.judgment\ns1,yes\n", "asks for no judgment"),
        ("sample_id,expected.outcome\ns1,gone\n", "row 2.*not one of found, not_found"),
        ("sample_id,Expected.owner\ns1,Ada\n", 'row 1.*rename the column to "expected.owner"'),
        (
            "sample_id,url,expected.owner\ns1,/a,Ada\ns2,/a,Ben\n",
            '"Ben" contradicts "Ada" in row 2, which asks for the same record',
        ),
    ],
)
def test_what_cannot_be_known_is_refused_with_row_and_column(read, text, problem):
    with pytest.raises(SamplesError, match=f"(?s){problem}"):
        read(text)


@pytest.mark.parametrize(
    ("rows", "keys"),
    [
        ('s1,/a,,3480\ns2,/a,,"3,480.00"\n', {}),
        ("s1,/a,user-one,1\ns2,/a,user-two,2\n", {"secrets": {"user": {"column": "user"}}}),
        ("s1,/a,,1\ns2,/a,,2\n", {"goal": "Find {sample_id}."}),
    ],
)
def test_rows_do_not_contradict_each_other_that_know_the_same_or_ask_for_other_records(
    read, rows, keys
):
    _, listed = read(f"sample_id,url,user,expected.cost\n{rows}", locale="en-US", **keys)
    assert listed.known == ("cost",)


def test_a_placeholder_cannot_name_what_is_expected(read):
    with pytest.raises(SamplesError, match=r"expected\.owner.*is no placeholder"):
        read("sample_id,expected.owner\ns1,Ada\n", start_url="https://x.org/{expected.owner}")


def test_what_is_expected_is_written_as_it_was_read_and_redacted_like_all_else(read):
    text = "sample_id,expected.owner,expected.cost\r\ns1,Ada tok-77,3\r\ns2,,\r\n"
    task, listed = read(text, redact=["tok-[0-9]+"])
    assert listed.to_csv() == text
    first, second = listed.samples
    written = as_written(first, task)
    assert written.expected == {"owner": "Ada ***", "cost": "3"}
    restored, _ = with_hidden([written, second], task, hidden_cells(listed.samples, task))
    assert restored.expected == first.expected


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (3480, 3480.0, True),
        (True, 1, False),
        ("Ada\n Quist", "Ada Quist", True),
        ("Ada Quist", "ada quist", False),
        (["a", "b"], ["b", "a"], False),
        ({"a": 1}, {"a": 1, "b": None}, True),
        (None, "", False),
    ],
)
def test_equal_is_the_same_and_never_similar(one, other, equal):
    assert is_equal(one, other) is equal
    assert is_equal(other, one) is equal


@pytest.mark.parametrize(
    ("bound", "text"),
    [
        (at_least(30, 30), "90.5 %"),  # 0.05 ** (1 / 30)
        (at_most(0, 25), "11.3 %"),  # 1 - 0.05 ** (1 / 25)
        (at_most(1, 25), "17.6 %"),  # tables of attribute sampling
        (at_most(2, 60), "10.1 %"),
        (at_least(0, 9), "0.0 %"),
        (at_least(0, 0), "0.0 %"),
        (at_most(0, 1000), "0.3 %"),
        (at_most(20, 250), "11.4 %"),  # the quantile of the beta distribution
        (at_most(50_000, 100_000), "50.3 %"),
    ],
)
def test_bounds_are_those_of_clopper_and_pearson(bound, text):
    assert percent(bound) == text


def test_the_bound_of_many_samples_takes_no_time():
    started = time.process_time()
    assert at_least(1, 100_000) < 1e-6
    assert at_least(50_000, 100_000) == pytest.approx(0.49739, abs=1e-5)
    assert time.process_time() - started < 3
