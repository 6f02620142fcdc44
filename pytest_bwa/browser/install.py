"""Installing a browser where there is none, and saying what was done."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from pytest_bwa.browser.find import FoundBrowser, find_browser
from pytest_bwa.errors import BrowserMissing

DOWNLOAD_SECONDS = 300
PACKAGE_SECONDS = 900
OS_RELEASE = Path("/etc/os-release")

Say = Callable[[str], None]
Runner = Callable[[Sequence[str], float], bool]


def run_command(command: Sequence[str], seconds: float) -> bool:
    """Whether the command succeeded in time; its output goes to the terminal only if it failed."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command,
            timeout=seconds,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"  {error}", file=sys.stderr)
        return False
    if done.returncode != 0:
        print("\n".join(f"  {line}" for line in done.stdout.splitlines()[-3:]), file=sys.stderr)
    return done.returncode == 0


def install_browser(
    say: Say, run: Runner = run_command, wanted: Path | None = None
) -> FoundBrowser:
    """The browser a run will use, installed if need be. BrowserMissing says what to do by hand."""
    try:
        found = find_browser(wanted)
    except BrowserMissing:
        if wanted is not None:
            raise
    else:
        say(f"found {found.describe()}; nothing to install")
        return found
    say("no browser found; trying Playwright's own download of Chromium")
    if run([sys.executable, "-m", "playwright", "install", "chromium"], DOWNLOAD_SECONDS):
        return _installed(say)
    say("Playwright's download did not work here")
    if not _is_debian() or not hasattr(os, "geteuid") or os.geteuid() != 0:
        raise BrowserMissing(
            "install Chrome or Chromium with your system's package manager "
            "(Debian or Ubuntu: sudo apt-get install chromium), then run `bwa doctor`"
        )
    say("installing Debian's chromium package (apt-get install chromium)")
    install = ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]
    if not (run(["apt-get", "update"], PACKAGE_SECONDS) and run(install, PACKAGE_SECONDS)):
        raise BrowserMissing("apt-get could not install chromium: see its message above")
    return _installed(say)


def _installed(say: Say) -> FoundBrowser:
    found = find_browser()
    say(f"installed {found.describe()}")
    return found


def _is_debian() -> bool:
    try:
        lines = OS_RELEASE.read_text("utf-8").splitlines()
    except OSError:
        return False
    told = " ".join(line.split("=", 1)[1] for line in lines if line.startswith(("ID=", "ID_LIKE=")))
    return any(name in told for name in ("debian", "ubuntu"))
