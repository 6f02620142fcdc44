"""Which server answers for the model, and with which key it is asked."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

from pydantic import SecretStr

from pytest_bwa.errors import InputError
from pytest_bwa.settings import Settings
from pytest_bwa.spec.secrets import MASK

ANTHROPIC_URL = "https://api.anthropic.com"
NO_KEY = "no-key-needed"
"""Sent where a base URL is set and no key: the SDK wants one, local servers do not look at it."""


class Credentials(NamedTuple):
    """Either ``api_key`` or ``auth_token`` is set."""

    url: str
    api_key: str | None
    auth_token: str | None
    remedy: str
    """What to do where the server refuses it."""

    @property
    def server(self) -> str:
        """The server as messages name it, without a path or credentials."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"

    def masked(self, text: str) -> str:
        """Text without the key, should a server repeat it."""
        return text.replace(self.api_key or self.auth_token or NO_KEY, MASK)


def access(settings: Settings) -> Credentials:
    """Raises InputError, which names the variable to set."""
    url = settings.anthropic_base_url or ANTHROPIC_URL
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc:
        raise InputError(
            "ANTHROPIC_BASE_URL is no web address: write it as http://host:port or https://host"
        )
    if key := _plain(settings.anthropic_api_key, "ANTHROPIC_API_KEY"):
        return Credentials(url, key, None, "check ANTHROPIC_API_KEY")
    if token := _plain(settings.anthropic_auth_token, "ANTHROPIC_AUTH_TOKEN"):
        return Credentials(url, None, token, "check ANTHROPIC_AUTH_TOKEN")
    if settings.anthropic_base_url:
        return Credentials(url, NO_KEY, None, "it wants a key, so set ANTHROPIC_API_KEY")
    raise InputError(
        "the claude policy needs ANTHROPIC_API_KEY (or ANTHROPIC_BASE_URL for a server of your "
        "own): set it, or pass --policy rules"
    )


def _plain(secret: SecretStr | None, variable: str) -> str:
    text = secret.get_secret_value().strip() if secret else ""
    if not (text.isascii() and text.isprintable()):
        raise InputError(f"{variable} holds characters that no key has: copy it again")
    return text
