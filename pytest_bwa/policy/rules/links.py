"""Where the rules policy goes next: the link, tab or button that promises what is missing."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from urllib.parse import SplitResult

from pytest_bwa.paging import ONWARD_ARROWS, names_next_page
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.label_matching import names_of, words
from pytest_bwa.policy.rules.proposal import Proposal
from pytest_bwa.policy.rules.screenshots import headline
from pytest_bwa.policy.rules.subject_matching import (
    NOT_ITS_NAME,
    row_name,
    rows_by_address,
    rows_of,
)
from pytest_bwa.policy.rules.urls import bare, of_another, only_sorts, parts_of, split
from pytest_bwa.steps import Action, Element, Step

MAX_PAGES = 8
# What changes something or signs us in or out; the second kind only as the verb in front ("Close",
# not "Close date").
_NEVER = re.compile(
    r"\b(?:delete|remove|(?:sign|log)[- ]?(?:in|out|up|off)|submit|merge(?! request)|approve|"
    r"cancel|pay|buy|place order|order now|checkout|unsubscribe|unassign|revoke|reject|"
    r"deactivate)\b|^(?:close|subscribe|follow|unfollow|star|fork|edit|new|create|add|reply|share|archive|"
    r"decline|accept|confirm|send|save|publish|reset|disable|transfer|move|upgrade|discard|vote|"
    r"change(?! (?:log|list|request|number|details?))|configure|start|stop|restart|retry|rebuild|"
    r"trigger|launch|install|enable|upload|import|export|generate|rename|duplicate|clone|print|"
    r"register|"
    r"report (?:abuse|user|this|a)|block)\b(?! (?:date|time|reason|history))",
    re.I,
)
_NEVER_PATH = re.compile(
    r"/(?:delete|remove|destroy|log-?out|sign-?out|sign_out|log-?in|sign-?in|approve|reject|merge|"
    r"close|cancel|unsubscribe|edit|new)/?$",
    re.I,
)
_FILE = re.compile(
    r"\.(?:pdf|csv|xlsx?|docx?|zip|gz|tar|exe|dmg|msi|png|jpe?g|gif|mp4|patch|diff)$", re.I
)
_FOLLOWED = frozenset({"link", "tab", "button", "menuitem", "clickable"})
_MORE = re.compile(r"^(?:show|view|load|see|read) (?:more|all)\b|\bdetails?$|^more$", re.I)


def best_link(turn: Turn, open_fields: Sequence[str], *, pressing: bool) -> Proposal:
    """The control whose words match the open fields best, not tried before; None if none does.

    ``pressing``: required fields are among them, so that keywords and any tab are worth a look.
    """
    if not open_fields or len({s.url for s in turn.history}) > MAX_PAGES:
        return None
    been, others = _been(turn), _other_entries(turn)
    scored = [
        (score, -element.index, element)
        for element in turn.observation.elements
        if (score := _promise(turn, element, open_fields, pressing=pressing)) > 0
        and not _tried(turn, element, been)
        and not (element.url and _leads_astray(turn, element.url, been))
        and element.url not in others
    ]
    if not scored:
        return None
    _, _, element = max(scored, key=lambda entry: entry[:2])
    why = f'"{element.name}" may show {", ".join(open_fields[:3])}.'
    if element.role == "link" and element.url:
        return Action(action="goto", url=element.url), why
    return Action(action="click", selector=str(element.index)), why


def turn_page(button: Element) -> Proposal:
    return Action(action="click", selector=str(button.index)), "The list goes on.", "turn_page"


def turned_pages(turn: Turn) -> int:
    """How often a list went on so far, and showed something else."""
    return sum(s.intent == "turn_page" and bool(s.changed) for s in turn.history)


def next_page(turn: Turn) -> Element | None:
    """What shows more of a list: "Next", else an arrow (of two the shorter way), else the number of
    the page after those that were turned so far."""
    seen, following = turn.observation, str(turned_pages(turn) + 2)
    steps = [e for e in seen.elements if e.role in ("link", "button") and _is_open(e)]
    named = [e for e in steps if names_next_page(e.name)]
    arrows = [e for arrow in ONWARD_ARROWS for e in steps if e.name == arrow]
    numbers = [e for e in steps if e.name == following and e.url]
    numbered = [e for e in numbers if parts_of(e.url or "") == parts_of(seen.url)]
    return next(iter([*named, *arrows, *numbered]), None)


def _is_open(element: Element) -> bool:
    return "disabled" not in element.states and not (element.url or "").startswith("javascript:")


def may_open(turn: Turn, url: str | None) -> bool:
    """Whether an address is a page that was not seen yet, of this site, that changes nothing."""
    parts, here = split(url or ""), split(turn.observation.url)
    return (
        parts.netloc == here.netloc and _is_harmless(parts) and bare(url or "") not in _been(turn)
    )


def _been(turn: Turn) -> frozenset[str]:
    """Where it was, and where it was sent: a redirect makes two of them."""
    sent = [str(s.params["url"]) for s in turn.history if "url" in s.params]
    return frozenset(map(bare, [*(s.url for s in turn.history), turn.observation.url, *sent]))


def _is_harmless(address: SplitResult) -> bool:
    return not _NEVER_PATH.search(address.path) and not _FILE.search(address.path)


def _tried(turn: Turn, element: Element, been: Collection[str]) -> bool:
    if element.role == "link" and element.url:
        return bare(element.url) in been
    clicks = [s for s in turn.history if s.action == "click"]
    if element.role == "tab":  # each of them may have an address of its own
        opened = max((s.step for s in turn.history if s.action == "goto"), default=0)
        return any(s.step > opened and _was_target(s, element) for s in clicks)
    return any(
        s.url == turn.observation.url
        and (s.params.get("selector") == str(element.index) or _was_target(s, element))
        for s in clicks
    )


def _was_target(step: Step, element: Element) -> bool:
    """Whether the step was for an element of this role and name, by number or by its text."""
    if step.target is None:
        return step.params.get("selector") == element.name
    return (step.target.role, step.target.name) == (element.role, element.name)


def _leads_astray(turn: Turn, url: str, been: Collection[str]) -> bool:
    """Away from this sample: to another thing of the same sort (ENG-102 from ENG-101), whose
    values would be taken for the sample's, or up to a listing."""
    here, there = parts_of(turn.observation.url), parts_of(url)
    if there == here[: len(there)] and len(there) < len(here):
        return True
    if only_sorts(url, turn.observation.url):
        return True
    if any(of_another(url, other) for other in been):
        return True
    return any(
        len(other := parts_of(been_url)) == len(there) > 2
        and other[:-1] == there[:-1]
        and other[-1] != there[-1]
        and _is_identity(turn, other[-1])
        for been_url in been
    )


