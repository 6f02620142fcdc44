"""From an audit to pytest items: parameters, and the files that a marker binds."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_bwa.errors import AuditFinding, InputError, SampleBroken
from pytest_bwa.steps.text import show_controls

if TYPE_CHECKING:
    from pytest_bwa.audit.audits import Audit
    from pytest_bwa.audit.plan import Plan
    from pytest_bwa.reports.base import FinishedSample

NO_TASK = "no audit: pass --task FILE (and --samples FILE), or bind one with @pytest.mark.bwa"
NO_SAMPLE = [pytest.param("", id="no-task", marks=pytest.mark.skip(reason=NO_TASK))]
"""The parameter of an audit test without a task: it is skipped and says what to pass."""
HTML_EXTRAS = pytest.StashKey[list[object]]()
EVIDENCE_LINK = "evidence"
"""The name of the extra that leads to a sample's page."""
WHERE_KEPT = "bwa_kept_in"
"""The attribute of a report that says where an attempt lies when there is another one."""
REFUSAL_PREFIX = "bwa: "
"""By this the controller recognizes what a worker refused."""
NOT_NOW = [pytest.param("", id="bound-to-its-own-audit")]
"""The parameter of a bound test while ``--task`` runs another audit: it is deselected."""
FINISHED: pytest.StashKey[FinishedSample] = pytest.StashKey()
"""The sample that a test ran, once it has its result."""

_IS_FOLLOWED = pytest.StashKey[bool]()


def sample_parameters(audit: Audit, plan: Plan) -> list[Any]:
    """One parameter for each sample, in the order of the list. Where a recipe is to be learnt, the
    first are those that teach it best."""
    bad = audit.known_bad()
    samples = audit.with_teachers_first() if plan.recipe == "learn" else audit.samples.samples
    return [_sample_parameter(s.sample_id, bad.get(s.sample_id)) for s in samples]


def _sample_parameter(sample_id: str, known_bad: str | None) -> Any:
    """``known_bad`` is the reason why the sample is expected to fail."""
    if known_bad is None:
        return pytest.param(sample_id, id=sample_id)
    mark = pytest.mark.xfail(strict=True, raises=AuditFinding, reason=known_bad)
    return pytest.param(sample_id, id=sample_id, marks=mark)


def not_run(audit: Audit) -> Any:
    """The parameter of an audit that has only a list: a discovery spec, or a listing that is not
    walked while pytest only collects; or of a shard that has no sample."""
    samples, shard = audit.samples, audit.record.shard
    reason = f"{len(samples.samples)} samples were found: audit them with --task SPEC --samples "
    reason = (
        f"{reason}{samples.source}" if samples.samples else f"the samples are in {samples.source}"
    )
    if shard is not None and not samples.samples:
        reason = f"the shard {shard.shard} has no sample: the list has {shard.rows}"
    return pytest.param("", id="discovery", marks=pytest.mark.skip(reason=reason))


def takes_samples(metafunc: pytest.Metafunc) -> bool:
    """Whether the test is run once for each sample: it uses the agent or the marker. Any other
    ``sample`` is the user's own, and so is one that the test itself lists."""
    names, definition = metafunc.fixturenames, metafunc.definition
    is_audit = "browser_agent" in names or definition.get_closest_marker("bwa") is not None
    if not is_audit or "sample" not in names:
        return False
    return not any("sample" in _names_of(mark) for mark in definition.iter_markers("parametrize"))


def _names_of(parametrize: pytest.Mark) -> Sequence[str]:
    names = parametrize.kwargs.get("argnames", parametrize.args[0] if parametrize.args else ())
    return [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)


def refusal(refusals: list[str], problem: str) -> str:
    """Keep the problem; returns it with the prefix for the controller."""
    refusals.append(problem)
    return f"{REFUSAL_PREFIX}{show_controls(problem)}"


