"""What Excel shows of a value under its number format (ECMA-376, part 1, 18.8.31)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

from openpyxl.utils.datetime import from_excel, to_excel

MOST_SECTIONS = 4
_COLOURS = re.compile(r"(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)", re.I)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_CURRENCY = re.compile(r"\$([^-]*)(?:-([0-9a-fA-F]+|x-\w+))?(?:,\d+)?")
_SYSTEM_FORMATS = {"f800": "yyyy-mm-dd", "x-sysdate": "yyyy-mm-dd", "f400": "h:mm:ss"}
"""Codes for “as this computer writes a date” and “a time”, and what they show in any language."""
_TOKEN = re.compile(
    r"""
      "(?P<quoted>[^"]*)" | \\(?P<escaped>.) | (?P<blank>_.) | \*(?P<fill>.)
    | \[(?P<elapsed>h+|m+|s+)\] | \[(?P<bracket>[^\]]*)\]
    | (?P<general>general) | (?P<half>am/pm|a/p) | (?P<exponent>e[+-])
    | (?P<date>y+|m+|d+|h+|s+) | (?P<digit>[0\#?]) | (?P<point>\.) | (?P<comma>,)
    | (?P<percent>%) | (?P<text>@) | (?P<end>;) | (?P<slash>/)
    | (?P<plain>[-+$():!^&'~{}<>=1-9\s]|[^\x00-\x7f])
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


class Unclear(Exception):
    """What Excel shows is not certain; the message says why."""


@dataclass(frozen=True, slots=True)
class Token:
    """One part of a section. ``literal`` is shown as it is; the other kinds are those of the
    pattern above."""

    kind: str
    text: str


@dataclass(frozen=True)
class Section:
    """What is between two semicolons."""

    tokens: tuple[Token, ...]
    condition: tuple[str, str] | None = None
    """The comparison and the number of ``[<=100]``."""

    @cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset(token.kind for token in self.tokens)

    @property
    def is_date(self) -> bool:
        return bool(self.kinds & {"date", "elapsed"})


@lru_cache(maxsize=256)
def parsed(code: str) -> tuple[Section, ...]:
    """The sections of a number format. Raises Unclear."""
    sections: list[list[re.Match[str]]] = [[]]
    place = 0
    while place < len(code):
        found = _TOKEN.match(code, place)
        if found is None:
            raise Unclear(f"“{code[place]}” in it is not understood")
        place = found.end()
        if found.lastgroup == "end":
            sections.append([])
        else:
            sections[-1].append(found)
    if len(sections) > MOST_SECTIONS:
        raise Unclear(f"it has more than {MOST_SECTIONS} parts")
    return tuple(map(_section, sections))


def _section(matches: list[re.Match[str]]) -> Section:
    tokens: list[Token] = []
    condition: tuple[str, str] | None = None
    for match in matches:
        kind, text = str(match.lastgroup), match[str(match.lastgroup)]
        if kind == "bracket" and (compared := _CONDITION.fullmatch(text)):
            condition = (compared[1], compared[2])
        elif kind == "bracket" and (code := _system_format(text)):
            return parsed(code)[0]
        else:
            tokens.append(_token(kind, text))
    return Section(tuple(tokens), condition)


def _token(kind: str, text: str) -> Token:
    match kind:
        case "quoted" | "escaped" | "plain":
            return Token("literal", text)
        case "blank":  # as wide as the character that follows
            return Token("literal", " ")
        case "fill" if text == " ":
            return Token("literal", "")
        case "fill":
            raise Unclear(f"“*{text}” fills the width of the column")
        case "bracket":
            return Token("literal", _bracket(text))
    return Token(kind, text.lower())


def _system_format(bracket: str) -> str:
    currency = _CURRENCY.fullmatch(bracket)
    return _SYSTEM_FORMATS.get((currency[2] or "").lower(), "") if currency else ""


def _bracket(text: str) -> str:
    """What the brackets show: the symbol of a currency, or nothing."""
    if _COLOURS.fullmatch(text):
        return ""
    currency = _CURRENCY.fullmatch(text)
    if currency is None:
        raise Unclear(f"“[{text}]” in it is not understood")
    # The digits above the language choose other numerals, or another calendar.
    if (language := currency[2]) and (language.startswith("x-") or int(language, 16) > 0xFFFF):
        raise Unclear(f"“[{text}]” stands for other digits, or another calendar")
    return currency[1]


_LONGEST = {"y": 4, "m": 2, "d": 2, "h": 2, "n": 2, "s": 2}
"""Longer codes are names, in the language of the computer."""


def date_text(section: Section, moment: datetime | date | time, length: timedelta) -> str:
    """A full date or a time of day in ISO form; of anything else, the numbers that are shown.
    ``length`` is the value as a duration. Raises Unclear."""
    if length < timedelta():
        raise Unclear("it is that of a date, and the number is negative")
    tokens = _with_minutes([t for t in section.tokens if t.kind != "literal" or t.text])
    if rest := section.kinds - {"literal", "date", "elapsed", "half", "digit", "point", "slash"}:
        raise Unclear(f"it has a date beside {'a text' if 'text' in rest else 'a number'}")
    codes = [token for token in tokens if token.kind == "date"]
    parts = {token.text[0] for token in codes}
    clock = _rounded_clock(length, tokens)
    if _is_only_a_date(tokens) and {"y", "m", "d"} <= parts:
        if length < timedelta(days=1) or not isinstance(moment, datetime):
            raise Unclear("it is that of a date, and the number is none")
        return _iso(moment.date(), clock, parts)
    if _is_only_a_date(tokens) and "h" in parts <= {"h", "n", "s"}:
        return _clock_iso(clock, parts)
    return _as_numbers(tokens, moment, clock, length)


def _with_minutes(tokens: Sequence[Token]) -> list[Token]:
    """The tokens, where ``n`` is what an ``m`` beside hours or seconds is: minutes."""
    places = [n for n, token in enumerate(tokens) if token.kind in {"date", "elapsed"}]
    changed = list(tokens)
    for before, place, after in zip([None, *places], places, [*places[1:], None], strict=False):
        token = tokens[place]
        beside = (tokens[before].text[0] if before is not None else "") == "h" or (
            (tokens[after].text[0] if after is not None else "") == "s"
        )
        if token.text[0] == "m" and len(token.text) < 3 and (beside or token.kind == "elapsed"):
            changed[place] = Token(token.kind, "n" * len(token.text))
    return changed


def _is_only_a_date(tokens: Sequence[Token]) -> bool:
    """Whether nothing but what belongs to a date is shown: no prefix, no run of digits."""
    if any(token.kind in {"elapsed", "digit"} for token in tokens):
        return False
    if any(a.kind == b.kind == "date" for a, b in pairwise(tokens)):
        return False
    first, last = tokens[0], tokens[-1]
    return not any(
        token.kind == "literal" and re.search(r"[0-9A-Za-z]", token.text) for token in (first, last)
    )


def _rounded_clock(length: timedelta, tokens: Sequence[Token]) -> timedelta:
    """To the second, or to the parts of one that are shown."""
    decimals = sum(token.kind == "digit" for token in tokens)
    unit = timedelta(microseconds=10 ** (6 - min(decimals, 6)))
    return unit * round(length / unit)


def _iso(day: date, clock: timedelta, parts: set[str]) -> str:
    rest = clock % timedelta(days=1)
    if "h" not in parts or not rest:
        return day.isoformat()
    return f"{day.isoformat()}T{_clock_iso(clock, parts)}"


def _clock_iso(clock: timedelta, parts: set[str]) -> str:
    moment = (datetime.min + clock % timedelta(days=1)).time()
    unit = "seconds" if "s" in parts else "minutes" if "n" in parts else "hours"
    return moment.isoformat(unit)


def _as_numbers(
    tokens: Sequence[Token], moment: datetime | date | time, clock: timedelta, length: timedelta
) -> str:
    if any(token.kind == "half" for token in tokens):
        raise Unclear("it shows a part of a date and a time of day")
    codes = [token.text for token in tokens if token.kind == "date"]
    if any(len(code) > _LONGEST[code[0]] for code in codes):
        raise Unclear("it shows a part of a date in words, which depend on the computer")
    needs_date = any(code[0] in "ymd" for code in codes)
    if needs_date and (length < timedelta(days=1) or not isinstance(moment, datetime)):
        raise Unclear("it is that of a date, and the number is none")
    return "".join(_part(token, moment, clock) for token in _seconds_joined(tokens)).strip()


def _seconds_joined(tokens: Sequence[Token]) -> list[Token]:
    """With the parts of a second in one token with their seconds: ``ss.00``."""
    joined: list[Token] = []
    for token in tokens:
        if token.kind == "slash":
            joined.append(Token("literal", "/"))
        elif token.kind in {"point", "digit"} and joined and joined[-1].text[:1] == "s":
            joined[-1] = Token(joined[-1].kind, joined[-1].text + token.text)
        elif token.kind == "digit":
            raise Unclear("it has digits beside a date")
        else:
            joined.append(Token("literal", ".") if token.kind == "point" else token)
    return joined


def _part(token: Token, moment: datetime | date | time, clock: timedelta) -> str:
    if token.kind == "literal":
        return token.text
    code, _, fraction = token.text.partition(".")
    seconds = int(clock / timedelta(seconds=1))
    if token.kind == "elapsed":
        number = seconds // {"h": 3600, "n": 60, "s": 1}[code[0]]
    elif code[0] in "ymd":
        assert isinstance(moment, datetime)
        year = f"{moment.year:04d}"[-2:] if len(code) < 3 else f"{moment.year:04d}"
        if code[0] == "y":
            return year
        number = moment.month if code[0] == "m" else moment.day
    else:
        of_day = seconds % 86400
        number = {"h": of_day // 3600, "n": of_day // 60 % 60, "s": of_day % 60}[code[0]]
    parts = f"{clock / timedelta(seconds=1) % 1:.{len(fraction)}f}"[1:] if fraction else ""
    return f"{number:0{len(code)}d}{parts}"


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
        raise Unclear("the number is not such a fraction")
    whole, rest = divmod(fraction, 1) if found["whole"] else (0, fraction)
    bottom = most if is_fixed else rest.denominator
    parts = [str(whole)] if whole or (found["whole"] and not rest) else []
    if rest or not found["whole"]:
        parts.append(f"{rest * bottom}/{bottom}")
    return " ".join(parts)
