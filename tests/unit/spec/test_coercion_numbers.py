"""Numbers of a page: one reading or none."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest
from babel.numbers import format_currency, format_decimal

from pytest_bwa.spec.coercion import Uncertain, numbers_in, read_number

NARROW = "\u202f"
LOCALES = ["en", "en-US", "en-GB", "de", "de-CH", "fr", "fr-CA", "it", "pt-BR", "pl", "sv", "ja",
           "hi", "en-IN", "es-MX", "es-ES", "nb", "ru", "tr", "ar-EG"]  # fmt: skip


def values(text: str, locale: str | None = None) -> list[Decimal]:
    return [reading.value for reading in numbers_in(text, locale)]


def as_written(number: Decimal, locale: str) -> str:
    """The number as its locale writes it. The Swiss write it as the Germans do, with other marks:
    Babel 2.19 takes two apostrophes for quotation marks and drops them (1620'000)."""
    swiss = locale == "de-CH"
    by_babel = "de" if swiss else locale.replace("-", "_")
    text = format_decimal(number, locale=by_babel, decimal_quantization=False)
    return text.translate(str.maketrans({".": "’", ",": "."})) if swiss else text


@pytest.mark.parametrize("locale", LOCALES)
def test_every_number_is_read_back_as_its_locale_writes_it(locale):
    dice = random.Random(8)
    for digits in range(1, 24):
        for places in (0, 1, 2, 3, 5):
            number = Decimal(dice.randrange(10**digits)).scaleb(-places)
            for signed in (number, -number):
                text = as_written(signed, locale)
                assert read_number(text, locale) == signed, text
                assert values(f"a {text} b", locale) == [signed]


@pytest.mark.parametrize("locale", LOCALES)
def test_prices_are_read_back_as_their_locale_writes_them(locale):
    for cents in (5, 99, 123456, 100000000):
        price = Decimal(cents).scaleb(-2)
        text = format_currency(price, "EUR", locale=locale.replace("-", "_"))
        assert read_number(text, locale) == price, text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0), ("5", 5), ("1234567", 1234567),
        ("1,234,567", 1234567), ("1,234.50", "1234.5"), ("1.250,00", 1250),
        ("1.234.567,89", "1234567.89"), ("1'234", 1234), ("1’234’567.5", "1234567.5"),
        (f"1{NARROW}234,5", "1234.5"), ("1\u2009234", 1234), ("١٬٢٣٤٫٥", "1234.5"),
        ("12.5", "12.5"), ("0.75", "0.75"), ("0.750", "0.75"), (".5", "0.5"),
        ("1.2345", "1.2345"), ("1234.567", "1234.567"),
        ("-5", -5), ("−5", -5), ("+5", 5), ("-$5.20", "-5.2"), ("$-5", -5), ("-5 €", -5),
        ("($5)", -5), ("(1,234.50)", "-1234.5"), ("(1.234,50 €)", "-1234.5"),
        ("- 2,640.00", -2640), ("− € 5", -5),
        ("12 %", 12), ("12.5%", "12.5"), ("#12", 12),
        ("€5", 5), ("5 €", 5), ("EUR 12.50", "12.5"), ("12.50\u00a0EUR", "12.5"), ("US$ 5", 5),
        ("$5 USD", 5), ("kr 5", 5),
        ("1.2k", 1200), ("231K", 231000), ("1.2M", 1200000), ("$3M", 3000000), ("£5m", 5000000),
        ("5 million", 5000000), ("3 bn", 3000000000), ("1.5B", 1500000000),
        ("٣", 3), ("２３", 23), ("१२", 12), ("\u200e5\u200f", 5), ("\u20685\u2069", 5),
    ],
)  # fmt: skip
def test_numbers_that_are_the_same_in_every_country(text, number):
    assert read_number(text, None) == Decimal(number)


@pytest.mark.parametrize(
    "text",
    [
        "1,234", "1.234", "€ 1,250", "1,5", "1,50", "1 234", "1\u00a0234", "1 234,50",
        "12,34,567", "1.234.567", "0,750",
    ],
)  # fmt: skip
def test_marks_that_another_country_reads_otherwise_are_refused_without_a_locale(text):
    with pytest.raises(Uncertain):
        read_number(text, None)


