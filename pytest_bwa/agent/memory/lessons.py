"""Lessons across runs: how they are learnt, recalled, promoted and forgotten, in memory.json."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from pytest_bwa.agent.memory.locked_file import LockedFile
from pytest_bwa.agent.memory.plain_text import plain, web_host_of
from pytest_bwa.errors import InputError
from pytest_bwa.spec.network.urls import is_within
from pytest_bwa.steps.step import ANSWERS, FOR_A_MODEL, INTERACTIVE_ROLES, LOOPS_OWN, Step

MIN_WORDS, MAX_WORDS = 3, 10
_ADDRESS = re.compile(r"\b\w+://\S*")
# From the first quote to the last, so that a name with quotes in it leaves nothing behind.
_QUOTED = re.compile(r"[\"“”„«»](?:.*[\"“”„«»])?", re.S)
# Only where brackets cannot be a half of those around a page's text: numbers, begin and end.
_BRACKETED = re.compile(r"\[\d+\]|^\s*\(.*\)|\([^()]*\)\s*$", re.S)
_PLAIN_WORDS = re.compile(r"[a-z' -]+")


def error_pattern(error: str) -> str:
    """The clause of an error that does not depend on the page, such as ``is not a text field``;
    empty if too little is left to recognize the error by.

    Errors quote everything that comes from a page. So the clause is what stands before the first
    quote or after the last one, without addresses, numbers and brackets.
    """
    clauses = [_clause(part) for part in _QUOTED.split(error)]
    return max(clauses, key=lambda clause: len(clause.split()), default="")


def _clause(text: str) -> str:
    """The first clause of a text; empty if it has anything but a few plain words."""
    text = _BRACKETED.sub(" ", text)
    if re.search(r"[()\[\]]", text):  # what stood in these brackets is cut in two by a quote
        return ""
    clause = re.split(r"[:;\n]", _ADDRESS.sub(" ", text).strip(" ,;:.…—-"))[0]
    words = re.sub(r"\w*\d\w*|[,.]", " ", clause).lower().split()
    line = " ".join(words)
    return line if MIN_WORDS <= len(words) <= MAX_WORDS and _PLAIN_WORDS.fullmatch(line) else ""


_NO_RECOVERY = ANSWERS | FOR_A_MODEL | {"screenshot", "wait", "scroll", "find", "extract"}
"""Actions after which nothing can be said about what failed before."""
_LEAVING = frozenset({"goto", "back", "switch_tab"})
"""These recover only a link that could not be clicked: anything else was given up."""


def learn(steps: Sequence[Step], today: date) -> list[tuple[Lesson, str]]:
    """The lessons of one sample, each once, with the host of the page where it was learnt."""
    found: dict[tuple[str | None, ...], tuple[Lesson, str]] = {}
    own = [step for step in steps if step.intent not in LOOPS_OWN]
    for at, (failed, recovery) in enumerate(pairwise(own)):
        pattern = error_pattern(failed.error or "")
        if not pattern or not _is_recovery(failed, recovery):
            continue
        host = web_host_of(failed.url)
        lessons = [_general_lesson(failed, recovery, pattern, today)]
        if host and at + 2 < len(own) and _is_repeated(failed, own[at + 2]):
            lessons.append(_lesson_of_site(failed, recovery, pattern, host, today))
        for lesson in lessons:
            found.setdefault(lesson.key, (lesson, host))
    return list(found.values())


def _is_recovery(failed: Step, recovery: Step) -> bool:
    """Whether another action worked on the page where the first failed."""
    if recovery.action in _LEAVING and (failed.target is None or failed.target.role != "link"):
        return False
    return (
        not failed.success
        and recovery.success
        and recovery.changed is not False
        and recovery.action != failed.action
        and failed.action not in _NO_RECOVERY
        and recovery.action not in _NO_RECOVERY
        and recovery.url == failed.url
    )


def _is_repeated(failed: Step, later: Step) -> bool:
    """Whether the action that failed worked on the same element after the recovery."""
    is_same = later.action == failed.action and later.target == failed.target
    return is_same and later.success and failed.target is not None


def _general_lesson(failed: Step, recovery: Step, pattern: str, today: date) -> Lesson:
    return Lesson(
        lesson=f'If {failed.action} fails with "{pattern}", try {_words(recovery)}.',
        category="error_recovery",
        failed_command=failed.action,
        error_pattern=pattern,
        created_at=today,
        last_used=today,
    )


def _lesson_of_site(failed: Step, recovery: Step, pattern: str, host: str, today: date) -> Lesson:
    """What made the action possible that had failed: on this site it may be needed first."""
    return Lesson(
        lesson=f'On this site, {failed.action} may fail with "{pattern}" until you '
        f"{_words(recovery)}: do that first.",
        category="site_specific",
        failed_command=failed.action,
        error_pattern=pattern,
        domain=host,
        created_at=today,
        last_used=today,
    )


def _words(step: Step) -> str:
    """The action without any text of the page: its name, the key pressed or the target's role."""
    if step.action == "press" and _is_key(step.params.get("key")):
        return f"press {step.params['key']}"
    role = step.target.role if step.target is not None else ""
    return f"{step.action} on a {role}" if role in INTERACTIVE_ROLES else step.action


