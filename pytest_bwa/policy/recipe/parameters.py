"""Texts of a recipe: what a sample brings is a ``{column}``, and what differs is a ``*``. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from urllib.parse import quote

from pytest_bwa.facts.address import plain_address
from pytest_bwa.facts.text_match import clean
from pytest_bwa.spec.notation.dates import iso_date
from pytest_bwa.spec.notation.record_names import names_alike
from pytest_bwa.steps.text import label_key, whole_words

MIN_CHARACTERS = 2
"""A shorter text of a column stands in other texts by chance."""
ANYTHING = "*"
DAY = ".day"
SAMPLE_ID = "sample_id"
_RESERVED = "/?&=%:+,;@~()!'"
_PLACEHOLDER = re.compile(r"\{[^{}]+\}")
_WORD = re.compile(r"\w+|\W", re.DOTALL)


def generalised(
    text: str, columns: Mapping[str, str], *, keeps_ends: bool = False, names_page: bool = False
) -> str:
    """The text with ``{column}`` in place of what the sample brings; a short sample_id too in a
    text that ``names_page``."""
    text = _escaped(text if keeps_ends else clean(text))
    known, pattern = _columns_in_texts(tuple(columns.items()), names_page)
    return pattern.sub(lambda match: f"{{{known[match[0]]}}}", text)


@lru_cache(maxsize=64)
def _columns_in_texts(
    columns: tuple[tuple[str, str], ...], names_page: bool
) -> tuple[dict[str, str], re.Pattern[str]]:
    """The texts of the columns with their names, and what finds them."""
    named = {_escaped(clean(value)): name for name, value in reversed(columns)}
    fewest = {SAMPLE_ID: 1} if names_page else {}
    known = {v: name for v, name in named.items() if len(v) >= fewest.get(name, MIN_CHARACTERS)}
    return known, whole_words(known)


def filled(text: str, columns: Mapping[str, str]) -> str:
    """A text of the recipe for one sample. Raises KeyError for a column that it does not have."""
    whole = _PLACEHOLDER.sub(lambda match: clean(_given(match[0][1:-1], columns)), text)
    return whole.replace("\\*", "*").replace("\\(", "{").replace("\\)", "}")


def columns_in(text: str) -> set[str]:
    """The columns that a text of the recipe needs."""
    return {match[1:-1].removesuffix(DAY) for match in _PLACEHOLDER.findall(text)}


def _given(name: str, columns: Mapping[str, str]) -> str:
    """What a sample has for ``{column}``, or for ``{column.day}`` of a date."""
    day = iso_date(columns.get(name.removesuffix(DAY), "")) if name.endswith(DAY) else None
    return columns[name] if day is None else str(day.day)


def names_sample(text: str) -> bool:
    """Whether a text of the recipe differs from sample to sample."""
    return _PLACEHOLDER.search(text) is not None


def any_number(text: str) -> str:
    """The text with 0 for each number: that of one sample says nothing of others."""
    parts = re.split(f"({_PLACEHOLDER.pattern})", text)
    return "".join(p if names_sample(p) else re.sub(r"\d[\d.,]*", "0", p) for p in parts)


def names_another(text: str, columns: Mapping[str, str]) -> bool:
    """Whether a text names another sample and not this one: by the same letters and marks with
    another number. Without letters, any number would be a name."""
    own = clean(columns.get(SAMPLE_ID, ""))
    if not (any(map(str.isalpha, own)) and any(map(str.isdigit, own))):
        return False
    names = set(map(label_key, names_alike(own).findall(text)))
    return bool(names) and label_key(own) not in names


def merged(texts: Sequence[str]) -> str:
    """One pattern of all of these: what they have in common at the beginning and at the end, and
    ``*`` for the rest. What names the sample in all of them stays."""
    first = texts[0]
    if all(text == first for text in texts):
        return first
    pattern = _with_ends(texts)
    name = next((m[0] for m in _PLACEHOLDER.finditer(first) if all(m[0] in t for t in texts)), "")
    if not name or names_sample(pattern):
        return pattern
    parts = [text.partition(name) for text in texts]
    return merged([before for before, _, _ in parts]) + name + merged([end for _, _, end in parts])


def _with_ends(texts: Sequence[str]) -> str:
    pieces = [_pieces(text) for text in texts]
    head = _beginning(pieces)
    rests = [piece[len(head) :][::-1] for piece in pieces]
    tail = _beginning(rests)
    return "".join([*_fixed(head), ANYTHING, *_fixed(tail)[::-1]])


def fits(pattern: str, text: str, columns: Mapping[str, str]) -> bool:
    """Whether a text of a page is one of the pattern's for this sample. Raises KeyError."""
    parts = re.split(r"(?<!\\)\*", pattern)
    known = [re.escape(filled(part, columns)) for part in parts]
    if len(parts) > 1 and not parts[0] and _PLACEHOLDER.match(parts[1]):
        # Something like "Bug T-1": a number before the name may be that of another sample.
        known[:2] = [rf"\D*(?<!\w){known[1]}"]
    joined = known[0]
    for part, following in zip(parts[-len(known) :], known[1:], strict=False):
        joined += (r"(?!\w).*" if part.endswith("}") else ".*") + following
    return re.fullmatch(joined, clean(text), re.DOTALL) is not None


def filled_address(pattern: str, columns: Mapping[str, str]) -> str:
    """An address of the recipe for one sample, as a browser takes it; ``columns`` are those of
    ``address_columns``. Raises KeyError."""

    def encoded(value: str) -> str:
        return quote(value, safe="/:?&=%" if "/" in value else "")

    known = {name: encoded(clean(value)) for name, value in columns.items()}
    parts = re.split(f"({_PLACEHOLDER.pattern})", pattern)
    return "".join(
        filled(part, known) if names_sample(part) else quote(filled(part, {}), safe=_RESERVED)
        for part in parts
    )


def address_columns(columns: Mapping[str, str], own_host: str) -> dict[str, str]:
    """The columns as addresses have them."""
    return {
        name: plain_address(value, own_host) if value.startswith(("http://", "https://")) else value
        for name, value in columns.items()
    }


def _pieces(text: str) -> list[str]:
    """Placeholders, words and single characters."""
    found: list[str] = []
    end = 0
    for match in _PLACEHOLDER.finditer(text):
        found += [*_WORD.findall(text[end : match.start()]), match[0]]
        end = match.end()
    return [*found, *_WORD.findall(text[end:])]


def _beginning(pieces: Sequence[Sequence[str]]) -> list[str]:
    """The pieces with which all of these begin."""
    columns = zip(*pieces, strict=False)
    return [own[0] for own in takewhile(lambda own: len(set(own)) == 1, columns)]


def _fixed(pieces: Sequence[str]) -> Sequence[str]:
    """The beginning that texts have in common up to a mark or to what the sample brings: words
    after it are shared by chance."""
    ends = [n for n, piece in enumerate(pieces, start=1) if _is_frame(piece)]
    end = ends[-1] if ends else 0
    while end and end < len(pieces) and pieces[end].isspace():
        end += 1
    return pieces[:end]


def _is_frame(piece: str) -> bool:
    return names_sample(piece) or not (piece.isalnum() or piece.isspace())


def _escaped(text: str) -> str:
    """A page may have the signs that have a meaning in a recipe."""
    return text.replace("{", "\\(").replace("}", "\\)").replace("*", "\\*")
