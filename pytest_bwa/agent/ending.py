"""How a sample ends: from done, fail, a limit or a fault to a status (F-50, F-51, F-58). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_bwa.agent.completion import Completion
from pytest_bwa.agent.progress import deep_merge
from pytest_bwa.evidence.record import Judgment, Status
from pytest_bwa.steps import Action


@dataclass(frozen=True, slots=True)
class Ending:
    """The terminal word on a sample; ``reason`` is empty only for done."""

    status: Status
    reason: str = ""
    extracted: Mapping[str, Any] | None = None
    missing: tuple[str, ...] = ()
    judgment: Judgment | None = None
    broken: bool = False
    """The browser, the model or the disk failed, not the sample."""


def answer(action: Action, collected: Mapping[str, Any]) -> tuple[dict[str, Any], Any]:
    """What done brings on top of what was saved, and its judgment.

    The judgment may come beside the extracted data, or inside it under its own name.
    """
    extracted = dict(action.extracted or {})
    judgment = action.judgment or extracted.pop("judgment", None)
    return deep_merge(collected, extracted), judgment


def accepted(extracted: Mapping[str, Any], completion: Completion) -> Ending:
    if completion.short:
        reason = "incomplete: " + "; ".join(completion.short)
        return Ending("partial_success", reason, extracted, judgment=completion.judgment)
    return Ending("done", "", extracted, judgment=completion.judgment)


def on_last_step(extracted: Mapping[str, Any], completion: Completion) -> Ending:
    """done that does not hold, with no step left to mend it: a person must look."""
    said = completion.notice().removeprefix("done was refused because ").split(". Supply")[0]
    return Ending("needs_review", said, extracted, completion.missing, completion.judgment)


def cut_short(
    reason: str, collected: Mapping[str, Any], missing: tuple[str, ...], *, broken: bool = False
) -> Ending:
    """Ended from outside: what was saved makes it a partial success, nothing a failure."""
    status: Status = "partial_success" if collected else "failed"
    return Ending(status, reason, collected, missing, broken=broken)
