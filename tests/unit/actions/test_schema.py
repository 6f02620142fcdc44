from jsonschema import Draft202012Validator

from pytest_bwa.actions.schema import TOOLS, tools_for
from pytest_bwa.steps import Action

TOOL_NAMES = (
    "goto click type scroll screenshot extract wait download select_option save_progress done fail"
    " press hover back upload switch_tab drag find"
)
REQUIRED = {
    "goto": ["url"],
    "click": ["selector"],
    "type": ["selector", "text"],
    "scroll": ["direction"],
    "screenshot": ["label"],
    "extract": ["selector"],
    "wait": [],
    "download": ["selector"],
    "select_option": ["selector", "value"],
    "save_progress": ["extracted"],
    "done": ["extracted"],
    "fail": ["note"],
    "press": ["key"],
    "hover": ["selector"],
    "back": [],
    "upload": ["selector", "file"],
    "switch_tab": ["tab"],
    "drag": ["selector", "target"],
    "find": ["text"],
}


def test_names_and_order_of_the_tools() -> None:
    assert " ".join(tool.name for tool in TOOLS) == TOOL_NAMES
    assert " ".join(tool.name for tool in tools_for(judgment=True)) == TOOL_NAMES


def test_required_parameters_and_no_others_accepted() -> None:
    assert {tool.name: tool.parameters["required"] for tool in TOOLS} == REQUIRED
    for tool in TOOLS:
        Draft202012Validator.check_schema(tool.parameters)
        assert tool.parameters["type"] == "object"
        assert tool.parameters["additionalProperties"] is False
        assert set(tool.parameters["required"]) <= set(tool.parameters["properties"])
        assert tool.description.endswith(".")


def test_every_parameter_is_one_of_the_action_model() -> None:
    known = set(Action.model_fields)
    for tool in tools_for(judgment=True):
        assert set(tool.parameters["properties"]) <= known, tool.name


def test_definitions_do_not_change_between_calls() -> None:
    assert tools_for(judgment=True) == tools_for(judgment=True)
    assert tools_for(judgment=False) == TOOLS


def test_only_done_of_a_task_with_a_judgment_takes_one() -> None:
    plain = {tool.name: tool for tool in TOOLS}
    judging = {tool.name: tool for tool in tools_for(judgment=True)}
    assert "judgment" not in plain["done"].parameters["properties"]
    assert judging["done"].parameters["required"] == ["extracted", "judgment"]
    assert {name for name in plain if plain[name] != judging[name]} == {"done"}


def test_an_invalid_judgment_is_refused() -> None:
    done = next(tool for tool in tools_for(judgment=True) if tool.name == "done")
    judgment = {"answer": "yes", "confidence": 0.9, "reasoning": "seen", "evidence_refs": []}
    validator = Draft202012Validator(done.parameters)
    assert validator.is_valid({"extracted": {}, "judgment": judgment})
    for wrong in ({"answer": "maybe"}, {"confidence": 1.5}, {"evidence_refs": "01_a.png"}):
        assert not validator.is_valid({"extracted": {}, "judgment": {**judgment, **wrong}})
