"""Finding a browser that Playwright can drive."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import playwright

from pytest_bwa.errors import BrowserMissing

REMEDY = "no browser was found: run `bwa setup`, which finds or installs one"
ON_PATH = (
    "google-chrome",
    "google-chrome-stable",
    "chromium",
    "chromium-browser",
    "chrome",
    "microsoft-edge",
)
ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
# On a closed network each refused connection of the browser's own costs time; a run needs none.
QUIET_ARGUMENTS = ("--disable-quic", "--no-pings", "--disable-domain-reliability")


@dataclass(frozen=True, slots=True)
class FoundBrowser:
    """``own`` marks Playwright's own download, which Playwright finds by itself."""

    path: Path
    own: bool

    def describe(self) -> str:
        return f"{'Playwright’s Chromium' if self.own else 'the system’s browser'} at {self.path}"


def find_browser(wanted: Path | None = None) -> FoundBrowser:
    """``wanted`` (BWA_BROWSER), else Playwright's Chromium, else Chrome or Chromium on PATH or in
    its usual place. Raises BrowserMissing with the remedy."""
    if wanted is not None:
        if os.access(wanted, os.X_OK) and wanted.is_file():
            return FoundBrowser(wanted, own=False)
        raise BrowserMissing(
            f"BWA_BROWSER names {wanted}, which cannot be run: correct or unset it"
        )
    for path in _playwrights_own():
        return FoundBrowser(path, own=True)
    for name in ON_PATH:
        if found := shutil.which(name):
            return FoundBrowser(Path(found), own=False)
    for place in ELSEWHERE:
        if Path(place).is_file():
            return FoundBrowser(Path(place), own=False)
    raise BrowserMissing(REMEDY)


def launch_arguments(found: FoundBrowser) -> dict[str, Any]:
    """For Playwright's launch. The sandbox is on unless we are root, where it cannot work."""
    arguments: dict[str, Any] = {"args": list(QUIET_ARGUMENTS), "chromium_sandbox": sandboxed()}
    if not found.own:
        arguments["executable_path"] = str(found.path)
    return arguments


def sandboxed() -> bool:
    return not (hasattr(os, "geteuid") and os.geteuid() == 0)


def _playwrights_own() -> Iterator[Path]:
    """The Chromium of exactly this Playwright's revision, read from its own list: asking the
    driver would start a process, which costs 0.4 s in every worker."""
    package = Path(playwright.__file__).parent / "driver" / "package"
    root = _downloads(package)
    try:
        listed = json.loads((package / "browsers.json").read_text("utf-8"))["browsers"]
    except (OSError, ValueError, KeyError):  # another layout than we know: PATH will serve
        return
    for name, folder in (("chromium-headless-shell", "chromium_headless_shell"), ("chromium",) * 2):
        revision = next((b["revision"] for b in listed if b["name"] == name), None)
        place = root / f"{folder}-{revision}"
        # Playwright writes this marker as the last thing of a download.
        if (place / "INSTALLATION_COMPLETE").is_file():
            yield from (p for p in place.glob("*/*") if _is_browser(p))


def _is_browser(path: Path) -> bool:
    names = {"chrome", "headless_shell", "chrome-headless-shell", "chrome.exe"}
    return path.name in names and path.is_file() and os.access(path, os.X_OK)


def _downloads(package: Path) -> Path:
    configured = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if configured == "0":
        return package / ".local-browsers"
    if configured:
        return Path(configured)
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/ms-playwright"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ms-playwright"
