from __future__ import annotations

import gc
import hashlib
import random
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_bwa.errors import SamplesError, SpecError
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import SampleList, load_samples, read_samples, sample_list_for_url
from pytest_bwa.spec.task import TaskSpec

WriteFile = Callable[[str, str | bytes], Path]
TASK = TaskSpec(task_id="t", goal="g", output_schema={"name": "string"})


def task(**keys: Any) -> TaskSpec:
    return TASK.model_copy(update=keys)


def error_for(path: Path, spec: TaskSpec = TASK) -> str:
    with pytest.raises(SamplesError) as caught:
        load_samples(path, spec)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert len(message.splitlines()) == 1
    return message.removeprefix(str(path))


def test_samples_in_file_order_with_every_column(write_file: WriteFile) -> None:
    path = write_file("s.csv", "sample_id,url,note\nb,https://x.org/b,1\na,https://x.org/a,\n")
    sample_list = load_samples(path, TASK)
    assert [(s.sample_id, s.row, dict(s.columns)) for s in sample_list.samples] == [
        ("b", 2, {"sample_id": "b", "url": "https://x.org/b", "note": "1"}),
        ("a", 3, {"sample_id": "a", "url": "https://x.org/a", "note": ""}),
    ]
    assert sample_list.columns == ("sample_id", "url", "note")
    assert sample_list.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert sample_list.notes == ()
    assert sample_list.get("a").row == 3


def test_ids_are_made_from_row_numbers_only_if_the_column_is_missing(write_file: WriteFile) -> None:
    sample_list = load_samples(write_file("s.csv", 'name\n"A\nB"\nC\n'), TASK)
    assert [s.sample_id for s in sample_list.samples] == ["row_2", "row_3"]
    assert sample_list.columns == ("sample_id", "name")
    assert sample_list.notes == ("s.csv: no sample_id column: ids are made from the row numbers",)


@pytest.mark.parametrize("name", ["Sample ID", "SAMPLE_ID", "sampleId", "sample-id"])
def test_a_column_name_similar_to_sample_id_is_an_error(write_file: WriteFile, name: str) -> None:
    message = error_for(write_file("s.csv", f"{name},x\na,b\n"))
    assert message == f', row 1, column "{name}": rename the column to "sample_id"'


def test_a_column_name_similar_to_url_gives_a_note(write_file: WriteFile) -> None:
    path = write_file("s.csv", "sample_id,URL\na,https://x.org\n")
    assert load_samples(path, TASK).notes == (
        's.csv: the column "URL" is not read as "url"; rename it',
    )
    assert load_samples(path, task(start_url="{URL}")).notes == ()


@pytest.mark.parametrize(
    ("sample_id", "expected"),
    [
        ("", "is empty: every sample needs an id"),
        ("  ", "is empty: every sample needs an id"),
        ("a b", '"a b" is not a safe folder name'),
        (" a", "is not a safe folder name"),
        ("a/b", "is not a safe folder name"),
        ("..", "is not a safe folder name"),
        (".", "is not a safe folder name"),
        (".hidden", "is not a safe folder name"),
        ("dot.", "is not a safe folder name"),
        ("../../etc", "is not a safe folder name"),
        ("zoë", "is not a safe folder name"),
        ("a\nb", '"a\\nb" is not a safe folder name'),
        ("a\x1b[31m", "is not a safe folder name"),
        ("=1+1", "is not a safe folder name"),
        ("x" * 300, "has 300 characters; at most 100 are allowed"),
        ("x" * 101, "has 101 characters"),
        ("CON", "Windows reserves"),
        ("nul.txt", "Windows reserves"),
        ("Lpt1", "Windows reserves"),
        ("memory", "run folder"),
        ("Run.JSON", "run folder"),
        ("samples.csv", "run folder"),
        ("task_spec.json", "run folder"),
        ("combined.csv", "run folder"),
        ("trajectory.db", "run folder"),
    ],
)
def test_ids_that_cannot_be_folder_names(
    write_file: WriteFile, sample_id: str, expected: str
) -> None:
    message = error_for(write_file("s.csv", f'sample_id,x\nok,1\n"{sample_id}",2\n'))
    assert message.startswith(', row 3, column "sample_id": ')
    assert expected in message


