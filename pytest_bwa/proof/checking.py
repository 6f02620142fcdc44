"""Decides whether what was observed shows a value: at the lines that the answer cites, or, where it
cites none, anywhere. Pure.

The words of a page are never compared with the name of a field: who answers says where a value
stands, and that it means the field; this module only says whether it stands there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pytest_bwa.evidence.grounding import How
from pytest_bwa.facts.fact import Fact, Piece, whole
from pytest_bwa.facts.text_match import (
    Token,
    clean,
    matches,
    same_text,
    tokens,
    weight,
    words,
)
from pytest_bwa.proof.finding import Finding, NotShown, Shown, Why
from pytest_bwa.proof.lines import Number
from pytest_bwa.proof.observed import Observed
from pytest_bwa.proof.only_entered import is_only_entered
from pytest_bwa.proof.texts.reading import Reader, as_number, is_followed_by_ellipsis, yes_or_no
from pytest_bwa.steps.text import cells_of

SHORT = 4
"""A text with fewer characters stands on many lines by chance."""
SMALL = 1000
"""So does a whole number below this."""
MAX_TRIED = 300
"""Places of one value that are looked at, the newest first."""
MAX_CANDIDATES = 4
_KINDS = ("element", "labelled", "item", "value", "state", "extract", "note", "row", "find", "text")
"""The better the earlier: what a person finds at once."""
_PICTURES: dict[str, How] = {"vision": "vision", "look": "vision", "ocr": "ocr"}
"""What was read in a picture is no surer for the way in which a value is put together of it."""


class Checker:
    """Checks the values of one sample's answers."""

    def __init__(self, observed: Observed, locale: str | None) -> None:
        self._observed = observed
        self.reader = Reader(observed, locale)

    def check(
        self, value: Any, cited: Sequence[Number], choices: Iterable[str] = (), *, is_item: bool
    ) -> Finding:
        """``choices`` are all values that the field may have, if the spec lists them; ``is_item``:
        whether the value is one of a list."""
        if scripts := [n for n in cited if n in self._observed.lines.from_scripts]:
            return NotShown("script", scripts)
        lines = {number: self._observed.facts_at(number) for number in cited}
        if unknown := [number for number, facts in lines.items() if not facts]:
            return NotShown("unknown", unknown)
        if lines:
            finding = self._at(value, lines, frozenset(map(same_text, choices)), is_item)
        else:
            finding = self._look_up(value)
        if isinstance(finding, NotShown):
            return finding
        kinds = (place.fact.kind for place in finding.places)
        return replace(finding, how=next(filter(None, map(_PICTURES.get, kinds)), finding.how))

    # -- cited ---------------------------------------------------------------------------------

    def _at(
        self, value: Any, lines: dict[Number, list[Fact]], choices: frozenset[str], is_item: bool
    ) -> Finding:
        facts = [fact for own in lines.values() for fact in own]
        if value is None:
            return Shown("verbatim", [whole(facts[0])], "null", cited=True)
        if isinstance(value, bool):
            return self._yes_or_no(value, lines)
        if isinstance(value, int) and value == len(lines) > 1:
            return self._put_together(value, lines, choices)
        context = [fact.text for fact in facts]
        found = [place for fact in facts for place in self.reader.places(value, fact, context)]
        found = [place for place in found if is_item or not place.fact.is_off]
        sure = [place for place in found if not self.reader.is_cut(place)]
        own = [place for place in sure if not self._is_entered(place.fact, str(value))]
        if own:
            best, *same = sorted(own, key=self._rank)
            return Shown(_how(best), [best], best.rule, cited=True, same=same)
        if pictured := [fact for fact in facts if fact.kind == "look"]:
            return Shown("verbatim", [whole(pictured[0])], cited=True)
        if sure or found:
            return NotShown("entered" if sure else "cut", list(lines))
        return self._put_together(value, lines, choices)

    def _put_together(
        self, value: Any, lines: dict[Number, list[Fact]], choices: frozenset[str]
    ) -> Finding:
        firsts = [whole(facts[0]) for facts in lines.values()]
        if isinstance(value, int) and value == self._count(value, lines):
            return Shown("counted", firsts, _lines_in_words(value), cited=True)
        if isinstance(value, str):
            if places := self._joined(value, lines):
                return Shown("joined", places, "joined", cited=True)
            if same_text(value) in choices and not self._has_other(value, lines, choices):
                return Shown("state", firsts[:1], "choice", cited=True)
        return NotShown("miscited", list(lines))

    def _count(self, value: int, lines: dict[Number, list[Fact]]) -> int:
        """What the cited lines count: as many as they are; none where they have no number."""
        texts = [facts[0].text for facts in lines.values()]
        is_none = value == 0 and not any(map(str.isdigit, "".join(texts)))
        return 0 if is_none else len(lines)

    def _has_other(
        self, value: str, lines: dict[Number, list[Fact]], choices: frozenset[str]
    ) -> bool:
        """Whether a line has another one of the values that the field may have."""
        others = choices - {same_text(value)}
        facts = [fact for own in lines.values() for fact in own]
        return any(self.reader.places(other, fact) for other in others for fact in facts)

    def _yes_or_no(self, value: bool, lines: dict[Number, list[Fact]]) -> Finding:
        """A line says yes or no by a state or a word; of any other text, such as “MFA aktiv”, only
        who answers can say what it means."""
        facts = [fact for own in lines.values() for fact in own]
        answers = {fact: yes_or_no(fact.text) for fact in facts}
        if states := [fact for fact in facts if answers[fact] is not None]:
            own = [fact for fact in states if answers[fact] == value]
            entered = [fact for fact in own if self._is_entered(fact, fact.text)]
            if own and len(entered) == len(own):
                return NotShown("entered", list(lines))
            if not own:
                return NotShown("miscited", list(lines))
            facts = [fact for fact in own if fact not in entered]
        first, *same = map(whole, facts)
        return Shown("state", [first], "yes or no", cited=True, same=same)

    def _joined(self, value: str, lines: dict[Number, list[Fact]]) -> list[Piece]:
        """One place of each line, if the value is a part of each, one after the other. What a
        single line does not show as a whole, such as a part of a number, it does not show so."""
        line = clean(value)
        wanted = tokens(line) if len(lines) > 1 else []
        ends: dict[int, list[Fact]] = {0: []}
        """How many words of the value are found, and the facts in which."""
        for facts in lines.values():
            ends = {
                end: [*before, fact]
                for begin, before in ends.items()
                for fact in facts
                for end in self._ends(line, wanted, begin, fact)
            }
        return [whole(fact) for fact in ends.get(len(wanted), ())] if wanted else []

    def _ends(self, line: str, wanted: Sequence[Token], begin: int, fact: Fact) -> Iterator[int]:
        """How far a fact has the value's words from one of them on, none of them in part."""
        if fact.is_off or fact.is_address:
            return
        for length in sorted(_runs([token.text for token in wanted[begin:]], words(fact.text))):
            part = line[wanted[begin].start : wanted[begin + length - 1].end]
            if next(matches(part, fact.text), None) is not None:
                yield begin + length

    # -- looked up -----------------------------------------------------------------------------

    def _look_up(self, value: Any) -> Finding:
        if isinstance(value, bool):
            return NotShown("asked")
        found = list(self._everywhere(value))
        sure = [place for place in found if not self.reader.is_cut(place)]
        own = [p for p in sure if not self._is_entered(p.fact, str(value))]
        if not any(map(self._is_all, own)) and self._is_cut_anywhere(value):
            own = sure = []  # elsewhere the page goes on with it
        if not own:
            why: Why = "nowhere" if not found else "cut" if not sure else "entered"
            return NotShown(why)
        best = sorted(own, key=self._rank)
        lines = self.lines_of(best)
        if _is_weak(value) and len(lines) > 1:
            plain = self.lines_of([place for place in best if self._is_all(place)] or best)
            numbers = dict.fromkeys(n for n in plain.values() if n is not None)
            return NotShown("asked", list(numbers)[:MAX_CANDIDATES])
        return Shown(_how(best[0]), best[:1], best[0].rule, same=best[1:])

    def _everywhere(self, value: Any) -> Iterator[Piece]:
        for fact in self._candidates(value)[: -MAX_TRIED - 1 : -1]:
            yield from self.reader.places(value, fact)[:1]

    def _candidates(self, value: Any) -> list[Fact]:
        """The facts that may show a value, the oldest first."""
        if isinstance(value, str):
            exact = self._observed.with_words(words(value)) if words(value) else [
                fact for fact in self._observed.facts if fact.text == value.strip()
            ]  # fmt: skip
            if any(next(matches(value, fact.text), None) for fact in exact[-MAX_TRIED:]):
                return exact
            if not any(map(str.isdigit, value)) and "/" not in value:
                return exact
        return [fact for fact in self._observed.facts if _may_have(value, fact)]

    def lines_of(self, places: Sequence[Piece]) -> dict[object, int | None]:
        """The different lines that some places stand in, each with its number. Whole texts of a
        page repeat what its elements say."""
        facts = [place.fact for place in places]
        elements = [s for s in facts if s.kind not in ("text", "title", "address", "link", "find")]
        lines: dict[object, int | None] = {}
        for fact in elements or facts:
            own = fact.element or (fact.text if fact.line is None else fact.line)
            key = (fact.place.frame, fact.row) if fact.row else own
            number = self._observed.lines.number_of(fact)
            lines[key] = lines.get(key) if lines.get(key) is not None else number
        return lines

    # -- places --------------------------------------------------------------------------------

    def _is_cut_anywhere(self, value: Any) -> bool:
        """Whether a page shows a text with an ellipsis behind it."""
        if not isinstance(value, str):
            return False
        candidates = self._observed.with_words(words(value))
        return any(is_followed_by_ellipsis(value, fact.text) for fact in candidates)

    def _is_all(self, place: Piece) -> bool:
        """Whether a place is all of its text, or of its cell."""
        text = place.fact.text
        return text[place.start : place.end] in (text, *cells_of(text))

    def _is_entered(self, fact: Fact, value: str) -> bool:
        return is_only_entered(fact, value, self._observed)

    def alike(self, seen: Shown) -> list[Piece]:
        """The places that show a value as well as the best one."""
        best = self._kind_of(seen.places[0])
        return [seen.places[0], *(place for place in seen.same if self._kind_of(place) == best)]

    def _kind_of(self, place: Piece) -> tuple[bool, bool, bool]:
        """Whether a place is hidden, on a page that does not name the sample, or a whole row: a
        picture may show the row, and not that column."""
        fact, newest = place.fact, self._observed.newest_look(place.fact)
        is_elsewhere = not self._observed.is_titled_like_sample(newest)
        return fact.hidden, is_elsewhere, fact.role == "row"

    def _rank(self, place: Piece) -> tuple[object, ...]:
        """The smaller, the better: on the sample's own page, in an element, the newest."""
        fact = place.fact
        kind = _KINDS.index(fact.kind) if fact.kind in _KINDS else len(_KINDS)
        newest = self._observed.newest_look(place.fact)
        return *self._kind_of(place), place.rule != "", kind, len(fact.text), -newest


def _how(place: Piece) -> How:
    return "normalised" if place.rule else "verbatim"


def _is_weak(value: Any) -> bool:
    """Whether a value is so common that one of several lines proves nothing."""
    number = as_number(str(value))
    if number is not None and number == number.to_integral_value() and abs(number) < SMALL:
        return True
    return isinstance(value, str) and weight(value.strip()) < SHORT


def _may_have(value: Any, fact: Fact) -> bool:
    has_digit = any(map(str.isdigit, f"{fact.text}{fact.datetime}"))
    return has_digit or (isinstance(value, str) and "/" in value and fact.is_address)


def _runs(wanted: Sequence[str], there: Sequence[str]) -> set[int]:
    """How many of the wanted words a text can have from the first on, one after the other."""
    lengths = set()
    for begin in range(len(there)):
        for length, (word, own) in enumerate(zip(wanted, there[begin:], strict=False), 1):
            if word != own:
                break
            lengths.add(length)
    return lengths


def _lines_in_words(count: int) -> str:
    return {0: "none", 1: "1 line"}.get(count, f"{count} lines")
