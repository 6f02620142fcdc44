"""What an action changed: compares the page before and after it. Pure."""

from __future__ import annotations

from collections import Counter

from pytest_bwa.steps import FOCUSED, Element, Observation, Verdict

MAX_NAMED = 5  # elements listed by name as appeared, as gone, or as changed
MAX_NAME_CHARACTERS = 60


def verify(before: Observation, after: Observation) -> Verdict:
    """Compare two observations; the same two always give the same verdict."""
    verdict = Verdict(
        url_changed=before.url != after.url,
        dom_changed=before.dom_hash != after.dom_hash,
        text_changed=before.text != after.text,
        title_changed=before.title != after.title,
    )
    return Verdict(
        verdict.url_changed,
        verdict.dom_changed,
        verdict.text_changed,
        verdict.title_changed,
        summary=_describe(verdict, before, after),
    )


def _describe(verdict: Verdict, before: Observation, after: Observation) -> str:
    if not verdict.changed and not verdict.title_changed:
        return "nothing changed on the page"
    parts = []
    if verdict.url_changed:
        parts.append(f"the page is now {after.url}")
    if verdict.title_changed:
        parts.append(f"its title is “{after.title[:MAX_NAME_CHARACTERS]}”")
    if not verdict.url_changed:  # another page differs in everything
        # What is not listed is still there, such as the page behind a dialog.
        parts += _describe_new("appeared", (*before.elements, *before.unlisted), after.elements)
        parts += _describe_new("gone", (*after.elements, *after.unlisted), before.elements)
        parts += _describe_changed_values(before, after)
    return "; ".join(parts) or "the page changed a little"


def _describe_new(
    label: str, elements: tuple[Element, ...], compared: tuple[Element, ...]
) -> list[str]:
    """The named elements of ``compared`` that are not in ``elements``, as one part or none."""
    known = Counter((e.role, e.name) for e in elements)
    new = []
    for element in compared:
        key = (element.role, element.name)
        if known[key] > 0:
            known[key] -= 1
        elif element.name:
            new.append(f'{element.role} "{element.name[:MAX_NAME_CHARACTERS]}"')
    more = f" and {len(new) - MAX_NAMED} more" if len(new) > MAX_NAMED else ""
    return [f"{label}: {', '.join(new[:MAX_NAMED])}{more}"] if new else []


def _describe_changed_values(before: Observation, after: Observation) -> list[str]:
    """Elements on both pages whose value or state changed."""
    old = {e.ref: e for e in before.elements}
    changed = [
        f'{e.role} "{e.name[:MAX_NAME_CHARACTERS]}" shows {_describe_value(e)}'
        for e in after.elements
        if (was := old.get(e.ref)) and _value_and_states(was) != _value_and_states(e)
    ]
    return changed[:MAX_NAMED]


def _value_and_states(element: Element) -> tuple[str | None, list[str]]:
    """What may change of an element; where the next key goes is no change of it."""
    return element.value, [state for state in element.states if state != FOCUSED]


def _describe_value(element: Element) -> str:
    named = (s for s in element.states if s != FOCUSED and "options: " not in s)
    states = ", ".join(named)
    if element.value is None:
        return states or "nothing"
    return f"“{element.value[:MAX_NAME_CHARACTERS]}”" + (f" ({states})" if states else "")
