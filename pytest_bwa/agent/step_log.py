"""The steps of a sample: each with the pages before and after it, as it is logged, and its cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_bwa.agent.progress import Progress
from pytest_bwa.evidence.trajectory.recorder import TrajectoryRecorder
from pytest_bwa.evidence.writer import CHECKPOINT_EVERY, SampleWriter
from pytest_bwa.facts.identity import identity_of
from pytest_bwa.proof.flagging import REFUSED
from pytest_bwa.spec.network.urls import NO_PAGE_URLS
from pytest_bwa.spec.redaction import MASK
from pytest_bwa.spec.typed_secrets import stands_for_secret
from pytest_bwa.steps.artifacts import is_picture
from pytest_bwa.steps.step import (
    FINAL_ACTIONS,
    Action,
    ActionResult,
    Decision,
    Observation,
    PictureText,
    Step,
    Target,
    Usage,
    Verdict,
    utc_now,
)
from pytest_bwa.steps.text import continued

MAX_TARGET = 60  # characters
MAX_ADDRESS = 200
STAYING = frozenset({"scroll", "hover", "wait", "read"})
"""Actions after which the page still shows what it showed before."""


@dataclass(frozen=True, slots=True)
class Transition:
    """An executed action with the observations before and after it.

    If the action cannot change the page, or the page was not observed, ``before`` and ``after``
    are the same observation and ``verdict`` is None.
    """

    step: int
    max_steps: int
    action: Action
    result: ActionResult
    before: Observation
    after: Observation
    verdict: Verdict | None
    saved: bool = False
    """Whether save_progress added anything that was not saved before."""
    collected: Mapping[str, Any] = field(default_factory=dict)
    """What is saved now."""

    @property
    def page_changed(self) -> bool:
        """Whether the page differs from the page before the action."""
        return self.verdict is not None and self.verdict.changed

    @property
    def had_effect(self) -> bool:
        """Whether the page changed, or shows another part of itself."""
        return self.page_changed or self.has_scrolled

    @property
    def has_scrolled(self) -> bool:
        return self.action.action == "scroll" and self.result.success

    def action_text(self) -> str:
        return action_text(self.action)


def action_text(action: Action) -> str:
    """The action in a few words: ``click [3]``. Of an address more is said: it may still be opened
    later."""
    target, (page, *_) = action.selector or action.direction or "", action.pages or [""]
    if target.isdigit():
        target = f"[{target}]"
    address = (action.url or str(page))[:MAX_ADDRESS]
    return f"{action.action} {address or target[:MAX_TARGET]}".strip()


NO_PAGE = Observation(url="", title="")
OnStep = Callable[[Step, Usage], None]
"""Called after every step with the step and the usage of the sample so far."""


class StepLog:
    """Writes steps and checkpoints of one sample.

    ``on_step`` is called after every step with the step and the usage so far.
    """

    def __init__(
        self,
        writer: SampleWriter,
        progress: Progress,
        on_step: OnStep,
        trajectory: TrajectoryRecorder | None = None,
    ) -> None:
        self.writer, self._progress, self._on_step = writer, progress, on_step
        self._trajectory = trajectory
        self.step = 0
        self.usage = Usage()
        self.notices: list[str] = []
        """Notices for the next decision; each is logged with the step that it led to."""
        self.faults: list[str] = []
        """Why decisions failed before the next step; they are logged with it, and not shown."""

        self.page = NO_PAGE
        """The page after the last step; NO_PAGE as long as none was reached."""
        self._unreached_from = ""
        """The URL that was still shown after another one could not be reached."""

        self.tried_forbidden = False
        """Whether an action was refused by the task's own rules."""
        self.picture_texts: list[PictureText] = []
        self.unread_pictures: dict[str, tuple[str, Observation]] = {}
        """Pages whose pictures were not read, by URL: why they should be, and the observation."""

    def add_picture_text(self, observation: Observation) -> None:
        """Keep the text that was read from the page's pictures, or that they were not read."""
        if observation.unread_pictures:
            self.unread_pictures[observation.url] = (observation.unread_pictures, observation)
        elif observation.picture_text is not None:
            self.unread_pictures.pop(observation.url, None)
        text = observation.picture_text
        if text is not None and text not in self.picture_texts:
            self.picture_texts.append(text)

    def add_usage(self, usage: Usage | None) -> None:
        if usage is not None:
            self.usage = self.usage + usage

    def record(
        self,
        transition: Transition,
        decision: Decision,
        started: str,
        seconds: Mapping[str, float],
    ) -> None:
        """Log the step. A decision's cost and notes belong to the first of its actions."""
        step = step_record(transition, decision, started, seconds)
        if transition.action is decision.actions[0]:
            notices = [*self.notices, *self.faults, *decision.notes]
            step = step.model_copy(update={"notices": notices, "usage": decision.usage})
        self.notices, self.faults = [], []
        self._follow(transition)
        if secret := _typed_secret(transition):
            before = transition.before
            texts = [before.text, *(element.line() for element in before.all_elements)]
            self.writer.learn_typed(secret, is_shown=any(secret in text for text in texts))
        self.writer.log(step)
        self._keep(step, transition, secret)
        if transition.result.forbidden:
            self.tried_forbidden = True
            self._progress.notes.append(f"{REFUSED}{transition.result.error}")
        self._on_step(step, self.usage)
        if transition.action.action == "save_progress" or self.step % CHECKPOINT_EVERY == 0:
            self.checkpoint("in_progress")

    def _keep(self, step: Step, transition: Transition, secret: str) -> None:
        if self._trajectory is not None:
            after = transition.result.page or transition.after
            self._trajectory.add_step(
                step, transition.before, after, transition.verdict, secret=secret
            )

    def _follow(self, transition: Transition) -> None:
        """Note which page is open now, and whether it is the one that was asked for."""
        is_opening = transition.action.action == "goto"
        is_fault = is_opening and transition.result.infrastructure
        if is_fault and not transition.after.dom_hash:
            self.page = NO_PAGE
        elif is_opening or transition.after.dom_hash:
            self.page = transition.after
        if is_opening or self.page.url != self._unreached_from:
            self._unreached_from = self.page.url if is_fault else ""

    def reason_not_reached(self, page: Observation) -> str:
        """Why the page that was opened last could not be reached; empty if it was."""
        is_reached = not page.url.startswith(NO_PAGE_URLS) and page.url != ""
        if is_reached and page.url != self._unreached_from:
            return ""
        opening = next((s for s in reversed(self.writer.steps) if s.action == "goto"), None)
        detail = f": {opening.error}" if opening is not None and opening.error else ""
        return f"its page could not be reached{detail}"

    @property
    def has_picture_of_page(self) -> bool:
        """Whether a picture was taken since the page last changed, or shows the state of it that
        was seen last."""
        pictures, state = self.writer.pictures.values(), self.page.state
        if state and any(picture.page_state == state for picture in pictures):
            return True
        for step in reversed(self.writer.steps):
            if is_picture(step.artifact):
                return True
            if step.changed or step.action == "goto":
                return False
        return False

    def checkpoint(self, status: str) -> None:
        collected, notes = self._progress.collected, self._progress.notes
        self.writer.checkpoint(self.step, collected, notes, status)

    @property
    def of_sample(self) -> list[Step]:
        """The steps but for those that only signed in."""
        return [step for step in self.writer.steps if step.intent != "sign_in"]

    @property
    def last_step(self) -> Step | None:
        return self.writer.steps[-1] if self.writer.steps else None

    @property
    def screenshots(self) -> list[str]:
        files = (artifact.filename for artifact in self.writer.artifacts)
        return [name for name in files if is_picture(name)]


