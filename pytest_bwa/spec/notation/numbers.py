"""Numbers as people write them: every possible reading, and the one that is certain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import lru_cache

from pytest_bwa.spec.notation.characters import Uncertain, plain
from pytest_bwa.spec.notation.locales import NumberMarks, find_locale, number_marks

_ALL_MARKS = tuple(
    NumberMarks(group, decimal)
    for group, decimal in (
        (",", "."), (".", ","), (" ", "."), (" ", ","), ("'", "."), ("'", ","), ("٬", "٫"),
    )
)  # fmt: skip
_INDIAN = NumberMarks(",", ".", indian=True)
_FOREIGN = "may not be one number: its marks are not known to be those of the page's country"
_SPACES = "[ \u202f]"


def read_digits(digits: str, marks: NumberMarks | None) -> tuple[tuple[Decimal, ...], str]:
    """Every value that the digits may have, and why it is not certain; "" if it is.

    ``marks`` are those of the locale, or None. No value at all have identifiers (007), versions
    (1.2.3) and addresses (10.0.0.1).
    """
    if _is_address(digits):
        return (), ""
    if marks is not None and (value := _value(digits, marks)) is not None:
        return (value,), ""
    candidates = [*_ALL_MARKS, *([_INDIAN] if marks is None else [])]
    values = tuple(dict.fromkeys(_values(digits, candidates)))
    if len(values) > 1:
        either = " or ".join(f"{value:f}" for value in sorted(values, reverse=True))
        return values, f"may be {either}: how the page writes numbers is not known"
    return values, "" if _is_clear(digits) else _FOREIGN


def _values(digits: str, candidates: list[NumberMarks]) -> Iterator[Decimal]:
    for marks in candidates:
        value = _value(digits, marks)
        if value is not None:
            yield value


def _value(digits: str, marks: NumberMarks) -> Decimal | None:
    """The value of the digits if they are written with just these marks."""
    match = _form(marks).fullmatch(digits)
    if match:
        whole = re.sub(r"\D", "", match[1])
        return Decimal(f"{whole}.{match[2]}" if match[2] else whole)
    if marks.decimal == "." and re.fullmatch(r"\.\d+", digits):
        return Decimal(f"0{digits}")
    return None


@lru_cache(maxsize=64)
def _form(marks: NumberMarks) -> re.Pattern[str]:
    group = _SPACES if marks.group == " " else re.escape(marks.group)
    whole = rf"[1-9]\d{{0,2}}(?:{group}\d{{3}})+|0|[1-9]\d*"
    if marks.indian:
        whole = rf"[1-9]\d?(?:{group}\d\d)+{group}\d{{3}}|{whole}"
    return re.compile(rf"({whole})(?:{re.escape(marks.decimal)}(\d+))?")


def _is_clear(digits: str) -> bool:
    """Whether the digits have the same value in every country.

    1,234.50 and 1,234,567 have; 1,5 may be two numbers, 1.234.567 a version and 12 345 a row of
    two; 12,34,567 is Indian or a slip.
    """
    found = re.findall(r"\D", digits)
    kinds = set(found)
    if " " in kinds:
        return False
    if kinds == {"."} or not kinds:
        return len(found) < 2
    if kinds == {","}:
        return len(found) > 1 and re.fullmatch(r"\d{1,3}(,\d{3})+", digits) is not None
    return True


def _is_address(digits: str) -> bool:
    """192.168.100.200 would be a number in Germany too."""
    parts = digits.split(".")
    return len(parts) == 4 and all(part.isdigit() and int(part) < 256 for part in parts)


MAX_DIGITS = 60
# Codes that are no other words: PHP, TRY and TOP are left out.
_CODES = (
    "USD|EUR|GBP|JPY|CNY|CHF|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|INR|BRL|MXN|ZAR|SGD|HKD|KRW|"
    "THB|IDR|MYR|ILS|AED|SAR|UAH|RUB|ISK|TWD|VND"
)
_CURRENCY = rf"(?:(?:US|CA|AU|NZ|HK|A|C|R)?\$|[€£¥₹₽₩₺₴₪฿₫₦]|(?:{_CODES}|kr|zł|Kč)(?![^\W\d]))"
_CODES_OF_SIGNS = {
    "$": {"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN"}, "US$": {"USD"}, "CA$": {"CAD"},
    "C$": {"CAD"}, "A$": {"AUD"}, "AU$": {"AUD"}, "NZ$": {"NZD"}, "HK$": {"HKD"}, "R$": {"BRL"},
    "€": {"EUR"}, "£": {"GBP"}, "¥": {"JPY", "CNY"}, "₹": {"INR"}, "₽": {"RUB"}, "₩": {"KRW"},
    "₴": {"UAH"}, "₪": {"ILS"}, "฿": {"THB"}, "₫": {"VND"}, "zł": {"PLN"}, "Kč": {"CZK"},
    "kr": {"SEK", "NOK", "DKK", "ISK"},
}  # fmt: skip
_WHOLE_CURRENCY = re.compile(rf"(?<![^\W\d_]){_CURRENCY}")
_EXPONENTS = {
    "k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "b": 9, "bn": 9, "billion": 9,
}  # fmt: skip

# What may not stand before a number: it would be a part of a name, a time, an estimate.
_BEFORE = r"(?<![\w.'@&*^~<>≤≥±≈+–-])(?<!\d[:,/])(?<![~<>≤≥±≈] )"
# What may not follow. A short unit may (12kg), but then the number is not the whole text.
_AFTER = r"(?!\w)(?![.,:'/]\d)(?![-–]\d)(?![-–]\w{1,2}(?!\w))(?!\+)"
_AFTER_OR_UNIT = rf"(?:{_AFTER}|(?=[^\W\d_]{{1,4}}(?!\w)))"
_COMPACT = r"\d++(?:[.,'\u202f٬٫]\d++)*+|\.\d++"
_SPACED = r"(?<!\d[ \u202f])\d{1,3}(?:[ \u202f]\d{3})+(?:[.,٫]\d++)?(?![\d ]\d)(?![ \u202f]\d)"


def _number(digits: str) -> re.Pattern[str]:
    return re.compile(
        rf"{_BEFORE}(?P<open>\()?(?P<hash>\#)?(?P<sign>[-+–])?(?P<gap>(?<=\A-)[ \u202f])?"
        rf"(?:(?P<before>{_CURRENCY})[ \u202f]?)?(?P<inner>[-–])?(?P<digits>{digits})"
        r"(?P<scale>[kKmMB](?!\w)|bn(?!\w)|[ ](?:thousand|million|billion|bn|mn)(?!\w))?"
        rf"(?:[ \u202f]?(?P<percent>%))?(?:[ \u202f]?(?P<after>{_CURRENCY}))?"
        r"(?P<minus>-(?![\w-]))?(?P<side>[ ](?:CR|DR|Cr|Dr)\b\.?)?"
        # Tables of accounts have the second parenthesis in a cell of its own.
        rf"(?P<close>(?(open)(?:[ ]\|[ ])?)\))?{_AFTER_OR_UNIT}"
    )


_SCALE = r"(?:(?i:thousand|million|billion)|[kKmMB]|bn|mn)"
# "in thousands", "€m", "EUR million", "kEUR", "$000"; what a bare "m" means is not known.
_SCALE_OF_MANY = re.compile(
    r"(?<!\w)(?P<plural>(?i:thousand|million|billion))s(?!\w)"
    rf"|{_CURRENCY} ?(?P<behind>{_SCALE})(?!\w)"
    rf"|(?<!\w)(?P<before>{_SCALE}) ?(?={_CURRENCY})"
    r"|(?<![\w.,])['’]?(?P<zeros>000)s?(?!\w|[.,]\d)"
)


_WITH_SPACES = _number(f"{_SPACED}|{_COMPACT}")
_WITHOUT_SPACES = _number(_COMPACT)
_PAIR = re.compile(
    rf"{_BEFORE}(?P<first>{_COMPACT})[-–/](?P<second>{_COMPACT})%?{_AFTER}(?![ \u202f]\d{{3}})"
)


SCALES = {"thousands": 3, "millions": 6, "billions": 9}
"""Powers of ten by their names."""


@dataclass(frozen=True, slots=True)
class NumberReading:
    """One value that a part of a text may mean; ``start`` and ``end`` are places in that text."""

    value: Decimal
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    values: tuple[Decimal, ...]
    doubt: str = ""
    """Why the number is not certain, as the end of a sentence; empty if it is."""


def numbers_in(text: str, locale: str | None = None) -> list[NumberReading]:
    """Every possible reading of every number in a running text: 1.250 is 1250 and 1.25 if the
    locale is not known. Parts of names, dates, times, versions and estimates are no numbers."""
    flat, positions = plain(text)
    readings = {}
    for token in _tokens(flat, locale):
        start, end = positions[token.start], positions[token.end - 1] + 1
        for value in token.values:
            readings[start, end, value] = NumberReading(value, text[start:end], start, end)
    return sorted(readings.values(), key=lambda r: (r.start, -r.end, r.value))


_BEHIND_GROUPS = re.compile(r"(?<!\d)\d{1,3}(?:['’\s]\d{3})+([.,])\d{1,2}(?!\d)")
_BELOW_ONE = re.compile(r"^0([.,])\d+$")  # as the whole of a text


def decimal_marks_in(text: str) -> set[str]:
    """The marks, of "." and ",", that certainly stand before decimals: of 14.310,75, 12'500.00 and
    0,75, and of an amount or a percentage such as 12,50 € and 99.5 %. What else has one mark may be
    a version, a time, or two numbers."""
    found = set(_BEHIND_GROUPS.findall(text)) | set(_BELOW_ONE.findall(text))
    for match in _WITHOUT_SPACES.finditer(plain(text)[0]):
        *others, last = re.findall(r"[.,]", match["digits"]) or ("",)
        has_unit = any(match[name] for name in ("before", "after", "percent"))
        is_short = len(match["digits"].rpartition(last)[2]) < 3 if last else False
        if last and last not in others and (others or (has_unit and is_short)):
            found.add(last)
    return found


def currencies_in(text: str) -> set[str]:
    """The codes that the signs and codes of currencies in a text may mean."""
    names = _WHOLE_CURRENCY.findall(text)
    return {code for name in names for code in _CODES_OF_SIGNS.get(name, {name})}


def scale_in(text: str, locale: str | None = None) -> str:
    """In what a caption or a label says that its numbers are given, one of SCALES; empty if it says
    nothing, several things, or a billion in a language that may mean another by it."""
    found = set()
    for match in _SCALE_OF_MANY.finditer(text):
        word = next(filter(None, match.groups())).casefold()
        found.add(3 if word == "000" else _EXPONENTS[word])
    (exponent,) = found if len(found) == 1 else (0,)
    if exponent == 9 and _billion_is_unclear(locale):
        return ""
    return next((name for name, power in SCALES.items() if power == exponent), "")


def read_number(text: str, locale: str | None = None) -> int | Decimal:
    """The number that the whole text is, exactly: 1,234.50, -5, € 12, 20 %, 1.2k, #12.

    Raises Uncertain for everything else: units, ranges, estimates, marks that another country
    reads otherwise, parentheses and CR/DR that may be signs, leading zeros.
    """
    flat = plain(text)[0].strip(" \n\u202f")
    tokens = _tokens(flat, locale) if len(flat) <= 2 * MAX_DIGITS else ()
    whole = [token for token in tokens if token.end - token.start == len(flat)]
    if not whole:
        raise Uncertain(text, "cannot be read as a number")
    token = whole[0]
    if token.doubt:
        raise Uncertain(text, token.doubt)
    (value,) = token.values
    return int(value) if value == value.to_integral_value() else value


def _tokens(flat: str, locale: str | None) -> Iterator[_Token]:
    """The numbers of a text, with every value that each may have."""
    marks = number_marks(locale)
    groups_with_spaces = marks is not None and marks.group == " "
    for pattern in (_WITH_SPACES, _WITHOUT_SPACES):
        if pattern is _WITH_SPACES and marks is not None and not groups_with_spaces:
            continue  # two numbers beside each other
        if pattern is _WITHOUT_SPACES and groups_with_spaces:
            continue
        for match in pattern.finditer(flat):
            if token := _token(match, locale):
                yield token
    for match in _PAIR.finditer(flat):
        for name in ("first", "second"):
            values, doubt = read_digits(match[name], marks)
            if values:
                yield _Token(*match.span(name), values, doubt)


def _token(match: re.Match[str], locale: str | None) -> _Token | None:
    values, doubt = read_digits(match["digits"], number_marks(locale))
    if not values or len(match["digits"]) > MAX_DIGITS:
        return None
    money = bool(match["before"] or match["after"])
    if money and len(values) > 1:
        # Hardly any price has three decimals: "€ 1,250" is meant as 1250. It is still not certain.
        values = (max(values),)
    doubts = [doubt, _doubt_of_currency(match), _doubt_of_hash(match)]
    values, doubt = _scaled(values, match, locale)
    doubts.append(doubt)
    values, doubt = _signed(values, match)
    doubts.append(doubt)
    start, end = match.span()
    if match["open"] and not match["close"]:
        start += 1
    if match["close"] and not match["open"]:
        end -= 1
    return _Token(start, end, values, next(filter(None, doubts), ""))


def _doubt_of_currency(match: re.Match[str]) -> str:
    """Two names of one currency are fine ($12 USD), two currencies are not."""
    before, after = match["before"], match["after"]
    if not before or not after or before == after:
        return ""
    agree = after in _CODES_OF_SIGNS.get(before, ()) or before in _CODES_OF_SIGNS.get(after, ())
    return "" if agree else f"has two currencies, {before} and {after}"


def _doubt_of_hash(match: re.Match[str]) -> str:
    """#12 is the number 12 of something; nothing else stands behind the sign."""
    names = ("open", "sign", "before", "inner", "scale", "percent", "after", "minus", "side")
    alone = match["digits"].isdigit() and not any(match[name] for name in names)
    return "" if alone or not match["hash"] else "has a # before more than a whole number"


