"""`bwa run`: what it refuses before anything runs."""

from __future__ import annotations

import sys

import pytest
from typer.testing import CliRunner

from pytest_bwa.cli import app
from pytest_bwa.scale.cluster import run as cluster_run


@pytest.fixture
def bwa(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    spec = "task_id: t\ngoal: Read.\nstart_url: https://e.example\noutput_schema: {name: string}\n"
    (tmp_path / "t.yaml").write_text(spec)
    (tmp_path / "l.csv").write_text("sample_id\na\n")
    words = ["run", "--task", "t.yaml", "--samples", "l.csv"]
    return lambda *more: CliRunner().invoke(app, [*words, *more])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ([], "name either a scheduler"),
        (["--local=2", "--scheduler=tcp://a:1"], "name either a scheduler"),
        (["--local=2", "-n", "4"], "bwa run takes no -n"),
        (["--local=2", "--policy", "other"], 'takes no policy "other"'),
        (["--local=2", "--run-id", "a/b"], '--run-id "a/b": use letters'),
        (["--local=2", "--resume", "none"], "no run of a cluster can go on from here"),
        (["--scheduler=other://a:1"], "the Dask scheduler other://a:1 cannot be reached"),
    ],
)
def test_what_cannot_run_is_refused_in_a_line(bwa, tmp_path, monkeypatch, more, message):
    monkeypatch.setattr(cluster_run, "wait_for_threads", lambda client: 2)
    if "--resume" in more:  # without the processes of workers, which it does not come to
        monkeypatch.setattr(cluster_run, "connected", lambda *given: _no_cluster())
    ended = bwa(*more)
    assert ended.exit_code == 4
    assert message in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert not (tmp_path / "evidence").exists()


def test_a_run_is_never_written_over(bwa, tmp_path):
    (tmp_path / "evidence/mine").mkdir(parents=True)
    ended = bwa("--local=1", "--run-id=mine")
    assert ended.exit_code == 4
    assert "already exists: continue it with --resume mine" in ended.stderr


def test_without_the_extra_it_says_what_to_install(bwa, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    ended = bwa("--local=1")
    assert ended.exit_code == 4
    assert ended.stderr == "bwa: bwa run needs Dask: pip install 'pytest-bwa[dask]'\n"


def test_options_that_it_does_not_know_are_for_pytest(bwa, monkeypatch):
    asked = []
    monkeypatch.setattr(cluster_run, "run_on_cluster", lambda given, say: asked.append(given) or 1)
    ended = bwa("--local=2", "--base-url", "http://x", "--max-cost=2", "--", "-v")
    assert ended.exit_code == 1
    (given,) = asked
    assert given.arguments == ["--base-url", "http://x", "-v"]
    assert (given.local, given.max_cost, given.scheduler) == (2, 2.0, None)


class _no_cluster:
    def __enter__(self):
        return None

    def __exit__(self, *error):
        return None
