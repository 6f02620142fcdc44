"""What a text looks like, without what it says: letters, case, digits and marks. Pure."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Sequence
from itertools import zip_longest

from pydantic import BaseModel, ConfigDict, NonNegativeInt

_RUN = re.compile(r"[^\W\d_]+|\d+|\s+|.", re.DOTALL)
_TWO_DIGITS = re.compile(r"(?<!9)99(?!9)")
_WHOLE = re.compile(r"[^\W_]+|.", re.DOTALL)
_OF_CODES = {
    "X": frozenset(string.ascii_uppercase + string.digits),
    "x": frozenset(string.ascii_lowercase + string.digits),
}
_SEPARATORS = frozenset(".,:'’-/")
MANY_WORDS = 4
"""A text with more words is written freely, and has no fixed form."""
LENGTHS = 3
"""How many times longer or shorter than those before a text may be."""


class Shape(BaseModel):
    """What all texts of one place looked like."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    forms: tuple[str, ...] = ()
    """The form of each; empty for texts that are written freely."""
    code: str = ""
    """Of texts like EX-A9DD2F: ``AA-XXXXXX``, with X where each has a digit or a capital letter of
    its own (x: a small one); empty for all others."""
    scripts: tuple[str, ...] = ()
    fewest: NonNegativeInt
    """Characters of the shortest, and words of it where texts are written freely."""
    longest: NonNegativeInt

    def refusal(self, text: str, *, is_measured: bool = False, is_date: bool = False) -> str:
        """Why a text is not like those before; empty if it is."""
        form = form_of(text, is_measured=is_measured)
        if new := set(scripts_of(text)) - set(self.scripts):
            return f"it has signs ({', '.join(sorted(new))}) that no earlier value had"
        alike = without_zeros if is_date else str
        is_known = alike(form) in map(alike, self.forms) or _is_like(self.code, text)
        if self.forms and not is_known:
            return f"its form ({form}) is one that no earlier value had"
        size = len(text) if self.forms else len(text.split())
        if size * LENGTHS < self.fewest or self.longest * LENGTHS < size:
            return "it is much shorter or longer than the earlier values"
        if not self.forms and size < min(self.fewest, MANY_WORDS):
            return "it has fewer words than any earlier value"
        return ""


def shape_of(texts: Sequence[str], *, is_measured: bool = False) -> Shape:
    """The shape of these texts. In what ``is_measured``, words are units and part of the form."""
    is_free = not is_measured and any(len(text.split()) > MANY_WORDS for text in texts)
    sizes = [len(text.split()) if is_free else len(text) for text in texts]
    forms = () if is_free else sorted({form_of(t, is_measured=is_measured) for t in texts})
    scripts = sorted({script for text in texts for script in scripts_of(text)})
    return Shape(
        forms=tuple(forms),
        code=_code_of(texts) if len(forms) > 1 and not is_measured else "",
        scripts=tuple(scripts),
        fewest=min(sizes),
        longest=max(sizes),
    )


def form_of(text: str, *, is_measured: bool = False) -> str:
    """``Aa Aa`` for a name, ``9-99-99`` for a date: after a mark, the number of digits counts."""
    form: list[str] = []
    last = ""
    for run in _RUN.findall(text.strip()):
        if run[0].isdigit():
            form.append("9" * len(run) if last in _SEPARATORS else "9")
        elif run[0].isalpha():
            form.append(run if is_measured else _letters(run))
        else:
            form.append(" " if run.isspace() else run)
        last = run
    return "".join(form)


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


def without_zeros(form: str) -> str:
    """The form of a date in which a day or a month may have one digit or two."""
    return _TWO_DIGITS.sub("9", form)


def scripts_of(text: str) -> tuple[str, ...]:
    """The scripts of its letters, and whether it has digits."""
    found = {_script(character) for character in text if character.isalnum()}
    return tuple(sorted(found))


def _script(character: str) -> str:
    if character.isdigit():
        return "digits"
    return unicodedata.name(character, "unknown").split()[0].partition("-")[0].lower()


def _letters(run: str) -> str:
    if run.islower():
        return "a"
    if len(run) > 1 and run.isupper():
        return "AA"
    if run[0].isupper() and (run[1:].islower() or len(run) == 1):
        return "Aa" if len(run) > 1 else "A"
    return "aA" if run.lower() != run.upper() else "w"
