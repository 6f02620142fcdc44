"""Lessons across runs: the record, what is recalled when, and how lessons come, rise and go."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_bwa.agent.memory.error_pattern import error_pattern
from pytest_bwa.agent.memory.plain_text import plain
from pytest_bwa.spec.network.urls import is_within

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
