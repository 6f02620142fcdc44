"""reviews.jsonl: what people decided of a run, one line each, beside what the run wrote itself.

The lines have a chain of their own (``hash`` and ``previous``, as integrity/chain.py makes them).
The file is not in the run's manifest, because people review a run that is sealed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.file_lock import locked
from pytest_bwa.evidence.files import sha256_of
from pytest_bwa.evidence.integrity.chain import HASH, START, broken_links, chained, last_hash
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.spec.sample import find_place_in_run

REVIEWS = "reviews.jsonl"
Verdict = Literal["accepted", "corrected", "rejected", "commented", "withdrawn"]
Subject = Literal["value", "judgment", "sample", "run"]
Key = tuple[Subject, str]
"""What a decision is about, within a sample or a run: the subject and the field."""
_BLOCK = 1 << 14
"""Bytes from the end of the file that hold its last line, as a rule."""


class Review(BaseModel):
    """One decision of one person."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    reviewer: str
    time: str
    """UTC, RFC 3339."""
    sample_id: str
    """Empty for what is said of the run."""
    subject: Subject
    """What was reviewed: a value of the answer, the answer of the judgment, how the sample ended,
    or the run."""
    field: str
    """The value's place in the answer, such as ``checks[0].name``; ``answer`` of a judgment and
    ``status`` of a sample; ``random_sample`` and ``sign_off`` of a run."""
    decision: Verdict
    """``commented`` decides nothing. ``withdrawn`` takes back the decision before it, and the one
    before that holds again."""
    value: Any
    """What the result says; of a run, what was drawn or signed."""
    corrected: Any = None
    """What it should say; null unless the decision is ``corrected``."""
    comment: str = ""
    result_sha256: str
    """Of the result.json that was reviewed; of a run, of its manifest."""
    previous: str = ""
    hash: str = ""

    @property
    def key(self) -> Key:
        return self.subject, self.field

    @property
    def sentence(self) -> str:
        """The review on one line, for people."""
        change = ""
        if self.decision == "corrected":
            change = f" from {_in_words(self.value)} to {_in_words(self.corrected)}"
        comment = f": {self.comment}" if self.comment else ""
        return f"{self.field} {self.decision}{change} by {self.reviewer} at {self.time}{comment}"


def _in_words(value: Any) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)


def in_force(reviews: Iterable[Review]) -> dict[Key, Review]:
    """The decision that holds of each subject: the last that was not withdrawn."""
    standing: dict[Key, list[Review]] = {}
    for review in reviews:
        own = standing.setdefault(review.key, [])
        if review.decision == "withdrawn":
            del own[-1:]
        elif review.decision != "commented":
            own.append(review)
    return {key: own[-1] for key, own in standing.items() if own}


