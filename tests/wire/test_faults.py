"""Every way in which a server can fail: the call ends on time, with a helpful reason."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from pytest_bwa.errors import (
    CredentialsRefused,
    DecisionUnusable,
    LimitReached,
    ModelFailed,
)
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.claude import client
from pytest_bwa.policy.claude.policy import ClaudePolicy
from pytest_bwa.steps.step import Usage
from wire.conftest import KEY, OFFERED
from wire.messages_server import (
    Answer,
    MessagesServer,
    call,
    drip,
    error,
    hang_up,
    html,
    malformed,
    message,
    refusing_url,
    text_only,
    tool_use,
    wrong_shape,
)

Policies = Callable[..., ClaudePolicy]
Turns = Callable[..., Turn]
CLICK = tool_use("click", selector="1")
MAX_SECONDS = 100.0
"""Seconds: less than the policy's deadline here (300 s), but enough for the busiest machine."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    started = time.monotonic()
    yield
    assert time.monotonic() - started < seconds


def failure(policy: ClaudePolicy, turn: Turn, *, is_passing: bool) -> str:
    with within(MAX_SECONDS), pytest.raises(ModelFailed) as caught:
        policy.decide(turn)
    assert caught.value.is_passing is is_passing
    return str(caught.value)


# -- failures that are retried -----------------------------------------------------------------

RETRIED = {
    "408": error(408, "timeout_error"),
    "409": error(409, "conflict_error"),
    "429": error(429, "rate_limit_error"),
    "429 with retry-after": error(429, "rate_limit_error", retry_after="0.05"),
    "500 with HTML": html(500),
    "502 with HTML": html(502),
    "503": error(503, "api_error"),
    "529": error(529, "overloaded_error"),
    "malformed JSON": malformed(),
    "JSON that is not a message": wrong_shape(),
    "JSON of another type": Answer(body=b"[]"),
    "200 with HTML": html(200),
    "an empty body": Answer(body=b""),
    "connection closed in the middle": hang_up(),
}


@pytest.mark.parametrize("fault", RETRIED.values(), ids=RETRIED)
def test_a_temporary_fault_is_retried(
    server: MessagesServer, policy: Policies, turn: Turns, fault: Answer
) -> None:
    server.script([fault, fault, CLICK])
    with within(MAX_SECONDS):
        decision = policy().decide(turn())
    assert decision.actions[0].params() == {"selector": "1"}
    assert decision.usage.calls == 1
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (
            error(429, "rate_limit_error", "too many tokens"),
            "answered 429 (too many tokens), after 3 tries: run fewer samples at a time (-n), or "
            "finish later with --resume",
        ),
        (html(500), "answered 500 (no reason given), after 3 tries: try again later with --resume"),
        (
            error(529, "overloaded_error", "Overloaded"),
            "answered 529 (Overloaded), after 3 tries: try again later with --resume",
        ),
        (
            malformed(),
            "answered with something that is not a Messages API message, after 3 tries: check what "
            "ANTHROPIC_BASE_URL points to, or try again later with --resume",
        ),
    ],
    ids=["429", "500", "529", "malformed"],
)
def test_the_reason_says_what_to_do(
    server: MessagesServer, policy: Policies, turn: Turns, fault: Answer, reason: str
) -> None:
    server.script([fault])
    assert failure(policy(), turn(), is_passing=True) == f"{server.url} {reason}"
    assert len(server.requests) == 3


def test_the_pause_between_tries_doubles(
    server: MessagesServer, policy: Policies, turn: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "FIRST_PAUSE", 0.2)
    times: list[float] = []

    def answer(_: object) -> Answer:
        times.append(time.monotonic())
        return CLICK if len(times) == 3 else error(529, "overloaded_error")

    server.script(answer)
    policy(BWA_MODEL_DEADLINE=300).decide(turn())
    assert times[1] - times[0] >= 0.2
    assert times[2] - times[1] >= 0.4


