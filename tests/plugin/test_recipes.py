"""The first samples of a run teach a recipe, and the others run by it without a model."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
import yaml
from audit_folder import AuditFolder
from odd_tickets import PEOPLE, SPEC, WORDS, tickets_with, wrong_values
from ticket_audit import TicketAudit, write_list
from typer.testing import CliRunner
from wire.messages_server import MessagesServer, text_only

from pytest_bwa.cli import app

ODD = {
    4: ("unassigned", 0),
    5: ("other_layout", 1),
    6: ("redirected", 0),
    7: ("merged", 0),
    8: ("second_table", 1),
    9: ("unassigned", 0),
    10: ("other_layout", 1),
    11: ("moved_tab", 0),
    12: ("banner", 0),
    13: ("late", 1),
    14: ("unassigned", 0),
    15: ("other_layout", 1),
    16: ("redirected", 1),
    17: ("redirected", 0),
    18: ("second_table", 0),
    19: ("second_table", 1),
    20: ("second_table", 1),
}
HANDED_OVER = {
    "merged": "heading",
    "second_table": "assignee",
    "moved_tab": "due_date",
    "banner": "We are moving",
}
"""What the reason says of the first ticket of each kind."""


@pytest.fixture(scope="module")
def learnt(new_audit_folder: Callable[[], AuditFolder]) -> TicketAudit:
    return TicketAudit(new_audit_folder(), tickets_with(21, ODD))


def test_no_value_is_wrong(learnt):
    assert learnt.ran.counts() == {"passed": 18, "failed": 3}, learnt.ran.text
    assert list(wrong_values(learnt.tickets, learnt.results.__getitem__)) == []
    for ticket in learnt.tickets:
        result, expected = learnt.results[ticket.name], ("done", "found")
        if ticket.truth is None:
            expected = "failed", "not_found" if ticket.is_gone else "other"
        assert (ticket.kind, result["status"], result["outcome"]) == (ticket.kind, *expected)


def test_what_was_replayed_is_proven_like_any_other(learnt):
    result = learnt.results[learnt.tickets[3].name]
    assert result["recipe"]["kind"] == "replayed"
    assert result["mode"] == ["live", "replay"]  # step 0 is the opening of the page
    assert result["usage"]["calls"] == 0
    for name, record in result["grounding"].items():
        assert record["how"] in ("verbatim", "normalised"), name
        assert record["artifact"], name
    assert [artifact["label"] for artifact in result["artifacts"]] == ["ticket"]


def test_what_is_odd_is_handed_over_with_a_reason(learnt):
    for kind, words in HANDED_OVER.items():
        result = learnt.of_kind(kind)[0]
        assert result["recipe"]["kind"] == "handed_over"
        assert words in result["recipe"]["why"], kind
        assert learnt.recipe["handed_over"][result["sample_id"]] == result["recipe"]["why"]


def test_a_sample_that_is_handed_over_asks_for_no_advice_for_others(learnt):
    """A model is asked where to press, and then what it reads: the recipe learns the rest."""
    (result,) = learnt.of_kind("moved_tab")
    assert result["mode"][-2:] == ["live", "live"]
    assert result["usage"]["calls"] == 2


def test_what_two_samples_agree_on_becomes_a_part_of_the_recipe(learnt):
    kinds = [result["recipe"]["kind"] for result in learnt.of_kind("unassigned")]
    assert kinds == ["handed_over", "handed_over", "replayed"]
    kinds = [result["recipe"]["kind"] for result in learnt.of_kind("other_layout")]
    assert kinds == ["handed_over", "handed_over", "healed"]


def test_the_third_that_does_not_exist_needs_no_model(learnt):
    results = learnt.of_kind("redirected")
    assert [r["recipe"]["kind"] for r in results] == ["handed_over", "handed_over", "healed"]
    assert results[2]["usage"]["calls"] == 0
    assert [artifact["label"] for artifact in results[2]["artifacts"]] == ["last_view"]
    for name in (results[0]["sample_id"], results[1]["sample_id"], "/tickets/TRK-119"):
        assert name in results[2]["reason"]


def test_the_table_of_another_ticket_is_passed_by(learnt):
    (parents,) = [r for r in learnt.of_kind("second_table") if r["status"] == "done"]
    assert parents["recipe"]["kind"] == "replayed"


def test_a_page_that_fills_late_is_waited_for(learnt):
    (result,) = learnt.of_kind("late")
    assert result["recipe"]["kind"] == "replayed"


def test_the_run_says_what_the_recipe_did(learnt):
    recipe = learnt.recipe
    kinds = [learnt.results[ticket.name]["recipe"] for ticket in learnt.tickets[:4]]
    assert [kind is None for kind in kinds] == [True, True, True, False]
    assert (recipe["mode"], recipe["replayed"], recipe["healed"]) == ("learn", 4, 2)
    assert len(recipe["handed_over"]) == 12
    check = learnt.folder.record()["check"]
    assert (check["rate"], len(check["checks"]), check["alike"]) == (0.02, 3, 3)
    assert recipe["ended"] == {"not_found": 1}
    line = "recipe    learnt from 8, 4 replayed, 2 healed, 12 handed over"
    assert line in learnt.ran.text
    line = "check     3 of 3 samples of the recipe read twice alike: at least 36.8 %"
    assert line in learnt.ran.text
    page = (learnt.folder.folder / "index.html").read_text()
    assert "12 handed over" in page


def test_the_summary_has_every_call(learnt):
    assert f"{learnt.calls} calls" in learnt.ran.text


def test_the_file_has_no_value_of_a_sample(learnt):
    text = (learnt.folder.folder / "recipe.yaml").read_text()
    for ticket in learnt.tickets:
        for value in (ticket.values["title"], ticket.values["due_date"]):
            assert str(value) not in text
    for word in (*PEOPLE, *WORDS):
        assert word not in text


def test_the_run_verifies(learnt):
    found = CliRunner().invoke(app, ["verify", str(learnt.folder.folder)])
    assert found.exit_code == 0, found.output


def test_a_kept_recipe_runs_without_a_model(learnt, new_audit_folder):
    audit_folder, site = new_audit_folder(), learnt.folder.site
    audit_folder.site = site
    audit_folder.spec(**SPEC)
    fits, odd = learnt.tickets[3], learnt.tickets[12]
    write_list(audit_folder, [fits, odd])
    text = (learnt.folder.folder / "recipe.yaml").read_text()
    kept = audit_folder.path / "spec.recipe.yaml"
    kept.write_text(text)
    with MessagesServer([text_only()]) as server:
        ran = audit_folder.audit(
            "--policy=claude", "--recipe=only",
            ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY="sk-test",
        )  # fmt: skip
        assert (ran.counts(), server.requests) == ({"passed": 1, "failed": 1}, []), ran.text
    assert audit_folder.result(fits.name)["extracted"] == fits.values
    result = audit_folder.result(odd.name)
    assert (result["status"], "We are moving" in result["reason"]) == ("needs_review", True)
    kept.write_text(text.replace("task_id: odd_tracker", "task_id: other"))
    refused = audit_folder.audit("--policy=rules", f"--recipe={kept}")
    assert (refused.status, refused.text.count("for the task other")) == (4, 1)


def test_one_difference_and_the_recipe_rests(audit_folder):
    all_tickets = tickets_with(5, {})
    wrong = {ticket.name: {"assignee": ticket.values["priority"]} for ticket in all_tickets[3:]}
    found = TicketAudit(audit_folder, all_tickets, **wrong)
    checks = audit_folder.record()["check"]["checks"]
    assert list(checks[0]["differences"]) == ["assignee"]
    assert "assignee" in found.recipe["rests"]
    replayed = [result for result in found.results.values() if result["recipe"] is not None]
    assert replayed
    assert all(result["flagged"] for result in replayed)
    names = {result["sample_id"] for result in replayed}
    note = "a check of the recipe found another value of assignee"
    for name in names:
        assert note in (audit_folder.folder / name / "index.html").read_text()
    allure = [json.loads(p.read_text()) for p in audit_folder.path.glob("allure/*-result.json")]
    flag = {"name": "tag", "value": "flagged"}
    assert names <= {test["name"] for test in allure if note in test["description"]}
    assert names <= {test["name"] for test in allure if flag in test["labels"]}
    assert found.ran.status == 1
    verified = CliRunner().invoke(app, ["verify", str(audit_folder.folder)])
    assert verified.exit_code == 0, verified.output
    summary = found.ran.text.partition("audit odd_tracker")[2].splitlines()
    assert summary[1].startswith("RECIPE    WRONG: without it, TRK-")


def test_what_a_model_reads_otherwise_than_known_is_not_learnt(audit_folder):
    """Known rows are the first, and in the second one it reads somebody else."""
    all_tickets = tickets_with(6, {})
    right, other = all_tickets[4:]
    known = {right.name: right.values["assignee"], other.name: "Kim Vale"}
    found = TicketAudit(audit_folder, all_tickets, known=known)
    (way,) = yaml.safe_load((audit_folder.folder / "recipe.yaml").read_text())["ways"]
    assert (way["learnt_from"][0], way["by_model"]) == (right.name, ["assignee"])
    assert all("assignee" not in page["fields"] for page in way["pages"])
    assert found.results[all_tickets[3].name]["recipe"]["kind"] == "gathered"
    why = f"{other.name} has “{other.values['assignee']}”, and “Kim Vale” is known"
    assert f"recipe: assignee is not read by it: {why}" in found.ran.text
