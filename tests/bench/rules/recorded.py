"""Plays samples on what was observed of their pages once. A way that was not gone before is gone in
the browser, and then known."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from local_site import Request, Site
from playwright.sync_api import Browser

from pytest_bwa.agent.loop import Loop
from pytest_bwa.audit import composition, run
from pytest_bwa.audit.composition import loop_of
from pytest_bwa.browser.sample_page import CONTEXT
from pytest_bwa.settings import Settings
from pytest_bwa.steps.artifacts import Picture, is_picture
from pytest_bwa.steps.step import (
    Action,
    ActionResult,
    ElementRef,
    LabelledValue,
    Observation,
    Usage,
)

Change = Callable[[Observation], Observation]
_SAID = {"extracted", "sources", "doubts", "review", "note", "replace", "label", "question"}
"""What an action says, and no page is told."""


class NotRecorded(BaseException):
    """Nobody went that way before. No Exception: the loop makes an outcome of these."""


@dataclass
class Node:
    """A page after some actions, as often as it was observed."""

    observed: list[Observation] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    received: list[Request] = field(default_factory=list)
    """What the site was asked for until the next action."""
    ways: dict[str, Way] = field(default_factory=dict)


@dataclass
class Way:
    result: ActionResult
    picture: Picture | None
    to: Node


@dataclass
class Recorded:
    """All that is known of one site."""

    port: int = 0
    start: dict[str, Node] = field(default_factory=dict)
    """For each sample its blank page."""


def _key(action: Action) -> str:
    given = action.params()
    return json.dumps({"": action.action, **{n: given[n] for n in given if n not in _SAID}})


def _without_bytes(picture: Picture) -> Picture:
    return replace(picture, png=b"png")


class Recorder:
    """Goes a way in the browser, and keeps what it sees."""

    is_beside = False

    def __init__(self, node: Node, site: Site, parts: dict[str, Any], changed: Change) -> None:
        self.node, self._site, self._changed = node, site, changed
        self._observer, self._executor = parts["observer"], parts["executor"]
        self._writer = parts["writer"]
        self._is_new, self._received = not node.observed, 0
        self._raw: Observation | None = None
        self._labelled: tuple[LabelledValue, ...] = ()

    def observe(self) -> Observation:
        observation: Observation = self._observer.observe()
        if self._raw is None or observation.labelled is not self._raw.labelled:
            self._labelled = tuple(observation.labelled)  # later, the page is gone
        self._raw = observation
        observation = replace(observation, labelled=self._labelled)
        if self._is_new:
            self.node.observed.append(observation)
        return self._changed(observation)

    def look(self, observation: Observation, *_: Any) -> tuple[Observation, Usage]:
        """Nobody reads pictures here."""
        return observation, Usage()

    def take_picture(self, reveal: Sequence[ElementRef] = ()) -> Picture | None:
        picture: Picture | None = self._executor.take_picture(reveal)
        if picture is not None:
            self.node.pictures.append(_without_bytes(picture))
        return picture

    def act(self, action: Action, observation: Observation, step: int) -> ActionResult:
        self.end()
        result: ActionResult = self._executor.act(action, observation, step)
        file = result.artifact
        picture = self._writer.pictures.get(file.filename) if file else None
        kept = replace(result, picture=b"png" if result.picture else None)
        key = _key(action)
        self._is_new = key not in self.node.ways
        to = Node() if self._is_new else self.node.ways[key].to
        self.node.ways[key] = Way(kept, _without_bytes(picture) if picture else None, to)
        self.node = to
        return result

    def end(self) -> None:
        received = self._site.received[self._received :]
        self._received += len(received)
        if self._is_new:
            self.node.received += received


class Player:
    """Goes a way that was recorded. ``changed`` takes from a page what a rule has said of it."""

    is_beside = False

    def __init__(self, node: Node, writer: Any, changed: Change) -> None:
        self.node, self._writer, self._changed = node, writer, changed
        self._count = 0
        self.received = list(node.received)

    def observe(self) -> Observation:
        observed = self.node.observed
        if not observed:
            raise NotRecorded
        self._count += 1
        return self._changed(observed[min(self._count, len(observed)) - 1])

    def look(self, observation: Observation, *_: Any) -> tuple[Observation, Usage]:
        return observation, Usage()

    def take_picture(self, reveal: Sequence[ElementRef] = ()) -> Picture | None:
        if not self.node.observed:
            return None
        now = self.node.observed[min(max(self._count, 1), len(self.node.observed)) - 1]
        alike = [p for p in self.node.pictures if p.page_state == now.state]
        return (alike or [Picture(b"png", now.url, now.state)])[-1]

    def act(self, action: Action, observation: Observation, step: int) -> ActionResult:
        way = self.node.ways.get(_key(action))
        if way is None:
            raise NotRecorded
        self.node, self._count = way.to, 0
        self.received += way.to.received
        file = way.result.artifact
        if file is None:
            return way.result
        if way.picture is not None and is_picture(file.filename):
            label = action.label or file.label
            return replace(
                way.result, artifact=self._writer.save_screenshot(way.picture, label, step)
            )
        temporary = Path(tempfile.mkdtemp(dir=self._writer.folder)) / "file"
        temporary.write_bytes(b"file")
        name = file.filename.rpartition("/")[2]
        kept = self._writer.save_download(temporary, name, file.source_url, step, file.fault)
        return replace(way.result, artifact=kept)


Serve = Callable[[Site], None]
Work = Callable[[str, Callable[[], Any], Path], Any]
"""Runs a sample, given the site's address, what opens a page, and an empty folder."""


