"""Files that somebody reads while they are written, which Windows refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.files import write_atomically
from pytest_bwa.evidence.folder import LiveSample, RunFolder


def refuse_to_replace(monkeypatch, path, times):
    """As Windows does while somebody reads the file."""
    replace, refused = Path.replace, []

    def replace_if_closed(self, target):
        if target == path and len(refused) < times:
            refused.append(target)
            raise PermissionError(13, "Permission denied")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", replace_if_closed)


def test_a_file_that_somebody_reads_is_replaced_a_moment_later(tmp_path, monkeypatch):
    (path := tmp_path / "result.json").write_text("old")
    refuse_to_replace(monkeypatch, path, times=2)
    write_atomically(path, b"new")
    assert path.read_text() == "new"


def test_only_a_live_file_may_stay_as_it_was(tmp_path, monkeypatch):
    run = RunFolder(tmp_path)
    live = LiveSample(worker="gw0", sample_id="adam", nodeid="t")
    run.write_live(live)
    refuse_to_replace(monkeypatch, tmp_path / ".live" / "gw0.json", times=100)
    run.write_live(live.model_copy(update={"sample_id": "zoe"}))
    assert [sample.sample_id for sample in run.live_samples()] == ["adam"]
    (evidence := tmp_path / "result.json").write_text("old")
    refuse_to_replace(monkeypatch, evidence, times=100)
    with pytest.raises(EvidenceError, match="Permission denied"):
        write_atomically(evidence, b"new")
    assert not list(tmp_path.rglob("*.tmp"))
