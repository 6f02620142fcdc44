"""The world of the readers on Chromium, which has the page's document and no JavaScript of it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import CDPSession, ElementHandle, Frame, Page
from playwright.sync_api import Error as PlaywrightError

_WORLD = "bwa"
_KEEP = """function(name) {
  Object.defineProperty(window, name, { value: this, configurable: true, enumerable: false });
}"""
_TAKE = "name => { const kept = window[name]; delete window[name]; return kept ?? null; }"


@dataclass(frozen=True, slots=True)
class _Place:
    """The world of one document."""

    session: CDPSession
    context: int


class IsolatedWorld:
    """The isolated worlds of one tab, one for each document."""

    name = "isolated world"

    def __init__(self, page: Page, script: str, world: str = _WORLD) -> None:
        """``script`` will run there in every new document, while the page is still loading; some
        documents miss that. Raises Playwright's errors."""
        session = page.context.new_cdp_session(page)
        session.on("Page.frameNavigated", self._remember_main_frame)
        session.send("Page.enable")
        install = {"source": script, "worldName": world}
        session.send("Page.addScriptToEvaluateOnNewDocument", install)
        self._page, self._world = page, world
        self._sessions: dict[Frame, CDPSession] = {page.main_frame: session}
        """Of frames that have a process of their own."""
        self._ids: dict[Frame, str] = {}
        self._places: dict[Frame, _Place] = {}

    def call(self, frame: Frame, function: str, arguments: Sequence[Any]) -> Any:
        return self._call(frame, function, arguments, by_value=True).get("value")

    def wait(self, frame: Frame, function: str, arguments: Sequence[Any]) -> None:
        self._call(frame, function, arguments, by_value=True, awaits=True)

    def element(
        self, frame: Frame, function: str, arguments: Sequence[Any]
    ) -> ElementHandle | None:
        """The browser finds the same element in the page's own world, where actions need it."""
        found = self._call(frame, function, arguments, by_value=False)
        if "objectId" not in found:
            return None
        session, name = self._places[frame].session, f"bwa{secrets.token_hex(8)}"
        node = session.send("DOM.describeNode", {"objectId": found["objectId"]})["node"]
        backend = {"backendNodeId": node["backendNodeId"]}
        own = session.send("DOM.resolveNode", backend)["object"]["objectId"]
        keep = {"functionDeclaration": _KEEP, "objectId": own, "arguments": [{"value": name}]}
        session.send("Runtime.callFunctionOn", keep)
        return frame.evaluate_handle(_TAKE, name).as_element()

    def call_on_node(self, frame: Frame, node: int, function: str) -> Any:
        """What a function returns of a node of the document that was asked last."""
        place = self._places[frame]
        resolve = {"backendNodeId": node, "executionContextId": place.context}
        found = place.session.send("DOM.resolveNode", resolve)["object"]["objectId"]
        call = {"functionDeclaration": function, "objectId": found, "returnByValue": True}
        return place.session.send("Runtime.callFunctionOn", call)["result"].get("value")

    def evaluate_reading(self, frame: Frame, expression: str, seconds: float) -> dict[str, Any]:
        """What the browser answers of an expression that it ends before it has any effect. The
        frame's document was asked before."""
        place = self._places[frame]
        script = {"expression": expression, "contextId": place.context, "silent": True}
        limits = {"throwOnSideEffect": True, "timeout": seconds * 1000, "disableBreaks": True}
        return place.session.send("Runtime.evaluate", {**script, **limits})

    def _call(
        self,
        frame: Frame,
        function: str,
        arguments: Sequence[Any],
        *,
        by_value: bool,
        awaits: bool = False,
    ) -> dict[str, Any]:
        place = self._places.get(frame)
        if place is not None:
            try:
                return _call(place, function, arguments, by_value, awaits)
            except PlaywrightError as error:
                if not _is_other_document(error):
                    raise
                del self._places[frame]
        place = self._places[frame] = self._enter(frame)
        return _call(place, function, arguments, by_value, awaits)

    # -- frames ------------------------------------------------------------------------------

    def _remember_main_frame(self, event: dict[str, Any]) -> None:
        """So that nobody has to ask for the tree of frames before the first reading of a page."""
        if "parentId" not in event["frame"]:
            self._ids[self._page.main_frame] = str(event["frame"]["id"])

    def _enter(self, frame: Frame) -> _Place:
        """The world of the document that a frame shows now."""
        for is_last in (False, True):
            try:
                session = self._session_of(frame)
                if frame not in self._ids:
                    self._ids[frame] = self._find(frame, session)
                create = {"frameId": self._ids[frame], "worldName": self._world}
                world = session.send("Page.createIsolatedWorld", create)
                return _Place(session, world["executionContextId"])
            except PlaywrightError:
                if is_last or frame.is_detached():
                    raise
                # It was moved to another process, or back.
                self._ids.pop(frame, None)
                self._forget_sessions()
        raise AssertionError("unreachable")

    def _forget_sessions(self) -> None:
        main = self._page.main_frame
        self._sessions = {main: self._sessions[main]}

    def _session_of(self, frame: Frame) -> CDPSession:
        """The session of the process that a frame is drawn by."""
        if frame in self._sessions:
            return self._sessions[frame]
        own = self._own_session(frame)
        if own is not None:
            return own
        assert frame.parent_frame is not None, "the main frame has a session"
        return self._session_of(frame.parent_frame)

    def _own_session(self, frame: Frame) -> CDPSession | None:
        """None for a frame in the process of its parent."""
        if frame not in self._sessions:
            try:
                self._sessions[frame] = frame.page.context.new_cdp_session(frame)
            except PlaywrightError:
                return None
        return self._sessions[frame]

    def _find(self, frame: Frame, session: CDPSession) -> str:
        """What the browser calls a frame. Raises an error if that is not certain: no frame may be
        read as another one."""
        tree = session.send("Page.getFrameTree")["frameTree"]
        found = self._tree_of(frame, tree)["frame"]
        if frame != self._page.main_frame and not _is_same(frame, found):
            raise PlaywrightError("the frame cannot be told from others")
        return str(found["id"])

    def _tree_of(self, frame: Frame, tree: dict[str, Any]) -> dict[str, Any]:
        """The part of a session's tree that belongs to a frame. The trees of frames with sessions
        of their own are not in it."""
        parent = frame.parent_frame
        if frame in self._sessions or parent is None:
            return tree
        siblings = [one for one in parent.child_frames if self._own_session(one) is None]
        children = self._tree_of(parent, tree).get("childFrames", [])
        if len(siblings) != len(children):
            raise PlaywrightError("the frame cannot be told from others")
        pairs = zip(siblings, children, strict=True)
        return next(child for one, child in pairs if one == frame)


