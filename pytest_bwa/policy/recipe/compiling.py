"""Makes a recipe of what samples taught: of those that took the same walk, and read each field at a
place that all of them have. Pure.

A sample in which a model erred fits no other, and so no recipe comes of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_bwa.facts.value import CONVENTIONS, parts_of
from pytest_bwa.policy.recipe.lesson import Lesson, Option
from pytest_bwa.policy.recipe.parameters import address_columns, generalised, merged
from pytest_bwa.policy.recipe.reading import FieldReader
from pytest_bwa.policy.recipe.recipe import FieldRecipe, PageRecipe, ValueSource, WayRecipe
from pytest_bwa.policy.recipe.shape import CONFIRMED, FIRST, shape_of
from pytest_bwa.policy.recipe.sketch import ABSENT, FieldSketch, Seen, Sketch, Sketcher
from pytest_bwa.policy.recipe.visits import TYPES
from pytest_bwa.spec.coercion import Uncertain, coerce
from pytest_bwa.spec.task import TaskSpec

MAX_SEEDS = 12
"""Samples from which a group is tried to be made."""


def compile_ways(task: TaskSpec, lessons: Sequence[Lesson], needed: int) -> list[WayRecipe]:
    """The ways that these lessons teach."""
    sketches = Sketcher(FieldReader(task), read_fields(task)).all_of(lessons, ())
    return ways_of(task, sketches, needed)


def read_fields(task: TaskSpec) -> list[str]:
    """The fields that a recipe may read."""
    return [name for name in task.output_schema if name not in task.derived]


def ways_of(
    task: TaskSpec, sketches: Sequence[Sketch], needed: int, left_out: Collection[str] = ()
) -> list[WayRecipe]:
    """The ways that these samples teach. The first way is made of at least ``needed`` of them, each
    further one of two. If twice as many make no first way, the fields that keep them apart are left
    to the model, as those that are ``left_out`` are."""
    names = [name for name in read_fields(task) if name not in left_out]
    left = [s for s in sketches if s.teaches_way and may_be_walked(task, s)]
    ways: list[WayRecipe] = []
    while group := _group(names, left, CONFIRMED if ways else needed):
        own = {id(sketch) for sketch in group.sketches}
        left = [sketch for sketch in left if id(sketch) not in own]
        if (way := _way(task, group)) is not None:
            ways.append(way)
    return ways


def may_be_walked(task: TaskSpec, sketch: Sketch) -> bool:
    """Whether the walk may be performed without a model: one that fills fields only where nothing
    can be written, or where the spec says what is sent, and what the page says then."""
    types = any(step.action in TYPES for step in sketch.steps)
    return not types or task.read_only is True or is_form(task)


def is_form(task: TaskSpec) -> bool:
    return task.read_only is False and bool(task.submit and task.confirmation)


# -- samples that teach the same -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Group:
    """Samples of one walk. For each field ``options`` has all that give its value in each of them:
    none if the field is left to the model, and None if nothing is known of its place."""

    sketches: Sequence[Sketch]
    options: Mapping[str, Sequence[Option] | None]

    @property
    def placed(self) -> int:
        return sum(bool(found) for found in self.options.values())

    def seen(self, name: str, option: Option) -> list[tuple[FieldSketch, Seen, Sketch]]:
        """What the samples have there, as far as that is known; what is known to be right counts
        twice, and so needs no second sample."""
        own = ((sketch.fields[name], sketch) for sketch in self.sketches)
        twice = ((one, sketch) for one, sketch in own for _ in range(1 + one.is_known))
        return [(one, one.at[option], sketch) for one, sketch in twice if option in one.at]


def _group(names: Sequence[str], sketches: Sequence[Sketch], needed: int) -> _Group | None:
    """The group with an option for the most fields, of several the one with most samples."""
    may_lose = (False, True) if needed > CONFIRMED and len(sketches) >= 2 * needed else (False,)
    for is_lost in may_lose:
        around = (_around(seed, names, sketches, is_lost) for seed in sketches[:MAX_SEEDS])
        groups = [group for group in around if group.placed and len(group.sketches) >= needed]
        if groups:
            return max(groups, key=lambda group: (group.placed, len(group.sketches)))
    return None


def _around(
    seed: Sketch, names: Sequence[str], sketches: Sequence[Sketch], may_lose: bool
) -> _Group:
    group = _Group([seed], {name: _options(seed.fields[name]) for name in names})
    for sketch in sketches:
        if sketch is not seed and sketch.steps == seed.steps:
            group = _joined(group, sketch, may_lose) or group
    return _without_unsure(group)


def _options(field: FieldSketch) -> Sequence[Option] | None:
    is_known = field.answer == "value" and field.seen is not None
    return list(field.at) if is_known else None


def _joined(group: _Group, sketch: Sketch, may_lose: bool) -> _Group | None:
    """The group with one sample more; None if a field would lose all its places, or has one under a
    label and others nowhere: then somebody erred. With ``may_lose``, a field may lose those at
    which the page has no label."""
    left: dict[str, Sequence[Option] | None] = {}
    for name, options in group.options.items():
        own = _options(sketch.fields[name])
        both = [option for option in options or () if option in (own or ())]
        if options is None or own is None:
            both = list(options or own or ())
        is_labelled = any(option.source.place.name for option in (*(options or ()), *(own or ())))
        is_lost = not both and bool(options or own)
        if is_lost and (is_labelled or not may_lose):
            return None
        left[name] = None if options is None and own is None else both
    return _Group([*group.sketches, sketch], left)


def _without_unsure(group: _Group) -> _Group:
    """Without the samples that have null where the page has a word that no other one calls
    empty."""
    unsure: set[int] = set()
    for name, options in group.options.items():
        if options:
            found = group.seen(name, _chosen(options)[0])
            empty = [(seen.text, one) for field, seen, one in found if field.answer != "value"]
            counts = Counter(text for text, _ in empty)
            unsure |= {id(s) for text, s in empty if counts[text] < CONFIRMED and is_word(text)}
    return _Group([s for s in group.sketches if id(s) not in unsure], group.options)


def is_word(text: str | None) -> bool:
    """Whether a text has a letter or a digit, and so is no mere mark for "nothing" such as a dash.
    A label that is not there counts as one that has."""
    return text is ABSENT or any(character.isalnum() for character in text)


def _chosen(options: Sequence[Option]) -> list[Option]:
    """Those on the first page that has any, all read in the same way. Where several ways to write
    numbers and dates fit all samples, the page's own counts, and else what only one of them fits
    settles it."""
    first = min(option.page for option in options)
    own = [option for option in options if option.page == first]
    locales = {o.locale for o in own if (o.source, o.read_as) == (own[0].source, own[0].read_as)}
    fitting = [name for name in CONVENTIONS if name in locales]
    locale = fitting[0] if fitting and len(fitting) < len(CONVENTIONS) else ""
    return [o for o in own if (o.read_as, o.locale) == (own[0].read_as, locale)] or own[:1]


# -- a way -----------------------------------------------------------------------------------------


def _way(task: TaskSpec, group: _Group) -> WayRecipe | None:
    """None if the pages do not say whose they are."""
    steps, reader = group.sketches[0].steps, FieldReader(task)
    pages = [merged_page(number, group.sketches) for number in range(len(steps) + 1)]
    fields: list[dict[str, FieldRecipe]] = [{} for _ in pages]
    for name, options in group.options.items():
        chosen = _chosen(options) if options else []
        if confirmed := [option for option in chosen if _is_confirmed(name, option, group)]:
            fields[confirmed[0].page][name] = _field(name, confirmed, group, reader)
    read = {name for own in fields for name in own}
    for number, page in enumerate(pages):
        sent = any(step.presses(task.submit) for step in steps[:number])
        changes = {
            "fields": fields[number],
            "step": steps[number] if number < len(steps) else None,
            "is_answer": is_form(task) and sent,
        }
        pages[number] = page.model_copy(update=changes)
    if not all(page.says_whose for page in pages if page.fields):
        return None
    return WayRecipe(
        learnt_from=tuple(sketch.sample_id for sketch in group.sketches),
        pages=tuple(pages),
        by_model=tuple(name for name in task.output_schema if name not in read),
    )


def _is_confirmed(name: str, option: Option, group: _Group) -> bool:
    """Whether two samples cited it: one alone may have its value anywhere, and its place is
    described with that sample's own texts. All without a value must say so in the same way."""
    cited = sum(seen.is_cited for _, seen, _ in group.seen(name, option))
    answers = {sketch.fields[name].answer for sketch in group.sketches}
    return cited >= CONFIRMED and len(answers - {"value"}) <= 1


