"""Pictures with labels, besides those that prove the values of an answer."""

from __future__ import annotations

from pytest_bwa.spec.task import TaskSpec


def needs_labelled_pictures(task: TaskSpec) -> bool:
    """Whether an answer may need one: for a label that the spec requires, or for a judgment."""
    return bool(task.required_artifacts) or task.judgment_required
