"""Each sample in one item: it has one folder, one row of the tables and one count."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import pytest

from pytest_bwa.plugin.items import bound_files, is_audit_test, refusal
from pytest_bwa.text import show_controls

if TYPE_CHECKING:
    from pytest_bwa.plugin.session import Session


def check_items(session: pytest.Session, audits: Session, refusals: list[str]) -> bool:
    """Whether no sample of an audit is in two of the collected items. In a worker the items are
    taken out, and the controller is told why. Raises UsageError in the only process."""
    problem = _problem(session, audits)
    if not problem:
        return True
    if not hasattr(session.config, "workerinput"):
        raise pytest.UsageError(show_controls(problem))
    session.items.clear()
    # A report of the collection is what brings the reason to the controller.
    report = pytest.CollectReport(session.nodeid, "failed", refusal(refusals, problem), [])
    session.config.hook.pytest_collectreport(report=report)
    return False


def _problem(session: pytest.Session, audits: Session) -> str:
    """Names two items that would run the same sample; empty if there are none. Whatever multiplied
    them (another parametrization, a plugin, a subclass, a second test), the second would replace
    what the first has left."""
    known: dict[Hashable, pytest.Item] = {}
    for item in session.items:
        if (sample := _sample_of(item, audits)) is None:
            continue
        other = known.setdefault(sample, item)
        if other is not item:
            return (
                f"the sample {sample[1]} is in two tests, {other.nodeid} and {item.nodeid}, and a "
                "run has one folder and one row for it: select one of them (-k takes a part of "
                "its name), and give the other a run of its own"
            )
    return ""


def _sample_of(item: pytest.Item, audits: Session) -> tuple[Hashable, str] | None:
    """The audit and the sample that an item runs, as far as its parameters say it."""
    if not is_audit_test(item) or item.get_closest_marker("skip"):
        return None
    callspec, marker = getattr(item, "callspec", None), item.get_closest_marker("bwa")
    name = str(callspec.params.get("sample", "")) if callspec is not None else ""
    is_run = audits.audit is not None or marker is not None
    if not name or not is_run:
        return None
    audit = bound_files(item, marker) if audits.audit is None and marker is not None else None
    return audit, name
