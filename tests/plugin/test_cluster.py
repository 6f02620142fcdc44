"""`bwa run` on a real Dask cluster of processes: workers killed, refused and interrupted."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import dask
import pytest
from audit_folder import wait_until
from distributed import Client, LocalCluster
from unit.reports.verify.conftest import SPEC
from worker_killer import Killer

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.scale.cluster import coordinator
from pytest_bwa.scale.cluster.bridge import Bridge
from pytest_bwa.scale.cluster.dask_cluster import KEEP_WORKERS, connected
from pytest_bwa.scale.cluster.kept_shards import ClusterRecord
from pytest_bwa.scale.cluster.run import Asked, run_on_cluster

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent.parent
AT = 5
"""Results of a chunk at which its worker is killed."""
NAMES = [f"s{number:03}" for number in range(120)]
WITHOUT_BROWSER = '''
"""Samples as the tests of the evidence write them: what is tested here is who runs them."""
import time
from pathlib import Path
from pytest_bwa.audit import run
from pytest_bwa.evidence.folder import LiveSample
from pytest_bwa.steps.step import utc_now
from unit.reports.verify.conftest import write_sample


class SampleRun:
    def __init__(self, worker, sample, nodeid):
        self.run_folder, self.name = worker.folder, sample.sample_id
        self.live = LiveSample(worker="main", sample_id=self.name, nodeid=nodeid, policy="rules",
                               model="", started_at=utc_now())

    def run(self, open_page):
        time.sleep(0.05)
        while Path("GATE").exists() and len(list(self.run_folder.path.glob("*/result.json"))) >= AT:
            time.sleep(0.05)
        place = self.run_folder.sample(self.name)
        self.run_folder.write_live(self.live)  # an interrupt may come while it is being written
        write_sample(self.run_folder, self.name, self.run_folder.path.parent / "download")
        self.run_folder.remove_live("main")
        return self.run_folder.result(self.name).with_location(place, [])


run.SampleRun = SampleRun
'''


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """Two workers, and whoever takes their place when they were killed."""
    folder = tmp_path_factory.mktemp("cluster")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "tests")]))
        patch.setenv("BWA_RATE_LIMITS", '{"default": 0}')
        with dask.config.set(KEEP_WORKERS), LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", memory_limit=0,
            local_directory=str(folder),
        ) as made:  # fmt: skip
            yield made


def asked(cluster: LocalCluster, task: Path, samples: Path, evidence: Path, **changes) -> Asked:
    given = {
        "scheduler": cluster.scheduler_address, "local": 0, "run_id": "run_1", "resume": None,
        "policy": "rules", "model": None, "max_cost": None, "chunk": None, "arguments": (),
    }  # fmt: skip
    return Asked(task=task, samples=samples, evidence=evidence, **{**given, **changes})


def rows(run: Path) -> list[str]:
    with (run / "combined.csv").open(newline="", encoding="utf-8-sig") as stream:
        return [row["sample_id"] for row in csv.DictReader(stream)]


def write_audit(folder: Path, names: list[str], conftest: str) -> None:
    (folder / "spec.json").write_text(json.dumps(SPEC))
    listed = "".join(f"{name},https://x.org/{name}\n" for name in names)
    (folder / "samples.csv").write_text(f"sample_id,url\n{listed}")
    (folder / "test_own.py").write_text(
        "def test_sample(browser_agent, sample):\n    browser_agent.run(sample).assert_done()\n"
    )
    (folder / "conftest.py").write_text(conftest.replace("AT:", f"{AT}:"))


def test_killed_workers_and_an_interrupt_lose_no_sample(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(coordinator, "SHOW_PERIOD", 0.5)
    gate = tmp_path / "gate"
    write_audit(tmp_path, NAMES, WITHOUT_BROWSER.replace("GATE", str(gate)))
    job = {"arguments": [str(tmp_path / "test_own.py")], "chunk": 40}
    files = (tmp_path / "spec.json", tmp_path / "samples.csv", tmp_path / "evidence")
    late = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address,
         "--no-nanny", "--no-dashboard", "--nthreads=4", f"--local-directory={tmp_path}"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "BWA_BROWSER": "/nothing"},
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    lines: list[str] = []
    try:
        with Client(cluster) as client:
            client.wait_for_workers(3, timeout=200)
        killer = Killer(["kill", "interrupt"], AT, gate)
        assert run_on_cluster(asked(cluster, *files, **job), lines.append) == 2
        assert "stopping: interrupted" in lines
        shards = tmp_path / "evidence/run_1.shards"
        assert (tmp_path / "evidence/run_1").is_dir(), lines
        partial = RunFolder(tmp_path / "evidence/run_1").record()
        assert (partial.not_run or 0) + sum(partial.results_out.values()) == len(NAMES)
        assert verify(tmp_path / "evidence/run_1").faults == ()
        before = ClusterRecord.model_validate_json((shards / "cluster.json").read_bytes())
        stopped = [a.attempt for c in before.attempts.values() for a in c if a.exit_status == 2]
        assert stopped
        results = {p.parent.name: p.read_bytes() for p in shards.glob("run_1_*/*/result.json")}
        done = {name: data for name, data in results.items() if b'"done"' in data}

        again = Killer(["kill"], AT, gate)
        job |= {"resume": "run_1", "chunk": 3}  # the chunks of the first session hold
        assert run_on_cluster(asked(cluster, *files, **job), lines.append) == 0
    finally:
        late.kill()
        late.wait()
    out = tmp_path / "evidence/run_1"
    assert rows(out) == NAMES
    assert verify(out).faults == ()
    assert RunFolder(out).record().samples.path == str(tmp_path / "samples.csv")
    assert not shards.exists()
    record = ClusterRecord.model_validate_json(out.with_name("run_1.cluster.json").read_bytes())
    assert sorted(record.attempts) == [1, 2, 3]
    for chunk, attempts in record.attempts.items():
        (kept,) = [attempt for attempt in attempts if attempt.kept]
        assert kept.exit_status == 0, chunk
    # An attempt that the interrupt met while its process started ended, too, and was not killed.
    lost = [a for attempts in record.attempts.values() for a in attempts if "gone" in a.lost]
    assert len(lost) == 2 == sum(" is gone" in line for line in lines)
    continued = [a for attempts in record.attempts.values() for a in attempts if a.continued_by]
    assert [a.attempt for a in continued] == stopped
    assert done  # what passed before the interrupt was not run again
    assert {name: (out / name / "result.json").read_bytes() for name in done} == done
    assert any("is refused: on" in line and "/nothing" in line for line in lines)
    assert any(line.startswith("samples   120: 120 done") for line in lines)
    assert any(" of 120 samples; 2 workers" in line for line in lines)
    killer.check()
    again.check()


def test_a_stop_that_comes_when_the_last_sample_has_ended_loses_nothing(tmp_path):
    """The evidence was being completed when the signal came: the run could not be merged."""
    waits = """
