"""The result that the controller writes for a sample whose worker was killed."""

from __future__ import annotations

from pytest_bwa.evidence.folder import LiveSample, RunFolder
from pytest_bwa.salvage import result_of_lost_worker
from pytest_bwa.steps import Usage


def test_the_result_of_a_lost_worker_has_all_that_the_sample_had_spent(tmp_path):
    folder = RunFolder.create(tmp_path, "run_1")
    spent = Usage(input_tokens=900, output_tokens=70, cache_read=30, calls=4, cost_usd=0.25)
    folder.write_live(
        LiveSample(worker="gw0", sample_id="adam", nodeid="t", started_at="2026", usage=spent)
    )
    (live,) = folder.live_samples()
    result_of_lost_worker(folder, live, "hr", "its worker gw0 was killed")
    written = folder.result("adam")
    assert written is not None
    assert written.usage == spent
