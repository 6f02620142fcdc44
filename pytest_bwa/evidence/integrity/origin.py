"""Who started a run, where and with which command; asked of this machine, never of the network."""

from __future__ import annotations

import getpass
import os
import platform
import re
import socket
import subprocess
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from pytest_bwa.evidence.files import sha256
from pytest_bwa.evidence.integrity.packages import installed_packages
from pytest_bwa.evidence.run_record import Origin
from pytest_bwa.spec.redaction import MASK

GIT_SECONDS = 5
_SECRET_NAME = re.compile(r"key|token|secret|passw|credential|auth", re.I)
_USERINFO = re.compile(r"(?<=://)[^/?#@\s]+@")
_QUERY = re.compile(r"(?<=://)([^?#\s]*)[?#]\S+")
MIN_SECRET = 6
"""A shorter value of a variable is no secret that could be told from any other text."""


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
