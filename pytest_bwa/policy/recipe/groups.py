"""Finds the lessons that teach the same: one walk, and for each field a place that all have. Pure.

A lesson in which a model erred fits no other, and so no recipe comes of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_bwa.facts.address import plain_address
from pytest_bwa.facts.identity import identity_of
from pytest_bwa.policy.recipe.candidates import (
    ABSENT,
    Candidate,
    CandidateFinder,
    Seen,
    chosen,
)
from pytest_bwa.policy.recipe.lesson import Lesson
from pytest_bwa.policy.recipe.parameters import DAY, generalised, names_sample
from pytest_bwa.policy.recipe.places import place_in_recipe
from pytest_bwa.policy.recipe.recipe import StepRecipe
from pytest_bwa.spec.notation.dates import iso_date
from pytest_bwa.steps.place_identity import PlaceIdentity
from pytest_bwa.steps.step import Observation, Step

MAX_SEEDS = 12
"""Lessons from which a group is tried to be made."""
_SEEN_BY_NUMBER = ("selector", "target", "screenshot_label")


@dataclass(frozen=True, slots=True)
class Group:
    """Lessons of one walk. For each field ``candidates`` has all places that give its value in each
    lesson: no place if the field is left to the model, and None if no lesson has a value."""

    lessons: tuple[Lesson, ...]
    candidates: Mapping[str, Sequence[Candidate] | None]

    @property
    def placed(self) -> int:
        return sum(bool(found) for found in self.candidates.values())

    def answering(self, name: str) -> list[Lesson]:
        """Those that say something of a field: what is not known of a row is not empty."""
        return [lesson for lesson in self.lessons if name in lesson.values]


class Grouping:
    """Makes groups of the lessons of one task."""

    def __init__(self, finder: CandidateFinder, names: Sequence[str]) -> None:
        self.finder, self._names = finder, names
        self._seen: dict[tuple[int, str, Candidate], Seen | None] = {}
        self._places: dict[tuple[int, str], Sequence[Candidate] | None] = {}

    def largest(
        self, lessons: Sequence[Lesson], needed: int, *, may_lose: bool = False
    ) -> Group | None:
        """The group with a place for the most fields, of several the one with most lessons. With
        ``may_lose``, a field that would keep lessons apart may lose the places at which the page
        has no label, and is left to the model."""
        groups = []
        for seed in lessons[:MAX_SEEDS]:
            group = self._around(seed, lessons, may_lose)
            if group.placed and len(group.lessons) >= needed:
                groups.append(group)
        return max(groups, key=lambda g: (g.placed, len(g.lessons)), default=None)

    def seen(self, name: str, candidate: Candidate, lesson: Lesson) -> Seen | None:
        key = id(lesson), name, candidate
        if key not in self._seen:
            self._seen[key] = self.finder.seen_in(name, candidate, lesson)
        return self._seen[key]

    def _around(self, seed: Lesson, lessons: Sequence[Lesson], may_lose: bool) -> Group:
        walk = steps_of(seed)
        candidates = {name: self.own(name, seed) for name in self._names}
        group = Group((seed,), candidates)
        for lesson in lessons:
            if lesson is not seed and steps_of(lesson) == walk:
                group = self._joined(group, lesson, may_lose) or group
        return self._confirmed(group)

    def own(self, name: str, lesson: Lesson) -> Sequence[Candidate] | None:
        """The places at which a lesson's own value was seen; None if that is not known."""
        key = id(lesson), name
        if key not in self._places:
            self._places[key] = self.finder.all_in(name, lesson)
        return self._places[key]

    def _joined(self, group: Group, lesson: Lesson, may_lose: bool) -> Group | None:
        """The group with one lesson more; None if a field would lose all its places."""
        left: dict[str, Sequence[Candidate] | None] = {}
        for name, candidates in group.candidates.items():
            others: Sequence[Lesson] = (lesson,)
            if candidates is None:
                candidates, others = self.own(name, lesson), group.lessons
            if candidates is not None:
                known = [other for other in others if name in other.values]
                fitting = [c for c in candidates if all(self.seen(name, c, o) for o in known)]
                is_chance = may_lose and not any(c.is_labelled for c in candidates)
                is_lost = candidates and not fitting and not is_chance
                if is_lost or (not fitting and self._has_label(name, others)):
                    return None
                candidates = fitting
            left[name] = candidates
        return Group((*group.lessons, lesson), left)

    def _has_label(self, name: str, lessons: Sequence[Lesson]) -> bool:
        """Whether a lesson has the value under a label: then it is a page's, and where others have
        it nowhere, somebody erred."""
        known = (candidate for lesson in lessons for candidate in self.own(name, lesson) or ())
        return any(candidate.is_labelled for candidate in known)

    def _confirmed(self, group: Group) -> Group:
        """Without the lessons that have null where the page has a text that no other lesson calls
        empty."""
        unsure = set()
        for name, candidates in group.candidates.items():
            if not candidates:
                continue
            source = chosen(candidates)
            forms = {
                n: self._form(name, source, le)
                for n, le in enumerate(group.lessons)
                if name in le.values
            }
            counts = Counter(text for is_null, text in forms.values() if is_null)
            unsure |= {
                n
                for n, (is_null, text) in forms.items()
                if is_null and counts[text] < 2 and is_word(text)
            }
        lessons = tuple(le for n, le in enumerate(group.lessons) if n not in unsure)
        return Group(lessons, group.candidates)

    def _form(self, name: str, candidate: Candidate, lesson: Lesson) -> tuple[bool, str | None]:
        seen = self.seen(name, candidate, lesson)
        return seen is not None and not seen.is_value, seen.text if seen else ABSENT


