"""The recipe: what is done for every sample, and where on which page each value stands."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, Literal, Self, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, ValidationError, model_validator

from pytest_bwa.errors import InputError
from pytest_bwa.facts.place import Part
from pytest_bwa.facts.value import ReadAs
from pytest_bwa.policy.recipe.parameters import columns_in, names_sample
from pytest_bwa.policy.recipe.shape import Shape
from pytest_bwa.spec.messages import printable_name, quote_value
from pytest_bwa.spec.parse import Unreadable, parse_yaml
from pytest_bwa.spec.task import RecipeMode, TaskSpec
from pytest_bwa.spec.workpaper import Workpaper
from pytest_bwa.steps.place_identity import PlaceIdentity
from pytest_bwa.steps.step import Action, Region
from pytest_bwa.steps.text import one_line

RECIPE, SUFFIX = "recipe.yaml", ".recipe.yaml"
"""In a run folder, and after the name of the spec beside which it is kept."""
LEARN, ONLY, OFF = RECIPE_MODES = get_args(RecipeMode)
"""What ``--recipe`` takes besides a file."""
RECIPE_VERSION = 2
MAX_VALUES = 500_000
"""Values of a file, each text one: a field has about a hundred, and there may be twenty ways."""
_ENDS = frozenset({"done", "fail", "save_progress"})
_ONE_LINE = 1_000_000
"""A width at which no text is broken."""
Misfit = Literal["status", "address", "heading", "columns", "texts", "alerts"]
"""In what a page may be unlike the one that is meant: what the server answered, the address, the
heading, the sample's columns or the texts that name it, and what its alerts say."""
EndingKind = Literal["not_found", "access_denied", "other"]
"""How a model fails a sample. What is ``blocked`` is so for a moment only, and what is ``other`` a
recipe leaves to the model: it needs the sample's own page for that."""
ENDING_KINDS: frozenset[str] = frozenset(get_args(EndingKind))
_WITHOUT_EFFECT = frozenset(
    {"approve", "expected", "exception", "login", "max_steps", "max_time_seconds", "not_found"}
    | {"severity", "xfail"}
    | {"keywords", "max_consecutive_network_errors"}
    | set(Workpaper.model_fields)
)


class _Part(BaseModel):
    # Built when it is needed: most runs have no recipe.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class ValueSource(_Part):
    """One place from which a field is read."""

    place: PlaceIdentity
    """Its texts may have ``{column}``; the page's title is not among its headings."""
    part: Part = "text"
    before: str = ""
    after: str = ""
    """What stands before and after the value in the same text; 0 is any number."""
    address: str = ""
    """Of a link that has no name but its value: where it leads, with ``*`` where the value stands;
    ``/query?status=*``."""
    namesakes: NonNegativeInt = 1
    """How often the page has this label outside of what surrounds its content, at most."""


class FieldRecipe(_Part):
    """How one field is read."""

    sources: tuple[ValueSource, ...] = Field(min_length=1)
    """If there are several, all of them must say the same."""
    read_as: ReadAs = "typed"
    locale: str = ""
    """How numbers or dates are written there, as the samples agree; empty where the page tells."""
    is_locale_certain: bool = False
    """Whether texts with one reading, or values that are known, told it, and not only answers."""
    shape: Shape = Shape()
    empty: tuple[str, ...] = ()
    """What the page writes where there is no value."""
    empty_is_list: bool = False
    """Whether no value is a list without items, and not null."""
    may_be_absent: bool = False
    """Whether a page may have no such label where there is no value."""
    controls: tuple[str, ...] = ()
    """The buttons and tabs of such a page: a new one may lead to the value."""
    labels: tuple[str, ...] = ()
    """The labels beside it."""
    languages: tuple[str, ...] = ()


class StepRecipe(_Part):
    """What is done on a page, to come to the next one."""

    action: str
    place: PlaceIdentity | None = None
    destination: PlaceIdentity | None = None
    parameters: dict[str, Any] = {}
    month_of: str = ""
    """The column with a date to whose month the step is repeated, and not done at all if the page
    shows it."""

    @model_validator(mode="after")
    def _is_a_step(self) -> Self:
        """An answer is no step: a recipe has no values."""
        Action.model_validate({**self.parameters, "action": self.action})
        if self.action in _ENDS:
            raise ValueError(f"{self.action} is not a step between two pages")
        return self

    def presses(self, name: str | None) -> bool:
        """Whether a step clicks the element of this name, as the button that sends a form."""
        return self.action == "click" and self.place is not None and self.place.name == name


class OwnText(_Part):
    """A text that names the sample, and where it stands."""

    role: str
    label: str = ""
    regions: tuple[Region, ...] = ()
    text: str


class PageRecipe(_Part):
    """One page of the walk: what tells that it is the right one, and what is done there."""

    address: str
    heading: str = ""
    """The page's one heading of the first rank."""
    shows: tuple[str, ...] = ()
    """The columns of which it has the sample's text: whose page it is."""
    own_texts: tuple[OwnText, ...] = ()
    """Where it names the sample: what speaks of it elsewhere may stand on another one's page."""
    alerts: tuple[str, ...] = ()
    """What its alerts may say."""
    fields: dict[str, FieldRecipe] = {}
    is_answer: bool = False
    """Whether it came of the sample's own form, which was sent before it."""
    pictures: tuple[str, ...] = ()
    """The labels of the pictures that are taken here."""
    step: StepRecipe | None = None
    """None on the last page."""

    @property
    def says_whose(self) -> bool:
        """Whether the address, the heading or the row of each value is the sample's own."""
        sources = [source for field in self.fields.values() for source in field.sources]
        in_own_row = all(names_sample(source.place.record) for source in sources)
        is_named = names_sample(self.address) or names_sample(self.heading)
        return self.is_answer or is_named or in_own_row


