"""What it takes to keep pages open: memory and idle CPU time of one browser with N contexts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

import psutil
from bench.page import BenchSite
from playwright.sync_api import sync_playwright

from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.settings import read_settings

IDLE_SECONDS = 20.0


def print_open_pages(counts: Sequence[int]) -> None:
    """The page has 340 elements and no timers, and is in a context of its own each time."""
    site = BenchSite()
    print(f"{'open pages':>10}{'MB':>8}{'MB a page':>11}{'CPU s a page and hour':>23}")
    with sync_playwright() as playwright:
        found = find_browser(read_settings().browser)
        browser = playwright.chromium.launch(**launch_arguments(found))
        pages, empty = 0, _megabytes()
        for count in sorted(counts):
            for _ in range(count - pages):
                page = browser.new_context().new_page()
                page.goto(site.url)
                page.wait_for_selector("text=Value 83")
            pages = count
            time.sleep(2)
            before = _cpu_seconds()
            time.sleep(IDLE_SECONDS)
            idle = (_cpu_seconds() - before) / count / IDLE_SECONDS * 3600
            megabytes = _megabytes()
            each = (megabytes - empty) / count
            print(f"{count:>10}{megabytes:>8.0f}{each:>11.1f}{idle:>23.1f}", flush=True)
        browser.close()
    site.close()


def _browser_processes() -> list[psutil.Process]:
    children = psutil.Process().children(recursive=True)
    return [p for p in children if "chrom" in p.name() or "headless" in p.name()]


def _megabytes() -> float:
    """What the browser's processes have for themselves, and their part of what they share."""
    total = 0
    for process in _browser_processes():
        with suppress(psutil.Error):
            total += process.memory_full_info().pss
    return total / 1e6


def _cpu_seconds() -> float:
    times = [process.cpu_times() for process in _browser_processes()]
    return sum(used.user + used.system for used in times)