@pytest.mark.parametrize("sample_id", ["a", "x" * 100, "a..b", "-a", "_", "console", "run.json.1"])
def test_ids_that_are_safe(write_file: WriteFile, sample_id: str) -> None:
    path = write_file("s.csv", f"sample_id,x\n{sample_id},1\n")
    assert load_samples(path, TASK).samples[0].sample_id == sample_id


@pytest.mark.parametrize(
    ("twin", "expected"),
    [
        ("Ada", '"Ada" is already used in row 2'),
        ("aDA", '"aDA" differs only in case from "Ada" in row 2'),
    ],
)
def test_ids_that_would_share_a_folder(write_file: WriteFile, twin: str, expected: str) -> None:
    message = error_for(write_file("s.csv", f"sample_id,x\nAda,1\nBo,2\n{twin},3\n"))
    assert message.startswith(f', row 4, column "sample_id": {expected}')


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("javascript:alert(1)", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("github.com/torvalds", "has no scheme; write https://github.com/torvalds"),
        ("localhost:8000/x", "has no scheme"),
        ("//x.org/a", "has no scheme; write https://x.org/a"),
        ("https://", "has no host"),
        ("https://x.org:port/", "is not a web address"),
        ("http://[::1/", "is not a web address"),
        (" https://x.org", "contains a space"),
        ("https://x.org/a b", "contains a space"),
    ],
)
def test_urls_that_cannot_be_opened(write_file: WriteFile, url: str, expected: str) -> None:
    message = error_for(write_file("s.csv", f'sample_id,url\na,/ok\nb,"{url}"\n'))
    assert message.startswith(', row 3, column "url": ')
    assert expected in message


@pytest.mark.parametrize(
    "url",
    ["https://x.org", "HTTP://x.org:8080/ä?b#c", "/a/b", "a.html", "a/b.c", "?q=1", "./x.org", ""],
)
def test_urls_that_can_be_opened(write_file: WriteFile, url: str) -> None:
    (sample,) = load_samples(write_file("s.csv", f"sample_id,url\na,{url}\n"), TASK).samples
    assert sample.url == (url or None)


@pytest.mark.parametrize(
    ("form", "good", "bad", "expected"),
    [
        ("string", "x", " ", "is empty, but input_schema does not allow null here"),
        ("number", "-1.5e3", "1,5", '"1,5" is not a valid number'),
        ("number", "7", "nan", '"nan" is not a valid number'),
        ("integer", "12", "12.0", '"12.0" is not a valid integer'),
        ("boolean", "TRUE", "maybe", '"maybe" is not a valid boolean'),
        ("date", "2024-02-29", "2023-02-29", '"2023-02-29" is not a valid date'),
        ("date | null", "", "soon", '"soon" is not a valid date'),
        ("array", "[1]", "{}", '"{}" is not a valid array'),
        ("object", '{""a"": 1}', "[1", '"[1" is not a valid object'),
        ("number | string | null", "any", None, ""),
        ({"enum": ["x", "y"]}, "x", "z", 'should be one of "x", "y", not "z"'),
        (
            {"type": "integer", "minimum": 1},
            "3",
            "0",
            "should be a value that satisfies minimum 1, not 0",
        ),
        ({"type": "integer"}, "3", "three", '"three"'),
        ({}, "any", None, ""),
    ],
)
def test_columns_are_checked_against_input_schema(
    write_file: WriteFile, form: Any, good: str, bad: str | None, expected: str
) -> None:
    spec = task(input_schema={"c": form})
    load_samples(write_file("s.csv", f'sample_id,c\na,"{good}"\n'), spec)
    if bad is not None:
        message = error_for(write_file("s.csv", f'sample_id,c\na,"{good}"\nb,"{bad}"\n'), spec)
        assert message.startswith(', row 3, column "c": ')
        assert expected in message


