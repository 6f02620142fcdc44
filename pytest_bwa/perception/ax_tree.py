"""The browser's own accessibility tree, for pages that hide from a script: closed shadow roots,
documents that are drawn by the browser (F-27)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import CDPSession, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.page.script_loader import load_script
from pytest_bwa.perception.prune import ALWAYS_KEPT, Node

FEW = 5  # nodes; with fewer, the tree is asked for
MOST = 120
_ROLES = ALWAYS_KEPT | {"StaticText", "img", "image", "row", "cell", "LabelText"}
_SHOWN_AS = {"StaticText": "text", "LabelText": "text", "image": "img", "cell": "text"}
_ELEMENT = load_script("ax_element")


def ax_nodes(page: Page, known: Sequence[Node]) -> list[Node]:
    """What the accessibility tree has beside ``known``; empty where the browser offers none."""
    try:
        session = page.context.new_cdp_session(page)
    except PlaywrightError:  # not Chromium
        return []
    try:
        raw = session.send("Accessibility.getFullAXTree")["nodes"]
        return _read(session, raw, {(node.role, node.name) for node in known})
    except PlaywrightError:  # the page is just being replaced
        return []
    finally:
        session.detach()


def _read(
    session: CDPSession, raw: Sequence[dict[str, Any]], known: set[tuple[str, str]]
) -> list[Node]:
    found: list[Node] = []
    for entry in raw:
        role, name = _word(entry, "role"), _word(entry, "name")
        if entry.get("ignored") or not name or role not in _ROLES or len(found) >= MOST:
            continue
        shown = _SHOWN_AS.get(role, role)
        # A link's text is not repeated as text.
        if (shown, name) in known or (shown == "text" and any(name == n for _, n in known)):
            continue
        node = _node(session, entry, shown, name)
        if node is not None:
            known.add((shown, name))
            found.append(node)
    return found


def _word(entry: dict[str, Any], key: str) -> str:
    return str(entry.get(key, {}).get("value") or "").strip()


def _node(session: CDPSession, entry: dict[str, Any], role: str, name: str) -> Node | None:
    """The element gets a number of page.js, so that it can be acted on like any other."""
    try:
        backend = {"backendNodeId": entry["backendDOMNodeId"]}
        held = session.send("DOM.resolveNode", backend)["object"]["objectId"]
        call = {
            "functionDeclaration": _ELEMENT,
            "objectId": held,
            "arguments": [{"objectId": held}],
            "returnByValue": True,
        }
        told = json.loads(session.send("Runtime.callFunctionOn", call)["result"]["value"])
    except (PlaywrightError, KeyError, TypeError, ValueError):  # without an element of its own
        return None
    raw = {
        "n": told["n"], "role": role, "name": name[:200], "states": [], "level": 0, "more": None,
        "value": told["value"] if role in ("textbox", "searchbox", "combobox") else None,
        "url": told["url"] if role == "link" else None, "box": told["box"], "near": told["near"],
        "land": "",
    }  # fmt: skip
    return Node.read(0, raw)
