"""The action that evaluates a model's script, which reads the page and proves nothing."""

from __future__ import annotations

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure, forbidden
from pytest_bwa.page.covered_secrets import secret_boxes
from pytest_bwa.page.evaluation import ScriptFailed
from pytest_bwa.steps.step import ActionResult

NEXT_TO_SECRET = "no script runs on a page that shows a secret or has one in a field"


@action(
    "Evaluate JavaScript that only reads this page: one expression, or statements with return. It "
    "helps to find; its result is no source.",
    changes_page=False,
)
def evaluate(context: ActionContext, *, script: str) -> ActionResult:
    """The result has a number, by which an answer that cites it is refused."""
    if secret_boxes(context.tabs, full_page=False):  # a script could spell it otherwise
        return forbidden(NEXT_TO_SECRET)
    try:
        text, size = context.tabs.scripts.evaluate(context.page, script)
    except ScriptFailed as problem:
        return failure(str(problem))
    line = context.tabs.list_numbers.line("evaluate", text, where=context.page.url)
    cut = f" (the first {len(text)} of {size} characters)" if len(text) < size else ""
    return ActionResult(True, f"the script returned{cut}: {line.line()}", lines=(line,))