def _is_key(key: object) -> bool:
    """Whether this is one named key, and not a text that was typed."""
    return isinstance(key, str) and key.isascii() and key.isalpha() and 3 <= len(key) <= 10


Category = Literal["tool_fallback", "best_practice", "error_recovery", "site_specific"]
Event = dict[str, Any]
TIER_1: tuple[Category, ...] = ("tool_fallback", "best_practice")
"""The categories that every prompt of a run contains; the others are recalled on occasion."""
MAX_TIER_1 = 10
MAX_RECALLED = 3
PROMOTION_USES, PROMOTION_DOMAINS = 5, 3
KEPT_DAYS, KEPT_USES = 90, 5
MAX_LESSONS = 500
MAX_DOMAINS = 20


class Lesson(BaseModel):
    """One lesson. ``use_count`` counts how often it was learnt again after the first time."""

    model_config = ConfigDict(frozen=True)

    lesson: str
    category: Category
    failed_command: str | None = None
    """The action that failed, such as ``click``."""
    error_pattern: str | None = None
    """Words that the error contains."""
    domain: str | None = None
    """The site that the lesson is about; None for all."""
    use_count: int = Field(default=0, ge=0)
    created_at: date
    last_used: date
    source: Literal["seed", "learned"] = "learned"
    triggered_domains: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str | None, ...]:
        """What makes two lessons the same one."""
        if self.failed_command is None:
            return (None, plain(self.lesson), self.domain)
        return (self.failed_command, self.error_pattern, self.domain)

    @property
    def id(self) -> str:
        """Short, and the same on every machine."""
        return hashlib.sha256(json.dumps(self.key).encode()).hexdigest()[:8]

    @property
    def text(self) -> str:
        """The advice as prompts may show it."""
        return plain(self.lesson)

    @property
    def is_seed(self) -> bool:
        return self.source == "seed"

    def fits_error(self, command: str, pattern: str, host: str) -> bool:
        is_here = self.domain is None or is_within(host, self.domain)
        is_same = self.failed_command == command and bool(self.error_pattern)
        return is_same and is_here and f" {self.error_pattern} " in f" {pattern} "


def seeds(today: date) -> list[Lesson]:
    """The lessons of the first run."""
    return [
        Lesson(
            lesson=text,
            category=category,
            failed_command=command,
            error_pattern=pattern,
            created_at=today,
            last_used=today,
            source="seed",
        )
        for category, command, pattern, text in _SEEDS
    ]


