"""The walk over a listing, once and before all tests: an ordinary run in a folder of its own."""

from __future__ import annotations

from pytest_bwa.audit import audits
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.composition import policy_for
from pytest_bwa.audit.plan import Plan
from pytest_bwa.audit.planning import discovery
from pytest_bwa.audit.planning.pacing import PacedPolicy
from pytest_bwa.audit.preparation.own_browser import BrowserToLaunch, run_in_own_browser
from pytest_bwa.browser.login import saved_login
from pytest_bwa.errors import InputError
from pytest_bwa.evidence.files import make_folder, write_atomically
from pytest_bwa.evidence.folder import SAMPLES, RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.policy.registry import POLICIES
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.settings import Settings
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.sample_inputs import NOT_ASKED, first_url, relative_url_problem
from pytest_bwa.spec.samples import SampleList, load_samples
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Usage
from pytest_bwa.steps.text import one_line

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
    return discovery.is_wanted(task, asked=plan.discover, has_samples=plan.samples is not None)


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
    walk = discovery.listing_task(task, plan.start_url, settings, plan.task, has_model=has_model)
    first = load_samples(plan.samples, walk, spec=plan.task) if plan.samples else None
    lists = discovery.listings(walk, first, plan.task)
    if problem := relative_url_problem(walk, lists.samples, base_url, NOT_ASKED):
        raise InputError(problem)
    saved_login(settings, task.auth_profile)
    folder = planned or RunFolder.create(plan.evidence, plan.run_id)
    own = RunFolder(folder.path / FOLDER)
    make_folder(own.path)
    record = audits.new_record(plan, walk, plan.task, lists)
    audit = audits.written(Audit(walk, lists, record), own)
    results = _walk(audit, settings, browser, base_url)
    steps = [own.steps(result.sample_id) for result in results]
    found = discovery.found_samples(walk, task, zip(lists.samples, results, steps, strict=True))
    urls = _addresses(walk, audit, base_url)
    if not found.samples:
        why = one_line(results[0].reason or "the list is empty", REASON_CHARACTERS)
        raise InputError(f"no sample was found at {urls[0]}: {why} (evidence: {own.path})")
    for name in (SAMPLES, *([PLANNED_SAMPLES] if planned or plan.shard else [])):
        write_atomically(folder.path / name, found.to_csv().encode())
    # Of a shard, samples.csv has only its own samples.
    listed = folder.path / (PLANNED_SAMPLES if plan.shard else SAMPLES)
    made = audits.read_audit(plan, plan.task, listed)
    summary = discovery.discovery_record(found, results, urls)
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