def test_a_required_column_that_is_missing(write_file: WriteFile) -> None:
    spec = task(input_schema={"company": "string"})
    near = error_for(write_file("s.csv", "sample_id,Compny\na,b\n"), spec)
    missing = "input_schema names this column, but the list has none of that name"
    assert near == f', row 1, column "company": {missing}; did you mean "Compny"?'
    far = error_for(write_file("s.csv", "sample_id,zzz\na,b\n"), spec)
    assert far.endswith(f"{missing} (columns: sample_id, zzz)")


def test_a_misspelt_column_is_the_lists_fault_and_not_the_goals(write_file: WriteFile) -> None:
    spec = task(input_schema={"title": "string"}, goal="Read {title}.")
    message = error_for(write_file("s.csv", "sample_id,titel\na,b\n"), spec)
    assert message.startswith(', row 1, column "title": input_schema names this column')
    assert message.endswith('did you mean "titel"?')


def test_a_missing_nullable_column_gives_a_note(write_file: WriteFile) -> None:
    spec = task(input_schema={"company": "string | null", "sample_id": "string"})
    sample_list = load_samples(write_file("s.csv", "name\na\n"), spec)
    assert any('no column "company"' in note for note in sample_list.notes)


def test_the_error_for_an_unknown_placeholder_names_the_spec(write_file: WriteFile) -> None:
    path = write_file("s.csv", "sample_id,name\na,b\n")
    with pytest.raises(SpecError, match=r'^spec\.yaml: key "goal": .*did you mean "name"'):
        load_samples(path, task(goal="{nmae}"), spec=Path("spec.yaml"))


def test_a_start_url_needs_its_values_unless_the_row_has_a_url(write_file: WriteFile) -> None:
    spec = task(start_url="https://x.org/{user}")
    load_samples(write_file("s.csv", "sample_id,url,user\na,/a,\nb,,ada\n"), spec)
    message = error_for(write_file("s.csv", "sample_id,url,user\na,/a,\nb,,\n"), spec)
    assert message.startswith(', row 3, column "user": is empty, but start_url')


def test_a_value_that_makes_start_url_invalid(write_file: WriteFile) -> None:
    message = error_for(
        write_file("s.csv", "sample_id,link\na,javascript:alert(1)\n"), task(start_url="{link}")
    )
    assert message.startswith(', row 2, column "link": start_url becomes "javascript:alert(1)"')


def test_samples_that_are_expected_to_fail(write_file: WriteFile) -> None:
    path = write_file("s.csv", "sample_id,xfail\nada,\nbo,moved away\n")
    sample_list = load_samples(path, task(xfail={"ada": "gone"}))
    assert [s.xfail for s in sample_list.samples] == [None, "moved away"]
    message = error_for(path, task(xfail={"adda": "gone"}))
    assert 'xfail names "adda", but no sample has this id; did you mean "ada"?' in message


@pytest.mark.parametrize(
    ("url", "sample_id"),
    [
        ("https://github.com/torvalds", "github_com_torvalds"),
        ("https://x.org/a/b.html?c=d#e", "x_org_a_b_html"),
        ("https://me:secret@x.org/", "x_org"),
        ("/tickets/1", "tickets_1"),
        ("/", "sample"),
        ("/memory", "url_memory"),
        ("/con", "url_con"),
        ("https://x.org/" + "a" * 300, "x_org_" + "a" * 54),
    ],
)
def test_one_sample_for_a_url(url: str, sample_id: str, write_file: WriteFile) -> None:
    sample_list = sample_list_for_url(url)
    assert [(s.sample_id, s.url) for s in sample_list.samples] == [(sample_id, url)]
    assert (
        load_samples(write_file("s.csv", sample_list.to_csv()), TASK).samples == sample_list.samples
    )


@pytest.mark.parametrize("url", ["", "ftp://x.org", "github.com/x", "https://x .org"])
def test_one_sample_for_an_invalid_url(url: str) -> None:
    with pytest.raises(SamplesError, match=r"^--url: "):
        sample_list_for_url(url)


