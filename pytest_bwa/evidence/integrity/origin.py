"""Who started a run, where, with which command and which packages (packages.txt); asked of this
machine, never of the network."""

from __future__ import annotations

import getpass
import os
import platform
import re
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, distributions, version
from pathlib import Path

from pytest_bwa.evidence.files import sha256
from pytest_bwa.evidence.run_record import Origin
from pytest_bwa.spec.redaction import MASK

PACKAGES = "packages.txt"
USED = ("pytest-bwa", "pytest", "playwright", "pytest-playwright", "pytest-xdist", "anthropic")
"""What decides how a run goes, beside the browser."""
GIT_SECONDS = 5
_SECRET_NAME = re.compile(r"key|token|secret|passw|credential|auth", re.I)
_USERINFO = re.compile(r"(?<=://)[^/?#@\s]+@")
_QUERY = re.compile(r"(?<=://)([^?#\s]*)[?#]\S+")
MIN_SECRET = 6
"""A shorter value of a variable is no secret that could be told from any other text."""
SYSTEM = "system"
"""The version that may differ between machines: they need not have the same kernel."""


def used_versions() -> dict[str, str]:
    """What run.json says of this machine: Python, the system and the packages of a run."""
    found = {"python": platform.python_version(), SYSTEM: f"{os.name} {platform.release()}"}
    for package in USED:
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a source tree that is not installed
            found[package] = "not installed"
    return found


def other_versions(
    mine: Mapping[str, str], theirs: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """What differs, with both versions: only runs of the same can be merged."""
    for name in dict(mine) | dict(theirs):
        if name != SYSTEM and mine.get(name) != theirs.get(name):
            yield name, mine.get(name, "none"), theirs.get(name, "none")


@cache
def installed_packages() -> bytes:
    """One line ``name==version`` for each package, sorted: what pip can install again."""
    found = {(d.metadata["Name"] or "", d.version) for d in distributions()}
    lines = sorted(f"{name}=={version}\n" for name, version in found if name)
    return "".join(lines).encode()


def origin(command_line: Sequence[str], spec: Path) -> Origin:
    """What run.json says of the start of a session; ``spec`` is the file of the task."""
    now = datetime.now().astimezone()
    return Origin(
        command_line=masked(command_line),
        user=login_name(),
        host=socket.gethostname() or None,
        time_zone=f"{now.tzname()} (UTC{now:%z})",
        platform=platform.platform(),
        packages_sha256=sha256(installed_packages()),
        spec_commit=_commit_of(spec),
    )


def masked(command_line: Sequence[str]) -> list[str]:
    """The words of a command line without what may be secret: values of options and variables with
    the name of a secret, and in addresses the user and everything after the path."""
    values = sorted(
        {v for name, v in os.environ.items() if _SECRET_NAME.search(name) and len(v) >= MIN_SECRET},
        key=len,
        reverse=True,
    )
    words: list[str] = []
    is_secret = False
    for word in command_line:
        name, equals, _ = word.partition("=")
        is_option = word.startswith("-")
        if is_secret and not is_option:
            word = MASK
        elif is_option and equals and _SECRET_NAME.search(name):
            word = f"{name}={MASK}"
        is_secret = is_option and not equals and bool(_SECRET_NAME.search(name))
        for value in values:
            word = word.replace(value, MASK)
        word = _USERINFO.sub(f"{MASK}@", word)
        words.append(_QUERY.sub(rf"\1?{MASK}", word))
    return words


def login_name() -> str | None:
    """Who is logged in; None if that is not known."""
    try:
        return getpass.getuser()
    # A user id without an entry, as in containers; Windows, which has no pwd, without the variable.
    except (OSError, KeyError, ImportError):
        return None


def _commit_of(spec: Path) -> str | None:
    """The git commit that is checked out where the spec lies; None without git or a repository."""
    command = ["git", "-C", str(spec.resolve().parent), "rev-parse", "--verify", "HEAD"]
    try:
        found = subprocess.run(
            command, capture_output=True, text=True, timeout=GIT_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip() or None
