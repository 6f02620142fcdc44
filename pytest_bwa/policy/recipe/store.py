"""The recipe of one run, which all workers share by files.

``recipe.yaml`` in the run folder is the recipe. What samples teach lies in ``.live``, and is
deleted with it: it has pages and values. Whoever adds a lesson makes the recipe anew, under a lock.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from filelock import BaseFileLock

from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.evidence.file_lock import Seats, lock_within, locked
from pytest_bwa.evidence.files import make_folder, write_atomically
from pytest_bwa.evidence.folder import LIVE, RunFolder
from pytest_bwa.evidence.record import RecipeUse, SampleResult
from pytest_bwa.evidence.run_record import RecipeRecord
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.policy.base import Policy
from pytest_bwa.policy.recipe.compiling import CONFIRMED, compile_ways
from pytest_bwa.policy.recipe.endings import Endings
from pytest_bwa.policy.recipe.lesson import (
    Lesson,
    SecretsIn,
    lesson_of,
    no_secrets,
    read_lessons,
    write_lesson,
)
from pytest_bwa.policy.recipe.policy import RecipePolicy
from pytest_bwa.policy.recipe.reading import FieldReader
from pytest_bwa.policy.recipe.recipe import (
    LEARN,
    ONLY,
    RECIPE,
    Recipe,
    WayRecipe,
    read_recipe,
    spec_hash,
)
from pytest_bwa.proof.observed import Observed
from pytest_bwa.spec.known import OUTCOME
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import RECIPE_SAMPLES
from pytest_bwa.spec.secrets import typed_by_policy
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import utc_now

LESSONS, OTHERS = "lessons", "others"
"""What teaches a way, and what only says where samples were failed, or answered with a doubt."""
MAX_ALONE = 2 * RECIPE_SAMPLES
"""Samples after which no worker waits for others: if they taught nothing, the next may not, too."""
MAX_WAIT = 120.0
"""Seconds that a worker waits at most for what others learn."""
MAX_WAIT_FOR_ANSWER = 20.0
"""Seconds that a worker waits at most while another one asks a model about the same: a model needs
that long for one or two decisions, and the sample's own time goes by."""
SECONDS_BETWEEN = 0.1
MAX_LESSONS = 36
"""Lessons of each sort that are kept; what so many did not teach is left to the policy."""


