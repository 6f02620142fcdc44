"""Turns the live page into an Observation; an unchanged page is not read twice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame, Page, Response

from pytest_bwa.errors import PageLost
from pytest_bwa.page.documents import LiveDocument
from pytest_bwa.page.marginal_frames import is_marginal
from pytest_bwa.page.perception.ax_tree import MIN_NODES, ax_nodes
from pytest_bwa.page.perception.confidence import PageCounts, dom_confidence
from pytest_bwa.page.perception.frame_places import FrameElements, in_place
from pytest_bwa.page.perception.gaps import behind_line, cut_line, gaps_in
from pytest_bwa.page.perception.labelled_values import (
    MAX_VALUES,
    LabelledValues,
    labelled_values,
    read_labelled,
)
from pytest_bwa.page.perception.prune import Node, choose, choose_around
from pytest_bwa.page.perception.rows import line_of_row, without_repeats
from pytest_bwa.page.perception.task_words import TaskWords
from pytest_bwa.page.picture import state_of
from pytest_bwa.page.script_loader import read_json
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.page.time_limit import TimeLimit
from pytest_bwa.steps.step import (
    FOCUSED,
    Box,
    Element,
    ElementRef,
    LabelledValue,
    Observation,
    Place,
)

MAX_NODES_READ = 3000  # per frame; of further nodes those count that the task names or find found
MAX_TEXT_CHARACTERS = 2000
NO_INDEX = -1  # of elements that are not listed: nothing can be done with them by number
_MAX_TRIES = 5


@dataclass
class _Frames:
    """What was read from all frames, before nodes are chosen."""

    document: int
    """The number of the main frame's document."""
    nodes: list[Node]
    counts: PageCounts
    left_out: int
    main: dict[str, Any]
    unnamed_pictures: list[str]
    is_loading: bool
    states: list[str]
    """What the readers call the state of each frame."""
    labelled: list[Callable[[], list[LabelledValue]]]
    """What asks for that of each frame that is painted."""
    hosts: dict[int, ElementRef]
    """The elements of the frames, by the numbers of their documents."""
    before: dict[ElementRef, ElementRef | None]
    """For each of them, the node before it."""
    covered: set[ElementRef]
    """Those that an open dialog covers."""


