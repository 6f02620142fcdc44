"""A model that sees what the prompt shows, and decides as its script says."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from bench.truth.corpus import At, Cite, Do, Sample, Wrong

from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.steps.step import Action, Decision, Observation

Decisions = Generator[list[Action], Turn, None]
_NUMBERED = re.compile(r"\[(\d+)\] ")


class NotShown(Exception):
    """No numbered line that the model was shown is the one that its script names."""


class Seen:
    """The numbered lines that the model was shown, page by page."""

    def __init__(self) -> None:
        self._pages: list[tuple[str, dict[int, tuple[str, str]]]] = []
        """Of each turn its address, and role and text by number."""

    def see(self, turn: Turn) -> None:
        page = turn.observation
        self._pages.append((page.url, _lines(page) | _read_lines(turn)))

    def numbers(self, at: At) -> list[int]:
        """The lines of the newest page that has one. Raises NotShown."""
        for url, lines in reversed(self._pages):
            if at.on in url and (found := _matching(at, lines)):
                return found if at.every else found[:1]
        raise NotShown(f"{at}")

    def cite(self, cite: Cite) -> Any:
        if isinstance(cite, At):
            numbers = self.numbers(cite)
            return numbers if cite.every else numbers[0]
        return [self.cite(part) for part in cite]

    def shows_now(self, cite: Cite) -> bool:
        """Whether the newest page, which must be the one that is named, has these lines."""
        if not isinstance(cite, At):
            return all(map(self.shows_now, cite))
        url, lines = self._pages[-1]
        return cite.on in url and bool(_matching(cite, lines))

    def is_named_here(self, cite: Cite) -> bool:
        """Whether the script says that it stands on this very page, and it does."""
        if not isinstance(cite, At):
            return all(map(self.is_named_here, cite))
        return bool(cite.on) and self.shows_now(cite)


def _lines(page: Observation) -> dict[int, tuple[str, str]]:
    shown = page.arranged or page.elements
    lines = {e.index: (e.role, e.line(page.url)) for e in shown}
    return lines | {line.index: (line.source, line.text) for line in page.other_lines}


def _read_lines(turn: Turn) -> dict[int, tuple[str, str]]:
    """What actions read, as the newest step says it."""
    last = turn.history[-1].result if turn.history else ""
    parts = [part for line in last.splitlines() if (part := line.strip())[:1] == "["]
    found = ((_NUMBERED.match(part), part) for part in parts)
    return {int(match[1]): ("read", part) for match, part in found if match}


def _matching(at: At, lines: Mapping[int, tuple[str, str]]) -> list[int]:
    found, is_after = [], not at.after
    for number, (role, text) in lines.items():
        if is_after and at.role in ("", role) and all(t in text for t in at.texts):
            found.append(number)
        is_after = is_after or at.after in text
    return found


class ScriptedModel:
    """The policy of one sample."""

    name, model, reads_labelled_values = "scripted", "scripted-model", False
    helpers = ModelHelpers()

    def __init__(self, sample: Sample, style: str, wrong: Wrong | None = None) -> None:
        self.seen, self.decisions, self.notices = Seen(), 0, list[str]()
        self.problem = ""
        """What the page did not show of what the script names."""
        self._sample, self._style, self._wrong = sample, style, wrong
        self._walk = list(wrong.walk if wrong and wrong.walk is not None else sample.walk)
        self._saved: set[str] = set()
        self._steps = self._answers = 0

    @property
    def plain_decisions(self) -> int:
        """What the way and one answer take."""
        return self._steps + 1

    def decide(self, turn: Turn) -> Decision:
        self.seen.see(turn)
        self.decisions += 1
        if self._answers:
            self.notices += turn.notices
        try:
            return Decision(tuple(self._next()), model=self.model)
        except NotShown as problem:
            self.problem = f"no line {problem} on {turn.observation.url}"
            return Decision((Action(action="fail", kind="other", note=self.problem),))

    def close(self) -> None: ...

    def _next(self) -> list[Action]:
        while self._walk:
            do = self._walk[0]
            if do.until is None or self.seen.shows_now(do.until):
                self._walk.pop(0)
            if do.until is None or not self.seen.shows_now(do.until):
                self._steps += 1
                return [*self._save(), self._act(do)]
        self._answers += 1
        return self._answer()

    def _act(self, do: Do) -> Action:
        named = {"selector": str(self.seen.numbers(do.target)[0])} if do.target else {}
        return Action(action=do.action, **named, **do.params)

    def _save(self) -> list[Action]:
        """What this page shows, for the model that keeps what it finds at once."""
        if self._style != "saved":
            return []
        cites = self._sample.cites
        new = [n for n in cites if n not in self._saved and self.seen.is_named_here(cites[n])]
        return [self._kept(new)] if new else []

    def _kept(self, names: Sequence[str]) -> Action:
        self._saved.update(names)
        values = {name: self._sample.truth[name] for name in names}
        return Action(action="save_progress", extracted=values, sources=self._sources(names))

    def _sources(self, names: Sequence[str]) -> dict[str, Any]:
        return {n: self.seen.cite(c) for n, c in self._sample.cites.items() if n in names}

    def _answer(self) -> list[Action]:
        if self._wrong is not None:
            return [self._wrong_answer(self._wrong)]
        is_cited = self._style != "without" or self._answers > 1
        if at := self._sample.missing:
            source = self.seen.numbers(at)[0] if is_cited else None
            note = "There is no such record."
            return [Action(action="fail", kind="not_found", note=note, source=source)]
        truth = self._sample.truth
        if self._style != "saved" or self._answers > 1:
            return [_done(truth, self._sources(list(truth)) if is_cited else None)]
        left = [name for name in truth if name not in self._saved]
        return [*([self._kept(left)] if left else []), _done({}, None)]

    def _wrong_answer(self, wrong: Wrong) -> Action:
        """It insists on its answer, whatever it is told."""
        if not self._sample.truth and "kind" not in wrong.values:
            return _done(wrong.values, {n: self.seen.cite(c) for n, c in wrong.cites.items()})
        if wrong.values.get("kind") == "not_found":
            note = "There is no such record."
            return Action(action="fail", kind="not_found", note=note)
        truth = {**self._sample.truth, **wrong.values}
        right = [name for name in self._sample.truth if name not in wrong.values]
        cites = {name: self.seen.cite(cite) for name, cite in wrong.cites.items()}
        return _done(truth, {**self._sources(right), **cites})


def _done(extracted: Mapping[str, Any], sources: Mapping[str, Any] | None) -> Action:
    return Action(
        action="done", extracted=dict(extracted), sources=dict(sources) if sources else None
    )
