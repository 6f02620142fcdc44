"""Fields without a value that a picture may show which nobody has read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_bwa.page.perception.picture_needs import mentions_field
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Observation

UnreadPictures = Mapping[str, tuple[str, Observation]]
"""Pages whose pictures were not read, by URL: why they should be read, and the observation."""


def reason_to_read_pictures(
    task: TaskSpec, extracted: Mapping[str, Any], unread_pictures: UnreadPictures
) -> str:
    """Names fields without a value that a page with unread pictures mentions, or that may stand on
    one of nothing but pictures; empty if none."""
    for url, (why, page) in unread_pictures.items():
        empty = [name for name in task.output_schema if extracted.get(name) is None]
        is_picture = page.is_bare
        fields = [
            n for n in empty if is_picture or mentions_field(page, n, task.aliases.get(n, ()))
        ]
        if fields:
            return (
                f"{', '.join(fields)} was not found, and on {url} {why}: "
                "look at the screenshot, or let a model with vision read it"
            )
    return ""
