"""Prints the sizes of the prompts in a scripted run of fifty steps, by section."""

from __future__ import annotations

import re
from collections import defaultdict
from statistics import median

from unit.policy.claude.long_run import SAMPLE, TASK, turns

from pytest_bwa.policy.claude.cost import prompt_budget, tokens
from pytest_bwa.policy.claude.prompt import user_message
from pytest_bwa.policy.claude.system_prompt import system_blocks

WINDOW = 200_000


def prompts() -> None:
    system = sum(tokens(block["text"]) for block in system_blocks(TASK, TASK, SAMPLE))
    budget = prompt_budget(WINDOW)
    sizes: dict[str, list[int]] = defaultdict(list)
    for turn in turns():
        message = user_message(turn, budget - system)
        for part in re.split(r"\n\n(?=## |\*\*Step )", message):
            name = "step line" if part.startswith("**") else part.split("\n")[0]
            sizes[name].append(tokens(part))
        sizes["whole prompt"].append(tokens(message) + system)
    print(f"budget {budget} tokens at a window of {WINDOW}; system {system}")
    print(f"{'section':50}{'median':>8}{'most':>8}")
    for name, section_sizes in sizes.items():
        print(f"{name:50}{median(section_sizes):8.0f}{max(section_sizes):8}")
