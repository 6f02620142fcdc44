"""What a prompt costs before it shows anything of a page, and what it never says twice."""

from __future__ import annotations

import re

import pytest

from pytest_bwa.actions.catalog import tools_for
from pytest_bwa.policy.claude.cost import json_tokens, tokens
from pytest_bwa.policy.claude.response import BATCH_ENDING_ACTIONS, tool_definitions
from pytest_bwa.policy.claude.system_prompt import system_blocks
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec

MAX_TOKENS = 2500
USUAL = TaskSpec(
    task_id="vendors",
    goal="Report the vendor.",
    output_schema={
        "company_name": "string",
        "employees": "number | null",
        "founded": "date | null",
        "is_listed": "boolean",
        "headquarters": "string | null",
        "phone": "string | null",
        "auditor": "string | null",
        "subsidiaries": {"type": "array", "items": {"type": "string"}},
    },
    required_fields=["company_name"],
    aliases={"phone": ["Telephone", "Tel."]},
)


def shares(task: TaskSpec, max_actions: int, mode: str) -> dict[str, int]:
    """The tokens of the system prompt and of the tools, the fields of the task apart."""
    definitions = tool_definitions(tools_for(task))
    bare = tool_definitions(tools_for(task.model_copy(update={"output_schema": {}})))
    blocks = system_blocks(task, task, Sample("s1"), max_actions, mode)
    return {
        "system": sum(tokens(block["text"]) for block in blocks),
        "tools": json_tokens(bare),
        "fields": json_tokens(definitions) - json_tokens(bare),
    }


@pytest.mark.parametrize("mode", ["light", "full"])
@pytest.mark.parametrize("max_actions", [1, 5])
def test_system_and_tools_of_a_usual_task_are_small(max_actions, mode):
    """When this was written: system about 700, tools 1,300, eight fields 270."""
    found = shares(USUAL, max_actions, mode)
    assert sum(found.values()) <= MAX_TOKENS, found


def test_the_rules_speak_of_scripts_only_where_they_are_offered():
    usual, with_scripts = (
        system_blocks(USUAL, USUAL, Sample("s1"), evaluates=evaluates)[0]["text"]
        for evaluates in (False, True)
    )
    assert "evaluate" not in usual
    assert "What evaluate returns is no source" in with_scripts
    assert "{evaluate}" not in with_scripts


def test_the_rules_name_all_that_ends_a_reply():
    """But ``fail``, whose own description says that it stops."""
    rules = system_blocks(USUAL, USUAL, Sample("s1"), 5)[0]["text"]
    (named,) = re.findall(r"done; (.*) and what is no longer certain end a reply", rules)
    assert set(re.findall(r"\w+", named)) == BATCH_ENDING_ACTIONS - {"fail"}


def test_what_is_true_for_all_tools_is_said_once():
    text = str(tool_definitions(tools_for(USUAL))) + str(
        system_blocks(USUAL, USUAL, Sample("s1"), 5)
    )
    for once in ("7 for [7]", "memory_update", "YYYY-MM-DD", "Telephone", "additionalProperties"):
        assert text.count(once) <= 1, once
