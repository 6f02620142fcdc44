"""The page itself: an empty frame, its styles and its scripts, which ask for everything else."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from pytest_bwa.reports import handover

STATIC = Path(__file__).parent / "static"
PAGES_STYLE = Path(handover.__file__).parent / "templates" / "style.css"
"""The style that all pages share; here it is called pages.css."""


def shell(**content: object) -> str:
    names = sorted(_files())
    return (
        _environment()
        .get_template("page.html")
        .render(
            styles=[name for name in names if name.endswith(".css")],
            scripts=[name for name in names if name.endswith(".js")],
            **content,
        )
    )


def static_file(name: str) -> Path | None:
    """One of our own files, by its name alone."""
    return _files().get(name)


def _files() -> dict[str, Path]:
    own = {path.name: path for path in STATIC.iterdir() if path.suffix in (".css", ".js", ".svg")}
    return {"pages.css": PAGES_STYLE, **own}


@cache
def _environment() -> Environment:
    loader = PackageLoader("pytest_bwa.review")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
