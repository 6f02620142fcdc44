"""Whether a person should look at a sample's result."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_bwa.evidence.grounding import plain_values
from pytest_bwa.evidence.record import UNSAID, SampleResult, has_values
from pytest_bwa.proof.objections import doubts_in_words
from pytest_bwa.spec.network.advice import unsent
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.requests import WORKER

SAVED_OF_NOTHING = "values were saved of what was then not found"
REFUSED = "tried and refused: "
UNNAMED = "no heading above its values names it"
CHECK_DIFFERED = "a check of the recipe found another value"
READ_OTHERWISE = "run again, "
_ASKING = (REFUSED, UNNAMED, CHECK_DIFFERED, READ_OTHERWISE)
"""How those notes begin that ask for a look, and that nothing else of a result says; most of the
others are remarks of the agent."""
_NOTHING: tuple[object, ...] = (None, "", [], {})


def flag(result: SampleResult, *, tried_forbidden: bool) -> None:
    """Mark a result that did not pass or is not certain, as is never what OCR read, a doubtful
    value, or one of a sample that does not exist, and note why, unless its reason says so.
    ``tried_forbidden``: the task's own rules refused an action, which has a note."""
    whys = [*_unsaid(result), *filter(None, [_withheld(result)])]
    is_open = bool(result.review_marks)
    result.flagged = not result.passed or is_open or bool(whys) or tried_forbidden
    # First, because a summary has room for the beginning only.
    result.notes[:0] = [why for why in whys if why not in result.notes]


def why_to_look(result: SampleResult) -> str:
    """All that is known of why a sample did not pass or is flagged; empty for any other."""
    found = "; ".join(filter(None, (result.reason, why_flagged(result))))
    return found or ("" if result.passed else UNSAID)


def why_flagged(result: SampleResult) -> str:
    """Why a sample is flagged, as far as its ``reason`` does not say it: its notes, or, if it did
    not pass anyway, what speaks against its values."""
    if not result.flagged:
        return ""
    is_answered = result.passed or bool(result.failed_marks)
    found = "; ".join((result.notes if is_answered else ()) or _unsaid(result))
    return found or (UNSAID if is_answered and not result.reason else "")


def _unsaid(result: SampleResult) -> list[str]:
    """What makes a result not certain, in words; of one that did not pass, what speaks against its
    values."""
    is_answered = result.passed or bool(result.failed_marks)
    whys = _whys(result) if is_answered else value_doubts(result)
    return [why for why in whys if why not in result.reason]


def is_only_doubted(result: SampleResult) -> bool:
    """Whether nothing asks for a look at a sample but doubts of its values, or did before known
    samples cleared them."""
    marks = set(result.review_marks)
    if not marks or not marks <= {"flagged", "needs_review"}:
        return False
    values = plain_values(result.extracted, result.grounding)
    doubts = doubts_in_words((path, value, r.with_cleared({})) for path, value, r in values)
    rest = result.reason
    for doubt in doubts:
        rest = rest.replace(doubt, "")
    is_answered = result.status in ("done", "needs_review") and not rest.strip("; ")
    return bool(doubts) and is_answered and not _asks_for_more(result)


def _asks_for_more(result: SampleResult) -> bool:
    """Whether something but doubts asks for a look at an answer."""
    whys = [why for why in _whys(result) if why not in value_doubts(result)]
    return bool(whys or _withheld(result)) or any(n.startswith(_ASKING) for n in result.notes)


def value_doubts(result: SampleResult, *only: Doubt) -> list[str]:
    """What speaks against the values of a result, in words; ``only``: of these doubts."""
    return doubts_in_words(plain_values(result.extracted, result.grounding), *only)


def _whys(result: SampleResult) -> Iterator[str]:
    if result.judgment is not None and result.judgment.answer == "inconclusive":
        yield "the judgment is inconclusive"
    yield from value_doubts(result)
    if result.outcome == "not_found" and has_values(result.extracted):
        yield SAVED_OF_NOTHING
    if any(text.source == "ocr" for text in result.picture_texts):
        yield "text of a picture was read by OCR, which may misread characters"


def _withheld(result: SampleResult) -> str:
    """What speaks against an answer that something is not there: a page whose worker was not
    started may lack what it makes. Requests that were not sent count for nothing here: nearly every
    page reports its visitors by such."""
    absent = [name for name, value in result.extracted.items() if value in _NOTHING]
    if result.outcome == "not_found":
        absent = ["the sample"]
    workers = [r for r in unsent(result.blocked_requests) if r.method == WORKER]
    if not absent or not workers:
        return ""
    return (
        f"nothing was found for {', '.join(absent)}, and a worker of {workers[0].url} was not "
        f"started, because {workers[0].reason}: the page may lack what it makes "
        "(bwa doctor --spec FILE prints the allow_requests that start it)"
    )
