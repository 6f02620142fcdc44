"""How the rules policy finds a sample that has no address: by a link of its name, or by the page's
search box."""

from __future__ import annotations

import re
from urllib.parse import unquote_plus, urlsplit

from pytest_bwa.policy.policy import Turn
from pytest_bwa.policy.reading import holds, rows_by_address, words
from pytest_bwa.steps import Action, Element

Move = tuple[Action, str] | None

_CHOSEN = "The one match for "


def search(turn: Turn) -> Move:
    """Open the one link of the sample's name; else type it into the page's search box, press
    search, open the one match."""
    if not _opened(turn) and (link := _listed(turn)):
        return link
    if turn.sample.url or not (wanted := _wanted(turn)):
        return None
    box = _box(turn)
    typed = any(s.action == "type" and s.success for s in turn.history)
    if not typed:
        if box is None or (box.value or "") == wanted or _is_own_page(turn):
            return None
        return Action(action="type", selector=str(box.index), text=wanted), "Search by name."
    if not any(s.action == "click" for s in turn.history):
        button = next((e for e in turn.observation.elements if _is_search_button(e)), None)
        if button is not None:
            return Action(action="click", selector=str(button.index)), "Start the search."
    return None if _opened(turn) else _open_match(turn, wanted)


def unconfirmed(turn: Turn) -> str:
    """Why what is shown may not be the sample's at all, or empty: a sample without an address of
    its own whose name neither this page has nor one that something was kept from."""
    name = _wanted(turn)
    if turn.sample.url or name.isnumeric() or not name:
        return ""
    if _is_own_page(turn) or turn.collected:
        return ""
    if any(s.thinking.startswith(_CHOSEN) for s in turn.history):
        return ""
    seen = turn.observation
    said = [seen.title, seen.url, seen.text, *(e.name for e in seen.elements)]
    said += [text for v in seen.labelled for text in (v.value, v.row or "")]
    if set(words(name)) <= set(words(" ".join(said))):
        return ""
    return f'not found: nothing that was seen names "{name}"'


def contradiction(turn: Turn) -> Move:
    """A page that was chosen by name, but is not the sample's by another of its columns."""
    if not any(s.thinking.startswith(_CHOSEN) for s in turn.history):
        return None
    for column, value in _others(turn).items():
        shown = [
            v.value
            for v in turn.observation.labelled
            if v.kind not in ("link", "heading", "input")
            and set(words(column)) <= set(words(v.label))
        ]
        if shown and not any(_alike(value, text) for text in shown):
            note = f'ambiguous: the page found says {column} "{shown[0]}", the list "{value}"'
            return Action(action="fail", note=note), "It may be someone else of the same name."
    return None


def _alike(one: str, other: str) -> bool:
    a, b = set(words(one)), set(words(other))
    return a <= b or b <= a


def _opened(turn: Turn) -> bool:
    return any(s.action == "goto" and s.step > 0 for s in turn.history)


def _others(turn: Turn) -> dict[str, str]:
    """The sample's columns that may tell namesakes apart."""
    wanted = _wanted(turn)
    reserved = ("sample_id", "url", "xfail", "name")
    return {
        k: v.strip()
        for k, v in turn.sample.columns.items()
        if k not in reserved and v.strip() not in ("", wanted)
    }


def _wanted(turn: Turn) -> str:
    """The column that names the sample: ``name``, or the first of input_schema."""
    columns = turn.sample.columns
    for key in ("name", *turn.task.input_schema):
        if columns.get(key, "").strip():
            return columns[key].strip()
    return ""


def _is_own_page(turn: Turn) -> bool:
    """The address that was opened names the sample already."""
    first = turn.history[0].params.get("url", "") if turn.history else ""
    parts = urlsplit(first)
    address = set(words(unquote_plus(f"{parts.path} {parts.query}")))
    values = [v for k, v in turn.sample.columns.items() if k != "xfail" and len(v.strip()) > 1]
    return any(words(value) and set(words(value)) <= address for value in values)


def _box(turn: Turn) -> Element | None:
    return next((e for e in turn.observation.elements if _is_search(e)), None)


def _is_search(element: Element) -> bool:
    named = re.search(r"\bsearch|\bfind", element.name, re.I)
    return element.role == "searchbox" or (element.role in ("textbox", "combobox") and bool(named))


def _is_search_button(element: Element) -> bool:
    return element.role == "button" and bool(re.match(r"(search|find|go)\b", element.name, re.I))


def _listed(turn: Turn) -> Move:
    """The link of a list that is called what the sample is called, or its sample_id (but "2" is
    rather the list's second page)."""
    for name in dict.fromkeys([_wanted(turn), turn.sample.sample_id]):
        if re.fullmatch(r"\d{0,2}", name) or _is_headed(turn, name):
            continue
        fitting = _fitting(turn, name)
        if len(fitting) > 1:  # a search may tell them apart
            return None if _box(turn) else _ambiguous(fitting, name)
        if fitting:
            return _open(fitting[0], name)
    return None


def _open_match(turn: Turn, wanted: str) -> Move:
    """What the search has found. Choosing one of several namesakes would be a guess."""
    if _is_headed(turn, wanted):
        return None  # the search opened the one match by itself
    fitting = _fitting(turn, wanted)
    if not fitting:
        note = f'not found: the search for "{wanted}" shows no match'
        return Action(action="fail", note=note), "Nobody of that name is listed."
    return _open(fitting[0], wanted) if len(fitting) == 1 else _ambiguous(fitting, wanted)


def _ambiguous(fitting: list[Element], wanted: str) -> Move:
    note = f'ambiguous: {len(fitting)} entries are called "{wanted}" and nothing tells which'
    return Action(action="fail", note=note), "Choosing one of several would be a guess."


def _open(link: Element, wanted: str) -> Move:
    return Action(action="goto", url=link.url), f"{_CHOSEN}{wanted}."


def _is_headed(turn: Turn, name: str) -> bool:
    headings = [e.name for e in turn.observation.elements if e.role == "heading"]
    return any(words(heading) == words(name) for heading in headings)


def _fitting(turn: Turn, wanted: str) -> list[Element]:
    """The entries of that name; of several the one that another column of the sample names, if
    there is just one."""
    matches = _matches(turn, wanted)
    others = _others(turn).values()
    told = [link for link, text in matches if any(holds(text, other) for other in others)]
    return told if len(told) == 1 else [link for link, _ in matches]


def _matches(turn: Turn, wanted: str) -> list[tuple[Element, str]]:
    """Links to different pages that are named like the sample, each with its row of a table, or
    the text up to the next of them."""
    found: list[tuple[Element, list[str]]] = []
    for element in turn.observation.elements:
        if element.role == "link" and element.url and _is_name(element.name, wanted):
            if element.url not in [other.url for other, _ in found]:
                found.append((element, [element.name]))
        elif found:
            found[-1][1].append(element.name)
    rows = rows_by_address(turn.observation)
    return [(link, rows.get(link.url) or " ".join(text)) for link, text in found]


def _is_name(text: str, wanted: str) -> bool:
    """All of the text, or what stands before a mark: "Ada Quist · Controller" is Ada Quist."""
    before = re.split(r"\s[-–—|·•]\s|[,(]", text)[0]
    return words(wanted) in (words(text), words(before))
