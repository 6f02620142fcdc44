"""From an audit to pytest items: parameters, and the files that a marker binds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_bwa.errors import AuditFinding, InputError, SampleBroken
from pytest_bwa.reports.base import FinishedSample
from pytest_bwa.spec.samples import SampleList

NO_TASK = "no audit: pass --task FILE (and --samples FILE), or bind one with @pytest.mark.bwa"
NO_SAMPLE = [pytest.param("", id="no-task", marks=pytest.mark.skip(reason=NO_TASK))]
"""The parameter of an audit test without a task: it is skipped and says what to pass."""
NOT_NOW = [pytest.param("", id="bound-to-its-own-audit")]
"""The parameter of a bound test while ``--task`` runs another audit: it is deselected."""
FINISHED = pytest.StashKey[FinishedSample]()
"""The sample that a test ran, once it has its result."""


def sample_parameter(sample_id: str, known_bad: str | None) -> Any:
    """``known_bad`` is the reason why the sample is expected to fail."""
    if known_bad is None:
        return pytest.param(sample_id, id=sample_id)
    mark = pytest.mark.xfail(strict=True, raises=AuditFinding, reason=known_bad)
    return pytest.param(sample_id, id=sample_id, marks=mark)


def not_run(samples: SampleList) -> Any:
    """The parameter of an audit that has only a list: a discovery spec, or a listing that is not
    walked while pytest only collects."""
    reason = f"{len(samples.samples)} samples were found: audit them with --task SPEC --samples "
    reason = (
        f"{reason}{samples.source}" if samples.samples else f"the samples are in {samples.source}"
    )
    return pytest.param("", id="discovery", marks=pytest.mark.skip(reason=reason))


def is_audit_test(item: pytest.Item) -> bool:
    return "sample" in getattr(item, "fixturenames", ())


def bound_files(item: Any, marker: pytest.Mark) -> tuple[Path, Path | None]:
    """The marker's paths, relative to the module, else to the rootdir."""
    arguments = dict(zip(("task", "samples"), marker.args, strict=False)) | dict(marker.kwargs)
    unknown = set(arguments) - {"task", "samples"}
    if unknown or not arguments.get("task"):
        raise InputError(f"{item.nodeid}: @pytest.mark.bwa takes task=… and samples=…")
    paths = {key: _bound_file(item, str(value)) for key, value in arguments.items() if value}
    return paths["task"], paths.get("samples")


def _bound_file(item: Any, name: str) -> Path:
    candidates: tuple[Path, Path] = (item.path.parent / name, item.config.rootpath / name)
    return next((path.resolve() for path in candidates if path.is_file()), candidates[0])


def without_bound(items: list[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The items that bind no audit, and those that do."""
    bound = [i for i in items if is_audit_test(i) and i.get_closest_marker("bwa")]
    return [i for i in items if i not in set(bound)], bound


def shorten_report(call: pytest.CallInfo[None], report: pytest.TestReport) -> pytest.TestReport:
    """Show a finding by its message, without a traceback through our code."""
    if call.excinfo is not None and call.excinfo.errisinstance((AuditFinding, SampleBroken)):
        message = call.excinfo.getrepr(style="value")
        if message.reprcrash is not None:
            message.reprcrash.message = str(call.excinfo.value).splitlines()[0]
        report.longrepr = message
    return report
