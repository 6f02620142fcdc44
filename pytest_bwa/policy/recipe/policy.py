"""The policy that follows a recipe, as long as everything is certain.

It stands in front of another policy. At the first step that the recipe does not know, it hands the
sample over: the other policy gets the page and the history as they are, and decides from then on.
Each sample has a RecipePolicy of its own, which knows how far the sample has come, which ways still
fit, and why the sample was handed over.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from pytest_bwa.evidence.record import RecipeUse
from pytest_bwa.facts.place import PageFacts
from pytest_bwa.policy.base import ModelHelpers, Policy, Turn, no_judgment
from pytest_bwa.policy.recipe.endings import Ended, EndedPage, Endings
from pytest_bwa.policy.recipe.lesson import first_address
from pytest_bwa.policy.recipe.parameters import any_number, generalised
from pytest_bwa.policy.recipe.places import look_at
from pytest_bwa.policy.recipe.reading import FieldReader, Read
from pytest_bwa.policy.recipe.recipe import PageRecipe, Recipe, WayRecipe
from pytest_bwa.policy.recipe.visits import months_on
from pytest_bwa.policy.recipe.walk import SamplePages
from pytest_bwa.policy.recorded import MAX_WAITS, DoesNotFit
from pytest_bwa.spec.notation.dates import iso_date
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action, Decision, Intent

PAUSES = (0.2, 0.8)
"""Seconds before each wait for a page that does not yet show what is looked for: one that is filled
late may have nothing pending that a wait could see."""


@dataclass(frozen=True, slots=True)
class _Fit:
    """A way that fits the present page, and what it does there."""

    way: WayRecipe
    values: dict[str, Any]
    sources: dict[str, Any]
    """Where they stand, as an answer cites it."""
    locales: dict[str, str]
    """How they are written, where that is certain."""
    action: Action | None
    uncertain: Mapping[str, str]
    """Why it does not read the other fields of the page."""

    def contradicts(self, other: _Fit) -> bool:
        """Whether it does something else, or reads another value of the same field. A way may leave
        to the model what another one can read."""
        shared = self.values.keys() & other.values.keys()
        return self.action != other.action or any(
            self.values[name] != other.values[name] for name in shared
        )


class RecipePolicy:
    """Follows the recipe, and asks ``policy`` where that is not certain; if ``policy`` must not be
    ``asked``, a person has to look at the sample."""

    def __init__(
        self,
        recipe: Recipe,
        policy: Policy,
        task: TaskSpec,
        sample: Sample,
        *,
        asked: bool,
        pause: Callable[[float], None] = time.sleep,
        newest: Callable[[str], Recipe | None] = lambda why: None,
    ) -> None:
        """``newest`` gives the recipe as other samples have taught it by now, for the reason why
        this sample does not fit."""
        self._pause, self._newest = pause, newest
        self._policy, self._asked, self._task = policy, asked, task
        self._reader = FieldReader(task)
        self._columns = dict(sample.plain_columns)
        self.name, self.model = policy.name, policy.model
        self.helpers = policy.helpers if asked else ModelHelpers()
        self.reads_labelled_values = policy.reads_labelled_values
        self._ways: Sequence[WayRecipe] = ()
        self._use_recipe(recipe)
        self._page, self._waits, self._pauses = 0, 0, 0
        self._months_away: int | None = None
        self._pictures: list[str] = []
        self._saved = self._submitted = False
        self._was_healed = False
        self._uncertain: dict[str, str] = {}
        self._is_walk_done = False
        self._why = f"the recipe is no longer used: {recipe.rests}" if recipe.rests else ""
        self._why_at = 0

    @property
    def use(self) -> RecipeUse:
        """What became of the recipe in this sample."""
        if self._why:
            return RecipeUse(kind="handed_over", step=self._why_at, why=self._why)
        if self._is_walk_done:
            why = "; ".join(self._uncertain.values())
            return RecipeUse(kind="gathered", step=self._why_at, why=why)
        return RecipeUse(kind="healed" if self._was_healed else "replayed")

    def close(self) -> None:
        """The other policy is closed by whoever made it."""

    def decide(self, turn: Turn) -> Decision:
        """The recipe's next action, or the other policy's."""
        if self._why or self._is_walk_done:
            return self._leave(turn)
        if why := _why_no_step(turn):
            return self._hand_over(turn, why)
        if turn.observation.busy and self._waits < MAX_WAITS:
            self._waits += 1
            return self._own(Action(action="wait"), "The page is still loading.")
        fitting, misfits = self._fitting(turn)
        if not fitting:
            if self._pauses < len(PAUSES):
                return self._wait_longer(misfits)
            if (end := self._end_as_others(turn)) is not None:
                return self._fail(end)
            if self._has_newer(str(misfits[0])):
                return self.decide(turn)
            fitting = self._fitting(turn, all_fields=False)[0] if self._may_leave_fields else []
        if not fitting:
            return self._hand_over(turn, str(misfits[0]))
        fullest = max(fitting, key=lambda fit: len(fit.values))
        if any(fit.contradicts(fullest) for fit in fitting):
            return self._hand_over(turn, "two ways of the recipe fit the page, and differ")
        self._ways = [fit.way for fit in fitting]
        return self._go_on(turn, fullest)

    @property
    def _may_leave_fields(self) -> bool:
        """Whether the policy gets only the fields that are not certain. A model gets the whole
        sample: it costs no more, and may see why; rules would not find the rest again. No form is
        sent from a page that is not as it was."""
        return self._asked and not self.model and self._task.read_only is not False

    def _use_recipe(self, recipe: Recipe) -> None:
        self._recipe, self._main, self._endings = recipe, recipe.ways[0], recipe.endings
        self._ways = recipe.ways

    def _has_newer(self, why: str) -> bool:
        """Whether others have taught something since this sample began; on its first page that is
        used before a model is asked."""
        is_first = self._page == 0 and not self._pictures
        newer = self._newest(self._without_sample(why)) if is_first else None
        if newer is None or newer.rests or newer == self._recipe:
            return False
        self._use_recipe(newer)
        return True

    def _without_sample(self, why: str) -> str:
        """The reason why a sample does not fit, without what it quotes of the sample's page: it is
        the same for all samples that do not fit in the same way."""
        return any_number(generalised(why.partition("“")[0], self._columns))

    def _fitting(
        self, turn: Turn, *, all_fields: bool = True
    ) -> tuple[list[_Fit], list[DoesNotFit]]:
        """The ways that fit the page, and why the others do not."""
        pages = _pages(turn, self._columns)
        facts = PageFacts(turn.observation)
        look = look_at(facts, self._columns, pages.own_host)
        fitting, misfits = [], []
        for way in self._ways:
            page = way.pages[self._page]
            try:
                pages.check(page, look)
                if page.is_answer and not self._submitted:
                    raise DoesNotFit("no form was sent before this page", may_change=False)
                if self._submitted and page.step is None:
                    pages.check_sent(self._task.confirmation or "", turn.observation)
                found, uncertain = pages.read(page, facts, self._reader, all_of_them=all_fields)
                action = (
                    pages.action(page.step, turn.observation) if page.step is not None else None
                )
                values = {name: read.value for name, read in found.items()}
                locales = {
                    name: page.fields[name].locale
                    for name in found
                    if page.fields[name].is_locale_certain
                }
                fitting.append(_Fit(way, values, _sources(found), locales, action, uncertain))
            except DoesNotFit as why:
                misfits.append(why)
            except KeyError as column:
                why_not = f"the sample has no column {column}"
                misfits.append(DoesNotFit(why_not, may_change=False))
        return fitting, misfits

    def _end_as_others(self, turn: Turn) -> Ended | None:
        """How the sample ends, if its page is like those on which others were failed."""
        if self._submitted or self._main not in self._ways:
            return None
        pages, facts = _pages(turn, self._columns), PageFacts(turn.observation)
        with suppress(KeyError):  # a column that the sample does not have
            look = look_at(facts, self._columns, pages.own_host)
            page = EndedPage(self._page, pages, look)
            return Endings(self._main).end_of(self._endings, page)
        return None

    def _fail(self, end: Ended) -> Decision:
        self._was_healed = True
        action = Action(action="fail", kind=end.kind, note=end.why)
        return self._own(action, "It ends as samples before it did.")

    def _go_on(self, turn: Turn, fit: _Fit) -> Decision:
        """The next of what is to be done on a page that fits."""
        page = fit.way.pages[self._page]
        self._was_healed = self._was_healed or fit.way is not self._main
        self._uncertain.update(fit.uncertain)
        wanted = set(turn.task.required_artifacts) - set(self._pictures)
        if label := next((name for name in page.pictures if name in wanted), ""):
            self._pictures.append(label)
            return self._own(Action(action="screenshot", label=label), f"The picture {label}.")
        is_last = fit.action is None
        if is_last and not self._needs_model(fit.way):
            values = {**turn.collected, **fit.values}
            return self._answer("done", values, fit)
        if fit.values and not self._saved:
            self._saved = True
            return self._answer("save_progress", fit.values, fit)
        if fit.action is None:
            self._is_walk_done, self._why_at = True, turn.step
            return self._leave(turn)
        if page.step is not None and page.step.month_of:
            return self._to_month(fit.action, page, turn)
        return self._step(fit.action, page)

    def _answer(
        self, name: Literal["done", "save_progress"], values: dict[str, Any], fit: _Fit
    ) -> Decision:
        locales = fit.locales or None
        action = Action(action=name, extracted=values, sources=fit.sources, locales=locales)
        return self._own(action, "Read where it always stood.")

    def _to_month(self, action: Action, page: PageRecipe, turn: Turn) -> Decision:
        """Press once more, unless the page shows the month of the sample's date; each press must
        come nearer to it."""
        day = iso_date(self._columns[page.step.month_of]) if page.step else None
        months = months_on(turn.observation)
        if day is None or not months:
            return self._hand_over(turn, "the page shows no month, or the sample has no date")
        away = min(abs(12 * (year - day.year) + month - day.month) for year, month in months)
        if away == 0:
            self._next_page()
            return self.decide(turn)
        if self._months_away is not None and away >= self._months_away:
            return self._hand_over(turn, "the calendar does not get to the month of the date")
        self._months_away = away
        return self._own(action, "To the month, as in the samples before it.", intent="replay")

    def _step(self, action: Action, page: PageRecipe) -> Decision:
        self._next_page()
        submits = page.step is not None and page.step.presses(self._task.submit)
        self._submitted = self._submitted or submits or "Enter" in (action.key or "")
        intent: Intent = "submit" if submits else "replay"
        return self._own(action, "As in the samples before it.", intent=intent)

    def _next_page(self) -> None:
        self._page, self._saved = self._page + 1, False
        self._waits = self._pauses = 0
        self._months_away = None
        self._ways = [way for way in self._ways if len(way.pages) > self._page]

    def _needs_model(self, way: WayRecipe) -> bool:
        return bool(way.by_model or self._uncertain) or self._task.judgment_required

    def _own(self, action: Action, why: str, *, intent: Intent = "") -> Decision:
        return Decision(
            (action,),
            thinking=why,
            intent=intent,
            mode="healed" if self._was_healed else "replay",
        )

    def _wait_longer(self, misfits: Sequence[DoesNotFit]) -> Decision:
        if any(misfit.may_change for misfit in misfits):
            self._pause(PAUSES[self._pauses])
        self._pauses += 1
        return self._own(Action(action="wait"), f"Not there yet: {misfits[0]}")

    def _hand_over(self, turn: Turn, why: str) -> Decision:
        self._why, self._why_at = why, turn.step
        if asked := [approval for step in turn.history for approval in step.approvals]:
            self._submitted = any(approval.sent for approval in asked)
        decision = self._leave(turn)
        return replace(decision, notes=(*decision.notes, f"handed over by the recipe: {why}"))

    def _leave(self, turn: Turn) -> Decision:
        """The other policy's decision; for a person, if it is not to be asked, or if a form was
        sent, which must not be sent again."""
        if self._asked and not (self._submitted and self._why):
            return self._with_uncertain(self._policy.decide(turn))
        why = self._why or "what the recipe leaves to a model was not decided"
        if self._submitted and self._why:
            why = f"the form was sent, and then {why}"
        judgment = no_judgment(turn, "A recipe reads values; it does not judge.")
        action = Action(
            action="done", extracted=dict(turn.collected), judgment=judgment, review=why
        )
        return Decision((action,), thinking="The recipe cannot go on.", mode="replay")

    def _with_uncertain(self, decision: Decision) -> Decision:
        """For a person, if the policy does not find what the recipe did not read, either."""
        *before, last = decision.actions
        values = last.extracted or {}
        why = [w for name, w in self._uncertain.items() if values.get(name) is None]
        if last.action != "done" or not why or self._why:
            return decision
        review = "; ".join(filter(None, [last.review, *why]))
        return replace(decision, actions=(*before, last.model_copy(update={"review": review})))


def _why_no_step(turn: Turn) -> str:
    """Why no step can be the next one; empty if one can."""
    if turn.allowed is not None and not turn.allows("click"):
        return "the steps ran out"
    last = turn.history[-1] if turn.history else None
    is_failed = last is not None and last.mode != "live" and not last.success
    return f"{last.action} failed: {last.error}" if last and is_failed else ""


def _sources(found: Mapping[str, Read]) -> dict[str, str]:
    cited = {name: read.fact.source for name, read in found.items() if read.fact}
    return {name: source for name, source in cited.items() if source is not None}


def _pages(turn: Turn, columns: dict[str, str]) -> SamplePages:
    """The first address is in the log: the loop has opened it."""
    url = first_address(turn.history) or turn.observation.url
    return SamplePages(columns, urlsplit(url).netloc, url)
