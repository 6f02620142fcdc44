"""combined.parquet: what combined.csv has, with types."""

from __future__ import annotations

import csv
from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyarrow import parquet
from simulated_run import open_run, sample_name, write_samples

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.files import write_json
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.plugin import command_line
from pytest_bwa.reports.base import FinishedRun, ReportContext, read_finished_run
from pytest_bwa.reports.combined import CombinedTables, cell_text
from pytest_bwa.reports.registry import Reports
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.reports.tables import parquet as parquet_tables
from pytest_bwa.reports.verify.verify import verify

COUNT = 45


def ended_run(root: Path) -> FinishedRun:
    folder = open_run(root, COUNT).folder
    assert folder is not None
    write_samples(folder, range(COUNT))
    return finish_run(folder, 0, "")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Only to be read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet_tables, "ROWS_OF_A_GROUP", 20)
        reports = Reports(ReportContext(combined=("csv", "parquet")))
        ended = ended_run(tmp_path_factory.mktemp("parquet"))
        reports.run_finished((ended,))
        reports.seal((ended,))
        assert reports.problems == []
    return ended.folder


def csv_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def as_csv_cell(name: str, value: Any) -> str:
    """The typed value as combined.csv writes it."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and name in ("staff", "cost_usd"):
        value = int(value) if value.is_integer() else value
    return cell_text(value)


@pytest.mark.parametrize("name", ["combined", "combined.tags"])
def test_it_has_the_rows_of_the_csv_file(run, name):
    stored = parquet.read_table(run.path / f"{name}.parquet").to_pylist()
    cells = [{column: as_csv_cell(column, row[column]) for column in row} for row in stored]
    expected = csv_rows(run.path / f"{name}.csv")
    assert len(expected) >= COUNT
    assert cells == expected


def test_columns_have_types_and_rows_come_in_groups(run):
    file = parquet.ParquetFile(run.path / "combined.parquet")
    types = {field.name: str(field.type) for field in file.schema_arrow}
    assert {
        "sample_id": "string", "team": "string", "assignee": "string", "staff": "double",
        "opened": "date32[day]", "urgent": "bool", "tags": "string", "steps": "int64",
        "flagged": "bool", "judgment_confidence": "double", "cost_usd": "double",
        "started_at": "timestamp[ms, tz=UTC]", "seconds": "double",
    }.items() <= types.items()  # fmt: skip
    assert [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)] == [20, 20, 5]
    items = parquet.read_schema(run.path / "combined.tags.parquet")
    assert str(items.field("item").type) == "int64"


def test_a_formula_stays_as_it_is(run):
    """No program that reads Parquet runs a text."""
    assert (
        parquet.read_table(run.path / "combined.parquet")["department"][0].as_py() == "=Finance 0"
    )


def write_again(folder: RunFolder, **extracted: Any) -> list[dict[str, Any]]:
    """The rows when the first sample has other values; the file is there, so it is kept up."""
    result = folder.result(sample_name(0))
    assert result is not None
    result.extracted |= extracted
    write_json(folder.sample(sample_name(0)) / "result.json", result)
    reports = CombinedTables(ReportContext())
    reports.run_finished((read_finished_run(folder),))
    rows: list[dict[str, Any]] = parquet.read_table(folder.path / "combined.parquet").to_pylist()
    return rows


def test_a_value_of_another_type_makes_a_column_of_texts(tmp_path):
    folder = ended_run(tmp_path).folder
    (folder.path / "combined.parquet").touch()  # from an earlier session
    first, second, *_ = write_again(folder, staff="unknown", opened="soon", urgent=None)
    assert (first["staff"], second["staff"]) == ("unknown", "1")
    assert (first["opened"], second["opened"]) == ("soon", "2026-11-02")
    assert (first["urgent"], second["urgent"]) == (None, False)
    first, *_ = write_again(folder, staff=2**60 + 1, opened="2026-11-01")
    assert (first["staff"], first["opened"]) == (str(2**60 + 1), date(2026, 11, 1))


def test_the_cost_of_a_model_without_a_price_is_not_known(tmp_path):
    folder = ended_run(tmp_path).folder
    (folder.path / "combined.parquet").touch()
    result = folder.result(sample_name(0))
    assert result is not None
    result.usage = result.usage.model_copy(update={"cost_usd": None})
    write_json(folder.sample(sample_name(0)) / "result.json", result)
    first, second, *_ = write_again(folder)
    assert (first["cost_usd"], second["cost_usd"]) == (None, 0.008)
    assert not [f for f in verify(folder.path).faults if "parquet" in f.file]


def test_verify_compares_it_with_the_results(run, tmp_path):
    assert verify(run.path).ok
    folder = ended_run(tmp_path).folder
    (folder.path / "combined.parquet").touch()
    write_again(folder)
    path = folder.path / "combined.parquet"
    table = parquet.read_table(path)
    changed = table.set_column(
        table.schema.get_field_index("staff"),
        "staff",
        [[99.0, *table["staff"].to_pylist()[1:]]],
    )
    parquet.write_table(changed, path)
    faults = [str(f) for f in verify(folder.path).faults]
    name = sample_name(0)
    assert f"combined.parquet: staff of {name} is not what {name}/result.json says" in faults
    path.write_bytes(b"PAR1")
    assert "combined.parquet: cannot be read" in "\n".join(map(str, verify(folder.path).faults))


def test_without_the_package_it_is_refused_before_the_run(monkeypatch):
    given = {"combined": "csv,parquet"}
    config = SimpleNamespace(getoption=lambda dest: given.get(dest.removeprefix("bwa_")))
    monkeypatch.setattr(command_line, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'pytest-bwa\[parquet\]'"):
        command_line._combined(config)
    monkeypatch.undo()
    assert command_line._combined(config) == ("csv", "parquet")
