"""The server of the model: its address and key, its context window, its failures, its thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar
from urllib.parse import urlsplit

from pydantic import SecretStr
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    stop_before_delay,
)

from pytest_bwa.errors import InputError, ModelFailed
from pytest_bwa.policy.model_servers import served_model
from pytest_bwa.settings import Settings
from pytest_bwa.spec.redaction import MASK

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


NAMES = ("loaded_context_length", "max_model_len", "max_input_tokens", "context_length", "n_ctx")
"""What servers call it: LM Studio; vLLM; Anthropic; Ollama; llama.cpp."""
LOADED_BY_OLLAMA = "/api/ps"


class Ask(Protocol):
    """Asks the server for a path, by POST if there is a body; None if it has no JSON for it."""

    def __call__(self, path: str, body: Mapping[str, str] | None = None) -> Awaitable[Any]: ...


async def window_from_server(ask: Ask, model: str) -> int | None:
    """The tokens that the server keeps for the model; None if it does not say."""
    for path in ("/v1/models", "/api/v0/models", "/props"):
        if window := _window(await ask(path), model):
            return window
    loaded = await ask(LOADED_BY_OLLAMA)
    if window := _window(loaded, model):
        return window
    if not isinstance(loaded, dict) or "models" not in loaded:
        return None
    # Ollama decides about the window when it loads the model, which it does for an empty prompt.
    await ask("/api/generate", {"model": model})
    return _window(await ask(LOADED_BY_OLLAMA), model)


def _window(answer: Any, model: str) -> int | None:
    if not isinstance(answer, dict):
        return None
    entries = [answer.get("default_generation_settings"), *_entries(answer, model)]
    return next((window for entry in entries for window in _numbers(entry)), None)


def _entries(answer: Mapping[str, Any], model: str) -> Iterable[Any]:
    """What a list of models says about this one."""
    for name in ("data", "models"):
        listed = answer.get(name)
        for entry in listed if isinstance(listed, list) else ():
            if isinstance(entry, dict) and _names(entry) & {model, f"{model}:latest"}:
                yield from (entry, entry.get("meta"))


def _names(entry: Mapping[str, Any]) -> set[str]:
    return {name for key in ("id", "name", "model") if isinstance(name := entry.get(key), str)}


def _numbers(entry: Any) -> Iterable[int]:
    values = [entry.get(name) for name in NAMES] if isinstance(entry, dict) else []
    return (value for value in values if isinstance(value, int) and value > 0)


RETRIED_STATUSES = frozenset({408, 409, 429})
"""Every status of 500 and above is retried as well."""


class RetryableError(Exception):
    """A failure that may be gone at the next try; ``wait`` is the server's Retry-After in
    seconds."""

    def __init__(self, reason: str, remedy: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.reason, self.remedy, self.wait = reason, remedy, wait


class Retry:
    """Makes up to ``tries`` tries, none that would start after ``seconds``. The pause before the
    next try is the server's Retry-After, or else ``backoff`` seconds, doubled each time."""

    def __init__(self, tries: int, backoff: float, seconds: float) -> None:
        self._tries, self._backoff, self._seconds = tries, backoff, seconds
        self.call = AsyncRetrying(
            stop=stop_after_attempt(tries) | stop_before_delay(seconds),
            wait=self._pause,
            retry=retry_if_exception_type(RetryableError),
            reraise=True,
        )

    def _pause(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, RetryableError) and error.wait is not None:
            return error.wait
        return float(self._backoff * 2 ** (state.attempt_number - 1))

    def failure(self, error: RetryableError) -> ModelFailed:
        """What a call has come to. A server that asks for a longer pause than a decision may take
        need not be asked again soon."""
        has_time = self.call.statistics["attempt_number"] >= self._tries or error.wait is None
        return ModelFailed(self._message(error), is_passing=has_time)

    def _message(self, error: RetryableError) -> str:
        """What went wrong last, after how many tries, and what a person can do about it."""
        tries = self.call.statistics["attempt_number"]
        if tries < self._tries and error.wait is not None:
            return (
                f"{error.reason} and asked to wait {error.wait:g} s before the next try "
                f"(Retry-After), longer than the {self._seconds:g} s that one decision may take: "
                f"{error.remedy}"
            )
        count = "1 try" if tries == 1 else f"{tries} tries"
        return f"{error.reason}, after {count}: {error.remedy}"


T = TypeVar("T")
_start_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def has_begun() -> bool:
    """Whether anything has been run yet."""
    return _loop is not None


def run_within(
    coroutine: Coroutine[Any, Any, T], seconds: float, meanwhile: Callable[[], None] | None = None
) -> T:
    """The coroutine's result, from the background loop; ``meanwhile`` runs in the caller's thread
    while it waits. A timeout or an interrupt of the caller cancels the coroutine, so that nothing
    keeps running. asyncio.run does not work here: Playwright's own
    loop already runs in the main thread."""
    future = asyncio.run_coroutine_threadsafe(coroutine, _background_loop())
    try:
        if meanwhile is not None:
            meanwhile()
        return future.result(timeout=seconds)
    finally:
        future.cancel()


def _background_loop() -> asyncio.AbstractEventLoop:
    """The event loop of this process, on a daemon thread that is started at the first use."""
    global _loop
    with _start_lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="bwa-claude", daemon=True).start()
        return _loop