def _is_same(frame: Frame, found: dict[str, Any]) -> bool:
    """A document that a script has written into an empty frame has the address of the script's page
    for the browser, and none for Playwright."""
    address, url = _address(frame), str(found["url"])
    is_written = address.startswith("about:") and url in map(_address, frame.page.frames)
    return is_written or address in ("", url)


def _address(frame: Frame) -> str:
    return frame.url.split("#")[0]


def _call(
    place: _Place, function: str, arguments: Sequence[Any], by_value: bool, awaits: bool
) -> dict[str, Any]:
    call = {
        "functionDeclaration": function,
        "executionContextId": place.context,
        "arguments": [{"value": argument} for argument in arguments],
        "returnByValue": by_value,
        "awaitPromise": awaits,
    }
    answer = place.session.send("Runtime.callFunctionOn", call)
    if "exceptionDetails" in answer:
        thrown = answer["exceptionDetails"]
        words = str(thrown.get("exception", {}).get("description") or thrown["text"])
        raise PlaywrightError(f"the page could not be read: {words.splitlines()[0]}")
    return dict(answer["result"])


def _is_other_document(error: PlaywrightError) -> bool:
    """Whether the world that was asked is gone: the frame shows another document, or has another
    process."""
    gone = ("Cannot find context", "Session closed", "Target closed", "has been closed", "detached")
    return any(word in error.message for word in gone)
