"""What an action changed: a pure comparison of the page before and after (F-61)."""

from __future__ import annotations

from pytest_bwa.steps import Observation, Verdict


def verify(before: Observation, after: Observation) -> Verdict:
    """The same two observations always give the same verdict."""
    return Verdict(
        url_changed=before.url != after.url,
        dom_changed=before.dom_hash != after.dom_hash,
        text_changed=before.text != after.text,
    )
