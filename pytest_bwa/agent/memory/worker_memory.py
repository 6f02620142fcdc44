"""Memory across samples: what one sample is told, and what a worker learns from it when it ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pytest_bwa.agent.memory.lessons import (
    SEED_TEXTS,
    Event,
    Lesson,
    LessonBook,
    LessonFile,
    LessonStore,
    learn,
    seeds,
    texts,
    today,
)
from pytest_bwa.agent.memory.locked_file import LockedFile
from pytest_bwa.agent.memory.plain_text import plain, web_host_of
from pytest_bwa.agent.memory.run_memory import (
    Course,
    Failure,
    Generalizer,
    Pattern,
    RunMemory,
    keywords,
    speaks_of,
)
from pytest_bwa.errors import EvidenceError, ModelFailed
from pytest_bwa.evidence.folder import LIVE, RunFolder
from pytest_bwa.evidence.memory_events import EVENTS, HINTS_SHOWN, EventLog
from pytest_bwa.policy.base import NO_ADVICE, Advice, Distiller, Redact
from pytest_bwa.spec.redaction import redact_addresses
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Observation, Step, Usage

HINT_STEPS = 3
"""Hints are shown in the first steps only: later the sample knows better."""

OnEvent = Callable[[Event], object]


@dataclass(slots=True)
class SampleMemory:
    """Recalls lessons and hints for one sample. Without any, it has nothing to say."""

    advice: Advice = NO_ADVICE
    """The lessons that every decision gets."""
    book: LessonBook = field(default_factory=LessonBook)
    find_hints: Callable[[str], Sequence[str]] = lambda host: ()
    on_event: OnEvent = lambda event: None
    hide: Callable[[str], str] = str
    """Masks the secrets of the sample."""
    recalled: set[str] = field(default_factory=set)
    """The ids of the lessons that were recalled."""
    _host: str = ""
    _hints: dict[str, Sequence[str]] = field(default_factory=dict)
    _announced: set[str] = field(default_factory=set)

    def advice_for(self, step: int, page: Observation) -> Advice:
        """What the system prompt of this decision says: of the hints, those that may be about this
        page."""
        host = web_host_of(page.url)
        if step > HINT_STEPS or not host:
            return self.advice
        if host not in self._hints:
            self._hints[host] = self.find_hints(host)
        names = [element.name for element in page.all_elements]
        hints = [hint for hint in self._hints[host] if speaks_of(hint, names)]
        if new := [hint for hint in hints if hint not in self._announced]:
            self._announced.update(new)
            event = {"event": HINTS_SHOWN, "domain": host, "count": len(new)}
            self.on_event({**event, "hints": new})
        return replace(self.advice, hints=tuple(hints))

    def notices_on(self, url: str) -> list[str]:
        """Notices about the site, when the sample comes to it."""
        host = web_host_of(url)
        if not host or host == self._host or not len(self.book):
            return []
        self._host = host
        lessons = self.book.for_domain(host)
        self._announce({"event": "domain_recall", "domain": host}, lessons)
        return [f"Lesson of earlier runs on {host}: {text}" for text in texts(lessons)]

    def notices_after_error(self, command: str, error: str, url: str) -> list[str]:
        """Notices about an action that failed."""
        if not len(self.book):
            return []
        lessons = self.book.for_error(command, error, web_host_of(url))
        event = {
            "event": "error_recall",
            "command": command,
            "error_snippet": plain(self.hide(error)),
        }
        self._announce(event, lessons)
        return [f"{command} failed. Lesson of earlier runs: {text}" for text in texts(lessons)]

    def _announce(self, event: Event, lessons: Sequence[Lesson]) -> None:
        self.recalled |= {lesson.id for lesson in lessons}
        self.on_event({**event, "matched": len(lessons), "lessons": texts(lessons)})


MEMORY = "memory"
LESSONS = "lessons.json"
MAX_GOAL = 1000
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class EndedSample:
    """How a sample ended, as far as memory needs it."""

    steps: Sequence[Step]
    is_done: bool
    ending: str
    """Status and outcome, without any text of the page or the model."""
    reason: str = ""
    """Why it is not done, without secrets."""
    failed_urls: Sequence[str] = ()
    extracted: Mapping[str, Any] = field(default_factory=dict)
    seconds_left: float | None = None
    distiller: Distiller | None = None
    """Who is asked for advice; None if nobody is."""


class WorkerMemory:
    """Run memory and lessons. Nothing here raises: what cannot be read or written becomes a note
    of the run, once."""

    def __init__(
        self,
        folder: RunFolder,
        task_template: TaskSpec,
        *,
        store: LessonStore | None,
    ) -> None:
        self._folder, self._template, self._store = folder, task_template, store
        locks = folder.path / LIVE / MEMORY
        self._run = RunMemory(folder.path / MEMORY, locks)
        self.events = EventLog(folder.path / EVENTS, locks / f"{EVENTS}.lock")
        self._lessons = LockedFile(locks / LESSONS, locks / f"{LESSONS}.lock", LessonFile)
        self._noted: set[str] = set()
        self._book: LessonBook | None = None
        self._most_decisions: dict[str, int] = {}
        """Of the samples so far that were done, by host."""

    # -- before a sample -----------------------------------------------------------------------

    def for_sample(
        self, task: TaskSpec, sample: Sample, redact: Redact = redact_addresses
    ) -> SampleMemory:
        """Hints and lessons for the sample; ``task`` has its placeholders filled."""
        book = self._lessons_of_run()
        lessons = book.tier_1()
        words = keywords(task.goal)
        return SampleMemory(
            advice=Advice(
                lessons=tuple(x.text for x in lessons if x.text in SEED_TEXTS),
                learnt_lessons=tuple(x.text for x in lessons if x.text not in SEED_TEXTS),
            ),
            book=book,
            find_hints=lambda host: self._try(lambda: self._run.hints(host, words), []),
            on_event=lambda event: self._log([event], sample),
            hide=redact,
        )

    def _lessons_of_run(self) -> LessonBook:
        """The lessons as they were when the run started: the same for all its samples, so that
        the prompt is the same, and can be cached."""
        if self._book is None:
            store = self._store
            empty = LessonBook()
            self._book = empty if store is None else self._try(lambda: self._open(store), empty)
        return self._book

    def _open(self, store: LessonStore) -> LessonBook:
        with self._lessons.locked():
            content = self._lessons.read()
            if content is not None:
                return LessonBook(content.lessons)
            first = LessonBook(seeds(today()))
            book, events = self._try(store.open, (first, list[Event]()))
            self._lessons.write(LessonFile(lessons=list(book)))
        tier_1 = book.tier_1()
        loaded = {"event": "tier1_loaded", "count": len(tier_1), "lessons": texts(tier_1)}
        self._log([*events, loaded])
        self._folder.update(lessons=[lesson.id for lesson in tier_1])
        return book

    # -- after a sample ------------------------------------------------------------------------

    def learn(
        self, memory: SampleMemory, sample: Sample, task: TaskSpec, end: EndedSample
    ) -> Usage:
        """Keep what later samples and later runs should know; returns what that cost."""
        if self._store is not None:
            self._learn_lessons(self._store, memory, sample, end)
        return self._try(lambda: self._learn_for_run(sample, task, end), Usage())

    def _learn_for_run(self, sample: Sample, task: TaskSpec, end: EndedSample) -> Usage:
        generalizer = Generalizer(self._template, sample, end.extracted)
        course = Course(end.steps, end.failed_urls, generalizer)
        words = keywords(generalizer.text(task.goal, MAX_GOAL))
        return self._add_to_run(course, words, end)

    def _learn_lessons(
        self, store: LessonStore, memory: SampleMemory, sample: Sample, end: EndedSample
    ) -> None:
        renewed = memory.recalled if end.is_done else set()

        def change() -> list[Event]:
            found = learn(end.steps, today())
            return store.record(found, renewed) if found or renewed else []

        self._log(self._try(change, []), sample)

    def _add_to_run(self, course: Course, words: Sequence[str], end: EndedSample) -> Usage:
        if not course.host:
            return Usage()
        is_longer = end.is_done and self._is_longest(course.host, end.steps)
        if end.is_done and course.is_plain:  # it says nothing that the next sample does not know
            return Usage()
        if not end.is_done:
            failure = Failure(
                goal_keywords=list(words),
                dead_urls=course.dead_urls,
                failed_targets=course.failed_targets(),
                reason=course.reason(end.ending, end.reason),
            )
            self._run.add_failure(course.host, failure)
            return Usage()
        pattern = Pattern(
            goal_keywords=list(words),
            actions=course.actions(),
            avoid=course.avoid(),
            pages=course.pages,
        )
        usage = Usage()
        if end.distiller is not None and self._run.takes_advice(
            course.host, pattern, is_longer=is_longer
        ):
            pattern, usage = self._distilled(end.distiller, course, pattern, end.seconds_left)
        self._run.add_pattern(course.host, pattern)
        return usage

    def _is_longest(self, host: str, steps: Sequence[Step]) -> bool:
        """Whether a sample took more decisions than each one before it, if there is any."""
        own, most = sum(s.usage.calls > 0 for s in steps), self._most_decisions.get(host, 0)
        self._most_decisions[host] = max(own, most)
        return 0 < most < own

    def _distilled(
        self, distiller: Distiller, course: Course, pattern: Pattern, seconds_left: float | None
    ) -> tuple[Pattern, Usage]:
        """The pattern with a model's advice; as it is where the model fails."""
        if seconds_left is not None and seconds_left <= 0:
            return pattern, Usage()
        goal, worked, failed = self._template.goal, pattern.actions, pattern.avoid
        try:
            answer = distiller.distill(goal, worked, failed, seconds_left)
        except ModelFailed as problem:
            return pattern, problem.usage or Usage()
        tips, avoid = course.advice_in(answer.text)
        changes = {"tips": tips, "avoid": [*pattern.avoid, *avoid]}
        return pattern.model_copy(update=changes), answer.usage

    # -- what goes wrong -----------------------------------------------------------------------

    def _try(self, act: Callable[[], Result], otherwise: Result) -> Result:
        """The result of the action, or ``otherwise`` if it is not possible: what is learnt for
        others must never cost the sample."""
        problems: list[str] = []
        result = otherwise
        try:
            result = act()
        except EvidenceError as problem:
            problems.append(str(problem))
        except Exception as error:  # noqa: BLE001 - as above
            problems.append(f"{type(error).__name__}: {error}")
        if self._store is not None:
            problems += self._store.problems
        for line in [*problems, *self._run.problems]:
            self._note(f"memory: {line}")
        return result

    def _note(self, note: str) -> None:
        if note in self._noted:
            return
        self._noted.add(note)
        try:
            self._folder.add_note(note)
        except EvidenceError:  # the run folder itself cannot be written: the samples will say so
            return

    def _log(self, events: Sequence[Event], sample: Sample | None = None) -> None:
        sample_id = sample.sample_id if sample else ""
        self._try(lambda: self.events.add(events, sample_id), None)
