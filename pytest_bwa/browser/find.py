"""Find a browser that Playwright can drive."""

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

NO_BROWSER = "no browser was found: run `bwa setup`, which finds or installs one"
ON_PATH = (
    "google-chrome",
    "google-chrome-stable",
    "chromium",
    "chromium-browser",
    "chrome",
    "microsoft-edge",
)
SHELL_ON_PATH = "chromium-headless-shell"
DEBIAN_SHELL = {
    Path("/usr/bin/chromium-headless-shell"): Path("/usr/lib/chromium/chromium-headless-shell")
}
"""What Debian's script starts, without ``exec``: a signal to the script would not reach it."""
MAC_PATHS = (
    "Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "Applications/Chromium.app/Contents/MacOS/Chromium",
    "Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
WINDOWS_PATHS = (
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)
# Playwright's downloads: the name in its list, and where the executable is on every system.
HEADLESS_SHELL = ("chromium-headless-shell", ("*/chrome-headless-shell", "*/headless_shell"))
FULL_CHROMIUM = ("chromium", ("*/chrome", "*/*.app/Contents/MacOS/*"))


@dataclass(frozen=True, slots=True)
class FoundBrowser:
    """A browser on this machine, not yet started."""

    path: Path
    is_default: bool
    """Whether Playwright launches this one without a path: it is Playwright's own download."""
    kind: Literal["playwright", "system", "env"] = "system"
    version: str = ""
    """Only known for Playwright's downloads; for others the browser would have to be started."""

    def describe(self) -> str:
        """Whose browser it is, its version and its path, for a message."""
        source = {
            "playwright": "Playwright's Chromium",
            "system": "the system's browser",
            "env": "the browser that BWA_BROWSER names",
        }[self.kind]
        return " ".join(filter(None, (source, self.version, "at", str(self.path))))


def find_browser(configured: Path | None = None, *, headed: bool = False) -> FoundBrowser:
    """The browser that a run uses; no process is started.

    It is ``configured`` (BWA_BROWSER), else Playwright's Chromium, else Chrome or Chromium on PATH
    or in its usual place, and of these first the Chromium without windows, which needs a third less
    CPU time for a page, unless ``headed``. Raises BrowserMissing, which says what to do.
    """
    if configured is not None:
        if program := shutil.which(str(configured.expanduser())):
            return FoundBrowser(Path(program), is_default=False, kind="env")
        raise BrowserMissing(
            f"BWA_BROWSER names {configured}, which is not a program: correct or unset it"
        )
    for found in _playwright_downloads(headed):
        return found
    for path in (*(() if headed else _installed_shell()), *_installed_browsers()):
        return FoundBrowser(path, is_default=False)
    raise BrowserMissing(NO_BROWSER)


def _playwright_downloads(headed: bool) -> Iterator[FoundBrowser]:
    """Downloads of the Chromium revision that this Playwright needs.

    The revision is read from Playwright's list: asking the driver would start a process, which
    takes 0.4 s in every worker.
    """
    package = driver_package()
    try:
        text = (package / "browsers.json").read_text("utf-8")
        listed = {browser["name"]: browser for browser in json.loads(text)["browsers"]}
    except (OSError, ValueError, KeyError, TypeError):  # a layout that we do not know: search PATH
        return
    # Playwright launches the shell without --headed; only the full Chromium can show a window.
    for name, patterns in (FULL_CHROMIUM,) if headed else (HEADLESS_SHELL, FULL_CHROMIUM):
        entry = listed.get(name, {})
        folder = _downloads(package) / f"{name.replace('-', '_')}-{entry.get('revision')}"
        # Playwright writes this file when the download is complete.
        if not (folder / "INSTALLATION_COMPLETE").is_file():
            continue
        for path in _executables(folder, patterns):
            is_default = headed or name == HEADLESS_SHELL[0]
            version = str(entry.get("browserVersion") or "")
            yield FoundBrowser(path, is_default, "playwright", version)


def driver_package() -> Path:
    """The folder of the files of Playwright's driver."""
    return Path(playwright.__file__).parent / "driver" / "package"


def _executables(folder: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    for pattern in patterns:
        for path in (*folder.glob(pattern), *folder.glob(pattern + ".exe")):
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


def _installed_shell() -> Iterator[Path]:
    if script := shutil.which(SHELL_ON_PATH):
        program = DEBIAN_SHELL.get(Path(script))
        yield program if program and program.is_file() else Path(script)


def _installed_browsers() -> Iterator[Path]:
    for name in ON_PATH:
        path = shutil.which(name)
        if path and not is_snap_stub(Path(path)):
            yield Path(path)
    yield from (path for path in _standard_paths() if path.is_file())


def _standard_paths() -> Iterator[Path]:
    # In a variable, because mypy checks only the branch of its own system for sys.platform.
    system: str = sys.platform
    if system == "darwin":
        yield from (root / path for path in MAC_PATHS for root in (Path("/"), Path.home()))
    if system == "win32":
        names = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        roots = [Path(os.environ[name]) for name in names if os.environ.get(name)]
        yield from (root / path for path in WINDOWS_PATHS for root in roots)


def is_snap_stub(path: Path, snaps: Path = Path("/snap/bin")) -> bool:
    """Whether this is Ubuntu's script that only asks to install a snap, and the snap is missing."""
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError:
        return False
    return head.startswith(b"#!") and b"/snap/bin/" in head and not (snaps / "chromium").exists()
