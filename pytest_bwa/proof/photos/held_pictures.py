"""Pictures that are held back in memory: they become evidence only if a value comes from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from pytest_bwa.proof.observed import Observed
from pytest_bwa.proof.photos.pictured import out_of_view
from pytest_bwa.steps.step import ElementRef, Observation, Picture

MAX_HELD_BYTES = 32 * 1024 * 1024
"""Bytes of the pictures that are held back; of more, the oldest are dropped."""
MAX_SCROLLED = 4
"""Further pictures of one state, for values that panels cannot show at the same time."""


class Camera(Protocol):
    """Takes pictures of the current page."""

    def take_picture(self, reveal: Sequence[ElementRef] = (), /) -> Picture | None: ...


class HeldPictures:
    """Pictures of one sample, each with its step, by the state of the page that they show."""

    def __init__(
        self,
        observed: Observed,
        saved: Mapping[str, Picture],
        camera: Camera,
        observe: Callable[[], object],
    ) -> None:
        """``saved`` are pictures that are evidence already; ``observe`` reads the page again."""
        self._observed, self._saved = observed, saved
        self._camera, self._observe = camera, observe
        self._held: list[tuple[str, Picture, int]] = []
        self._revealed: set[tuple[ElementRef, str]] = set()
        """The elements for which panels were scrolled, each with the text that it had."""

    def hold(self, page: Observation, step: int) -> None:
        """Take a picture of a state that may be left now, and further ones of what panels keep out
        of it."""
        if not page.state:
            return
        if not self._pictures_of(page.state):
            self._hold(page, step)
        self._hold_what_panels_hide(page.state, step)

    def hold_message(self, before: Observation, page: Observation, step: int) -> None:
        """Take a picture of a message that has appeared: many go before the next decision."""
        is_new = _messages_on(page) - _messages_on(before)
        if is_new and page.state and not self._pictures_of(page.state):
            self._hold(page, step)

    def take(
        self, state: str, shows: Callable[[Picture], bool] = lambda picture: True
    ) -> tuple[Picture, int] | None:
        """The first picture of a state that shows what is wanted, which is held no more; None if
        there is none."""
        for n, (key, picture, step) in enumerate(self._held):
            if key == state and shows(picture):
                del self._held[n]
                return picture, step
        return None

    def _hold(self, page: Observation, step: int) -> None:
        picture = self._camera.take_picture()
        if picture is not None:
            self._add(picture, step, page.state)

    def _hold_what_panels_hide(self, state: str, step: int) -> None:
        """Each text once: the next states have most of them, too."""
        hidden: list[tuple[ElementRef, str]] = []
        for _ in range(MAX_SCROLLED):
            if not (pictures := self._pictures_of(state)):
                return  # the page changes all the time
            found = out_of_view(state, pictures, self._observed)
            hidden = [place for place in found if place not in self._revealed]
            refs = list(dict.fromkeys(ref for ref, _ in hidden))
            picture = self._camera.take_picture(refs) if refs else None
            if picture is None:
                break
            self._revealed.update(place for place in hidden if not picture.hides(place[0], None))
            self._add(picture, step, state)
        self._revealed.update(hidden)

    def _add(self, picture: Picture, step: int, state: str) -> None:
        """``state`` is the one in which the page was read before; a picture that shows neither that
        nor another one, because the page changed meanwhile, is not held. What it shows is read."""
        if key := state if picture.read_state == state else picture.page_state:
            self._held.append((key, picture, step))
        while sum(len(held.png) for _, held, _ in self._held) > MAX_HELD_BYTES:
            del self._held[0]
        if picture.page_state:
            self._observe()  # an animation has gone on, or the same texts are painted otherwise

    def _pictures_of(self, state: str) -> list[Picture]:
        saved = [picture for picture in self._saved.values() if picture.page_state == state]
        return saved + [picture for key, picture, _ in self._held if key == state]


def _messages_on(page: Observation) -> set[tuple[str, str]]:
    """What a page says for a moment, or at least says that it is such a message."""
    return {(e.role, e.name) for e in page.elements if e.role in ("alert", "status")}
