"""The trajectory of a run as one static HTML page: no script, no server, no network.

Every text of a page or a model is escaped, and the page's Content-Security-Policy allows nothing
but its own style and the pictures beside it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Iterator
from html import escape
from pathlib import Path
from urllib.parse import quote

from pytest_bwa.evidence.trajectory import describe
from pytest_bwa.evidence.trajectory.reader import (
    RecordedCall,
    RecordedSample,
    RecordedStep,
    TrajectoryReader,
)
from pytest_bwa.evidence.trajectory.result_file import read_result_file
from pytest_bwa.steps.text import one_line, show_controls

LINE_CHARACTERS = 200
_STYLE = """
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:88rem;padding:0 1rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f5f5f3;padding:.6rem;margin:.3rem 0;
font-size:13px;max-height:34rem;overflow:auto}
summary{cursor:pointer;padding:.25rem 0}details details{margin-left:1rem}
.sample{border-top:1px solid #ccc}.failed{color:#a40000}.quiet{color:#666}
.step{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:1rem;margin-left:1rem}
img{max-width:100%;border:1px solid #ccc}h3{font-size:14px;margin:.7rem 0 0}
"""


def page_lines(reader: TrajectoryReader, run: Path, out: Path) -> Iterator[str]:
    """The whole page; its links to pictures are relative to ``out``. Raises InputError."""
    folder = Path(os.path.relpath(run.resolve(), out.resolve().parent)).as_posix()
    page = _Page("" if folder == "." else f"{quote(folder)}/")
    yield from _head(run.name)
    yield from page.samples(reader, run)
    yield from page.shared_texts()
    yield "</body></html>"


def _head(run: str) -> Iterator[str]:
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src 'self' file:; "
        "base-uri 'none'; form-action 'none'"
    )
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
    yield f"<title>{_text(run)}</title><style>{_STYLE}</style></head><body>"
    yield f"<h1>{_text(run)}</h1>"


class _Page:
    """Collects the texts that many steps share, so that each stands in the page once."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._shared: dict[str, int] = {}

    def samples(self, reader: TrajectoryReader, run: Path) -> Iterator[str]:
        for sample in reader.samples():
            steps = reader.steps(sample)
            result = read_result_file(run, sample.sample_id)
            yield f'<details class="sample"><summary>{_heading(sample, steps)}</summary>'
            yield _pre("goal", sample.goal)
            for step in steps:
                pictures = [f"{result.place}/{name}" for name in result.pictures_of(step)]
                yield from self._step(step, pictures)
            yield _pre("result", json.dumps(sample.extracted, ensure_ascii=False, indent=2))
            yield _pre("where the values were seen", "\n".join(result.values_seen()))
            yield "</details>"

    def shared_texts(self) -> Iterator[str]:
        if self._shared:
            yield "<h2>What many decisions were sent</h2>"
        for text, number in self._shared.items():
            begin = one_line(text.strip(), 80)
            yield f'<details><summary>{number}: {_text(begin)}</summary><pre id="text-{number}">'
            yield f"{_text(text)}</pre></details>"

    def _step(self, step: RecordedStep, pictures: list[str]) -> Iterator[str]:
        """``pictures`` are relative to the folder of the run."""
        mark = "" if step.record.get("success") else ' class="failed"'
        action = one_line(describe.action(step), LINE_CHARACTERS)
        result = one_line(describe.result(step), LINE_CHARACTERS)
        cost = describe.cost(step.decision)
        yield f"<details><summary{mark}>step {step.step}: {_text(action)} → {_text(result)} "
        yield f'<span class="quiet">{step.seconds:.1f} s {cost}</span></summary>'
        yield '<div class="step"><div>'
        for call in step.other_calls:
            yield from self._call(call)
        if step.decision is not None:
            yield from self._call(step.decision)
        else:
            yield _folded("the page before", describe.page_text(step))
        yield _pre("reason", step.record.get("thinking") or "")
        yield _pre("action", describe.action(step))
        yield _pre("result", describe.result(step))
        yield _pre("changes", describe.changes(step))
        yield "</div><div>"
        for path in pictures:
            address, name = escape(self._folder + quote(path)), path.rpartition("/")[2]
            yield f'<p>{_text(name)}</p><a href="{address}">'
            yield f'<img loading="lazy" src="{address}" alt="{_text(name)}"></a>'
        yield "</div></div></details>"

    def _call(self, call: RecordedCall) -> Iterator[str]:
        yield f"<h3>{_text(call.purpose)}: {_text(describe.usage(call))}</h3>"
        tools = [json.dumps(call.tools, ensure_ascii=False, indent=1)] if call.tools else []
        numbers = [
            self._shared.setdefault(t, len(self._shared) + 1) for t in [*call.system, *tools]
        ]
        links = ", ".join(f'<a href="#text-{number}">{number}</a>' for number in numbers)
        yield f'<p class="quiet">system prompt and tools: {links}</p>' if links else ""
        yield _folded("message", describe.user_text(call))
        yield _pre("reply", describe.reply_text(call))
        yield _pre("not used", call.error or "")


def _heading(sample: RecordedSample, steps: list[RecordedStep]) -> str:
    mark = "" if sample.status in ("done", "") else ' class="failed"'
    seconds = sum(step.seconds for step in steps)
    reason = one_line(sample.reason, LINE_CHARACTERS)
    return (
        f"<b>{_text(sample.sample_id)}</b> <span{mark}>{_text(describe.ending(sample))}</span> "
        f'<span class="quiet">{len(steps)} steps, {seconds:.1f} s {_text(reason)}</span>'
    )


def _folded(title: str, text: str) -> str:
    return f"<details><summary>{_text(title)}</summary><pre>{_text(text)}</pre></details>"


def _pre(title: str, text: str) -> str:
    return f"<h3>{_text(title)}</h3><pre>{_text(text)}</pre>" if text else ""


def _text(text: str) -> str:
    """Text of a page or a model: escaped, its control characters shown."""
    return escape(show_controls(text))
