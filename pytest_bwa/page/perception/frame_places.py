"""Where on a page its frames stand: what is in a frame is listed there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame

from pytest_bwa.page.perception.prune import Node
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps.step import ElementRef

Before = Mapping[ElementRef, ElementRef | None]
"""For the element of each frame, the node before it in its document; None if it is the first."""


class FrameElements:
    """The elements of the frames of one sample; a frame keeps its own as long as it exists."""

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs
        self._known: WeakKeyDictionary[Frame, ElementRef] = WeakKeyDictionary()

    def find(self, frame: Frame) -> ElementRef | None:
        """None if the frame is just going."""
        parent = frame.parent_frame
        if frame not in self._known and parent is not None:
            try:
                reference = self._tabs.readers.reference(frame.frame_element())
            except PlaywrightError:
                return None
            document = self._tabs.documents.number(parent, reference.document.key)
            self._known[frame] = (document, reference.number)
        return self._known.get(frame)


def in_place(
    chosen: Sequence[Node], nodes: Sequence[Node], hosts: Mapping[int, ElementRef], before: Before
) -> list[Node]:
    """The chosen ones of all nodes, those of each frame after what stands before it. ``hosts`` has
    the elements of the frames by the numbers of their documents."""
    is_chosen = {node.ref for node in chosen}
    inside: defaultdict[ElementRef | int, list[int]] = defaultdict(list)
    for document, host in hosts.items():
        if host in before:
            inside[_last_before(before[host], host[0], nodes, is_chosen)].append(document)
    placed = {document for documents in inside.values() for document in documents}

    def listed(document: int) -> Iterator[Node]:
        for frame in inside.pop(document, ()):
            yield from listed(frame)
        for node in (n for n in chosen if n.ref[0] == document):
            yield node
            for frame in inside.pop(node.ref, ()):
                yield from listed(frame)

    others = dict.fromkeys(n.ref[0] for n in chosen if n.ref[0] not in placed)
    return [node for document in others for node in listed(document)]


def _last_before(
    wanted: ElementRef | None, document: int, nodes: Sequence[Node], chosen: set[ElementRef]
) -> ElementRef | int:
    """The last chosen node of a document up to a node; the document if there is none."""
    found: ElementRef | int = document
    for node in nodes if wanted is not None else ():
        if node.ref in chosen and node.ref[0] == document:
            found = node.ref
        if node.ref == wanted:
            break
    return found