def _field(name: str, options: Sequence[Option], group: _Group, reader: FieldReader) -> FieldRecipe:
    main = options[0]
    kind, found = reader.kind_of(name, main.read_as), group.seen(name, main)
    texts = [s.text for field, s, _ in found if field.answer == "value" and s.text is not None]
    nothings = Counter(seen.text for field, seen, _ in found if field.answer != "value")
    is_absent = nothings[ABSENT] >= CONFIRMED
    parts = [part for text in texts for part in parts_of(text, main.read_as)]
    empty = (t for t, n in nothings.items() if t is not ABSENT and (n > 1 or not is_word(t)))
    languages = [[seen.language] for _, seen, _ in found if seen.text is not ABSENT]
    return FieldRecipe(
        sources=tuple(_counted(option.source, group.seen(name, option)) for option in options),
        read_as=main.read_as,
        locale=main.locale,
        is_locale_certain=bool(main.locale) and _is_told(main, kind, found),
        shape=shape_of(parts, kind),
        empty=tuple(sorted(empty)),
        empty_is_list=any(field.answer == "list" for field, _, _ in found),
        may_be_absent=is_absent,
        controls=_common(s.looks[main.page].controls for _, _, s in found) if is_absent else (),
        labels=_common(seen.labels for _, seen, _ in found),
        languages=tuple(sorted(_confirmed(languages))),
    )


