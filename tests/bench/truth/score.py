"""The rows of the truth table, with their marks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from bench.truth.corpus import Kind
from bench.truth.runner import STYLES, Played

NEVER_DONE: frozenset[Kind] = frozenset({"invented", "miscited", "cut", "digit"})
"""What is ``done`` with it is wrong. A changed digit is an invented value that looks right."""
SEEN_TO: frozenset[Kind] = frozenset({"other record", "hidden", "older"})


@dataclass(frozen=True, slots=True)
class Row:
    """One row: how many of how many, and what they must be."""

    name: str
    good: int
    of: int
    at_least: float | None = None
    """A share; None where the row has no mark."""
    at_most: float | None = None
    is_count: bool = False
    """Whether the number itself counts, and not its share."""

    @property
    def share(self) -> float:
        return self.good / self.of if self.of else 0.0

    @property
    def holds(self) -> bool:
        """Whether it is as marked; a row of nothing is not."""
        value = self.good if self.is_count else self.share
        above = self.at_least is None or (self.of > 0 and value >= self.at_least)
        return above and (self.at_most is None or value <= self.at_most)

    @property
    def mark(self) -> str:
        form = "{:.0f}" if self.is_count else "{:.0%}"
        if self.at_least is not None:
            return ("" if self.at_least == 1 else "≥ ") + form.format(self.at_least)
        if self.at_most is not None:
            return ("" if self.at_most == 0 else "≤ ") + form.format(self.at_most)
        return ""

    def line(self) -> str:
        value = str(self.good) if self.is_count else f"{self.share:.1%}"
        held = ("holds" if self.holds else "does not") if self.mark else ""
        return f"{self.name:58}{value:>8}{f'{self.good} of {self.of}':>14}{self.mark:>9}  {held}"


def rows(played: Sequence[Played]) -> list[Row]:
    right = [p for p in played if p.wrong is None]
    cited = [p for p in right if p.style == STYLES[0]]
    saved = [p for p in right if p.style == STYLES[2]]
    bare = [p for p in right if p.style == STYLES[1]]
    near = _wrong(played, {"neighbour"}, lambda p: p.is_alike)
    return [
        _share("right answers done, with sources", cited, _is_accepted, at_least=1),
        _share("right answers done, saved page by page", saved, _is_accepted, at_least=1),
        _share("right answers done, without sources", bare, _is_accepted, at_least=0.97),
        _share("right answers flagged", right, lambda p: p.is_flagged, at_most=0.02),
        *(_never_done(played, kind) for kind in ("invented", "miscited", "cut", "digit")),
        _share("another record, hidden, older: flagged or not done",
               _wrong(played, SEEN_TO), _is_seen_to, at_least=0.9),
        *(_seen_to(played, kind) for kind in ("other record", "hidden", "older")),
        _share("a neighbour’s label in ten alike samples: flagged",
               near, _is_seen_to, at_least=0.9),
        _beyond("decisions beyond the plain answer, with sources", [*cited, *saved], at_most=0),
        _beyond("decisions beyond the plain answer, without sources", bare),
        _seen_to(played, "null"),
        _seen_to(played, "misread"),
    ]  # fmt: skip


def _is_accepted(played: Played) -> bool:
    return played.is_accepted


def _is_seen_to(played: Played) -> bool:
    return not played.is_accepted or played.is_flagged


def _wrong(
    played: Iterable[Played],
    kinds: Collection[Kind],
    where: Callable[[Played], bool] = lambda played: True,
) -> list[Played]:
    return [p for p in played if p.wrong is not None and p.wrong.kind in kinds and where(p)]


def _share(
    name: str,
    played: Sequence[Played],
    is_good: Callable[[Played], bool],
    at_least: float | None = None,
    at_most: float | None = None,
) -> Row:
    return Row(name, sum(map(is_good, played)), len(played), at_least, at_most)


def _never_done(played: Sequence[Played], kind: Kind) -> Row:
    names = {"digit": "a digit changed"}
    mine = _wrong(played, {kind})
    return _share(f"{names.get(kind, kind)}: not done", mine, lambda p: not p.is_accepted, 1)


def _seen_to(played: Sequence[Played], kind: Kind) -> Row:
    """Printed, without a mark of its own."""
    names = {"null": "null where a value stands", "misread": "an icon read the wrong way",
             "other record": "  of these another record",
             "hidden": "  of these hidden", "older": "  of these an older value"}  # fmt: skip
    name = names[kind] if kind in SEEN_TO else f"{names[kind]}: flagged or not done"
    return _share(name, _wrong(played, {kind}), _is_seen_to)


def _beyond(name: str, played: Sequence[Played], at_most: float | None = None) -> Row:
    beyond = sum(max(0, p.decisions_beyond) for p in played)
    return Row(name, beyond, len(played), None, at_most, is_count=True)


def is_missed(played: Played) -> bool:
    """Whether a wrong answer passed, or a right one was refused or flagged."""
    if played.problem:
        return True
    if played.wrong is None:
        is_asked = played.decisions_beyond > 0 and played.style != STYLES[1]
        return not played.is_accepted or played.is_flagged or is_asked
    if played.wrong.kind in NEVER_DONE:
        return played.is_accepted
    return not _is_seen_to(played)


def report(played: Sequence[Played], more: Sequence[Row] = ()) -> str:
    """The table, and by name what does not go as it should."""
    samples = {(p.play, p.sample) for p in played}
    plays = {p.play for p in played}
    seconds = sum(p.seconds for p in played)
    head = f"{len(samples)} samples of {len(plays)} plays, {len(played)} answers, {seconds:.0f} s"
    lines = [head, "", *(row.line() for row in [*rows(played), *more]), "", *_by_play(played)]
    missed = [p for p in played if is_missed(p)]
    groups = {
        "the page did not show what the script names": [p for p in missed if p.problem],
        "right answers that were refused, asked about or flagged": [
            p for p in missed if p.wrong is None and not p.problem
        ],
        "wrong answers that passed": [p for p in missed if p.wrong is not None and not p.problem],
    }
    for title, group in groups.items():
        if group:
            lines += ["", f"{title}: {len(group)}", *(p.line() for p in group)]
    return "\n".join(lines)


def _by_play(played: Sequence[Played]) -> list[str]:
    """How many right and wrong answers of each play go as they should."""
    lines = [f"{'play':24}{'right':>12}{'wrong':>12}{'seconds':>9}"]
    for name in sorted({p.play for p in played}):
        own = [p for p in played if p.play == name]
        parts = ([p for p in own if p.wrong is None], [p for p in own if p.wrong is not None])
        shares = [f"{sum(not is_missed(p) for p in part)} of {len(part)}" for part in parts]
        seconds = sum(p.seconds for p in own)
        lines.append(f"{name:24}{shares[0]:>12}{shares[1]:>12}{seconds:9.0f}")
    return lines