AWKWARD = [
    "", " ", " x ", "a,b", "a;b", "a\tb", '"', '""', 'a"b', "'", "\n", "a\nb", "a\rb", "a\r\nb",
    "\r", "=1+1", "@x", "-1", "ä€😀", "\u2028", "\ufeff", "\\", "\\n", "#", "{a}", "null", "\x1b",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_a_written_list_loads_unchanged(write_file: WriteFile, seed: int) -> None:
    """Workers and resumed runs read the list that the run has written to samples.csv."""
    dice = random.Random(seed)
    names = ["sample_id", *dice.sample(["x", "a;b;c", "a,b", "two\nlines", 'q"q', "t\tt", "é"], 3)]
    dice.shuffle(names)
    rows = []
    for number in range(6):
        row = {name: "".join(dice.choices(AWKWARD, k=dice.randint(1, 3))) for name in names}
        rows.append({**row, "sample_id": f"id{number}"})
    first = write_file("in.csv", _quoted(names, rows))
    loaded = load_samples(first, TASK)
    assert [dict(s.columns) for s in loaded.samples] == rows
    again = load_samples(write_file("samples.csv", loaded.to_csv()), TASK)
    assert again.samples == loaded.samples
    assert set(again.columns) == set(loaded.columns)
    assert again.notes == ()
    assert again.to_csv() == loaded.to_csv()


def _quoted(names: list[str], rows: list[dict[str, str]]) -> str:
    table = [names, *([row[name] for name in names] for row in rows)]
    return "".join(
        ",".join('"' + cell.replace('"', '""') + '"' for cell in cells) + "\n" for cells in table
    )


def test_ids_made_from_row_numbers_are_kept_in_a_written_list(write_file: WriteFile) -> None:
    loaded = load_samples(write_file("in.csv", "name\na\n\nb\n"), TASK)
    again = load_samples(write_file("samples.csv", loaded.to_csv()), TASK)
    assert [s.sample_id for s in again.samples] == ["row_2", "row_4"]


def test_a_written_list_is_read_without_a_task(write_file: WriteFile) -> None:
    sample_list = sample_list_for_url("https://x.org/a")
    assert (
        read_samples(write_file("samples.csv", sample_list.to_csv())).samples == sample_list.samples
    )


def test_ten_thousand_rows_load_quickly(write_file: WriteFile) -> None:
    lines = (f"id{n},https://x.org/{n},{n},2024-01-01\n" for n in range(10_000))
    path = write_file("s.csv", "sample_id,url,n,day\n" + "".join(lines))
    spec = task(
        start_url="https://x.org/{n}", input_schema={"n": "integer", "day": {"format": "date"}}
    )
    started = time.process_time()
    sample_list = load_samples(path, spec)
    assert time.process_time() - started < 2
    assert len(sample_list.samples) == 10_000


def test_loading_prints_nothing_and_leaves_no_file_open(
    write_file: WriteFile,
    capfd: pytest.CaptureFixture[str],
    open_files: Callable[[], list[str]],
) -> None:
    good, bad = write_file("a.csv", "sample_id\na\n"), write_file("b.csv", "sample_id\n..\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isinstance(load_samples(good, TASK), SampleList)
        error_for(bad)
        gc.collect()
    assert open_files() == []
    assert capfd.readouterr() == ("", "")


class CountingId(str):
    """An id that counts how often it is compared."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        type(self).compared += 1
        return str.__eq__(self, other)


def test_a_sample_of_a_long_list_is_found_without_a_look_at_the_others():
    names = [CountingId(f"s{n}") for n in range(1000)]
    listed = SampleList(tuple(Sample(name) for name in names), ("sample_id",), "", "")
    assert [listed.get(f"s{n}").sample_id for n in range(1000)] == names
    assert CountingId.compared < 5 * len(names)
    assert listed.find("gone") is None
    with pytest.raises(KeyError):
        listed.get("gone")
