"""What an action changed: compares the page before and after it. Pure."""

from __future__ import annotations

from dataclasses import replace

from pytest_bwa.agent.verification.changes import MAX_NAME_CHARACTERS, describe_changes
from pytest_bwa.steps.step import Effects, Element, Observation, Verdict

UNCHANGED = "nothing changed on the page"


def verify(
    before: Observation,
    after: Observation,
    effects: Effects = Effects(),  # noqa: B008 - it is frozen
    target: Element | None = None,
    description: str = "",
) -> Verdict:
    """Compare two observations, with what was read at the element acted on; the same always give
    the same verdict. An address that the action's own ``description`` names is not repeated."""
    verdict = Verdict(
        url_changed=before.url != after.url,
        dom_changed=before.dom_hash != after.dom_hash,
        text_changed=before.text != after.text,
        title_changed=before.title != after.title,
        state_changed=before.state != after.state or effects.is_change,
    )
    address = after.url if verdict.url_changed and not _names(description, after.url) else ""
    return replace(verdict, summary=_describe(verdict, before, after, effects, target, address))


def _describe(
    verdict: Verdict,
    before: Observation,
    after: Observation,
    effects: Effects,
    target: Element | None,
    address: str,
) -> str:
    """``address`` is that of the page, where it is to be told."""
    if not verdict.changed and not verdict.title_changed:
        return _describe_hidden(effects)
    changes = describe_changes(before, after, target.ref if target else None)
    own = "; ".join(changes.own)
    parts = [*changes.own, *(effect for effect in effects.changes if not _is_listed(effect, own))]
    if address:
        parts.append(f"the page is now {address}")
    if verdict.title_changed:
        parts.append(f"its title is “{after.title[:MAX_NAME_CHARACTERS]}”")
    if not parts and not changes.others and effects.is_scrolled:
        return "nothing else changed"
    if not parts and not changes.others and effects.is_restyled:
        return _describe_hidden(effects)
    return "; ".join([*parts, *changes.others]) or "the page changed, but nothing in its list"


def _describe_hidden(effects: Effects) -> str:
    """What changed although the page shows the same."""
    if effects.looks:
        return f"only its look changed: {', '.join(effects.looks)}"
    if effects.is_restyled:
        return "only its style changed"
    if effects.is_mutated:
        return "nothing that the page shows changed, only its code"
    return UNCHANGED


def _names(description: str, url: str) -> bool:
    """Whether the words of an action name an address, and not only a longer one."""
    return any(f" {url}{end}" in f" {description}; " for end in ("; ", ": "))


def _is_listed(effect: str, own: str) -> bool:
    """Whether an attribute is a state that the list of elements has: ``aria-expanded``."""
    name = effect.split(" ")[0]
    return name.startswith("aria-") and f"{name.removeprefix('aria-')}=" in own
