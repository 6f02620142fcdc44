"""Learns lessons from a sample's action log: an action failed, and the next one worked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from pytest_bwa.agent.memory.error_pattern import error_pattern
from pytest_bwa.agent.memory.lessons import Lesson
from pytest_bwa.agent.memory.plain_text import web_host_of
from pytest_bwa.steps.step import INTERACTIVE_ROLES, LOOPS_OWN, Step

_NO_RECOVERY = frozenset(
    {"done", "fail", "save_progress", "screenshot", "look", "wait", "scroll", "find", "extract"}
)
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
