"""What a text looks like, without what it says: letters, case, digits and marks. Pure."""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from typing import Literal

from pydantic import BaseModel, ConfigDict, NonNegativeInt

TextKind = Literal["text", "number", "date"]
_RUN = re.compile(r"[^\W\d_]+|\d+|\s+|.", re.DOTALL)
_TWO_DIGITS = re.compile(r"(?<!9)99(?!9)")
_WHOLE = re.compile(r"[^\W_]+|.", re.DOTALL)
_MARKED = re.compile(r"(?<=9)(?:[.,'’\s]9+)+")
_MARK = re.compile(r"\D9+")
_OF_CODES = {
    "X": frozenset(string.ascii_uppercase + string.digits),
    "x": frozenset(string.ascii_lowercase + string.digits),
}
_SEPARATORS = frozenset(".,:'’-/")
MANY_WORDS = 4
"""A text with more words is a sentence, which no name of a few words replaces."""
FIRST = 3
"""Texts of which each one counts: if these have no common form, there is none."""
CONFIRMED = 2
"""Texts that must have a form before it counts as one more."""


class Shape(BaseModel):
    """What all texts of one place looked like; empty for those without a common form."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    forms: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    """What stands between the digits of its numbers, such as ``,999`` in 1,325."""
    code: str = ""
    """Of texts like EX-A9DD2F: ``AA-XXXXXX``, with X where each has a digit or a capital letter of
    its own (x: a small one)."""
    scripts: tuple[str, ...] = ()
    """Of its letters."""
    fewest: NonNegativeInt = 0
    """Words of a sentence."""

    def refusal(self, text: str, kind: TextKind = "text") -> str:
        """Why a text is not like those before; empty if it is."""
        form = form_of(text, kind)
        if new := set(scripts_of(text)) - set(self.scripts):
            return f"it has signs ({', '.join(sorted(new))}) that no earlier value had"
        is_known = form in self.forms or _is_like(self.code, text)
        if (self.forms or self.code) and not is_known:
            return f"its form ({form}) is one that no earlier value had"
        if new := (set(_marks_of(text)) if kind == "number" else set()) - set(self.marks):
            return f"its form ({min(new)} in a number) is one that no earlier value had"
        return "it has fewer words than any earlier value" * (len(text.split()) < self.fewest)


def shape_of(texts: Sequence[str], kind: TextKind = "text") -> Shape:
    """The shape of these texts, in the order in which they were seen."""
    forms = [form_of(text, kind) for text in texts]
    sure = _sure(forms)
    is_text = kind == "text"
    code = _code_of(texts) if is_text and len(set(forms)) > 1 else ""
    is_sentence = is_text and any(len(text.split()) > MANY_WORDS for text in texts)
    is_free = is_sentence or len(set(forms[:FIRST])) > 1 or len(set(forms)) > CONFIRMED
    return Shape(
        forms=() if code or (is_text and is_free) else tuple(sure),
        marks=tuple(_sure([m for t in texts for m in _marks_of(t)])) if kind == "number" else (),
        code=code,
        scripts=tuple(sorted({script for text in texts for script in scripts_of(text)})),
        fewest=MANY_WORDS if is_text and all(len(t.split()) > MANY_WORDS for t in texts) else 0,
    )


def _sure(seen: Sequence[str]) -> list[str]:
    """What the first texts have, or a second one confirms."""
    counts = Counter(seen)
    first = set(seen[:FIRST])
    return sorted(one for one, n in counts.items() if one in first or n >= CONFIRMED)


def form_of(text: str, kind: TextKind = "text") -> str:
    """``Aa Aa`` for a name, ``9-99-9999`` for a code: after a mark, the number of digits counts. In
    a number, words are units, and what stands between its digits is not looked at."""
    form: list[str] = []
    last = ""
    for run in _RUN.findall(text.strip()):
        if run[0].isdigit():
            form.append("9" * len(run) if last in _SEPARATORS else "9")
        elif run[0].isalpha():
            form.append(_letters(run) if kind != "number" else run)
        else:
            form.append(" " if run.isspace() else run)
        last = run
    whole = "".join(form)
    if kind == "date":  # a day or a month may have one digit or two
        return _TWO_DIGITS.sub("9", whole)
    return _MARKED.sub("", whole) if kind == "number" else whole


def _marks_of(text: str) -> list[str]:
    """``,999`` and ``.99`` of 1,325.50."""
    digits = re.sub(r"\d", "9", text.strip())
    return [mark for found in _MARKED.findall(digits) for mark in _MARK.findall(found)]


def _code_of(texts: Sequence[str]) -> str:
    """What texts have in common in which letters and digits are mixed; empty if that is nothing."""
    code = []
    for runs in zip_longest(*(_WHOLE.findall(text.strip()) for text in texts), fillvalue=""):
        forms = {form_of(run) for run in runs}
        cases = {case for case in _OF_CODES if all(set(run) <= _OF_CODES[case] for run in runs)}
        is_mixed = sum(run.isalnum() and len(_RUN.findall(run)) > 1 for run in runs) > 1
        if len(forms) == 1:
            code.append(forms.pop())
        elif is_mixed and cases and len(set(map(len, runs))) == 1:
            code.append(min(cases) * len(runs[0]))
        else:
            return ""
    return "".join(code)


def _is_like(code: str, text: str) -> bool:
    """Whether a text is a code like those before it."""
    parts = list(zip_longest(_WHOLE.findall(code), _WHOLE.findall(text.strip()), fillvalue=""))
    return bool(code) and all(
        len(own) == len(run) and set(run) <= _OF_CODES[own[0]]
        if own[:1] in _OF_CODES
        else form_of(run) == own
        for own, run in parts
    )


def scripts_of(text: str) -> set[str]:
    """The scripts of its letters."""
    names = {unicodedata.name(letter, "unknown") for letter in text if letter.isalpha()}
    return {name.split()[0].partition("-")[0].lower() for name in names}


def _letters(run: str) -> str:
    if run.islower():
        return "a"
    if len(run) > 1 and run.isupper():
        return "AA"
    if run[0].isupper() and (run[1:].islower() or len(run) == 1):
        return "Aa" if len(run) > 1 else "A"
    return "aA" if run.lower() != run.upper() else "w"
