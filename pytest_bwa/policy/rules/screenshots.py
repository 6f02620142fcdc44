"""Which picture the rules policy takes, and what it is called: a label is only given to a page
that it is true of."""

from __future__ import annotations

import re

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.fields import Reading
from pytest_bwa.policy.rules.label_matching import words
from pytest_bwa.policy.rules.proposal import Proposal
from pytest_bwa.steps import Action
from pytest_bwa.text import label_key

_ANY_PAGE = frozenset(
    {"page", "screen", "screenshot", "picture", "image", "view", "proof", "evidence"}
)


def picture(turn: Turn, reading: Reading) -> Proposal:
    """One picture of every page, and one more where something new can be read after the page
    changed in place (a tab, "show more")."""
    if _pictured(turn) and not (_changed_since(turn) and _fresh(turn, reading)):
        return None
    label = _fitting(turn, reading) or _named_by_page(turn)
    return Action(action="screenshot", label=label), "Every page that is read is kept as a picture."


def last_picture(turn: Turn) -> Proposal:
    """For a required label that no page had in its name: this page, if it speaks of it, or if no
    label was given to any page yet."""
    tried = {s.params.get("label") for s in turn.history if s.action == "screenshot"}
    labels = [label for label in open_labels(turn) if label not in tried]
    spoken = set(words(turn.observation.text)).union(
        *(words(v.label) for v in turn.observation.labelled)
    )
    for label in labels:
        if set(words(label)) <= spoken or len(labels) == len(turn.task.required_artifacts):
            why = f"No page is called {label}; this one shows what was asked for."
            return Action(action="screenshot", label=label), why
    return None


def open_labels(turn: Turn) -> list[str]:
    """Required labels that no saved picture has, or has in its name."""
    names = [f"_{label_key(name.removesuffix('.png'))}_" for name in turn.screenshots]
    return [
        label
        for label in turn.task.required_artifacts
        if not any(f"_{label_key(label)}_" in name for name in names)
        and not (label_key(label) == "screenshot" and names)
    ]


def sought_labels(turn: Turn) -> list[str]:
    """Those of them that name a page, which can be looked for like a field."""
    return [label for label in open_labels(turn) if not set(words(label)) <= _ANY_PAGE]


def headline(turn: Turn) -> str:
    headings = [e.name for e in turn.observation.elements if e.role == "heading"]
    return " | ".join([turn.observation.title, *headings[:2]])


def _pictured(turn: Turn) -> bool:
    return any(s.action == "screenshot" and s.url == turn.observation.url for s in turn.history)


def _changed_since(turn: Turn) -> bool:
    """Whether the page changed in place after its last picture."""
    here, changed = turn.observation.url, False
    after = [*(s.url for s in turn.history[1:]), here]
    for step, url_after in zip(turn.history, after, strict=True):
        if step.url == here and step.action == "screenshot":
            changed = False
        elif step.url == url_after == here:
            changed = changed or bool(step.changed)
    return changed


def _fresh(turn: Turn, reading: Reading) -> bool:
    return any(name not in turn.collected for name in reading.by_label)


def _fitting(turn: Turn, reading: Reading) -> str:
    """The required label for this page: one that shares a word with its name, else the first one
    for the first page that answers anything, unless something on it leads to such a page."""
    labels = open_labels(turn)
    selected = [e.name for e in turn.observation.elements if "selected=true" in e.states]
    here = set(words(" ".join([headline(turn), turn.observation.url, *selected])))
    fitting = [label for label in labels if set(words(label)) & here]
    if fitting or not labels or not reading.by_label:
        return fitting[0] if fitting else ""
    if len(labels) < len(turn.task.required_artifacts):
        return ""
    wanted = set(words(labels[0]))
    leads = [e.name for e in turn.observation.elements if e.role in ("link", "tab", "button")]
    return "" if any(wanted & set(words(name)) for name in leads) else labels[0]


def _named_by_page(turn: Turn) -> str:
    """The title's first words, and the tab that is open."""
    name = turn.observation.title or headline(turn)
    tabs = [e.name for e in turn.observation.elements if "selected=true" in e.states]
    said = (
        re.findall(r"[^\W_]+", name.casefold())[:6]
        + re.findall(r"[^\W_]+", " ".join(tabs[:1]).casefold())[:2]
    )
    return "_".join(said) or "page"
