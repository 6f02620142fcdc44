"""Which pictures belong to a step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pytest_bwa.trajectory.reader import RecordedStep

_RESULT = "result.json"


def read_artifacts(run: Path, sample_id: str) -> list[dict[str, Any]]:
    """The artifacts that the sample's result names; empty as long as it has none."""
    try:
        artifacts = json.loads((run / sample_id / _RESULT).read_bytes())["artifacts"]
        return [a for a in artifacts if str(a["filename"]).endswith(".png")]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def pictures_of(step: RecordedStep, artifacts: list[dict[str, Any]]) -> list[str]:
    """File names in the sample's folder: the pictures taken in this step, else those of the same
    state of the page."""
    own = [a["filename"] for a in artifacts if a.get("step") == step.step]
    if artifact := step.record.get("artifact"):
        own += [artifact] if str(artifact).endswith(".png") else []
    states = {step.before.state, step.after.state} - {""}
    same = [a["filename"] for a in artifacts if a.get("page_state") in states]
    return list(dict.fromkeys(own or same))