class WayRecipe(_Part):
    """One way through the pages of a sample."""

    learnt_from: tuple[str, ...]
    pages: tuple[PageRecipe, ...] = Field(min_length=1)
    by_model: tuple[str, ...] = ()
    """The fields that no place of a page gives: one decision of the model reads or judges them."""

    @model_validator(mode="after")
    def _can_be_walked(self) -> Self:
        *before, last = self.pages
        if last.step is not None or any(page.step is None for page in before):
            raise ValueError("each page but the last one must have a step, and the last one none")
        if not all(page.says_whose for page in self.pages):
            raise ValueError(
                "a page with fields must name the sample in its address, heading or row"
            )
        return self

    @property
    def fields(self) -> set[str]:
        return {*self.by_model, *(name for page in self.pages for name in page.fields)}

    def without(self, names: Collection[str]) -> WayRecipe:
        """The same, where these fields are left to the model."""
        read = {name for page in self.pages for name in page.fields}
        pages = tuple(
            page.model_copy(
                update={"fields": {n: f for n, f in page.fields.items() if n not in names}}
            )
            for page in self.pages
        )
        by_model = (*self.by_model, *(name for name in names if name in read))
        return self.model_copy(update={"pages": pages, "by_model": by_model})


class EndingRecipe(_Part):
    """A page on which samples were failed, which is there instead of the sample's own."""

    outcome: Literal["not_found", "access_denied"] = "not_found"
    learnt_from: tuple[str, ...]
    steps: NonNegativeInt = 0
    """How many steps of the first way come before it."""
    status: int | None = None
    """What the server answered."""
    unlike: tuple[Misfit, ...] = Field(min_length=1)
    """In what it is unlike the page of the first way that should be there."""
    page: PageRecipe
    """Its texts that name the sample, and its alerts, are these and no others."""


class Recipe(_Part):
    """recipe.yaml: the ways, the most common one first. No value of a sample stands in it."""

    schema_version: int = RECIPE_VERSION
    task_id: str
    spec_sha256: str
    """Of what the spec asks for; what has no part in it may change."""
    versions: dict[str, str] = {}
    ways: tuple[WayRecipe, ...] = Field(min_length=1)
    endings: tuple[EndingRecipe, ...] = ()
    """How a sample is recognised that a model would fail."""
    rests: str = ""
    """Why it is used no more; empty if it is in use."""

    @property
    def learnt_from(self) -> list[str]:
        return list(dict.fromkeys(name for way in self.ways for name in way.learnt_from))

    @property
    def saves_steps(self) -> bool:
        """Whether a model decides less, even if it reads a field itself."""
        return any(len(way.pages) > 1 for way in self.ways)

    @property
    def columns(self) -> set[str]:
        """The columns that a list must have."""
        pages = [page for way in self.ways for page in way.pages]
        sample_columns = (page.shows for page in (*pages, *(end.page for end in self.endings)))
        turned = {page.step.month_of for page in pages if page.step is not None} - {""}
        return columns_in(self._dumped(_ONE_LINE)).union(turned, *sample_columns)

    def to_yaml(self) -> str:
        return self._dumped(width=100)

    def _dumped(self, width: int) -> str:
        content = self.model_dump(mode="json", exclude_defaults=True)
        content = {"schema_version": self.schema_version, **content}
        text: str = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=width)
        return text


def spec_hash(task: TaskSpec) -> str:
    """A hash of what the spec asks for."""
    asked = {k: v for k, v in task.model_dump(mode="json").items() if k not in _WITHOUT_EFFECT}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def read_recipe(path: Path) -> Recipe:
    """Raises InputError for a file that is no recipe of this version."""
    try:
        content = parse_yaml(path.read_text("utf-8-sig"), max_nodes=MAX_VALUES)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not a recipe: it is not UTF-8") from None
    except Unreadable as problem:
        raise InputError(f"{path} is not a recipe: it {one_line(str(problem))}") from None
    if not isinstance(content, dict) or "schema_version" not in content:
        raise InputError(f"{path} is not a recipe: it has no schema_version")
    version = content["schema_version"]
    if type(version) is not int or version != RECIPE_VERSION:
        raise InputError(
            f"{path} is a recipe of another version (schema_version {quote_value(version)}, and "
            f"this version reads {RECIPE_VERSION}): learn it anew with --recipe learn"
        )
    try:
        return Recipe.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = printable_name(".".join(map(str, first["loc"]))) or "the file"
        raise InputError(f"{path} is not a recipe: {where}: {one_line(first['msg'])}") from None


def why_unusable(recipe: Recipe, task: TaskSpec, columns: set[str]) -> str:
    """Why a recipe cannot be used for a task and a list with these columns; empty if it can."""
    if recipe.task_id != task.task_id:
        return f"it was learnt for the task {recipe.task_id}, and this one is {task.task_id}"
    if recipe.spec_sha256 != spec_hash(task):
        return "it was learnt for another version of the spec"
    for way in recipe.ways:
        if different := sorted(way.fields ^ set(task.output_schema)):
            return f"it and the spec do not have the same fields: {', '.join(different)}"
    if missing := sorted(recipe.columns - columns):
        return f"the list has no column {', '.join(missing)}, which it needs"
    if recipe.rests:
        return f"it is no longer used: {recipe.rests}"
    return ""


def kept_path(spec: Path) -> Path:
    """Where the recipe of a spec is kept: beside it."""
    return spec.with_name(spec.stem + SUFFIX)
