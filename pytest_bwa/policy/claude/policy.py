"""The claude policy: the Anthropic Messages API, or any server that speaks it (DESIGN 4.9).

The only file that imports anthropic, which takes two seconds: import this one only when needed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import anthropic
from pydantic import ValidationError

from pytest_bwa.errors import BwaError, CredentialsRefused, LimitReached, ModelFailed
from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.policy.claude import event_loop
from pytest_bwa.policy.claude.capabilities import ModelCapabilities
from pytest_bwa.policy.claude.credentials import access
from pytest_bwa.policy.claude.finalizer import ClaudeFinalizer
from pytest_bwa.policy.claude.prompt import system_blocks, user_message
from pytest_bwa.policy.claude.reflection import ASKED_FOR, with_reflection
from pytest_bwa.policy.claude.response import Response, as_sent, decision
from pytest_bwa.policy.claude.retry import RETRIED, Retry, TransientFault, retry_after
from pytest_bwa.policy.claude.summarizer import ClaudeSummarizer
from pytest_bwa.policy.claude.token_budget import prompt_budget, tokens
from pytest_bwa.policy.claude.vision import ClaudeVision
from pytest_bwa.settings import Settings
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Decision, Tool
from pytest_bwa.text import one_line

CONNECT_SECONDS = 10.0
GRACE_SECONDS = 2.0
"""Past a deadline, for closing the connection, before the caller stops waiting for that too."""

_traits: dict[tuple[str, str], ModelCapabilities] = {}


class ClaudePolicy:
    """One model on one server, for one task, and the model that stands in for it. ``task`` has its
    placeholders unfilled: what is the same for all samples is told from what is not."""

    name = "claude"
    reads_labelled_values = False

    def __init__(self, settings: Settings, task: TaskSpec, tools: Sequence[Tool]) -> None:
        self.model = settings.model
        self._task = task
        self._tools = with_reflection(tools, settings.reflection_mode)
        self._full = settings.reflection_mode == "full"
        self._budget = prompt_budget(settings.context_window)
        self._max_actions = settings.max_actions_per_step if settings.enable_multi_actions else 1
        self._made: dict[tuple[str | None, str], MessagesClient] = {}
        self._primary = self._messages(settings, settings.model)
        stands_in = settings.enable_fallback_llm and settings.fallback_llm_model != settings.model
        self._fallback = (
            self._messages(settings, settings.fallback_llm_model) if stands_in else None
        )
        fast = self._messages(settings, settings.fast_model)
        seeing = self._messages(*vision(settings)) if settings.vision == "auto" else None
        self.helpers = ModelHelpers(
            looker=ClaudeVision(seeing) if seeing else None,
            summarizer=ClaudeSummarizer(fast),
            finalizer=ClaudeFinalizer(task, self._tools, self._primary, self._fallback)
            if settings.finalize_on_failure
            else None,
        )

    def decide(self, turn: Turn) -> Decision:
        tools = [tool for tool in self._tools if turn.allows(tool.name)]
        names = [tool.name for tool in tools]
        turn = replace(turn, max_actions=self._max_actions, allowed=names)
        asked_for = f"\n{ASKED_FOR}" if self._full else ""
        system = system_blocks(
            self._task, turn.task, turn.sample, turn.max_actions, asked_for=asked_for
        )
        left = self._budget - sum(tokens(block["text"]) for block in system)
        content = {
            "system": system,
            "messages": [{"role": "user", "content": user_message(turn, left, full=self._full)}],
            "tools": as_sent(tools),
        }
        reply, messages, note = self._asked(content, turn.seconds_left)
        decided = decision(reply, tools, messages.model, turn.max_actions)
        return replace(decided, notes=(note, *decided.notes)) if note else decided

    def _asked(
        self, content: dict[str, Any], seconds: float | None
    ) -> tuple[Response, MessagesClient, str]:
        """The reply, of whom, and, where it is of the fallback model, why (F-47)."""
        begun = time.monotonic()
        parallel = self._max_actions > 1
        try:
            return self._primary.ask(content, seconds, parallel=parallel), self._primary, ""
        except ModelFailed as problem:
            if self._fallback is None:
                raise
            left = None if seconds is None else seconds - (time.monotonic() - begun)
            try:
                reply = self._fallback.ask(content, left, parallel=parallel)
            except ModelFailed as other:
                both = f"{problem}; the fallback model {self._fallback.model} failed too: {other}"
                raise ModelFailed(both) from other
            note = f"{self.model} gave no answer ({problem}): {self._fallback.model} decided"
            return reply, self._fallback, note

    def _messages(self, settings: Settings, model: str) -> MessagesClient:
        """One client for each model on each server, whatever it is asked for."""
        key = (settings.anthropic_base_url, model)
        if key not in self._made:
            self._made[key] = MessagesClient(settings, model)
        return self._made[key]

    def close(self) -> None:
        for messages in self._made.values():
            messages.close()


def vision(settings: Settings) -> tuple[Settings, str]:
    """The settings and the model for looking at pictures: those for deciding, unless others are
    named."""
    if settings.vision_base_url is None:
        return settings, settings.vision_model or settings.model
    there = settings.model_copy(update={"anthropic_base_url": settings.vision_base_url})
    return there, settings.vision_model or settings.model


class MessagesClient:
    """Calls of one model, each within one wall-clock deadline, whatever the server does."""

    def __init__(self, settings: Settings, model: str) -> None:
        self._settings, self.model = settings, model
        self._access = access(settings)
        self._at = self._access.server
        self._client = anthropic.AsyncAnthropic(
            api_key=self._access.api_key,
            auth_token=self._access.auth_token,
            base_url=self._access.url,
            max_retries=0,  # its retries know no deadline and wait for any Retry-After
            timeout=anthropic.Timeout(None, connect=CONNECT_SECONDS),
        )
        self._traits = _traits.setdefault(
            (self._access.url, self.model), ModelCapabilities(self.model)
        )

    def ask(
        self,
        content: dict[str, Any],
        seconds_left: float | None = None,
        *,
        parallel: bool = False,
    ) -> Response:
        """A well-formed reply; ``parallel`` allows several tool calls in it. ModelFailed,
        CredentialsRefused, or LimitReached where it is the sample's own time that ran out."""
        deadline = self._settings.model_deadline
        seconds = deadline if seconds_left is None else min(deadline, seconds_left)
        late: BwaError = ModelFailed(
            f"{self._at} gave no complete answer within {deadline:g} s: try again later with "
            "--resume, or raise BWA_MODEL_DEADLINE"
        )
        if seconds < deadline:
            late = LimitReached(
                "the sample's time (max_time_seconds) was spent while the model was deciding"
            )
        if seconds <= 0:
            raise late
        try:
            return event_loop.run(self._answer(content, seconds, parallel), seconds + GRACE_SECONDS)
        except TimeoutError as error:
            raise late from error

    def close(self) -> None:
        """Give the connections back; where that takes too long they are the server's to end."""
        if not event_loop.started():  # nothing was ever asked
            return
        try:
            event_loop.run(self._client.close(), GRACE_SECONDS)
        except TimeoutError:
            return

    async def _answer(self, content: dict[str, Any], seconds: float, parallel: bool) -> Response:
        given = self._settings
        retrying = Retry(given.model_tries, given.model_backoff, seconds)
        try:
            async with asyncio.timeout(seconds):
                return await retrying.call(self._try, content, parallel)
        except TransientFault as fault:
            raise ModelFailed(retrying.given_up(fault)) from fault

    async def _try(self, content: dict[str, Any], parallel: bool) -> Response:
        """One try; a request that the model does not take in this form is sent again in another,
        which is no failure."""
        while True:
            form = self._traits.parameters(
                max_tokens=self._settings.max_tokens,
                effort=self._settings.effort,
                parallel=parallel,
            )
            if "tools" not in content:  # a question that wants words
                form.pop("tool_choice", None)
            try:
                return await self._post({"model": self.model, **form, **content})
            except (anthropic.BadRequestError, anthropic.UnprocessableEntityError) as error:
                if not self._traits.learn(str(error)):
                    raise self._failure(error) from error

    async def _post(self, request: dict[str, Any]) -> Response:
        try:
            response = await self._client.messages.with_raw_response.create(**request)
            return Response.model_validate_json(response.http_response.content)
        except (anthropic.BadRequestError, anthropic.UnprocessableEntityError):
            raise  # it may be this form of the request that is refused
        except anthropic.APIStatusError as error:
            raise self._failure(error) from error
        except anthropic.APIConnectionError as error:
            raise TransientFault(
                f"{self._at} could not be reached or hung up ({_root(error)})",
                "check the network, and ANTHROPIC_BASE_URL if it is set",
            ) from error
        except ValidationError as error:
            raise TransientFault(
                f"{self._at} answered with something that is no message of the Messages API",
                "check what ANTHROPIC_BASE_URL points to, or try again later with --resume",
            ) from error
        except DeprecationWarning as warning:  # raised by the SDK where warnings are errors
            raise ModelFailed(one_line(str(warning), 200)) from warning

    def _failure(self, error: anthropic.APIStatusError) -> Exception:
        status, said = error.status_code, self._said(error)
        if status in (401, 403):
            return CredentialsRefused(
                f"{self._at} refused access ({status}: {said}): {self._access.remedy}"
            )
        if status == 404:
            return ModelFailed(
                f'{self._at} knows no model "{self.model}" (404): check --model or BWA_MODEL, '
                "and ANTHROPIC_BASE_URL if it is set"
            )
        if status in RETRIED or status >= 500:
            remedy = "run fewer samples at a time (-n), or finish later with --resume"
            if status != 429:
                remedy = "try again later with --resume"
            wait = retry_after(error.response.headers.get("retry-after", ""))
            return TransientFault(f"{self._at} answered {status} ({said})", remedy, wait)
        return ModelFailed(f"{self._at} refused the request ({status}: {said})")

    def _said(self, error: anthropic.APIStatusError) -> str:
        """The server's own words in short, without the key should it repeat it; of a web page
        that a gateway sent instead, nothing."""
        body = error.body
        words = error.api_message
        if words is None and isinstance(body, dict):
            words = body.get("error") or body.get("message")
        if not isinstance(words, str) or not words.strip():
            return "no reason given"
        return one_line(self._access.masked(words), 200)


def _root(error: anthropic.APIConnectionError) -> str:
    """The words of what went wrong first: "Connection refused", not "Connection error"."""
    if isinstance(error, anthropic.APITimeoutError):
        return f"no connection within {CONNECT_SECONDS:g} s"
    words, cause = str(error), error.__cause__
    while cause is not None:
        words, cause = str(cause) or words, cause.__cause__ or cause.__context__
    return one_line(words, 200)
