"""What the page of a whole run says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Any
from urllib.parse import quote

from pytest_bwa.evidence.record import SampleResult, has_values
from pytest_bwa.evidence.reviews import Key, Review, in_force
from pytest_bwa.proof.flagging import why_to_look
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.reports.exceptions import exception_lines
from pytest_bwa.reports.handover.legend import WORDS
from pytest_bwa.reports.handover.origin import (
    Facts,
    head_facts,
    period_text,
    run_origin,
    sites_of,
    time_text,
)
from pytest_bwa.reports.handover.reading_times import note_of
from pytest_bwa.reports.handover.sample_content import test_sentence
from pytest_bwa.reports.handover.values import value_text
from pytest_bwa.reports.handover.words import (
    KINDS,
    css_class,
    ending_in_words,
    in_words,
    kind_of,
    title_of,
)
from pytest_bwa.reports.recipe_summary import (
    check_lines,
    handed_over_lines,
    recipe_lines,
    warning_lines,
)
from pytest_bwa.reports.review.decisions import ToReview
from pytest_bwa.reports.review.random_sample import RANDOM_SAMPLE, SIGN_OFF, RandomSample
from pytest_bwa.reports.terminal import describe_usage, discovery_lines
from pytest_bwa.steps.text import one_line

MANY_FIELDS = 8
"""More of them are chosen from, and a sheet of paper has the first."""
MAX_VALUE, MAX_REASON = 80, 160
MAX_PLACES, MAX_LINKS = 50, 20
"""Doubted places in the table of these, and samples of one."""
MAX_ROWS = 10_000
"""Rows of the table: a browser shows no more of them in a useful time."""
_MARKS = {
    "test_failed": "failed", "not_as_expected": "failed", "flagged": "unsure", "unsure": "unsure",
    "inconclusive": "unsure", "known_bad": "unsure", "empty_field": "quiet", "reviewed": "done",
}  # fmt: skip
"""What a sample may have beside its result, and how that is painted."""
_SETTLED = ("known_bad", "reviewed")


def run_content(run: FinishedRun, evidence: str = "") -> dict[str, Any]:
    """What the template ``run.html`` shows. ``evidence`` is the relative address of the run's
    folder, with a slash at its end; empty if the page lies in it."""
    record, task = run.record, run.task
    fields = list(task.output_schema)
    table = SampleTable()
    for row in _rows(run, fields, evidence):
        table.add(row)
    return {
        "run_id": record.run_id,
        "task_id": record.task_id,
        "title": title_of(record.workpaper.title, record.task_id),
        "verdict": _verdict(table),
        "head": _head(run),
        "drawn": record.population.in_words(record.listed_samples) if record.population else "",
        "notes": [*_known_notes(run), *_recipe_notes(run), *discovery_lines(record), *record.notes],
        "marks": _MARKS,
        "counted": [(mark, table.marks[mark]) for mark in _MARKS if table.marks[mark]],
        "legend": WORDS,
        "goal": task.goal.strip(),
        "question": task.judgment_question or "",
        "doubted": list(_doubted(run, evidence)),
        "rows": table.rows,
        "number": table.number,
        "fields": fields,
        "many_fields": MANY_FIELDS,
        "has_known": bool(run.samples.known),
        "origin": _origin(run),
        "random_samples": [s.statement for s in _random_samples(run)],
        "signed": [review for review in run.said_of_run if review.field == SIGN_OFF],
        "reviews": [review for name in sorted(run.reviews) for review in run.reviews[name]],
    }


def _head(run: FinishedRun) -> Facts:
    record = run.record
    when = period_text(record.started_at, record.finished_at or "")
    policy = ", ".join(filter(None, (*record.policies, *record.models)))
    sites = sites_of(run.task, record, run.samples.samples)
    return head_facts(record, sites, when, policy, run.usage)


def _verdict(table: SampleTable) -> list[dict[str, Any]]:
    """What the samples come to: numbers that add up to them, each with how many of it are known to
    be bad, and how many were reviewed."""
    counts = table.kinds
    return [
        {
            "kind": kind,
            "name": in_words(kind),
            "css_class": css,
            "number": counts[kind],
            "of_them": ", ".join(_of_them(table, kind)),
        }
        for kind, css in KINDS.items()
        if counts[kind] or kind == "done"
    ]


def _of_them(table: SampleTable, kind: str) -> Iterator[str]:
    for mark in _SETTLED:
        if number := table.settled[kind, mark]:
            is_all = number == table.kinds[kind]
            yield in_words(mark) if is_all else f"{number:,} {in_words(mark)}"


def _random_samples(run: FinishedRun) -> Iterator[RandomSample]:
    def keys_of(name: str) -> Collection[Key]:
        result = run.result(name)
        return ToReview.of(result).keys if result else ()

    for drawn in run.said_of_run:
        if drawn.field == RANDOM_SAMPLE:
            yield RandomSample.of(drawn, keys_of, lambda name: in_force(run.reviews.get(name, ())))


def _doubted(run: FinishedRun, evidence: str) -> Iterator[dict[str, Any]]:
    """What speaks against values, a row for each place, that of most samples first."""
    for group in run.totals.doubts.largest_first()[:MAX_PLACES]:
        names = sorted(group.samples)
        links = [(name, _page_of(run, name, evidence)) for name in names[:MAX_LINKS]]
        decided = [name for name in names if _is_decided(group.place.field, run.reviews.get(name))]
        yield {
            "where": one_line(group.where, MAX_VALUE),
            "page": group.place.page,
            "why": one_line(group.why, MAX_REASON),
            "number": len(names),
            "samples": links,
            "more": len(names) - len(links),
            "reviewed": len(decided),
        }


def _is_decided(field: str, reviews: Iterable[Review] | None) -> bool:
    """Whether somebody decided about a value of a field."""
    return any(
        subject == "value" and field in (place, place.partition("[")[0])
        for subject, place in in_force(reviews or ())
    )


def _page_of(run: FinishedRun, sample_id: str, evidence: str) -> str:
    """The relative address of a sample's page: one that was reviewed has its own beside the run."""
    place = quote(run.folder.place(sample_id))
    return f"{'' if sample_id in run.reviews else evidence}{place}/index.html"


