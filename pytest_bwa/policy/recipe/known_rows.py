"""The known rows of a run that teach its recipe: they are looked at before any sample is run.

Each is run once by the policy alone, and what it saw is kept beside the lessons; all workers share
them by files. A known row is then read like every other one.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from pytest_bwa.evidence.file_lock import lock_within, locked
from pytest_bwa.evidence.files import make_folder, write_atomically
from pytest_bwa.evidence.folder import LIVE, RunFolder
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import RecipeUse, SampleResult
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.policy.base import Policy
from pytest_bwa.policy.recipe.examples import Taught, taught_by
from pytest_bwa.policy.recipe.lesson import Lesson, lesson_of
from pytest_bwa.policy.recipe.store import RecipeStore
from pytest_bwa.proof.observed import Observed
from pytest_bwa.spec.known import known_values
from pytest_bwa.spec.redaction import MASK
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Step

MAX_WAIT = 120.0
"""Seconds that a worker waits at most for what others look at."""


class KnownRows:
    """As one worker sees them. In a look it stands where the recipe does in a sample."""

    def __init__(
        self, store: RecipeStore, folder: RunFolder, task: TaskSpec, samples: Sequence[Sample]
    ) -> None:
        self._store, self._run, self._task, self._samples = store, folder, task, samples
        self._folder = folder.path / LIVE / "known"
        self._is_over = False

    def looks(self) -> Iterator[tuple[Sample, Path]]:
        """The rows that nobody has looked at, each with a folder for it. What they teach is in the
        recipe when there are no more; nobody waits for a worker that has died, nor for long."""
        if self._is_over or self._store.recipe is not None:
            return
        end = time.monotonic() + MAX_WAIT
        for waits in (False, True):
            for sample in self._samples:
                seconds = max(0.0, end - time.monotonic()) if waits else 0.0
                yield from self._look(sample, seconds)
        self._is_over = True
        self._teach()

    def _look(self, sample: Sample, seconds: float) -> Iterator[tuple[Sample, Path]]:
        path = self._path(sample)
        make_folder(self._folder)
        lock = None if path.exists() else lock_within(path.with_suffix(".lock"), seconds)
        if lock is None:
            return
        try:
            if not path.exists():
                yield sample, path.with_suffix("")
                if not path.exists():
                    write_atomically(path, b"it could not be opened", durable=False)
        finally:
            lock.release()

    def _path(self, sample: Sample) -> Path:
        return self._folder / f"{self._samples.index(sample):04}.json"

    def _teach(self) -> None:
        """Make the recipe, once for all workers."""
        marker = self._folder / "taught"
        with locked(marker, marker.with_suffix(".lock")):
            if marker.exists():
                return
            looked = [(sample, self._path(sample)) for sample in self._samples]
            examples = list(_read(path for _, path in looked))
            taught = taught_by(self._task, examples)
            self._store.add(*taught.lessons)
            seen = {example.sample_id for example in examples}
            unseen = {
                s.sample_id: p.read_text()
                for s, p in looked
                if s.sample_id not in seen and p.exists()
            }
            self._say(taught, unseen)
            write_atomically(marker, b"", durable=False)

    def _say(self, taught: Taught, unseen: Mapping[str, str]) -> None:
        """Put into run.json what was taught, and what was not."""
        if (recipe := self._run.record().recipe) is None:
            return
        changes = {"taught": taught.fields, "untaught": taught.untaught, "unseen": unseen}
        self._run.update(recipe=recipe.model_copy(update=changes))

    # -- in a look -----------------------------------------------------------------------------

    def policy_for(self, policy: Policy, task: TaskSpec, sample: Sample) -> Policy | None:
        """Nothing stands in front of the policy."""
        return None

    def use_of(self, policy: Policy) -> RecipeUse | None:
        return None

    def learn(
        self,
        sample: Sample,
        result: SampleResult,
        writer: SampleWriter | None,
        observed: Observed,
    ) -> None:
        """Keep what a row showed, with what is known of it, or why it shows nothing."""
        path = self._path(sample)
        example = self._example(sample, result, writer.steps if writer else [], observed)
        if example is None or writer is None:
            write_atomically(path, f"{result.ending}: {result.reason}".encode(), durable=False)
        else:
            write_atomically(path, _masked(example, writer), durable=False)

    def _example(
        self, sample: Sample, result: SampleResult, log: Sequence[Step], observed: Observed
    ) -> Lesson | None:
        """Its whole walk, as of an answer of which nobody knows yet where it stands."""
        if result.outcome in ("not_found", "access_denied", "blocked"):
            return None
        answered = {
            "status": "done",
            "flagged": False,
            "outcome": "found",
            "extracted": {},
            "grounding": {"": Grounding(how="unseen")},
        }
        lesson = lesson_of(self._task, sample, result.model_copy(update=answered), log, observed)
        known = known_values(self._task, sample)
        values = {name: known[name] for name in known if name in self._task.output_schema}
        return replace(lesson, values=values, grounding={}) if lesson is not None else None


@cache
def _file() -> TypeAdapter[Lesson]:
    """Made when it is needed: this takes 9 ms."""
    return TypeAdapter(Lesson)


def _masked(example: Lesson, writer: SampleWriter) -> bytes:
    """With a mask for what its pages say of secrets."""
    text = _file().dump_json(example).decode()
    for part in writer.redactor.secrets_in(text):
        text = text.replace(part, MASK)
    return text.encode()


def _read(paths: Iterable[Path]) -> Iterator[Lesson]:
    for path in paths:
        with suppress(OSError, ValidationError):  # what shows nothing has a reason instead
            yield _file().validate_json(path.read_bytes())
