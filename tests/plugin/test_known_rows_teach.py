"""Known rows teach a site whose labels are no names of the fields, and no model is asked."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import lying_records
import pytest
from audit_folder import AuditFolder, FinishedRun

from tasks.practice.serve import serve
from tasks.practice.vorgaenge import fields_of, number_of

SCHEMA = {"assignee": "string | null", "due_date": "date | null", "amount": "number | null"}
CANARY, GONE = "Kim 7731", 99
"""What no page shows, and a ticket that is not there."""
KNOWN = (2, 3, 5, 8, 9)
"""Nobody works on the last of them, and the page says so in words of another form."""
ROWS = range(1, 20)


def truth(n: int) -> dict[str, object]:
    """What is true of a ticket."""
    fields = fields_of(n)
    day, month, year = fields["Frist"].split(".")
    amount = fields["Betrag"].removesuffix(" €").replace(".", "").replace(",", ".")
    return {
        "assignee": fields["Bearbeitung"],
        "due_date": f"{year}-{month}-{day}",
        "amount": float(amount),
    }


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with serve() as url:
        yield url


def write_list(
    audit: AuditFolder, site: str, rows: Sequence[int], known: Mapping[int, Sequence[object]]
) -> None:
    """A list of these tickets, and what is known of some."""
    with (audit.path / "samples.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["sample_id", "url", *(f"expected.{name}" for name in SCHEMA)])
        for n in rows:
            url = f"{site}/vorgaenge/{number_of(n)}"
            writer.writerow([number_of(n), url, *known.get(n, ["", "", ""])])


@pytest.fixture(scope="module")
def taught(
    new_audit_folder: Callable[[], AuditFolder], site: str
) -> tuple[AuditFolder, FinishedRun]:
    audit = new_audit_folder()
    audit.spec(output_schema=SCHEMA, required_fields=list(SCHEMA))
    write_list(audit, site, ROWS, {n: [*truth(n).values()] for n in KNOWN})
    return audit, audit.audit("--recipe=learn", "-n2")


def test_all_rows_are_read_right(taught):
    audit, run = taught
    assert run.counts() == {"passed": len(ROWS)}, run.text
    for n in ROWS:
        result = audit.result(number_of(n))
        assert (n, result["extracted"]) == (n, truth(n))
        assert result["recipe"]["kind"] == "replayed"
        assert all(place["place"] for place in result["grounding"].values())


def test_the_run_says_which_rows_taught_what(taught):
    audit, run = taught
    names = [number_of(n) for n in KNOWN]
    assert f"taught    assignee, due_date, amount by {', '.join(names)}" in run.text
    record = audit.record()
    assert record["recipe"]["taught"] == dict.fromkeys(SCHEMA, names)
    assert sorted(record["recipe"]["learnt_from"]) == names
    assert record["expected"]["lower_bound"] == 0.0


@pytest.fixture(scope="module")
def doubted(new_audit_folder: Callable[[], AuditFolder], site: str) -> tuple[AuditFolder, str]:
    """Of six known rows one is not there, and one has something else than the page."""
    audit = new_audit_folder()
    audit.spec(output_schema=SCHEMA, required_fields=["due_date"])
    known = {n: list(truth(n).values()) for n in (2, 3, 5, 8, 11)}
    known[11][0], known[GONE] = CANARY, known[2]
    write_list(audit, site, (1, *known), known)
    return audit, audit.audit("--recipe=learn", "-n0").text


def test_what_known_rows_do_not_teach_is_said_with_the_row(doubted):
    _, text = doubted
    line = (
        f'untaught  assignee: no page of {number_of(11)} shows "{CANARY}" where the others have '
        f"theirs, but “{truth(11)['assignee']}” at the definition “Bearbeitung”"
    )
    assert line in text
    assert f"untaught  {number_of(GONE)}: shows nothing: failed (not_found): " in text
    taught = ", ".join(map(number_of, (2, 3, 5, 8, 11)))
    assert f"taught    due_date, amount by {taught}" in text


def test_what_is_known_is_in_nothing_that_a_policy_reads(doubted):
    audit, _ = doubted
    result = audit.result(number_of(11))
    assert result["extracted"] == {**truth(11), "assignee": None}
    own = [f"{number_of(11)}/{name}" for name in ("result.json", "index.html", "pytest.json")]
    of_people = {"run.json", "samples.csv", "combined.csv", "index.html", *own}
    names = {p.relative_to(audit.folder).as_posix() for p in files_with(audit.folder, CANARY)}
    assert names <= of_people
    assert not (audit.folder / ".live").exists()


def files_with(folder: Path, text: str) -> Iterator[Path]:
    return (p for p in folder.rglob("*") if p.is_file() and text.encode() in p.read_bytes())


@pytest.fixture(scope="module")
def lying(
    new_audit_folder: Callable[[], AuditFolder],
) -> tuple[dict[str, object], Sequence[Mapping[str, object]]]:
    """What the record says of the recipe, and the results."""
    audit = new_audit_folder()
    results = lying_records.run_lying_records(audit)
    return audit.record()["recipe"], results


def test_a_place_that_says_what_is_known_by_chance_is_never_read_as_a_value(lying):
    recipe, results = lying
    assert list(recipe["untaught"]) == list(lying_records.UNTAUGHT)
    assert lying_records.wrong_values(results) == []


def test_where_no_place_lies_all_that_is_taught_is_read(lying):
    """So is what stands behind a tab, in a disclosure and in a frame."""
    _, results = lying
    for n in range(lying_records.KNOWN + 1):
        expected = {**lying_records.truth(n), **dict.fromkeys(lying_records.UNTAUGHT)}
        assert (n, results[n]["extracted"]) == (n, expected)


def test_where_two_places_differ_a_person_is_asked_and_the_rest_is_read(lying):
    _, results = lying
    asked = {}
    for n, result in enumerate(results):
        if result["status"] == "needs_review":
            asked[n] = lying_records.LIES[n - lying_records.KNOWN - 1].name
            expected = {**lying_records.truth(n), **dict.fromkeys(lying_records.UNTAUGHT)}
            assert result["extracted"] == {**expected, asked[n]: None}
            assert result["reason"].startswith(f"{asked[n]}: two places that said the same before")
    assert list(asked.values()) == ["twins", "copy", "gross", "flag"]
