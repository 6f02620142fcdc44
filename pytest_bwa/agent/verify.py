"""What an action changed: a pure comparison of the page before and after (F-61)."""

from __future__ import annotations

from collections import Counter

from pytest_bwa.steps import Element, Observation, Verdict

NAMED = 5  # elements that are named as appeared, or as gone
NAME_CHARACTERS = 60


def verify(before: Observation, after: Observation) -> Verdict:
    """The same two observations always give the same verdict."""
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
        summary=_in_words(verdict, before, after),
    )


def _in_words(verdict: Verdict, before: Observation, after: Observation) -> str:
    if not verdict.changed and not verdict.title_changed:
        return "nothing changed on the page"
    parts = []
    if verdict.url_changed:
        parts.append(f"the page is {after.url} now")
    if verdict.title_changed:
        parts.append(f"its title is “{after.title[:NAME_CHARACTERS]}”")
    if not verdict.url_changed:  # another page differs in everything
        parts += _difference("appeared", before.elements, after.elements)
        parts += _difference("gone", after.elements, before.elements)
        parts += _values(before, after)
    return "; ".join(parts) or "the page changed a little"


def _difference(word: str, old: tuple[Element, ...], new: tuple[Element, ...]) -> list[str]:
    known = Counter((e.role, e.name) for e in old)
    fresh = []
    for element in new:
        key = (element.role, element.name)
        if known[key] > 0:
            known[key] -= 1
        elif element.name:
            fresh.append(f'{element.role} "{element.name[:NAME_CHARACTERS]}"')
    more = f" and {len(fresh) - NAMED} more" if len(fresh) > NAMED else ""
    return [f"{word}: {', '.join(fresh[:NAMED])}{more}"] if fresh else []


def _values(before: Observation, after: Observation) -> list[str]:
    """Fields and boxes that stand where they stood, and show something else."""
    old = {e.ref: e for e in before.elements}
    changed = [
        f'{e.role} "{e.name[:NAME_CHARACTERS]}" shows {_shown(e)}'
        for e in after.elements
        if (was := old.get(e.ref)) and (was.value, was.states) != (e.value, e.states)
    ]
    return changed[:NAMED]


def _shown(element: Element) -> str:
    states = ", ".join(element.states)
    if element.value is None:
        return states or "nothing"
    return f"“{element.value[:NAME_CHARACTERS]}”" + (f" ({states})" if states else "")
