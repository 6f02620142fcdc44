"""Whether each value's grounding fits the value and the picture that it names."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from PIL import Image

from pytest_bwa.evidence.grounding import TEXT_CHARACTERS, Grounding, How, plain_values
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.facts.text_match import clean, matches
from pytest_bwa.proof.texts.readings import dates_as_written, numbers_as_written
from pytest_bwa.reports.verify.fault import Fault
from pytest_bwa.spec.notation.numbers import SCALES
from pytest_bwa.spec.typed_secrets import is_redacted
from pytest_bwa.steps.artifacts import is_picture
from pytest_bwa.steps.step import Artifact

SAME_TEXT = (None, "whitespace", "case", "punctuation")
"""The rules of a value that stands in the text itself."""
READ = ("number", "percent", "date", *SCALES)
"""The rules of a value that the text has in another form."""
OTHER = ("boolean", "url", "joined", "null", "month", "time", "name order", "separators")
"""The rules for which the text alone does not tell what the value is."""


def check_grounding(folder: Path, result: SampleResult) -> Iterator[Fault]:
    """Each value with its record; a value without one was not grounded."""
    artifacts = {artifact.filename: artifact for artifact in result.artifacts}
    try:
        values = list(plain_values(result.extracted, result.grounding))
    except (ValueError, TypeError, KeyError, AttributeError):
        yield Fault(RESULT, "the grounding does not have the shape of the values")
        return
    without = [name for name in result.grounding if name not in result.extracted]
    yield from (Fault(RESULT, f"{name} has a grounding and no value") for name in without)
    for path, value, record in values:
        problems = [*_picture_problems(folder, record, artifacts), *_text_problems(value, record)]
        yield from (Fault(RESULT, f"{path}: {problem}") for problem in problems)


def _picture_problems(
    folder: Path, record: Grounding, artifacts: dict[str, Artifact]
) -> Iterator[str]:
    if record.artifact is None:
        return
    artifact = artifacts.get(record.artifact)
    if artifact is None:
        yield f"refers to {record.artifact}, which is not a picture or file of the sample"
        return
    if artifact.page_state and record.page_state and artifact.page_state != record.page_state:
        yield f"was seen in another state of the page than {record.artifact} shows"
    if record.box is not None and is_picture(record.artifact):
        size = _size(folder / record.artifact)
        x, y, width, height = record.box
        if size and (x >= size[0] or y >= size[1] or x + width < 0 or y + height < 0):
            yield f"its box is outside of {record.artifact}"


def _size(picture: Path) -> tuple[int, int] | None:
    """Width and height; None if it is no picture, which its hash says too."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(picture) as image:
                return image.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def _text_problems(value: Any, record: Grounding) -> Iterator[str]:
    known = _rules(value, record.how)
    if known and record.rule not in known:
        yield f'its rule "{record.rule}" is not known of a value that is {record.how}'
    elif record.how in ("verbatim", "normalised") and value is not None:
        if record.text is None:
            yield "its grounding has no text"
        elif not is_redacted(record.text) and not _is_read_from(value, record.text, record.rule):
            yield f"its value does not stand in the text that was seen ({record.text[:60]})"


def _rules(value: Any, how: How) -> tuple[str | None, ...]:
    """The rules that a value may have that was seen so, of a count the one that fits it; empty
    where any is right."""
    match how:
        case "verbatim" | "normalised":
            return (*SAME_TEXT, *READ, *OTHER)
        case "counted":
            return ("none" if value == 0 else "1 line" if value == 1 else f"{value} lines",)
        case "state":
            return ("yes or no", "choice")
        case "joined":
            return ("joined",)
        case _:
            return ()


def _is_read_from(value: Any, text: str, rule: str | None) -> bool:
    """Whether a value follows from a text by its rule; true where that cannot be told."""
    if rule in OTHER:
        return True
    if rule == "date":
        return _is_same_date(str(value), text)
    if rule in READ:
        number = _number(value)
        factor = 100 if rule == "percent" else Decimal(10) ** -SCALES.get(rule, 0)
        read = {reading.value for reading in numbers_as_written(text, None)}
        return number is None or not read or number * factor in read
    written, line = _written(value), clean(text)
    if line and written == line:
        return True
    is_cut = len(text) >= TEXT_CHARACTERS and len(written) > TEXT_CHARACTERS // 3
    return is_cut or next(matches(written, line), None) is not None


def _is_same_date(value: str, text: str) -> bool:
    """Whether a date of the text is that of the value. A page writes the local date of a moment,
    and its machine-readable one may be the day before or after."""
    try:
        wanted = [date.fromisoformat(found.value) for found in dates_as_written(value, None)]
        there = [date.fromisoformat(found.value) for found in dates_as_written(text, None)]
    except ValueError:
        return True
    days = [abs((one - other).days) for one in wanted for other in there]
    return not days or min(days) <= 1


def _written(value: Any) -> str:
    number = _number(value) if isinstance(value, int | float) else None
    return str(value) if number is None else format(number.normalize(), "f")


def _number(value: Any) -> Decimal | None:
    try:
        return Decimal(str(value))
    except InvalidOperation:
        return None