class Observer:
    """Observes the current tab of one sample."""

    def __init__(
        self,
        tabs: Tabs,
        within: TimeLimit,
        *,
        words: TaskWords | None = None,
        while_open: Callable[[], object] = lambda: None,
        reads_labels: bool = False,
        timeout: float = 30.0,
    ) -> None:
        """``reads_labels`` says whether what the page labels is read with it, and not only when it
        is asked for: what proves an answer was there at one moment."""
        self._tabs = tabs
        self._within = within
        self._words = words or TaskWords()
        self._while_open = while_open
        """Asks the browser what it says only while the page is open."""
        self._reads_labels = reads_labels
        self._timeout = timeout
        self._last: WeakKeyDictionary[Page, tuple[str, Observation]] = WeakKeyDictionary()
        self._statuses: dict[Page, int] = {}
        self._frame_elements = FrameElements(tabs)
        tabs.current.context.on("response", self._remember_status)

    @property
    def page(self) -> Page:
        return self._tabs.current

    @property
    def is_beside(self) -> bool:
        """Whether the page is one in the background, beside the sample's own."""
        return self._tabs.is_beside

    def _remember_status(self, response: Response) -> None:
        request = response.request
        try:
            if request.is_navigation_request() and request.frame.parent_frame is None:
                self._statuses[request.frame.page] = response.status
        except PlaywrightError:  # the frame is gone already
            return

    def observe(self) -> Observation:
        """The page as it is now. Raises PageLost if the page is gone or does not answer."""
        with self._within(self._timeout, "the page was being read"):
            self._tabs.handle_events()
            for tries_left in reversed(range(_MAX_TRIES)):
                try:
                    observation = self._add_browser_state(self._observe())
                    self._while_open()
                    return observation
                except PlaywrightError as error:
                    # A navigation destroys the script's context; then the new page is read.
                    if tries_left == 0 or not _is_navigation(error):
                        reloads = _is_navigation(error)
                        why = "it keeps reloading" if reloads else _first_line(error)
                        raise PageLost(f"the page could not be read: {why}") from error
                    self._await_document()
        raise AssertionError("unreachable: the last try returns or raises")

    def _await_document(self) -> None:
        try:
            self.page.wait_for_load_state("domcontentloaded", timeout=self._timeout * 1000)
        except PlaywrightError:  # the next try reports what is wrong
            return

    def _observe(self) -> Observation:
        last = self._last.get(self.page)
        has_one_frame = len(self._tabs.frames()) == 1  # the stamp covers no other frames
        if last is not None and has_one_frame and self._stamp() == last[0]:
            return last[1]
        read = self._read_frames()
        if read.main["url"] != self.page.url:  # it went on meanwhile, or its opener wrote it
            self.page.wait_for_timeout(0)
            read = self._read_frames()
        observation = self._build(read)
        self._last[self.page] = (str(read.main["stamp"]), observation)
        return observation

    def _stamp(self) -> str:
        return str(self._tabs.readers.ask(self.page.main_frame, "stamp"))

    def _add_browser_state(self, observation: Observation) -> Observation:
        """Add what may change while the page itself does not: status, tabs and dialogs."""
        dialogs = self._tabs.take_dialogs()
        return replace(
            observation,
            http_status=self._statuses.get(self.page),
            tabs=self._tabs.list_open(),
            dialogs=tuple(line.text for line in dialogs),
            other_lines=dialogs,
        )

    def _read_frames(self) -> _Frames:
        main, document = self._snapshot(self.page.main_frame)
        read = _Frames(
            document,
            _nodes(document, main, ""),
            PageCounts(**main["counts"]),
            int(main["left_out"]),
            main,
            list(main["unnamed_pictures"]),
            bool(main["loading"]),
            [main["state"]],
            [self._labelled(self.page.main_frame, main, document, "")],
            {},
            _nodes_before(document, main),
            _covered(document, main),
        )
        for frame in self._tabs.frames()[1:]:
            try:
                raw, document = self._snapshot(frame)
            except PlaywrightError:  # a frame may disappear at any time; the rest can still be read
                continue
            if found := _nodes(document, raw, frame.url):
                host = self._frame_elements.find(frame)
                is_behind = host in read.covered
                read.nodes += [replace(n, behind=True) for n in found] if is_behind else found
                read.before |= _nodes_before(document, raw)
                read.covered |= _covered(document, raw, all_of_them=is_behind)
                if host:
                    read.hosts[document] = host
            read.counts += PageCounts(**raw["counts"])
            read.left_out += int(raw["left_out"])
            read.unnamed_pictures += raw["unnamed_pictures"]
            read.is_loading |= raw["loading"] and not is_marginal(frame)
            read.states.append(raw["state"])
            if raw["is_painted"]:
                read.labelled.append(self._labelled(frame, raw, document, frame.url))
        # The browser's own tree of a text of 5 MB takes 40 s, and says nothing else.
        is_long = len(str(main["text"])) >= MAX_TEXT_CHARACTERS - 1
        if not is_long and sum(not n.is_wordless for n in read.nodes) < MIN_NODES:
            read.nodes += ax_nodes(self._tabs.readers, self.page, read.document, read.nodes)
        return read

    def _snapshot(self, frame: Frame) -> tuple[dict[str, Any], int]:
        """What is read in a frame, and the number of the frame's document. Only frames that are
        painted have labelled values."""
        is_painted = frame.parent_frame is None or frame.frame_element().is_visible()
        max_values = MAX_VALUES if is_painted and self._reads_labels else 0
        limits = {"maxNodes": MAX_NODES_READ, "maxValues": max_values, "goal": self._words.goal}
        snapshot: dict[str, Any] = read_json(self._tabs.readers.ask(frame, "readPage", limits))
        snapshot["is_painted"] = is_painted
        return snapshot, self._tabs.documents.number(frame, snapshot["document"])

    def _labelled(
        self, frame: Frame, raw: dict[str, Any], document: int, address: str
    ) -> Callable[[], list[LabelledValue]]:
        """What the labelled values of a frame are, or will be when they are asked for."""
        readers, live = self._tabs.readers, LiveDocument(frame, raw["document"])
        entries = raw["labelled"] if self._reads_labels else None
        return lambda: labelled_values(
            read_labelled(readers, live) if entries is None else entries, document, address
        )

    def _numbers(self, read: _Frames, chosen: Sequence[Node]) -> dict[ElementRef, int]:
        """The number of each node that is listed."""
        keys = {node.ref: _key(node) for node in chosen}
        present = {node.ref for node in read.nodes}
        return self._tabs.list_numbers.number_all(self.page, keys, present)

    def _build(self, read: _Frames) -> Observation:
        front = [n for n in read.nodes if not n.behind]
        nodes = without_repeats(front)
        own = choose(nodes, self._words)
        is_bare = all(node.is_wordless for node in own)
        chosen, main = choose_around(nodes, own) if is_bare else own, read.main
        listed = self._numbers(read, chosen)
        behind = behind_line(len(read.nodes) - len(front))
        gaps = gaps_in(nodes, listed)
        elements = [
            _element(n, listed[n.ref], line_of_row(n, listed), gaps.get(n.ref, "")) for n in chosen
        ]
        # Two nodes may have one ref: the browser's own tree has texts of elements apart.
        of_node = {id(n): element for n, element in zip(chosen, elements, strict=True)}
        arranged = in_place(chosen, nodes, read.hosts, read.before) if read.hosts else []
        return Observation(
            url=self.page.url,
            title=str(main["title"]),
            elements=tuple(elements),
            arranged=tuple(of_node[id(n)] for n in arranged),
            unlisted=tuple(_element(n, NO_INDEX) for n in read.nodes if n.ref not in listed),
            scroll=str(main["scroll"]),
            cut=" ".join(filter(None, (behind, cut_line(nodes, listed, read.left_out)))),
            text=str(main["text"])[:MAX_TEXT_CHARACTERS],
            dom_hash=_hash(read.nodes),
            dom_confidence=dom_confidence(read.counts),
            canvases=read.counts.canvas,
            unnamed_pictures=tuple(read.unnamed_pictures),
            labelled=LabelledValues(read.labelled),
            small_pictures=read.counts.small_pictures,
            busy=read.is_loading or all(node.is_wordless for node in read.nodes),
            is_bare=is_bare,
            language=str(main["language"]),
            state=state_of(read.states),
        )


