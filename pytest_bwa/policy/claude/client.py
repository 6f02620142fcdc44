"""Calls of one model through the Anthropic SDK, each within a wall-clock deadline.

The only file that imports anthropic, which takes two seconds: import it only when needed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any, Literal

import anthropic
from pydantic import ValidationError

from pytest_bwa.errors import BwaError, CredentialsRefused, InputError, LimitReached, ModelFailed
from pytest_bwa.policy.claude.capabilities import (
    MAX_TOKENS,
    ModelCapabilities,
    has_picture,
    request_tokens,
    without_cache_marks,
    without_pictures,
)
from pytest_bwa.policy.claude.cost import MIN_PROMPT
from pytest_bwa.policy.claude.response import Response
from pytest_bwa.policy.claude.server import (
    ANTHROPIC_URL,
    RETRIED_STATUSES,
    Credentials,
    Retry,
    RetryableError,
    credentials_for,
    has_begun,
    run_within,
    window_from_server,
)
from pytest_bwa.policy.model_servers import refuse_unusable_proxies, served_model
from pytest_bwa.settings import Settings
from pytest_bwa.spec.network.responses import TOO_MANY_REQUESTS, is_server_error, parse_retry_after
from pytest_bwa.steps.text import one_line

MAX_TRIES = 3
FIRST_PAUSE = 1.0
"""Seconds between the first two tries; doubled after each."""
CONNECT_SECONDS = 10.0
LOADING_SECONDS = 60.0
"""How long a local server may take to load a model, before it is asked for its context window."""
GRACE_SECONDS = 2.0
"""Extra seconds after a deadline for closing the connection, before the caller stops waiting."""

_capabilities_by_model: dict[tuple[str, str], ModelCapabilities] = {}
"""What has been learnt in this process, by server URL and model."""

Helper = Literal["vision", "summarizer", "finalizer", "distiller"]
"""What a model may be asked besides the decisions."""
_windows_by_model: dict[tuple[str, str], int] = {}
"""The context windows that servers told this process, by server URL and model."""
_helper_refusals: dict[tuple[Credentials, str, Helper], str] = {}
"""The refusals that helpers got in this process: the same request would be refused again."""


class MessagesClient:
    """Calls one model on one server; every call ends by its deadline, whatever the server does."""

    def __init__(self, settings: Settings, model: str) -> None:
        refuse_unusable_proxies()
        self._settings, self.model = settings, model
        self._served_model = served_model(model, settings.model_servers).model
        self._credentials = credentials_for(settings, model)
        self._server = self._credentials.server
        self._client = anthropic.AsyncAnthropic(
            api_key=self._credentials.api_key,
            auth_token=self._credentials.auth_token,
            base_url=self._credentials.url,
            max_retries=0,  # the SDK's retries ignore the deadline and obey any Retry-After
            timeout=anthropic.Timeout(None, connect=CONNECT_SECONDS),
        )
        self._capabilities = _capabilities_by_model.setdefault(
            (self._credentials.url, self.model), ModelCapabilities(self.model)
        )

    def context_window(self, seconds: float = 2 * LOADING_SECONDS) -> int:
        """Tokens of the model's context window: the setting, or else what its server says within
        this time. Raises InputError if that is too small for a decision."""
        is_set = "context_window" in self._settings.model_fields_set
        if is_set or self._credentials.url == ANTHROPIC_URL:
            return self._settings.context_window
        place = (self._credentials.url, self.model)
        if place not in _windows_by_model:
            question = window_from_server(self._ask_server, self._served_model)
            try:
                window = run_within(question, min(seconds, 2 * LOADING_SECONDS))
            except TimeoutError:
                if seconds < 2 * LOADING_SECONDS:  # the next call may find the model loaded
                    return self._settings.context_window
                window = None
            _windows_by_model[place] = window or self._settings.context_window
        self._refuse_small_window(_windows_by_model[place])
        return _windows_by_model[place]

    def _refuse_small_window(self, window: int) -> None:
        """Some servers cut what does not fit without saying so, so that the rules would be lost."""
        needed = MIN_PROMPT + MAX_TOKENS
        if window < needed:
            raise InputError(
                f"{self._server} keeps only {window:,} tokens for {self.model}, and a decision "
                f"needs {needed:,}: raise its limit (with Ollama, OLLAMA_CONTEXT_LENGTH)"
            )

    async def _ask_server(self, path: str, body: Mapping[str, str] | None = None) -> Any:
        """What the server answers to a question that is no message; None if it has no answer."""
        client = self._client.with_options(timeout=LOADING_SECONDS if body else CONNECT_SECONDS)
        try:
            if body is None:
                return await client.get(path, cast_to=object)
            return await client.post(path, cast_to=object, body=body)
        except (anthropic.AnthropicError, ValueError):  # ValueError: a text that is no JSON
            return None

    def ask(
        self,
        content: dict[str, Any],
        seconds_left: float | None = None,
        *,
        parallel: bool = False,
        forced: bool = True,
        tries: int | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> Response:
        """A well-formed reply; ``parallel`` allows several tool calls in it, and ``forced`` forces
        a model that can be forced to call a tool. ``tries``: how often at most.
        ``meanwhile`` is done while the model thinks.

        Raises ModelFailed, CredentialsRefused, or LimitReached if the sample's own time ran out.
        """
        deadline = self._settings.model_deadline
        seconds = deadline if seconds_left is None else min(deadline, seconds_left)
        if seconds <= 0:
            raise self._timeout_error(seconds)
        end = time.monotonic() + seconds
        window = self.context_window(seconds / 2)  # the answer needs time, too
        left = end - time.monotonic()
        options = {"parallel": parallel, "forced": forced, "window": window}
        answer = self._answer(content, left, tries or MAX_TRIES, options)
        try:
            return run_within(answer, left + GRACE_SECONDS, meanwhile)
        except TimeoutError as error:
            raise self._timeout_error(seconds) from error

    def _timeout_error(self, seconds: float) -> BwaError:
        """What it means that a call was not answered in this time."""
        deadline = self._settings.model_deadline
        if seconds < deadline:
            return LimitReached(
                "the sample's time (max_time_seconds) ran out while the model was deciding"
            )
        late = f"{self._server} did not send a complete answer within {deadline:g} s"
        remedy = "try again later with --resume, or raise BWA_MODEL_DEADLINE"
        return ModelFailed(f"{late}: {remedy}", is_passing=True)

    def ask_for(
        self,
        helper: Helper,
        content: dict[str, Any],
        seconds: float,
        seconds_left: float | None = None,
    ) -> Response:
        """The reply to a helper's question, in at most ``seconds`` and within the sample's own
        time. Raises ModelFailed, never LimitReached, CredentialsRefused or InputError: a helper
        must not end the sample or the run. A helper whose key was refused is not asked again."""
        refusal_key = (self._credentials, self.model, helper)
        if refusal := _helper_refusals.get(refusal_key):
            raise ModelFailed(refusal)
        limit = seconds if seconds_left is None else min(seconds, seconds_left)
        try:
            return self.ask(content, limit)
        except CredentialsRefused as error:
            _helper_refusals[refusal_key] = str(error)
            raise ModelFailed(str(error)) from error
        except InputError as error:  # its context window is too small
            raise ModelFailed(str(error)) from error
        except LimitReached as error:
            raise ModelFailed(f"{self.model} did not answer within {limit:g} s") from error

    def take_notices(self) -> list[str]:
        """What the server turned out to lack since the last call of this method, in sentences."""
        return [f"{self._server} {lack}" for lack in self._capabilities.take_lacks()]

    @property
    def sees_pictures(self) -> bool:
        """Whether the model takes pictures, as far as it is known."""
        return self._capabilities.sees_pictures

    def close(self) -> None:
        """Close the connections; if that takes too long, the server has to end them."""
        if not has_begun():  # no call was ever made
            return
        try:
            run_within(self._client.close(), GRACE_SECONDS)
        except TimeoutError:
            return

    async def _answer(
        self, content: dict[str, Any], seconds: float, tries: int, options: dict[str, Any]
    ) -> Response:
        pause = min(FIRST_PAUSE, self._settings.model_deadline / 100)
        retry = Retry(tries, pause, seconds)
        try:
            async with asyncio.timeout(seconds):
                return await retry.call(self._try, content, options)
        except RetryableError as error:
            raise retry.failure(error) from error

    async def _try(self, content: dict[str, Any], options: Mapping[str, Any]) -> Response:
        """One try. If the model refuses a parameter, the request is sent again without it, or with
        a smaller one; that does not count as a failure."""
        while True:
            parameters = self._capabilities.parameters(
                room=options["window"] - request_tokens(content),
                effort=self._settings.effort,
                parallel=options["parallel"],
                forced=options["forced"],
            )
            if not self._capabilities.caches:
                content = without_cache_marks(content)
            is_decision = "tools" in content  # other questions are answered with text
            if not self.sees_pictures and has_picture(content):
                if not is_decision:  # the question is about the picture
                    raise ModelFailed(f"{self.model} reads no pictures")
                content = without_pictures(content)
            if not is_decision:
                parameters.pop("tool_choice", None)
            try:
                response = await self._post({"model": self._served_model, **parameters, **content})
            except (anthropic.BadRequestError, anthropic.UnprocessableEntityError) as error:
                if not self._capabilities.learn_from(str(error), has_picture(content)):
                    raise self._failure(error) from error
            else:
                if is_decision and response.stop_reason == "max_tokens":
                    self._capabilities.learn_from_cut_off(parameters["max_tokens"])
                return response

    async def _post(self, request: dict[str, Any]) -> Response:
        try:
            response = await self._client.messages.with_raw_response.create(**request)
            return Response.model_validate_json(response.http_response.content)
        except (anthropic.BadRequestError, anthropic.UnprocessableEntityError):
            raise  # the model may accept the request without one of its parameters
        except anthropic.APIStatusError as error:
            raise self._failure(error) from error
        except anthropic.APIConnectionError as error:
            raise RetryableError(
                f"{self._server} could not be reached or closed the connection "
                f"({_root_cause(error)})",
                f"check the network, and {self._credentials.address_setting} if it is set",
            ) from error
        except ValidationError as error:
            raise RetryableError(
                f"{self._server} answered with something that is not a Messages API message",
                f"check what {self._credentials.address_setting} points to, or try again later "
                "with --resume",
            ) from error
        except DeprecationWarning as warning:  # the SDK raises it if warnings are errors
            raise ModelFailed(one_line(str(warning), 200)) from warning

    def _failure(self, error: anthropic.APIStatusError) -> Exception:
        status, message = error.status_code, self._server_message(error)
        if status in (401, 403):
            return CredentialsRefused(
                f"{self._server} refused access ({status}: {message}): {self._credentials.remedy}"
            )
        if status == 404:
            return ModelFailed(
                f'{self._server} does not know the model "{self.model}" (404): check --model or '
                f"BWA_MODEL, and {self._credentials.address_setting} if it is set"
            )
        if status in RETRIED_STATUSES or is_server_error(status):
            remedy = "run fewer samples at a time (-n), or finish later with --resume"
            if status != TOO_MANY_REQUESTS:
                remedy = "try again later with --resume"
            wait = parse_retry_after(error.response.headers.get("retry-after", ""))
            return RetryableError(f"{self._server} answered {status} ({message})", remedy, wait)
        return ModelFailed(f"{self._server} refused the request ({status}: {message})")

    def _server_message(self, error: anthropic.APIStatusError) -> str:
        """The server's own message on one line, without the key in case the server repeats it;
        not the text of a web page that a gateway sent instead."""
        body = error.body
        message = error.api_message
        if message is None and isinstance(body, dict):
            message = body.get("error") or body.get("message")
        if not isinstance(message, str) or not message.strip():
            return "no reason given"
        return one_line(self._credentials.mask(message), 200)


def _root_cause(error: anthropic.APIConnectionError) -> str:
    """The message of the first cause: "Connection refused", not "Connection error"."""
    if isinstance(error, anthropic.APITimeoutError):
        return f"no connection within {CONNECT_SECONDS:g} s"
    message, cause = str(error), error.__cause__
    while cause is not None:
        message, cause = str(cause) or message, cause.__cause__ or cause.__context__
    return one_line(message, 200)
