"""The packages that are installed where a run is made: packages.txt."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, distributions, version

PACKAGES = "packages.txt"
USED = ("pytest-bwa", "pytest", "playwright", "pytest-playwright", "pytest-xdist", "anthropic")
"""What decides how a run goes, beside the browser."""
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
