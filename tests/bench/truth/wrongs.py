"""The wrong answers of a play: its own, and those that can be made of any true answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bench.truth.corpus import Play, Sample, Wrong

_INVENTED = ("Verena Okonkwo", "Marit Holmqvist", "Jordan Pell", "Teresa Albanese")


def wrong_answers(play: Play) -> Iterator[tuple[Sample, Wrong]]:
    for number, sample in enumerate(play.samples):
        for wrong in (*sample.wrong, *_made(play, sample, number)):
            yield sample, wrong


def _made(play: Play, sample: Sample, number: int) -> Iterator[Wrong]:
    """Which field is changed goes round with the samples."""
    names = [name for name, value in sample.truth.items() if value not in (None, [], True, False)]
    if not names:
        return
    names = names[number % len(names) :] + names[: number % len(names)]
    first = names[0]
    yield Wrong("invented", {first: invented(sample.truth[first], number)})
    if len(names) > 1:
        second = names[1]
        value = invented(sample.truth[second], number + 1)
        if type(value) is int and value < 1000:
            value += 40  # no day of a date that is cited
        yield Wrong("miscited", {second: value}, {second: sample.cites[first]})
    changed = [name for name in names if digit_changed(sample.truth[name]) is not None]
    if changed:
        name = changed[0]
        value = digit_changed(sample.truth[name])
        yield Wrong("digit", {name: value}, {name: sample.cites[name]})
    nullable = [n for n in names if "null" in str(play.spec["output_schema"][n])]
    if nullable:
        yield Wrong("null", {nullable[-1]: None})


def invented(value: Any, number: int) -> Any:
    """A value of the same type that stands on no page."""
    if isinstance(value, list):
        return [*value[:-1], invented(value[-1], number)]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return 7913 + 11 * number if value >= 1000 or value % 1 else 613 + 11 * number
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        return f"2019-0{number % 8 + 1}-{number % 18 + 11}"
    return _INVENTED[number % len(_INVENTED)]


def digit_changed(value: Any) -> Any:
    """The value with one digit changed; None where it has none."""
    if isinstance(value, bool) or value is None or isinstance(value, list):
        return None
    if isinstance(value, int):
        return value + (10 if value >= 10 else 1)
    if isinstance(value, float):
        return round(value + 10, 2)
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        return f"{value[:-2]}12" if value[-2] == "3" else f"{value[:-1]}{1 + (value[-1] == '1')}"
    spots = [match.start() for match in re.finditer(r"\d", value)]
    if not spots:
        return None
    last = spots[-1]
    return f"{value[:last]}{(int(value[last]) + 3) % 10}{value[last + 1 :]}"