@pytest.mark.parametrize(
    ("text", "by_locale"),
    [
        ("1,234", {"en": 1234, "de": "1.234", "fr": "1.234", "de-CH": None, "en-IN": 1234}),
        ("1.234", {"en": "1.234", "de": 1234, "fr": None, "de-CH": "1.234", "tlh": None}),
        ("1,5", {"en": None, "de": "1.5", "fr-CA": "1.5", "de-CH": None}),
        ("12.5", {"en": "12.5", "de": "12.5", "fr": "12.5"}),
        ("1 234", {"en": None, "de": None, "fr": 1234, "sv": 1234}),
        ("1.234.567", {"en": None, "de": 1234567}),
        ("12,34,567", {"en-IN": 1234567, "hi": 1234567, "en-US": None, "de": None}),
        ("3 billion", {"en-GB": 3000000000, "de": None, "fr": None}),
        # Spain and Mexico, Egypt and Morocco write the opposite.
        ("1.234,5 ", {"es": "1234.5"}),
        ("1.234", {"es": None, "es-ES": 1234, "es-MX": "1.234", "ar": None, "ar-MA": 1234}),
    ],
)  # fmt: skip
def test_the_locale_decides(text, by_locale):
    for locale, number in by_locale.items():
        if number is None:
            with pytest.raises(Uncertain):
                read_number(text, locale)
        else:
            assert read_number(text, locale) == Decimal(number)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "many", "5 days", "3 of 5", "12 kg", "12kg", "500+", "~20", "~ 20", "<5", "≥ 5",
        "10-20", "10 – 20", "3 (2 open)", "1/2", "7 / 10", "½", "3½", "5×",
        "5m", "3M", "12B", "5G", "1.2 Mio", "3 dozen",
        "- 5", "(5)", "(1,234)", "(12%)", "(12.50 %)", "(-5.00)", "5-", "1.234,50-", "5 CR",
        "5.00 DR", "–5", "--5", "±5", "-(5.00)",
        "1e3", "1.2E+5", "12²", "1¹", "007", "00.5", "1.2.3", "10.0.0.1", "192.168.100.200",
        "12:30", "2026-05-03", "3 May 2026", "LED-77", "v2", "#1.5", "#-5", "A4", "2nd", "5.",
        "€5 USD", "US$ 5 CAD", "PHP 8", "TOP 10", "5 5", "5\n6", "1\t234", "5,", "1,2,3",
        "12…", "1***", "{{count}}", "NaN", "\u202e123",
    ],
)  # fmt: skip
@pytest.mark.parametrize("locale", [None, "en-US", "de", "fr"])
def test_what_is_not_one_number_and_nothing_else_is_refused(text, locale):
    with pytest.raises(Uncertain):
        read_number(text, locale)


def test_large_and_small_numbers_stay_exact():
    assert read_number("9007199254740993", None) == 9007199254740993
    assert read_number("9,007,199,254,740,993.10", None) == Decimal("9007199254740993.10")
    digits = "12345678901234567890123456789012345.67"
    assert read_number(f"-{digits}", None) == Decimal(f"-{digits}")
    assert read_number("123456789.123456789012345678901234567890k", None) == Decimal(
        "123456789123.456789012345678901234567890"
    )


def test_the_reason_names_the_text_and_what_it_may_be():
    with pytest.raises(Uncertain) as refusal:
        read_number("1,234", None)
    assert str(refusal.value).startswith('"1,234" may be 1234 or 1.234: ')


@pytest.mark.parametrize(
    ("text", "locale", "readings"),
    [
        ("1.250", None, ["1.25", 1250]), ("1.250", "de", [1250]), ("1.250", "en-US", ["1.25"]),
        ("about 1.2k people", None, [1200]), ("(1,234.50)", None, ["-1234.5"]),
        ("Net | (4,213 | ) | 5", "en", [-4213, 5]), ("(12 | 13)", "en", [12, 13]),
        ("€ 1,250", None, [1250]), ("1.250,00 €", "de", [1250]), ("12 %", None, [12]),
        ("of 12, 5 are open.", None, [12, 5]), ("Total:12", None, [12]), ("(3 open)", None, [3]),
        ("5 days, 12kg", None, [5, 12]), ("3/5 and 10–20", None, [3, 5, 10, 20]),
        ("Reviews (5)", None, [-5, 5]), ("5m ago", None, [5, 5000000]), ("#12", None, [12]),
        ("5.00 CR", None, [-5, 5]), ("12 345 people", None, [12345, 12, 345]),
        ("12 345 people", "fr", [12345]), ("12 345 people", "en", [12, 345]),
        ("12\n345", "fr", [12, 345]), ("12\u2028345", "fr", [12, 345]),
        ("12,34,567", None, [1234567]),
        ("3 May 2026", None, [3, 2026]),
    ],
)  # fmt: skip
def test_every_possible_reading_of_running_text(text, locale, readings):
    assert values(text, locale) == [Decimal(reading) for reading in readings]


@pytest.mark.parametrize(
    "text",
    ["LED-77", "v2", "1.2.3", "10.0.0.1", "12:30", "2026-05-03", "03/05/2026", "~20", "~ 20",
     "500+", "<5", "sha 1a2b3c", "1e3", "user@5", "007"],
)  # fmt: skip
def test_names_times_and_estimates_hold_no_number(text):
    assert values(f"x {text} y") == []


def test_a_reading_says_where_it_stands():
    text = "\u200fpaid: € 1,250.50\u200f today"
    (reading,) = numbers_in(text)
    assert reading.text == "€ 1,250.50" == text[reading.start : reading.end]
    assert [reading.text for reading in numbers_in("(3 open, of 5)")] == ["3", "5"]
