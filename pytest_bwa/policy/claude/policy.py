"""The claude policy: decides with the Anthropic Messages API, or any server that speaks it.

Importing this module loads the Anthropic SDK, which takes two seconds: import it only when needed.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pytest_bwa.errors import CredentialsRefused, ModelFailed, ModelServerNotice
from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.policy.claude.call import Call
from pytest_bwa.policy.claude.client import MessagesClient
from pytest_bwa.policy.claude.other_calls import (
    ClaudeDistiller,
    ClaudeFinalizer,
    ClaudeSummarizer,
    ClaudeVision,
)
from pytest_bwa.policy.claude.prompt import decision_request, fixed_parts
from pytest_bwa.policy.claude.response import Response, read_decision
from pytest_bwa.policy.model_servers import served_model
from pytest_bwa.settings import Settings
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Decision, Tool


class ClaudePolicy:
    """Decides with one model on one server, and with a fallback model if one is configured.

    ``task_template`` still has its placeholders, so that the part of the prompt that is the same
    for every sample can be separated from the part that differs.
    """

    name = "claude"
    reads_labelled_values = False

    def __init__(self, settings: Settings, task_template: TaskSpec, tools: Sequence[Tool]) -> None:
        self.model = settings.model
        self._task_template = task_template
        self._tools = tuple(tools)
        self._reflection_mode = settings.reflection_mode
        self._sees_pictures = settings.vision == "auto"
        self._max_actions = settings.max_actions_per_step if settings.enable_multi_actions else 1
        self._settings = settings
        self._clients: dict[str, MessagesClient] = {}
        self._primary = self._client(settings.model)
        fallback = settings.fallback_llm_model
        has_fallback = settings.enable_fallback_llm and fallback != settings.model
        self._fallback = self._client(fallback) if has_fallback else None
        self._context_window = min(
            client.context_window() for client in (self._primary, self._fallback) if client
        )
        self.helpers = self._make_helpers(settings)

    def decide(self, turn: Turn) -> Decision:
        """Ask the model, or the fallback model, and read the actions from its reply."""
        turn, tools = self._with_tools(turn)
        content = self._request(turn, tools)
        call = Call("decision", content, self.model)
        with call.attached_to_errors():
            reply, client, note = self._ask_with_fallback(content, turn)
            call.received(reply.blocks(), reply.model or client.model)
            decision = read_decision(reply, tools, client.model, turn.max_actions)
        notes = [note] if note else []
        for notice in client.take_notices():
            notes.append(notice)
            _warn(notice)
        return replace(decision, notes=(*notes, *decision.notes), exchange=call.exchange)

    def request(self, turn: Turn) -> dict[str, Any]:
        """What the model is sent for a decision: ``system``, ``messages`` and ``tools``."""
        return self._request(*self._with_tools(turn))

    def _request(self, turn: Turn, tools: Sequence[Tool]) -> dict[str, Any]:
        return decision_request(
            self._task_template,
            turn,
            tools,
            context_window=self._context_window,
            reflection=self._reflection_mode,
        )

    def _with_tools(self, turn: Turn) -> tuple[Turn, list[Tool]]:
        tools = [tool for tool in self._tools if turn.allows(tool.name) and self._can_use(tool)]
        names = [tool.name for tool in tools]
        return replace(turn, max_actions=self._max_actions, allowed=names), tools

    def _fixed_tokens(self, turn: Turn) -> int:
        """The tokens of what the prompt of this decision has besides its message."""
        return fixed_parts(self._task_template, *self._with_tools(turn), self._reflection_mode)[2]

    def _can_use(self, tool: Tool) -> bool:
        """Only a model that sees pictures is offered to look at one."""
        return tool.name != "look" or (self._sees_pictures and self._primary.sees_pictures)

    def close(self) -> None:
        for client in self._clients.values():
            client.close()

    def _ask_with_fallback(
        self, content: dict[str, Any], turn: Turn
    ) -> tuple[Response, MessagesClient, str]:
        """The reply, the client that received it, and a note if the fallback model was used."""
        start, seconds = time.monotonic(), turn.seconds_left
        # A model that is forced to call a tool writes no text before the call.
        options: dict[str, Any] = {
            "parallel": self._max_actions > 1,
            "forced": self._reflection_mode == "light",
        }
        try:
            reply = self._primary.ask(content, seconds, meanwhile=turn.meanwhile, **options)
            return reply, self._primary, ""
        except ModelFailed as error:
            if self._fallback is None:
                raise
            left = None if seconds is None else seconds - (time.monotonic() - start)
            try:
                reply = self._fallback.ask(content, left, tries=1, **options)
            except (ModelFailed, CredentialsRefused) as second:  # only the first may stop the run
                both = f"{error}; the fallback model {self._fallback.model} failed too: {second}"
                is_passing = error.is_passing or getattr(second, "is_passing", False)
                raise ModelFailed(both, is_passing=is_passing) from second
            note = f"{self.model} failed ({error}), so {self._fallback.model} decided"
            return reply, self._fallback, note

    def _make_helpers(self, settings: Settings) -> ModelHelpers:
        finalizer = ClaudeFinalizer(
            self._task_template,
            self._tools,
            self._primary,
            self._fallback,
            self._context_window,
        )
        vision_model = None
        if settings.vision == "auto":
            vision_model = ClaudeVision(self._client(settings.vision_model or settings.model))
        fast = self._client(_fast_model(settings))
        return ModelHelpers(
            summarizer=ClaudeSummarizer(fast, self._context_window, self._fixed_tokens),
            distiller=ClaudeDistiller(fast) if settings.enable_memory_distillation else None,
            finalizer=finalizer if settings.finalize_on_failure else None,
            vision_model=vision_model,
        )

    def _client(self, model: str) -> MessagesClient:
        """The one client for this model, whatever it is used for."""
        if model not in self._clients:
            self._clients[model] = MessagesClient(self._settings, model)
        return self._clients[model]


def _warn(notice: str) -> None:
    """Show the notice in pytest's summary, once. Where warnings are errors, the log has it."""
    with suppress(ModelServerNotice):
        warnings.warn(notice, ModelServerNotice, stacklevel=2)


def _fast_model(settings: Settings) -> str:
    """A model on a server of its own needs no second server for its summaries."""
    is_chosen = "fast_model" in settings.model_fields_set
    is_served = served_model(settings.model, settings.model_servers).url
    return settings.model if is_served and not is_chosen else settings.fast_model
