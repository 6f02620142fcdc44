"""The scripts that run inside pages, as text."""

from __future__ import annotations

from importlib.resources import files

_FOLDER = files("pytest_bwa.page").joinpath("scripts")


def load_script(name: str) -> str:
    """The source of ``scripts/<name>.js``: one function expression."""
    return _FOLDER.joinpath(f"{name}.js").read_text("utf-8").strip()
