"""What an Allure result says of a sample: description, labels, titles and types. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from pytest_bwa.evidence.record import Judgment, SampleResult
from pytest_bwa.proof.flagging import why_flagged
from pytest_bwa.reports.allure_report.status import KNOWN_BAD, known_bad
from pytest_bwa.reports.base import FinishedSample
from pytest_bwa.reports.handover.words import ending_in_words
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Step, Usage
from pytest_bwa.steps.text import dollars, text_or_json

MAX_CHARACTERS = 500
"""Maximum characters of one value in a test's description; result.json has the whole value."""
MAX_TITLE = 160
"""Maximum characters of a step's title, so that it fits on one line."""
TRACE = "application/vnd.allure.playwright-trace"
"""The type by which Allure 3 opens a trace of Playwright."""
_TYPES = {
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    "webp": "image/webp", "svg": "image/svg+xml", "webm": "video/webm", "mp4": "video/mp4",
    "json": "application/json", "csv": "text/csv", "tsv": "text/tab-separated-values",
    "txt": "text/plain", "xml": "application/xml", "html": "text/html", "pdf": "application/pdf",
    "zip": "application/zip",
}  # fmt: skip
"""By the ending of a name; the system's own list differs from one machine to the next."""


def labels(finished: FinishedSample, audit: str = "") -> Iterator[tuple[str, str]]:
    """The labels by which Allure groups: the audit (its task, unless ``audit`` names it), then how
    the sample ended."""
    task, result = finished.task, finished.result
    is_excused = known_bad(finished) and not (result.passed or result.broken)
    ending = KNOWN_BAD if is_excused else ending_in_words(result)
    pairs = {
        "epic": task.title,
        "parentSuite": "pytest-bwa",
        "suite": audit or task.task_id,
        "subSuite": ending,
        "feature": audit or task.task_id,
        "story": ending,
        "severity": task.severity,
        "owner": result.policy,
    }
    yield from ((name, value) for name, value in pairs.items() if value)
    tags = [*task.controls, *result.review_marks, *(["reviewed"] if finished.reviews else [])]
    yield from (("tag", tag) for tag in tags)


def summary(finished: FinishedSample) -> str:
    """The test's description in Markdown: status, reason, values, judgment, cost and reviews."""
    result = finished.result
    reason = f": {_literal(result.reason)}" if result.reason else ""
    status = f"**{ending_in_words(result)}**{reason}"
    if flagged := why_flagged(result):
        status += f"\n\n**flagged**: {_literal(flagged)}"
    if excuse := known_bad(finished):
        status += f"\n\n**{KNOWN_BAD}**: {_literal(excuse)}"
    values = [f"- {name}: {_literal(value)}" for name, value in result.extracted.items()]
    values += _judgment_summary(result, finished.task)
    cost = f"cost: {cost_text(result.usage)}"
    reviews = [f"- reviewed: {_literal(review.sentence)}" for review in finished.reviews]
    parts = [status, "\n".join(values), cost, "\n".join(reviews)]
    return "\n\n".join(part for part in parts if part)


def cost_text(usage: Usage) -> str:
    """What model calls cost: ``$0.0123 in 5 model calls``."""
    if not usage.calls:
        return "no model calls"
    return f"{dollars(usage.cost_usd)} in {usage.calls} model calls"


def _judgment_summary(result: SampleResult, task: TaskSpec) -> list[str]:
    if result.judgment is None:
        return []
    answer = f"- judgment: {result.judgment.answer} ({result.judgment.confidence:g})"
    lines = judgment_lines(result.judgment, task)
    return [answer, *(f"- judgment {name}: {_literal(value)}" for name, value in lines)]


def judgment_lines(judgment: Judgment, task: TaskSpec) -> list[tuple[str, str]]:
    """The question, the reasoning, and the extra keys of the judgment."""
    extra = judgment.model_extra or {}
    lines = [
        ("question", task.judgment_question or ""),
        ("reasoning", judgment.reasoning),
        *((key, text_or_json(value)) for key, value in extra.items()),
    ]
    return [(name, value) for name, value in lines if value]


def _literal(value: Any) -> str:
    """A value as code, so that text of a page never becomes Markdown or HTML in the report."""
    if value is None:
        return "–"
    return "`" + " ".join(text_or_json(value).replace("`", "'").split())[:MAX_CHARACTERS] + "`"


def title(step: Step) -> str:
    """Action and target. An element's number means nothing to a reader: show the result instead."""
    target = step.params.get("url") or step.params.get("label") or step.params.get("selector") or ""
    if not target or target.strip("[]").isdigit():
        target = f"– {step.result.split(';')[0]}" if step.result else ""
    return f"{step.step} · {step.action} {target}".strip()[:MAX_TITLE]


def without_quotes(value: str) -> str:
    """The text of a parameter that allure-pytest has written as Python code."""
    try:
        text = ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return value
    return text if isinstance(text, str) else value


def type_of(filename: str) -> tuple[str, str]:
    """The media type of a file, and the ending for a copy of it."""
    extension = filename.rpartition(".")[2].lower() if "." in filename else ""
    if filename.endswith("trace.zip"):
        return TRACE, extension
    return _TYPES.get(extension, "application/octet-stream"), extension[:8] or "bin"