def _scaled(
    values: tuple[Decimal, ...], match: re.Match[str], locale: str | None
) -> tuple[tuple[Decimal, ...], str]:
    """With k, M, bn, million. Doubtful are 5m (minutes, metres), 3M (months, a company), 12B
    (bytes), and a billion where it may be the long one (10^12)."""
    scale = (match["scale"] or "").strip()
    if not scale:
        return values, ""
    with localcontext(prec=2 * MAX_DIGITS):
        scaled = tuple(value.scaleb(_EXPONENTS[scale.casefold()]) for value in values)
    money = bool(match["before"] or match["after"])
    if scale in ("billion", "bn", "B") and _billion_is_unclear(locale):
        return scaled, f"has the scale {scale}, which differs from language to language"
    fraction = not match["digits"].isdigit()
    if (scale == "m" and not money) or (scale in ("M", "B") and not (money or fraction)):
        return values + scaled, f"ends in {scale}, which may be a scale or a unit"
    return scaled, ""


def _billion_is_unclear(locale: str | None) -> bool:
    known = find_locale(locale)
    return known is not None and known.language != "en"


def _signed(values: tuple[Decimal, ...], match: re.Match[str]) -> tuple[tuple[Decimal, ...], str]:
    """With the sign. A minus in front is one; the ways of accountants are, if it is an amount."""
    signs = [match[name] for name in ("sign", "inner") if match[name]]
    negative = tuple(value.copy_negate() for value in values)
    if match["side"]:
        return values + negative, f"has the side{match['side']}, whose sign is not certain"
    enclosed = match["open"] and match["close"]
    amount = match["before"] or match["after"] or re.search(r"[.,]\d\d$", match["digits"])
    if len(signs) + bool(match["minus"]) + bool(enclosed) > 1:
        return values + negative, "has more than one sign"
    if match["minus"]:
        return values + negative, "has a minus behind it, which may be a sign or a dash"
    if enclosed:
        if (amount and not match["percent"]) or "|" in match["close"]:
            return negative, ""
        return values + negative, "stands in parentheses, which may be a minus or nothing"
    if match["gap"] and not (amount and match.end() == len(match.string)):
        return values + negative, "stands behind a dash, which may be a minus"
    if "–" in signs:
        return values + negative, "begins with a dash, which may be a minus"
    return (negative, "") if "-" in signs else (values, "")
