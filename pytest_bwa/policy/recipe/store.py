"""The recipe of one run, which all workers share by files.

``recipe.yaml`` in the run folder is the recipe. What samples taught lies in ``.live``, and is
deleted with it: it has texts of pages. Whoever adds a lesson makes the recipe anew, under a lock.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache

from filelock import BaseFileLock
from pydantic import TypeAdapter, ValidationError

from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.evidence.expected import in_quotes
from pytest_bwa.evidence.file_lock import Seats, lock_within, locked
from pytest_bwa.evidence.files import make_folder, write_atomically
from pytest_bwa.evidence.folder import LIVE, RunFolder
from pytest_bwa.evidence.record import RecipeUse, SampleResult
from pytest_bwa.evidence.run_record import RecipeRecord
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.policy.base import Policy
from pytest_bwa.policy.recipe.compiling import read_fields, ways_of
from pytest_bwa.policy.recipe.endings import Endings
from pytest_bwa.policy.recipe.lesson import Lesson, lesson_of
from pytest_bwa.policy.recipe.policy import RecipePolicy
from pytest_bwa.policy.recipe.reading import FieldReader
from pytest_bwa.policy.recipe.recipe import (
    LEARN,
    ONLY,
    RECIPE,
    Recipe,
    read_recipe,
    spec_hash,
)
from pytest_bwa.policy.recipe.shape import CONFIRMED
from pytest_bwa.policy.recipe.sketch import Sketch, Sketcher
from pytest_bwa.proof.observed import Observed
from pytest_bwa.spec.known import OUTCOME
from pytest_bwa.spec.redaction import MASK
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import RECIPE_SAMPLES
from pytest_bwa.spec.secrets import typed_by_policy
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import utc_now

LEARNT = "learnt.json"
MAX_ALONE = 2 * RECIPE_SAMPLES
"""Samples after which no worker waits for others: if they taught nothing, the next may not, too."""
MAX_WAIT = 120.0
"""Seconds that a worker waits at most for what others learn."""
MAX_WAIT_FOR_ANSWER = 20.0
"""Seconds that a worker waits at most while another one asks a model about the same: a model needs
that long for one or two decisions, and the sample's own time goes by."""
SECONDS_BETWEEN = 0.1
MAX_LESSONS = 36
"""Samples of each sort that are learnt from; what so many did not teach is left to the policy."""
ENOUGH = 6
"""Samples after which only those that were handed over may teach something new."""
MAX_IN_VAIN = 10
"""Samples after which a recipe must have saved something."""
SAVED = "saved"
SecretsIn = Callable[[str], Iterable[str]]
"""The parts of a text that say a secret."""


def _no_secrets(text: str) -> tuple[str, ...]:
    return ()


@dataclass
class Learnt:
    """What samples have taught so far."""

    sketches: list[Sketch] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    """The fields that the policy is to read, and why."""
    is_said: bool = False
    """Whether the run has said which fields are not learnt."""

    @property
    def teaching(self) -> int:
        return sum(sketch.teaches_way for sketch in self.sketches)

    def has_room_for(self, lesson: Lesson) -> bool:
        """Answers with a doubt take no room from others."""
        others = len(self.sketches) - self.teaching
        return (self.teaching if lesson.teaches_way else others) < MAX_LESSONS


