"""Why what a page shows under a label is no value, or none of the sample's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from pytest_bwa.spec.notation.numbers import currencies_in
from pytest_bwa.steps import LabelledValue
from pytest_bwa.text import has_words, label_key

# A change ("low → high"), boxes of which one is ticked, words of which all but one are to be struck
# out, a template that was not filled in, or the rest of a list ("Ann +2").
_NO_VALUE = re.compile(
    r"☐.*[☑☒]|[☑☒].*☐|→|->|=>|\S\s/\s.*\S\s/\s\S|"
    r"\{\{|\}\}|[$#]\{|\{\w+\}|\[\[|\]\]|<%|\s\+\s?\d{1,2}$",
    re.DOTALL,
)
_SIGN = "[\u2190-\u23ff\u25a0-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
# A sign beside words ("Ann Lee ✓", "⊘ Available"), or that of a footnote ("Ann Lee*").
_WITH_SIGN = re.compile(rf"^{_SIGN}\ufe0f?\s+\S|\S\s+{_SIGN}\ufe0f?$|[^\W\d][*†‡]+$")
_WORDS = re.compile(r"[^\W\d_]+(?:[ '’/-][^\W\d_]+)+")
_ABBREVIATION = re.compile(r"[^\W\d_](?:[./ ]+[^\W\d_])+\.?|[^\W\d_]+\.")  # "n/a", "k. A.", "dto."
_INITIALS = re.compile(r"[^\W\d_]{2,4}")  # "TBD"
# What else stands in for a value is seen in any language. These words are a help more: one that is
# missing here leaves "Unassigned" and its like to be taken for a value, as docs/goals.md says.
_NEGATION = re.compile(
    r"(?:no|not|never|non|nicht|niet|não|inte|ikke|nie|не|нет)\s|未|"
    r"(?:none|nothing|kein|keine|keiner|nichts|geen|aucun|aucune|ninguno|ninguna|nenhum|nenhuma|"
    r"nessun|nessuno|nessuna|ingen|brak)\b(?![-.’'])",
    re.I,
)
# A longer text may be somebody's description.
_WORDS_AT_MOST = 6
_PARTICLE = 3  # letters
_QUOTED = 60  # characters


def refusal(value: LabelledValue) -> str:
    """Why what is shown is no value, whatever its type; empty if it may be one."""
    text = value.value[:_QUOTED]
    if value.cut:
        return f"the page shows only the beginning: “{value.value[-40:]}”"
    if value.doubt:
        return f"“{text}”: {value.doubt}"
    if not value.value:
        return "the page has no text there"
    if _NO_VALUE.search(value.value):
        return f"“{text}” is not one value"
    if _WITH_SIGN.search(value.value.strip()):
        return f"“{text}” has a sign whose meaning nothing tells"
    if label_key(value.value) == label_key(value.label):
        return f"“{text}” is only its label"
    if value.url and has_words(value.value, value.label):
        return f"“{text}” is a link that offers to change it"
    keys = [word.rpartition(".")[2] for word in value.value.split() if "." in word]
    is_key = label_key(value.label) in map(label_key, keys)
    return f"“{text}” is the key of a text that is missing" if is_key else ""


def currency_clash(name: str, value: LabelledValue) -> str:
    """Why a number is not what its label, or the name of the field, says that it is: "CHF 1,250"
    under "Amount (EUR)"; empty if they do not name different currencies."""
    of_name = currencies_in(name.upper().replace("_", " "))
    of_label, own = currencies_in(value.label) or of_name, currencies_in(value.value)
    if not of_label or not own or of_label & own:
        return ""
    return f"“{value.value[:_QUOTED]}” is in another currency than “{value.label}”"


def reference(value: LabelledValue, record: Iterable[LabelledValue]) -> str:
    """Why a text may only say where the value stands, as "Same as billing address" does beside a
    "Billing address"; empty if it does not name another value of the record."""
    if len(value.value.split()) > _WORDS_AT_MOST:
        return ""
    longer = (v.label for v in record if len(v.label.split()) > 1)
    named = (label for label in longer if has_words(value.value, label))
    other = next((label for label in named if label_key(label) != label_key(value.label)), "")
    return f"“{value.value[:_QUOTED]}” speaks of “{other}”" if other else ""


def stand_in(value: LabelledValue, others: Iterable[str]) -> str:
    """Why a text may only say that a value is missing, by how it is written, in any language with
    capitals; empty if nothing speaks for that. ``others`` are the other values and headings."""
    text, quoted, others = value.value.strip(), value.value[:_QUOTED], list(others)
    are_initials = _are_capitals(text) and not any(map(_are_capitals, others))
    if are_initials or (_ABBREVIATION.fullmatch(text) and text.upper() != text.lower()):
        return f"“{quoted}” may be short for words that say that there is nothing"
    if _NEGATION.match(text) and len(text.split()) <= _WORDS_AT_MOST:
        return f"“{quoted}” may say that there is nothing"
    label, text = value.label, text.rstrip(".!")
    if not label[:1].isupper() or not _WORDS.fullmatch(text):
        return ""
    # "No milestone" under "Milestone", and not "All checks passed" under "Checks".
    if text.endswith(label.lower()) and has_words(text, label):
        return f"“{quoted}” speaks of its label"
    first, *rest = text.split()
    is_small = first == first.lower() != first.upper()
    is_particle = len(first) <= _PARTICLE and text != text.lower()  # "van Dijk"
    is_unlike = is_small and not is_particle and not _begin_small(others)
    if rest and is_unlike and len(rest) < _WORDS_AT_MOST:
        return f"“{quoted}” begins with a small letter, as “not set” does, and its label does not"
    return ""


def _are_capitals(text: str) -> bool:
    return _INITIALS.fullmatch(text) is not None and text.isupper()


def _begin_small(texts: Iterable[str]) -> bool:
    """Whether most of the texts that begin with a letter begin with a small one: some sites write
    everything so. Several small words do not count: they may stand in for values, too."""
    counts = Counter(
        text[0].islower() for text in texts
        if text[:1].upper() != text[:1].lower()
        and not (text[0].islower() and _WORDS.fullmatch(text.strip()))
    )  # fmt: skip
    return counts[True] > counts[False]


# -- other sections ------------------------------------------------------------------------------


def stands_under(label: str, sections: Sequence[str]) -> str:
    """Where the sample's page has a label, and the aliases that would make it the field's."""
    return f"“{label}” stands {_places(sections)} (alias {_aliases(label, sections)})"


def stands_outside(label: str, sections: Sequence[str], is_form: bool) -> str:
    """The same for a label outside of the sample's record; ``sections`` are those that an alias
    may make a part of it."""
    where = "is a field to fill in, beside values of the page's own"
    if not is_form:
        where = "stands outside of this sample's record"
    if not sections:
        return f"“{label}” {where}"
    aliases = _aliases(label, sections)
    return f"“{label}” {where}, {_places(sections)}; if that is its own, take the alias {aliases}"


def _places(sections: Sequence[str]) -> str:
    return " and ".join(f"under “{section}”" for section in sections)


def _aliases(label: str, sections: Sequence[str]) -> str:
    return " or ".join(f'"{section} > {label}"' for section in sections)
