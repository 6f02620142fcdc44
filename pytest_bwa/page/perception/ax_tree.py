"""Reads the browser's accessibility tree, for pages that a script cannot read: closed shadow roots,
and documents that the browser itself draws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame, Page

from pytest_bwa.page.perception.prune import ALWAYS_KEPT, Node
from pytest_bwa.page.readers import Readers
from pytest_bwa.page.script_loader import read_json
from pytest_bwa.steps.step import Place
from pytest_bwa.steps.text import visible_text, whole_words

MIN_NODES = 5  # with fewer nodes from the page script, the accessibility tree is read too
MAX_NODES = 120
MAX_NAME_CHARACTERS = 200
_ROLES = ALWAYS_KEPT | {"StaticText", "img", "image", "row", "cell", "LabelText"}
_ROLE_NAMES = {"StaticText": "text", "LabelText": "text", "image": "img", "cell": "text"}


def ax_nodes(readers: Readers, page: Page, document: int, known: Sequence[Node]) -> list[Node]:
    """The nodes of the accessibility tree that are not in ``known``; empty if there is no tree.
    ``document`` is the number of the main frame's document, which the tree describes."""
    try:
        session = page.context.new_cdp_session(page)
    except PlaywrightError:  # not Chromium
        return []
    try:
        raw = session.send("Accessibility.getFullAXTree")["nodes"]
        return _read(readers, page.main_frame, document, raw, known)
    except PlaywrightError:  # the page is just being replaced by another one
        return []
    finally:
        session.detach()


def _read(
    readers: Readers,
    frame: Frame,
    document: int,
    raw: Sequence[dict[str, Any]],
    read: Sequence[Node],
) -> list[Node]:
    nodes: list[Node] = []
    known = {(node.role, node.name) for node in read}
    refs = {node.ref for node in read}
    for entry in raw:
        role, name = _word(entry, "role"), _word(entry, "name")
        if entry.get("ignored") or not name or role not in _ROLES or len(nodes) >= MAX_NODES:
            continue
        role_name = _ROLE_NAMES.get(role, role)
        # What is a part of a link's or a paragraph's text is not repeated.
        is_said = role_name == "text" and _is_said(name, (n for _, n in known))
        if (role_name, name) in known or is_said:
            continue
        raw_node = _node(readers, frame, entry, role_name, name)
        # Its name may differ from the one that the page script has read.
        if raw_node is None or (role_name != "text" and (document, raw_node["number"]) in refs):
            continue
        if role_name == "text" and _is_part(name, raw_node["box"], read):
            continue
        known.add((role_name, name))
        nodes.append(Node.read(document, raw_node, Place()))
    return nodes


def _is_said(text: str, names: Iterable[str]) -> bool:
    """Whether one of the names has the text, as whole words."""
    words = " ".join(text.split())
    # The text may be a whole document, of which a pattern would take half a minute.
    long_enough = [name for name in names if len(name) >= len(words)]
    if not long_enough:
        return False
    pattern = whole_words([words])
    return any(pattern.search(name) for name in long_enough)


def _is_part(text: str, box: Sequence[float], nodes: Iterable[Node]) -> bool:
    """Whether a text stands in a node that has it, if only as a part of a word."""
    x, y, width, height = box
    return any(
        text in node.name
        and node.box[0] <= x
        and node.box[1] <= y + 1
        and x + width <= node.box[0] + node.box[2] + 1
        and y + height <= node.box[1] + node.box[3] + 1
        for node in nodes
    )


def _word(entry: dict[str, Any], key: str) -> str:
    return visible_text(str(entry.get(key, {}).get("value") or "")).strip()


def _node(
    readers: Readers, frame: Frame, entry: dict[str, Any], role: str, name: str
) -> dict[str, Any] | None:
    """The node of one entry, as the readers would describe it; its element gets a number, so that
    actions can reach it."""
    try:
        element = read_json(readers.ask_node(frame, entry["backendDOMNodeId"]))
    except (PlaywrightError, KeyError, TypeError, ValueError):  # it has no element of its own
        return None
    return {
        "number": element["number"],
        "role": role,
        "name": name[:MAX_NAME_CHARACTERS],
        "value": element["value"] if role in ("textbox", "searchbox", "combobox") else None,
        "states": [],
        "url": element["url"] if role == "link" else None,
        "box": element["box"],
        "in_viewport": element["in_viewport"],
        "landmark": "",
        "level": 0,
        "note": None,
        "cut": len(name) > MAX_NAME_CHARACTERS,
    }