def needless_placeholders(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The tests that wait for ``--task``, unless nothing else runs: then one of them says so."""
    waiting = [item for item in items if _is_placeholder(item)]
    return waiting if len(waiting) < len(items) else []


def _is_placeholder(item: pytest.Item) -> bool:
    return any(mark.kwargs.get("reason") == NO_TASK for mark in item.iter_markers("skip"))


def deselect(
    config: pytest.Config, items: list[pytest.Item], unwanted: Sequence[pytest.Item]
) -> None:
    """Take items out of the run, and have pytest count them."""
    if unwanted:
        config.hook.pytest_deselected(items=list(unwanted))
        left_out = set(unwanted)
        items[:] = [item for item in items if item not in left_out]


def put_audits_last(items: list[pytest.Item]) -> None:
    """Run the tests that are coroutines first. From its first use to the end of the session,
    Playwright keeps an event loop in this thread, and no other one can run there."""
    if any(inspect.iscoroutinefunction(getattr(item, "function", None)) for item in items):
        items.sort(key=is_audit_test)


def is_audit_test(item: pytest.Item) -> bool:
    names = getattr(item, "fixturenames", ())
    has_marker = item.get_closest_marker("bwa") is not None
    return "sample" in names and ("browser_agent" in names or has_marker)


def bound_files(item: Any, marker: pytest.Mark) -> tuple[Path, Path | None]:
    """The marker's paths, relative to the module, else to the rootdir."""
    arguments = dict(zip(("task", "samples"), marker.args, strict=False)) | dict(marker.kwargs)
    unknown = set(arguments) - {"task", "samples"}
    if unknown or not arguments.get("task"):
        raise InputError(f"{item.nodeid}: @pytest.mark.bwa takes task=… and samples=…")
    paths = {key: _bound_file(item, str(value)) for key, value in arguments.items() if value}
    return paths["task"], paths.get("samples")


def binds(test: Any, spec: str) -> bool:
    """Whether the test's marker names this spec."""
    marker = test.get_closest_marker("bwa")
    return marker is not None and str(bound_files(test, marker)[0]) == spec


def tests_of_others(
    items: Sequence[pytest.Item], is_resumed: Callable[[pytest.Item], bool]
) -> list[pytest.Item]:
    """The tests that do not run the audit of the command line: those that bind one of their own;
    or all but those that bind the very audit that is resumed."""
    tests = [item for item in items if is_audit_test(item)]
    if any(map(is_resumed, tests)):
        return [item for item in tests if not is_resumed(item)]
    return [item for item in tests if item.get_closest_marker("bwa")]


def check_bound_once(task_id: str, test: str, other: str) -> None:
    """A sample has one folder and one result. Raises InputError for a second test that would write
    them again."""
    if test != other:
        raise InputError(
            f'{test}: {other} binds the task "{task_id}", too: check all in one test, or give one '
            "spec another task_id"
        )


def _bound_file(item: Any, name: str) -> Path:
    candidates: tuple[Path, Path] = (item.path.parent / name, item.config.rootpath / name)
    return next((path.resolve() for path in candidates if path.is_file()), candidates[0])


def remember_next(item: pytest.Item, following: pytest.Item | None) -> None:
    """Remember whether this process runs the same test for another sample after this item."""
    function = getattr(item, "function", None)
    is_same = function is not None and getattr(following, "function", None) is function
    item.stash[_IS_FOLLOWED] = is_same


def is_followed(item: pytest.Item) -> bool:
    """Whether this process runs the same test for another sample next."""
    return item.stash.get(_IS_FOLLOWED, False)


def add_extras(item: pytest.Item, report: pytest.TestReport) -> None:
    """Hand pytest-html what the reports have for it; nobody else reads this attribute. A test that
    is run again has others."""
    if report.when == "call" and (extras := item.stash.get(HTML_EXTRAS, [])):
        from pytest_bwa.evidence.writer import next_attempt  # no test without an audit needs it

        vars(report)["extras"] = [*getattr(report, "extras", []), *extras]
        finished = item.stash[FINISHED]
        place = finished.run.sample(finished.result.sample_id)
        setattr(report, WHERE_KEPT, next_attempt(place).relative_to(place).as_posix())
        del item.stash[HTML_EXTRAS]


def lead_to_attempt(report: pytest.TestReport) -> None:
    """Let the link of a test that is run again lead to where its evidence will be: the next attempt
    takes its place."""
    where: str | None = getattr(report, WHERE_KEPT, None)
    if report.outcome != "rerun" or where is None:  # type: ignore[comparison-overlap]
        return
    for extra in getattr(report, "extras", []):
        if extra.get("name") == EVIDENCE_LINK:
            folder, _, page = str(extra["content"]).rpartition("/")
            extra["content"] = f"{folder}/{where}/{page}"


def shorten_report(call: pytest.CallInfo[None], report: pytest.TestReport) -> pytest.TestReport:
    """Show a finding by its message, without a traceback through our code."""
    if call.excinfo is not None and call.excinfo.errisinstance((AuditFinding, SampleBroken)):
        message = call.excinfo.getrepr(style="value")
        if message.reprcrash is not None:
            message.reprcrash.message = str(call.excinfo.value).splitlines()[0]
        report.longrepr = message
    return report
