from typing import Annotated, Literal

import pytest
from jsonschema import Draft202012Validator

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.catalog import ACTIONS, EVALUATE, tools_for
from pytest_bwa.actions.declaration import action
from pytest_bwa.errors import DecisionUnusable
from pytest_bwa.policy.claude.response import read_action
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import ActionResult

TASK = TaskSpec(task_id="t", goal="g")
JUDGING = TaskSpec(task_id="t", goal="g", judgment_required=True, judgment_question="Is it?")
TOOLS = tools_for(TASK)

TOOL_NAMES = (
    "goto click type scroll screenshot extract wait download select_option save_progress done fail"
    " press hover back upload switch_tab drag find look read"
)
REQUIRED = {
    "goto": ["url"],
    "click": ["selector"],
    "type": ["selector", "text"],
    "scroll": [],
    "screenshot": ["label"],
    "extract": ["selector"],
    "wait": [],
    "download": ["selector"],
    "select_option": ["selector", "value"],
    "save_progress": ["extracted"],
    "done": ["extracted"],
    "fail": ["kind", "note"],
    "press": ["key"],
    "hover": ["selector"],
    "back": [],
    "upload": ["selector", "file"],
    "switch_tab": ["tab"],
    "drag": ["selector", "target"],
    "find": ["text"],
    "look": [],
    "read": ["pages"],
}


def test_the_tools_that_users_rely_on_keep_their_names_and_order() -> None:
    """They are a public interface. An action that is added comes after them."""
    for tools in (TOOLS, tools_for(JUDGING)):
        assert " ".join(tool.name for tool in tools).startswith(TOOL_NAMES)


def test_scripts_are_offered_only_if_the_settings_say_so() -> None:
    assert EVALUATE not in {tool.name for tool in TOOLS}
    offered = tools_for(TASK, evaluates=True)
    assert offered[:-1] == TOOLS
    assert (offered[-1].name, offered[-1].parameters["required"]) == (EVALUATE, ["script"])


def test_required_parameters_and_no_others_accepted() -> None:
    required = {tool.name: tool.parameters["required"] for tool in TOOLS}
    assert required.items() >= REQUIRED.items()
    for tool in TOOLS:
        Draft202012Validator.check_schema(tool.parameters)
        assert tool.parameters["type"] == "object"
        assert tool.parameters["additionalProperties"] is False
        assert set(tool.parameters["required"]) <= set(tool.parameters["properties"])
        assert tool.description.endswith(".")


@action("Zoom the page.", name="magnify", changes_page=False)
def zoom(
    context: ActionContext,
    *,
    factor: Annotated[int, "In percent."],
    mode: Literal["text", "all"] = "all",
) -> ActionResult:
    return ActionResult(True, f"{factor} % of {mode}")


def test_a_declaration_is_all_that_a_new_action_needs() -> None:
    """The tool, its checked parameters and the call follow from it, parameters that no other action
    has included."""
    tool = zoom.tool()
    assert (tool.name, tool.description) == ("magnify", "Zoom the page.")
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "factor": {"type": "integer", "description": "In percent."},
            "mode": {"enum": ["text", "all"], "type": "string"},
        },
        "required": ["factor"],
        "additionalProperties": False,
    }
    chosen = read_action("magnify", {"factor": 150, "next_goal": "see more"}, [tool])
    assert chosen.params() == {"factor": 150}
    assert zoom(None, chosen).description == "150 % of all"
    with pytest.raises(DecisionUnusable, match="factor"):
        read_action("magnify", {"factor": "much"}, [tool])


@pytest.mark.parametrize(
    ("given", "kind"),
    [({}, "other"), ({"kind": None}, "other"), ({"kind": "not_found"}, "not_found")],
)
def test_fail_without_a_kind_is_read_as_other(given: dict[str, str | None], kind: str) -> None:
    assert read_action("fail", {"note": "gone", **given}, TOOLS).kind == kind


def test_an_unknown_kind_of_fail_is_other_and_stays_in_the_note() -> None:
    fail = read_action("fail", {"note": "gone", "kind": "missing"}, TOOLS)
    assert (fail.kind, fail.note) == ("other", "gone; kind: missing")
    assert read_action("fail", {"note": "gone", "kind": "Not found"}, TOOLS).kind == "not_found"


