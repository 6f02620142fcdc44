"""The server that is called for the model, and the key that it is called with."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

from pydantic import SecretStr

from pytest_bwa.errors import InputError
from pytest_bwa.policy.model_servers import served_model
from pytest_bwa.settings import Settings
from pytest_bwa.spec.redaction.addresses import MASK

ANTHROPIC_URL = "https://api.anthropic.com"
NO_KEY = "no-key-needed"
"""Sent if a base URL but no key is set: the SDK requires a key, local servers ignore it."""


class Credentials(NamedTuple):
    """A server's URL, and either ``api_key`` or ``auth_token``."""

    url: str
    api_key: str | None
    auth_token: str | None
    remedy: str
    """What a person should do if the server refuses the key."""
    address_setting: str = "ANTHROPIC_BASE_URL"
    """Where a person changes the server's address."""

    @property
    def server(self) -> str:
        """The server as messages name it, without a path or credentials."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"

    def mask(self, text: str) -> str:
        """The text with the key masked, in case a server repeats it."""
        return text.replace(self.api_key or self.auth_token or NO_KEY, MASK)


def credentials_for(settings: Settings, model: str) -> Credentials:
    """The server of this model with its key; raises InputError, which names the variable to set.

    A server that the model's name names gets no key: the one that is set is another server's.
    """
    if url := served_model(model, settings.model_servers).url:
        variable = "BWA_MODEL_SERVERS"
        _check_address(url, variable)
        return Credentials(url, NO_KEY, None, "it requires a key, and none is sent to it", variable)
    url = settings.anthropic_base_url or ANTHROPIC_URL
    _check_address(url, "ANTHROPIC_BASE_URL")
    if key := _secret_text(settings.anthropic_api_key, "ANTHROPIC_API_KEY"):
        return Credentials(url, key, None, "check ANTHROPIC_API_KEY")
    if token := _secret_text(settings.anthropic_auth_token, "ANTHROPIC_AUTH_TOKEN"):
        return Credentials(url, None, token, "check ANTHROPIC_AUTH_TOKEN")
    if settings.anthropic_base_url:
        return Credentials(url, NO_KEY, None, "it requires a key, so set ANTHROPIC_API_KEY")
    raise InputError(
        "the claude policy needs ANTHROPIC_API_KEY (or ANTHROPIC_BASE_URL for a server of your "
        "own): set it, or pass --policy rules"
    )


def _check_address(url: str, variable: str) -> None:
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc:
        raise InputError(
            f"{variable} is not a web address: write it as http://host:port or https://host"
        )


def _secret_text(secret: SecretStr | None, variable: str) -> str:
    text = secret.get_secret_value().strip() if secret else ""
    if not (text.isascii() and text.isprintable()):
        raise InputError(f"{variable} contains characters that no key contains: copy it again")
    return text
