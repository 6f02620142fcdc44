"""Makes a recipe of what samples taught. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from pytest_bwa.facts.value import parts_of
from pytest_bwa.policy.recipe.candidates import (
    ABSENT,
    Candidate,
    CandidateFinder,
    chosen,
    with_namesakes,
)
from pytest_bwa.policy.recipe.groups import Group, Grouping, is_word, steps_of
from pytest_bwa.policy.recipe.lesson import Lesson, is_nothing
from pytest_bwa.policy.recipe.places import (
    common,
    controls_of,
    labels_beside,
    merged_page,
)
from pytest_bwa.policy.recipe.recipe import (
    FieldRecipe,
    WayRecipe,
)
from pytest_bwa.policy.recipe.shape import form_of, shape_of, without_zeros
from pytest_bwa.policy.recipe.visits import types_something
from pytest_bwa.spec.task import TaskSpec

FIRST = 3
"""Samples of which each one counts: a way is made of them."""
CONFIRMED = 2
"""Samples that must agree before what they did becomes another way."""


def compile_ways(task: TaskSpec, lessons: Sequence[Lesson], needed: int) -> list[WayRecipe]:
    """The ways that these lessons teach. The first way is made of at least ``needed`` lessons, each
    further one of two. If twice as many lessons make no first way, the fields that keep them apart
    are left to the model."""
    names = [name for name in task.output_schema if name not in task.derived]
    grouping = Grouping(CandidateFinder(task), names)
    left = [lesson for lesson in lessons if may_be_walked(task, lesson)]
    ways: list[WayRecipe] = []
    while group := _group(grouping, left, CONFIRMED if ways else needed):
        way = _way(task, group, grouping)
        own = {id(lesson) for lesson in group.lessons}
        left = [lesson for lesson in left if id(lesson) not in own]
        if way is not None:
            ways.append(way)
    return ways


def _group(grouping: Grouping, lessons: Sequence[Lesson], needed: int) -> Group | None:
    group = grouping.largest(lessons, needed)
    if group is None and needed > CONFIRMED and len(lessons) >= 2 * needed:
        return grouping.largest(lessons, needed, may_lose=True)
    return group


def may_be_walked(task: TaskSpec, lesson: Lesson) -> bool:
    """Whether the walk may be performed without a model: one that fills fields only where nothing
    can be written, or where the spec says what is sent, and what the page says then."""
    if not types_something(lesson.visits):
        return True
    return task.read_only is True or is_form(task)


def is_form(task: TaskSpec) -> bool:
    return task.read_only is False and bool(task.submit and task.confirmation)


def _way(task: TaskSpec, group: Group, grouping: Grouping) -> WayRecipe | None:
    """None if the pages do not say whose they are."""
    steps = steps_of(group.lessons[0])
    pages = [merged_page(number, group.lessons) for number in range(len(group.lessons[0].visits))]
    fields: list[dict[str, FieldRecipe]] = [{} for _ in pages]
    by_model = [name for name in task.output_schema if name in task.derived]
    for name, candidates in group.candidates.items():
        source = chosen(candidates) if candidates else None
        is_confirmed = source is not None and _is_confirmed(name, group)
        if source and is_confirmed and not _may_be_chance(name, source, group, grouping):
            fields[source.page][name] = _field(
                name, candidates or (), group.answering(name), grouping
            )
        else:
            by_model.append(name)
    pages = [
        page.model_copy(
            update={
                "fields": fields[n],
                "step": steps[n] if n < len(steps) else None,
                "is_answer": is_form(task) and any(step.presses(task.submit) for step in steps[:n]),
            }
        )
        for n, page in enumerate(pages)
    ]
    if not all(page.says_whose for page in pages if page.fields):
        return None
    return WayRecipe(
        learnt_from=tuple(lesson.sample_id for lesson in group.lessons),
        pages=tuple(pages),
        by_model=tuple(by_model),
    )


def _is_confirmed(name: str, group: Group) -> bool:
    """Whether two samples have a value: one alone may have it anywhere, and its place is described
    with that sample's own texts. All the others must have the same for "nothing"."""
    values = [lesson.values[name] for lesson in group.answering(name)]
    nothings = [value for value in values if is_nothing(value)]
    is_one = all(value == nothings[0] for value in nothings)
    return is_one and len(values) - len(nothings) >= CONFIRMED


def _may_be_chance(name: str, source: Candidate, group: Group, grouping: Grouping) -> bool:
    """Whether the text may be the value by chance: nobody has cited it, and it stands elsewhere,
    too. If all samples had the same value, two must have cited it: any text that every page has
    could be that."""
    lessons = group.answering(name)
    own = [lesson for lesson in lessons if source in (grouping.own(name, lesson) or ())]
    values = [lesson.values[name] for lesson in lessons]
    first = next(value for value in values if not is_nothing(value))
    if all(value == first or is_nothing(value) for value in values):
        return sum(lesson.cites(name) for lesson in own) < CONFIRMED
    return not any(grouping.finder.is_sure(name, lesson) for lesson in own)


def _field(
    name: str, candidates: Sequence[Candidate], lessons: Sequence[Lesson], grouping: Grouping
) -> FieldRecipe:
    """Of several places on a page each may agree by chance: all of them must say the same."""
    main = chosen(candidates)
    page = main.page
    places = [c for c in candidates if (c.page, c.read_as) == (page, main.read_as)]
    seen = [grouping.seen(name, main, lesson) for lesson in lessons]
    values = [s.text for s in seen if s is not None and s.is_value and s.text is not None]
    nulls = [s.text for s in seen if s is not None and not s.is_value]
    counts = Counter(nulls)
    texts = [(s.found, lesson) for s, lesson in zip(seen, lessons, strict=True) if s and s.found]
    is_measured = grouping.finder.reader.is_measured(name)
    alike = without_zeros if grouping.finder.reader.is_date(name, main.read_as) else str
    parts = [parts_of(text, main.read_as) for text in values]
    forms = [{p: alike(form_of(p, is_measured=is_measured)) for p in own} for own in parts]
    sure = _confirmed([own.values() for own in forms])
    empty = sorted(t for t, n in counts.items() if t is not ABSENT and (n > 1 or not is_word(t)))
    return FieldRecipe(
        sources=tuple(with_namesakes(place, lessons) for place in places),
        read_as=main.read_as,
        shape=shape_of(
            [part for own in forms for part, form in own.items() if form in sure],
            is_measured=is_measured,
        ),
        empty=tuple(empty),
        empty_is_list=any(lesson.values.get(name) == [] for lesson in lessons),
        may_be_absent=counts[ABSENT] > 1,
        controls=common(controls_of(le.pages[page].page, le.columns) for le in lessons)
        if counts[ABSENT] > 1
        else (),
        labels=common(
            labels_beside(main.source, s.found if s else None, lesson.pages[page], lesson.columns)
            for s, lesson in zip(seen, lessons, strict=True)
        ),
        languages=tuple(
            sorted(_confirmed([[t.language or le.pages[page].page.language] for t, le in texts]))
        ),
    )


def _confirmed(seen: Sequence[Collection[str]]) -> set[str]:
    """What the first lessons have, or a second one confirms."""
    counts = Counter(one for own in seen for one in set(own))
    first = {one for own in seen[:FIRST] for one in own}
    return first | {one for one, number in counts.items() if number >= CONFIRMED}
