"""The hints and lessons that one sample gets while it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pytest_bwa.agent.memory.lessons import Event, Lesson, LessonBook, texts
from pytest_bwa.agent.memory.plain_text import plain, web_host_of
from pytest_bwa.evidence.memory_events import HINTS_SHOWN
from pytest_bwa.policy.base import NO_ADVICE, Advice

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

    def advice_for(self, step: int, url: str) -> Advice:
        """What the system prompt of this decision says."""
        host = web_host_of(url)
        if step > HINT_STEPS or not host:
            return self.advice
        if host not in self._hints:
            self._hints[host] = self.find_hints(host)
            if hints := self._hints[host]:
                event = {"event": HINTS_SHOWN, "domain": host, "count": len(hints)}
                self.on_event({**event, "hints": list(hints)})
        return replace(self.advice, hints=self._hints[host])

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
