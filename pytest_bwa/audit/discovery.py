"""Samples that are found on pages: the spec of a walk over a listing, and what the walk found."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin

from pytest_bwa.audit import audits
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.composition import policy_for
from pytest_bwa.audit.own_browser import BrowserToLaunch, run_in_own_browser
from pytest_bwa.audit.plan import Plan
from pytest_bwa.browser.login import saved_login
from pytest_bwa.errors import InputError, SpecError
from pytest_bwa.evidence.files import make_folder, write_atomically
from pytest_bwa.evidence.folder import POPULATION, SAMPLES, RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.run_record import DiscoveryRecord
from pytest_bwa.policy.base import ModelHelpers, Policy, Turn
from pytest_bwa.policy.registry import POLICIES
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.settings import Settings
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.address_pattern import AddressPattern, pattern_of_template
from pytest_bwa.spec.load import build_task
from pytest_bwa.spec.network.responses import parse_retry_after
from pytest_bwa.spec.network.urls import url_problem
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.sample_ids import new_id, unique_id
from pytest_bwa.spec.sample_inputs import NOT_ASKED, first_url, relative_url_problem
from pytest_bwa.spec.samples import RESERVED_COLUMNS, SampleList, load_samples
from pytest_bwa.spec.task import Discover, TaskSpec
from pytest_bwa.steps.step import Decision, Step, Usage
from pytest_bwa.steps.text import one_line, visible_text

LISTING = "listing"
"""The sample_id of the walk, in its own run folder ``_discovery``."""
FIELD, TOTAL = "samples", "total"
ROLE = (
    "You collect the entries of a list. Only links to entries count: leave out navigation, "
    "footers, suggestions and links to anything else. Save the entries of each page with "
    "save_progress before you go to the next page. Go on until a page shows no entry that is new. "
    "If the list does not show what is selected by, use the site's own filter, or open the "
    "entries. Open only addresses that the task names or a page links to."
)
COUNT = f"{TOTAL} is how many entries there are by the page's own count; null if it gives none."
ENTRIES = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "sample_id": {"type": "string", "description": "short id of the entry, unique"},
            "url": {"type": "string", "description": "address of its page"},
            "text": {"type": "string", "description": "what the link says"},
        },
        "required": ["url"],
    },
}
SHARED = (
    "auth_profile", "login", "dialogs", "secrets", "totp", "redact",
    "allowed_domains", "allowed_resources", "allow_requests",
)  # fmt: skip
"""What the walk takes over from the spec whose samples it finds."""
MAX_PAGES, MAX_LISTED = 100, 5000
"""Pages of a listing that are opened, and samples that are collected from it, at most, unless the
spec says otherwise."""
STEPS_PER_PAGE, OTHER_STEPS, MAX_STEPS = 3, 30, 1000
MODEL_STEPS = 80
"""Decisions of a model at most, which cost money; each page that it turns grants further ones."""
CELL_CHARACTERS = 1000


def is_wanted(task: TaskSpec, *, asked: bool, has_samples: bool) -> bool:
    """Whether the samples must be found first: by ``--discover``, by a spec that does nothing else,
    or because a spec needs it and no list is given."""
    return asked or task.phase == "discovery" or (task.needs_discovery and not has_samples)


def listing_task(
    task: TaskSpec,
    start_url: str | None,
    source: Path | str,
    *,
    has_model: bool = False,
) -> TaskSpec:
    """The spec of the walk: the given one if it is for a discovery, else one that is made from it.
    Raises InputError if it names no listing."""
    discover = task.discover or Discover.model_validate({})
    template = None if task.phase == "discovery" else pattern_of_template(task.start_url)
    discover = discover.model_copy(
        update={
            "start_url": start_url or discover.start_url or task.start_url,
            "links": discover.links or (template[0].text if template else None),
            "max_pages": discover.max_pages or MAX_PAGES,
            "max_samples": discover.max_samples or MAX_LISTED,
        }
    )
    is_page_of_sample = task.phase == "execution" and bool(placeholders.names(task.start_url or ""))
    if not discover.start_url or (is_page_of_sample and discover.start_url == task.start_url):
        raise InputError(f"{source}: no listing to walk: pass --start-url URL")
    if problem := url_problem(placeholders.fill_text(discover.start_url, lambda _: "1")):
        raise InputError(f'--start-url: "{discover.start_url}" {problem}')
    if task.phase == "discovery":
        return _completed(task, discover, source)
    return _made_from(task, discover, source, has_model=has_model)


def _completed(task: TaskSpec, discover: Discover, source: Path | str) -> TaskSpec:
    """A user's own discovery spec, with the total, and without proof for what no page shows."""
    field = task.listing_field
    if field is None:
        raise SpecError(
            f"{source}: a discovery spec collects a list: give output_schema one array field whose "
            'items have the properties "sample_id" and "url"'
        )
    changes = {
        "start_url": discover.start_url,
        "discover": discover,
        "output_schema": {**task.output_schema, TOTAL: "integer | null"},
        "derived": [*task.derived, f"{field}.sample_id", TOTAL],
    }
    return task.model_copy(update=changes)


