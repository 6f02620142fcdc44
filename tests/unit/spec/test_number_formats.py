from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any

import pytest
from openpyxl.utils.datetime import WINDOWS_EPOCH

from pytest_bwa.spec.table.number_format import Unclear, display_text

ACCOUNTING = r'_("$"* #,##0.00_);_("$"* \(#,##0.00\);_("$"* "-"??_);_(@_)'
DAY = datetime(2024, 1, 31)
TIMED = datetime(2024, 1, 31, 10, 5, 7)


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (42, "00000", "00042"),
        (-7, "000", "-007"),
        (-42, "00000;-00000", "-00042"),
        (42, "00000;@", "00042"),
        (-42, "00000;@", "-00042"),
        (42, "[$-409]00000", "00042"),
        (123456789, "000-00-0000", "123-45-6789"),
        (123, r"00000\-0000", "00000-0123"),
        (101, '"ENG-"000', "ENG-101"),
        (-7, '"ENG-"000', "-ENG-007"),
        (datetime(1900, 4, 10), '"ids;"000', "ids;101"),  # openpyxl takes it for a date
        (1234567, "0000 000", "1234 567"),
        (5551234567, "(000) 000-0000", "(555) 123-4567"),
        (5551234, "[<=9999999]###-####;(###) ###-####", "555-1234"),
        (5, "[Red]0", "5"),
        (5, r"\#0", "#5"),
        (7, "??-??", "- 7"),
        (12, "0,000", "0,012"),
        (1234567, "#,##0", "1,234,567"),
        (1234567, '0.0,,"M"', "1.2M"),
        (12345678, "#,##0,", "12,346"),
        (1234.5, '"$"#,##0.00', "$1,234.50"),
        (1234.5, "#,##0.00 [$€-407]", "1,234.50 €"),
        (-1234.5, ACCOUNTING, "$(1,234.50)"),
        (0, ACCOUNTING, "$-"),
        (0, '0;-0;"none"', "none"),
        (0.05, "0%", "5%"),
        (0.1255, "0.0%", "12.6%"),
        (1.005, "0.00", "1.01"),
        (2.5, "0", "3"),
        (12.5, "0.00", "12.50"),
        (3.7, "0.##", "3.7"),
        (3, "0.##", "3."),
        (12.5, ".00", "12.50"),
        (123456, "0.00E+00", "1.23E+05"),
        (9.996, "0.00E+00", "1.00E+01"),
        (0.00012, "0.0E-0", "1.2E-4"),
        (0.5, "# ?/?", "1/2"),
        (1.25, "# ??/??", "1 1/4"),
        (0.5, "# ?/8", "4/8"),
        (2, "# ?/?", "2"),
        (0.1 + 0.2, "General", "0.3"),
        (123456789012345, "General", "123456789012345"),
        (5, 'General" kg"', "5 kg"),
        (5, "@", "5"),
        ("x", "0", "x"),
        ("x", '00000;-00000;0;"ID-"@', "ID-x"),
        (DAY, "mm-dd-yy", "2024-01-31"),  # what Excel shows of it depends on the computer
        (DAY, "dd.mm.yyyy", "2024-01-31"),
        (DAY, '[$-40A]d" de "mmmm" de "yyyy;@', "2024-01-31"),
        (DAY, 'yyyy"年"m"月"d"日"', "2024-01-31"),
        (DAY, "[$-F800]dddd, mmmm dd, yyyy", "2024-01-31"),
        (TIMED, "yyyy-mm-dd", "2024-01-31"),
        (TIMED, "m/d/yy h:mm", "2024-01-31T10:05"),
        (TIMED, r"yyyy\-mm\-dd\ h:mm:ss", "2024-01-31T10:05:07"),
        (time(22, 5), "h:mm AM/PM", "22:05"),
        (TIMED, "h:mm", "10:05"),
        (DAY, "yyyymmdd", "20240131"),
        (DAY, '"FY"yy', "FY24"),
        (DAY, "mm/yyyy", "01/2024"),
        (timedelta(hours=25, minutes=3), "[h]:mm", "25:03"),
        (timedelta(seconds=86.44), "mm:ss.0", "01:26.4"),
        (45322, "General;yyyy-mm-dd", "45322"),
    ],
)
def test_what_is_shown(value: Any, code: str, text: str) -> None:
    assert display_text(value, code, WINDOWS_EPOCH) == text


@pytest.mark.parametrize(
    ("value", "code", "reason"),
    [
        (5, "[DBNum1]0", "“[DBNum1]” in it is not understood"),
        (5, "[$-2000401]0", "other digits"),
        (5, "0 kg", "“k” in it is not understood"),
        (5, "*-0", "fills the width"),
        (5, ";;;", "hides the value"),
        ("x", ";;;", "hides the value"),
        (0, "#", "hides the value"),
        (-0.4, "0", "rounds a negative number to zero"),
        (-5, "[<=100]0;00", "has conditions, and the number is negative"),
        (0.3333, "# ?/?", "not such a fraction"),
        (5, "0.0.0", "two decimal points"),
        (12345678, "#,##0-00", "groups digits that other characters separate"),
        (12345, "##0.0E+0", "power of ten"),
        (5, "0;0;0;@;0", "more than 4 parts"),
        (DAY, "mmm-yy", "in words"),
        (DAY, "dddd", "in words"),
        (DAY, '"W"d h AM/PM', "time of day"),
        (0.5, "yyyy-mm-dd", "the number is none"),
        (-3, "yyyy-mm-dd", "the number is negative"),
    ],
)
def test_what_is_not_certain_is_refused(value: Any, code: str, reason: str) -> None:
    with pytest.raises(Unclear, match=r".*") as refused:
        display_text(value, code, WINDOWS_EPOCH)
    assert reason in str(refused.value)
