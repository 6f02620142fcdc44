"""``bwa review``: one thing after the other is shown, and what a person decides is written down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.files import safe_name, sha256_of
from pytest_bwa.evidence.integrity.manifest import altered_files, listed_digests
from pytest_bwa.evidence.record import SampleResult, has_values
from pytest_bwa.evidence.reviews import Review, Verdict, add_review
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.proof.doubts.messages import doubts_of
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.reports.handover.report import PAGE
from pytest_bwa.reports.handover.sample_content import Pictures
from pytest_bwa.reports.review.corrections import corrected_value
from pytest_bwa.reports.review.subjects import ReviewSubject, subjects_of
from pytest_bwa.steps import utc_now
from pytest_bwa.text import one_line

CHOICES = "[a]ccept  [c]orrect  [r]eject  co[m]ment  [s]kip  [n]ext sample  [q]uit:"
WHY = "comment (Enter for none):"
_WORDS = {"accept": "a", "correct": "c", "reject": "r", "comment": "m", "skip": "s", "next": "n",
          "quit": "q", "": "s"}  # fmt: skip
_LETTERS = {**_WORDS, **{letter: letter for letter in _WORDS.values()}}
MAX_TEXT = 400
Ask = Callable[[str], str | None]
"""Asks a question; None if no answer will come any more."""


class NoMoreAnswers(Exception):
    """The person has quit, or the answers from a pipe are used up."""


class NextSample(Exception):
    """The rest of the sample is left as it is."""


class ReviewWalk:
    """Walks through results, and appends each decision at once: quitting loses nothing."""

    def __init__(
        self, run: FinishedRun, reviewer: str, ask: Ask, echo: Callable[[str], None], crops: Path
    ) -> None:
        self._run, self._reviewer, self._ask, self._echo = run, reviewer, ask, echo
        self._crops = crops
        """A folder for the parts of pictures, which a person opens from the terminal."""
        self._digests: dict[str, str] = {}
        with suppress(OSError):  # then every sample counts as changed
            self._digests = listed_digests(run.folder.path)
        self.written: list[Review] = []

    def walk(self, results: Sequence[SampleResult]) -> None:
        """Ask for every open subject of these results. Raises EvidenceError."""
        try:
            for number, result in enumerate(results, 1):
                self._heading(result, f"{number} of {len(results)}")
                self._sample(result)
        except NoMoreAnswers:
            return

    def _sample(self, result: SampleResult) -> None:
        pictures = Pictures(self._run.folder.sample(result.sample_id), result.artifacts)
        for subject in open_subjects(self._run, result):
            self._show(subject, result, pictures)
            try:
                self._decide(subject, result)
            except NextSample:
                return

    # -- what is shown ---------------------------------------------------------------------------

    def _heading(self, result: SampleResult, place: str) -> None:
        folder = self._run.folder.sample(result.sample_id).resolve()
        marks = " ".join(result.review_marks)
        self._echo(f"\n{result.sample_id} ({place}): {result.ending}  {marks}".rstrip())
        for text in filter(None, (result.reason, *result.notes)):
            self._echo(f"  {one_line(text, MAX_TEXT)}")
        self._echo(f"  page      {(folder / PAGE).as_uri()}")
        if self._is_changed(result):
            self._echo("  warning: this is not what the run wrote: bwa verify says what changed")

    def _is_changed(self, result: SampleResult) -> bool:
        folder = self._run.folder.sample(result.sample_id)
        name = f"{self._run.folder.place(result.sample_id)}/{RESULT}"
        is_listed = self._digests.get(name) == sha256_of(folder / RESULT)
        return not is_listed or bool(altered_files(folder, result))

    def _show(self, subject: ReviewSubject, result: SampleResult, pictures: Pictures) -> None:
        self._echo(f"\n{subject.name} = {one_line(subject.text, MAX_TEXT)}")
        seen = subject.grounding
        facts = [("how", subject.how)]
        if seen is not None:
            facts += [("page text", seen.text or ""), ("at", seen.frame or seen.url or "")]
            facts.append(("doubted", "; ".join(doubts_of(seen))))
        if seen is not None and seen.artifact:
            file = self._run.folder.sample(result.sample_id) / seen.artifact
            facts.append(("file", file.resolve().as_uri()))
        if content := pictures.crop(seen):
            crop = self._crops / f"{result.sample_id}.{safe_name(subject.field)}.webp"
            crop.write_bytes(content)
            facts.append(("crop", crop.as_uri()))
        for name, text in facts:
            if text:
                self._echo(f"  {name:9} {one_line(text, MAX_TEXT)}")

    # -- what is decided -------------------------------------------------------------------------

    def _decide(self, subject: ReviewSubject, result: SampleResult) -> None:
        """Ask until the subject is decided or skipped."""
        decide = {
            "a": self._accept, "c": self._correct, "r": self._reject, "m": self._comment,
        }  # fmt: skip
        while True:
            choice = _LETTERS.get(self._answer(CHOICES).lower(), "")
            if choice == "n":
                raise NextSample
            if choice == "q":
                raise NoMoreAnswers
            if not choice:
                self._echo("Answer with one of the letters in brackets.")
            elif choice == "s" or decide[choice](subject, result):
                return

    def _accept(self, subject: ReviewSubject, result: SampleResult) -> bool:
        self._add(subject, result, "accepted")
        return True

    def _reject(self, subject: ReviewSubject, result: SampleResult) -> bool:
        self._add(subject, result, "rejected", comment=self._answer(WHY))
        return True

    def _comment(self, subject: ReviewSubject, result: SampleResult) -> bool:
        """A comment decides nothing: False."""
        if comment := self._answer("comment:"):
            self._add(subject, result, "commented", comment=comment)
        return False

    def _correct(self, subject: ReviewSubject, result: SampleResult) -> bool:
        """Ask for the right value; False if what was typed cannot stand there."""
        text = self._answer("the right value (Enter: there is none):")
        try:
            value = corrected_value(text, subject, result, self._run.task)
        except InputError as problem:
            self._echo(str(problem))
            return False
        self._add(subject, result, "corrected", value, self._answer(WHY))
        return True

    def _answer(self, question: str) -> str:
        text = self._ask(question)
        if text is None:
            raise NoMoreAnswers
        return text.strip()

    def _add(
        self,
        subject: ReviewSubject,
        result: SampleResult,
        decision: Verdict,
        corrected: Any = None,
        comment: str = "",
    ) -> None:
        folder = self._run.folder
        review = Review(
            reviewer=self._reviewer,
            time=utc_now(),
            sample_id=result.sample_id,
            subject=subject.kind,
            field=subject.field,
            decision=decision,
            value=subject.value,
            corrected=corrected,
            comment=comment,
            result_sha256=sha256_of(folder.sample(result.sample_id) / RESULT),
        )
        self.written.append(add_review(folder.path, review))


def open_subjects(run: FinishedRun, result: SampleResult) -> Iterator[ReviewSubject]:
    """What nobody has decided yet; a comment decides nothing. How a sample ended is asked only if
    it has no value."""
    left_out = "sample" if has_values(result.extracted) else "value"
    decided = [r for r in run.reviews.get(result.sample_id, ()) if r.decision != "commented"]
    for subject in subjects_of(result):
        if subject.kind != left_out and not any(map(subject.is_of, decided)):
            yield subject
