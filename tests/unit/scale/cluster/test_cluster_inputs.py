"""What is sent to the workers of a cluster, and which of them may have it."""

from __future__ import annotations

import dataclasses
import os
import pickle
import platform

import pytest

from pytest_bwa import __version__
from pytest_bwa.errors import InputError
from pytest_bwa.evidence.integrity.origin import used_versions
from pytest_bwa.scale.cluster.admission import (
    version_question,
    why_not_this_machine,
    why_not_this_version,
)
from pytest_bwa.scale.cluster.inputs import chosen_policy, read_inputs
from pytest_bwa.scale.cluster.job import Job, number_of_chunks, settings_to_send
from pytest_bwa.settings import read_settings

SPEC = """
task_id: t
goal: Read the name.
start_url: https://example.com/{sample_id}
output_schema: {name: string}
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "spec.yaml").write_text(SPEC)
    (tmp_path / "list.csv").write_text("sample_id,file\na,upload.txt\nb,\n")
    (tmp_path / "upload.txt").write_text("for the site")
    (tmp_path / "not_named.txt").write_text("stays here")
    return tmp_path


@pytest.fixture
def settings(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # no .env
    for name in [name for name in os.environ if name.startswith(("BWA_", "ENABLE_"))]:
        monkeypatch.delenv(name)
    for name, value in {
        "BWA_BROWSER": "/bin/sh",
        "BWA_HOME": "/home/me",
        "BWA_RATE_LIMITS": '{"a.example": 2.0}',
        "BWA_VISION": "off",
        "MAX_ACTIONS_PER_STEP": "3",
        "ANTHROPIC_API_KEY": "sk-very-secret",
        "ANTHROPIC_BASE_URL": "https://user:word@models.example",
    }.items():
        monkeypatch.setenv(name, value)
    return read_settings()


def read(folder, *arguments):
    return read_inputs(folder / "spec.yaml", folder / "list.csv", arguments)


def test_relative_addresses_need_a_site_that_the_workers_know(files, monkeypatch):
    (files / "spec.yaml").write_text(SPEC.replace("https://example.com", ""))
    with pytest.raises(InputError, match='the address of a, "/a", is relative: pass --base-url'):
        read(files)
    assert read(files, "--base-url", "http://site:8000").sample_count == 2
    (files / "conftest.py").write_text("")
    (files / "test_own.py").write_text("def test_sample(browser_agent, sample): ...")
    with pytest.raises(InputError, match="fixture base_url"):
        read(files, str(files / "test_own.py"))
    (files / "conftest.py").write_text("@pytest.fixture\ndef base_url(): ...")
    assert read(files, str(files / "test_own.py")).sample_count == 2
    monkeypatch.setenv("PYTEST_BASE_URL", "http://site:8000")
    assert read(files).sample_count == 2


def job_of(inputs, **changes):
    job = Job("1", inputs, {}, "rules", "", "run_1", 4, None, used_versions())
    return dataclasses.replace(job, **changes)


def test_the_spec_the_list_its_files_and_the_general_test_are_sent(files):
    inputs = read(files)
    assert set(inputs.files) == {
        "task/spec.yaml", "list/list.csv", "list/upload.txt", "tests/test_audit.py",
    }  # fmt: skip
    assert inputs.sample_count == 2
    compile(inputs.files["tests/test_audit.py"], "test_audit.py", "exec")


def test_own_tests_are_sent_with_their_conftest_and_a_kept_recipe_with_the_spec(files):
    for name in ("test_own.py", "conftest.py", "spec.recipe.yaml", "other.yaml"):
        (files / name).write_text(f"# {name}")
    inputs = read(files, str(files / "test_own.py"), "--recipe", str(files / "other.yaml"), "-q")
    assert inputs.tests == ("tests/test_own.py",)
    assert {"tests/conftest.py", "task/spec.recipe.yaml"} < set(inputs.files)
    assert inputs.recipe == "recipes/other.yaml"
    assert inputs.arguments == ("-q",)
    assert read(files, "--recipe=only").arguments == ("--recipe=only",)


@pytest.mark.parametrize(
    "arguments",
    [["-n4"], ["-n", "4"], ["--shard=1/2"], ["--discover"], ["-x"], ["--alluredir", "a"]],
)
def test_options_that_hold_for_one_machine_are_refused(files, arguments):
    with pytest.raises(InputError, match=f"bwa run takes no {arguments[0].split('=')[0]}"):
        read(files, *arguments)


def test_a_recipe_is_not_learnt_and_a_list_with_faults_not_sent(files):
    with pytest.raises(InputError, match="a recipe is learnt on one machine"):
        read(files, "--recipe=learn")
    (files / "list.csv").write_text("sample_id\na\na\n")
    with pytest.raises(InputError, match=r"list\.csv, row 3"):
        read(files)


def test_settings_go_along_without_keys_and_what_is_on_this_machine(settings, files):
    sent = settings_to_send(settings)
    assert sent == {
        "rate_limits": {"a.example": 2.0}, "vision": "off", "max_actions_per_step": 3,
    }  # fmt: skip
    job = job_of(read(files), settings=sent)
    assert job.environment() == {
        "BWA_MAX_ACTIONS_PER_STEP": "3",
        "BWA_RATE_LIMITS": '{"a.example": 2.0}',
        "BWA_VISION": "off",
    }
    for secret in (b"sk-very-secret", b"user:word"):
        assert secret not in pickle.dumps(job)


def test_what_arrives_as_environment_is_what_was_set(settings, files, monkeypatch):
    sent = settings_to_send(settings)
    for name in ("BWA_RATE_LIMITS", "BWA_VISION", "MAX_ACTIONS_PER_STEP"):
        monkeypatch.delenv(name)
    for name, value in job_of(read(files), settings=sent).environment().items():
        monkeypatch.setenv(name, value)
    there = read_settings()
    assert {name: getattr(there, name) for name in sent} == sent


def test_a_chunk_is_a_shard_in_a_process_of_pytest(files, tmp_path):
    (files / "r.yaml").write_text("")
    inputs = read(files, f"--recipe={files / 'r.yaml'}", "--base-url", "http://x")
    words = job_of(inputs, policy="claude", model="m", max_cost=2.5).command(
        tmp_path / "s", tmp_path / "c", 3
    )
    assert {
        "--shard=3/4", "--run-id=run_1_3-of-4", "-n0", "--policy=claude", "--model=m",
        "--max-cost=2.5",
        f"--recipe={tmp_path}/s/recipes/r.yaml", f"--task={tmp_path}/s/task/spec.yaml",
        f"--samples={tmp_path}/s/list/list.csv", f"--evidence={tmp_path}/c/evidence",
    } < set(words)  # fmt: skip
    assert words[-2:] == ["--base-url", "http://x"]


@pytest.mark.parametrize(
    ("samples", "threads", "most", "chunks"),
    [(1, 8, None, 1), (200, 2, None, 8), (50_000, 8, None, 2000), (10, 100, None, 10),
     (200, 2, 10, 20), (7, 1, 3, 3)],
)  # fmt: skip
def test_into_how_many_chunks_a_list_is_cut(samples, threads, most, chunks):
    assert number_of_chunks(samples, threads, most) == chunks


def test_a_worker_with_other_versions_is_refused():
    ours = {"host": "h", "python": platform.python_version(), "pytest-bwa": __version__}
    assert version_question()() == {**ours, "host": platform.node()}
    assert why_not_this_version(ours) == ""
    assert why_not_this_version({**ours, "pytest-bwa": ""}) == "it has no pytest-bwa"
    assert "it has pytest-bwa 0.0.1" in why_not_this_version({**ours, "pytest-bwa": "0.0.1"})
    assert "it has Python 3.10.1" in why_not_this_version({**ours, "python": "3.10.1"})


def test_a_worker_without_browser_key_secret_or_package_is_refused(files, monkeypatch, tmp_path):
    def answer(job):
        job.write_files(tmp_path / "sent")
        return why_not_this_machine(job, tmp_path / "sent")

    monkeypatch.chdir(tmp_path)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BWA_BROWSER", "/bin/sh")
    job = job_of(read(files))
    assert answer(job) == ""
    assert "needs a model: set ANTHROPIC_API_KEY" in answer(
        dataclasses.replace(job, policy="claude", model="claude-sonnet-5-5")
    )
    other = dataclasses.replace(job, versions={**used_versions(), "playwright": "0.1"})
    assert "and this is 0.1" in answer(other)
    assert answer(dataclasses.replace(job, versions={**used_versions(), "system": "z"})) == ""
    monkeypatch.setenv("BWA_BROWSER", str(tmp_path / "none"))
    assert "is not a program" in answer(job)
    monkeypatch.setenv("BWA_BROWSER", "/bin/sh")
    with (files / "spec.yaml").open("a") as spec:
        spec.write("secrets: {password: {env: NOT_SET_HERE, hosts: [example.com]}}\n")
    assert "NOT_SET_HERE" in answer(job_of(read(files)))


def test_the_client_need_not_have_the_key_that_the_workers_have(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    settings = read_settings()
    assert chosen_policy("claude", settings) == "claude"
    assert chosen_policy("auto", settings) == "rules"
    with pytest.raises(InputError, match='takes no policy "replay"'):
        chosen_policy("replay", settings)
