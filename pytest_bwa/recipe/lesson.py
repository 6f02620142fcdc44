"""What one sample teaches: its walk, the pages on which it was, and its answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from pytest_bwa.evidence.files import write_atomically
from pytest_bwa.evidence.grounding import Grounding, GroundingTree, leaves_of
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.value_place import ValuePlace
from pytest_bwa.policy.replay.recorded import is_masked, performed_again
from pytest_bwa.proof.places.readable import ReadablePage
from pytest_bwa.proof.sightings import Sightings
from pytest_bwa.recipe.parameters import address_columns
from pytest_bwa.recipe.recipe import ENDING_KINDS, ON_ITS_OWN_PAGE, EndingKind
from pytest_bwa.spec.notation.dates import iso_date, month_in
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.secrets import has_secrets
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Observation, Step, has_label

MAX_SIZE = 6_000
"""Elements and labelled values of a page from which a recipe is made."""
_READS_ONLY = frozenset({"screenshot", "extract", "find", "wait"})
_TYPES = frozenset({"type", "select_option", "press", "upload", "drag"})


@dataclass(frozen=True, slots=True)
class Visit:
    """One page of a walk, in the state that it had before the next step."""

    page: Observation
    step: Step | None = None
    """What was done there; None on the last page."""
    pictures: tuple[str, ...] = ()
    month_of: str = ""
    """The column with a date to whose month the step was repeated."""


@dataclass(frozen=True)
class Lesson:
    """What one sample teaches. ``values`` is its answer, which never stands in a recipe."""

    sample_id: str
    columns: Mapping[str, str]
    own_host: str
    visits: Sequence[Visit]
    values: Mapping[str, Any] = field(default_factory=dict)
    grounding: Mapping[str, GroundingTree | None] = field(default_factory=dict)
    """Where each of them was seen."""
    ending: EndingKind | None = None
    """How the model failed the sample; None if it answered."""
    is_doubtful: bool = False
    """Whether a person must look at the answer: it says only that a model had one."""

    @property
    def teaches_way(self) -> bool:
        return self.ending is None and not self.is_doubtful

    def records(self, name: str) -> list[Grounding]:
        """Where the parts of a field's value were seen."""
        return list(leaves_of(self.grounding.get(name)))

    def places(self, name: str) -> list[ValuePlace]:
        """What finds these places again, each once."""
        places = (record.place for record in self.records(name))
        return list(dict.fromkeys(place for place in places if place is not None and place.finds))

    def is_a_link(self, name: str) -> bool:
        """Whether the value is the text of a link, and nothing but its address tells which."""
        records = self.records(name)
        is_link = len(records) == 1 and records[0].role == "link"
        return is_link and not self.places(name)

    def has_place(self, name: str) -> bool:
        return bool(self.places(name)) or self.is_a_link(name)

    def cites(self, name: str) -> bool:
        """Whether the answer said where the value stands."""
        return all(record.cited for record in self.records(name))

    @cached_property
    def pages(self) -> list[ReadablePage]:
        return [ReadablePage(visit.page) for visit in self.visits]

    @cached_property
    def address_columns(self) -> dict[str, str]:
        return address_columns(self.columns, self.own_host)


def is_nothing(value: Any) -> bool:
    """Whether an answer says that there is no value: null, or a list without items."""
    return value is None or value == []


@cache
def _file() -> TypeAdapter[Lesson]:
    """Made when it is needed: this takes 9 ms, and most runs have no recipe."""
    return TypeAdapter(Lesson)


def write_lesson(path: Path, lesson: Lesson) -> None:
    """Raises EvidenceError."""
    write_atomically(path, _file().dump_json(lesson), durable=False)


def read_lessons(paths: Iterable[Path]) -> list[Lesson]:
    """Those that can be read."""
    found = []
    for path in paths:
        try:
            found.append(_file().validate_json(path.read_bytes()))
        except (OSError, ValidationError):  # a worker was killed while it wrote it
            continue
    return found


