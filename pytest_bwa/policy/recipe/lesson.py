"""What one sample teaches: its walk, the pages on which it was, and its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast
from urllib.parse import urlsplit

from pytest_bwa.evidence.grounding import Grounding, GroundingTree, leaves_of
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.facts.place import PageFacts, ValuePlace
from pytest_bwa.facts.value import ReadAs
from pytest_bwa.policy.recipe.parameters import address_columns
from pytest_bwa.policy.recipe.recipe import (
    ENDING_KINDS,
    EndingKind,
    ValueSource,
)
from pytest_bwa.policy.recipe.visits import Visit, visits_of, with_months
from pytest_bwa.proof.observed import Observed
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.secrets import typed_by_policy
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.artifacts import has_label, picture_labels
from pytest_bwa.steps.step import Observation, Step

MAX_SIZE = 6_000
"""Elements and labelled values of a page from which a recipe is made."""


@dataclass(frozen=True, slots=True)
class Option:
    """One way to read a field: on which page of the walk, where, and how."""

    page: int
    source: ValueSource
    read_as: ReadAs = "typed"
    locale: str = ""


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
    options: Mapping[str, Sequence[Option]] = field(default_factory=dict)
    """Where values stand that are known to be right, and were not answered."""

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

    @cached_property
    def pages(self) -> list[PageFacts]:
        return [PageFacts(visit.page) for visit in self.visits]

    @cached_property
    def address_columns(self) -> dict[str, str]:
        return address_columns(self.columns, self.own_host)


def is_nothing(value: Any) -> bool:
    """Whether an answer says that there is no value: null, or a list without items."""
    return value is None or value == []


def lesson_of(
    task: TaskSpec,
    sample: Sample,
    result: SampleResult,
    log: Sequence[Step],
    observed: Observed,
) -> Lesson | None:
    """What a policy did in a sample; None if it was not the policy that ended it, or if the walk is
    none for others."""
    if typed_by_policy(task) or result.broken:  # its pages may show them
        return None
    ending = _ending_of(result, log)
    if ending is None and result.outcome != "found":
        return None
    records = [r for tree in result.grounding.values() for r in leaves_of(tree)]
    read = [record for record in records if record.how != "derived"]
    seen = [record.place.steps_done if record.place else None for record in read]
    pages = [(observed.looks[n].steps_done, _whole(own.page)) for n, own in observed.pages.items()]
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


def _whole(page: Observation) -> Observation:
    """The page with all that it labels, which may not have been asked for yet: a file keeps it."""
    return replace(page, labelled=tuple(page.labelled))


def _ending_of(result: SampleResult, log: Sequence[Step]) -> EndingKind | None:
    """How a policy failed the sample for what it saw; None if it answered, or if a limit was the
    reason, too."""
    if result.status != "failed" or result.outcome not in ENDING_KINDS:
        return None
    fails = (step for step in log if step.action == "fail")
    gave_reason = any(step.params.get("note") == result.reason for step in fails)
    is_certain = gave_reason or result.outcome != "other"
    return cast(EndingKind, result.outcome) if is_certain else None


def _pictures(task: TaskSpec, result: SampleResult, log: Sequence[Step]) -> list[tuple[str, int]]:
    """The required pictures that were asked for, with their steps, but for one that ``done`` takes
    by itself."""
    labels = picture_labels(task.required_artifacts)
    last = log[-1].step if log else 0
    asked = {step.artifact for step in log}
    return [
        (label, artifact.step)
        for label in labels
        for artifact in result.artifacts
        if artifact.filename in asked and has_label(artifact, label)
        if not (len(labels) == 1 and artifact.step == last)
    ]


def _size(page: Observation) -> int:
    return len(page.elements) + len(page.unlisted) + len(page.labelled)


def first_address(log: Sequence[Step]) -> str:
    """The sample's first address; empty if none was opened."""
    gotos = (step for step in log if step.action == "goto" and step.intent != "sign_in")
    first = next(gotos, None)
    return str(first.params.get("url", "")) if first else ""


def own_host_of(log: Sequence[Step]) -> str:
    """The host of the sample's first address."""
    try:
        return urlsplit(first_address(log)).netloc
    except ValueError:
        return ""
