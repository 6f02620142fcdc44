"""Dates of a page: one day or none."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from babel.dates import format_date

from pytest_bwa.spec.coercion import Uncertain, dates_in, read_date

LOCALES = ["en-US", "en-GB", "de", "fr", "fr-CA", "it", "es", "pt-BR", "pl", "cs", "sv", "nb", "nl",
           "ru", "tr", "hu", "ja", "zh-CN", "ko", "hi", "fi", "el", "uk", "ro"]  # fmt: skip


def days(text: str, locale: str | None = None) -> list[str]:
    return [reading.value for reading in dates_in(text, locale)]


@pytest.mark.parametrize("locale", LOCALES)
def test_every_day_is_read_back_as_its_locale_writes_it(locale):
    for number in range(0, 366, 5):
        day = date(2026, 1, 1) + timedelta(days=number)
        for length in ("medium", "long"):
            text = format_date(day, length, locale=locale.replace("-", "_"))
            assert read_date(text, locale) == day.isoformat(), text


@pytest.mark.parametrize("locale", ["en-US", "en-GB", "de", "fr", "es", "it", "nb", "pl"])
def test_every_day_is_read_back_with_its_weekday(locale):
    for number in range(0, 366, 5):
        day = date(2026, 1, 1) + timedelta(days=number)
        text = format_date(day, "full", locale=locale.replace("-", "_"))
        assert read_date(text, locale) == day.isoformat(), text
        wrong = format_date(day + timedelta(days=1), "EEEE", locale=locale.replace("-", "_"))
        weekday = format_date(day, "EEEE", locale=locale.replace("-", "_"))
        with pytest.raises(Uncertain):
            read_date(text.replace(weekday, wrong), locale)


@pytest.mark.parametrize(
    "text",
    [
        "2026-05-03", "2026/05/03", "2026.05.03", "2026-5-3", "2026-05-03T10:00Z",
        "2026-05-03 23:30:00.123+02:00", "3 May 2026", "03 May 2026", "3 May, 2026",
        "3rd of May 2026",
        "May 3, 2026", "May 3rd, 2026", "May 3 2026", "3-May-2026", "03.may.2026", "3. Mai 2026",
        "1er mai 2026",
        "3 de mayo de 2026", "3 мая 2026 г.", "2026年5月3日", "Sunday, 3 May 2026",
        "Sun May 3 2026",
        "3 May 2026 (Sunday)", "3 May 2026, 10:00 AM", "May 3, 2026 at 14:05 UTC",
        "Sun May  3 10:00:00 2026", "Sun May 03 10:00:00 UTC 2026",
        "10:32 AM · May 3, 2026", "3. Mai 2026 um 10:00 Uhr", "May 3, 2026, 3 PM",
        "May 3, 2026, 10:00\u202fAM GMT+2", "٢٠٢٦-٠٥-٠٣", "\u200e2026-05-03",
    ],
)  # fmt: skip
def test_days_that_are_the_same_in_every_country(text):
    expected = "2026-05-01" if text.startswith("1er") else "2026-05-03"
    assert read_date(text, None) == expected
    assert days(f"Made on {text}; see", None) == [expected]


@pytest.mark.parametrize(
    ("text", "by_locale"),
    [
        ("04/05/2026", {None: None, "en": None, "tlh": None, "en-US": "2026-04-05",
                        "en-GB": "2026-05-04", "fr": "2026-05-04", "fr-CA": None, "en-CA": None,
                        "sv": None}),
        ("04.05.2026", {None: None, "de": "2026-05-04", "en-GB": "2026-05-04", "en-US": None}),
        ("4-5-2026", {None: None, "nl": "2026-05-04", "en-US": "2026-04-05"}),
        ("25/12/2026", {None: "2026-12-25", "en-GB": "2026-12-25", "en-US": "2026-12-25"}),
        ("05/05/2026", {None: "2026-05-05", "en": "2026-05-05"}),
        ("3 listopada 2026", {None: None, "pl": "2026-11-03", "hr": "2026-10-03"}),
    ],
)  # fmt: skip
def test_the_locale_decides_the_order(text, by_locale):
    for locale, day in by_locale.items():
        if day is None:
            with pytest.raises(Uncertain):
                read_date(text, locale)
        else:
            assert read_date(text, locale) == day


@pytest.mark.parametrize(
    "text",
    [
        "", "today", "yesterday", "in 3 days", "3 days ago", "soon", "May", "May 2026", "May 3",
        "2026", "Q2 2026", "03/05/26", "3 May 26", "3 May '26", "3/May/26", "20260503", "10:30",
        "31 Feb 2026", "2026-02-30", "13/13/2026", "2026-13-01", "Monday, 3 May 2026",
        "Mon 2026-05-03", "3 May 2026 (Monday)", "3 May 2026 – 5 May 2026", "3–5 May 2026",
        "May 3-5, 2026", "2026-05-03, 2026-05-04", "2026-05-03/2026-05-04", "before 3 May 2026",
        "3 May 2026?", "3 May 2026 or later", "Due 3 May 2026", "~3 May 2026", "3 May 2026, 25:70",
        "1.2.2026.4", "192.168.2.2026", "0001-01-01", "1447/11/16", "3 พฤษภาคม 2569",
        "3 May\n2026", "3 May 2026…", "3 Foo 2026", "{{date}}", "Invalid Date",
    ],
)  # fmt: skip
@pytest.mark.parametrize("locale", [None, "en-GB", "de"])
def test_what_is_not_one_day_and_nothing_else_is_refused(text, locale):
    with pytest.raises(Uncertain):
        read_date(text, locale)


@pytest.mark.parametrize(
    ("text", "machine_time", "day"),
    [
        ("3 days ago", "2026-05-03T10:00Z", "2026-05-03"),
        ("yesterday at 10:32", "2026-05-03T10:32Z", "2026-05-03"),
        ("10:32 AM", "2026-05-03 10:32", "2026-05-03"),
        ("May 3", "2026-05-03", "2026-05-03"), ("3. Mai", "2026-05-03", "2026-05-03"),
        ("May 3 at 10:32", "2026-05-03T10:32Z", "2026-05-03"),
        ("Sun, May 3", "2026-05-03", "2026-05-03"), ("03/05", "2026-05-03", "2026-05-03"),
        ("04/05/2026", "2026-05-04", "2026-05-04"), ("04/05/2026", "2026-04-05", "2026-04-05"),
        # The page writes its reader's zone, the attribute another: the written day is the one.
        ("3 May 2026", "2026-05-02T23:30:00Z", "2026-05-03"),
        ("2 May 2026", "2026-05-03T01:00:00+00:00", "2026-05-02"),
        ("May 3", "2026-05-02T23:30:00Z", "2026-05-03"),
        ("Dec 31", "2027-01-01T01:30:00Z", "2026-12-31"),
        # Not a day: the text stands alone.
        ("3 May 2026", "PT5M", "2026-05-03"), ("3 May 2026", "10:00", "2026-05-03"),
        ("3 May 2026", "2026-13-45", "2026-05-03"),
    ],
)  # fmt: skip
def test_the_time_for_machines_completes_and_decides(text, machine_time, day):
    assert read_date(text, None, machine_time) == day


@pytest.mark.parametrize(
    ("text", "machine_time"),
    [
        ("3 May 2026", "2026-05-01"), ("3 May 2026", "2026-05-02"), ("3 May 2026", "2025-05-03"),
        ("3 May 2026", "2026-05-05T10:00Z"), ("04/05/2026", "2026-06-04"), ("May 3", "2026-05-04"),
        ("Mon, May 3", "2026-05-03"), ("31 Feb 2026", "2026-03-03"), ("Never", "2026-05-03"),
        ("—", "2026-05-03"), ("3 days", "2026-05-03"), ("by Jane, 3 days ago", "2026-05-03"),
        ("3 days ago", "PT5M"), ("yesterday", "0001-01-01T00:00:00Z"), ("3 days ago", "2026"),
    ],
)  # fmt: skip
def test_a_time_for_machines_that_contradicts_or_does_not_belong_is_refused(text, machine_time):
    with pytest.raises(Uncertain):
        read_date(text, None, machine_time)


def test_a_text_that_counts_from_today_is_known_in_the_language_of_the_page():
    for text, locale in (("vor 3 Tagen", "de-AT"), ("il y a 3 jours", "fr"), ("3 日前", "ja")):
        assert read_date(text, locale, "2026-05-03T10:00Z") == "2026-05-03"
        with pytest.raises(Uncertain):
            read_date(text, "sw", "2026-05-03T10:00Z")


def test_the_reason_names_the_text_and_what_it_may_be():
    with pytest.raises(Uncertain, match=r'^"04/05/2026" may be 2026-04-05 or 2026-05-04: '):
        read_date("04/05/2026", None)
    with pytest.raises(Uncertain, match=r'^"3 May 2026" does not agree with .* 2026-05-01$'):
        read_date("3 May 2026", None, "2026-05-01")
    with pytest.raises(Uncertain, match=r'^"31 Feb 2026" is not a day of our calendar'):
        read_date("31 Feb 2026", None, "2026-03-03")


@pytest.mark.parametrize(
    ("text", "locale", "readings"),
    [
        ("04/05/2026", None, ["2026-04-05", "2026-05-04"]), ("04/05/2026", "de", ["2026-05-04"]),
        ("From 3 May 2026 to May 5, 2026.", None, ["2026-05-03", "2026-05-05"]),
        ("On 3 May 2026 or so", None, ["2026-05-03"]),
        ("On Monday, 3 May 2026", None, []), ("(2026-05-03)", None, ["2026-05-03"]),
        ("build 2026-05-03-2", None, []), ("10.0.5.2026", None, []), ("1/2/3/2026", None, []),
    ],
)  # fmt: skip
def test_every_possible_reading_of_running_text(text, locale, readings):
    assert days(text, locale) == readings


def test_a_reading_says_where_it_stands():
    text = "\u200fDue: 3\u00a0May 2026, 10:00\u202fAM (late)"
    (reading,) = dates_in(text)
    assert reading.text == "3\u00a0May 2026, 10:00\u202fAM" == text[reading.start : reading.end]


# -- years of two digits ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "locale", "readings"),
    [
        ("04/03/68", "en-GB", ["1968-03-04", "2068-03-04"]),
        ("04/03/68", "en-US", ["1968-04-03", "2068-04-03"]),
        ("04.03.68", "de", ["1968-03-04", "2068-03-04"]),
        ("4. 3. 68", "cs", ["1968-03-04", "2068-03-04"]),
        ("04/03/68", None, ["1968-03-04", "1968-04-03", "2068-03-04", "2068-04-03"]),
        ("04/03/68 14:30", "en-GB", ["1968-03-04", "2068-03-04"]),
        ("14:30, 04/03/68", "en-GB", ["1968-03-04", "2068-03-04"]),
        ("17/Oct/52", None, ["1952-10-17", "2052-10-17"]),
        ("3-MAY-26", None, ["1926-05-03", "2026-05-03"]),
        ("3 May '68", None, ["1968-05-03", "2068-05-03"]),
        ("3 May ’68", None, ["1968-05-03", "2068-05-03"]),
        ("May 3, 68", None, ["1968-05-03", "2068-05-03"]),
        ("3. Mai 68", "de", ["1968-05-03", "2068-05-03"]),
        # As in ISO 8601, without the century.
        ("68-03-04", "en-GB", ["1968-03-04", "2068-03-04"]),
        ("68/03/04", "en-GB", ["1968-03-04", "2068-03-04"]),
        ("26-05-13", "sv", ["1913-05-26", "1926-05-13", "2013-05-26", "2026-05-13"]),
        ("26-05-03", "en-GB", ["1903-05-26", "1926-05-03", "2003-05-26", "2026-05-03"]),
        ("04/05/06", "en",
         ["1906-04-05", "1906-05-04", "2006-04-05", "2006-05-04"]),
        ("26.05.13", "hu", ["1913-05-26", "1926-05-13", "2013-05-26", "2026-05-13"]),
        # Years of other calendars.
        ("04/03/68", "th", ["1968-03-04", "2025-03-04", "2068-03-04"]),
        ("99/05/03", "zh-TW", ["1999-05-03", "2010-05-03", "2099-05-03"]),
        ("43年3月4日", "ja",
         ["1943-03-04", "1968-03-04", "2031-03-04", "2043-03-04", "2061-03-04"]),
    ],
)  # fmt: skip
def test_a_year_of_two_digits_is_one_of_several(text, locale, readings):
    assert days(f"Born {text}; see", locale) == readings
    with pytest.raises(Uncertain) as refusal:
        read_date(text, locale)
    assert list(refusal.value.readings) == readings
    assert all(day in str(refusal.value) for day in readings)


@pytest.mark.parametrize("text", ["Mon 04/03/68", "04/03/68 (Monday)", "昭和43年3月4日"])
def test_a_weekday_or_an_era_tells_the_year(text):
    assert read_date(text, "en-GB") == "1968-03-04"


def test_a_field_that_may_have_one_of_the_days_has_that_one():
    def at_most(last):
        return lambda day: day <= last

    assert read_date("04/03/68", "en-GB", allows=at_most("2010-12-31")) == "1968-03-04"
    assert read_date("04/05/2026", None, allows=at_most("2026-04-30")) == "2026-04-05"
    assert read_date("4 May 2026", None, allows=at_most("2010-12-31")) == "2026-05-04", "is certain"
    assert read_date("04/03/68", None, "1968-03-04") == "1968-03-04"
    with pytest.raises(Uncertain, match="allows none of them") as refusal:
        read_date("04/03/68", "en-GB", allows=at_most("1960-12-31"))
    assert not refusal.value.readings
    with pytest.raises(Uncertain, match="perhaps of another calendar"):
        read_date("04/03/03", "fa", allows=at_most("1910-12-31"))


def test_what_is_no_date_with_a_short_year_is_none():
    assert days("31/Feb/26, a/Oct/25, 1/2/3/Oct/25, 17/ox/25") == []
    assert days("3 May 12 PM, May 3, 10:30, May 3 at 10:30, 3 May 10h30, 10.25.1.20") == []
