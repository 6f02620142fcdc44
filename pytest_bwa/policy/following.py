"""Where the rules policy goes next: the link, tab or button that promises what is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from pytest_bwa.policy.policy import Turn
from pytest_bwa.policy.reading import names_of, words
from pytest_bwa.steps import Action, Element

MOST_PAGES = 8
_NEVER = re.compile(
    r"\b(?:delete|remove|sign ?(?:out|in|up)|log ?(?:out|in)|submit|merge|approve|close|cancel|pay|"
    r"buy|subscribe|follow|star|fork|edit|new|create|add|reply|share|unassign|archive|reject)\b",
    re.I,
)
_FOLLOWED = frozenset({"link", "tab", "button", "menuitem"})
_MORE = re.compile(r"^(?:show|view|load|see) (?:more|all)\b|\bdetails?$", re.I)

Move = tuple[Action, str] | None


def best_link(turn: Turn, open_fields: Sequence[str]) -> Move:
    """The control whose words match the open fields best, not tried before; None if none does."""
    tried = {s.params.get("selector") or s.params.get("url") for s in turn.history}
    tried |= {s.url for s in turn.history}
    visited = len({s.url for s in turn.history})
    if not open_fields or visited > MOST_PAGES:
        return None
    scored = [
        (score, -element.index, element)
        for element in turn.observation.elements
        if (score := _promise(turn, element, open_fields)) > 0
        and element.name not in tried
        and (element.url or element.name).split("#")[0] not in tried
    ]
    if not scored:
        return None
    _, _, element = max(scored, key=lambda entry: entry[:2])
    why = f'"{element.name}" may show {", ".join(open_fields[:3])}.'
    if element.role == "link" and element.url:
        return Action(action="goto", url=element.url), why
    return Action(action="click", selector=element.name), why


def _promise(turn: Turn, element: Element, open_fields: Sequence[str]) -> int:
    """0 for what must not or need not be followed."""
    if element.role not in _FOLLOWED or not element.name or _NEVER.search(element.name):
        return 0
    if "disabled" in element.states or "selected=true" in element.states:
        return 0
    said = set(words(element.name))
    score = 0
    for name in open_fields:
        for alias in names_of(turn.task, name):
            if set(alias) <= said:
                score = max(score, 10 + 2 * len(alias))
            elif said & {w for w in alias if len(w) > 1}:
                score = max(score, 4)
    keywords = {w for k in turn.task.keywords for w in words(k)}
    score += 3 * min(2, len(said & keywords))
    if score == 0 and _MORE.search(element.name):
        score = 2
    if element.role == "button" and score < 10 and not _MORE.search(element.name):
        return 0  # a button may do something; only a clear promise is worth a press
    far = element.url and urlsplit(element.url).netloc != urlsplit(turn.observation.url).netloc
    return score if not far or score >= 10 else 0


# -- samples without an address: search for them ---------------------------------------------


def search(turn: Turn) -> Move:
    """Type the sample's name into the page's search box, press search, open the one match."""
    if turn.sample.url or not (wanted := _wanted(turn)):
        return None
    box = next((e for e in turn.observation.elements if _is_search(e)), None)
    typed = any(s.action == "type" and s.success for s in turn.history)
    if box is not None and not typed and (box.value or "") == wanted:
        return None  # the address has searched already
    if box is not None and not typed:
        return Action(action="type", selector=str(box.index), text=wanted), "Search by name."
    pressed = any(s.action == "click" and s.success for s in turn.history)
    if typed and not pressed:
        button = next((e for e in turn.observation.elements if _is_search_button(e)), None)
        if button is not None:
            return Action(action="click", selector=str(button.index)), "Start the search."
    opened = [s for s in turn.history if s.action == "goto" and s.step > 0]
    return _open_match(turn, wanted) if typed and not opened else None


def _wanted(turn: Turn) -> str:
    """The column that names the sample: ``name``, or the first of input_schema."""
    columns = turn.sample.columns
    for key in ("name", *turn.task.input_schema):
        if columns.get(key, "").strip():
            return columns[key].strip()
    return ""


def _is_search(element: Element) -> bool:
    named = re.search(r"\bsearch|\bfind", element.name, re.I)
    return element.role == "searchbox" or (element.role in ("textbox", "combobox") and bool(named))


def _is_search_button(element: Element) -> bool:
    return element.role == "button" and bool(re.match(r"(search|find|go)\b", element.name, re.I))


def _open_match(turn: Turn, wanted: str) -> Move:
    """Namesakes are told apart only by the sample's other columns; else nobody is chosen."""
    matches = _matches(turn, wanted)
    if not matches:
        return Action(
            action="fail", note=f'not found: the search for "{wanted}" shows no match'
        ), ""
    if len(matches) > 1:
        others = [
            value.strip().casefold()
            for key, value in turn.sample.columns.items()
            if key not in ("sample_id", "url", "xfail", "name")
            and value.strip() not in ("", wanted)
        ]
        fitting = [m for m in matches if any(o in m[1].casefold() for o in others)]
        if len(fitting) != 1:
            note = (
                f'ambiguous: {len(matches)} entries are called "{wanted}" and nothing tells which'
            )
            return Action(action="fail", note=note), "Choosing one of several would be a guess."
        matches = fitting
    element = matches[0][0]
    return Action(action="goto", url=element.url), f"The one match for {wanted}."


def _matches(turn: Turn, wanted: str) -> list[tuple[Element, str]]:
    """Links named like the sample, each with the text up to the next of them."""
    found: list[tuple[Element, list[str]]] = []
    for element in turn.observation.elements:
        if element.role == "link" and element.url and words(element.name) == words(wanted):
            found.append((element, []))
        elif found:
            found[-1][1].append(element.name)
    return [(element, " ".join(text)) for element, text in found]
