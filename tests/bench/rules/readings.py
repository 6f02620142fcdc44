"""What becomes of true and untrue answers to pages that were read once: those of ``lies.yaml``, and
the made ones of the grounding figures."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bench.rules.recorded import Theatre

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "browser"))

from grounding_pages import AuditedPage
from test_grounding_figures import LYING_SAMPLES, OnePage, done, read_pages, sources_in
from test_grounding_lies import CASES, Reporter, lines_of, read_cases

from pytest_bwa.steps.step import Observation

Pages = list[Observation]


@dataclass(frozen=True)
class Reading:
    """An answer to pages that are known."""

    name: str
    kind: str
    is_true: bool
    is_done: Callable[[Theatre, Path], bool]
    """Whether it stands without a person."""

    def play(self, theatre: Theatre) -> int:
        folder = theatre.own_folder()
        try:
            is_done = self.is_done(theatre, folder / "s")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if self.is_true:
            return 3 if is_done else 1
        return 0 if is_done else 3


def readings(browser: Any) -> Iterator[Reading]:
    yield from _lies(read_cases(browser))
    for number, (page, observation) in enumerate(read_pages(browser)):
        yield from _figures(number, page, observation)


# -- lies.yaml -----------------------------------------------------------------------------------


def _lies(observed: Mapping[str, Pages]) -> Iterator[Reading]:
    for name, case in CASES.items():
        told = partial(_is_told, case, observed[name])
        truth = case["truths"][0] if case["truths"] else {}
        for number, answer in enumerate(case["truths"]):
            yield Reading(f"lies: {name}/true {number}", name, True, partial(told, answer, {}))
        for number, lie in enumerate(case["lies"]):
            for cites in (truth, {}) if None not in lie.values() else ({},):
                is_cited = "cited" if cites else "bare"
                lied = partial(told, {**truth, **lie}, cites)
                if not cites or lie.keys() <= truth.keys():
                    yield Reading(f"lies: {name}/{is_cited} {number}", name, False, lied)


def _is_told(
    case: Mapping[str, Any],
    pages: Pages,
    answer: dict[str, Any],
    cites: dict[str, Any],
    theatre: Theatre,
    folder: Path,
) -> bool:
    changed = list(map(theatre.changed, pages))
    sources = lines_of(Reporter(changed, cites, dict(case), folder / "truth")) if cites else {}
    return Reporter(changed, answer, dict(case), folder / "lie", sources).run() == "done"


# -- the figures ---------------------------------------------------------------------------------


def _figures(number: int, page: AuditedPage, observation: Observation) -> Iterator[Reading]:
    given = (True, page.truth, "true"), (False, page.lie, "lie")
    for is_true, answer, called in given[: 1 + (number < LYING_SAMPLES)]:
        is_done = partial(_is_right, page, observation, answer)
        name = f"figures: {page.shape}/{called} {number}"
        yield Reading(name, page.shape, is_true, is_done)


def _is_right(
    page: AuditedPage,
    observation: Observation,
    answer: dict[str, Any],
    theatre: Theatre,
    folder: Path,
) -> bool:
    sources = sources_in(observation, page.written)
    sample = OnePage(theatre.changed(observation), folder, done(answer, sources))
    outcome = sample.run()
    is_at_once = outcome.status == "done" and len(sample.turns) == 1
    return is_at_once and not any(record.doubts for record in sample.records(answer))
