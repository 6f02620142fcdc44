"""The CI recipes of docs/shards.md: their parts are a whole list, and what they merge is there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml
from documents import DOCS, blocks
from unit.scale.merging.conftest import SHARDS, make_run

from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.spec.shard import Shard

GITHUB, GITLAB = (
    yaml.safe_load(block.text) for block in blocks(DOCS / "shards.md") if block.language == "yaml"
)


def shards_of(command: str, variables: dict[str, list[str]]) -> list[Shard]:
    """The shards of all jobs, which have these values of the variables, one after the other."""
    (text,) = re.findall(r"--shard (.+/\S+)", command)
    jobs = [
        dict(zip(variables, values, strict=True))
        for values in zip(*variables.values(), strict=True)
    ]
    found = []
    for job in jobs:
        filled = text
        for name, value in job.items():
            filled = filled.replace(name, value)
        found.append(Shard.parse(filled))
    return found


def test_the_jobs_of_a_recipe_have_each_sample_once():
    numbers = [str(number) for number in GITHUB["jobs"]["shard"]["strategy"]["matrix"]["shard"]]
    (command,) = (
        s["run"] for s in GITHUB["jobs"]["shard"]["steps"] if "--shard" in s.get("run", "")
    )
    github = shards_of(command, {"${{ matrix.shard }}": numbers})
    count = GITLAB["shard"]["parallel"]
    nodes = [str(number) for number in range(1, count + 1)]
    (command,) = (line for line in GITLAB["shard"]["script"] if "--shard" in line)
    gitlab = shards_of(command, {"$CI_NODE_INDEX": nodes, "$CI_NODE_TOTAL": [str(count)] * count})
    assert github == gitlab == [Shard(number, 4) for number in range(1, 5)]


def test_what_failed_is_kept_and_merged_all_the_same():
    shard, whole = GITHUB["jobs"]["shard"], GITHUB["jobs"]["whole"]
    assert whole["if"] == "always()"
    assert shard["strategy"]["fail-fast"] is False
    uploads = [s for job in (shard, whole) for s in job["steps"] if "upload" in s.get("uses", "")]
    assert [step["if"] for step in uploads] == ["always()", "always()"]
    assert GITLAB["whole"]["when"] == "always"
    assert GITLAB["shard"]["artifacts"]["when"] == GITLAB["shard"]["cache"]["when"] == "always"


def merge_command(steps: list[Any]) -> str:
    scripts = [step.get("run", "") if isinstance(step, dict) else step for step in steps]
    (command,) = (script for script in scripts if script.startswith("bwa merge"))
    return str(command)


def test_the_merge_of_a_recipe_finds_the_runs_where_its_forge_puts_them(folder):
    runs = [make_run(folder, f"run_{n}-of-{SHARDS}", f"{n}/{SHARDS}") for n in range(1, SHARDS + 1)]
    for number, run in enumerate(
        runs, 1
    ):  # an artifact is a folder, of which the job gave evidence/
        shutil.copytree(run, folder / "shards" / f"evidence-{number}" / run.name)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    recipes = (GITHUB["jobs"]["whole"]["steps"], GITLAB["whole"]["script"])
    for steps in recipes:
        command = merge_command(steps).replace("-of-4", f"-of-{SHARDS}")
        subprocess.run(
            ["bash", "-c", command], cwd=folder, check=True, env=os.environ | {"PATH": path}
        )
        assert verify(folder / "evidence" / "whole").ok
        shutil.rmtree(folder / "evidence" / "whole")