def lesson_of(
    task: TaskSpec,
    sample: Sample,
    result: SampleResult,
    log: Sequence[Step],
    sightings: Sightings,
) -> Lesson | None:
    """What a policy did in a sample; None if it was not the policy that ended it, or if the walk is
    none for others."""
    if has_secrets(task) or result.broken:  # its pages may show them
        return None
    ending = _ending_of(result, log)
    if ending is None and result.outcome != "found":
        return None
    records = [r for tree in result.grounding.values() for r in leaves_of(tree)]
    read = [record for record in records if record.how != "derived"]
    seen = [record.place.steps_done if record.place else None for record in read]
    pages = [(sightings.looks[n].steps_done, page) for n, page in sightings.pages.items()]
    pictures = [] if ending else _pictures(task, result, log)
    visits = visits_of(log, pages, pictures, [None] if ending else seen)
    if visits is None or any(_size(visit.page) > MAX_SIZE for visit in visits):
        return None
    columns = {n: v for n, v in sample.plain_columns.items() if n != "xfail"}
    return Lesson(
        sample.sample_id,
        columns,
        own_host_of(log),
        with_months(visits, columns),
        values={} if ending else result.extracted,
        grounding={} if ending else result.grounding,
        ending=ending,
        is_doubtful=ending is None and (result.status != "done" or result.flagged),
    )


def _ending_of(result: SampleResult, log: Sequence[Step]) -> EndingKind | None:
    """How a policy failed the sample for what it saw; None if it answered, or if a limit was the
    reason, too."""
    if result.status != "failed" or result.outcome not in ENDING_KINDS:
        return None
    fails = (step for step in log if step.action == "fail")
    gave_reason = any(step.params.get("note") == result.reason for step in fails)
    is_certain = gave_reason or result.outcome != ON_ITS_OWN_PAGE
    return cast(EndingKind, result.outcome) if is_certain else None


def _pictures(task: TaskSpec, result: SampleResult, log: Sequence[Step]) -> list[tuple[str, int]]:
    """The required pictures with their steps, but for one that ``done`` takes by itself."""
    labels = task.required_artifacts
    last = log[-1].step if log else 0
    return [
        (label, artifact.step)
        for label in labels
        for artifact in result.artifacts
        if has_label(artifact, label) and not (len(labels) == 1 and artifact.step == last)
    ]


def _size(page: Observation) -> int:
    return len(page.elements) + len(page.unlisted) + len(page.labelled)


def first_address(log: Sequence[Step]) -> str:
    """The sample's first address; empty if none was opened."""
    first = next((step for step in log if step.action == "goto"), None)
    return str(first.params.get("url", "")) if first else ""


def own_host_of(log: Sequence[Step]) -> str:
    """The host of the sample's first address."""
    try:
        return urlsplit(first_address(log)).netloc
    except ValueError:
        return ""


def visits_of(
    log: Sequence[Step],
    pages: Sequence[tuple[int, Observation]],
    pictures: Sequence[tuple[str, int]],
    seen: Sequence[int | None],
) -> list[Visit] | None:
    """The walk of a sample without its detours; None if it cannot be walked again.

    ``pages`` are its states with the number of steps that were done, ``pictures`` the labels of
    those that are required with the step that took them, and ``seen`` has for each value after
    how many steps it was seen, or None if that is not known.
    """
    position = {step.step: number for number, step in enumerate(log, start=1)}
    taken = [(label, position[step]) for label, step in pictures if step in position]
    needed = [*(n for n in seen if n is not None), *(n for _, n in taken)]
    walk = [s for s in performed_again(log) if s.step.action not in _READS_ONLY and _acts(s.step)]
    end = len(log) + 1
    if None not in seen:
        left_out = [step.number for step in walk if step.number > max(needed, default=0)]
        walk, end = walk[: len(walk) - len(left_out)], next(iter(left_out), end)
    if any(is_masked(s.step) or _has_no_target(s.step) for s in walk):
        return None
    visits, is_needed, first = [], [], 0
    for index, last in enumerate([*(step.number for step in walk), end]):
        page = next((page for done, page in reversed(pages) if done < last), None)
        if page is None:
            return None
        labels = tuple(label for label, number in taken if first < number <= last)
        visits.append(Visit(page, walk[index].step if index < len(walk) else None, labels))
        is_needed.append(bool(labels) or any(n is None or first <= n < last for n in seen))
        first = last
    return _without_detours(visits, is_needed)