def test_what_changes_no_page_is_declared_so() -> None:
    passive = {name for name, declared in ACTIONS.items() if not declared.changes_page}
    reading = {"screenshot", "extract", "find", "look", "read", "evaluate"}
    assert passive == reading | {"save_progress", "done", "fail"}


def test_definitions_do_not_change_between_calls() -> None:
    assert tools_for(JUDGING) == tools_for(JUDGING)
    assert tools_for(TASK) == TOOLS


def test_only_done_of_a_task_with_a_judgment_takes_one() -> None:
    plain = {tool.name: tool for tool in TOOLS}
    judging = {tool.name: tool for tool in tools_for(JUDGING)}
    assert "judgment" not in plain["done"].parameters["properties"]
    assert judging["done"].parameters["required"] == ["extracted", "judgment"]
    judged = [name for name in judging if "judgment" in judging[name].parameters["properties"]]
    assert judged == ["done"]


def test_an_invalid_judgment_is_refused() -> None:
    done = next(tool for tool in tools_for(JUDGING) if tool.name == "done")
    judgment = {"answer": "yes", "confidence": 0.9, "reasoning": "seen", "evidence_refs": []}
    validator = Draft202012Validator(done.parameters)
    assert validator.is_valid({"extracted": {}, "judgment": judgment})
    for wrong in ({"answer": "maybe"}, {"confidence": 1.5}, {"evidence_refs": "01_a.png"}):
        assert not validator.is_valid({"extracted": {}, "judgment": {**judgment, **wrong}})


def test_the_judgment_takes_the_extra_keys_of_the_task() -> None:
    tools = tools_for(
        JUDGING.model_copy(
            update={
                "judgment_output_schema": {"severity": "low | high", "reasoning": "one sentence"}
            }
        )
    )
    done = next(tool for tool in tools if tool.name == "done")
    judgment = done.parameters["properties"]["judgment"]
    assert judgment["properties"]["severity"] == {"description": "low | high"}
    assert "severity" not in judgment["required"]
    assert judgment["properties"]["reasoning"] == {
        "type": "string",
        "description": "one sentence",
    }


FIELDS = TaskSpec(
    task_id="t",
    goal="g",
    output_schema={
        "closed": "date | null",
        "fax": {"type": "string", "description": "With its area code."},
        "phone": "string",
        "builds": {"type": "array", "items": {"type": "object", "properties": {"id": {}}}},
    },
    aliases={"fax": ["Telefax", "F"], "phone": ["Tel."]},
)


def test_the_answers_carry_the_fields_of_the_task_with_types_formats_and_items() -> None:
    tools = {tool.name: tool.parameters["properties"]["extracted"] for tool in tools_for(FIELDS)
             if "extracted" in tool.parameters["properties"]}  # fmt: skip
    assert set(tools) == {"done", "save_progress"}
    for extracted in tools.values():
        fields = extracted["properties"]
        assert list(fields) == list(FIELDS.output_schema)
        assert fields["builds"] == FIELDS.output_schema["builds"]
        assert fields["fax"]["type"] == fields["phone"]["type"] == "string"
    assert tools["done"]["properties"]["fax"]["description"] == (
        "With its area code. On pages also: Telefax, F"
    )
    assert tools["done"]["properties"]["phone"]["description"] == "On pages also: Tel."
    assert "Telefax" not in str(tools["save_progress"])  # what a field means is said once


def test_a_date_says_its_form() -> None:
    task = TASK.model_copy(update={"output_schema": {"due": "date", "closed": "date | null"}})
    (done,) = (tool for tool in tools_for(task) if tool.name == "done")
    fields = done.parameters["properties"]["extracted"]["properties"]
    assert fields["due"] == {"type": "string", "format": "date"}
    assert fields["closed"] == {"type": ["string", "null"], "format": "date"}


def test_a_value_of_another_type_is_left_to_the_check_of_done() -> None:
    """There it is refused with a sentence, and the other values are kept."""
    extracted = {"phone": 5, "closed": "20 May", "builds": None, "more": 1}
    assert read_action("done", {"extracted": extracted}, tools_for(FIELDS)).extracted == extracted
