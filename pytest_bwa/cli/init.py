"""The command for a first spec: bwa init."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pytest_bwa.cli.arguments import exit_on_problem
from pytest_bwa.steps.text import show_controls


def init(
    urls: Annotated[
        list[str],
        typer.Argument(metavar="URL...", help="The pages of one to three records of one kind."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The spec to write; the list is written beside it."),
    ] = None,
    login: Annotated[
        str | None, typer.Option(metavar="NAME", help="A login saved by `bwa login NAME URL`.")
    ] = None,
) -> None:
    """Write a spec and a list from the pages of one to three records, without a model."""
    # Imported here, because Playwright and pydantic would make --version and --help slow.
    from pytest_bwa.audit.first_spec import write_first_spec
    from pytest_bwa.settings import read_settings

    with exit_on_problem(status=2):
        written = write_first_spec(urls, out, login, read_settings())
    for line in written.lines():
        typer.echo(show_controls(line))
