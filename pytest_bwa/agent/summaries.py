"""Every ten steps, older history is condensed; the last three summaries are shown (F-44)."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.errors import ModelFailed
from pytest_bwa.policy.base import Summarizer, Turn
from pytest_bwa.steps import ModelAnswer, Step
from pytest_bwa.text import one_line

EVERY, SHOWN = 10, 3
LINE_CHARACTERS = 400


class Summaries:
    """One sample's. Without a summarizer, or where it fails, they are made mechanically."""

    def __init__(self, summarizer: Summarizer | None) -> None:
        self._condenser = summarizer
        self._made: list[str] = []
        self._until = 0

    def due(self, step: int) -> bool:
        return step > EVERY and (step - 1) % EVERY == 0 and step > self._until

    def add(self, turn: Turn) -> object:
        """Condense the steps since the last summary; what it cost, as Usage."""
        steps = [step for step in turn.history if self._until <= step.step < turn.step]
        self._until = turn.step
        spent: object = None
        try:
            aside = (self._condenser or MechanicalSummarizer()).summarize(turn, steps)
        except ModelFailed as problem:
            spent = problem.spent
            aside = MechanicalSummarizer().summarize(turn, steps)
        self._made.append(aside.text)
        return spent or aside.usage

    @property
    def shown(self) -> tuple[str, ...]:
        return tuple(self._made[-SHOWN:])


class MechanicalSummarizer:
    """The same without a model: from what was saved, what is missing, what was planned."""

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
            f"NEXT: {goals[-1] if goals else 'not said'}",
        ]
        return ModelAnswer("\n".join(one_line(line, LINE_CHARACTERS) for line in lines))
