"""Reads what a page says of a field that is yes or no. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.lookup.text_match import Token, clean, tokens, words
from pytest_bwa.spec.coercion import Uncertain, read_boolean

_REST = re.compile(r"\s*(?:[,;:(]|\s[–-]\s).*", re.S)
MAX_WORDS = 4
"""A longer text speaks of other things, too."""
MIN_CHARACTERS = 4
"""A shorter name may be the end of any word."""


def answer_of(text: str, label: str, field: FieldWords) -> bool | None:
    """Yes or no, as a text beside a label says it; None if it says neither.

    The name alone is a yes ("Approved"). Whatever stands before it qualifies it in any language,
    so it is taken for a no: "Not approved yet", "Noch nicht bezahlt", "Unsigned".
    """
    if (answer := _yes_or_no(text)) is not None:
        return answer
    found = tokens(clean(text))
    if len(found) > MAX_WORDS or any(character.isdigit() for character in text):
        return None
    if (answer := _yes_or_no(_REST.sub("", text))) is not None:
        return answer  # "No (waiting for Ann)"
    names = [words(label), *([[*field.words]] if len(field.words) == 1 else [])]
    answers = (_answer_with_name(clean(text), found, name) for name in names if name)
    return next((answer for answer in answers if answer is not None), None)


def _answer_with_name(text: str, found: Sequence[Token], name: Sequence[str]) -> bool | None:
    """The answer of a text that repeats the name of the field; None if it does not, or if only
    something after the name could say no ("Approved by nobody")."""
    words_of_text = [token.text for token in found]
    for at in range(len(words_of_text) - len(name) + 1):
        if words_of_text[at : at + len(name)] == list(name):
            answer = _yes_or_no(text[: found[at].start].strip(" ,;:.-–"))
            if answer is None and at == 0:
                return True if len(words_of_text) == len(name) else None
            return answer or False
    is_end = len(name) == 1 and len(name[0]) >= MIN_CHARACTERS
    return False if is_end and any(word.endswith(name[0]) for word in words_of_text) else None


def _yes_or_no(text: str) -> bool | None:
    try:
        return read_boolean(text)
    except Uncertain:
        return None
