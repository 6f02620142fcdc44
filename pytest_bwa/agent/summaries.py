"""Summaries of older steps, made when the prompt has no room for them any more."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.errors import ModelFailed
from pytest_bwa.policy.base import LINE_LABELS, MAX_LINE_CHARACTERS, Summarizer, Turn
from pytest_bwa.steps.step import ModelAnswer, Step, Usage
from pytest_bwa.steps.text import one_line

KEPT_STEPS, SHOWN_SUMMARIES = 5, 3


class Summaries:
    """The summaries of one sample. A summary takes the place of the steps that it condenses.

    Without a summarizer, nothing is summarized; if it fails, MechanicalSummarizer takes its place.
    """

    def __init__(self, summarizer: Summarizer | None) -> None:
        self._summarizer = summarizer
        self._texts: list[str] = []
        self._next_step = 0
        """The first step that no summary covers yet."""

    def is_due(self, turn: Turn) -> bool:
        """Whether the prompt would drop some of the steps that no summary covers."""
        has_more = len(turn.history) > KEPT_STEPS
        return self._summarizer is not None and has_more and self._summarizer.is_needed(turn)

    def without_condensed(self, history: Sequence[Step]) -> Sequence[Step]:
        """The steps that no summary covers."""
        if self._next_step == 0:
            return history
        return [step for step in history if step.step >= self._next_step]

    def add(self, turn: Turn) -> Usage:
        """Summarize all steps since the last summary but the newest few; returns what this cost."""
        self._next_step = turn.history[-KEPT_STEPS].step
        steps = [step for step in turn.history if step.step < self._next_step]
        failed_usage: Usage | None = None
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
        texts = (
            f"steps {first} to {last}; saved {', '.join(saved) or 'nothing'}"
            + (f"; notes: {'; '.join(notes[-5:])}" if notes else ""),
            "; ".join(gaps) or "none known",
            goals[-1] if goals else "unknown",
        )
        lines = (f"{label}: {text}" for label, text in zip(LINE_LABELS, texts, strict=True))
        return ModelAnswer("\n".join(one_line(line, MAX_LINE_CHARACTERS) for line in lines))
