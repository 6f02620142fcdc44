"""The walk of one sample: the pages on which it was, and what was done there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from pytest_bwa.policy.recorded import BACK, has_no_target, is_masked, performed_again
from pytest_bwa.spec.notation.dates import iso_date, month_in
from pytest_bwa.steps.step import Observation, Step

_READS_ONLY = frozenset({"screenshot", "extract", "find", "wait"})
TYPES = frozenset({"type", "select_option", "press", "upload", "drag"})


@dataclass(frozen=True, slots=True)
class Visit:
    """One page of a walk, in the state that it had before the next step."""

    page: Observation
    step: Step | None = None
    """What was done there; None on the last page."""
    pictures: tuple[str, ...] = ()
    month_of: str = ""
    """The column with a date to whose month the step was repeated."""


def visits_of(
    log: Sequence[Step],
    pages: Sequence[tuple[float, Observation]],
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
    end: float = len(log) + 1
    if None not in seen:
        left_out = [step.number for step in walk if step.number > max(needed, default=0)]
        walk, end = walk[: len(walk) - len(left_out)], next(iter(left_out), end)
    if any(is_masked(s.step) or has_no_target(s.step) for s in walk):
        return None
    visits, is_needed, first = list[Visit](), list[bool](), 0.0
    pages = sorted(_with_returns(log, pages), key=lambda entry: entry[0])
    for index, last in enumerate([*(step.number for step in walk), end]):
        page = next((page for done, page in reversed(pages) if done < last), None)
        if page is None:
            return None
        labels = tuple(label for label, number in taken if first < number <= last)
        visits.append(Visit(page, walk[index].step if index < len(walk) else None, labels))
        is_needed.append(bool(labels) or any(n is None or first <= n < last for n in seen))
        first = last
    return _without_detours(visits, is_needed)


def _with_returns(
    log: Sequence[Step], pages: Sequence[tuple[float, Observation]]
) -> Iterator[tuple[float, Observation]]:
    """With the page beside which others were read, which is there again after each of them."""
    reads = {n: step.url for n, step in enumerate(log, start=1) if step.action == "read"}
    for done, page in pages:
        yield done + BACK * (reads.get(int(done)) == page.url), page
    for number, url in reads.items():
        own = (page for done, page in reversed(pages) if done < number and page.url == url)
        yield from ((number + BACK, page) for page in islice(own, 1))


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
