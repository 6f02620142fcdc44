"""Chooses which nodes of a page are included in the prompt. Nothing here needs a browser.

Hidden, nameless and presentational nodes are already left out inside the page, by the readers,
because moving a node out of the page costs more than judging it there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pytest_bwa.page.perception.task_words import TaskWords
from pytest_bwa.steps.paging import is_paging
from pytest_bwa.steps.step import INTERACTIVE_ROLES, ElementRef, Place

MAX_NODES = 120
ALWAYS_KEPT = INTERACTIVE_ROLES | {
    "row",  # its line has what its controls are about
    "heading",
    "canvas",
    "dialog",
    "alertdialog",
    "status",
    "alert",
    "scroller",
}
SMALL_PAGE = 50
"""Elements up to which a page also lists the texts of its header, footer and navigation, and the
controls of which these have few."""
MAX_BUTTONS = 10  # of header, footer and navigation; more of one are the menu of a site
MAX_SAID = 30  # texts with words of the task, beyond the maximum if controls leave no room
_PRESSED = ("button", "clickable")
MAX_MESSAGES = 10
"""Alerts, and status texts, up to which they say what has just happened; more are marks of rows."""
_VALUES = ("text", "link")
MAX_LABEL = 40  # characters of a text that may be the label of the next one
MAX_PAGING = 15  # elements of a list's paging
BEFORE_PART = 5  # controls; links to skip the menu, or a question about cookies, are fewer
MAX_PART = 30  # elements of the header of a part
MAX_NAMELESS = 10
"""Controls of one kind without a name or an icon that come before the page's texts; more of them
are the cells of a drawing or a grid."""
ICON = "icon: "
"""How the state begins that says what a control without a text shows."""
_DIGITS = re.compile(r"\d+")
_LANDMARKS_BY_USE = ("banner", "contentinfo", "navigation")


@dataclass(frozen=True, slots=True)
class Node:
    """One element as the readers describe it; ``ref`` is (document, number inside it)."""

    ref: tuple[int, int]
    role: str
    name: str
    value: str | None
    states: tuple[str, ...]
    url: str | None
    box: tuple[float, float, float, float]
    in_viewport: bool
    """At least partly inside the viewport."""
    landmark: str
    """navigation, banner or contentinfo if the element is in such a block, else empty."""
    place: Place
    note: str
    cut: bool
    """Whether the name or the value is only the beginning of what the page has."""
    line: str = ""
    """A row with what its text does not say; numbers of elements in it stand between marks."""
    row: tuple[int, int] | None = None
    """The ref of the row that the element stands in."""
    lines: str = ""
    """The name with its line breaks, where a person sees them; else empty."""
    behind: bool = False
    """Whether an open dialog covers it."""
    found: bool = False
    """Whether the action ``find`` has found it; then it is always listed."""
    unfolds: bool = False
    """As in ``Element``."""
    around: tuple[str, ...] = ()
    """As in ``Element``."""

    @property
    def is_wordless(self) -> bool:
        return self.role == "canvas" or (self.role == "img" and not self.name)

    @classmethod
    def read(
        cls, document: int, raw: dict[str, Any], place: Place, records: Sequence[Sequence[str]] = ()
    ) -> Node:
        """From the JSON object of the readers, which leaves out what most elements do not have."""
        note = [f'note="{raw["note"]}"'] if raw.get("note") else []
        level = [f"level={raw['level']}"] if raw.get("level") else []
        around = records[raw["around"]] if "around" in raw else ()
        x, y, width, height = raw["box"]
        return cls(
            ref=(document, raw["number"]),
            role=raw["role"],
            name=raw["name"],
            value=raw.get("value"),
            states=(*raw["states"], *level, *note),
            url=raw.get("url"),
            box=(x, y, width, height),
            in_viewport=raw["in_viewport"],
            landmark=raw.get("landmark", ""),
            place=place,
            note=" | ".join(filter(None, (raw.get("note"), *raw.get("tooltips", ())))),
            cut=raw.get("cut", False),
            line=raw.get("line", ""),
            row=(document, raw["row"]) if "row" in raw else None,
            lines=raw.get("lines", ""),
            behind=raw.get("behind", False),
            found=raw.get("found", False),
            unfolds=raw.get("unfolds", False),
            around=tuple(around),
        )


def choose(nodes: Sequence[Node], words: TaskWords, max_nodes: int = MAX_NODES) -> list[Node]:
    """At most ``max_nodes`` nodes, in page order; more only if the task speaks of more, or more
    were found.

    Of navigation, banner and footer blocks tabs, text fields but those of a footer, paging, a few
    buttons and icons, and what the task names or ``find`` has found are kept; of a banner, a few
    controls of any kind; of a small page their texts, too, and few controls; of the header of a
    part, all. If too many nodes remain, what can be acted on stays, with rows and headings. Of the
    rest, or if more can be acted on, messages, what was found and controls that the task names come
    first, then what has its words, what is no repeat, controls of few, what is in the viewport; a
    third is left for texts.
    """
    messages, named = _messages(nodes), _named(nodes, words)
    own = {n.ref for n in nodes if not _is_around(n) or _is_kept_in_landmark(n, words)}
    own |= messages | named | _in_paging(nodes) | _in_part_header(nodes)
    if any(n.ref in own and not n.is_wordless for n in nodes):  # else it is as good as empty
        own |= _around(nodes, own)
    kept = [n for n in nodes if n.ref in own]
    if len(kept) <= max_nodes:
        return kept
    repeats = _repeats(kept)
    first = messages | (named - {kept[i].ref for i in repeats})
    ranks = [_rank(n, words, i in repeats, n.ref in first) for i, n in enumerate(kept)]
    ranks = [_rank_beside(ranks, kept, i) for i in range(len(kept))]
    return [kept[i] for i in _best(kept, ranks, repeats, max_nodes)]


def _best(
    nodes: Sequence[Node], ranks: Sequence[_Rank], repeats: Collection[int], max_nodes: int
) -> list[int]:
    """Which nodes are listed, in page order."""
    ranked = sorted(range(len(nodes)), key=lambda i: (*ranks[i], i))
    first = [i for i in ranked if ranks[i][0] == 0]
    staying = [i for i in ranked if nodes[i].role in ALWAYS_KEPT and i not in repeats]
    read = [i for i in ranked if nodes[i].role not in ALWAYS_KEPT and i not in repeats]
    more: list[int] = []
    if len({*first, *staying}) <= max_nodes:
        more = [i for i in read if ranks[i][0] == 1][:MAX_SAID]
        order = [*first, *staying, *ranked]
    else:
        count = Counter(nodes[i].role for i in staying)
        staying.sort(key=lambda i: (ranks[i][0], count[nodes[i].role] > MAX_BUTTONS))
        room = max_nodes - min(max_nodes // 3, len(read))
        order = [*first, *staying[:room], *read, *ranked]
    chosen = list(dict.fromkeys(order))[: max(max_nodes, len(first))]
    return sorted({*chosen, *more})


def choose_around(nodes: Sequence[Node], pictures: Sequence[Node] = ()) -> list[Node]:
    """What is listed of a page that has nothing of its own, or nothing but these pictures: also the
    menu of a site, if it is short."""
    listed = _around(nodes, ()) | {n.ref for n in pictures}
    return [n for n in nodes if n.ref in listed]


def _around(nodes: Sequence[Node], own: Collection[ElementRef]) -> set[ElementRef]:
    """What is listed of header, footer and navigation because it is little. A header's controls may
    be the page's own, such as the one that saves it or makes a new record, and its main heading the
    name of a record. What shows only an icon has no text by which it could be found."""
    rest = [n for n in nodes if n.ref not in own]
    listed = {n.ref for n in rest if n.landmark == "banner" and n.role in INTERACTIVE_ROLES}
    listed = listed if len(listed) <= MAX_BUTTONS else set()
    for landmark in _LANDMARKS_BY_USE:
        buttons = {n.ref for n in rest if n.landmark == landmark and _is_pressed(n)}
        listed |= buttons if len(listed | buttons) <= MAX_BUTTONS else set()
    listed |= {n.ref for n in rest if n.landmark == "banner" and _is_main_heading(n)}
    count = Counter((n.role, n.landmark) for n in rest)
    few = {
        n.ref
        for n in rest
        if n.role not in INTERACTIVE_ROLES or count[n.role, n.landmark] <= MAX_BUTTONS
    }
    return listed | few if len(own) + len(listed | few) <= SMALL_PAGE else listed


def _is_pressed(node: Node) -> bool:
    return node.role in _PRESSED or (node.role == "link" and icon_of(node) != "")


def icon_of(node: Node) -> str:
    """What a control without a text shows, as its states say it; empty for others."""
    icons = (state for state in node.states if state.startswith(ICON))
    return "" if node.name else next(icons, "")


def _is_main_heading(node: Node) -> bool:
    return node.role == "heading" and "level=1" in node.states


def _messages(nodes: Sequence[Node]) -> set[ElementRef]:
    """What the site says of what has just been done, wherever it stands."""
    found: set[ElementRef] = set()
    for role in ("alert", "status"):
        refs = {n.ref for n in nodes if n.role == role and n.name}
        found |= refs if len(refs) <= MAX_MESSAGES else set()
    return found


def _named(nodes: Sequence[Node], words: TaskWords) -> set[ElementRef]:
    """The controls that the task names, but those that every row has."""
    named = [n for n in nodes if n.role in INTERACTIVE_ROLES and words.name(n.name)]
    count = Counter(n.name for n in named if n.role != "link")
    return {n.ref for n in named if count[n.name] <= MAX_BUTTONS}


_Rank = tuple[int, bool, bool, bool]


def _rank(node: Node, words: TaskWords, is_repeat: bool, is_first: bool) -> _Rank:
    """Lower is kept before higher; what begins with 0 is never cut."""
    group = 0 if is_first or node.found else 1 if words.are_in(node.name, node.value) else 2
    return group, is_repeat, not node.in_viewport, node.role not in ALWAYS_KEPT


def _rank_beside(ranks: Sequence[_Rank], nodes: Sequence[Node], at: int) -> _Rank:
    """A text behind one that the task names may be its value: a label without it says that it is
    empty."""
    if not at or ranks[at - 1][0] != 1 or nodes[at].role not in _VALUES:
        return ranks[at]
    label = nodes[at - 1]
    is_label = (
        label.role == "text" and len(label.name) <= MAX_LABEL and not _DIGITS.search(label.name)
    )
    return min(ranks[at], ranks[at - 1]) if is_label else ranks[at]


def _repeats(nodes: Sequence[Node]) -> set[int]:
    """Which nodes say what an earlier one says already: a link to the same place, or the same text
    after the same one. "Ada" after "Owner" says nothing of who stands after "Approver". Controls
    are no repeats: each does something else; only of those that say nothing, many are."""
    seen: set[tuple[str, str, str | None]] = set()
    nameless: Counter[str] = Counter()
    repeats = set()
    before = ""
    for i, node in enumerate(nodes):
        if node.role in INTERACTIVE_ROLES and not (node.name or node.value or node.states):
            nameless[node.role] += 1
            if nameless[node.role] > MAX_NAMELESS:
                repeats.add(i)
        is_link = node.role == "link"
        key = (node.role, node.name, node.url if is_link else before)
        if key in seen and (is_link or node.role not in INTERACTIVE_ROLES):
            repeats.add(i)
        seen.add(key)
        before = node.name
    return repeats


def _in_paging(nodes: Sequence[Node]) -> set[ElementRef]:
    """What stands in a short navigation in which two names differ only in their number, such as "Go
    to page 2" and "Go to page 3"."""
    found: set[ElementRef] = set()
    for landmark, group in groupby(nodes, key=lambda n: n.landmark):
        if landmark != "navigation":
            continue
        members = list(group)
        names = Counter(_DIGITS.sub("0", n.name) for n in members if _DIGITS.search(n.name))
        if len(members) <= MAX_PAGING and max(names.values(), default=0) > 1:
            found |= {n.ref for n in members}
    return found


def _in_part_header(nodes: Sequence[Node]) -> set[ElementRef]:
    """What stands in a header that comes after controls of the page itself, such as a menu that is
    no landmark: it has the name and the state of a record, not what all pages of a site have."""
    before: Counter[str] = Counter()
    found = set()
    for node in nodes:
        frame, is_in_header = node.place.frame, "banner" in node.place.regions
        if is_in_header and before[frame] >= BEFORE_PART:
            found.add(node.ref)
        before[frame] += not is_in_header and not node.landmark and node.role in INTERACTIVE_ROLES
    return found if len(found) <= MAX_PART else set()


def _is_around(node: Node) -> bool:
    """Whether it stands in a landmark around the content; a menu that was opened there as a dialog
    does not."""
    return node.landmark != "" and "dialog" not in node.place.regions


def _is_kept_in_landmark(node: Node, words: TaskWords) -> bool:
    is_field = node.role == "textbox" and node.landmark != "contentinfo"
    is_control = is_field or node.role in ("tab", "searchbox") or is_paging(node.name)
    return node.found or is_control or words.are_keywords_of(node.name, node.value)