def _made_from(
    task: TaskSpec, discover: Discover, source: Path | str, *, has_model: bool
) -> TaskSpec:
    wanted = f"the first {discover.first} entries" if discover.first else "every entry"
    goal = discover.goal or (
        f"Collect {wanted} of this list: its address and its text. Each entry is a sample of "
        f"this task: {placeholders.fill_text(task.goal, lambda name: name)}"
    )
    steps = min(STEPS_PER_PAGE * (discover.max_pages or 1) + OTHER_STEPS, MAX_STEPS)
    content = {
        "task_id": f"{task.task_id[:90]}_discovery",
        "phase": "discovery",
        "start_url": discover.start_url,
        "system_prompt": ROLE,
        "goal": f"{goal}\n{COUNT}",
        "keywords": task.keywords,
        "output_schema": {FIELD: ENTRIES, TOTAL: "integer | null"},
        "required_fields": [FIELD],
        # The address is what must be proven; a link's short text stands nowhere near a label.
        "derived": [f"{FIELD}.sample_id", f"{FIELD}.text", TOTAL],
        "discover": discover.model_dump(),
        "max_steps": min(steps, MODEL_STEPS) if has_model else steps,
        "read_only": task.read_only or None,  # a list may be asked for by POST
        **{key: getattr(task, key) for key in SHARED},
    }
    return build_task(content, source)


def listings(task: TaskSpec, first: SampleList | None, source: Path | str) -> SampleList:
    """What is walked: one listing, or one for each row of the list that is given, whose columns
    fill the placeholders. Raises InputError if one is left."""
    if first is not None:
        placeholders.check(task, first.columns, source)
        return first
    names = placeholders.used(task)
    if names:
        is_address = names[0] in placeholders.names(task.start_url or "")
        remedy = ", or --start-url with the whole address" if is_address else ""
        raise InputError(
            f"{source}: the listing has the placeholder {{{names[0]}}}: pass --samples with a list "
            f"that has this column{remedy}"
        )
    sample = Sample(LISTING, {"sample_id": LISTING}, 2)
    digest = hashlib.sha256((task.start_url or "").encode()).hexdigest()
    return SampleList((sample,), ("sample_id",), task.start_url or "", digest)


# -- what was found ------------------------------------------------------------------------------


def found_samples(
    task: TaskSpec,
    execution: TaskSpec,
    walks: Iterable[tuple[Sample, SampleResult, Sequence[Step]]],
) -> SampleList:
    """The samples list that the walks make: each address once, ids that are unique, the columns of
    the row that the listing belongs to, and where and when each sample was found."""
    template = pattern_of_template(execution.start_url)
    rows: list[dict[str, str]] = []
    addresses: set[str] = set()
    ids: set[str] = set()
    for origin, result, steps in walks:
        for entry, step in _entries(task, result, steps):
            url = urldefrag(urljoin(step.url, str(entry.get("url") or ""))).url
            if url_problem(url) or url in addresses:
                continue
            addresses.add(url)
            text, given = str(entry.get("text") or ""), str(entry.get("sample_id") or "")
            sample_id = unique_id(given, ids) if given else new_id(url, text, ids)
            ids.add(sample_id.casefold())
            rows.append(_row(sample_id, url, entry, step, origin, template))
    columns = list(dict.fromkeys(name for row in rows for name in row))
    samples = [
        Sample(row["sample_id"], {c: row.get(c, "") for c in columns}, number)
        for number, row in enumerate(rows, start=2)
    ]
    return SampleList(tuple(samples), tuple(columns), "", "")