_SEEDS: tuple[tuple[Category, str | None, str | None, str], ...] = (
    (
        "tool_fallback",
        "type",
        "is not a text field",
        "If type is refused, click the element, then press the text in quotes.",
    ),
    (
        "best_practice",
        None,
        None,
        "Send a search with type's enter, not with its button.",
    ),
    (
        "best_practice",
        "click",
        "something else on the page covers it",
        "If something covers an element, press Escape first.",
    ),
)


SEED_TEXTS = frozenset(text for *_, text in _SEEDS)
"""These, and no other lesson, are our own words, whatever memory.json says of a lesson."""


class LessonBook:
    """All lessons, by key. Changes return the events that describe them."""

    def __init__(self, lessons: Iterable[Lesson] = ()) -> None:
        self._lessons = {lesson.key: lesson for lesson in lessons}

    def __iter__(self) -> Iterator[Lesson]:
        return iter(self._lessons.values())

    def __len__(self) -> int:
        return len(self._lessons)

    # -- what a prompt gets --------------------------------------------------------------------

    def tier_1(self) -> list[Lesson]:
        """The lessons of every prompt: seeds first, then the most used."""
        eligible = [x for x in self if x.category in TIER_1 and x.domain is None]
        return sorted(eligible, key=lambda x: (not x.is_seed, -x.use_count, x.id))[:MAX_TIER_1]

    def for_error(self, command: str, error: str, host: str) -> list[Lesson]:
        """The lessons about an action that failed with this error."""
        pattern = error_pattern(error)
        return _most_used(x for x in self if x.fits_error(command, pattern, host))

    def for_domain(self, host: str) -> list[Lesson]:
        """The lessons about a site, those about the domains that it belongs to included."""
        return _most_used(x for x in self if x.domain is not None and is_within(host, x.domain))

    # -- how lessons come, rise and go ---------------------------------------------------------

    def record(self, new: Lesson, host: str, today: date) -> list[Event]:
        """Add the lesson, or count that it was learnt again."""
        old = self._lessons.get(new.key)
        if old is None:
            first = {"use_count": 1, "triggered_domains": (host,) if host else ()}
            added = new.model_copy(update=first)
            self._lessons[new.key] = added
            names = ("lesson", "category", "failed_command", "error_pattern")
            return [{"event": "lesson_recorded", **{n: getattr(added, n) for n in names}}]
        domains = (*(d for d in old.triggered_domains if d != host), *([host] if host else []))
        changes = {
            "use_count": old.use_count + 1,
            "last_used": today,
            "triggered_domains": domains[-MAX_DOMAINS:],
        }
        again = old.model_copy(update=changes)
        self._lessons[new.key] = again
        counted = {"lesson": again.text, "new_use_count": again.use_count}
        return [{"event": "lesson_deduplicated", **counted}, *self._promoted(again)]

    def _promoted(self, lesson: Lesson) -> list[Event]:
        """Promote a lesson that has proven itself on several sites."""
        domains = lesson.triggered_domains
        if (
            lesson.category != "error_recovery"
            or lesson.domain is not None
            or lesson.use_count < PROMOTION_USES
            or len(domains) < PROMOTION_DOMAINS
        ):
            return []
        changed = lesson.model_copy(update={"category": "best_practice"})
        self._lessons[lesson.key] = changed
        event = {"event": "lesson_promoted", "lesson": lesson.text}
        return [{**event, "use_count": lesson.use_count, "triggered_domains": list(domains)}]

    def renew(self, ids: Collection[str], today: date) -> bool:
        """Note that these lessons were recalled in a sample that was then done; returns whether
        that changed anything."""
        stale = [x for x in self if x.id in ids and x.last_used < today]
        for lesson in stale:
            self._lessons[lesson.key] = lesson.model_copy(update={"last_used": today})
        return bool(stale)

    def prune(self, today: date) -> list[Event]:
        """Remove what was hardly used and not for a long time; seeds stay."""
        limit = today - timedelta(days=KEPT_DAYS)
        stale = [
            x for x in self if not x.is_seed and x.last_used < limit and x.use_count < KEPT_USES
        ]
        kept = [x for x in self if x not in stale]
        surplus = sorted((x for x in kept if not x.is_seed), key=lambda x: (x.last_used, x.id))
        stale += surplus[: max(0, len(kept) - MAX_LESSONS)]
        for lesson in stale:
            del self._lessons[lesson.key]
        counts = {"pruned_count": len(stale), "remaining_count": len(self)}
        return [{"event": "lessons_pruned", **counts}] if stale else []

    def forget(self, lesson_id: str) -> Lesson | None:
        """Remove the lesson with this id; returns it, or None if there is none."""
        found = next((x for x in self if x.id == lesson_id), None)
        if found is not None:
            del self._lessons[found.key]
        return found


