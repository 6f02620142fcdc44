"""Finding a browser that Playwright can drive."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

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
MAC_PLACES = (
    "Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "Applications/Chromium.app/Contents/MacOS/Chromium",
    "Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
WINDOWS_PLACES = (
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)
# Playwright's downloads: the folder's name and where the executable is in it, on any system.
HEADLESS_SHELL = ("chromium-headless-shell", ("*/chrome-headless-shell", "*/headless_shell"))
FULL_CHROMIUM = ("chromium", ("*/chrome", "*/*.app/Contents/MacOS/*"))


@dataclass(frozen=True, slots=True)
class FoundBrowser:
    """``own`` marks the download that Playwright launches without being told its path."""

    path: Path
    own: bool
    kind: Literal["playwright", "system", "env"] = "system"
    version: str = ""
    """Known without starting the browser for Playwright's downloads only."""

    def describe(self) -> str:
        """For a line such as ``browser: …``."""
        whose = {
            "playwright": "Playwright's Chromium",
            "system": "the system's browser",
            "env": "the browser that BWA_BROWSER names",
        }[self.kind]
        return " ".join(filter(None, (whose, self.version, "at", str(self.path))))


def find_browser(wanted: Path | None = None, *, headed: bool = False) -> FoundBrowser:
    """``wanted`` (BWA_BROWSER), else Playwright's Chromium, else Chrome or Chromium on PATH or in
    its usual place. Starts no process. Raises BrowserMissing with the remedy."""
    if wanted is not None:
        if program := shutil.which(str(wanted.expanduser())):
            return FoundBrowser(Path(program), own=False, kind="env")
        raise BrowserMissing(
            f"BWA_BROWSER names {wanted}, which is no program that can be run: correct or unset it"
        )
    for found in _playwrights_own(headed):
        return found
    for path in _systems_own():
        return FoundBrowser(path, own=False)
    raise BrowserMissing(REMEDY)


def _playwrights_own(headed: bool) -> Iterator[FoundBrowser]:
    """The Chromium of exactly this Playwright's revision, read from its own list: asking the
    driver would start a process, which costs 0.4 s in every worker."""
    package = driver_package()
    try:
        text = (package / "browsers.json").read_text("utf-8")
        listed = {browser["name"]: browser for browser in json.loads(text)["browsers"]}
    except (OSError, ValueError, KeyError, TypeError):  # another layout than we know: PATH serves
        return
    # Without --headed Playwright launches the shell, with it only the whole Chromium can serve.
    for name, places in (FULL_CHROMIUM,) if headed else (HEADLESS_SHELL, FULL_CHROMIUM):
        entry = listed.get(name, {})
        folder = _downloads(package) / f"{name.replace('-', '_')}-{entry.get('revision')}"
        # Playwright writes this marker as the last thing of a download.
        if not (folder / "INSTALLATION_COMPLETE").is_file():
            continue
        for path in _executables(folder, places):
            own = headed or name == HEADLESS_SHELL[0]
            yield FoundBrowser(path, own, "playwright", str(entry.get("browserVersion") or ""))


def driver_package() -> Path:
    """Where Playwright keeps what its driver is made of."""
    return Path(playwright.__file__).parent / "driver" / "package"


def _executables(folder: Path, places: tuple[str, ...]) -> Iterator[Path]:
    for place in places:
        for path in (*folder.glob(place), *folder.glob(place + ".exe")):
            if path.is_file() and os.access(path, os.X_OK):
                yield path


def _downloads(package: Path) -> Path:
    configured = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if configured == "0":
        return package / ".local-browsers"
    if configured:
        return Path(os.environ.get("INIT_CWD") or Path.cwd()) / configured
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/ms-playwright"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local"
        return Path(local) / "ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ms-playwright"


def _systems_own() -> Iterator[Path]:
    for name in ON_PATH:
        path = shutil.which(name)
        if path and not is_snap_pointer(Path(path)):
            yield Path(path)
    yield from (place for place in _standard_places() if place.is_file())


def _standard_places() -> Iterator[Path]:
    system: str = sys.platform  # a variable, or mypy checks the branch of its own machine only
    if system == "darwin":
        yield from (root / place for place in MAC_PLACES for root in (Path("/"), Path.home()))
    if system == "win32":
        names = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        roots = [Path(os.environ[name]) for name in names if os.environ.get(name)]
        yield from (root / place for place in WINDOWS_PLACES for root in roots)


def is_snap_pointer(path: Path, snaps: Path = Path("/snap/bin")) -> bool:
    """Whether this is Ubuntu's script that only tells to install a snap which is not there."""
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError:
        return False
    return head.startswith(b"#!") and b"/snap/bin/" in head and not (snaps / "chromium").exists()
