"""Summaries of older steps: one for every ten steps; the prompt shows the last three."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.errors import ModelFailed
from pytest_bwa.policy.base import Summarizer, Turn
from pytest_bwa.steps import ModelAnswer, Step
from pytest_bwa.text import one_line

STEPS_PER_SUMMARY, SHOWN_SUMMARIES = 10, 3
MAX_LINE_CHARACTERS = 400


class Summaries:
    """The summaries of one sample.

    Without a summarizer, or if it fails, they are made by MechanicalSummarizer.
    """

    def __init__(self, summarizer: Summarizer | None) -> None:
        self._summarizer = summarizer
        self._texts: list[str] = []
        self._next_step = 0
        """The first step that no summary covers yet."""

    def is_due(self, step: int) -> bool:
        is_first_of_ten = step > STEPS_PER_SUMMARY and (step - 1) % STEPS_PER_SUMMARY == 0
        return is_first_of_ten and step > self._next_step

    def add(self, turn: Turn) -> object:
        """Summarize the steps since the last summary; returns the Usage that this cost."""
        steps = [step for step in turn.history if self._next_step <= step.step < turn.step]
        self._next_step = turn.step
        failed_usage: object = None
        try:
            answer = (self._summarizer or MechanicalSummarizer()).summarize(turn, steps)
        except ModelFailed as problem:
            failed_usage = problem.usage
            answer = MechanicalSummarizer().summarize(turn, steps)
        self._texts.append(answer.text)
        return failed_usage or answer.usage

    @property
    def latest(self) -> tuple[str, ...]:
        """The summaries that the prompt shows, oldest first."""
        return tuple(self._texts[-SHOWN_SUMMARIES:])


class MechanicalSummarizer:
    """Summarizes without a model: lists what was saved, what is missing and what was planned."""

    def summarize(self, turn: Turn, steps: Sequence[Step]) -> ModelAnswer:
        notes = [str(s.params["note"]) for s in steps if s.action == "save_progress"
                 and s.params.get("note")]  # fmt: skip
        saved = [name for name, value in turn.collected.items() if value is not None]
        missing = [f for f in turn.task.required_fields if turn.collected.get(f) is None]
        failed = [f"{s.action} {s.params.get('selector') or s.params.get('url') or ''}".strip()
                  for s in steps if not s.success]  # fmt: skip
        goals = [s.next_goal for s in steps if s.next_goal]
        first, last = (steps[0].step, steps[-1].step) if steps else (0, 0)
        gaps = [f"not saved yet: {', '.join(missing)}"] if missing else []
        gaps += [f"failed: {', '.join(failed[-5:])}"] if failed else []
        lines = [
            f"FOUND: steps {first} to {last}; saved {', '.join(saved) or 'nothing'}"
            + (f"; notes: {'; '.join(notes[-5:])}" if notes else ""),
            f"GAPS: {'; '.join(gaps) or 'none known'}",
            f"NEXT: {goals[-1] if goals else 'unknown'}",
        ]
        return ModelAnswer("\n".join(one_line(line, MAX_LINE_CHARACTERS) for line in lines))