import pytest
from pytest_bwa.scale.cluster.link import own_link

@pytest.hookimpl(trylast=True)
def pytest_sessionfinish():
    own_link().reserve("all samples have ended", 0.0)
"""
    write_audit(tmp_path, NAMES[:2], WITHOUT_BROWSER.replace("GATE", "no gate") + waits)

    def reserve(domain: str, seconds: float) -> None:
        bridge.stop("the user", at_once=True)

    with Bridge(reserve) as bridge:
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "--task=spec.json", "--samples=samples.csv",
             "--evidence=evidence", "--run-id=run_1", "test_own.py"],
            cwd=tmp_path, capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "tests"),
                 "BWA_CLUSTER_LINK": bridge.address},
        )  # fmt: skip
    assert ended.returncode == 0, ended.stdout
    assert verify(tmp_path / "evidence/run_1").faults == ()


def test_a_local_worker_that_dies_again_and_again_comes_back():
    looks_at_once = {"distributed.deploy.lost-worker-timeout": "1ms"}
    died: set[str] = set()

    def others() -> set[str]:
        return set(client.scheduler_info()["workers"]) - died

    with dask.config.set(looks_at_once), connected(None, 1) as client:
        for _ in range(2):
            wait_until(others, "no worker came")
            for address, pid in client.run(os.getpid, workers=list(others())).items():
                died.add(address)
                os.kill(pid, signal.SIGKILL)
        wait_until(others, "no worker came back")


def test_one_rate_limit_holds_for_all_machines(cluster):
    def load_pages(number: int) -> list[float]:
        from pytest_bwa.scale.cluster.worker import wait_for_domain

        times = []
        for _ in range(4):
            wait_for_domain("example.com", 0.25)
            times.append(time.monotonic())  # one clock, as both workers are on this machine
        return times

    with Client(cluster) as client:
        client.wait_for_workers(2)
        workers, began = list(client.nthreads())[:2], time.monotonic()
        asked = [
            client.submit(load_pages, n, workers=[w], pure=False) for n, w in enumerate(workers)
        ]
        loaded = sorted(moment for times in client.gather(asked) for moment in times)
    assert len(loaded) == 8
    # Each has its turn, and may note the time only later.
    assert [n for n, moment in enumerate(loaded) if moment < began + 0.25 * n] == []
