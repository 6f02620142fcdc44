"""From a turn to its record in action_log.json."""

from __future__ import annotations

from pytest_bwa.agent.moment import Moment
from pytest_bwa.steps import Decision, Step, utc_now

MASK = "***"


def step_record(moment: Moment, decision: Decision, started: str) -> Step:
    """The step as it is kept; what it cost and what it was told are added by the ledger. What was
    typed into a password field is not kept."""
    action, result, verdict = moment.action, moment.result, moment.verdict
    params = action.params()
    if result.data.get("secret"):
        params["text"] = MASK
    said = result.description
    if verdict is not None and (result.success or verdict.changed):
        said = f"{said}; {verdict.said}"
    return Step(
        step=moment.step,
        action=action.action,
        params=params,
        result=said,
        success=result.success,
        error=result.error,
        url=moment.before.url,
        thinking=decision.thinking,
        evaluation_previous_step=action.evaluation_previous_step,
        memory_update=action.memory_update,
        next_goal=action.next_goal,
        changed=verdict.changed if verdict else None,
        artifact=result.artifact.filename if result.artifact else None,
        sight=moment.before.sight,
        model=decision.model,
        started_at=started,
        timestamp=utc_now(),
    )