class RecipeStore:
    """The recipe as one worker sees it."""

    def __init__(
        self,
        folder: RunFolder,
        task: TaskSpec,
        mode: str,
        *,
        kept: Recipe | None = None,
        versions: dict[str, str] | None = None,
    ) -> None:
        """``kept`` is the recipe that was given; what is learnt is added to it."""
        self._asking: BaseFileLock | None = None
        self.folder, self.mode, self._kept = folder, mode, kept
        self._task, self._versions = task, versions or {}
        self._path, self._live = folder.path / RECIPE, folder.path / LIVE / "recipe"
        self._read: tuple[tuple[int, int], Recipe] | None = None
        self._has_few_results = True
        """As last counted: they never become fewer, and to count them lists all folders."""

    @property
    def recipe(self) -> Recipe | None:
        """The recipe as it is now; None if there is none yet. A broken file is set aside."""
        try:
            stat = self._path.stat()
        except OSError:
            return None
        version = (stat.st_mtime_ns, stat.st_size)
        if self._read is None or self._read[0] != version:
            try:
                self._read = version, read_recipe(self._path)
            except InputError as problem:
                self._set_aside(str(problem))
                return None
        return self._read[1]

    def policy_for(self, policy: Policy, task: TaskSpec, sample: Sample) -> RecipePolicy | None:
        """What decides for a sample in front of its policy; None if no recipe is in use, and the
        policy may decide alone."""
        self._stop_asking()  # of a sample that could not be written
        asked = self.mode != ONLY
        recipe = self.recipe or (None if asked else self._kept)
        if recipe is None or (asked and recipe.rests):
            return None
        newest = self._after_others if asked and policy.model else lambda why: self.recipe
        return RecipePolicy(recipe, policy, task, sample, asked=asked, newest=newest)

    @staticmethod
    def use_of(policy: Policy) -> RecipeUse | None:
        """What became of the recipe in a sample with this policy; None if there was none."""
        return policy.use if isinstance(policy, RecipePolicy) else None

    # -- asking --------------------------------------------------------------------------------

    def _after_others(self, why: str) -> Recipe | None:
        """The recipe, as soon as no other worker asks a model about a sample that does not fit for
        the same reason: this worker may not need to ask, too. Where many have asked in vain, nobody
        waits."""
        self._stop_asking()
        path = self._live / f"asked-{hashlib.sha256(why.encode()).hexdigest()[:16]}"
        with suppress(EvidenceError, OSError):  # a file system without locks: then nobody waits
            make_folder(self._live)
            if not path.exists() or path.stat().st_size < MAX_ALONE:
                self._asking = lock_within(path.with_suffix(".lock"), MAX_WAIT_FOR_ANSWER)
                with path.open("ab") as stream:  # a byte for each that asked
                    stream.write(b".")
        return self.recipe

    def _stop_asking(self) -> None:
        """Let others ask, who wait for the answer of this worker's sample."""
        if self._asking is not None:
            self._asking.release()
            self._asking = None

    # -- learning ------------------------------------------------------------------------------

    @contextmanager
    def turn_to_learn(self) -> Iterator[None]:
        """Wait while others read as many samples as the recipe still needs: what they learn, this
        worker need not ask a model for. Nobody waits for a worker that has died, nor for long."""
        seat = None
        with suppress(EvidenceError):  # a file system without locks: then nobody waits
            seat = self._seat()
        try:
            yield
        finally:
            if seat is not None:
                seat.release()

    def _seat(self) -> BaseFileLock | None:
        """A place among those who learn, or None if there is nothing to wait for (any more)."""
        seats, end = Seats(self._live, RECIPE_SAMPLES), time.monotonic() + MAX_WAIT
        while self._is_about_to_learn() and time.monotonic() < end:
            with self._locked():
                seat = seats.take(RECIPE_SAMPLES - len(self._lesson_paths()))
            if seat is not None:
                return seat
            time.sleep(SECONDS_BETWEEN)
        if self.mode == LEARN and self.recipe is None:
            with self._locked():  # the last lesson is there, and the recipe is just being made
                pass
        return None

    def _is_about_to_learn(self) -> bool:
        """Whether a few samples more may make the first recipe of this run."""
        if self.mode != LEARN or self.recipe is not None or typed_by_policy(self._task):
            return False
        if self._has_few_results:
            self._has_few_results = len(self.folder.finished()) < MAX_ALONE
        return self._has_few_results and len(self._lesson_paths()) < RECIPE_SAMPLES

    def learn(
        self,
        sample: Sample,
        result: SampleResult,
        writer: SampleWriter | None,
        observed: Observed,
    ) -> None:
        """Keep what the policy did in a sample, and make the recipe anew. What fails there is noted
        in run.json: it costs no sample."""
        is_replayed = result.recipe is not None and result.recipe.is_replayed
        try:
            if self.mode == ONLY or is_replayed:
                return
            log = writer.steps if writer else []
            lesson = lesson_of(self._task, sample, result, log, observed)
            if lesson is not None and writer is not None:
                self.add(lesson, writer.redactor.secrets_in)
        except EvidenceError as problem:
            self.folder.add_note(f"recipe: {problem}")
        finally:
            self._stop_asking()

    def add(self, lesson: Lesson, secrets_in: SecretsIn = no_secrets) -> None:
        """Keep a lesson, and make the recipe anew. Raises EvidenceError."""
        with self._locked():
            folder, recipe = LESSONS if lesson.teaches_way else OTHERS, self.recipe
            number = len(self._lesson_paths(folder))
            is_full = max(number, len(self._lesson_paths())) >= MAX_LESSONS
            rests = recipe is not None and recipe.rests
            if not is_full and not rests:  # it must not be made anew after a check
                make_folder(self._live / folder)
                name = f"{number:04}-{lesson.sample_id}.json"
                write_lesson(self._live / folder / name, lesson, secrets_in)
                self._compile()

    def _compile(self) -> None:
        lessons, others = (read_lessons(self._lesson_paths(name)) for name in (LESSONS, OTHERS))
        base: list[WayRecipe] = list(self._kept.ways) if self._kept else []
        ways = compile_ways(self._task, lessons, CONFIRMED if base else RECIPE_SAMPLES)
        known = (*base, *ways)
        if not known:
            return
        endings = Endings(known[0], FieldReader(self._task)).compiled([*lessons, *others])
        if not ways and not endings:
            return
        recipe = Recipe(
            task_id=self._task.task_id,
            spec_sha256=spec_hash(self._task),
            versions=self._versions,
            ways=known,
            endings=(*(self._kept.endings if self._kept else ()), *endings),
        )
        self._write(recipe)

    def rest(self, why: str) -> None:
        """Use the recipe no more. Raises EvidenceError."""
        with self._locked():
            if (recipe := self.recipe) is not None and not recipe.rests:
                self._write(recipe.model_copy(update={"rests": why}))

    def begin(self) -> None:
        """Put the recipe that was given into the run folder. Raises EvidenceError."""
        with self._locked():
            if self._kept is not None and not self._path.exists():
                self._write(self._kept)
            if self.folder.record().recipe is None:
                self.folder.update(recipe=RecipeRecord(mode=self.mode))

    # -- checking ------------------------------------------------------------------------------

    def is_read_by_it(self, result: SampleResult) -> bool:
        """Whether the recipe went with a sample to its end, and is still in use."""
        use, recipe = result.recipe, self.recipe
        is_in_use = recipe is not None and not recipe.rests
        return is_in_use and use is not None and use.kind != "handed_over"

    def names_read(self, result: SampleResult) -> list[str]:
        """What it read in such a sample, or how it ended it."""
        fields = list(self._task.output_schema)
        if result.recipe is None or result.recipe.kind != "gathered":
            return [*fields, OUTCOME]
        ways = self.recipe.ways if self.recipe else ()
        return [name for name in fields if not any(name in way.by_model for way in ways)]

    def _write(self, recipe: Recipe) -> None:
        write_atomically(self._path, recipe.to_yaml().encode())

    def _locked(self) -> AbstractContextManager[None]:
        return locked(self._path, self._live / "recipe.lock")

    def _lesson_paths(self, folder: str = LESSONS) -> list[Path]:
        return sorted((self._live / folder).glob("*.json"))

    def _set_aside(self, problem: str) -> None:
        time = utc_now().replace("-", "").replace(":", "")
        target = self._path.with_name(f"{RECIPE}.broken-{time}")
        try:
            self._path.rename(target)
        except FileNotFoundError:  # another worker was faster
            return
        except OSError as error:
            raise EvidenceError(f"{self._path} cannot be renamed: {error}") from error
        then = "the one that was given is used" if self.mode == ONLY else "is learnt anew"
        self.folder.add_note(f"{problem}; it is now {target.name}, and {then}")