def _known_notes(run: FinishedRun) -> list[str]:
    """What was found beside what was known, and of the population that was drawn from."""
    known = run.record.expected
    lines = known.lines(run.record.population_rows) if known else []
    return [*(f"expected: {line}" for line in lines), *exception_lines(run)]


def _recipe_notes(run: FinishedRun) -> list[str]:
    """What became of the checks and of the recipe, if there were any."""
    record = run.record
    lines = [*warning_lines(record), *check_lines(record)]
    if record.recipe is not None:
        lines += recipe_lines(record, len(run.results), run.usage)
        lines += [f"handed over by the recipe: {one}" for one in handed_over_lines(record.recipe)]
    return [" ".join(line.split()) for line in lines]


class SampleTable:
    """The rows of the page's table, and counts of all samples. Of very many samples it has those
    that a person should look at, and the first others."""

    def __init__(self) -> None:
        self.number = 0
        self.kinds: Counter[str] = Counter()
        self.marks: Counter[str] = Counter()
        self.settled: Counter[tuple[str, str]] = Counter()
        """By kind and mark, the samples of which somebody has said how they are."""
        self._first: list[tuple[int, dict[str, Any]]] = []
        self._others: list[tuple[int, dict[str, Any]]] = []

    def add(self, row: dict[str, Any]) -> None:
        self.number += 1
        self.kinds[row["kind"]] += 1
        self.marks.update(row["marks"])
        self.settled.update((row["kind"], mark) for mark in _SETTLED if mark in row["marks"])
        is_open = row["marks"] or row["css_class"] not in ("done", "quiet")  # quiet: it was not run
        rows = self._first if is_open else self._others
        if len(rows) < MAX_ROWS:
            rows.append((self.number, row))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """In the order of the list."""
        chosen = [*self._first, *self._others][:MAX_ROWS]
        return [row for _, row in sorted(chosen, key=itemgetter(0))]


