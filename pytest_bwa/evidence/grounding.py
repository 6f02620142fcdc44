"""The record of where a value was seen, and what speaks against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator
from typing_extensions import TypeAliasType

from pytest_bwa.facts.place import ValuePlace
from pytest_bwa.steps.doubts import Doubt

TEXT_CHARACTERS = 200
"""Of a page's text in a record."""

How = Literal[
    "verbatim", "normalised", "counted", "state", "joined", "vision", "ocr", "derived", "unseen"
]  # fmt: skip
"""``verbatim``: the place has these very characters; ``normalised``: it has them in another form;
``counted``: as many lines were cited; ``state``: of a box, a choice or an icon; ``joined``: from
several places, in their order; ``vision`` and ``ocr``: a picture was read; ``derived``: the spec
says so; ``unseen``: no place that was observed shows it."""

_NO_LONGER = frozenset({"contested", "hidden", "beside", "other_reading", "unrelated"})
"""What version 1 said instead of doubts."""


class Grounding(BaseModel):
    """Where one value of the answer was seen; empty fields are not known, or do not apply."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    how: How
    rule: str | None = None
    """What makes the value equal to the place's text, such as ``number``."""
    cited: bool = False
    """Whether the answer said where; else the value was looked up."""
    step: int | None = None
    """The first step that began with this state of the page."""
    url: str | None = None
    frame: str | None = None
    """The address of the frame; null in the page's main frame."""
    role: str | None = None
    name: str | None = None
    """The place's label, as far as the page gives it one."""
    text: str | None = None
    """The page's text, or the part of a long one that the value stands in."""
    box: tuple[float, float, float, float] | None = None
    """x, y, width and height in CSS pixels, measured from the page's top left corner."""
    artifact: str | None = None
    """The picture that shows this state of the page, or the downloaded file."""
    page_state: str | None = None
    """The state of the page in which it was seen, if a picture shows it there."""
    place: ValuePlace | None = None
    """What finds the value's place again; null if nothing tells it from others."""
    doubts: tuple[Doubt, ...] = ()
    """What speaks against the place, by sort."""
    why: dict[Doubt, Doubt] = Field(default_factory=dict)
    """For some of them, what it is that was found."""
    against: dict[Doubt, str] = Field(default_factory=dict)
    """For some, the detail: the other value, the other reading, the other record."""
    cleared: dict[Doubt, str] = Field(default_factory=dict)
    """The sorts that known samples have cleared, each with what cleared it."""

    @model_validator(mode="before")
    @classmethod
    def _of_version_1(cls, data: Any) -> Any:
        """A record of version 1, with its findings as doubts."""
        if not isinstance(data, Mapping) or not _NO_LONGER & data.keys():
            return data
        against: dict[str, str] = {}
        if data.get("contested"):
            against["other_value"] = "; ".join(data["contested"])
        if data.get("other_reading"):
            against["two_readings"] = str(data["other_reading"])
        codes = [*against]
        codes += ["hidden"] if data.get("hidden") else []
        codes += ["other_record"] if data.get("beside") or data.get("unrelated") else []
        kept = {key: value for key, value in data.items() if key not in _NO_LONGER}
        return {**kept, "doubts": codes, "against": against}

    def with_doubts(self, found: Mapping[Doubt, str]) -> Grounding:
        """This record with more doubts, each with its detail or an empty text; of one sort, the
        last one."""
        every = (*self.found(), *found.items())
        last = {doubt.sort: (doubt, text) for doubt, text in every if doubt.sort}
        why = {sort: doubt for sort, (doubt, _) in last.items() if doubt is not sort}
        against = {sort: text for sort, (_, text) in last.items() if text}
        return self.model_copy(update={"doubts": tuple(last), "why": why, "against": against})

    def found(self) -> Iterator[tuple[Doubt, str]]:
        """What speaks against the place, as close as it is known, each with its detail."""
        for sort in self.doubts:
            if sort not in self.cleared:
                yield self.why.get(sort, sort), self.against.get(sort, "")

    def with_cleared(self, cleared: Mapping[Doubt, str]) -> Grounding:
        """This record with these sorts of its doubts cleared, and no others."""
        return self.model_copy(update={"cleared": dict(cleared)})

    def in_words(self) -> Iterator[str]:
        """The same, a part of a sentence for each."""
        return (doubt.in_words(detail) for doubt, detail in self.found())


GroundingTree = TypeAliasType(
    "GroundingTree",
    # From left to right: to try every part of a record as a tree takes 20 times as long.
    "Annotated[Grounding | list[GroundingTree | None] | dict[str, GroundingTree | None], "
    "Field(union_mode='left_to_right')]",
)
"""One record for a plain value, a list for an array, a mapping for an object. A null has one only
if the answer cites a line for it."""


def leaves_of(tree: GroundingTree | None) -> Iterator[Grounding]:
    """The record of every plain value."""
    return (record for _, record in leaves_in("", tree))


def leaves_in(path: str, tree: GroundingTree | None) -> Iterator[tuple[str, Grounding]]:
    """The record of every plain value with its place in the answer, such as ``checks[1].name``, by
    the place of the tree."""
    if isinstance(tree, Grounding):
        yield path, tree
    elif isinstance(tree, Mapping):
        for name, inner in tree.items():
            yield from leaves_in(f"{path}.{name}", inner)
    elif tree is not None:
        for number, inner in enumerate(tree):
            yield from leaves_in(f"{path}[{number}]", inner)


def change_leaves(
    path: str, tree: GroundingTree | None, change: Callable[[str, Grounding], Grounding]
) -> GroundingTree | None:
    """The tree with the record of each plain value changed, by its place in the answer."""
    if isinstance(tree, Grounding):
        return change(path, tree)
    if isinstance(tree, Mapping):
        return {n: change_leaves(f"{path}.{n}", inner, change) for n, inner in tree.items()}
    if tree is None:
        return None
    return [change_leaves(f"{path}[{n}]", inner, change) for n, inner in enumerate(tree)]


def plain_values(
    values: Mapping[str, Any], grounding: Mapping[str, GroundingTree | None]
) -> Iterator[tuple[str, Any, Grounding]]:
    """Each plain value with its place in the answer, such as ``checks[1].name``, and its record."""
    for name, value in values.items():
        yield from _plain_values(name, value, grounding.get(name))


def field_of(path: str) -> str:
    """The field of a plain value by its place in the answer."""
    return path.partition("[")[0].partition(".")[0]


def _plain_values(
    path: str, value: Any, tree: GroundingTree | None
) -> Iterator[tuple[str, Any, Grounding]]:
    if isinstance(tree, Grounding):
        yield path, value, tree
    elif isinstance(tree, list):
        for number, (item, inner) in enumerate(zip(value, tree, strict=True)):
            yield from _plain_values(f"{path}[{number}]", item, inner)
    elif tree is not None:
        for name, inner in tree.items():
            yield from _plain_values(f"{path}.{name}", value[name], inner)
