"""Plays the answers of one play, each sample in a browser context of its own, through the real
loop and the check at the end of a run."""

from __future__ import annotations

import copy
import csv
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.truth.corpus import Kind, Play, Sample, Wrong
from bench.truth.player import ScriptedModel
from bench.truth.wrongs import wrong_answers
from local_site import Site
from playwright.sync_api import Browser

from pytest_bwa.audit.audits import open_option_audit
from pytest_bwa.audit.composition import WorkerContext
from pytest_bwa.audit.plan import Plan
from pytest_bwa.audit.run import SampleRun
from pytest_bwa.browser.sample_page import CONTEXT
from pytest_bwa.browser.watchdog import Watchdog
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.reports.late_flags import flag_late
from pytest_bwa.settings import Settings

STYLES = ("with sources", "without", "saved")
TOLD_BY_SIBLINGS: frozenset[Kind] = frozenset({"other record", "older", "neighbour", "null"})
"""Kinds of wrong answers of which one page alone seldom tells that they are wrong."""


@dataclass(frozen=True, slots=True)
class Played:
    """One answer, and what became of it at the end of its run."""

    play: str
    sample: str
    style: str
    """How a right answer was given, or the name of a wrong one."""
    wrong: Wrong | None
    is_alike: bool
    result: SampleResult
    decisions_beyond: int
    notices: tuple[str, ...]
    problem: str
    seconds: float

    @property
    def is_accepted(self) -> bool:
        """Whether the answer stands without a person: ``done``, or the report that the sample does
        not exist."""
        is_absent = self.result.status == "failed" and self.result.outcome == "not_found"
        return self.result.status == "done" or is_absent

    @property
    def is_flagged(self) -> bool:
        return self.is_accepted and self.result.flagged

    def line(self) -> str:
        """Its name, what became of it, and the reason that the harness gave."""
        flagged = " flagged" if self.result.flagged else ""
        status = f"{self.result.ending}{flagged}"
        why = "; ".join(filter(None, [self.problem, self.result.reason, *self.result.notes]))
        told = f"  [asked: {self.notices[0][:300]}]" if self.notices else ""
        values = ""
        if self.wrong is not None:
            values = json.dumps(dict(self.wrong.values), ensure_ascii=False)
        name = f"{self.play}/{self.sample}: {self.style}"
        return f"  {name}  {values}  → {status}  {why[:400]}{told}"


class Stage:
    """The site and the audit of one play, and the browser that all plays share."""

    def __init__(self, play: Play, browser: Browser, folder: Path, settings: Settings) -> None:
        self._play, self._browser, self._folder = play, browser, folder
        self._site = Site()
        play.serve(self._site)
        self._worker = make_worker(play, self._site.url, folder, settings)
        self._count = 0

    def close(self) -> None:
        self._site.close()

    def play(self, sample: Sample, style: str, wrong: Wrong | None = None) -> Played:
        started = time.monotonic()
        self._count += 1
        model = ScriptedModel(sample, style, wrong)
        worker = replace(self._worker, policy=model)
        folder = self._folder / f"answer-{self._count}"
        listed = self._worker.audit.sample(sample.sample_id)
        context = self._browser.new_context(**CONTEXT)
        try:
            result = SampleRun(worker, listed, sample.sample_id, folder).run(context.new_page)
        finally:
            context.close()
        return Played(
            self._play.name, sample.sample_id, style, wrong, self._play.is_alike, result,
            model.decisions - model.plain_decisions, tuple(model.notices), model.problem,
            time.monotonic() - started,
        )  # fmt: skip

    def at_the_end(self, run: Sequence[Played]) -> list[Played]:
        return at_the_end(self._worker, run)


def make_worker(play: Play, url: str, folder: Path, settings: Settings) -> WorkerContext:
    """What the plugin would make of the play's spec and list, at this address of its site."""
    folder.mkdir(parents=True)
    task, samples = folder / "spec.json", folder / "samples.csv"
    task.write_text(json.dumps({"task_id": play.name, **play.spec}), "utf-8")
    columns = list(play.samples[0].columns)
    with samples.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["sample_id", "url", *columns])
        for s in play.samples:
            writer.writerow([s.sample_id, s.url, *(s.columns[c] for c in columns)])
    plan = Plan(folder, "run", "rules", "", task=task, samples=samples, base_url=url)
    audit = open_option_audit(plan, collect_only=False, ready=lambda task: None)
    assert audit is not None
    return WorkerContext(
        audit=audit,
        policy=ScriptedModel(play.samples[0], STYLES[0]),
        settings=settings,
        watchdog=Watchdog(lambda: True),
        worker_id="main",
        keeps_trajectory=False,
        base_url=url,
    )


def at_the_end(worker: WorkerContext, run: Sequence[Played]) -> list[Played]:
    """The same after the check at the end of a run that had these results."""
    audit = worker.audit
    assert audit.folder is not None
    results = [copy.deepcopy(played.result) for played in run]
    for result in results:
        audit.folder.sample(result.sample_id).mkdir(exist_ok=True)
    flag_late(audit.folder, audit.task, audit.samples, None, results)
    return [replace(p, result=r) for p, r in zip(run, results, strict=True)]


def play_all(
    play: Play, browser: Browser, folder: Path, settings: Settings, part: int = 1
) -> Iterator[Played]:
    """Every answer of a play; with ``part``, only every so-manyth wrong one, and the styles of the
    right ones in turn."""
    stage = Stage(play, browser, folder, settings)
    try:
        right = [stage.play(sample, STYLES[0]) for sample in play.samples]
        yield from stage.at_the_end(right)
        for style in STYLES[1:]:
            own = play.samples if part == 1 else play.samples[:: part + 1]
            others = [p for p in right if p.sample not in {s.sample_id for s in own}]
            answered = [stage.play(sample, style) for sample in own]
            yield from stage.at_the_end([*answered, *others])[: len(answered)]
        for number, (sample, wrong) in enumerate(wrong_answers(play)):
            if number % part:
                continue
            lied = stage.play(sample, wrong.name or wrong.kind, wrong)
            others = [p for p in right if p.sample != sample.sample_id]
            yield stage.at_the_end([lied, *others])[0]
    finally:
        stage.close()


def play_few(
    play: Play,
    number: int,
    browser: Browser,
    folder: Path,
    settings: Settings,
    *,
    with_siblings: bool,
) -> Iterator[Played]:
    """A part for a test: one sample with sources, for every other play in one more style, and one
    of its wrong answers; with its siblings, all of them: the others tell which is odd."""
    stage = Stage(play, browser, folder, settings)
    sample = play.samples[number % len(play.samples)]
    lies = [wrong for own, wrong in wrong_answers(play) if own is sample]
    if not with_siblings:
        alone = [wrong for wrong in lies if wrong.kind not in TOLD_BY_SIBLINGS]
        lies = [alone[number // 2 % len(alone)]]
    try:
        more = [] if number % 2 else [STYLES[1 + number // 2 % 2]]
        for style in (STYLES[0], *more):
            yield from stage.at_the_end([stage.play(sample, style)])
        others = [s for s in play.samples if with_siblings and s is not sample]
        right = [stage.play(other, STYLES[0]) for other in others]
        yield from stage.at_the_end(right)
        for wrong in lies:
            lied = stage.play(sample, wrong.name or wrong.kind, wrong)
            yield stage.at_the_end([lied, *right])[0]
    finally:
        stage.close()
