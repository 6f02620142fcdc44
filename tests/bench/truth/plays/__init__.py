"""The plays, one application a module."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from bench.truth.corpus import Play


def _plays() -> tuple[Play, ...]:
    names = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    return tuple(import_module(f"{__name__}.{name}").PLAY for name in names)


PLAYS = _plays()
