"""Says in words why values of an answer are not proven, and what speaks against others. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_bwa.evidence.grounding import Grounding, field_of
from pytest_bwa.proof.grounding import Refused
from pytest_bwa.proof.lines import Number
from pytest_bwa.spec.messages import quote_value
from pytest_bwa.steps.doubts import MAX_NAMED, Doubt, few, said_once

MAX_LINES = 3
"""Cited lines of one value that are quoted."""
TEXT_CHARACTERS = 80
ADVICE = (
    "Call {} again with these fields alone and the [numbers] of the lines that show them, or "
    "with corrected values, or null for what no page shows. Open the page first if it was not open "
    "yet; extract and find read what is not listed. All other values are kept."
)
NO_PROOF = "helps to find a value and proves none: a line of the page must show it"
READ_BACK = "Save the form, open it again with goto, and cite what it shows then."
WHOLE = "Report the whole text from where the page shows it, or null."
PICTURE = (
    "Close what covers them, or open the page that shows them, and call done there; if it does not "
    "come back, call done with the same values: a person will look at them."
)

Value = tuple[str, Any, Grounding]
"""A plain value with its place in the answer, and its record."""
Says = Callable[[Number], str]
"""What the line with a number says."""


@dataclass(frozen=True, slots=True)
class Objection:
    """Why values are not proven."""

    notice: str
    """For the policy: why, and what to do about it."""
    reason: str
    """For the person who must look at the sample."""
    fields: tuple[str, ...] = ()
    """The fields that are not proven."""


def object_to(
    refused: Sequence[Refused],
    unpictured: Sequence[Value],
    says: Says,
    call: str = "done",
    *,
    fills_in: bool = True,
) -> Objection | None:
    """What is to be said against an answer; None if all of it is proven. ``unpictured`` are the
    values that no picture shows; ``call`` is the action that gave the values; ``fills_in`` says
    whether the task is to enter something, which is then read back."""
    fields = dict.fromkeys(field_of(path) for path in (*(r.path for r in refused),
                                                     *(v[0] for v in unpictured)))  # fmt: skip
    notices = [_for_policy(r, says) for r in refused[:MAX_NAMED]]
    reasons = [_for_person(r, says) for r in refused[:MAX_NAMED]]
    advice = [ADVICE.format(call)] if refused else []
    is_entered = any(r.finding.why == "entered" for r in refused)
    advice += [READ_BACK] if is_entered and fills_in else []
    advice += [WHOLE] if any(r.finding.why == "cut" for r in refused) else []
    if (more := len(refused) - MAX_NAMED) > 0:
        notices.append(f"and {more} more values")
        reasons.append(f"and {more} more values")
    if unpictured:
        why = f"no picture shows the page on which {_listed(unpictured)} was seen"
        notices, reasons, advice = [*notices, why], [*reasons, why], [*advice, PICTURE]
    if not notices:
        return None
    return Objection(f"{'; '.join(notices)}. {' '.join(advice)}", "; ".join(reasons), tuple(fields))


def _for_policy(refused: Refused, says: Says) -> str:
    value, finding = f"{refused.path}={quote_value(refused.value)}", refused.finding
    lines = ", ".join(_quoted(number, says) for number in finding.lines[:MAX_LINES])
    match finding.why:
        case "miscited":
            more = f" ({len(finding.lines)} lines are cited)" if len(finding.lines) > 1 else ""
            return f"{value}: {lines}{more}"
        case "unknown":
            return f"{value}: no line that was shown has the number {finding.lines[0]}"
        case "script":
            return f"{value}: [{finding.lines[0]}] is what a script returned, which {NO_PROOF}"
        case "asked":
            candidates = ", ".join(_quoted(number, says) for number in finding.lines)
            none = ", or [] if there was none to count" if refused.value == 0 else ""
            return f"{value}: give the line{none}" + (f" ({candidates})" if candidates else "")
        case "cut":
            return f"{value}: the page shows only the beginning of it"
        case "entered":
            return f"{value}: only what you entered yourself has it"
        case _:
            return f"{value}: no line that was shown has it"


def _for_person(refused: Refused, says: Says) -> str:
    value, finding = f"{refused.path} ({quote_value(refused.value)})", refused.finding
    match finding.why:
        case "miscited":
            lines = ", ".join(_quoted(number, says) for number in finding.lines[:MAX_LINES])
            return f"the line that the answer cites does not show {value}: {lines}"
        case "script":
            return f"the answer cites what a script returned for {value}, which {NO_PROOF}"
        case "asked":
            return f"the answer does not say which line shows {value}"
        case "cut":
            return f"the page shows only the beginning of {value}"
        case "entered":
            return f"only what the agent itself entered has {value}"
        case _:
            return f"no page that was observed shows {value}"


def _quoted(number: Number, says: Says) -> str:
    text = says(number)
    cut = text if len(text) <= TEXT_CHARACTERS else f"{text[:TEXT_CHARACTERS]}…"
    line = f"[{number}]" if isinstance(number, int) else "it"
    return f"{line} says “{cut}”"


def doubts_in_words(found: Iterable[Value], *only: Doubt) -> list[str]:
    """What speaks against values, a sentence for each doubt and detail, with the values' names;
    ``only``: of these doubts."""
    return said_once(
        (f"{path} ({quote_value(value)})", doubt, detail)
        for path, value, record in found
        for doubt, detail in record.found()
        if not only or doubt in only
    )


def _listed(values: Sequence[Value]) -> str:
    return few([f"{path} ({quote_value(value)})" for path, value, _ in values])