def _most_used(lessons: Iterable[Lesson]) -> list[Lesson]:
    return sorted(lessons, key=lambda x: (-x.use_count, x.id))[:MAX_RECALLED]


def texts(lessons: Sequence[Lesson]) -> list[str]:
    return [lesson.text for lesson in lessons]


MEMORY = "memory.json"
Result = TypeVar("Result")


class LessonFile(BaseModel):
    """What memory.json contains."""

    version: Literal[1] = 1
    lessons: list[Lesson] = []


class LessonStore:
    """Reads and changes memory.json; two runs at once lose nothing. Raises EvidenceError."""

    def __init__(self, home: Path) -> None:
        folder = home.expanduser()
        self._file = LockedFile(folder / MEMORY, folder / f"{MEMORY}.lock", LessonFile)

    @property
    def path(self) -> Path:
        return self._file.path

    @property
    def problems(self) -> list[str]:
        """What was wrong with the file, a line for each."""
        return self._file.problems

    def open(self) -> tuple[LessonBook, list[Event]]:
        """The lessons with which a run starts, after old ones were pruned."""
        return self.change(lambda book: (book, book.prune(today())))

    def record(self, found: Sequence[tuple[Lesson, str]], renewed: Collection[str]) -> list[Event]:
        """Add what a sample learnt, each with its host, and renew the lessons that it used."""

        def change(book: LessonBook) -> list[Event]:
            book.renew(renewed, today())
            return [event for x, host in found for event in book.record(x, host, today())]

        return self.change(change)

    def change(self, change: Callable[[LessonBook], Result]) -> Result:
        """Change the lessons while no other process does."""
        with self._file.locked():
            content = self._file.read()
            before = content.lessons if content else []
            book = LessonBook(before if content else seeds(today()))
            result = change(book)
            if content is None or list(book) != before:
                self._file.write(LessonFile(lessons=list(book)))
        return result


def today() -> date:
    return datetime.now(UTC).date()


def list_lessons(home: Path) -> Iterator[str]:
    """A line for each lesson, and what was wrong with the file. Raises EvidenceError."""
    store = LessonStore(home)
    book, _ = store.open()
    yield from store.problems
    yield f"{len(book)} lessons in {store.path}"
    for lesson in sorted(book, key=lambda x: (x.category not in TIER_1, -x.use_count, x.id)):
        yield f"{lesson.id}  {_about(lesson)}  {lesson.text}"


def forget(home: Path, lesson_id: str) -> Iterator[str]:
    """Remove a lesson; says which. Raises InputError if there is none, or EvidenceError."""
    store = LessonStore(home)
    removed = store.change(lambda book: book.forget(lesson_id))
    yield from store.problems
    if removed is None:
        raise InputError(f'there is no lesson "{lesson_id}": bwa lessons lists them')
    yield f"forgotten: {removed.text}"


def _about(lesson: Lesson) -> str:
    """Category, uses and site, in columns."""
    site = lesson.domain or "all sites"
    return f"{lesson.category:14} {lesson.use_count:3} uses  {lesson.source:7}  {site}"
