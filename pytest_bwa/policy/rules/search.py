"""How the rules policy finds a sample that has no address: by a link of its name, by the page's
search box, or by turning the pages of a list."""

from __future__ import annotations

import re

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.label_matching import words
from pytest_bwa.policy.rules.links import may_open, next_page, turn_page, turned_pages
from pytest_bwa.policy.rules.proposal import Proposal
from pytest_bwa.policy.rules.subject_matching import (
    holds,
    is_certain,
    is_listed,
    name_of,
    other_columns,
    rows_by_address,
    rows_of,
)
from pytest_bwa.policy.rules.urls import bare
from pytest_bwa.steps import Action, Element, Observation

_NUMBERED = re.compile(r"^[\[#]{0,2}(?:[A-Za-z]+-)?\d+\]?:?\s+(?:\w+:\s+)?")
_SHOWS = re.compile(r"^(?:view|show|open|details?|more)\b", re.I)
MAX_TURNS = 20  # pages of a list; each costs a step or two
_OF_THE_FRAME = re.compile(r"\b(?:navigation|menu|sidebar)\b", re.I)  # finds pages, no samples


def search(turn: Turn) -> Proposal:
    """Open the one link of the sample's name; else type it into the page's search box, press
    search, open the one match; without a box, turn the page."""
    if not _opened(turn) and (link := _listed(turn)):
        return link
    if is_certain(turn) or not (wanted := name_of(turn.task, turn.sample)):
        return None
    box = _box(turn)
    typed = any(s.action == "type" and s.success for s in turn.history)
    if not typed:
        if box is None:
            return _turn_page(turn, wanted)
        if box.value == wanted:
            return None
        return Action(action="type", selector=str(box.index), text=wanted), "Search by name."
    if not any(s.action == "click" for s in turn.history):
        button = next((e for e in turn.observation.elements if _is_search_button(e)), None)
        if button is not None:
            return Action(action="click", selector=str(button.index)), "Start the search."
    return None if _opened(turn) else _open_match(turn, wanted)


def entry(turn: Turn) -> Proposal:
    """From a list that shows the sample in a row of its own to its page, for what the row does not
    tell."""
    wanted = name_of(turn.task, turn.sample)
    if not wanted or is_certain(turn):
        return None
    fitting = _fitting(turn, wanted)
    if len(fitting) == 1 and may_open(turn, fitting[0].url):
        return _open(fitting[0].url, wanted)
    return _of_own_row(turn, wanted)


def _of_own_row(turn: Turn, wanted: str) -> Proposal:
    """A link of the row that shows it, or the first one; it may lead to its owner as well, so what
    is there counts only if that page names the sample."""
    if any(step.intent == "open_row" for step in turn.history):
        return None
    linked = [v for v in turn.observation.labelled if v.row and v.url]
    own = rows_of(turn.sample, list(dict.fromkeys(v.row or "" for v in linked)), wanted)
    links = [v for v in linked if [v.row] == own and may_open(turn, v.url)]
    shows = [v for v in links if _SHOWS.match(v.label)]
    if not links:
        return None
    address = (shows or links)[0].url
    return Action(action="goto", url=address), f"From the row of {wanted}.", "open_row"


def _turn_page(turn: Turn, wanted: str) -> Proposal:
    """The list's next page, as long as that shows something new and the sample was on none."""
    tried = sum(step.intent == "turn_page" for step in turn.history)
    button, turned = next_page(turn), turned_pages(turn)
    if button and not _turns_a_list(turn.observation, button):
        button = None
    if is_listed(turn.observation, wanted) or not (button or tried):
        return None
    if button and turned < MAX_TURNS and turned == tried:
        return turn_page(button)
    note = f'not found: the list names "{wanted}" on none of the pages seen ({turned + 1})'
    return Action(action="fail", note=note), "The list ends here."


def _turns_a_list(seen: Observation, button: Element) -> bool:
    """Whether there are entries to turn over; the "Next" of a slide show leads to no other page."""
    entries = {v.row for v in seen.labelled if v.row}
    return len(entries) > 1 or (button.url is not None and bare(button.url) != bare(seen.url))


def _opened(turn: Turn) -> bool:
    return any(s.action == "goto" and s.step > 0 for s in turn.history)


def _box(turn: Turn) -> Element | None:
    boxes = [e for e in turn.observation.elements if _is_search(e)]
    return next((e for e in boxes if not _OF_THE_FRAME.search(e.name)), None)


def _is_search(element: Element) -> bool:
    named = re.search(r"\bsearch|\bfind", element.name, re.I)
    return element.role == "searchbox" or (element.role in ("textbox", "combobox") and bool(named))


def _is_search_button(element: Element) -> bool:
    return element.role == "button" and bool(re.match(r"(search|find|go)\b", element.name, re.I))


def _listed(turn: Turn) -> Proposal:
    """The link of a list that is called what the sample is called, or its sample_id (but "2" is
    rather the list's second page)."""
    for name in dict.fromkeys([name_of(turn.task, turn.sample), turn.sample.sample_id]):
        if re.fullmatch(r"\d{0,2}", name) or _is_headed(turn, name):
            continue
        fitting = _fitting(turn, name)
        if len(fitting) > 1:  # a search may tell them apart
            return None if _box(turn) else _ambiguous(fitting, name)
        if fitting:
            return _open(fitting[0].url, name)
    return None


def _open_match(turn: Turn, wanted: str) -> Proposal:
    """What the search has found. Choosing one of several namesakes would be a guess."""
    if _is_headed(turn, wanted):
        return None  # the search opened the one match by itself
    fitting = _fitting(turn, wanted)
    if not fitting:
        typed = next(s.result for s in reversed(turn.history) if s.action == "type")
        where = f" ({said})" if (said := typed.split(";")[0]) else ""
        note = f'not found: the search for "{wanted}" shows no match{where}'
        return Action(action="fail", note=note), "Nobody of that name is listed."
    return _open(fitting[0].url, wanted) if len(fitting) == 1 else _ambiguous(fitting, wanted)


def _ambiguous(fitting: list[Element], wanted: str) -> Proposal:
    note = f'ambiguous: {len(fitting)} entries are called "{wanted}" and nothing tells which'
    return Action(action="fail", note=note), "Choosing one of several would be a guess."


def _open(address: str | None, wanted: str) -> Proposal:
    return Action(action="goto", url=address), f"The one match for {wanted}.", "open_match"


def _is_headed(turn: Turn, name: str) -> bool:
    headings = [e.name for e in turn.observation.elements if e.role == "heading"]
    return any(words(heading) == words(name) for heading in headings)


def _fitting(turn: Turn, wanted: str) -> list[Element]:
    """The entries of that name; of several the one that another column of the sample names, if
    there is just one."""
    matches = _matches(turn, wanted)
    others = other_columns(turn).values()
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
    """All of the text, or what stands before a mark: "Ada Quist · Controller" is Ada Quist; a
    number may be in front: "#4: defect: Slow search (closed)"."""
    if not any(c.isalpha() for c in wanted):
        return text.strip() == wanted
    before, bare = (re.split(r"\s[-–—|·•]\s|[,(]", t)[0] for t in (text, _NUMBERED.sub("", text)))
    return words(wanted) in (words(text), words(before), words(bare))
