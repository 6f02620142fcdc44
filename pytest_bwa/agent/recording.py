"""From a turn to its record in action_log.json."""

from __future__ import annotations

from pytest_bwa.steps import (
    Action,
    ActionResult,
    Decision,
    Observation,
    Step,
    Verdict,
    utc_now,
)

MASK = "***"


def step_record(
    number: int,
    action: Action,
    decision: Decision,
    before: Observation,
    result: ActionResult,
    verdict: Verdict | None,
    started: str,
) -> Step:
    """The step as it is kept; what it cost and what it was told are added by the loop. What was
    typed into a password field is not kept."""
    params = action.params()
    if result.data.get("secret"):
        params["text"] = MASK
    said = result.description
    if verdict is not None and (result.success or verdict.changed):
        said = f"{said}; {verdict.said}"
    return Step(
        step=number,
        action=action.action,
        params=params,
        result=said,
        success=result.success,
        error=result.error,
        url=before.url,
        thinking=decision.thinking,
        evaluation_previous_step=action.evaluation_previous_step,
        memory_update=action.memory_update,
        next_goal=action.next_goal,
        changed=verdict.changed if verdict else None,
        artifact=result.artifact.filename if result.artifact else None,
        sight=before.sight,
        model=decision.model,
        started_at=started,
        timestamp=utc_now(),
    )
