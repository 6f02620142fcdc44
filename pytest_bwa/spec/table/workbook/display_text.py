"""What Excel shows of a cell's value under its number format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Any

from openpyxl.utils.datetime import from_excel, to_excel

from pytest_bwa.spec.table.workbook.date_text import date_text
from pytest_bwa.spec.table.workbook.format_code import Section, Token, Unclear, parsed

_PRECISE = Context(prec=60, rounding=ROUND_HALF_UP)
_FRACTION = re.compile(
    r"(?:(?P<whole>[#0?]*[#0]) +)?[#0?]*(?P<top>[?#0])/(?P<under>[?#]+|[1-9]\d*)"
)
_COMPARE = {
    "<": Decimal.__lt__,
    "<=": Decimal.__le__,
    ">": Decimal.__gt__,
    ">=": Decimal.__ge__,
    "=": Decimal.__eq__,
    "<>": Decimal.__ne__,
}


def display_text(value: str | float | date | time | timedelta, code: str, epoch: datetime) -> str:
    """A full date or a time of day is written in ISO form, whatever its format: what Excel shows
    of it depends on the computer and can often be read in two ways. So is a date without a format,
    and a number without one has all its digits. Raises Unclear."""
    sections = parsed(code)
    if isinstance(value, str):
        return _visible(_decorated(value, sections))
    number = _serial(value, epoch)
    section, number = _section_for(number, sections)
    if section.is_date:
        moment = from_excel(float(number), epoch)
        return date_text(section, moment, timedelta(days=float(number)))
    if "general" in section.kinds or section.tokens == (Token("text", "@"),):
        if not isinstance(value, int | float):
            return plain(value)
        return _joined(section, plain_number(number))
    return _visible(_number_text(section, number))


def plain(value: float | date | time | timedelta) -> str:
    """The value without a format."""
    match value:
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return plain_number(_decimal(value / timedelta(days=1)))
    return plain_number(_decimal(value))


def plain_number(number: Decimal) -> str:
    """With the 15 digits that Excel keeps, and without a power of ten unless it is very small."""
    return f"{number:f}" if number == 0 or abs(number) >= Decimal("1e-9") else f"{number:E}"


def _decimal(value: float) -> Decimal:
    number = Decimal(f"{value + 0:.15g}").normalize()  # + 0: no sign of a zero
    return number.quantize(Decimal(1)) if number == number.to_integral_value() else number


def _serial(value: Any, epoch: datetime) -> Decimal:
    """The number that the file has. openpyxl makes a date of it where it takes the format for
    that of a date, as it does with the words of ``"ids;"000``."""
    is_number = isinstance(value, int | float)
    return _decimal(value if is_number else to_excel(value, epoch))  # type: ignore[no-untyped-call]


def _section_for(number: Decimal, sections: Sequence[Section]) -> tuple[Section, Decimal]:
    """The section that shows this number, and the number without its sign if that has its own."""
    numeric = [s for s in sections if "text" not in s.kinds][:3]
    if not numeric:
        return sections[-1], number
    if any(section.condition for section in numeric):
        return _first_that_holds(number, numeric), number
    if number < 0 and len(numeric) > 1:
        return numeric[1], -number
    if number == 0 and len(numeric) > 2:
        return numeric[2], number
    return numeric[0], number


def _first_that_holds(number: Decimal, sections: Sequence[Section]) -> Section:
    if number < 0:
        raise Unclear("it has conditions, and the number is negative")
    for section in sections:
        if section.condition is None:
            return section
        comparison, bound = section.condition
        if _COMPARE[comparison](number, Decimal(bound)):
            return section
    raise Unclear("none of its conditions holds")


def _decorated(value: str, sections: Sequence[Section]) -> str:
    for section in sections:
        if "text" in section.kinds:
            return _joined(section, value)
    if len(sections) > 3:
        return _joined(sections[3], value)
    return value


def _joined(section: Section, value: str) -> str:
    if section.kinds - {"literal", "general", "text"}:
        raise Unclear("it has digits beside a text")
    return "".join(t.text if t.kind == "literal" else value for t in section.tokens)


def _visible(text: str) -> str:
    if not text.strip():
        raise Unclear("it hides the value")
    return text


def _number_text(section: Section, number: Decimal) -> str:
    kinds = section.kinds
    if kinds - {"literal", "digit", "point", "comma", "percent", "exponent", "slash"}:
        raise Unclear("it has digits beside a date or a text")
    sign = "-" if number < 0 else ""
    if "slash" in kinds:
        text = _fraction_text(section, abs(number))
    elif "exponent" in kinds:
        text = _power_text(section, abs(number))
    else:
        text = _digits_text(section.tokens, abs(number), sign)
    return (sign + text.lstrip() if sign else text).strip()


def _digits_text(tokens: Sequence[Token], number: Decimal, sign: str = "") -> str:
    kinds = [token.kind for token in tokens]
    places = [n for n, kind in enumerate(kinds) if kind == "digit"]
    if not places:
        return "".join(token.text for token in tokens)
    if kinds.count("point") > 1:
        raise Unclear("it has two decimal points")
    point = kinds.index("point") if "point" in kinds else len(tokens)
    whole, decimals = [n for n in places if n < point], [n for n in places if n > point]
    scale, is_grouped = _commas(kinds, whole, places[-1])
    number = _PRECISE.scaleb(number, 2 * kinds.count("percent") - 3 * scale)
    number = _rounded(number, len(decimals))
    if sign and not number:
        raise Unclear("it rounds a negative number to zero")
    before, _, after = f"{number:f}".partition(".")
    texts = ["" if token.kind == "comma" else token.text for token in tokens]
    _fill_whole(texts, whole, before.lstrip("0"), is_grouped)
    if not whole and before.lstrip("0"):
        texts[point] = before.lstrip("0") + texts[point]
    _fill_decimals(texts, decimals, after)
    return "".join(texts)


def _rounded(number: Decimal, decimals: int) -> Decimal:
    return _PRECISE.quantize(number, Decimal(1).scaleb(-decimals))


def _commas(kinds: Sequence[str], whole: Sequence[int], last: int) -> tuple[int, bool]:
    """By how many thousands the number is divided, and whether its digits are grouped."""
    end = whole[-1] if whole else last
    inside = [n for n, k in enumerate(kinds) if k == "comma" and whole and whole[0] < n < end]
    trailing = 0
    for start in {end, last}:
        after = start + 1
        while after < len(kinds) and kinds[after] == "comma":
            trailing, after = trailing + 1, after + 1
    if kinds.count("comma") != len(inside) + trailing:
        raise Unclear("a comma in it is neither between digits nor after them")
    between = set(kinds[whole[0] : end + 1]) if inside else set()
    if between - {"digit", "comma"}:
        raise Unclear("it groups digits that other characters separate")
    return trailing, bool(inside)


def _fill_whole(texts: list[str], places: Sequence[int], digits: str, is_grouped: bool) -> None:
    padded = ""
    for place in reversed(places):
        digit = digits[-1:] or _padding(texts[place])
        digits = digits[:-1]
        if place == places[0]:
            digit = digits + digit
        texts[place] = digit
        padded = digit + padded
    if is_grouped:
        texts[places[0]] = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",", padded)
        for place in places[1:]:
            texts[place] = ""


def _fill_decimals(texts: list[str], places: Sequence[int], digits: str) -> None:
    needed = len(digits.rstrip("0"))
    for number, place in enumerate(places):
        texts[place] = digits[number] if number < needed else _padding(texts[place])


def _padding(placeholder: str) -> str:
    return {"0": "0", "?": " "}.get(placeholder, "")


def _power_text(section: Section, number: Decimal) -> str:
    tokens = section.tokens
    middle = [token.kind for token in tokens].index("exponent")
    mantissa, power = tokens[:middle], tokens[middle + 1 :]
    places = [token for token in mantissa if token.kind in {"digit", "point"}]
    code = "".join(token.text for token in places)
    if not re.fullmatch(r"[0#](?:\.0+)?", code) or {t.text for t in power} - {"0"} or not power:
        raise Unclear("its power of ten is not understood")
    decimals = max(len(code) - 2, 0)
    exponent = number.adjusted() if number else 0
    digits = _rounded(number.scaleb(-exponent), decimals)
    if digits >= 10:  # 9.99 became 10.0
        exponent, digits = exponent + 1, _rounded(digits / 10, decimals)
    always_signed = tokens[middle].text == "e+"
    sign = "-" if exponent < 0 else "+" if always_signed else ""
    before = "".join(token.text for token in mantissa if token.kind == "literal")
    return f"{before}{digits}E{sign}{abs(exponent):0{len(power)}d}"


def _fraction_text(section: Section, number: Decimal) -> str:
    """Only what is exactly a fraction of the kind: Excel's way to the nearest one is its own."""
    code = "".join(token.text for token in section.tokens).strip()
    found = _FRACTION.fullmatch(code)
    if found is None:
        raise Unclear("its fraction is not understood")
    under = found["under"]
    most = int(under) if under[0].isdigit() else 10 ** len(under) - 1
    exact = Fraction(number)
    fraction = exact.limit_denominator(most)
    is_fixed = under[0].isdigit()
    if is_fixed:
        fraction = Fraction(round(exact * most), most)
    if abs(fraction - exact) > Fraction(1, 10**12):
        raise Unclear("the number is no such fraction")
    whole, rest = divmod(fraction, 1) if found["whole"] else (0, fraction)
    bottom = most if is_fixed else rest.denominator
    parts = [str(whole)] if whole or (found["whole"] and not rest) else []
    if rest or not found["whole"]:
        parts.append(f"{rest * bottom}/{bottom}")
    return " ".join(parts)
