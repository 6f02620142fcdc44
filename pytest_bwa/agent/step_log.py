"""What one sample has done and spent: every step goes into the log through here."""

from __future__ import annotations

from collections.abc import Callable

from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.transition import Transition
from pytest_bwa.evidence.writer import CHECKPOINT_EVERY, SampleWriter
from pytest_bwa.spec.secrets import MASK
from pytest_bwa.steps import Decision, Observation, PictureText, Step, Target, Usage, utc_now


class StepLog:
    """``watch`` is told of every step and of what was spent so far."""

    def __init__(
        self, writer: SampleWriter, progress: Progress, watch: Callable[[Step, Usage], None]
    ) -> None:
        self.writer, self._progress, self._watch = writer, progress, watch
        self.step = 0
        self.usage = Usage()
        self.notices: list[str] = []
        """What the next decision is told; each goes into the log with the step it led to."""

        self.picture_texts: list[PictureText] = []
        self.unread_pictures: dict[str, tuple[str, Observation]] = {}
        """Pages whose pictures nobody read, by URL: why, and what else they show."""

    def seen(self, observation: Observation) -> None:
        """Before a step is decided: what pictures told of the page, or did not."""
        if observation.unread_pictures:
            self.unread_pictures[observation.url] = (observation.unread_pictures, observation)
        if observation.picture_text is not None:
            self.unread_pictures.pop(observation.url, None)
            if observation.picture_text not in self.picture_texts:
                self.picture_texts.append(observation.picture_text)

    def spend(self, usage: object) -> None:
        if isinstance(usage, Usage):
            self.usage = self.usage + usage

    def record(self, transition: Transition, decision: Decision, started: str) -> None:
        step = step_record(transition, decision, started)
        if transition.action is decision.actions[0]:  # a decision's cost and notes are its first's
            told = [*self.notices, *decision.notes]
            step = step.model_copy(update={"notices": told, "usage": decision.usage})
        self.notices = []
        self.writer.log(step)
        self._watch(step, self.usage)
        if transition.action.action == "save_progress" or self.step % CHECKPOINT_EVERY == 0:
            self.checkpoint("in_progress")

    def checkpoint(self, status: str) -> None:
        collected, notes = self._progress.collected, self._progress.notes
        self.writer.checkpoint(self.step, collected, notes, status)

    @property
    def last_url(self) -> str:
        return self.writer.steps[-1].url if self.writer.steps else ""

    @property
    def screenshots(self) -> list[str]:
        files = (artifact.filename for artifact in self.writer.artifacts)
        return [name for name in files if name.endswith(".png")]


def step_record(transition: Transition, decision: Decision, started: str) -> Step:
    """The step as it is kept; what it cost and what it was told are added by the step_log. What was
    typed into a password field is not kept."""
    action, result, verdict = transition.action, transition.result, transition.verdict
    params = action.params()
    if result.data.get("secret"):
        params["text"] = MASK
    said = result.description
    if verdict is not None and (result.success or verdict.changed):
        said = f"{said}; {verdict.summary}"
    return Step(
        step=transition.step,
        action=action.action,
        params=params,
        target=_target(transition),
        intent=decision.intent,
        result=said,
        success=result.success,
        error=result.error,
        url=transition.before.url,
        thinking=decision.thinking,
        evaluation_previous_step=action.evaluation_previous_step,
        memory_update=action.memory_update,
        next_goal=action.next_goal,
        changed=verdict.changed if verdict else None,
        artifact=result.artifact.filename if result.artifact else None,
        picture_text=transition.before.picture_text,
        model=decision.model,
        started_at=started,
        timestamp=utc_now(),
    )


def _target(transition: Transition) -> Target | None:
    element = transition.before.element_for(transition.action.selector or "")
    return Target(role=element.role, name=element.name) if element else None
