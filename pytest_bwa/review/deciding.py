"""What a person decides on the page: checked, and written as the next lines of reviews.jsonl."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_bwa.errors import BwaError, InputError
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.reviews import Review, adding
from pytest_bwa.reports.handover.values import value_text
from pytest_bwa.reports.review.subjects import ReviewSubject, corrected_value
from pytest_bwa.review.content import Json, group_id, subject_of
from pytest_bwa.review.live_run import Entry, LiveRun
from pytest_bwa.steps.step import utc_now

MAX_TEXT = 10_000


class Conflict(BwaError):
    """Somebody else has decided meanwhile, or the result is another one now."""

    def __init__(self, message: str, review: Review | None = None) -> None:
        super().__init__(message)
        self.review = review


class NotThere(BwaError):
    """The run has no such entry."""


class Wish(BaseModel):
    """What the page sends; nothing else is taken."""

    model_config = ConfigDict(extra="forbid", strict=True)


class OneEntry(Wish):
    sample_id: str
    subject: Literal["value", "judgment", "sample"]
    field: str

    @property
    def entry(self) -> Entry:
        return Entry(self.sample_id, (self.subject, self.field))


class TypedValue(OneEntry):
    text: str = Field(max_length=MAX_TEXT)


class OneDecision(OneEntry):
    decision: Literal["accepted", "corrected", "rejected", "commented"]
    text: str = Field("", max_length=MAX_TEXT)
    comment: str = Field("", max_length=MAX_TEXT)
    seen: str = ""
    """The hash of the decision that the page showed; empty for none."""
    result_sha256: str = ""
    """Of the result that the page showed."""


class ManyDecisions(Wish):
    """About all that is open of a group or of a sample."""

    group: str = ""
    sample: str = ""
    leave_out: list[str] = Field(default_factory=list, alias="except")
    """Samples of a group, or fields of a sample."""
    fields: list[str] | None = None
    """Of a sample: only these, which the page showed together."""
    decision: Literal["accepted", "rejected"]
    comment: str = Field("", max_length=MAX_TEXT)

    def takes(self, entry: Entry) -> bool:
        if self.fields is not None and entry.key[1] not in self.fields:
            return False
        return (entry.key[1] if self.sample else entry.sample_id) not in self.leave_out


class Undo(Wish):
    hashes: list[str]


class Deciding:
    """Every method reads what others have decided, checks, and writes, while nobody else writes."""

    def __init__(self, run: LiveRun, reviewer: str) -> None:
        self._run, self.reviewer = run, reviewer
        self.written = 0

    def check(self, typed: TypedValue) -> Json:
        """Whether a text may stand there. Raises NotThere."""
        result, subject = self._found(typed.entry)
        try:
            value = corrected_value(typed.text.strip(), subject, result, self._run.task)
        except InputError as problem:
            return {"ok": False, "problem": str(problem)}
        return {"ok": True, "value": value, "text": value_text(value)}

    def decide(self, wish: OneDecision) -> list[Review]:
        """Raises InputError, NotThere, Conflict and EvidenceError."""
        result, subject = self._found(wish.entry)
        comment, corrected = wish.comment.strip(), None
        if wish.decision == "commented" and not comment:
            raise InputError("a comment needs a text")
        if wish.decision == "corrected":
            corrected = corrected_value(wish.text.strip(), subject, result, self._run.task)
        with self._run.lock, adding(self._run.folder.path) as add:
            self._run.look_at_reviews()
            digest = self._same_result(wish.sample_id, wish.result_sha256)
            if wish.decision != "commented":
                self._check_seen(wish)
            added = add(
                [
                    subject.decided(
                        wish.sample_id, digest, self.reviewer, wish.decision, corrected, comment
                    )
                ]
            )
            self.written += len(added)
            self._run.look_at_reviews()
        return added

    def decide_many(self, wish: ManyDecisions) -> list[Review]:
        """Of what is open of a group or a sample; what somebody else decided meanwhile is left as
        it is. Raises InputError, NotThere, Conflict and EvidenceError."""
        with self._run.lock, adding(self._run.folder.path) as add:
            self._run.look_at_reviews()
            entries, comment = self._open_of(wish)
            chosen = [entry for entry in entries if wish.takes(entry)]
            reviews = []
            for entry in chosen:
                _, subject = self._found(entry)
                digest = self._same_result(entry.sample_id, "")
                made = subject.decided(
                    entry.sample_id, digest, self.reviewer, wish.decision, None, comment
                )
                reviews.append(made)
            added = add(reviews)
            self.written += len(added)
            self._run.look_at_reviews()
        return added

    def undo(self, hashes: Collection[str]) -> list[Review]:
        """Take back decisions of this reviewer's that hold. Raises NotThere, Conflict and
        EvidenceError."""
        with self._run.lock, adding(self._run.folder.path) as add:
            self._run.look_at_reviews()
            added = add([self._withdrawn(digest) for digest in dict.fromkeys(hashes)])
            self.written += len(added)
            self._run.look_at_reviews()
        return added

    # -- parts of it -----------------------------------------------------------------------------

    def _found(self, entry: Entry) -> tuple[SampleResult, ReviewSubject]:
        result = self._run.result(entry.sample_id)
        subject = subject_of(result, entry.key) if result else None
        if result is None or subject is None:
            raise NotThere("the run has no such value")
        return result, subject

    def _same_result(self, name: str, seen: str) -> str:
        """The digest of the result that is reviewed. Raises Conflict if the file is another now."""
        known = self._run.known(name)
        if known is None or not known.file.is_unchanged or seen not in ("", known.file.digest):
            raise Conflict(f"the result of {name} was written anew meanwhile: look at it again")
        return known.file.digest

    def _check_seen(self, wish: OneDecision) -> None:
        held = self._run.decisions(wish.sample_id).get(wish.entry.key)
        if held is not None and held.hash != wish.seen:
            raise Conflict(f"{held.reviewer} decided this at {held.time}: {held.decision}", held)

    def _open_of(self, wish: ManyDecisions) -> tuple[Sequence[Entry], str]:
        comment = wish.comment.strip()
        if wish.sample:
            return self._run.open_of([wish.sample]), comment
        found = next((g for g in self._run.groups() if group_id(g) == wish.group), None)
        if found is None:
            raise NotThere("nothing is open of that group any more")
        return found.entries, comment or f"as all {found.group.where}"

    def _withdrawn(self, digest: str) -> Review:
        review = self._run.review(digest)
        if review is None or review.subject == "run":
            raise NotThere("the run has no such decision")
        held = self._run.decisions(review.sample_id).get(review.key)
        if review.reviewer != self.reviewer:
            raise Conflict(f"{review.reviewer} decided this, not {self.reviewer}", held)
        if held is None or held.hash != digest:
            raise Conflict("this decision does not hold any more", held)
        changes = {"decision": "withdrawn", "comment": "", "corrected": None, "time": utc_now()}
        return review.model_copy(update=changes)
