"""Measures the whole table: ``python tests/bench --truth``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from unittest.mock import patch

from audit_folder import AuditFolder
from bench.truth.corpus import Play
from bench.truth.ordinary_pages import rules_rows
from bench.truth.plays import PLAYS
from bench.truth.runner import Played, play_all
from bench.truth.score import Row, report
from local_site import Site
from lying_records import run_lying_records, wrong_values
from playwright.sync_api import Browser, sync_playwright

from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.settings import Settings, read_settings


def print_truth(folder: Path, only: str = "", part: int = 1) -> None:
    """``only`` is a part of the names of the plays to measure; ``rules`` stands for the rows of the
    rules policy."""
    with browser_and_settings(folder) as (browser, settings):
        own = [play for play in PLAYS if only in play.name]
        played = measure(own, browser, folder / "plays", settings, part)
        if not only or only == "rules":
            more, listed = rules_rows(browser, folder / "rules", settings)
            more.append(_known_rows(folder / "known"))
            print(report(played, more) if played else "\n".join(row.line() for row in more))
            print("\n".join(listed))
        else:
            print(report(played))


def _known_rows(folder: Path) -> Row:
    """What is read wrongly by what known rows teach on pages that lie."""
    folder.mkdir(parents=True)
    with closing(Site()) as site:
        results = run_lying_records(AuditFolder(folder, site))
    wrong, read = len(wrong_values(results)), sum(len(result["extracted"]) for result in results)
    name = "rules taught by known rows, lying pages: wrong values"
    return Row(name, wrong, read, at_most=0, is_count=True)


def measure(
    plays: Sequence[Play], browser: Browser, folder: Path, settings: Settings, part: int = 1
) -> list[Played]:
    """Every answer of the plays, or a part of them."""
    played: list[Played] = []
    for number, play in enumerate(plays, start=1):
        played += play_all(play, browser, folder / play.name, settings, part)
        print(f"{number} of {len(plays)} plays: {play.name}", file=sys.stderr, flush=True)
    return played


@contextmanager
def browser_and_settings(folder: Path) -> Iterator[tuple[Browser, Settings]]:
    """The browser of an audit. Nothing is forced to the disk, and no domain is spared."""
    environment = {"BWA_HOME": str(folder / "home"), "BWA_RATE_LIMITS": '{"default": 0}'}
    with (
        patch.dict(os.environ, environment),
        patch.object(os, "fsync", lambda file: None),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(**launch_arguments(find_browser()))
        yield browser, read_settings()
        browser.close()
