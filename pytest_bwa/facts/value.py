"""What the text of a fact means as a value. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import partial
from typing import Any, Literal

from pytest_bwa.facts.fact import Fact
from pytest_bwa.spec.coercion import Uncertain, coerce
from pytest_bwa.spec.notation.locales import day_comes_first, number_marks
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.observation import Observation

Path = tuple[str | int, ...]

ReadAs = Literal["typed", "lower", "upper", "percent", "date", "address", "items", "commas"]
"""How a text becomes a value: by the type of the output schema; in lower or upper case;
as a part of one; as a date in a text field; as the address itself; as the items of a list;
as the parts between commas."""


CONVENTIONS = ("en-US", "en-GB", "de-DE")
"""How numbers and dates may be written where a page does not tell: 1,325 or 1.325, 5/3 or 3/5."""


class ValueReader:
    """Reads texts as the values of one task's fields. A path is that of a value in the answer."""

    def __init__(self, task: TaskSpec) -> None:
        self._locale, self._schema = task.locale, OutputSchema(task.output_schema)

    def kinds(self, path: Path) -> frozenset[str]:
        """The types that the schema allows there."""
        return self._schema.kinds_at(path)

    def ways(
        self, value: Any, fact: Fact, path: Path, page: Observation
    ) -> Iterator[tuple[ReadAs, str]]:
        """How the text must be read to give just this value, and in which of ``CONVENTIONS``: an
        empty one is the page's own."""
        forms: list[ReadAs] = ["typed"]
        if fact.kind == "items":
            forms = ["items"]
        elif fact.is_address:
            forms = ["address"]
        elif isinstance(value, str):
            forms += ["date", "lower", "upper"]
        elif isinstance(value, list) and fact.kind in ("element", "labelled"):
            forms += ["commas"]
        elif isinstance(value, float | int):
            forms += ["percent"]
        for form in forms:
            for convention in ("", *self._conventions(form, fact, path, page)):
                with suppress(Uncertain):
                    read = self.value(fact, form, path, page, convention)
                    if read == value and isinstance(read, bool) == isinstance(value, bool):
                        yield form, convention

    def _conventions(
        self, form: ReadAs, fact: Fact, path: Path, page: Observation
    ) -> Sequence[str]:
        """Those that may matter, as the page does not tell."""
        known, kinds = self._locale or fact.language or page.language or None, self.kinds(path)
        if form == "date" or (form == "typed" and "date" in kinds):
            orders = [name for name in CONVENTIONS if _may_order(name, fact.text)]
            return orders if day_comes_first(known) is None else ()
        is_number = form in ("typed", "percent") and kinds & {"number", "integer"}
        return CONVENTIONS if is_number and number_marks(known) is None else ()

    def value(
        self, fact: Fact, read_as: ReadAs, path: Path, page: Observation, convention: str = ""
    ) -> Any:
        """What the text means. Raises Uncertain."""
        locale = convention or self._locale or fact.language or page.language or None
        match read_as:
            case "address":
                return fact.text
            case "items":
                return [coerce(item, frozenset({"string"})) for item in fact.items]
            case "commas":
                return parts_of(fact.text, read_as)
            case "lower":
                return fact.text.lower()
            case "upper":
                return fact.text.upper()
            case "percent":
                number = coerce(fact.as_written, frozenset({"number"}), locale=locale)
                return float(Decimal(str(number)) / 100)
        kinds = frozenset({"date"}) if read_as == "date" else self.kinds(path)
        time, allows = fact.datetime or None, partial(self._schema.allows, path)
        return coerce(fact.as_written, kinds, locale=locale, machine_time=time, allows=allows)


def _may_order(convention: str, text: str) -> bool:
    """Whether days and months stand in its order: 25/12 is one day everywhere, and has one."""
    numbers = re.findall(r"\d+", text)
    month = numbers[1:2] if day_comes_first(convention) else numbers[:1]
    return len(numbers) < 3 or len(month[0]) > 2 or int(month[0]) <= 12


def parts_of(text: str, read_as: ReadAs) -> list[str]:
    """The texts of which each must look like those before it."""
    return [part.strip() for part in text.split(",")] if read_as == "commas" else [text]
