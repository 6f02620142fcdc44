"""Turns every rule off, one at a time and by room, and prints what each decides."""

from __future__ import annotations

import pickle
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Protocol

from bench.rules.answers import answers
from bench.rules.every_rule import ROOMS, RULES
from bench.rules.pages import pages
from bench.rules.practice import practice
from bench.rules.readings import readings
from bench.rules.recorded import Theatre
from bench.rules.switches import Rule, turned_off, watched
from bench.truth.measure import browser_and_settings

SCRIPTS = ROOMS[-1]
FIRST_OF_PROOF = [rule.room for rule in RULES].index("proof")
NAMED = 4


class Item(Protocol):
    """A page or an answer."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    def play(self, theatre: Theatre) -> int:
        """3: as it should be; 2: a person looks in vain, or has to; 1: nothing is read, or a right
        answer is refused; 0: a wrong value stands."""


@dataclass
class Effect:
    """What becomes of pages without a rule."""

    room: str
    name: str
    keeps: list[Item] = field(default_factory=list)
    """On which a wrong value stands without it."""
    helps: list[Item] = field(default_factory=list)
    """On which more is read, or less is doubted, than without it."""
    costs: list[Item] = field(default_factory=list)
    """Which are better without it."""
    found: int = 0
    """On how many it finds something."""

    @property
    def kinds(self) -> int:
        return len({item.kind for item in self.keeps})


GONE = "\n## Rules that went"
"""What the page has from here on is written by hand."""
PAGE = Path(__file__).parent.parent.parent.parent / "docs" / "rules.md"


def print_rules(folder: Path, only: str = "", part: int = 1) -> None:
    """``only`` is a part of the names of rules and rooms; without it, the page of docs is written.
    The plays and answers are asked about grounding alone; ``part``: every n-th of them. What is
    recorded stays in the folder."""
    started = time.monotonic()
    with (
        browser_and_settings(folder) as (browser, settings),
        tempfile.TemporaryDirectory() as work,
    ):
        theatre = Theatre(browser, Path(work), settings)
        theatre.known |= _kept(folder)
        items: list[Item] = [*pages(), *practice()]
        if not only or any(only in f"{rule.room}: {rule.name}" for rule in RULES[FIRST_OF_PROOF:]):
            items += [*answers(), *readings(browser)][::part]
        base, found = _as_it_is(items, theatre)
        (folder / _KEPT).write_bytes(pickle.dumps(theatre.known))
        effects = []
        for name, room, rules, said in _switches(found):
            if only in f"{room}: {name}":
                print(f"{name} …", file=sys.stderr, flush=True)
                names = {rule.name for rule in rules} | said
                touched = [item for item in items if found[item.name] & names]
                with turned_off(rules, said, theatre):
                    effect = _effect(Effect(room, name), touched, base, theatre)
                effects.append(effect)
    print("\n".join(_table(effects, base, time.monotonic() - started)))
    if not only:
        _, mark, gone = PAGE.read_text("utf-8").partition(GONE)
        PAGE.write_text("\n".join(_document(effects, base)) + mark + gone, "utf-8")


_KEPT = "recorded.pickle"


def _kept(folder: Path) -> Mapping[str, Any]:
    file = folder / _KEPT
    return pickle.loads(file.read_bytes()) if file.exists() else {}


def _as_it_is(
    items: Sequence[Item], theatre: Theatre
) -> tuple[dict[str, int], dict[str, set[str]]]:
    """What becomes of each with all rules, and which of them find something."""
    base, found, now = {}, {}, set[str]()
    with watched(RULES, now, theatre):
        for number, item in enumerate(items):
            now.clear()
            base[item.name] = item.play(theatre)
            found[item.name] = set(now)
            if number % 100 == 0:
                print(f"{number} of {len(items)}", file=sys.stderr, flush=True)
    return base, found


def _switches(
    found: Mapping[str, set[str]],
) -> Iterator[tuple[str, str, Sequence[Rule], frozenset[str]]]:
    """Each rule, what page scripts have said anywhere, and each room."""
    known = {rule.name for rule in RULES}
    said = sorted(set().union(*found.values()) - known)
    for rule in RULES:
        yield rule.name, rule.room, [rule], frozenset()
    for words in said:
        yield words, SCRIPTS, [], frozenset({words})
    for room in ROOMS:
        own = [rule for rule in RULES if rule.room == room]
        yield "all", room, own, frozenset(said if room == SCRIPTS else ())


def _effect(
    effect: Effect, items: Collection[Item], base: Mapping[str, int], theatre: Theatre
) -> Effect:
    effect.found = len(items)
    for item in items:
        was, now = base[item.name], item.play(theatre)
        if was and not now:
            effect.keeps.append(item)
        elif now < was:
            effect.helps.append(item)
        elif now > was:
            effect.costs.append(item)
    return effect


_EXPLAINED = """\
every one is recorded once in the browser and replayed with one rule off. *Finds*: on how many a
rule says something. *Keeps*: on how many a wrong value stands without it, and of how many kinds
they are. *Helps*: on how many more is read, or less is doubted, than without it. *Costs*: how many
are better without it.

A rule that decides fewer than three pages stays only where the documents promise it (a redirect, a
password, another name, a text that is cut, hidden or painted otherwise, two values) or where the
pages have no example (what the agent entered itself, a choice that is not chosen)."""


# -- the table -----------------------------------------------------------------------------------


def _table(effects: Sequence[Effect], base: Mapping[str, int], seconds: float) -> list[str]:
    wrong = sum(not goodness for goodness in base.values())
    head = f"{len(base)} pages and answers, {wrong} with a wrong value; {seconds:.0f} s"
    lines = [head, f"{'':48}{'finds':>7}{'keeps':>7}{'kinds':>7}{'helps':>7}{'costs':>7}"]
    for effect in effects:
        counts = (
            effect.found,
            len(effect.keeps),
            effect.kinds,
            len(effect.helps),
            len(effect.costs),
        )
        lines.append(f"{effect.name[:47]:48}" + "".join(f"{number:7}" for number in counts))
        lines += [f"    keeps {item.name}" for item in effect.keeps[:NAMED]]
        lines += [f"    helps {item.name}" for item in effect.helps[:NAMED]]
        lines += [f"    costs {item.name}" for item in effect.costs[:NAMED]]
    return lines


def _document(effects: Sequence[Effect], base: Mapping[str, int]) -> Iterator[str]:
    yield "# What each rule decides"
    yield ""
    measured = f"Measured on {date.today()} by `python tests/bench --rules`"
    yield f"{measured} on {len(base)} pages and answers:"
    yield from _EXPLAINED.splitlines()
    yield ""
    for room in ROOMS:
        yield f"## {room}"
        yield ""
        yield "| rule | finds | keeps | kinds | helps | costs |"
        yield "|---|--:|--:|--:|--:|--:|"
        for e in (effect for effect in effects if effect.room == room):
            counts = e.found, len(e.keeps), e.kinds, len(e.helps), len(e.costs)
            yield f"| {e.name} | {' | '.join(map(str, counts))} |"
        yield ""
