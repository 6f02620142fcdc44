"""A scripted run of fifty steps on large pages; the bench uses it too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pytest_bwa.agent.progress import deep_merge
from pytest_bwa.policy.base import Turn
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Element, Observation, Step

SAMPLE = Sample("ledger", {"sample_id": "ledger", "repo": "acme/ledger"})
TASK = TaskSpec(
    task_id="chain",
    goal="Audit the pull requests of {repo}. " * 5,
    system_prompt="Read only what the page shows. " * 20,
    output_schema={"prs": "array", **{f"field_{n}": "string | null" for n in range(10)}},
    required_fields=["prs"],
    max_steps=60,
)
CYCLE = ("click", "extract", "save_progress", "scroll", "screenshot")


def turns(steps: int = 50) -> Iterator[Turn]:
    history: list[Step] = []
    collected: dict[str, Any] = {}
    summaries: list[str] = []
    for number in range(1, steps + 1):
        yield Turn(
            observation=page(number),
            task=TASK,
            sample=SAMPLE,
            step=number,
            max_steps=60,
            history=tuple(history),
            collected=dict(collected),
            screenshots=[f"{n:02d}_pr.png" for n in range(1, number // 5 + 1)],
            notices=["The last 3 steps brought nothing new from this page."] * (number % 7 == 0),
            summaries=tuple(summaries[-3:]),
            run_state={"pages_visited": [page(n).url for n in range(10)]},
        )
        history.append(step(number))
        if history[-1].action == "save_progress":
            saved = history[-1].params["extracted"]
            collected = deep_merge(collected, saved)
        if number % 10 == 0:
            summaries.append("FOUND: " + "x" * 400 + "\nGAPS: y\nNEXT: z")


def page(number: int) -> Observation:
    elements = tuple(
        Element(n, (0, n), "link", f"Row {n} of page {number}: " + "words " * 30,
                url=f"https://forge.example/acme/ledger/pull/{number}/row/{n}?tab=files&w=1")
        for n in range(120)
    )  # fmt: skip
    return Observation(
        url=f"https://forge.example/acme/ledger/pull/{number}", title="Pull", elements=elements
    )


def step(number: int) -> Step:
    action = CYCLE[number % len(CYCLE)]
    params: dict[str, Any] = {"selector": "7"}
    if action == "save_progress":
        entry = {"number": number, "title": f"Pull request {number} " + "t" * 60}
        params = {"extracted": {"prs": [entry], f"field_{number // 5}": f"value {number}"}}
    return Step(
        step=number, action=action, params=params,
        result=f"read 4000 characters: {'z' * 4000}" if action == "extract" else f"did {number}",
        success=True, url=page(number).url, started_at="", timestamp="",
        memory_update=f"remember {number}", next_goal=f"go on from {number}",
        evaluation_previous_step="it worked",
    )  # fmt: skip
