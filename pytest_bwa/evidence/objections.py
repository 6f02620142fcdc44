"""Says in words why the values of an answer are not proven. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pytest_bwa.evidence.record import NOT_CERTAIN, Grounding
from pytest_bwa.evidence.sightings import OWN_READING
from pytest_bwa.spec.messages import quote_value

MAX_NAMED = 8
"""Values that one sentence names."""
TEXT_CHARACTERS = 80
PROVE = (
    "Open the page that shows them and call done there (extract or find reads what is not listed); "
    "correct a wrong value, and report null for what no page shows."
)
IN_UNITS = (
    " If a page says a number in another unit, call done again with the same value: a person will "
    "look at it."
)
READ_BACK = (
    "Save the form, open it anew with goto, and call done where it still has them; correct a wrong "
    "value, and report null for what was not saved."
)
FILLS_IN = (
    " (if the task fills in a form, say so in the spec with read_only: false: then what the agent "
    "entered is proven by reading it back)"
)
PICTURE = (
    "Close what covers them, or open the page that shows them, and call done there; if it does not "
    "come again, call done with the same values: a person will look at them."
)
WHOLE = (
    "Report the whole text from where the page shows it, or null; if it is written so, call done "
    "again with it: a person will look at it."
)
PROVE_OWN = (
    "Open the sample's own page and report its values; if that is what you did, call done again "
    "with the same values."
)
INSIST = "If it is the field's value, call done again with it; correct it if it is not."
FIND = (
    "Open the part that was not opened, or report the value that stands there; if there is none, "
    "call done again with the same values."
)
CHOOSE = (
    "Report the value of the sample's own record, or null if it has none; if that is what you did, "
    "call done again with the same values."
)

_BESIDE = (
    "only what stands around the content of a page, or outside of the section that the spec names, "
    "has {}"
)
_UNRELATED = (
    "neither does a page name the sample nor was it opened from the sample's own on which {} was "
    "seen"
)

NOT_OPENED = ": not opened"
"""What follows the name of a part of the page that contests a null because it stayed closed."""

Value = tuple[str, Any, Grounding]
"""A plain value with its place in the answer, and its record."""


@dataclass(frozen=True, slots=True)
class Objection:
    """Why values are not proven."""

    notice: str
    """For the policy: why, and what to do about it; empty if it can do nothing."""
    reason: str
    """For the person who must look at the sample; empty if the same answer is accepted when it is
    given again."""
    doubt: str = ""
    """What is noted with an answer that is accepted all the same."""


def _nothing(path: str, value: Any) -> bool:
    return False


def object_to(
    found: Sequence[Value],
    is_entered: Callable[[str, Any], bool] = _nothing,
    *,
    fills_in: bool = False,
) -> Objection | None:
    """What is to be said against an answer; None if all of it is proven. ``is_entered`` says of a
    value whether the agent entered it, ``fills_in`` whether the task is to enter something."""
    parts = list(_not_seen(found, is_entered, READ_BACK if fills_in else PROVE))
    unpictured = [v for v in found if v[2].how != "derived" and v[2].artifact is None]
    if unpictured and not parts:
        why = f"no picture shows the page on which {_listed(unpictured, _in_words)} was seen"
        parts.append(Objection(f"{why}. {PICTURE}", why))
    doubt = _doubt(found)
    if not parts:
        return doubt
    notices = [p.notice for p in (*parts, *([doubt] if doubt else [])) if p.notice]
    return Objection(" ".join(notices), "; ".join(p.reason for p in parts))


def _not_seen(
    found: Sequence[Value], is_entered: Callable[[str, Any], bool], read_back: str
) -> Iterator[Objection]:
    """One for each way in which values were not seen. ``read_back`` says what to do about those
    that were entered."""
    cut = list(filter(_ends_cut, found))
    unseen = [v for v in found if v[2].how == "unseen" and v not in cut]
    without_text = [v for v in unseen if v[2].text is None]
    entered = [v for v in without_text if is_entered(*v[:2])]
    if cut:
        why = f"the page shows only the beginning of {_listed(cut, _in_words)}"
        yield Objection(f"{why}. {WHOLE}", why)
    if nowhere := [v for v in without_text if v not in entered]:
        why = f"no page that was observed shows {_listed(nowhere, _in_words)}"
        yield Objection(f"{why}. {PROVE}{IN_UNITS if any(map(_is_number, nowhere)) else ''}", why)
    if entered:
        why = f"only what the agent itself entered has {_listed(entered, _in_words)}"
        yield Objection(f"{why}. {read_back}", why)
    if unnamed := [v for v in unseen if v[2].text is not None]:
        why = _listed(unnamed, _nameless)
        yield Objection(f"{why}. {INSIST}", f"{why}: {_listed(unnamed, _advice, '; ')}")


def _doubt(found: Sequence[Value]) -> Objection | None:
    """What speaks against values that are proven; None if nothing does."""
    doubt = _doubt_of_place(found)
    if unsure := [value for value in found if value[2].other_reading]:
        either = f"{_listed(unsure, _either, '; ')}: the spec's locale can tell"
        if doubt is None:
            return Objection("", "", either)
        return replace(doubt, doubt=f"{doubt.doubt}; {either}")
    return doubt


def _doubt_of_place(found: Sequence[Value]) -> Objection | None:
    """All that speaks against where values stand, so that one answer can meet all of it."""
    hidden = [value for value in found if value[2].hidden]
    # Why a policy that reads labelled values was not certain, it says itself.
    contested = [v for v in found if v[2].contested and v[2].rule != NOT_CERTAIN]
    beside = [value for value in found if value[2].beside]
    unrelated = [value for value in found if value[2].unrelated]
    doubts = [
        (hidden, "only text that nobody can see has {}", _in_words, INSIST),
        ([v for v in contested if v[1] in (None, [])], "{}", _disputed, FIND),
        ([v for v in contested if v[1] not in (None, [])], "{}", _disputed, CHOOSE),
        (beside, _BESIDE, _in_words, INSIST),
        (unrelated, _UNRELATED, _in_words, PROVE_OWN),
    ]
    whys, advice = [], []
    for values, why, words, what_to_do in doubts:
        if values:
            whys.append(why.format(_listed(values, words, "; " if words is _disputed else ", ")))
            advice.append(what_to_do)
    if not whys:
        return None
    why = "; ".join(whys)
    return Objection(f"{why}. {' '.join(dict.fromkeys(advice))}", "", why)


def doubts_in_words(found: Sequence[Value], noted: str) -> list[str]:
    """What speaks against values that are proven, but for those whose names are in what was
    ``noted`` of the answer; and of which only the policy itself says that a picture shows them."""
    unnamed = [v for v in found if not re.search(rf"(?<!\w){re.escape(v[0])}(?!\w)", noted)]
    doubt = _doubt(unnamed)
    lines = [doubt.doubt] if doubt else []
    if own := [value for value in found if value[2].role == OWN_READING]:
        pictures = dict.fromkeys(value[2].artifact for value in own if value[2].artifact)
        compare = f": compare with {', '.join(pictures)}" if pictures else ""
        lines.append(
            f"only the agent's own look at a picture has {_listed(own, _in_words)}{compare}"
        )
    return lines


def place_in_words(record: Grounding) -> str:
    """What a page has where a value stands, with its label: ``“Employees | 37”``."""
    text, label = record.text or "", record.name or ""
    line = text if label in text else f"{label} | {text}"
    cut = line if len(line) <= TEXT_CHARACTERS else f"{line[:TEXT_CHARACTERS]}…"
    return f"“{cut}”"


def _in_words(value: Value) -> str:
    return f"{value[0]} ({quote_value(value[1])})"


def _is_number(value: Value) -> bool:
    return isinstance(value[1], int | float) and not isinstance(value[1], bool)


def _ends_cut(value: Value) -> bool:
    """Whether a text ends as one does that a page has cut."""
    return value[2].how != "derived" and str(value[1]).rstrip().endswith(("…", "..."))


def _nameless(value: Value) -> str:
    path, plain, record = value
    place = place_in_words(record)
    return f"{quote_value(plain)} stands on the page ({place}), but nothing beside it names {path}"


def _disputed(value: Value) -> str:
    path, plain, record = value
    closed = [o.removesuffix(NOT_OPENED) for o in record.contested or () if o.endswith(NOT_OPENED)]
    if closed:
        return f"{path} is reported as {quote_value(plain)}, but “{closed[0]}” was not opened"
    others = " and ".join(f"“{other}”" for other in record.contested or ())
    says = "and the page also says" if record.text else "but a page says"
    return f"{path} is reported as {quote_value(plain)}, {says} {others}"


def _either(value: Value) -> str:
    path, plain, record = value
    return f"{path} is {plain} or {record.other_reading} ({place_in_words(record)})"


def _advice(value: Value) -> str:
    """How a person makes the page's words for a field known."""
    field, label = re.sub(r"\[\d+\]", "", value[0]), value[2].name
    if not label:
        return f"if it is right, add the page's words for {field} to the aliases of the spec"
    return f"if it is right, add the label to the spec (aliases: {{{field}: [{label}]}})"


def _listed(values: Sequence[Value], words: Callable[[Value], str], separator: str = ", ") -> str:
    more = f" and {len(values) - MAX_NAMED} more values" if len(values) > MAX_NAMED else ""
    return separator.join(dict.fromkeys(map(words, values[:MAX_NAMED]))) + more
