"""A recorded run is performed again without a model, on the same pages and on changed ones."""

from __future__ import annotations

from typing import Any

SPEC: dict[str, Any] = {
    "required_artifacts": [],
    "output_schema": {"department": "string | null", "start_date": "date | null"},
}


def replay(audit_folder, run, *arguments: str):
    return audit_folder.run("--policy=replay", f"--replay={run}", "-n0", *arguments)


def results(folder) -> dict[str, Any]:
    import json

    return {p.parent.name: json.loads(p.read_text()) for p in folder.glob("*/result.json")}


def test_a_run_of_the_rules(audit_folder):
    audit_folder.spec(**SPEC)
    audit_folder.samples("adam", "eve")
    ran = audit_folder.audit("--policy=rules", "--run-id=first", "-n0")
    assert ran.status == 0, ran.text
    evidence = audit_folder.path / "evidence"
    ran = replay(audit_folder, "first", "--run-id=again")
    print(ran.text)
    import pprint

    pprint.pprint(results(evidence / "again"))
    assert ran.status == 0, ran.text