def _other_entries(turn: Turn) -> set[str]:
    """A list's "Details" of somebody else: in a table, of a row that is not the sample's; elsewhere
    of several of the same name, which nothing tells apart."""
    rows = rows_by_address(turn.observation)
    listed = list(dict.fromkeys(rows.values()))
    if len(listed) < 2:
        rows = {}
    called = row_name(turn.task, turn.sample, turn.observation)
    own = rows_of(turn.sample, listed, called) if rows else []
    alike: dict[str, set[str]] = {}
    for element in turn.observation.elements:
        if element.url:
            alike.setdefault(element.name, set()).add(element.url)
    others = {url for url, row in rows.items() if url and own != [row]}
    for addresses in alike.values():
        if len({bare(url) for url in addresses}) > 1:
            others |= addresses - rows.keys()
    return others


def _is_identity(turn: Turn, part: str) -> bool:
    """Whether the last part of an address says which one it is (jane-doe), not which side of it
    (overview): a value of the sample, or several words of the page's name."""
    given = set(words(part))
    values = [v for k, v in turn.sample.columns.items() if k not in NOT_ITS_NAME]
    if given and any(given == set(words(value)) for value in values):
        return True
    return len(given) > 1 and given <= set(words(headline(turn)))


def _promise(turn: Turn, element: Element, open_fields: Sequence[str], *, pressing: bool) -> int:
    """0 for what must not or need not be followed."""
    if not _may_follow(turn, element):
        return 0
    said, score = set(words(element.name)), 0
    for name in open_fields:
        for alias in names_of(turn.task, name):
            if set(alias) <= said:
                score = max(score, 10 + 2 * len(alias))
            elif said & {w for w in alias if len(w) > 1}:
                score = max(score, 4)
    opens = "expanded=false" in element.states or element.role == "tab"
    score = max(score, 2 if _MORE.search(element.name) else 1 if opens and pressing else 0)
    keywords = {w for k in turn.task.keywords for w in words(k)}
    if score or pressing:
        score += 3 * min(2, len(said & keywords))
    if not score or (element.role in ("button", "clickable") and _sorts(turn, element)):
        return 0
    if element.role in ("button", "clickable") and not (opens or _MORE.search(element.name)):
        return score if score >= 10 and element.role == "button" else 0
    far = element.url and split(element.url).netloc != split(turn.observation.url).netloc
    return score if not far or score >= 10 else 0


def _sorts(turn: Turn, element: Element) -> bool:
    """Whether a button orders a table: it is called like one of its columns."""
    heads = {v.label for v in turn.observation.labelled if v.kind == "table"}
    named = words(element.name) in map(words, heads)
    return named or bool(re.match(r"sort\b", element.name, re.I))


def _may_follow(turn: Turn, element: Element) -> bool:
    if element.role not in _FOLLOWED or not element.name or _NEVER.search(element.name):
        return False
    if {"disabled", "selected=true", "expanded=true"} & set(element.states):
        return False
    if element.url is None:
        return True
    parts = split(element.url)
    return parts.scheme in ("http", "https") and _is_harmless(parts)


def way_back(turn: Turn) -> Proposal:
    """To the page from which this one was reached, once from each page."""
    path: list[str] = []
    # Step 0 holds the address that was asked for, which a redirect may have changed.
    for url in [*(s.url for s in turn.history if s.step > 0), turn.observation.url]:
        path = [*path[: path.index(url)], url] if url in path else [*path, url]
    if len(path) < 2:
        return None
    here, target = path[-1], path[-2]
    gone = any(
        s.action == "goto" and s.url == here and s.params.get("url") == target for s in turn.history
    )
    if gone:
        return None
    why = "Nothing more is promised here: back to the page before."
    return Action(action="goto", url=target), why
