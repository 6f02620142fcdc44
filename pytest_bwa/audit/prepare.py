"""Before a run: plan the task given in plain language, find the samples, show the plan."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

from pytest_bwa.audit import audits, discovery, recordings
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.discovery import discover, discovers, undiscovered
from pytest_bwa.audit.own_browser import BrowserToLaunch
from pytest_bwa.audit.plan import Plan
from pytest_bwa.audit.planner import TEMPLATE, TaskPlan, make_plan
from pytest_bwa.browser.login import saved_login
from pytest_bwa.errors import InputError, ResumeRefused
from pytest_bwa.evidence.files import write_atomically, write_json
from pytest_bwa.evidence.folder import SAMPLES, RunFolder, find_run, runs_in
from pytest_bwa.policy.registry import planner_for
from pytest_bwa.settings import Settings
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.load import build_task
from pytest_bwa.spec.messages import quote_value
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.sample_inputs import first_url
from pytest_bwa.spec.samples import SampleList, check_columns, check_header, read_samples
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Usage
from pytest_bwa.steps.text import dollars, one_line

GENERATED = "generated_task_spec.json"
THE_PLAN = "the plan"
"""How messages call a spec that has no file yet."""
WRITES = "plan: IT WRITES: forms may be filled and sent (read_only: false)"


@dataclass(frozen=True, slots=True)
class Prepared:
    """The plan with its task, and the run folder and what was planned if a model planned it."""

    plan: Plan
    folder: RunFolder | None = None
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    """What it cost to plan."""


def planned(
    plan: Plan, settings: Settings, announce: Callable[[str], object] = lambda line: None
) -> Prepared:
    """The plan with the task that a model made of ``--prompt``, written into a new run folder; with
    ``--resume``, the run that has it. Without a prompt it stays as it is. ``announce`` gets a line
    for what takes time. Raises InputError."""
    if plan.prompt is None:
        return Prepared(plan)
    if plan.resume is not None:
        return Prepared(replace(plan, resume=str(_run_of_prompt(plan).path)))
    planner = planner_for(settings)
    if planner is None:
        raise InputError(
            "--prompt needs a model to plan the task: set ANTHROPIC_API_KEY (or ANTHROPIC_BASE_URL "
            "for a local server). Or write a spec and pass it with --task: tasks/_template.yaml "
            f"has every key, and a small one is:\n{TEMPLATE}"
        )
    announce("planning the task of --prompt")
    check = _PlanCheck(plan, settings)
    try:
        made = make_plan(planner, _request(plan), check)
    finally:
        planner.close()
    folder = RunFolder.create(plan.evidence, plan.run_id)
    write_json(folder.path / GENERATED, made.spec)
    samples = plan.samples
    if made.samples and samples is None:
        samples = folder.path / SAMPLES
        write_atomically(samples, _list_of(made.samples).to_csv().encode())
    with_task = replace(plan, task=folder.path / GENERATED, samples=samples)
    notes = (_how_it_was_made(made), *plan_lines(with_task, settings), *check.warnings)
    return Prepared(with_task, folder, notes, made.usage)


def _run_of_prompt(plan: Plan) -> RunFolder:
    """The run to resume, which was planned from this prompt. Raises InputError."""
    asked = one_line(plan.prompt or "")
    if plan.resume == audits.LATEST:
        for folder, record in runs_in(plan.evidence):
            if one_line(record.prompt or "") == asked:
                return folder
        raise InputError(f"no run in {plan.evidence} was planned from this --prompt")
    folder = find_run(plan.evidence, plan.resume or "")
    planned_from = folder.record().prompt
    if one_line(planned_from or "") != asked:
        other = f"planned from {quote_value(planned_from)}" if planned_from else "not planned"
        raise ResumeRefused(
            f"{folder.path} cannot be resumed with this --prompt: it was {other}. Leave --prompt "
            "out to continue it, or leave --resume out to start a new run"
        )
    return folder


def open_audit(
    prepared: Prepared,
    settings: Settings,
    browser: BrowserToLaunch | None,
    base_url: str | None,
    announce: Callable[[str], object] = lambda line: None,
) -> Audit | None:
    """The audit of the command line; its samples are discovered first if that is asked for.
    ``browser`` is None while pytest only collects."""
    plan = prepared.plan
    if discovers(plan):
        if browser is None:
            return undiscovered(plan)
        announce("walking the listing to find the samples")
        found = discover(plan, settings, browser, base_url, prepared.folder)
        return _with_cost(found, prepared.usage)

    def ready(task: TaskSpec) -> object:
        return saved_login(settings.home, task.auth_profile)

    collect_only = browser is None
    if plan.replay and not plan.resume:
        return recordings.open_audit(plan, collect_only=collect_only, ready=ready)
    audit = audits.open_option_audit(
        plan, collect_only=collect_only, ready=ready, folder=prepared.folder
    )
    return audit and _with_cost(audit, prepared.usage)


def _with_cost(audit: Audit, usage: Usage) -> Audit:
    """The audit, whose run.json also counts what the plan cost."""
    if audit.folder is None or not usage.calls:
        return audit
    so_far = audit.folder.record().preparation_usage
    return replace(audit, record=audit.folder.update(preparation_usage=so_far + usage))


def _request(plan: Plan) -> str:
    """The prompt, with what the command line gives beside it."""
    parts = [plan.prompt or ""]
    if plan.samples:
        columns = ", ".join(read_samples(plan.samples, keep=tuple).columns)
        parts.append(f"The samples are given, in a list with the columns {columns}.")
    if plan.url:
        parts.append(f"There is one sample, the page {plan.url}; its column url has the address.")
    if plan.start_url:
        parts.append(f"The samples are listed at {plan.start_url}: needs_discovery is true.")
    return "\n".join(parts)


class _PlanCheck:
    """Checks a spec and samples that a model planned. An address that does not exist is refused
    once: the model may correct it, and only the run can tell whether the sample is missing."""

    def __init__(self, plan: Plan, settings: Settings) -> None:
        self._plan, self._settings = plan, settings
        self._is_first = True
        self.warnings: list[str] = []

    def __call__(self, spec: dict[str, Any], rows: Sequence[dict[str, str]]) -> None:
        """Raises InputError."""
        url = _check(self._plan, self._settings, spec, rows) or ""
        status = status_if_gone(url)
        is_first, self._is_first = self._is_first, False
        if status is None:
            return
        if is_first:
            raise InputError(
                f"the first address, {url}, answers HTTP {status}. If its parts were joined in a "
                "way that the request does not mean, correct it; if it is what the request says, "
                "give the same plan again"
            )
        self.warnings = [f"warning: the first address, {url}, answers HTTP {status}"]


def _check(
    plan: Plan, settings: Settings, spec: dict[str, Any], rows: Sequence[dict[str, str]]
) -> str | None:
    """The address that is opened first. Raises InputError for a plan that would be refused if it
    stood in files."""
    task = build_task(spec, THE_PLAN)
    if task.phase != "execution":
        raise InputError(f"{THE_PLAN}: phase: leave it out; needs_discovery finds the samples")
    given = plan.samples is not None or bool(rows)
    if plan.url is None and discovery.is_wanted(task, asked=plan.discover, has_samples=given):
        walk = discovery.listing_task(task, plan.start_url, THE_PLAN)
        discovery.listings(walk, None, THE_PLAN)
        return walk.start_url
    if rows and plan.samples is None:
        samples = _list_of(rows)
        check_header(Path(THE_PLAN), samples.columns, task)
        placeholders.check(task, samples.columns, THE_PLAN)
        check_columns(Path(THE_PLAN), samples.columns, samples.samples, task)
    else:
        samples = audits.samples_of(plan, task, Path(THE_PLAN), plan.samples)
    first = next(iter(samples.samples), None)
    if first is None:
        return None
    return first_url(placeholders.fill(task, first), first, plan.base_url)


def _list_of(rows: Sequence[dict[str, str]]) -> SampleList:
    columns = tuple(dict.fromkeys(["sample_id", *(name for row in rows for name in row)]))
    samples = [Sample(row["sample_id"], row, number) for number, row in enumerate(rows, start=2)]
    return SampleList(tuple(samples), columns, THE_PLAN, "")


def _how_it_was_made(made: TaskPlan) -> str:
    cost = "cost unknown" if made.usage.cost_usd is None else dollars(made.usage.cost_usd)
    calls = f"{made.usage.calls} call{'s' if made.usage.calls != 1 else ''}"
    return f"plan: made by {made.model} from --prompt ({calls}, {cost})"


# -- the plan in words ---------------------------------------------------------------------------


def plan_lines(plan: Plan, settings: Settings) -> list[str]:
    """What a run would do, for a person to read before it. Raises InputError."""
    assert plan.task is not None
    task = audits.read_task(plan, plan.task)
    if discovers(plan):
        walk = discovery.listing_task(task, plan.start_url, plan.task)
        form = walk.discover.links if walk.discover else None
        samples = f"found at {walk.start_url}" + (f", by links to {form}" if form else "")
        decisions = f"{task.max_steps} for each sample"
    else:
        audit = audits.read_audit(plan, plan.task, plan.samples)
        number = len(audit.samples.samples)
        names = ", ".join(s.sample_id for s in audit.samples.samples[:5])
        samples = f"{number} ({names}{', …' if number > 5 else ''})"
        if shard := audit.samples.shard:
            samples += f", which is the shard {shard.shard} of {shard.rows}"
        decisions = f"{number * task.max_steps} ({task.max_steps} for each sample)"
    return [
        f"plan: task {task.task_id}: {task.goal}",
        f"plan: fields {_fields(task)}",
        f"plan: samples {samples}",
        f"plan: decisions at most {decisions}",
        "plan: it only reads" if task.read_only is not False else WRITES,
        f"plan: spec {plan.task}",
        *_login_lines(task, settings),
    ]


def _login_lines(task: TaskSpec, settings: Settings) -> Iterator[str]:
    """A plan may be read on another machine than the run's, so a missing login is no error yet."""
    if login := task.login:
        yield f"plan: it signs in at {login.url} ({', '.join(login.fields)})"
    try:
        saved_login(settings.home, task.auth_profile)
    except InputError as problem:
        yield f"warning: {problem}; without it the run is refused"


def _fields(task: TaskSpec) -> str:
    if not task.output_schema:
        return "none; pictures and files " + ", ".join(task.required_artifacts)
    required = set(task.required_fields)
    return ", ".join(f"{n} (required)" if n in required else n for n in task.output_schema)


SECONDS = 10.0
_GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})


def status_if_gone(url: str) -> int | None:
    """The HTTP status of an address that does not exist; None if it does, or if that is not
    known."""
    if not url.startswith(("http://", "https://")):
        return None
    request = urllib.request.Request(url, headers={"User-Agent": "Mozilla/5.0 (pytest-bwa)"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS):
            return None
    except HTTPError as answer:
        answer.close()
        return answer.code if answer.code in _GONE else None
    except (OSError, ValueError):  # refused, no such host, TLS, no address at all: the run says it
        return None
