"""Words for what is recorded, which the terminal and the page share."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_bwa.evidence.grounding import Grounding, leaves_in
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.trajectory.reader import RecordedCall, RecordedSample, RecordedStep
from pytest_bwa.steps.artifacts import is_picture
from pytest_bwa.steps.text import dollars, text_or_json


def ending(sample: RecordedSample) -> str:
    if not sample.status:
        return "not finished"
    is_plain = sample.outcome in ("found", "other", "")
    return sample.status if is_plain else f"{sample.status} ({sample.outcome})"


def action(step: RecordedStep) -> str:
    """What was decided: ``click [3] [link] "linux"``."""
    return action_text(step.record)


def action_text(record: Mapping[str, Any]) -> str:
    params = dict(record.get("params") or {})
    words = [str(record["action"])]
    target = record.get("target")
    selector = params.pop("selector", None)
    if selector is not None:
        words.append(f"[{selector}]" if str(selector).isdigit() else json.dumps(selector))
    if target:
        words.append(f'[{target["role"]}] "{target["name"]}"')
    words += [f"{name}={text_or_json(value)}" for name, value in params.items()]
    return " ".join(words)


def result(step: RecordedStep) -> str:
    record = step.record
    failed = not record.get("success")
    return f"failed: {record.get('error') or record['result']}" if failed else record["result"]


def cost(call: RecordedCall | None) -> str:
    """What a call cost; empty without one."""
    return "" if call is None else dollars(call.usage["cost_usd"])


def usage(call: RecordedCall) -> str:
    tokens = f"{call.usage['input_tokens'] or 0:,} tokens in, {call.usage['output_tokens'] or 0:,}"
    return f"{call.model}, {call.seconds:.1f} s, {tokens} out, cost {cost(call)}"


def user_text(call: RecordedCall) -> str:
    """The messages that were sent, without the system prompt."""
    return "\n\n".join(plain_text(message["content"]) for message in call.messages)


def reply_text(call: RecordedCall) -> str:
    """The answer: its words, then each call of a tool with its input."""
    if not call.reply:
        return "(no answer)"
    parts = [plain_text([block]) for block in call.reply if block.get("type") != "tool_use"]
    parts += [
        f"{block.get('name')} {json.dumps(block.get('input'), ensure_ascii=False)}"
        for block in call.reply
        if block.get("type") == "tool_use"
    ]
    return "\n".join(filter(None, parts))


def page_text(step: RecordedStep) -> str:
    """What the page showed before the step."""
    page = step.before
    lines = [f"URL: {page.url}", f"Title: {page.title}", page.lines]
    if page.labelled:
        lines += ["", "Its labelled values (kind | label | value):", page.labelled]
    return "\n".join(lines)


def changes(step: RecordedStep) -> str:
    verdict = step.verdict
    return "not compared" if verdict is None else verdict.get("summary") or "nothing changed"


def plain_text(content: Any) -> str:
    """The text of a message; a picture is named in its place."""
    if isinstance(content, str):
        return content
    parts = []
    for block in content:
        if block.get("type") == "image":
            parts.append(f"({block.get('media_type', 'a picture')}, {block.get('bytes')} bytes)")
        elif text := block.get("text") or block.get("thinking"):
            parts.append(str(text))
    return "\n".join(parts)


def pictures_of(step: RecordedStep, result: SampleResult | None) -> list[str]:
    """File names in the sample's folder: the pictures taken in this step, else one of the same
    state of the page."""
    pictures = [a for a in (result.artifacts if result else ()) if is_picture(a.filename)]
    own = [a.filename for a in pictures if a.step == step.step]
    if is_picture(artifact := step.record.get("artifact")):
        own.append(str(artifact))
    states = [state for state in (step.before.state, step.after.state) if state]
    same = [a.filename for state in states for a in pictures if a.page_state == state]
    return list(dict.fromkeys(own or same[:1]))


def values_seen(result: SampleResult) -> Iterator[str]:
    """One line for each value: ``department: verbatim, cited, step 2, 01_record.png``."""
    for name, tree in result.grounding.items():
        for path, seen in leaves_in(name, tree):
            step = "" if seen.step is None else f"step {seen.step}"
            places = (seen.how, seen.rule, "cited" if seen.cited else "", step, seen.artifact)
            yield f"{path}: {', '.join(filter(None, places))}{_doubted(seen)}"


def _doubted(seen: Grounding) -> str:
    """The codes of what speaks against a value, each with its detail; empty if nothing does."""
    details = seen.against
    codes = [f"{c} ({details[c]})" if c in details else c for c in seen.doubts]
    return f"; doubted: {', '.join(codes)}" if codes else ""
