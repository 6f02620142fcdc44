"""reviews.jsonl: what people decided of a run, one line each, beside what the run wrote itself.

The lines have a chain of their own (``hash`` and ``previous``, as integrity/chain.py makes them).
The file is not in the run's manifest, because people review a run that is sealed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.file_lock import locked
from pytest_bwa.evidence.files import sha256_of
from pytest_bwa.evidence.integrity.chain import HASH, START, broken_links, chained, last_hash
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.spec.sample import find_place_in_run

REVIEWS = "reviews.jsonl"
Verdict = Literal["accepted", "corrected", "rejected", "commented"]
Subject = Literal["value", "judgment", "sample"]


class Review(BaseModel):
    """One decision of one person."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    reviewer: str
    time: str
    """UTC, RFC 3339."""
    sample_id: str
    subject: Subject
    """What was reviewed: a value of the answer, the answer of the judgment, or how the sample
    ended."""
    field: str
    """The value's place in the answer, such as ``checks[0].name``; ``answer`` of a judgment and
    ``status`` of a sample."""
    decision: Verdict
    value: Any
    """What the result says."""
    corrected: Any = None
    """What it should say; null unless the decision is ``corrected``."""
    comment: str = ""
    result_sha256: str
    """Of the result.json that was reviewed."""
    previous: str = ""
    hash: str = ""

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

    def of_results(self, run: Path) -> dict[str, tuple[Review, ...]]:
        """By sample_id, the reviews of the results that are in the run now; a sample that was run
        again has a new one."""
        found: dict[str, tuple[Review, ...]] = {}
        digests: dict[str, str] = {}
        for review in self.reviews:
            name = review.sample_id
            if name not in digests:
                path = run / find_place_in_run(run, name) / RESULT
                digests[name] = sha256_of(path) if path.is_file() else ""
            if review.result_sha256 == digests[name]:
                found[name] = (*found.get(name, ()), review)
        return found


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


def add_review(run: Path, review: Review) -> Review:
    """Append a review as the next of the chain; returns it with its hashes. Raises EvidenceError.

    What an earlier write that was killed has left stays, on a line of its own.
    """
    run = run.resolve()  # "." has neither a name nor a folder above it
    path = run / REVIEWS
    try:
        # Beside the run: a file in it would be one that the manifest does not have.
        with locked(path, run.parent / f".{run.name}.reviews.lock"):
            plain = review.model_dump(mode="json", exclude={"previous", "hash"})
            entry = chained(plain, read_reviews(run).last_hash or START)
            line = _line(entry)
            is_cut = path.exists() and path.read_bytes()[-1:] not in (b"", b"\n")
            with path.open("ab") as stream:
                stream.write(b"\n" + line if is_cut else line)
                stream.flush()
                os.fsync(stream.fileno())
    except OSError as error:
        raise EvidenceError(f"cannot write {path}: {error.strerror or error}") from error
    return Review.model_validate(entry)