def step_record(
    transition: Transition, decision: Decision, started: str, seconds: Mapping[str, float]
) -> Step:
    """The step as it is logged, without usage and notices, which StepLog adds.

    Text that was typed into a password field is masked.
    """
    action, result, verdict = transition.action, transition.result, transition.verdict
    params = action.params()
    if result.is_secret:
        typed = [name for name in ("text", "key") if name in params]
        params |= {name: MASK for name in typed if not stands_for_secret(str(params[name]))}
    description = result.description
    if verdict is not None and (result.success or verdict.changed):
        description = continued(description, verdict.summary)
    return Step(
        step=transition.step,
        action=action.action,
        params=params,
        target=_target(transition, action.selector),
        destination=_target(transition, action.target),
        intent=decision.intent,
        result=description,
        success=result.success,
        error=result.error,
        url=transition.before.url,
        thinking=decision.thinking,
        evaluation_previous_step=action.evaluation_previous_step,
        memory_update=action.memory_update,
        next_goal=action.next_goal,
        page_hash=transition.before.dom_hash if action.action in FINAL_ACTIONS else "",
        changed=verdict.changed if verdict else None,
        artifact=result.artifact.filename if result.artifact else None,
        approvals=list(result.approvals),
        picture_text=transition.before.picture_text,
        mode=decision.mode,
        model=decision.model,
        seconds=dict(seconds),
        started_at=started,
        timestamp=utc_now(),
    )


def _typed_secret(transition: Transition) -> str:
    """What was typed into a password field; empty for nothing, or the name of a secret."""
    action = transition.action
    text = action.text or max(re.findall('"([^"]+)"', action.key or ""), key=len, default="")
    is_secret = transition.result.is_secret and not stands_for_secret(text)
    return text if is_secret else ""


def _target(transition: Transition, selector: str | None) -> Target | None:
    """The listed element that a selector names by its number, or alone by its name."""
    page = transition.before
    element = page.element_for(selector or "")
    if element is None and selector:
        named = [e for e in page.elements if e.name.casefold() == selector.strip().casefold()]
        element = named[0] if len(named) == 1 else None
    if element is None:
        return None
    return Target(role=element.role, name=element.name, identity=identity_of(element, page))