def _is_told(option: Option, kind: str, found: Iterable[tuple[FieldSketch, Seen, Sketch]]) -> bool:
    """Whether two samples rule out another way to write numbers and dates, by a value that is known
    or a text that has one reading: what was only answered may have been read wrong each time."""
    ways = [replace(option, locale=name) for name in CONVENTIONS]
    telling = {
        sketch.sample_id
        for field, seen, sketch in found
        if field.answer == "value" and not all(way in field.at for way in ways)
        if field.is_known or _has_one_reading(seen.text or "", kind)
    }
    return len(telling) >= CONFIRMED


def _has_one_reading(text: str, kind: str) -> bool:
    try:
        coerce(text, frozenset({kind}))
    except Uncertain:
        return False
    return True


def _counted(source: ValueSource, found: Iterable[tuple[FieldSketch, Seen, Sketch]]) -> ValueSource:
    """The source with how often its label was on a page at most."""
    most = max(seen.namesakes for _, seen, _ in found)
    return source.model_copy(update={"namesakes": max(1, most)})


def merged_page(number: int, sketches: Sequence[Sketch]) -> PageRecipe:
    """What the page of each sample has in common."""
    looks = [(sketch.looks[number], sketch.columns) for sketch in sketches]
    hosts = [address_columns(sketch.columns, sketch.own_host) for sketch in sketches]
    addresses = [generalised(x.address, own) for (x, _), own in zip(looks, hosts, strict=True)]
    headings = [generalised(look.heading, own, names_page=True) for look, own in looks]
    showing = [look.sure_columns(own) for look, own in looks]
    return PageRecipe(
        address=merged(addresses),
        heading=merged(headings),
        shows=tuple(name for name in looks[0][1] if all(name in names for names in showing)),
        own_texts=tuple(sorted(frozenset.intersection(*(x.own_texts for x, _ in looks)), key=str)),
        alerts=_common(look.alerts for look, _ in looks),
        pictures=tuple(dict.fromkeys(label for s in sketches for label in s.pictures[number])),
    )


def _common(texts: Iterable[Collection[str]]) -> tuple[str, ...]:
    """What more than one sample has: the rest may be something of one alone."""
    counts = Counter(text for own in texts for text in own)
    return tuple(sorted(text for text, number in counts.items() if number > 1))


def _confirmed(seen: Sequence[Collection[str]]) -> set[str]:
    """What the first samples have, or a second one confirms."""
    counts = Counter(one for own in seen for one in own)
    first = {one for own in seen[:FIRST] for one in own}
    return first | {one for one, number in counts.items() if number >= CONFIRMED}