@dataclass(frozen=True, slots=True)
class ReviewFile:
    """The lines of a reviews.jsonl. ``cut`` has the numbers of lines whose write was broken off,
    ``faults`` what is wrong with the others, in words."""

    reviews: tuple[Review, ...] = ()
    entries: tuple[Mapping[str, Any], ...] = ()
    cut: tuple[int, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def last_hash(self) -> str:
        """The end of the chain; empty if there is no review."""
        return last_hash(self.entries)

    @property
    def of_run(self) -> tuple[Review, ...]:
        """What was said of the run, and not of one sample."""
        return tuple(review for review in self.reviews if review.subject == "run")

    def of_results(self, run: Path, ended: str = "") -> dict[str, tuple[Review, ...]]:
        """By sample_id, the reviews of the results that are in the run now; a sample that was run
        again has a new one. ``ended``: when the run did."""
        found: dict[str, tuple[Review, ...]] = {}
        results: dict[str, ReviewedResult] = {}
        for review in self.reviews:
            name = review.sample_id
            if review.subject == "run":
                continue
            if name not in results:
                results[name] = ReviewedResult(run / find_place_in_run(run, name) / RESULT, ended)
            if results[name].is_of(review):
                found[name] = (*found.get(name, ()), review)
        return found


class ReviewedResult:
    """A result.json as it is now, of which there may be reviews."""

    def __init__(self, path: Path, ended: str) -> None:
        self._path, self._ended = path, ended
        self.digest = sha256_of(path) if path.is_file() else ""

    @property
    def is_unchanged(self) -> bool:
        """Whether the file still has what was read."""
        return self._path.is_file() and sha256_of(self._path) == self.digest

    def is_of(self, review: Review) -> bool:
        """Whether a review holds for it. When a run ends, it may write doubts and flags into
        results that people reviewed while it went on: what they decided holds, unless a person
        should look at the result now."""
        if review.result_sha256 == self.digest:
            return True
        result = self.before_the_end(review)
        return result is not None and not result.review_marks

    def before_the_end(self, review: Review) -> SampleResult | None:
        """The result, if the review was made after it was written and before the run's end."""
        result = self._content if self.digest and review.time <= self._ended else None
        return result if result is not None and result.finished_at <= review.time else None

    @cached_property
    def _content(self) -> SampleResult | None:
        try:
            return SampleResult.model_validate_json(self._path.read_bytes())
        except (OSError, ValidationError):
            return None


def read_reviews(run: Path) -> ReviewFile:
    """The reviews of a run; none if there is no file. Raises EvidenceError."""
    try:
        content = (run / REVIEWS).read_bytes()
    except FileNotFoundError:
        return ReviewFile()
    except OSError as error:
        raise EvidenceError(f"cannot read {run / REVIEWS}: {error.strerror or error}") from error
    entries: list[Mapping[str, Any]] = []
    reviews, cut, faults = [], [], []
    for number, line in enumerate(content.split(b"\n"), 1):
        entry = _entry(line)
        if entry is not None:
            entries.append(entry)
            try:
                reviews.append(Review.model_validate(entry))
            except ValidationError as error:
                where = ".".join(map(str, error.errors()[0]["loc"]))
                faults.append(f"line {number} is not a review: {where}: {error.errors()[0]['msg']}")
        elif line.startswith(b"{"):
            cut.append(number)
        elif line.strip(b"\0"):
            faults.append(f"line {number} is not a review")
    faults += broken_links(entries)
    return ReviewFile(tuple(reviews), tuple(entries), tuple(cut), tuple(faults))


def _entry(line: bytes) -> dict[str, Any] | None:
    """What a line holds, or None if that is no whole object."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def joined_reviews(reviews: Iterable[Review]) -> bytes:
    """The lines of a file with all reviews of several runs, by their times, in a chain of its own;
    empty without any."""
    lines, previous = [], START
    for review in sorted(reviews, key=lambda review: (review.time, review.hash)):
        entry = chained(review.model_dump(mode="json", exclude={"previous", "hash"}), previous)
        previous = entry[HASH]
        lines.append(_line(entry))
    return b"".join(lines)


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, ensure_ascii=False).encode() + b"\n"


Add = Callable[[Iterable[Review]], list[Review]]


@contextmanager
def adding(run: Path) -> Iterator[Add]:
    """While this lasts nobody else adds a review; the function appends some as the next of the
    chain, and returns them with their hashes. Raises EvidenceError.

    What an earlier write that was killed has left stays, on a line of its own.
    """
    run = run.resolve()  # "." has neither a name nor a folder above it
    path = run / REVIEWS
    try:
        # Beside the run: a file in it would be one that the manifest does not have.
        with locked(path, run.parent / f".{run.name}.reviews.lock"):
            yield lambda reviews: _append(path, reviews)
    except OSError as error:
        raise EvidenceError(f"cannot write {path}: {error.strerror or error}") from error


def add_review(run: Path, review: Review) -> Review:
    """The same of one review. Raises EvidenceError."""
    with adding(run) as add:
        return add([review])[0]


def _append(path: Path, reviews: Iterable[Review]) -> list[Review]:
    previous, is_cut = _end(path)
    entries = []
    for review in reviews:
        plain = review.model_dump(mode="json", exclude={"previous", "hash"})
        entries.append(chained(plain, previous))
        previous = entries[-1][HASH]
    with path.open("ab") as stream:
        stream.write(b"\n" * is_cut + b"".join(map(_line, entries)))
        stream.flush()
        os.fsync(stream.fileno())
    return [Review.model_validate(entry) for entry in entries]


def _end(path: Path) -> tuple[str, bool]:
    """Where the chain ends, and whether the last line was broken off. No more is read than the
    lines from the last whole one on."""
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        return START, False
    length = _BLOCK
    while True:
        with path.open("rb") as stream:
            stream.seek(max(0, size - length))
            content = stream.read()
        lines = content.split(b"\n")
        whole = lines if length >= size else lines[1:]
        for entry in filter(None, map(_entry, reversed(whole))):
            return last_hash([entry]), content[-1:] != b"\n"
        if length >= size:
            return START, content[-1:] not in (b"", b"\n")
        length *= 4


class NewReviews:
    """Reads what was added to the reviews of a run since it was asked last."""

    def __init__(self, run: Path) -> None:
        self._path, self._read = run / REVIEWS, 0

    def read(self) -> list[Review]:
        """Lines that are no review are left to ``bwa verify``. Raises EvidenceError."""
        try:
            if self._path.stat().st_size == self._read:
                return []
            with self._path.open("rb") as stream:
                stream.seek(self._read)
                content = stream.read()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise EvidenceError(f"cannot read {self._path}: {error.strerror or error}") from error
        whole = content[: content.rfind(b"\n") + 1]
        self._read += len(whole)
        found = []
        for entry in filter(None, map(_entry, whole.split(b"\n"))):
            with suppress(ValidationError):
                found.append(Review.model_validate(entry))
        return found
