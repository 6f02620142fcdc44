"""What samples of one run learn from earlier ones: patterns.json and failures.json."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, Field

from pytest_bwa.agent.memory.distillation import (
    MAX_ENTRIES,
    MAX_KEYWORDS,
    NO_PAGE,
    Failure,
    Pattern,
)
from pytest_bwa.agent.memory.locked_file import LockedFile
from pytest_bwa.agent.memory.plain_text import plain

PATTERNS, FAILURES = "patterns.json", "failures.json"
MAX_OF_DOMAIN, MAX_DOMAINS = 20, 50
MAX_HINTS, MAX_LINE, MAX_CHARACTERS = 8, 300, 1500
Entry = TypeVar("Entry", Pattern, Failure)


class PatternFile(BaseModel):
    version: Literal[1] = 1
    domains: dict[str, list[Pattern]] = Field(default_factory=dict)


class FailureFile(BaseModel):
    version: Literal[1] = 1
    domains: dict[str, list[Failure]] = Field(default_factory=dict)


class RunMemory:
    """The memory of one run, which all its workers share. Its methods raise EvidenceError."""

    def __init__(self, folder: Path, locks: Path) -> None:
        self._patterns = LockedFile(
            folder / PATTERNS, locks / f"{PATTERNS}.lock", PatternFile, durable=False
        )
        self._failures = LockedFile(
            folder / FAILURES, locks / f"{FAILURES}.lock", FailureFile, durable=False
        )

    @property
    def problems(self) -> list[str]:
        """What was wrong with the files, a line for each."""
        return [*self._patterns.problems, *self._failures.problems]

    def knows(self, host: str, pattern: Pattern) -> bool:
        """Whether an earlier sample was done in the same way."""
        content = self._patterns.read() or PatternFile()
        return any(_is_same(pattern, known) for known in content.domains.get(host, ()))

    def add_pattern(self, host: str, pattern: Pattern) -> None:
        """Add how a sample was done, or count it where the same way is known."""
        with self._patterns.locked():
            content = self._patterns.read() or PatternFile()
            known = content.domains.pop(host, [])
            same = next((p for p in known if _is_same(pattern, p)), None)
            merged = _merged_patterns(same, pattern) if same else pattern
            kept = [p for p in known if p is not same]
            content.domains[host] = [*kept, merged][-MAX_OF_DOMAIN:]
            self._patterns.write(PatternFile(domains=_newest(content.domains)))

    def add_failure(self, host: str, failure: Failure) -> None:
        """Add what did not work in a sample, or count it where the same is known."""
        with self._failures.locked():
            content = self._failures.read() or FailureFile()
            known = content.domains.pop(host, [])
            same = next((f for f in known if _content(f) == _content(failure)), None)
            count = (same.samples if same else 0) + failure.samples
            merged = failure.model_copy(update={"samples": count})
            kept = [f for f in known if f is not same]
            content.domains[host] = [*kept, merged][-MAX_OF_DOMAIN:]
            self._failures.write(FailureFile(domains=_newest(content.domains)))

    def hints(self, host: str, goal_keywords: Sequence[str]) -> list[str]:
        """What a sample on this site should know, from the samples with the most similar goals."""
        patterns = (self._patterns.read() or PatternFile()).domains.get(host, [])
        failures = (self._failures.read() or FailureFile()).domains.get(host, [])
        similar = _most_similar(sorted(patterns, key=lambda p: len(p.actions)), goal_keywords)
        best = similar[:2]
        # What worked in any sample is no dead end.
        worked = {action for p in patterns for action in p.actions}
        opened = {page for p in patterns for page in p.pages}
        warnings = [what for p in best for what in p.avoid]
        for failure in _most_similar(failures, goal_keywords)[:3]:
            warnings += [f"goto {url} ({NO_PAGE})" for url in failure.dead_urls]
            warnings += failure.failed_targets
        reasons = [f.reason for f in _most_similar(failures, goal_keywords)[:2] if ": " in f.reason]
        lines = [f"Tip: {tip}" for p in similar for tip in p.tips]
        lines += [
            f"Avoid: {what}"
            for what in warnings
            if what.split(" (")[0] not in worked and not _names_any(what, opened)
        ]
        lines += [f"An earlier sample ended as {reason}" for reason in reasons]
        # What one sample did without a dead end, the next one finds as easily.
        is_new = bool(best) and (bool(lines) or best[0].samples > 1)
        if is_new and any('"' in action or "/" in action for action in best[0].actions):
            lines.insert(0, f"Worked: {', then '.join(best[0].actions)}")
        return _fitting(dict.fromkeys(lines))


def _fitting(lines: Iterable[str]) -> list[str]:
    """The first lines, as far as there is room for them in a prompt."""
    kept: list[str] = []
    left = MAX_CHARACTERS
    for line in islice(lines, MAX_HINTS):
        kept.append(plain(line, min(MAX_LINE, left)))
        left -= len(kept[-1])
    return [line for line in kept if line]


def _most_similar(entries: Sequence[Entry], goal_keywords: Sequence[str]) -> list[Entry]:
    """Those of the most similar goals first, and of them what more samples say; of equal ones the
    order stays."""
    words = set(goal_keywords)

    def rank(entry: Entry) -> tuple[int, int]:
        return len(words & set(entry.goal_keywords)), entry.samples

    return sorted(entries, key=rank, reverse=True)


def _names_any(text: str, addresses: Iterable[str]) -> bool:
    """Whether the text names an address that another sample could open."""
    return any(f" {address} " in f" {text} " for address in addresses)


def _is_same(one: Pattern, other: Pattern) -> bool:
    return one.actions == other.actions


def _content(failure: Failure) -> Failure:
    return failure.model_copy(update={"samples": 0})


def _merged_patterns(old: Pattern, new: Pattern) -> Pattern:
    """One pattern of two samples that were done in the same way."""
    lists = {
        name: list(dict.fromkeys([*getattr(old, name), *getattr(new, name)]))[:MAX_ENTRIES]
        for name in ("tips", "avoid", "pages")
    }
    lists["goal_keywords"] = sorted({*old.goal_keywords, *new.goal_keywords})[:MAX_KEYWORDS]
    return old.model_copy(update={**lists, "samples": old.samples + new.samples})


def _newest(domains: dict[str, list[Entry]]) -> dict[str, list[Entry]]:
    """The domains that were learnt about last."""
    return dict(list(domains.items())[-MAX_DOMAINS:])