class Theatre:
    """Where samples are played: on what was recorded, else in the browser."""

    def __init__(self, browser: Browser, folder: Path, settings: Settings) -> None:
        self._browser, self.folder, self.settings = browser, folder, settings
        self._workers: dict[tuple[str, str], Any] = {}
        self.known: dict[str, Recorded] = {}
        self.opened = 0
        """How often the browser was needed."""
        self.changed: Change = lambda page: page

    def own_folder(self) -> Path:
        return Path(tempfile.mkdtemp(dir=self.folder))

    def worker(self, name: str, url: str, make: Callable[[str, Path, Theatre], Any]) -> Any:
        """What runs the samples of one site at one address."""
        if (name, url) not in self._workers:
            self._workers[name, url] = make(url, self.own_folder(), self)
        return self._workers[name, url]

    def play(self, name: str, sample: str, serve: Serve, work: Work) -> tuple[Any, list[Request]]:
        """What the work makes of it, and what the site was asked for."""
        recorded = self.known.setdefault(name, Recorded())
        node = recorded.start.setdefault(sample, Node())
        folder = self.own_folder()
        try:
            if recorded.port and node.ways:
                with self._played(node) as players:
                    done = work(f"http://127.0.0.1:{recorded.port}", lambda: None, folder)
                return done, players[-1].received
        except NotRecorded:
            shutil.rmtree(folder)
            folder.mkdir()
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return self._go(recorded, node, serve, work)

    @contextmanager
    def _played(self, node: Node) -> Iterator[list[Player]]:
        players: list[Player] = []

        def make_loop(worker: Any, task: Any, sample: Any, **parts: Any) -> Loop:
            players.append(Player(node, parts["writer"], self.changed))
            own = {n: parts[n] for n in ("writer", "on_step", "on_state", "memory")}
            seen = dict.fromkeys(("observer", "executor", "vision"), players[-1])
            others = worker.audit.samples.names()
            return loop_of(task, sample, policy=worker.policy, others=others, **own, **seen)

        with patch.object(run, "make_loop", make_loop):
            yield players

    def _go(
        self, recorded: Recorded, node: Node, serve: Serve, work: Work
    ) -> tuple[Any, list[Request]]:
        self.opened += 1
        site = Site(recorded.port)
        recorded.port = int(site.url.rpartition(":")[2])
        serve(site)
        recorders: list[Recorder] = []

        def make(task: Any, sample: Any, **parts: Any) -> Loop:
            recorder = Recorder(node, site, parts, self.changed)
            recorders.append(recorder)
            seen = dict.fromkeys(("observer", "executor", "vision"), recorder)
            return loop_of(task, sample, **{**parts, **seen})

        context = self._browser.new_context(**CONTEXT)
        folder = self.own_folder()
        try:
            with patch.object(composition, "loop_of", make):
                done = work(site.url, context.new_page, folder)
            for recorder in recorders:
                recorder.end()
        finally:
            context.close()
            site.close()
            shutil.rmtree(folder, ignore_errors=True)
        return done, list(site.received)
