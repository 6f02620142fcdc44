"""The tables of README.md and docs/ that follow from the code. `python tests/document_tables.py`
regenerates them; a test compares them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from documents import DOCUMENTS
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from pytest_bwa.audit.planner import attribute_docs
from pytest_bwa.cli import app
from pytest_bwa.cli.recipe import recipe_app
from pytest_bwa.plugin.options import OPTIONS
from pytest_bwa.policy.claude.cost import PRICED_ON, PRICES
from pytest_bwa.policy.registry import AUTO, POLICIES
from pytest_bwa.settings import Settings, variable
from pytest_bwa.spec.login import Login
from pytest_bwa.spec.network.allowed_requests import AllowedRequest
from pytest_bwa.spec.task import Discover, TaskSpec
from pytest_bwa.spec.typed_secrets import SecretSource
from pytest_bwa.steps.doubts import Doubt

_FORMS = {str: "text", bool: "true or false", int: "whole number", float: "number"}


def tables() -> dict[str, str]:
    """Each table by its header row, without it and the line of dashes."""
    return {
        "| option | ini | what it does |": _joined(_options()),
        "| variable | default | what it does |": _joined(_settings()),
        "| command | what it does |": _joined(_commands()),
        "| policy | how it decides |": _joined(_policies()),
        "| code | sort | what it says | what you do |": _joined(_doubts()),
        f"| model (prices of {PRICED_ON}) | dollars per million tokens read | written |": _joined(
            _prices()
        ),
        "| key | form | default | what it says |": _joined(_keys(TaskSpec)),
        "| key of `discover` | form | default | what it says |": _joined(_keys(Discover)),
        "| key of `login` | form | default | what it says |": _joined(_keys(Login)),
        "| key of `allow_requests` | form | default | what it says |": _joined(
            _keys(AllowedRequest)
        ),
        "| key of `secrets` and `totp` | form | default | what it says |": _joined(
            _keys(SecretSource)
        ),
    }


def _joined(rows: Iterator[tuple[str, ...]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _options() -> Iterator[tuple[str, ...]]:
    for option in OPTIONS:
        flag = f"{option.flag} {option.metavar or 'NAME'}"
        if "action" in dict(option.extra):
            flag = option.flag
        elif dict(option.extra).get("nargs") == "?":
            flag = f"{option.flag} [{option.metavar}]"
        also = f" (also `{'`, `'.join(option.also)}`)" if option.also else ""
        default = f" (`{option.default}`)" if option.default else ""
        ini = f"`{option.dest}`" if option.has_ini else "–"
        yield f"`{flag}`", ini, f"{option.help}{also}{default}"


def _settings() -> Iterator[tuple[str, ...]]:
    docs = attribute_docs(Settings)
    for name, field in Settings.model_fields.items():
        description = " ".join(docs.get(name, "").split())
        yield f"`{variable(name)}`", _default(field.default), description


def _default(value: object) -> str:
    if value in (None, ""):
        return "–"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, dict):
        return "see below"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def _commands() -> Iterator[tuple[str, ...]]:
    for command in app.registered_commands:
        assert command.callback is not None
        usage = {
            "watch": " [RUN] [--web]",
            "report": " [RUN]",
            "review": " [RUN] [--reviewer NAME] [--terminal] [--sample ID] [--all] [--again]"
            " [--no-open] [--port N] [--random N] [--known FILE]",
            "show": " RUN SAMPLE [STEP]",
            "view": " [RUN]",
            "export": " [RUN]",
            "diff": " RUN_A RUN_B",
            "login": " NAME URL",
            "lessons": " [forget ID]",
            "verify": " [RUN] [--json] [--key FILE] [--tsa-cert FILE]",
            "sign": " [RUN] [--key FILE] [--tsa URL]",
            "bag": " [RUN] [OUT]",
            "upload": " RUN URL",
            "fetch": " URL",
        }
        name = command.callback.__name__
        first_line = (command.callback.__doc__ or "").strip().splitlines()[0]
        yield f"`bwa {name}{usage.get(name, '')}`", first_line
    for command in recipe_app.registered_commands:
        assert command.callback is not None
        usage = {"diff": " OLD NEW", "keep": " RUN"}
        name = command.callback.__name__
        first_line = (command.callback.__doc__ or "").strip().splitlines()[0]
        yield f"`bwa recipe {name}{usage.get(name, ' RECIPE')}`", first_line


def _policies() -> Iterator[tuple[str, ...]]:
    yield (
        f"`{AUTO}`",
        "`claude` if a key, `ANTHROPIC_BASE_URL` or a model like `ollama/…` is set, else `rules`",
    )
    for name, entry in POLICIES.items():
        yield f"`{name}`", entry.summary


def _doubts() -> Iterator[tuple[str, ...]]:
    for doubt in sorted(
        Doubt, key=lambda doubt: (not doubt.sort, doubt.sort or "", doubt is not doubt.sort)
    ):
        sort = f"`{doubt.sort}`" if doubt.sort else "(no value)"
        yield f"`{doubt}`", sort, doubt.message.replace("{}", "…"), doubt.advice


def _prices() -> Iterator[tuple[str, ...]]:
    for name, price in PRICES.items():
        yield f"`{name}`", f"{price.input:.2f}", f"{price.output:.2f}"


def _keys(model: type[BaseModel]) -> Iterator[tuple[str, ...]]:
    """The keys of a part of a spec."""
    docs = attribute_docs(model)
    for name, field in model.model_fields.items():
        text = " ".join(docs.get(name, "").split()).replace("``", "`")
        text = re.sub(r"\bNone\b", "`null`", text).replace("|", r"\|")
        yield f"`{name}`", _form(field.annotation), _default_of_key(field), text


def _form(annotation: Any) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " or ".join(f"`{choice}`" for choice in arguments)
    if origin in (UnionType, Union):
        forms = [_form(argument) for argument in arguments if argument is not type(None)]
        return " or ".join(forms)
    if origin in (list, tuple):
        return "list" if arguments[0] is str else f"list of {_form(arguments[0])}s"
    return _FORMS.get(annotation, "mapping")


def _default_of_key(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True, validated_data={})
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return "–" if value in (None, "", [], {}, ()) else f"`{value}`"


def renewed(text: str) -> str:
    """A document's text with its tables as the code has them."""
    for header, rows in tables().items():
        pattern = re.compile(rf"({re.escape(header)}\n\|[-|]+\|\n)(?:\|.*\n)*")
        text = pattern.sub(lambda found, rows=rows: found[1] + rows, text)  # type: ignore[misc]
    return text


if __name__ == "__main__":
    for document in DOCUMENTS:
        document.write_text(renewed(document.read_text("utf-8")), "utf-8")
