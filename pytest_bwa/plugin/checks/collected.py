"""What is wrong with the items that were collected, before the first of them runs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pytest_bwa.errors import BwaError, InputError
from pytest_bwa.plugin.checks import base_url
from pytest_bwa.plugin.items import bound_files, is_audit_test, refusal
from pytest_bwa.steps.text import show_controls

if TYPE_CHECKING:
    from pytest_bwa.audit.audits import Audit
    from pytest_bwa.plugin.session import Session


class SampleItem(NamedTuple):
    """An item, and the sample that it runs as far as its parameters say it."""

    item: pytest.Item
    audit: Audit
    sample_id: str


def open_audits(session: pytest.Session, audits: Session, refusals: list[str]) -> None:
    """Make the run folders of the audits that the items bind, if all of them can run. If not, a
    worker takes them out and tells the controller why; in the only process this raises
    UsageError."""
    try:
        _check_items(session, audits)
        audits.open_bound_audits(session.items)
    except BwaError as problem:
        if not hasattr(session.config, "workerinput"):
            raise pytest.UsageError(show_controls(str(problem))) from None
        session.items.clear()
        # A report of the collection is what brings the reason to the controller.
        why = refusal(refusals, str(problem))
        report = pytest.CollectReport(session.nodeid, "failed", why, [])
        session.config.hook.pytest_collectreport(report=report)


def _check_items(session: pytest.Session, audits: Session) -> None:
    """Raises InputError."""
    found = list(_sample_items(session.items, audits))
    problem = _sample_in_two_items(found)
    if not session.config.option.collectonly:
        problem = problem or base_url.problem(found, audits.base_url)
    if problem:
        raise InputError(problem)


def _sample_items(items: Iterable[pytest.Item], audits: Session) -> Iterable[SampleItem]:
    for item in items:
        callspec = getattr(item, "callspec", None)
        name = str(callspec.params.get("sample", "")) if callspec is not None else ""
        if not name or not is_audit_test(item) or item.get_closest_marker("skip"):
            continue
        marker, audit = item.get_closest_marker("bwa"), audits.audit
        if audit is None and marker is not None:
            audit = audits.bound.get(bound_files(item, marker))
        if audit is not None:
            yield SampleItem(item, audit, name)


def _sample_in_two_items(found: Iterable[SampleItem]) -> str:
    """Names two items that would run the same sample; empty if there are none. Whatever multiplied
    them (another parametrization, a plugin, a subclass, a second test), the second would replace
    what the first has left: a sample has one folder, one row and one count."""
    known: dict[Hashable, pytest.Item] = {}
    for item, audit, name in found:
        other = known.setdefault((audit.task.task_id, name), item)
        if other is not item:
            return (
                f"the sample {name} is in two tests, {other.nodeid} and {item.nodeid}, and a run "
                "has one folder and one row for it: select one of them (-k takes part of its "
                "name), and give the other a run of its own"
            )
    return ""