@cache
def _learnt_file() -> TypeAdapter[Learnt]:
    """Made when it is needed: this takes time, and most runs have no recipe."""
    return TypeAdapter(Learnt)


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
                seat = seats.take(RECIPE_SAMPLES - self._learnt().teaching)
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
        return self._has_few_results and self._learnt().teaching < RECIPE_SAMPLES

    def learn(
        self,
        sample: Sample,
        result: SampleResult,
        writer: SampleWriter | None,
        observed: Observed,
    ) -> None:
        """Learn from what the policy did in a sample, if that may still be worth it. What fails
        there is noted in run.json: it costs no sample."""
        try:
            if self.mode != ONLY and result.recipe is not None:
                self._count(result.recipe, asked=result.usage.calls > 0)
            if writer is not None and self._may_teach(result.recipe):
                self._leave_out_what_is_wrong(result)
                lesson = lesson_of(self._task, sample, result, writer.steps, observed)
                if lesson is not None:
                    self.add(lesson, secrets_in=writer.redactor.secrets_in)
        except EvidenceError as problem:
            self.folder.add_note(f"recipe: {problem}")
        finally:
            self._stop_asking()

    def _leave_out_what_is_wrong(self, result: SampleResult) -> None:
        """Where a policy errs in a row that is known, it may err in the others in the same way."""
        for name, value in (result.expected or {}).items():
            if value.equal is False and name in self._task.output_schema:
                found, known = in_quotes(value.found), in_quotes(value.expected)
                self.leave_out(name, f"{result.sample_id} has {found}, and {known} is known")

    def _may_teach(self, use: RecipeUse | None) -> bool:
        """Whether there is something to learn: until there is a recipe, and then from a few samples
        more, and from those that it handed over."""
        recipe = self.recipe
        if self.mode == ONLY or (recipe is not None and recipe.rests):
            return False
        if recipe is not None and use is not None and use.kind == "handed_over":
            return True
        return not (use and use.is_replayed) and self._learnt().teaching < ENOUGH

    def add(self, *lessons: Lesson, secrets_in: SecretsIn = _no_secrets) -> None:
        """Learn from these, and make the recipe anew. Raises EvidenceError."""
        with self._locked():
            recipe, learnt = self.recipe, self._learnt()
            if recipe is not None and recipe.rests:  # it must not be made anew after a check
                return
            new = [le for le in lessons if learnt.has_room_for(le)]
            sketcher = Sketcher(FieldReader(self._task), read_fields(self._task))
            learnt.sketches += sketcher.all_of(new, learnt.sketches)
            self._compile(learnt)
            self._keep(learnt, secrets_in)

    def leave_out(self, name: str, why: str) -> None:
        """Leave a field to the policy, for the whole run. Raises EvidenceError."""
        with self._locked():
            learnt = self._learnt()
            if name not in learnt.left_out:
                learnt.left_out[name] = why
                self.folder.add_note(f"recipe: {name} is not read by it: {why}")
                self._compile(learnt)
                self._keep(learnt)

    def _compile(self, learnt: Learnt) -> None:
        base = self._kept.ways if self._kept else ()
        needed = CONFIRMED if base else RECIPE_SAMPLES
        ways = [*base, *ways_of(self._task, learnt.sketches, needed, learnt.left_out)]
        if not ways:
            return self._say_nothing_learnt(learnt)
        endings = Endings(ways[0]).compiled(learnt.sketches)
        if len(ways) == len(base) and not endings and not learnt.left_out:
            return None
        recipe = Recipe(
            task_id=self._task.task_id,
            spec_sha256=spec_hash(self._task),
            versions=self._versions,
            ways=tuple(way.without(learnt.left_out) for way in ways),
            endings=(*(self._kept.endings if self._kept else ()), *endings),
        )
        self._say_not_learnt(learnt, recipe)
        return self._write(recipe)

    def _say_nothing_learnt(self, learnt: Learnt) -> None:
        if learnt.teaching >= ENOUGH:
            self.folder.add_note(
                f"recipe: {learnt.teaching} samples taught nothing that they share: their pages do "
                "not say whose they are, or each was read in another way; no more is learnt"
            )

    def _say_not_learnt(self, learnt: Learnt, recipe: Recipe) -> None:
        """Say once which fields so many samples did not teach, and what may help."""
        left = set.intersection(*(set(way.by_model) for way in recipe.ways))
        names = sorted(left - {*self._task.derived, *learnt.left_out})
        if learnt.teaching >= ENOUGH and names and not learnt.is_said:
            learnt.is_said = True
            self.folder.add_note(
                f"recipe: {', '.join(names)}: {learnt.teaching} samples did not show it at one "
                "place; an alias, a locale or known rows (expected.…) may"
            )

    def _count(self, use: RecipeUse, *, asked: bool) -> None:
        """Keep what became of the recipe in a sample, and whether a model was asked. A recipe that
        saves nothing rests, and a field that it hands most samples over for is left to the policy.
        """
        recipe, (name, _, why) = self.recipe, use.why.partition(": ")
        if recipe is None or recipe.rests:
            return
        saves = recipe.saves_steps or not asked
        is_saved = use.is_replayed or (use.kind == "gathered" and saves)
        is_field = name in self._task.output_schema
        make_folder(self._live)
        with (self._live / "uses").open("a+", encoding="utf-8") as stream:
            stream.write(f"{SAVED if is_saved else name if is_field else '-'}\n")
            stream.seek(0)
            uses = stream.read().splitlines()
        if len(uses) >= MAX_IN_VAIN and SAVED not in uses:
            self.rest(f"{len(uses)} samples saved nothing by it")
            self.folder.add_note("recipe: it is no longer used, because it saved nothing")
        elif is_field and uses[-MAX_IN_VAIN:].count(name) >= ENOUGH:
            self.leave_out(
                name,
                f"{ENOUGH} of {MAX_IN_VAIN} samples were handed over for it, the last because "
                f"{why}; an alias or a locale may help",
            )

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

    def _learnt(self) -> Learnt:
        """What was learnt so far; nothing if a killed worker left it in pieces."""
        try:
            return _learnt_file().validate_json((self._live / LEARNT).read_bytes())
        except (OSError, ValidationError):
            return Learnt()

    def _keep(self, learnt: Learnt, secrets_in: SecretsIn = _no_secrets) -> None:
        """With a mask for what its pages say of secrets."""
        text = _learnt_file().dump_json(learnt).decode()
        for part in secrets_in(text):
            text = text.replace(part, MASK)
        make_folder(self._live)
        write_atomically(self._live / LEARNT, text.encode(), durable=False)

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