def test_no_pause_goes_past_the_deadline(
    server: MessagesServer, policy: Policies, turn: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "FIRST_PAUSE", 3.0)
    server.script([error(529, "overloaded_error")])
    assert ", after 1 try: " in failure(policy(), turn(seconds_left=2.0), is_passing=True)


# -- retry-after -------------------------------------------------------------------------------


def in_a_day() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(days=1), usegmt=True)


def test_a_short_retry_after_is_honoured(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([error(429, "rate_limit_error", retry_after="0.5"), CLICK])
    started = time.monotonic()
    policy().decide(turn())
    assert time.monotonic() - started >= 0.5


@pytest.mark.parametrize("wait", [lambda: "86400", in_a_day], ids=["seconds", "date"])
def test_a_retry_after_of_a_day_ends_at_once(
    server: MessagesServer, policy: Policies, turn: Turns, wait: Callable[[], str]
) -> None:
    server.script([error(429, "rate_limit_error", "daily limit", retry_after=wait())])
    reason = failure(policy(), turn(), is_passing=False)
    assert "answered 429 (daily limit) and asked to wait 86" in reason
    assert "(Retry-After), longer than the 300 s that one decision may take: run fewer" in reason
    assert len(server.requests) == 1


@pytest.mark.parametrize("wait", ["soon", "nan", "-3", "", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_an_unusable_retry_after_is_ignored(
    server: MessagesServer, policy: Policies, turn: Turns, wait: str
) -> None:
    server.script([error(429, "rate_limit_error", retry_after=wait), CLICK])
    with within(MAX_SECONDS):
        policy().decide(turn())
    assert len(server.requests) == 2


# -- failures that are not retried -------------------------------------------------------------


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize(
    ("settings", "remedy"),
    [
        ({}, "check ANTHROPIC_API_KEY"),
        ({"ANTHROPIC_API_KEY": None, "ANTHROPIC_AUTH_TOKEN": "tok"}, "check ANTHROPIC_AUTH_TOKEN"),
        ({"ANTHROPIC_API_KEY": None}, "it requires a key, so set ANTHROPIC_API_KEY"),
    ],
    ids=["key", "token", "none"],
)
def test_refused_credentials_stop_the_run_at_once(
    server: MessagesServer,
    policy: Policies,
    turn: Turns,
    status: int,
    settings: dict[str, str | None],
    remedy: str,
) -> None:
    server.script([error(status, "authentication_error", f"invalid key {KEY}\nsee the docs")])
    with within(MAX_SECONDS), pytest.raises(CredentialsRefused) as caught:
        policy(**settings).decide(turn())
    line = str(caught.value)
    assert line.startswith(f"{server.url} refused access ({status}: invalid key ")
    assert line.endswith(f": {remedy}")
    assert "\n" not in line
    assert len(server.requests) == 1


def test_the_key_is_masked(server: MessagesServer, policy: Policies, turn: Turns) -> None:
    server.script([error(400, "invalid_request_error", f"bad key {KEY}")])
    assert "bad key ***" in failure(policy(), turn(), is_passing=False)


def test_an_unknown_model_is_named(server: MessagesServer, policy: Policies, turn: Turns) -> None:
    server.script([error(404, "not_found_error", "model: claude-typo")])
    reason = failure(policy(BWA_MODEL="claude-typo"), turn(), is_passing=False)
    assert 'does not know the model "claude-typo" (404): check --model or BWA_MODEL' in reason
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "text"),
    [(400, "Your credit balance is too low"), (402, "Billing"), (413, "Request too large")],
)
def test_other_refusals_are_not_retried(
    server: MessagesServer, policy: Policies, turn: Turns, status: int, text: str
) -> None:
    server.script([error(status, "invalid_request_error", text)])
    assert failure(policy(), turn(), is_passing=False).endswith(
        f"refused the request ({status}: {text})"
    )
    assert len(server.requests) == 1


def test_the_error_format_of_a_local_server(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([Answer(400, b'{"error": "llama runner has crashed"}')])
    assert "(400: llama runner has crashed)" in failure(policy(), turn(), is_passing=False)


def test_a_refused_connection(policy: Policies, turn: Turns) -> None:
    with refusing_url() as url:
        reason = failure(policy(ANTHROPIC_BASE_URL=url), turn(), is_passing=True)
    assert reason.startswith(f"{url} could not be reached or closed the connection (")
    assert "111" in reason
    assert "after 3 tries: check the network, and ANTHROPIC_BASE_URL if it is set" in reason


# -- deadlines ---------------------------------------------------------------------------------


def test_a_dripping_answer_is_ended_on_time(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([drip()])
    claude = policy(BWA_MODEL_DEADLINE=2)
    with within(MAX_SECONDS), pytest.raises(ModelFailed) as caught:
        claude.decide(turn())
    assert str(caught.value) == (
        f"{server.url} did not send a complete answer within 2 s: try again later with "
        "--resume, or raise BWA_MODEL_DEADLINE"
    )
    assert server.dropped.wait(60), "the connection is still open"
    assert len(server.requests) == 1


def test_the_samples_time_shortens_the_deadline(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([drip()])
    with within(MAX_SECONDS), pytest.raises(LimitReached, match="max_time_seconds"):
        policy().decide(turn(seconds_left=0.4))
    # A busy machine may end the call before the server has received it.
    assert server.dropped.wait(60) or not server.requests


def test_without_time_no_request_is_sent(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    with within(MAX_SECONDS), pytest.raises(LimitReached):
        policy().decide(turn(seconds_left=0.0))
    assert server.requests == []


def test_the_deadline_is_for_all_tries_together(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([error(529, "overloaded_error"), error(529, "overloaded_error"), drip()])
    with (
        within(MAX_SECONDS),
        pytest.raises(ModelFailed, match=r"not send a complete answer within 4 s"),
    ):
        policy(BWA_MODEL_DEADLINE=4).decide(turn())
    assert len(server.requests) == 3


def test_no_thread_is_left_behind(server: MessagesServer, policy: Policies, turn: Turns) -> None:
    def thread_names() -> list[str]:
        return sorted(t.name for t in threading.enumerate() if t.name.startswith(("bwa", "async")))

    claude = policy()
    server.script([CLICK])
    claude.decide(turn())
    before = thread_names()
    server.script([drip()])
    for _ in range(3):
        with pytest.raises(LimitReached):
            claude.decide(turn(seconds_left=0.3))
    assert thread_names() == before
    assert before.count("bwa-claude") == 1
    server.script([CLICK])
    assert claude.decide(turn()).actions, "the event loop still works after the drips"


def test_an_interrupt_cancels_the_call(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    received = threading.Event()

    def answer(_: object) -> Answer:
        received.set()
        return drip()

    def interrupt() -> None:
        received.wait(MAX_SECONDS)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    server.script(answer)
    claude = policy(BWA_MODEL_DEADLINE=300)
    thread = threading.Thread(target=interrupt)
    thread.start()
    with within(MAX_SECONDS), pytest.raises(KeyboardInterrupt):
        claude.decide(turn())
    thread.join()
    assert server.dropped.wait(60), "the call continued after the interrupt"


# -- unusable replies --------------------------------------------------------------------------


def unusable(policy: ClaudePolicy, turn: Turn) -> DecisionUnusable:
    with within(MAX_SECONDS), pytest.raises(DecisionUnusable) as caught:
        policy.decide(turn)
    return caught.value


UNUSABLE = {
    "text without a tool call": (
        text_only("I would\nclick."),
        'The reply ("I would click.") contained no tool call: answer with a tool call.',
    ),
    "nothing at all": (
        message(),
        "The reply contained no tool call: answer with a tool call.",
    ),
    "an unknown stop_reason and no call": (
        text_only("Hm.", stop_reason="gave_up"),
        'The reply ("Hm.") contained no tool call: answer with a tool call.',
    ),
    "cut off": (
        text_only("Let me think", stop_reason="max_tokens"),
        "The reply was cut off at its token limit before the tool call was "
        "complete: think less and answer with one short tool call.",
    ),
    "a call that was cut off": (
        tool_use("done", extracted={}, stop_reason="max_tokens"),
        "The reply was cut off at its token limit before the tool call was "
        "complete: think less and answer with one short tool call.",
    ),
    "a missing parameter": (
        tool_use("type", selector="4"),
        "The input of \"type\" cannot be used: 'text' is a required property; its parameters are "
        "selector, text, enter (required: selector, text).",
    ),
    "an unknown parameter": (
        tool_use("click", selector="4", colour="red"),
        "The input of \"click\" cannot be used: Additional properties are not allowed ('colour' "
        "was unexpected); its parameters are selector, count, button, x, y (required: "
        "selector).",
    ),
    "input that is not an object": (
        message(call("click", "4"), stop_reason="tool_use"),
        'The input of "click" is not a JSON object: send a JSON object.',
    ),
    "an unknown tool": (
        tool_use("teleport", selector="4"),
        f'The tool "teleport" is not available now: call one of {", ".join(OFFERED)}.',
    ),
}


@pytest.mark.parametrize(("reply", "sentence"), UNUSABLE.values(), ids=UNUSABLE)
def test_an_unusable_reply_says_what_to_correct(
    server: MessagesServer, policy: Policies, turn: Turns, reply: Answer, sentence: str
) -> None:
    server.script([reply])
    problem = unusable(policy(), turn())
    assert str(problem) == sentence
    assert len(server.requests) == 1, "the agent's loop asks again, not the policy"
    assert isinstance(problem.usage, Usage)
    assert problem.usage.cost_usd == pytest.approx(0.0056)


def test_a_tool_that_is_not_allowed(server: MessagesServer, policy: Policies, turn: Turns) -> None:
    problem = unusable(policy(), turn(allowed=("done", "fail")))
    assert str(problem) == 'The tool "click" is not available now: call one of done, fail.'


@pytest.mark.parametrize(
    ("stop_reason", "remedy"),
    [
        (
            "refusal",
            "reword the spec's goal or system_prompt, or choose another model with --model",
        ),
        ("model_context_window_exceeded", "choose a model with a larger one with --model"),
    ],
)
@pytest.mark.parametrize("with_call", [False, True])
def test_failures_that_asking_again_cannot_correct(
    server: MessagesServer,
    policy: Policies,
    turn: Turns,
    stop_reason: str,
    remedy: str,
    with_call: bool,
) -> None:
    with_tool_call = tool_use("click", selector="1", stop_reason=stop_reason)
    server.script([with_tool_call if with_call else text_only("No.", stop_reason=stop_reason)])
    with pytest.raises(ModelFailed) as caught:
        policy().decide(turn())
    assert remedy in str(caught.value)
    assert isinstance(caught.value.usage, Usage)
    assert caught.value.usage.calls == 1


# -- unusual replies that are accepted ---------------------------------------------------------


@pytest.mark.parametrize("stop_reason", ["pause_turn", "end_turn", "stop", "who_knows"])
def test_a_valid_call_is_accepted_with_any_stop_reason(
    server: MessagesServer, policy: Policies, turn: Turns, stop_reason: str
) -> None:
    server.script([tool_use("click", selector="1", stop_reason=stop_reason)])
    assert policy().decide(turn()).actions[0].action == "click"


def test_numbers_as_text_and_nulls_are_accepted(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script(
        [
            tool_use("type", selector=4, text=2026),
            tool_use("save_progress", extracted={}, note=None),
        ]
    )
    claude = policy()
    assert claude.decide(turn()).actions[0].params() == {"selector": "4", "text": "2026"}
    assert claude.decide(turn()).actions[0].params() == {"extracted": {}}


def test_reflection_is_read_from_the_parameters_too(
    server: MessagesServer, policy: Policies, turn: Turns
) -> None:
    server.script([tool_use("click", selector="1", next_goal="see the profile")])
    assert policy().decide(turn()).actions[0].next_goal == "see the profile"