def is_word(text: str | None) -> bool:
    """Whether a text has a letter or a digit, and so is no mere mark for "nothing" such as a dash.
    A label that is not there counts as one that has."""
    return text is ABSENT or any(character.isalnum() for character in text)


def steps_of(lesson: Lesson) -> list[StepRecipe]:
    """The steps of a lesson's walk, without anything of the sample."""
    steps = [(v, _step(v.step, v.page, lesson)) for v in lesson.visits if v.step]
    found: list[StepRecipe] = []
    month_of = ""
    for visit, step in steps:
        found.append(
            _of_day(step, month_of, lesson).model_copy(update={"month_of": visit.month_of})
        )
        month_of = visit.month_of or month_of
    return found


def _of_day(step: StepRecipe, month_of: str, lesson: Lesson) -> StepRecipe:
    """A click on the day of a column's date, whose month was looked for before."""
    day = iso_date(lesson.columns.get(month_of, ""))
    if step.action != "click" or step.place is None or day is None:
        return step
    if step.place.name != str(day.day):
        return step
    place = step.place.model_copy(update={"name": f"{{{month_of}{DAY}}}"})
    return step.model_copy(update={"place": place})


def _step(step: Step, page: Observation, lesson: Lesson) -> StepRecipe:
    """A step of the log as a recipe has it. An address that says nothing of the sample is that of
    the link that leads there, if there is one."""
    if step.action == "goto":
        url = str(step.params.get("url", ""))
        address = generalised(plain_address(url, lesson.own_host), lesson.address_columns)
        links = [e for e in page.all_elements if e.url == url]
        if len(links) == 1 and not names_sample(address):
            place = place_in_recipe(identity_of(links[0], page), lesson.columns)
            return StepRecipe(action="goto", place=place)
        return StepRecipe(action="goto", parameters={"url": address})
    found: dict[str, PlaceIdentity | None] = {}
    for part, target in (("target", step.target), ("destination", step.destination)):
        identity = target.identity if target is not None else None
        found[part] = place_in_recipe(identity, lesson.columns) if identity else None
    parameters = {}
    for key, value in step.params.items():
        if key == "selector" and found["target"] is None:
            parameters[key] = value
        elif key not in _SEEN_BY_NUMBER:
            text = isinstance(value, str)
            parameters[key] = generalised(value, lesson.columns) if text else value
    return StepRecipe(
        action=step.action,
        place=found["target"],
        destination=found["destination"],
        parameters=parameters,
    )
