"""Pictures that are held back in memory: they become evidence only if a value comes from them."""

from __future__ import annotations

from collections import OrderedDict

from pytest_bwa.steps import Observation, Picture

MAX_HELD_BYTES = 32 * 1024 * 1024
"""Bytes of the pictures that are held back; of more, the oldest are dropped."""


class HeldPictures:
    """Pictures of one sample, each with its step, by the state of the page that they show."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, tuple[Picture, int]] = OrderedDict()

    def add(self, picture: Picture, step: int, state: str) -> None:
        """``state`` is the one in which the page was read before; a picture that shows neither that
        nor another one, because the page changed meanwhile, is not held."""
        if key := state if picture.read_state == state else picture.page_state:
            self._held[key] = (picture, step)
        while sum(len(held.png) for held, _ in self._held.values()) > MAX_HELD_BYTES:
            self._held.popitem(last=False)

    def take(self, state: str) -> tuple[Picture, int] | None:
        """The picture of a state, which is held no more; None if there is none."""
        return self._held.pop(state, None)

    def __contains__(self, state: object) -> bool:
        return state in self._held


def messages_on(page: Observation) -> set[tuple[str, str]]:
    """What a page says for a moment, or at least says that it is such a message."""
    return {(e.role, e.name) for e in page.elements if e.role in ("alert", "status")}
