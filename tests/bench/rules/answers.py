"""What becomes of the right and wrong answers of scripted models: of the plays of the truth table,
of ``lies.yaml`` and of the grounding figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bench.rules.pages import check
from bench.rules.recorded import Theatre
from bench.truth.corpus import Play, Sample, Wrong
from bench.truth.player import ScriptedModel
from bench.truth.plays import PLAYS
from bench.truth.runner import STYLES, Played, at_the_end, make_worker
from bench.truth.score import is_missed
from bench.truth.wrongs import wrong_answers

from pytest_bwa.audit.run import SampleRun

NATURAL = 0.0


@dataclass
class PlayRuns:
    """One play, with what became of its right answers, which the check at the end of a run compares
    the others with."""

    play: Play
    right: dict[str, Played] = field(default_factory=dict)

    def run(
        self, theatre: Theatre, sample: Sample, style: str, wrong: Wrong | None = None
    ) -> Played:
        model = ScriptedModel(sample, style, wrong)

        def work(url: str, open_page: Any, folder: Path) -> Any:
            own = theatre.worker(self.play.name, url, self._worker)
            listed = own.audit.sample(sample.sample_id)
            nonlocal model
            model = ScriptedModel(sample, style, wrong)
            worker = replace(own, policy=model)
            result = SampleRun(worker, listed, sample.sample_id, folder / "s").run(open_page)
            return own, result

        (worker, result), _ = theatre.play(self.play.name, sample.sample_id, self.play.serve, work)
        check(self.play.name, result)
        self.worker = worker
        return Played(
            self.play.name, sample.sample_id, style, wrong, self.play.is_alike, result,
            model.decisions - model.plain_decisions, tuple(model.notices), model.problem, NATURAL,
        )  # fmt: skip

    def _worker(self, url: str, folder: Path, theatre: Theatre) -> Any:
        return make_worker(self.play, url, folder / "run", theatre.settings)

    def siblings(self, theatre: Theatre, sample: str) -> list[Played]:
        for other in self.play.samples:
            if other.sample_id not in self.right:
                self.right[other.sample_id] = self.run(theatre, other, STYLES[0])
        return [played for name, played in self.right.items() if name != sample]


@dataclass(frozen=True)
class Answer:
    """One answer of a play."""

    runs: PlayRuns
    sample: Sample
    number: int
    style: str
    wrong: Wrong | None = None

    @property
    def name(self) -> str:
        return f"truth: {self.kind}/{self.sample.sample_id}/{self.number} {self.style}"

    @property
    def kind(self) -> str:
        return f"{self.runs.play.name}"

    def play(self, theatre: Theatre) -> int:
        siblings = self.runs.siblings(theatre, self.sample.sample_id)
        played = self.runs.run(theatre, self.sample, self.style, self.wrong)
        ended = at_the_end(self.runs.worker, [played, *siblings])[0]
        if is_missed(ended):
            return 0 if self.wrong is not None else 1
        return 3


def answers() -> Iterator[Answer]:
    for play in PLAYS:
        runs = PlayRuns(play)
        for sample in play.samples:
            yield Answer(runs, sample, 0, STYLES[0])
        for number, (sample, wrong) in enumerate(wrong_answers(play)):
            yield Answer(runs, sample, number, wrong.name or wrong.kind, wrong)
