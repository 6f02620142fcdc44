"""Builders for transitions and observations, used by the unit tests of the agent."""

from __future__ import annotations

from typing import Any

from pytest_bwa.actions.catalog import changes_page
from pytest_bwa.agent.step_log import Transition
from pytest_bwa.agent.verification import verify
from pytest_bwa.steps.step import Action, ActionResult, Element, Observation

PAGE = "http://site.test/page"


def page(text: str = "a page", url: str = PAGE, names: tuple[str, ...] = ("Save",), **more: Any):
    elements = tuple(Element(n, (0, n), "button", name) for n, name in enumerate(names))
    looks = {"dom_hash": f"{text}{names}", "state": f"{url}{text}", **more}
    return Observation(url=url, title="", text=text, elements=elements, **looks)


def transition(
    action: str = "click",
    *,
    before: Observation | None = None,
    after: Observation | None = None,
    success: bool = True,
    description: str = "clicked it",
    step: int = 1,
    max_steps: int = 100,
    saved: bool = False,
    collected: Any = None,
    artifact: Any = None,
    found: tuple[str, ...] | None = None,
    **params: Any,
) -> Transition:
    before = before or page()
    after = after or before
    if action == "click":
        params.setdefault("selector", "0")
    return Transition(
        step=step,
        max_steps=max_steps,
        action=Action(action=action, **params),  # type: ignore[arg-type]
        result=ActionResult(
            success,
            description,
            error=None if success else description,
            artifact=artifact,
            found=found,
        ),
        before=before,
        after=after,
        verdict=verify(before, after) if changes_page(action) else None,
        saved=saved,
        collected=collected or {},
    )