def _key(node: Node) -> Hashable:
    """What a node is called and where it stands, which it still is when it was painted anew."""
    place = node.place
    return node.role, node.name, node.url, place.headings, place.record, place.frame


def _element(node: Node, index: int, row_line: str = "", gap: str = "") -> Element:
    return Element(
        index=index,
        ref=node.ref,
        role=node.role,
        name=node.name,
        value=node.value,
        states=node.states,
        url=node.url,
        box=Box(*node.box),
        in_viewport=node.in_viewport,
        place=node.place,
        note=node.note,
        cut=node.cut,
        row_line=row_line,
        lines=node.lines,
        gap=gap,
        unfolds=node.unfolds,
        around=node.around,
    )


def _nodes(document: int, raw: dict[str, Any], frame: str) -> list[Node]:
    places = [_place(frame, place) for place in raw["places"]]
    return [Node.read(document, n, places[n["place"]], raw["records"]) for n in raw["nodes"]]


def _nodes_before(document: int, raw: dict[str, Any]) -> dict[ElementRef, ElementRef | None]:
    return {
        (document, host): None if node is None else (document, node)
        for host, node, _ in raw["frames"]
    }


def _covered(document: int, raw: dict[str, Any], *, all_of_them: bool = False) -> set[ElementRef]:
    """The elements of those frames in a document that an open dialog covers."""
    return {(document, host) for host, _, is_behind in raw["frames"] if is_behind or all_of_them}


def _place(frame: str, raw: dict[str, Any]) -> Place:
    return Place(frame, tuple(raw["regions"]), tuple(raw["headings"]), raw["record"])


def _hash(nodes: Sequence[Node]) -> str:
    digest = hashlib.sha256()
    for node in nodes:
        states = [state for state in node.states if state != FOCUSED]
        digest.update(f"{node.role}|{node.name}|{node.value}|{states}\n".encode())
    return digest.hexdigest()


def _is_navigation(error: PlaywrightError) -> bool:
    words = ("context was destroyed", "navigat", "Cannot find context", "Frame was detached")
    return any(word in error.message for word in words)


def _first_line(error: PlaywrightError) -> str:
    return error.message.splitlines()[0] if error.message else type(error).__name__
