"""Secrets that a task lets its policy type by name: ``<secret:password>``.

The value is read from the environment or from a column of the list, and stands in for the name at
the last moment, only on the hosts that the secret is bound to.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pytest_bwa.errors import SpecError
from pytest_bwa.spec.network.urls import host_of
from pytest_bwa.spec.redaction import MASK, Redactor

_NAMED = re.compile(r"<secret:([^<>]*)>")


class SecretSource(BaseModel):
    """Where the value of a secret comes from, and where it may be typed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    env: str = ""
    """Name of the environment variable that holds the value."""
    column: str = ""
    """Column of the list that holds the value, instead of a variable."""
    hosts: list[str] = Field(default_factory=list)
    """Hosts on which it may be typed; none: those of start_url, the sample's url, the login and
    --base-url."""

    @model_validator(mode="after")
    def _has_one_source(self) -> SecretSource:
        if bool(self.env) == bool(self.column):
            raise ValueError("either env or column")
        return self


class SecretRefused(Exception):
    """A secret that is unknown, or not meant for the page; the message never has its value."""


def named(name: str) -> str:
    """How a secret is typed, and what stands for its value everywhere else."""
    return f"<secret:{name}>"


def names_in(text: str) -> list[str]:
    """The names of the secrets that are typed with a text."""
    return _NAMED.findall(text)


def stands_for_secret(text: str) -> bool:
    """Whether a text is the name of one secret and nothing else, so that it says no value."""
    return _NAMED.fullmatch(text) is not None


def is_redacted(text: str) -> bool:
    """Whether something was taken out of a text."""
    return MASK in text or _NAMED.search(text) is not None


def check_are_set(sources: Mapping[str, SecretSource], path: Path | str) -> None:
    """Raise SpecError for the first secret whose environment variable is not set, or is empty."""
    for name, source in sources.items():
        if source.env and not os.environ.get(source.env, "").strip():
            raise SpecError(
                f'{path}: the secret "{name}" is the value of the environment variable '
                f"{source.env}, which is not set"
            )


class TypedSecrets:
    """The secrets of one sample. ``columns`` are the values of its secret columns by the secret's
    name, ``urls`` its own addresses: their hosts are the default; ``totp`` names the secrets of
    which codes are made, and ``patterns`` find what else is secret."""

    def __init__(
        self,
        sources: Mapping[str, SecretSource] | None = None,
        urls: Iterable[str | None] = (),
        *,
        columns: Mapping[str, str] | None = None,
        totp: Mapping[str, SecretSource] | None = None,
        patterns: Sequence[str] = (),
    ) -> None:
        self._totp = dict(totp or {})
        self._sources = {**(sources or {}), **self._totp}
        self._columns = dict(columns or {})
        self._own_hosts = {host for url in urls if (host := host_of(url or ""))}
        values = {name: self._stored(name) for name in self._sources}
        self.redactor = Redactor(values, patterns)
        """Replaces the values by their names in any text."""

    def fill(self, text: str, urls: Iterable[str]) -> str:
        """The text with values instead of names. ``urls`` are those of the page and of the frame
        that would get it. Raises SecretRefused."""
        hosts = {host_of(url) for url in urls}

        def value(found: re.Match[str]) -> str:
            source = self._sources.get(found[1])
            if source is None:
                known = ", ".join(map(named, self._sources)) or "none"
                raise SecretRefused(f"the task has no secret {found[0]} (it has: {known})")
            bound = {host.lower() for host in source.hosts} or self._own_hosts
            if foreign := sorted(hosts - bound):
                raise SecretRefused(
                    f"{found[0]} may not be typed on {foreign[0] or 'a page without a host'}: it "
                    f"is bound to {', '.join(sorted(bound)) or 'no host'}"
                )
            return self._value(found[1])

        return _NAMED.sub(value, text) if self._sources else text

    def _value(self, name: str) -> str:
        """What is typed: a code is made at this moment."""
        stored = self._stored(name)
        if not stored:
            raise SecretRefused(f"the sample has no value for {named(name)}")
        if name not in self._totp:
            return stored
        code = totp_code(name, stored)
        self.redactor.learn(name, code)
        return code

    def _stored(self, name: str) -> str:
        env = self._sources[name].env
        return os.environ.get(env, "") if env else self._columns.get(name, "")


def totp_code(name: str, key: str) -> str:
    """The code of this moment. Raises SecretRefused, which never has the key."""
    try:
        import pyotp
    except ImportError:
        raise SecretRefused(f"{named(name)} needs pyotp: {TOTP_EXTRA}") from None
    try:
        totp = pyotp.parse_uri(key) if key.startswith("otpauth:") else pyotp.TOTP(key)
        return str(totp.now()) if isinstance(totp, pyotp.TOTP) else _no_code(name)
    except (ValueError, TypeError):
        return _no_code(name)


def _no_code(name: str) -> str:
    raise SecretRefused(f"{named(name)}: its variable has no TOTP key (base32, or otpauth://totp)")


TOTP_EXTRA = "pip install pytest-bwa[totp]"
