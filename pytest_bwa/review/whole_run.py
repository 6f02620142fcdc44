"""What people say of the whole run: the random samples drawn of it, and signatures."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.integrity.manifest import manifest_digest
from pytest_bwa.evidence.reviews import Review, adding
from pytest_bwa.reports.review.random_sample import (
    RANDOM_SAMPLE,
    SIGN_OFF,
    RandomSample,
    draw,
    population,
)
from pytest_bwa.review.content import Json
from pytest_bwa.review.deciding import Conflict, NotThere, Wish
from pytest_bwa.review.live_run import LiveRun
from pytest_bwa.spec.draw import new_seed
from pytest_bwa.steps.step import utc_now

MAX_TEXT = 1_000


class RandomWish(Wish):
    number: int = Field(ge=1)
    seed: str = Field("", max_length=100)


class Signature(Wish):
    name: str = Field(max_length=MAX_TEXT)
    role: str = Field("", max_length=MAX_TEXT)
    remark: str = Field("", max_length=MAX_TEXT)


class WholeRun:
    """Reads and writes it, as lines of reviews.jsonl."""

    def __init__(self, run: LiveRun, reviewer: str) -> None:
        self._run, self._reviewer = run, reviewer

    # -- random samples --------------------------------------------------------------------------

    def random(self) -> Json:
        with self._run.lock:
            drawn = [self._random_sample(review) for review in self._lines(RANDOM_SAMPLE)]
            return {"draws": drawn, "population": len(self._population())}

    def draw(self, wish: RandomWish) -> Json:
        """Raises Conflict, InputError and EvidenceError."""
        names = self._population()
        if not names:
            raise InputError("there is nothing to draw from: nothing is done and unflagged")
        value = draw(names, wish.number, wish.seed.strip() or str(new_seed()))
        return self._random_sample(self._add(RANDOM_SAMPLE, value))

    def samples_of(self, digest: str) -> list[str]:
        """Of the random sample with this hash. Raises NotThere."""
        for review in self._lines(RANDOM_SAMPLE):
            if review.hash == digest:
                return list(review.value["samples"])
        raise NotThere("the run has no such random sample")

    def _population(self) -> list[str]:
        self._run.look()
        return population(known.summary for known in self._run.everything())

    def _random_sample(self, review: Review) -> Json:
        run = self._run
        found = RandomSample.of(
            review,
            lambda name: known.to_review.keys if (known := run.known(name)) else (),
            run.decisions,
        )
        return {
            **review.value,
            "hash": review.hash,
            "reviewed": found.reviewed,
            "wrong": found.wrong,
            "is_complete": found.is_complete,
            "statement": found.statement,
        }

    # -- signatures ------------------------------------------------------------------------------

    def sign_off(self) -> Json:
        with self._run.lock:
            lines = self._run.reviews_from(0)
            return {
                "signed": [_signature(review) for review in self._lines(SIGN_OFF)],
                "decided": self._decided(),
                "head": lines[-1].hash if lines else "",
                "finished": self._run.is_over,
            }

    def sign(self, wish: Signature) -> Json:
        """Raises Conflict, InputError and EvidenceError."""
        value = {name: text.strip() for name, text in wish.model_dump().items()}
        if not value["name"]:
            raise InputError("a signature needs a name")
        return _signature(self._add(SIGN_OFF, {**value, "decided": self._decided()}))

    def _decided(self) -> Json:
        self._run.look()
        run = self._run
        by = list(dict.fromkeys(r.reviewer for r in run.reviews_from(0) if r.subject != "run"))
        undecided = sum(
            len(known.to_review.open_keys(run.decisions(known.name))) for known in run.everything()
        )
        not_asked = undecided - run.open_entries
        return {**run.decided, "open": run.open_entries, "not_asked": not_asked, "by": by}

    # -- lines of the record ---------------------------------------------------------------------

    def _lines(self, field: str) -> list[Review]:
        return [review for review in self._run.said_of_run if review.field == field]

    def _add(self, field: str, value: Any) -> Review:
        if not self._run.is_over:
            raise Conflict("the run still goes on: wait until it has ended")
        path = self._run.folder.path
        review = Review(
            reviewer=self._reviewer,
            time=utc_now(),
            sample_id="",
            subject="run",
            field=field,
            decision="accepted",
            value=value,
            result_sha256=manifest_digest(path),
        )
        with self._run.lock, adding(path) as add:
            added = add([review])[0]
            self._run.look_at_reviews()
        return added


def _signature(review: Review) -> Json:
    return {**review.value, "time": review.time, "hash": review.hash, "head": review.previous}