def _entries(
    task: TaskSpec, result: SampleResult, steps: Sequence[Step]
) -> Iterator[tuple[Mapping[str, Any], Step]]:
    """Each entry that is part of the answer, with the step that saved it."""
    field = task.listing_field or FIELD
    answer = [e for e in result.extracted.get(field) or [] if isinstance(e, Mapping)]
    saved: dict[str, Step] = {}
    for step in steps:
        for entry in (step.params.get("extracted") or {}).get(field) or []:
            if isinstance(entry, Mapping):
                saved.setdefault(str(entry.get("url")), step)
    wanted = task.discover.first if task.discover else None
    for entry in answer[:wanted] if steps else ():
        yield entry, saved.get(str(entry.get("url")), steps[-1])


def _row(
    sample_id: str,
    url: str,
    entry: Mapping[str, Any],
    step: Step,
    origin: Sample,
    template: tuple[AddressPattern, Sequence[str]] | None,
) -> dict[str, str]:
    row = {"sample_id": sample_id, "url": url}
    if template and (parts := template[0].parts(url)):
        row |= {
            name: part for name, part in zip(template[1], parts, strict=True) if name not in row
        }
    row |= {k: _cell(v) for k, v in entry.items() if k not in row and _is_plain(v)}
    row |= {k: v for k, v in origin.columns.items() if k not in RESERVED_COLUMNS}
    row |= {"discovered_at": step.timestamp, "discovered_on": step.url}
    return row


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _cell(value: Any) -> str:
    """Text from a page on one line, in characters that a file can hold."""
    text = "" if value is None else str(value)
    return one_line(visible_text(text).replace("\0", ""), CELL_CHARACTERS).strip()


def discovery_record(
    samples: SampleList, results: Sequence[SampleResult], urls: Sequence[str]
) -> DiscoveryRecord:
    """What run.json says of the walks."""
    totals = [result.extracted.get(TOTAL) for result in results]
    is_counted = all(isinstance(total, int) for total in totals)
    return DiscoveryRecord(
        listings=list(urls),
        found=len(samples.samples),
        counted=sum(total for total in totals if total) if is_counted else None,
        problems=[one_line(r.reason, 300) for r in results if r.status != "done"],
        notes=[one_line(note, 300) for r in results if r.status == "done" for note in r.notes],
    )


BUSY = frozenset({429, 503})
MAX_WAIT = 60.0
"""Seconds that a site may ask for; what it asks for beyond is not waited for."""
_MOVES = frozenset({"goto", "click", "scroll", "back"})


