"""The action that chooses an option of a list."""

from __future__ import annotations

from pytest_bwa.actions.action_context import ActionContext, Selector
from pytest_bwa.actions.choosing.choices import Choice, ambiguous, no_such_option, quoted
from pytest_bwa.actions.choosing.native_list import NativeList
from pytest_bwa.actions.choosing.widget import choose_in_widget
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.steps.step import ActionResult


@action("Choose an option of a list; if multiple, name all wanted: A, B.")
def select_option(
    context: ActionContext,
    *,
    selector: Selector,
    value: str,
) -> ActionResult:
    element, wanted = context.element(selector), value
    found = context.ask(element, "selectOptions")
    if found is None:
        return choose_in_widget(context, selector, wanted, element)
    before = NativeList.read(found)
    called = before.called(wanted)
    if not called:
        return failure(no_such_option(wanted, before.options))
    if several := next((one for one in called if len(one) > 1), None):
        return failure(ambiguous(several, several[0].text if len(called) > 1 else wanted))
    chosen = [one for (one,) in called]
    element.select_option(index=[one.key for one in chosen], timeout=context.element_ms)
    after = NativeList.read(context.ask(element, "selectOptions") or found)
    named, now = context.describe(selector), _change(before, after)
    what = chosen[0].in_group if len(chosen) == 1 and chosen[0].group else wanted
    if {_kept(one) for one in after.chosen} != {_kept(one) for one in chosen}:
        instead = now or f": it has {quoted(after.chosen) or 'nothing'}"
        return failure(f'selected "{what}", but {named} did not keep it{instead}')
    return ActionResult(True, f'selected "{what}" in {named}{now}', entered=after.text)


def _kept(option: Choice) -> tuple[str, str]:
    """What a page may not change of an option when it is chosen."""
    return option.value, option.group


def _change(before: NativeList, after: NativeList) -> str:
    """What is chosen now in a list of several, and no longer: choosing replaces all that was."""
    if not after.is_multiple:
        return ""
    kept = [_kept(one) for one in after.chosen]
    now, lost = after.chosen, [one for one in before.chosen if _kept(one) not in kept]
    parts = [f"chosen now: {quoted(now, after.options) or 'nothing'}"]
    return "; ".join(
        ["", *parts, *([f"no longer chosen: {quoted(lost, before.options)}"] if lost else [])]
    )
