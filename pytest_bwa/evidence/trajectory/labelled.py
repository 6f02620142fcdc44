"""A labelled value of a page as one line."""

from __future__ import annotations

from pytest_bwa.steps.step import LabelledValue


def labelled_line(value: LabelledValue) -> str:
    """``kind | label | value``, then where the value stands, what its record is called, and what
    speaks against it."""
    place = value.place
    where = {
        "in": " > ".join(place.regions),
        "under": " > ".join(place.headings),
        "of": place.record_name if place.record else "",
        "cut": "yes" if value.cut else "",
        "doubt": value.doubt or "",
    }
    line = f"{value.kind} | {value.label} | {value.value}".replace("\n", " ⏎ ")
    return "".join([line, *(f" ({name}: {text})" for name, text in where.items() if text)])
