"""A recipe in sentences, for somebody who knows the site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pytest_bwa.policy.recipe.recipe import (
    EndingKind,
    EndingRecipe,
    FieldRecipe,
    PageRecipe,
    Recipe,
    WayRecipe,
)

_ENDED: Mapping[EndingKind, str] = {
    "not_found": "the sample was not found",
    "access_denied": "access to the sample was denied",
}


def in_words(recipe: Recipe) -> list[str]:
    """What the recipe does."""
    lines = [f"recipe of the task {recipe.task_id}"]
    if recipe.rests:
        lines.append(f"it is no longer used: {recipe.rests}")
    for number, way in enumerate(recipe.ways, start=1):
        lines += ["", f"way {number}, learnt from {', '.join(way.learnt_from)}", *_way(way)]
    for ending in recipe.endings:
        lines += ["", *_ending(ending)]
    return lines


def _way(way: WayRecipe) -> Iterator[str]:
    for number, page in enumerate(way.pages, start=1):
        heading = f" with the heading “{page.heading}”" if page.heading else ""
        sample_texts = f"; it shows the sample's {' and '.join(page.shows)}" if page.shows else ""
        yield f"  page {number}: {page.address}{heading}{sample_texts}"
        for name, field in page.fields.items():
            yield f"    {name}: {_field(field)}"
        for label in page.pictures:
            yield f"    take the picture {label}"
        if page.step is not None:
            yield f"    then {_step(page)}"
    if way.by_model:
        yield f"  one decision of the model for {', '.join(way.by_model)}"


def _ending(ending: EndingRecipe) -> Iterator[str]:
    others = " and ".join(ending.learnt_from)
    page, what = ending.page, _ENDED[ending.outcome]
    yield f"{what}, as {others}, if instead of page"
    answer = f", HTTP {ending.status}" if ending.status else ""
    heading = f" with the heading “{page.heading}”" if page.heading else ""
    texts = sorted({f"“{text.text}”" for text in page.own_texts})
    says = f"; of the sample it says {', '.join(texts)}" if texts else ""
    yield f"  {ending.steps + 1} there is: {page.address}{answer}{heading}{says}"


def _field(field: FieldRecipe) -> str:
    first = field.sources[0]
    what = "" if first.part == "text" else f"the {first.part} of "
    words = what + " and ".join(source.place.in_words() for source in field.sources)
    if first.address:
        words += f" that leads to {first.address}"
    if first.before or first.after:
        words += f", between “{first.before}” and “{first.after}”"
    if field.read_as != "typed":
        words += f", read as {field.read_as}"
    if field.shape.forms:
        words += f", like {' or '.join(field.shape.forms)}"
    if field.empty:
        words += f"; an empty value is written {', '.join(repr(text) for text in field.empty)}"
    return words + ("; the label may be absent" if field.may_be_absent else "")


def _step(page: PageRecipe) -> str:
    step = page.step
    assert step is not None, "only a page with a step has something to say"
    parameters = ", ".join(f"{key} {value}" for key, value in step.parameters.items())
    where = f" {step.place.in_words()}" if step.place is not None else ""
    until = f" until it shows the month of {step.month_of}" if step.month_of else ""
    return f"{step.action}{where}{f' ({parameters})' if parameters else ''}{until}"
