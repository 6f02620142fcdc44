"""A task in plain language: planned once, before the workers, and run like any other."""

from __future__ import annotations

import json

import pytest
from wire.messages_server import MessagesServer, tool_use

pytestmark = pytest.mark.slow
KEY = {"ANTHROPIC_API_KEY": "sk-test", "ANTHROPIC_BASE_URL": ""}


def test_a_prompt_is_planned_once_and_its_plan_runs_with_workers(audit_folder):
    audit_folder.samples("adam", "eve")  # their pages; the plan has a list of its own
    spec = {
        "task_id": "hr",
        "goal": "Read the department of {sample_id}.",
        "start_url": f"{audit_folder.site.url}/{{sample_id}}",
        "output_schema": {"department": "string"},
        "required_fields": ["department"],
    }
    samples = [{"sample_id": "adam"}, {"sample_id": "eve"}]
    with MessagesServer([tool_use("plan_task", spec=spec, samples=samples)]) as server:
        environment = {**KEY, "ANTHROPIC_BASE_URL": server.url, "NO_PROXY": "127.0.0.1"}
        prompt = "--prompt=In which departments are adam and eve?"
        finished = audit_folder.run(prompt, "--policy=rules", "-n", "1", **environment)
        assert len(server.requests) == 1, "planned once, in the controller"
        assert finished.counts() == {"passed": 2}, finished.text
        assert "bwa: plan: samples 2 (adam, eve)" in finished.text
        values = {row["sample_id"]: row["department"] for row in audit_folder.combined()}
        assert values == {"adam": "Finance adam", "eve": "Finance eve"}
        assert audit_folder.record()["prompt"] == "In which departments are adam and eve?"
        written = json.loads((audit_folder.folder / "generated_task_spec.json").read_text())
        assert written == {**spec, "read_only": True}
        shown = audit_folder.run(prompt, "--plan-only", "--run-id=two", **environment)
        assert shown.status == 0
        assert "bwa: plan: it only reads" in shown.text
        planned = len(server.requests)
        (audit_folder.folder / "adam" / "result.json").unlink()  # as if it had been interrupted
        again = audit_folder.run(prompt, "--policy=rules", "--resume", **environment)
        assert again.status == 0, again.text
        assert {row["sample_id"] for row in audit_folder.combined()} == {"adam", "eve"}
        for run in ("", f"={audit_folder.folder.name}"):
            other = audit_folder.run("--prompt=What else?", f"--resume{run}", **environment)
            assert other.status == 4
        assert 'was planned from "In which departments are adam and eve?"' in other.text
        assert len(server.requests) == planned, "a planned run is not planned again"
        assert not (audit_folder.path / "evidence" / "two" / "run.json").exists()
