"""The parts of one step: execute an action, look again, compare, record."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace

from pytest_bwa.actions.capture import parts_in_picture
from pytest_bwa.actions.catalog import changes_page, is_read_again
from pytest_bwa.actions.dispatch import Executor
from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.interact import clicks_of
from pytest_bwa.actions.resolve import GONE
from pytest_bwa.actions.seen.same_record import SameRecord, Words
from pytest_bwa.agent.limits import Limits
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.state import State, StateMachine
from pytest_bwa.agent.step_log import NO_PAGE, STAYING, StepLog, Transition
from pytest_bwa.agent.verification import verify
from pytest_bwa.errors import PageLost
from pytest_bwa.facts.address import is_same_page
from pytest_bwa.facts.identity import find_again
from pytest_bwa.page.perception.observer import Observer
from pytest_bwa.proof.observed import Observed
from pytest_bwa.proof.photos.proof_pictures import ProofPictures
from pytest_bwa.spec.network.responses import is_error
from pytest_bwa.spec.network.urls import NO_PAGE_URLS
from pytest_bwa.steps.step import (
    Action,
    ActionResult,
    Artifact,
    Decision,
    Intent,
    Observation,
    list_number,
    utc_now,
)
from pytest_bwa.steps.text import continued

READ_LABEL = "read"


@dataclass
class Eyes:
    """Looks at the page; whatever it sees may prove a value."""

    observer: Observer
    observed: Observed
    step_log: StepLog

    def observe(self) -> Observation:
        """The page as it is now. Raises PageLost."""
        observation = self.observer.observe()
        is_beside = self.observer.is_beside
        self.observed.add_observation(observation, self.step_log.step, is_beside=is_beside)
        return observation

    @property
    def shows_nothing(self) -> bool:
        """Whether a file has come in place of the page that was to be opened in a new tab."""
        return self.observer.page.url.startswith(NO_PAGE_URLS)

    def observe_again(self) -> None:
        """The page while its picture is taken; a page that is gone ends the sample soon enough."""
        with suppress(PageLost):
            self.observe()


@dataclass
class StepRunner:
    """Runs the actions of one sample, those of the policy part by part, and the loop's own as a
    whole."""

    eyes: Eyes
    executor: Executor
    pictures: ProofPictures
    states: StateMachine
    limits: Limits
    progress: Progress
    step_log: StepLog
    _opened: set[str] = field(default_factory=set, init=False)
    """The addresses of the pages that were seen before a decision."""
    _read_pages: dict[int, Observation] = field(default_factory=dict, init=False)
    """The pages in the background, by the numbers of their elements."""

    @property
    def observed(self) -> Observed:
        return self.eyes.observed

    def observe(self) -> Observation:
        """The page as it is now. Raises PageLost."""
        return self.eyes.observe()

    def photograph_error(self, page: Observation) -> None:
        """A picture of the sample's first page, or of its own page behind a login, if the server
        answered with an error: this may be all that proves what became of the sample. Raises
        EvidenceError."""
        is_own = not self._opened or self.observed.is_at_own_address(page.url)
        is_new = page.url not in self._opened
        self._opened.add(page.url)
        if is_own and is_new and is_error(page.http_status):
            self.pictures.take("first_page", page, self.step_log.step)

    def execute(self, action: Action, observation: Observation) -> ActionResult:
        """Execute the action on the page. Raises PageLost and EvidenceError."""
        step = self.step_log.step
        if changes_page(action.action) and action.action not in STAYING:
            self.pictures.hold(observation, step)
        if action.action == "read":
            result = self._read(action, observation, step)
        else:
            result, observation = self._act_repeatedly(action, observation)
        self.observed.steps_done = len(self.step_log.writer.steps) + 1
        self.observed.add_action(action, result, observation, step)
        if result.picture is not None:
            self.pictures.show(observation)
        if result.artifact is not None:
            self.pictures.read_what_it_shows(result.artifact.filename, observation)
        self.limits.count_faults(result)
        return result

    def _read(self, action: Action, observation: Observation, step: int) -> ActionResult:
        """Read and photograph a page in the background. Whatever becomes of it, the sample's own
        page is still there."""
        page = Observation(url="", title="")
        self.observed.steps_done = len(self.step_log.writer.steps) + 1
        try:
            result = self.executor.act(action, observation, step)
            if result.success and not self.eyes.shows_nothing:
                page = self.eyes.observe()
                picture = self.pictures.take(READ_LABEL, page, step)
                if picture is not None:  # what panels hide is in further ones
                    self.pictures.hold(page, step)
                result = replace(with_picture(result, picture, page), page=page)
                self._read_pages |= {element.index: page for element in page.elements}
        except PageLost as lost:
            result = failure(str(lost))
        finally:
            self.executor.add_seen(page)
        return replace(result, infrastructure=False)

    def at_its_page(self, action: Action, page: Observation) -> tuple[Action, Observation]:
        """The action, and the page on which its element is. One that was read in the background is
        opened first, as a step of its own."""
        number = list_number(action.selector or "")
        read = self._read_pages.get(number) if number is not None else None
        was = read.element(number) if read is not None and number is not None else None
        if read is None or was is None:
            return action, page
        if not is_same_page(page.url, read.url):
            goto = Action(action="goto", url=read.url)
            page = self.take_own_step(goto, page, "", f"[{number}] is on that page.").after
        element = find_again(was, read, page)
        if element is None:  # the action fails, and says why
            return action, page
        return action.model_copy(update={"selector": str(element.index)}), page

    def _act_repeatedly(
        self, action: Action, page: Observation
    ) -> tuple[ActionResult, Observation]:
        """The result of an action on a page, and the page as it was seen last. More clicks than one
        gesture has are single ones, and a page may paint what they press anew each time."""
        times, landed = clicks_of(action), 0
        if times > 1:
            action = action.model_copy(update={"count": 1})
        while True:
            result = self.executor.act(action, page, self.step_log.step)
            is_gone = GONE in (result.error or "")
            if is_gone and (again := self._painted_anew(action, page, is_pressed=landed > 0)):
                action, page = again
                result = self.executor.act(action, page, self.step_log.step)
            if not result.success or landed + 1 == times:
                break
            landed += 1
        if times == 1:
            return result, page
        if result.success:
            return replace(result, description=f"{result.description}, {times} times"), page
        why = "then it was gone" if GONE in (result.error or "") else result.error
        error = f"{landed} of {times} clicks landed: {why}"
        return replace(result, description=error, error=error), page

    def _painted_anew(
        self, action: Action, before: Observation, *, is_pressed: bool
    ) -> tuple[Action, Observation] | None:
        """The action on the page as it is now, if it has the action's element again: the page
        painted it anew while the policy decided, and an equal one alone got its number; or the
        action itself has pressed it."""
        old, now = before.element_for(action.selector or ""), self.observe()
        new = find_again(old, before, now, is_pressed=is_pressed) if old else None
        if old is None or new is None or old.ref[0] != new.ref[0]:
            return None
        was, is_now = ((e.role, e.name, e.url, e.place) for e in (old, new))
        difference = SameRecord(before).difference(old, Words(new.name, new.around))
        if not is_pressed and (was != is_now or difference):
            return None
        return action.model_copy(update={"selector": str(new.index)}), now

    def take_picture(self, action: Action, page: Observation) -> Artifact | None:
        """The picture that was asked for beside an action. Raises EvidenceError."""
        if not action.screenshot_label:
            return None
        return self.pictures.take(action.screenshot_label, page, self.step_log.step)

    def observe_after(self, action: Action, before: Observation) -> Observation:
        if not is_read_again(action.action):
            return before
        after = self.observe()
        self.pictures.hold_message(before, after, self.step_log.step)
        return after

    def verify(
        self, action: Action, result: ActionResult, before: Observation, after: Observation
    ) -> Transition:
        self.states.to(State.VERIFYING)
        is_comparable = changes_page(action.action) and before.dom_hash != ""
        progress = self.progress
        target = before.element_for(action.selector or "")
        return Transition(
            step=self.step_log.step,
            max_steps=self.limits.max_steps,
            action=action,
            result=result,
            before=before,
            after=after,
            verdict=verify(before, after, result.effects, target, result.description)
            if is_comparable
            else None,
            saved=action.action == "save_progress" and result.success and progress.has_grown,
            collected=progress.collected,
        )

    def record(self, transition: Transition, decision: Decision, started: str) -> None:
        self.states.to(State.RECORDING)
        self.step_log.record(transition, decision, started, self.states.take_seconds())

    def take_own_step(
        self, action: Action, before: Observation, intent: Intent, why: str = ""
    ) -> Transition:
        """Execute and record an action of the loop itself, which no policy asked for. If the page
        was not observed before (it has no dom_hash), nothing is compared."""
        started, pending, self.step_log.notices = utc_now(), self.step_log.notices, []
        try:
            self.states.to(State.EXECUTING)
            result = self.execute(action, before if before.dom_hash else NO_PAGE)
            after = self.observe_after(action, before) if before.dom_hash else before
            transition = self.verify(action, result, before, after)
            self.record(transition, Decision((action,), thinking=why, intent=intent), started)
        finally:  # the notices are for the next decision, even if this action fails
            self.step_log.notices = pending
        return transition


def with_picture(result: ActionResult, picture: Artifact | None, page: Observation) -> ActionResult:
    """The result of an action together with the picture of a page that was taken beside it."""
    if picture is None:
        return result
    saved = f"saved {picture.called()}{parts_in_picture(page)}"
    description = continued(result.description, saved)
    return replace(result, description=description, artifact=result.artifact or picture)
