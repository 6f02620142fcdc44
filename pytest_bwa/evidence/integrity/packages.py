"""The packages that are installed where a run is made: packages.txt."""

from __future__ import annotations

from functools import cache
from importlib.metadata import distributions

PACKAGES = "packages.txt"


@cache
def installed_packages() -> bytes:
    """One line ``name==version`` for each package, sorted: what pip can install again."""
    found = {(d.metadata["Name"] or "", d.version) for d in distributions()}
    lines = sorted(f"{name}=={version}\n" for name, version in found if name)
    return "".join(lines).encode()
