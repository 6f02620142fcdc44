"""``bwa review``: one thing after the other is shown, and what a person decides is written down.

What speaks against a value often speaks against that of many samples, because their pages are
alike: such values come first, all of one place with one question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.files import safe_name
from pytest_bwa.evidence.folder import PAGE
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.proof.doubts.groups import DoubtGroup, DoubtGroups, doubted_values
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.reports.handover.sample_content import Pictures
from pytest_bwa.reports.review.decisions import Decisions
from pytest_bwa.reports.review.subjects import ReviewSubject, corrected_value
from pytest_bwa.reports.review.written import WrittenFiles
from pytest_bwa.steps.text import one_line

CHOICES = "[a]ccept  [c]orrect  [r]eject  co[m]ment  [s]kip  [n]ext sample  [q]uit:"
GROUP_CHOICES = "[a]ccept all  [o]ne by one  [s]kip  [q]uit:"
WHY = "comment (Enter for none):"
_WORDS = {"accept": "a", "correct": "c", "reject": "r", "comment": "m", "skip": "s", "next": "n",
          "quit": "q", "": "s"}  # fmt: skip
_GROUP_WORDS = {"accept all": "a", "accept": "a", "one by one": "o", "one": "o", "skip": "s",
                "quit": "q", "": "s"}  # fmt: skip
MAX_TEXT = 400
MAX_SHOWN = 6
"""Values of one doubted place that are shown before its question."""
Ask = Callable[[str], str | None]
"""Asks a question; None if no answer will come any more."""


class NoMoreAnswers(Exception):
    """The person has quit, or the answers from a pipe are used up."""


class NextSample(Exception):
    """The rest of the sample is left as it is."""


class ReviewWalk:
    """Walks through results, those first whose values are doubted at the same place."""

    def __init__(
        self,
        run: FinishedRun,
        decisions: Decisions,
        ask: Ask,
        echo: Callable[[str], None],
        crops: Path,
    ) -> None:
        self._run, self._decisions, self._ask, self._echo = run, decisions, ask, echo
        self._crops = crops
        """A folder for the parts of pictures, which a person opens from the terminal."""
        self._written = WrittenFiles(run.folder)

    def walk(self, results: Sequence[SampleResult], *, every: bool = False) -> None:
        """Ask for every open subject of these results; ``every``: also of samples of which nothing
        but doubts asked for a review, and these are decided. Raises EvidenceError."""
        try:
            self._doubted_places(results)
            left = [result for result in results if every or self._decisions.is_to_review(result)]
            for number, result in enumerate(left, 1):
                self._heading(result, f"{number} of {len(left)}")
                self._ask_about(list(self._decisions.open_subjects(result)), result)
        except NoMoreAnswers:
            return

    def _ask_about(self, subjects: Sequence[ReviewSubject], result: SampleResult) -> None:
        pictures = Pictures(self._run.folder.sample(result.sample_id), result.artifacts)
        with suppress(NextSample):
            for subject in subjects:
                self._show(subject, result, pictures)
                self._decide(subject, result)

    # -- what is doubted in many samples ---------------------------------------------------------

    def _doubted_places(self, results: Sequence[SampleResult]) -> None:
        """Ask once for all samples whose values are doubted at the same place."""
        groups, by_name = DoubtGroups(), {result.sample_id: result for result in results}
        for result in results:
            groups.add(result)
        for group in groups.largest_first():
            found = list(self._open_in(group, by_name))
            if len({result.sample_id for _, result in found}) > 1:
                self._group(group, found)

    def _open_in(
        self, group: DoubtGroup, results: Mapping[str, SampleResult]
    ) -> Iterator[tuple[ReviewSubject, SampleResult]]:
        for name in group.samples:
            result = results[name]
            paths = {d.path for d in doubted_values(result) if d.place == group.place}
            for subject in self._decisions.open_subjects(result):
                if subject.kind == "value" and subject.field in paths:
                    yield subject, result

    def _group(self, group: DoubtGroup, found: list[tuple[ReviewSubject, SampleResult]]) -> None:
        self._show_group(group, found)
        choice = self._choice(GROUP_CHOICES, _GROUP_WORDS)
        if choice == "q":
            raise NoMoreAnswers
        for subject, result in found if choice != "s" else ():
            if choice == "a":
                self._decisions.add(subject, result, "accepted", comment=f"as all {group.where}")
            else:
                self._heading(result, group.where)
                self._ask_about([subject], result)

    def _show_group(
        self, group: DoubtGroup, found: list[tuple[ReviewSubject, SampleResult]]
    ) -> None:
        count = len({result.sample_id for _, result in found})
        self._echo(f"\n{group.where}: {count} samples, {group.why}")
        self._echo(f"  page      {group.place.page}")
        for subject, result in found[:MAX_SHOWN]:
            seen = subject.grounding
            text = f" | {seen.text}" if seen and seen.text else ""
            doubts = "; ".join(seen.in_words()) if seen else ""
            line = f"{result.sample_id}: {subject.text}{text}"
            own = f"  ({doubts})" if doubts != group.why else ""
            self._echo(f"  {one_line(line, MAX_TEXT)}{one_line(own, MAX_TEXT)}")
        if len(found) > MAX_SHOWN:
            self._echo(f"  and {len(found) - MAX_SHOWN} more values")

    # -- what is shown ---------------------------------------------------------------------------

    def _heading(self, result: SampleResult, place: str) -> None:
        folder = self._run.folder.sample(result.sample_id).resolve()
        marks = " ".join(result.review_marks)
        self._echo(f"\n{result.sample_id} ({place}): {result.ending}  {marks}".rstrip())
        for text in filter(None, (result.reason, *result.notes)):
            self._echo(f"  {one_line(text, MAX_TEXT)}")
        self._echo(f"  page      {(folder / PAGE).as_uri()}")
        if self._written.is_changed(result):
            self._echo("  warning: this is not what the run wrote: bwa verify says what changed")

    def _show(self, subject: ReviewSubject, result: SampleResult, pictures: Pictures) -> None:
        self._echo(f"\n{subject.name} = {one_line(subject.text, MAX_TEXT)}")
        seen = subject.grounding
        facts = [("how", subject.how)]
        if seen is not None:
            facts += [("page text", seen.text or ""), ("at", seen.frame or seen.url or "")]
            facts.append(("doubted", "; ".join(seen.in_words())))
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
            choice = self._choice(CHOICES, _WORDS)
            if choice == "n":
                raise NextSample
            if choice == "q":
                raise NoMoreAnswers
            if choice == "s" or decide[choice](subject, result):
                return

    def _choice(self, question: str, words: Mapping[str, str]) -> str:
        """One of the letters; the question is asked until the answer is one or its word."""
        letters = {**words, **{letter: letter for letter in words.values()}}
        while not (choice := letters.get(self._answer(question).lower(), "")):
            self._echo("Answer with one of the letters in brackets.")
        return choice

    def _accept(self, subject: ReviewSubject, result: SampleResult) -> bool:
        self._decisions.add(subject, result, "accepted")
        return True

    def _reject(self, subject: ReviewSubject, result: SampleResult) -> bool:
        self._decisions.add(subject, result, "rejected", comment=self._answer(WHY))
        return True

    def _comment(self, subject: ReviewSubject, result: SampleResult) -> bool:
        """A comment decides nothing: False."""
        if comment := self._answer("comment:"):
            self._decisions.add(subject, result, "commented", comment=comment)
        return False

    def _correct(self, subject: ReviewSubject, result: SampleResult) -> bool:
        """Ask for the right value; False if what was typed cannot stand there."""
        text = self._answer("the right value (Enter: there is none):")
        try:
            value = corrected_value(text, subject, result, self._run.task)
        except InputError as problem:
            self._echo(str(problem))
            return False
        self._decisions.add(subject, result, "corrected", value, self._answer(WHY))
        return True

    def _answer(self, question: str) -> str:
        text = self._ask(question)
        if text is None:
            raise NoMoreAnswers
        return text.strip()
