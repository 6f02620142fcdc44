"""The reviews of a run: their chain, and that they are of results and values that are there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.files import sha256
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.reviews import REVIEWS, Review, ReviewFile, read_reviews
from pytest_bwa.evidence.writer import ATTEMPTS, RESULT
from pytest_bwa.reports.review.subjects import subjects_of
from pytest_bwa.reports.verify.fault import Fault
from pytest_bwa.spec.sample import find_place_in_run

Results = dict[str, SampleResult]
"""Those of one sample, earlier attempts too, by the SHA-256 of their files."""


def check_reviews(run: Path) -> tuple[list[Fault], list[str]]:
    """What is wrong with the reviews, and what a reader should know of them: how many there are,
    where the chain ends, and which writes were broken off."""
    if not (run / REVIEWS).exists():
        return [], []
    try:
        found = read_reviews(run)
    except EvidenceError as problem:
        return [Fault(REVIEWS, str(problem))], []
    faults = [Fault(REVIEWS, fault) for fault in (*found.faults, *_other_results(run, found))]
    names = ", ".join(dict.fromkeys(review.reviewer for review in found.reviews))
    lines = [
        f"{REVIEWS}: the write of line {number} was broken off; the lines after it are whole"
        for number in found.cut
    ]
    count = len(found.reviews)
    if count:
        last = f"the last has the hash {found.last_hash}"
        lines.append(f"{REVIEWS}: {count} review{'s' if count != 1 else ''} by {names}; {last}")
    return faults, lines


def _other_results(run: Path, found: ReviewFile) -> Iterator[str]:
    results: dict[str, Results] = {}
    for number, review in enumerate(found.reviews):
        name = review.sample_id
        if review.subject == "run":
            continue
        if name not in results:
            results[name] = _results_of(run, name)
        if problem := _problem(review, results[name]):
            yield f"entry {number} {problem}"


def _results_of(run: Path, name: str) -> Results:
    """No results for a name that would lead out of the run."""
    is_name = (run / name).parent == run
    return _results(run / find_place_in_run(run, name)) if is_name else {}


def _results(sample: Path) -> Results:
    found: Results = {}
    for path in (sample / RESULT, *sample.glob(f"{ATTEMPTS}/*/{RESULT}")):
        try:
            content = path.read_bytes()
            found[sha256(content)] = SampleResult.model_validate_json(content)
        except (OSError, ValidationError):
            continue  # the check of the samples names it
    return found


def _problem(review: Review, results: Results) -> str:
    result = results.get(review.result_sha256)
    if result is None:
        return f"reviews another result of {review.sample_id} than is there"
    subjects = {(s.kind, s.field): s.value for s in subjects_of(result)}
    key = (review.subject, review.field)
    if key not in subjects or subjects[key] != review.value:
        return f"reviews {review.field} of {review.sample_id}, which the result does not have so"
    return ""