def types_something(visits: Sequence[Visit]) -> bool:
    """Whether the walk fills fields, or presses what may be a button of a form."""
    return any(visit.step is not None and visit.step.action in _TYPES for visit in visits)


def months_on(page: Observation) -> set[tuple[int, int]]:
    """The years and months that a page shows by themselves, as the heading of a calendar does."""
    names = {e.name for e in page.all_elements} | {v.value for v in page.labelled}
    return {month for name in names if (month := month_in(name, page.language or None))}


def with_months(visits: Sequence[Visit], columns: Mapping[str, str]) -> list[Visit]:
    """The visits with one for a control that was pressed until the page showed the month of a
    column's date."""
    left, first = list(visits), 0
    while first < len(left) - 1:
        last = first
        while last + 1 < len(left) and _is_pressed_again(left[last], left[last + 1]):
            last += 1
        column = _month_reached(left[first : last + 2], columns)
        if column:
            pictures = tuple(name for visit in left[first : last + 1] for name in visit.pictures)
            left[first : last + 1] = [replace(left[first], pictures=pictures, month_of=column)]
        first += 1
    return left


def _is_pressed_again(visit: Visit, following: Visit) -> bool:
    steps = (visit.step, following.step)
    targets = [step.target for step in steps if step is not None and step.action == "click"]
    return len(targets) == 2 and targets[0] is not None and targets[0] == targets[1]


def _month_reached(visits: Sequence[Visit], columns: Mapping[str, str]) -> str:
    """The column to whose month the last of these pages came, before which none showed it."""
    step = visits[0].step
    if len(visits) < 2 or step is None or step.action != "click":
        return ""
    *before, reached = (months_on(visit.page) for visit in visits)
    for name, value in columns.items():
        day = iso_date(value)
        month = (day.year, day.month) if day else None
        if month in reached and all(own and month not in own for own in before):
            return name
    return ""


def _acts(step: Step) -> bool:
    """Whether a step brought another page, or another state of it, or a file."""
    return step.action in ("goto", "download") or step.changed is not False


def _has_no_target(step: Step) -> bool:
    """Whether a step names its element by a number, and the log does not say which that was."""
    by_number = str(step.params.get("selector", "")).strip("[] ").isdigit()
    return by_number and (step.target is None or step.target.identity is None)


def _loads(visits: Sequence[tuple[Visit, bool]]) -> bool:
    """Whether a file was downloaded, which changes no page."""
    steps = (visit.step for visit, _ in visits)
    return any(step is not None and step.action == "download" for step in steps)


def _without_detours(visits: list[Visit], is_needed: list[bool]) -> list[Visit]:
    """Without steps that led back to the very state from which they started."""
    left, index = list(zip(visits, is_needed, strict=True)), 0
    while index < len(left):
        state = left[index][0].page.state
        for again in range(len(left) - 1, index, -1):
            between = left[index + 1 : again]
            is_same = state and left[again][0].page.state == state
            if is_same and not any(n for _, n in between) and not _loads(left[index:again]):
                pictures = (*left[index][0].pictures, *left[again][0].pictures)
                left[index:again] = []
                left[index] = replace(left[index][0], pictures=pictures), True
                break
        index += 1
    return [visit for visit, _ in left]
