"""What the commands write to stdout, whatever its encoding: a pipe on Windows has one of 256
characters."""

from __future__ import annotations

import io
import sys
from typing import Any

import typer


class App(typer.Typer):
    """The command line. A character that stdout cannot show is written as a question mark."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        return super().__call__(*args, **options)


def echo_data(text: str) -> None:
    """Write what programs read: always in UTF-8, as all files are."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    typer.echo(text)
