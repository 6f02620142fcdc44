"""The rows of the rules policy: pages that mislead, and ordinary pages of applications."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.truth.score import Row
from playwright.sync_api import Browser

from pytest_bwa.settings import Settings

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "browser"))

from misleading_cases import CASES, load_cases
from misleading_runs import Verdict, is_same, run_case

ORDINARY = Path(__file__).parent / "ordinary"


def rules_rows(browser: Browser, folder: Path, settings: Settings) -> tuple[list[Row], list[str]]:
    """The rows, and by name the cases that are behind them."""
    misleading = run(CASES, browser, folder / "misleading", settings)
    ordinary = run(ORDINARY, browser, folder / "ordinary", settings)
    return rows(misleading, ordinary), listed(misleading, ordinary)


def run(cases: Path, browser: Browser, folder: Path, settings: Settings) -> list[Verdict]:
    return [run_case(case, browser, folder, settings) for case in load_cases(cases)]


def rows(misleading: list[Verdict], ordinary: list[Verdict]) -> list[Row]:
    wrong = sum(v.kind in ("wrong", "wrote") for v in misleading)
    right = sum(v.kind == "right" for v in misleading)
    values = [read for v in ordinary for read in are_read(v).values()]
    false = sum(v.kind in ("wrong", "wrote") for v in ordinary)
    return [
        Row("rules, misleading pages: done with a wrong value", wrong, len(misleading),
            at_most=0, is_count=True),
        Row("rules, misleading pages: done right", right, len(misleading), at_least=0.6),
        Row("rules, ordinary pages: values read", sum(values), len(values), at_least=0.85),
        Row("rules, ordinary pages: done with a wrong value", false, len(ordinary),
            at_most=0, is_count=True),
        Row("rules, ordinary pages: done right", sum(v.kind == "right" for v in ordinary),
            len(ordinary)),
    ]  # fmt: skip


def are_read(verdict: Verdict) -> dict[str, bool]:
    """Of each value that the page tells, whether it was read, marked or not."""
    told = {name: value for name, value in verdict.case.expected.items() if value is not None}
    extracted = verdict.result.extracted
    return {name: is_same(extracted.get(name), value) for name, value in told.items()}


def listed(misleading: list[Verdict], ordinary: list[Verdict]) -> list[str]:
    lines = ["", "misleading pages on which the rules policy is not right:"]
    lines += [f"  {v.line()}" for v in misleading if v.kind != "right"]
    lines += ["", "ordinary pages whose values it does not read:"]
    for verdict in ordinary:
        if unread := [name for name, is_read in are_read(verdict).items() if not is_read]:
            lines.append(
                f"  unread: {', '.join(unread)}  {verdict.line()}  {verdict.result.reason}"
            )
    return lines
