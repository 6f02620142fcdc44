"""Secrets that a task lets its policy type by name: ``<secret:password>``.

The value is read from the environment, and stands in for the name at the last moment, only on the
hosts that the secret is bound to.
"""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus

from pydantic import BaseModel, ConfigDict, Field

from pytest_bwa.errors import SpecError
from pytest_bwa.spec.urls import host_of

MASK = "***"
"""Replaces every secret value."""
MIN_CHARACTERS_INSIDE_WORDS = 4
"""Shorter secrets are masked only as whole words: a one-letter secret would mask half of a page."""
_NAMED = re.compile(r"<secret:([^<>]*)>")
_Model = TypeVar("_Model", bound=BaseModel)


class SecretSource(BaseModel):
    """Where the value of a secret comes from, and where it may be typed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    env: str = Field(min_length=1)
    """Name of the environment variable that holds the value."""
    hosts: list[str] = Field(default_factory=list)
    """Hosts on which it may be typed; none: those of start_url, the sample's url and --base-url."""


class SecretRefused(Exception):
    """A secret that is unknown, or not meant for the page; the message never has its value."""


def stands_for_secret(text: str) -> bool:
    """Whether a text is the name of one secret and nothing else, so that it says no value."""
    return _NAMED.fullmatch(text) is not None


def check_are_set(sources: Mapping[str, SecretSource], path: Path | str) -> None:
    """Raise SpecError for the first secret whose environment variable is not set, or is empty."""
    for name, source in sources.items():
        if not os.environ.get(source.env):
            raise SpecError(
                f'{path}: the secret "{name}" is the value of the environment variable '
                f"{source.env}, which is not set"
            )


class TypedSecrets:
    """The secrets of one sample. ``urls`` are its own addresses: their hosts are the default."""

    def __init__(
        self, sources: Mapping[str, SecretSource] | None = None, urls: Iterable[str | None] = ()
    ) -> None:
        self._sources = dict(sources or {})
        self._own_hosts = {host for url in urls if (host := host_of(url or ""))}
        self.hide = mask_values(self._value(name) for name in self._sources)
        """Masks the values in any text."""

    def fill(self, text: str, urls: Iterable[str]) -> str:
        """The text with values instead of names. ``urls`` are those of the page and of the frame
        that would get it. Raises SecretRefused."""
        hosts = {host_of(url) for url in urls}

        def value(named: re.Match[str]) -> str:
            source = self._sources.get(named[1])
            if source is None:
                known = ", ".join(f"<secret:{name}>" for name in self._sources) or "none"
                raise SecretRefused(f"the task has no secret {named[0]} (it has: {known})")
            bound = {host.lower() for host in source.hosts} or self._own_hosts
            if foreign := sorted(hosts - bound):
                raise SecretRefused(
                    f"{named[0]} may not be typed on {foreign[0] or 'a page without a host'}: it "
                    f"is bound to {', '.join(sorted(bound)) or 'no host'}"
                )
            return self._value(named[1])

        return _NAMED.sub(value, text) if self._sources else text

    def hide_in(self, model: _Model) -> _Model:
        """The model with the values masked in all of its texts."""
        if not self._sources:
            return model
        return type(model).model_validate(self._hidden(model.model_dump()))

    def _hidden(self, content: Any) -> Any:
        if isinstance(content, str):
            return self.hide(content)
        if isinstance(content, Mapping):
            return {self._hidden(key): self._hidden(value) for key, value in content.items()}
        if isinstance(content, list | tuple):
            return type(content)(self._hidden(item) for item in content)
        return content

    def _value(self, name: str) -> str:
        return os.environ.get(self._sources[name].env, "")


def encodings(value: str) -> set[str]:
    """The forms in which a typed value may stand in addresses, HTML and JSON text."""
    as_json = {json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
    return {value, quote(value, safe=""), quote(value), quote_plus(value), html.escape(value)} | (
        as_json
    )


def mask_values(values: Iterable[str]) -> Callable[[str], str]:
    """Return a function that masks the values, in each of their encodings, in any text."""
    return mask_texts({form for value in values if value for form in encodings(value)})


def mask_texts(texts: set[str]) -> Callable[[str], str]:
    """Return a function that masks these texts in any text."""
    if not texts:
        return str
    pattern = re.compile("|".join(map(_pattern, sorted(texts, key=len, reverse=True))))
    return lambda text: pattern.sub(MASK, text)


def _pattern(value: str) -> str:
    escaped = re.escape(value)
    return escaped if len(value) >= MIN_CHARACTERS_INSIDE_WORDS else rf"(?<!\w){escaped}(?!\w)"
