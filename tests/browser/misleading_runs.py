"""Runs the cases of ``misleading_cases`` and judges the results."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs

from local_site import Request, Site
from misleading_cases import Case
from playwright.sync_api import Browser

from pytest_bwa.audit.audits import open_option_audit
from pytest_bwa.audit.composition import WorkerContext
from pytest_bwa.audit.plan import Plan
from pytest_bwa.audit.run import run_sample
from pytest_bwa.browser.sample_page import CONTEXT
from pytest_bwa.browser.watchdog import Watchdog
from pytest_bwa.errors import AuditFinding, SampleBroken
from pytest_bwa.evidence.record import SampleResult, Status
from pytest_bwa.policy.base import Policy
from pytest_bwa.policy.registry import POLICIES
from pytest_bwa.settings import Settings

READING = frozenset({"GET", "HEAD"})
ENDED: tuple[Status, ...] = ("done", "needs_review")
KINDS = ("right", "marked", "caught", "silent", "wrong", "wrote")
Kind = Literal["right", "marked", "caught", "silent", "wrong", "wrote"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """``right``: done with the true values, or not done with a wrong one where the page does not
    tell the value. ``marked``: the true values, which a person must look at. ``caught``: the same
    with one that is not true. ``silent``: a value that the page tells is missing. ``wrong``: done
    with a value that is not true, or without the page's confirmation. ``wrote``: a request that the
    spec did not allow."""

    case: Case
    kind: Kind
    result: SampleResult
    why: str = ""
    seconds: float = 0

    def is_lost_in_silence(self) -> bool:
        """Whether a value that the page tells is null in a ``done`` that nobody will look at."""
        lost = [n for n, v in self.case.expected.items() if v is not None]
        is_lost = any(self.result.extracted.get(name) is None for name in lost)
        return self.result.status == "done" and is_lost and not self.result.flagged

    def line(self) -> str:
        got = {name: self.result.extracted.get(name) for name in self.case.expected}
        why = f"  {self.why}" if self.why else ""
        return (
            f"{self.kind:7}{self.seconds:5.1f} s  {self.case.name:44}{self.result.status:16}"
            f"{json.dumps(got, ensure_ascii=False)}{why}"
        )


def run_case(
    case: Case, browser: Browser, folder: Path, settings: Settings, policy: Policy | None = None
) -> Verdict:
    """Run the case's sample as pytest would, by default with the rules policy."""
    started = time.monotonic()
    site = Site()
    case.serve(site)
    context = browser.new_context(**CONTEXT)
    try:
        worker = make_worker(case, site, folder / case.name, settings, policy)
        sample_id = case.sample["sample_id"]
        result = run_sample(worker, sample_id, case.name, context.new_page)
    finally:
        context.close()
        site.close()
    kind, why = judge(case, result, site.received)
    return Verdict(case, kind, result, why, time.monotonic() - started)


def make_worker(
    case: Case, site: Site, folder: Path, settings: Settings, policy: Policy | None = None
) -> WorkerContext:
    """What the plugin would make of the case's spec and samples list."""
    folder.mkdir(parents=True)
    task, samples = folder / "spec.json", folder / "samples.csv"
    task.write_text(json.dumps(case.spec), "utf-8")
    with samples.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([case.sample.keys(), case.sample.values()])
    plan = Plan(folder, "run", "rules", "", task=task, samples=samples, base_url=site.url)
    audit = open_option_audit(plan, collect_only=False, ready=lambda task: None)
    assert audit is not None
    return WorkerContext(
        audit=audit,
        policy=policy or POLICIES["rules"].create(settings, audit.task, ()),
        settings=settings,
        watchdog=Watchdog(lambda: True),
        worker_id="main",
        keeps_trajectory=False,
        base_url=site.url,
    )


def judge(case: Case, result: SampleResult, received: Sequence[Request]) -> tuple[Kind, str]:
    """What the result is, and why it is not right."""
    written = [request for request in received if _writes(case, request)]
    if refused := _not_allowed(case, written):
        return "wrote", f"{refused.method} {refused.path} {refused.body}".rstrip()
    got = {name: result.extracted.get(name) for name in case.expected}
    untrue = [name for name, value in got.items() if not is_same(value, case.expected[name])]
    if result.status == "done":
        if claims := [name for name in untrue if got[name] is not None]:
            return "wrong", "the page does not say so: " + ", ".join(claims)
        if case.confirmed is False or case.broken:
            return "wrong", "the page confirms nothing"
        if case.confirmed and not written:
            return "wrong", "nothing was sent"
    if _is_broken(result) != case.broken:
        return "silent", result.reason
    told = [name for name, value in case.expected.items() if value is not None]
    if missing := [name for name in told if got[name] is None]:
        return "silent", f"no {', '.join(missing)}: {result.reason}"
    if any(name in untrue for name in told):
        return "caught", result.reason
    is_whole = len(told) == len(case.expected)  # else a person may look at what is not told
    is_right = result.status == "done" or (not is_whole and result.status in ENDED)
    return ("right" if is_right or not told else "marked"), result.reason


def _writes(case: Case, request: Request) -> bool:
    by_address = any(fnmatchcase(request.path, pattern) for pattern in case.writes)
    return request.method not in READING or by_address


def _not_allowed(case: Case, written: Sequence[Request]) -> Request | None:
    """The first request that the case does not allow, or that is sent a second time."""
    left = dict(case.sends)
    for request in written:
        fields = left.pop(f"{request.method} {request.path}", None)
        sent = {name: " / ".join(values) for name, values in parse_qs(request.body).items()}
        if fields is None or any(sent.get(name) != value for name, value in fields.items()):
            return request
    return None


def _is_broken(result: SampleResult) -> bool:
    """Whether the browser or the site failed, and not the sample."""
    try:
        result.assert_done()
    except SampleBroken:
        return True
    except AuditFinding:
        return False
    return False


def is_same(value: Any, expected: Any) -> bool:
    """Whether two values are equal: a number is no truth value and no text, and white space of a
    text does not count."""
    if isinstance(value, list) and isinstance(expected, list):
        same_length = len(value) == len(expected)
        return same_length and all(map(is_same, value, expected))
    if isinstance(value, str) and isinstance(expected, str):
        return value.split() == expected.split()
    return isinstance(value, bool) == isinstance(expected, bool) and bool(value == expected)


def table(verdicts: Sequence[Verdict]) -> str:
    """The verdicts, and how many there are of each kind."""
    counts = {kind: sum(verdict.kind == kind for verdict in verdicts) for kind in KINDS}
    total = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    seconds = sum(verdict.seconds for verdict in verdicts)
    lines = [verdict.line() for verdict in verdicts]
    return "\n".join([*lines, f"{len(verdicts)} cases in {seconds:.0f} s: {total}"])