class PacedPolicy:
    """Decides like another policy, with at least ``pause`` seconds between two moves, and between
    a page that came and the move from it. Of several moves in one decision, the first is made."""

    reads_labelled_values: bool
    helpers: ModelHelpers

    def __init__(
        self, policy: Policy, pause: float, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        self._policy, self._pause, self._sleep = policy, pause, sleep
        self.name, self.model = policy.name, policy.model
        self.reads_labelled_values, self.helpers = policy.reads_labelled_values, policy.helpers
        self._next_move = 0.0
        self._has_come = True
        """Whether a page came since the last decision."""
        self._asked_for: float | None = None

    def add_response(self, status: int, retry_after: str | None) -> None:
        """Note that a page came, and what the server said of it."""
        self._has_come = True
        if status in BUSY:
            self._asked_for = parse_retry_after(retry_after or "")

    def decide(self, turn: Turn) -> Decision:
        if turn.observation.http_status in BUSY:
            asked = self._pause if self._asked_for is None else self._asked_for
            self._sleep(min(max(asked, self._pause), MAX_WAIT))
            self._asked_for = None
        if self._has_come:
            self._next_move, self._has_come = time.monotonic() + self._pause, False
        decision = self._policy.decide(turn)
        moves = [n for n, action in enumerate(decision.actions) if action.action in _MOVES]
        if moves:
            self._sleep(max(0.0, self._next_move - time.monotonic()))
            self._next_move = time.monotonic() + self._pause
        if len(moves) > 1:
            return replace(decision, actions=decision.actions[: moves[1]])
        return decision

    def close(self) -> None:
        self._policy.close()


FOLDER = "_discovery"
PLANNED_SAMPLES = "discovered_samples.csv"
REASON_CHARACTERS = 500


def discovers(plan: Plan) -> bool:
    """Whether the samples of ``--task`` must be found first. Raises InputError."""
    if plan.task is None or plan.resume:
        return False
    task = audits.read_task(plan, plan.task)
    if plan.url is not None:
        if task.phase == "discovery":
            raise InputError(f"{plan.task}: it walks a listing: pass --start-url instead of --url")
        return False
    return is_wanted(task, asked=plan.discover, has_samples=plan.samples is not None)


def undiscovered(plan: Plan) -> Audit:
    """The audit while pytest only collects: its samples are not found then."""
    assert plan.task is not None
    task = audits.read_task(plan, plan.task)
    samples = SampleList((), ("sample_id",), "a listing, which is walked when the run begins", "")
    return Audit(task, samples, audits.new_record(plan, task, plan.task, samples))


def discover(
    plan: Plan,
    settings: Settings,
    browser: BrowserToLaunch,
    base_url: str | None,
    planned: RunFolder | None = None,
) -> Audit:
    """The audit of ``--task`` over what its listing shows, with its run folder; ``planned`` is the
    folder of a task that was planned. Raises BwaError if nothing can be found."""
    assert plan.task is not None
    task = audits.read_task(plan, plan.task)
    has_model = POLICIES[plan.policy].needs_model
    walk = listing_task(task, plan.start_url, plan.task, has_model=has_model)
    first = load_samples(plan.samples, walk, spec=plan.task) if plan.samples else None
    lists = listings(walk, first, plan.task)
    if problem := relative_url_problem(walk, lists.samples, base_url, NOT_ASKED):
        raise InputError(problem)
    saved_login(settings.home, task.auth_profile)
    folder = planned or RunFolder.create(plan.evidence, plan.run_id)
    own = RunFolder(folder.path / FOLDER)
    make_folder(own.path)
    record = audits.new_record(plan, walk, plan.task, lists)
    audit = audits.written(Audit(walk, lists, record), own)
    results = _walk(audit, settings, browser, base_url)
    steps = [own.steps(result.sample_id) for result in results]
    found = found_samples(walk, task, zip(lists.samples, results, steps, strict=True))
    urls = _addresses(walk, audit, base_url)
    if not found.samples:
        why = one_line(results[0].reason or "the list is empty", REASON_CHARACTERS)
        raise InputError(f"no sample was found at {urls[0]}: {why} (evidence: {own.path})")
    # Of a shard and of a draw, samples.csv has only its own samples.
    name = POPULATION if plan.draw else PLANNED_SAMPLES if plan.shard else SAMPLES
    for each in {SAMPLES, name, *([PLANNED_SAMPLES] if planned else [])}:
        write_atomically(folder.path / each, found.to_csv().encode())
    made = audits.read_audit(plan, plan.task, folder.path / name)
    summary = discovery_record(found, results, urls)
    usage = sum((result.usage for result in results), Usage())
    changes = {"discovery": summary, "preparation_usage": usage}
    record = made.record.model_copy(update=changes)
    return audits.written(Audit(made.task, made.samples, record), folder)


def _addresses(walk: TaskSpec, audit: Audit, base_url: str | None) -> list[str]:
    """Where each walk began."""
    tasks = [(placeholders.fill(walk, sample), sample) for sample in audit.samples.samples]
    return [first_url(task, sample, base_url) or "" for task, sample in tasks]


def _walk(
    audit: Audit, settings: Settings, to_launch: BrowserToLaunch, base_url: str | None
) -> list[SampleResult]:
    """The results of all listings, one after the other in one browser."""
    assert audit.folder is not None
    inner = policy_for(audit.record.policy, settings, audit.task)
    policy = PacedPolicy(inner, settings.discovery_pause)
    try:
        results = run_in_own_browser(
            audit, policy, settings, to_launch, base_url, on_document=policy.add_response
        )
    finally:
        policy.close()
    finish_run(audit.folder, 0 if all(r.status == "done" for r in results) else 1, "")
    return results
