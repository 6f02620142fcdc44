"""How close the words of a label are to the name of a field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from pytest_bwa.spec.task import TaskSpec

EXACT, ALIAS, SAME_WORDS, SAME_STEM, MORE_WORDS = 100, 95, 90, 70, 60
URL_WORDS = frozenset({"url", "link", "href", "uri"})
# Words that only say what type a value has: "due_date" may be labelled Due, but never Due amount.
_TYPE_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("date", "at", "on", "time", "day"), "date"),
    **dict.fromkeys(("number", "no", "id", "key"), "number"),
    **dict.fromkeys(("count", "total"), "count"),
    **dict.fromkeys(URL_WORDS, "url"),
    "name": "name",
}
# One more word that does not make another thing of it, and some that do.
_HARMLESS = frozenset({"current", "full", "primary", "main", "your", "the", "this", "official"})
_CONTRARY = frozenset(
    ["previous", "former", "past", "old", "last", "next", "parent", "other", "secondary",
     "original", "estimated", "no", "not", "alternate", "emergency", "linked", "related", "child"]
)  # fmt: skip


@lru_cache(maxsize=8192)  # a list has thousands of labels, and every field is held against each
def words(text: str) -> tuple[str, ...]:
    """Lower-case words, camelCase and snake_case split, plural s dropped."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    found = re.findall(r"[^\W_]+", spaced.casefold())
    return tuple(
        w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in found
    )


def names_of(task: TaskSpec, name: str) -> list[tuple[str, ...]]:
    """The field's name and its aliases, as words; the name comes first."""
    return [words(n) for n in (name, *task.aliases.get(name, ()))]


def closeness(label: str, names: Sequence[tuple[str, ...]]) -> int:
    """How well a label fits a field, 0 where it does not: its name, an alias, the same words in
    another order, the same but for a word of type (Due for due_date), or with one more word."""
    given = words(label)
    return max((_close(given, name, n == 0) for n, name in enumerate(names)), default=0)


def _close(given: tuple[str, ...], name: tuple[str, ...], own: bool) -> int:
    if not given or not name:
        return 0
    if given == name:
        return EXACT if own else ALIAS
    if set(given) == set(name):
        return SAME_WORDS
    if _same_stem(given, name):
        return SAME_STEM
    return MORE_WORDS if _one_more(set(given), set(name)) else 0


def _same_stem(given: tuple[str, ...], name: tuple[str, ...]) -> bool:
    said, own_said = types(given), types(name)
    stem = [w for w in given if w not in _TYPE_WORDS]
    own = [w for w in name if w not in _TYPE_WORDS and w not in _HARMLESS]
    return bool(stem) and stem == own and (not said or said == own_said)


def types(given: Iterable[str]) -> set[str]:
    """What the words say of a value's type: a date, a number, a count, a url, a name."""
    return {_TYPE_WORDS[w] for w in given if w in _TYPE_WORDS}


def _one_more(given: set[str], name: set[str]) -> bool:
    extra = given - name
    if not name < given or len(extra) != 1:
        return False
    return extra <= _HARMLESS if len(name) == 1 else not extra & _CONTRARY