def _rows(run: FinishedRun, fields: list[str], evidence: str) -> Iterator[dict[str, Any]]:
    """A row for each sample, in the order of the list."""
    for sample in run.samples.samples:
        result = run.result(sample.sample_id)
        if result is None:
            yield {
                "sample_id": sample.sample_id, "href": "", "kind": "not_run", "status": "not_run",
                "outcome": "not_run", "ending": in_words("not_run"), "css_class": "quiet",
                "marks": [], "reason": "", "known_bad": "", "fields": ["" for _ in fields],
                "as_expected": "",
            }  # fmt: skip
            continue
        reported = run.folder.item_report(result.sample_id)
        test = test_sentence(reported, result)
        marks = {
            "test_failed": bool(test and reported and reported.failed),
            "not_as_expected": result.as_expected is False,
            "flagged": "flagged" in result.review_marks,
            "inconclusive": "inconclusive" in result.review_marks,
            "unsure": not {"needs_review", "inconclusive"}.isdisjoint(result.review_marks),
            "known_bad": run.task.is_known_bad(sample),
            "empty_field": has_values(result.extracted) and None in result.extracted.values(),
            "reviewed": sample.sample_id in run.reviews,
        }
        yield {
            "sample_id": result.sample_id,
            "href": _page_of(run, result.sample_id, evidence),
            "kind": kind_of(result, test_failed=marks["test_failed"]),
            "status": result.status,
            "outcome": result.outcome,
            "ending": ending_in_words(result),
            "css_class": css_class(result),
            "marks": [name for name, holds in marks.items() if holds],
            "reason": one_line(_reason(result, test, empty=marks["empty_field"]), MAX_REASON),
            "known_bad": one_line(run.task.known_bad_reason(sample), MAX_REASON),
            "fields": [one_line(_cell(result.extracted.get(name)), MAX_VALUE) for name in fields],
            "as_expected": result.as_expected_word,
        }


def _reason(result: SampleResult, test: str, *, empty: bool) -> str:
    """Why a sample ended as it did, or what was noted of its empty fields."""
    reason = why_to_look(result)
    if result.differences and not test:
        return "; ".join(dict.fromkeys(filter(None, (reason, *result.differences))))
    if test or reason or not empty:
        return " ".join(filter(None, (test, reason)))
    names = [name for name, value in result.extracted.items() if value is None]
    notes = {name: note_of(result, name) for name in names}
    return "; ".join(f"{name}: {note}" for name, note in notes.items() if note)


def _cell(value: Any) -> str:
    """A value for the table: of a list its plain items, or how many there are and their first
    values."""
    if not isinstance(value, list) or not value:
        return value_text(value)
    first = [next(iter(one.values()), None) if isinstance(one, Mapping) else one for one in value]
    texts = ", ".join(map(value_text, first))
    return texts if first == value else f"{len(value)}: {texts}"


def _origin(run: FinishedRun) -> Facts:
    record, totals = run.record, run.totals
    writes, blocked = totals.writes_total, totals.blocked_total
    facts = [
        ("started", time_text(record.started_at)),
        ("first sample began", time_text(totals.first_began) if totals.first_began else ""),
        ("finished", time_text(record.finished_at or "")),
        ("ended", record.exit_reason or ""),
        ("policy", ", ".join(record.policies)),
        ("model", describe_usage(run.usage, record)),
        ("steps", f"{totals.steps:,}, without those that opened the pages (step 0)"),
        ("requests that may have changed the site", f"{writes:,}" if writes else "none recorded"),
        ("blocked requests", f"{blocked:,}" if blocked else "none recorded"),
        *run_origin(record),
    ]
    return [(name, text) for name, text in facts if text]
