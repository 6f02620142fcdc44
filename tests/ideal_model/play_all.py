"""Plays all pages in one run of pytest, and counts what the ideal model needed."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from local_site import Site
from wire.messages_server import MessagesServer

from ideal_model.model import PLAIN, IdealModel
from ideal_model.plays import PLAYS, Play

PAGES = Path(__file__).parent / "pages"
RECORD_FIELDS = ("department", "manager", "office")
SPEC = {
    "task_id": "ideal_model",
    "goal": "{goal}",
    "read_only": False,
    "output_schema": {
        "result": "string | null",
        **dict.fromkeys(RECORD_FIELDS, "string | null"),
        "start_date": "date | null",
    },
    "input_schema": {"goal": "string"},
    "derived": ["result"],
}
TEST = """
def test_sample(browser_agent, sample):
    browser_agent.run(sample).assert_done()
"""
TIMEOUT = 240  # seconds for all pages


@dataclass(frozen=True)
class Played:
    """One page as it was played."""

    name: str
    problem: str
    """Why the goal was not reached; empty if it was."""
    decisions: int
    tokens: float
    """Of a prompt, on average."""
    plain: int
    """The decisions of the plain way; 0 if it was not played."""
    levels: bool


@dataclass(frozen=True)
class Game:
    """All pages as they were played."""

    pages: list[Played]
    picture_questions: int
    """Questions about pictures that were asked beside the decisions, on all pages."""

    def decisions(self, *, levels: bool) -> float:
        """On average, of the single pages or of those with several levels."""
        return mean(page.decisions for page in self.pages if page.levels == levels)

    @property
    def pictures(self) -> float:
        return self.picture_questions / len(self.pages)

    def tokens(self, *, levels: bool) -> float:
        return mean(page.tokens for page in self.pages if page.levels == levels)


def play_all(folder: Path, *, plain: bool = False, **environment: str) -> Game:
    """Play every page with the real SDK, a real browser and a scripted model that never errs;
    ``plain``: the plain way, too."""
    site, model = Site(), IdealModel()
    for file in PAGES.glob("*.html"):
        site.pages[f"/{file.stem}"] = file.read_text()
    for name in PLAYS:
        site.pages[f"/reward/{name}"] = "well done"
    _write(folder, site.url, ["", PLAIN] if plain else [""])
    with MessagesServer(model) as server:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n2"]
        audit = ["--task=spec.json", "--samples=samples.csv"]
        settings = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "none"}
        # What a page costs is measured; lessons, which are the user's, come on top of it.
        settings |= {"BWA_ENABLE_LESSONS": "false", "BWA_ENABLE_MEMORY_DISTILLATION": "false"}
        subprocess.run(
            [*command, *audit],
            cwd=folder,
            env={**os.environ, **settings, **environment},
            timeout=TIMEOUT,
            stdout=(folder / "output.txt").open("w"),
            stderr=subprocess.STDOUT,
        )
    site.close()
    (run,) = (folder / "evidence").glob("run_*")
    rewards = {path.rsplit("/", 1)[1] for path in site.requests if path.startswith("/reward/")}
    pages = [_played(name, play, run, model, rewards) for name, play in PLAYS.items()]
    return Game(pages, model.picture_questions)


def _write(folder: Path, url: str, ways: Sequence[str]) -> None:
    (folder / "test_audit.py").write_text(TEST)
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "spec.json").write_text(json.dumps(SPEC))
    with (folder / "samples.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["sample_id", "url", "goal"])
        for way in ways:
            writer.writerows([name + way, f"{url}/{name}", p.goal] for name, p in PLAYS.items())


def _played(name: str, play: Play, run: Path, model: IdealModel, rewards: set[str]) -> Played:
    prompts = model.prompts[name]
    result = json.loads((run / name / "result.json").read_text())
    problem = model.problems.get(name, "")
    if not problem:
        problem = _difference(play.answer, result)
    if not problem and play.acts and name not in rewards:
        problem = "the page was not brought to its goal"
    size = mean(prompt.tokens for prompt in prompts) if prompts else 0.0
    plain = name + PLAIN
    if not problem and plain in model.prompts:
        problem = model.problems.get(plain, "") or _difference(
            play.answer, json.loads((run / plain / "result.json").read_text())
        )
        problem = problem and f"the plain way: {problem}"
    return Played(name, problem, len(prompts), size, len(model.prompts[plain]), play.levels)


def _difference(answer: dict[str, Any], result: dict[str, Any]) -> str:
    if result["status"] != "done":
        return f"{result['status']}: {result['reason']}"
    wrong = {
        key: result["extracted"][key] for key in answer if result["extracted"][key] != answer[key]
    }
    return f"answered {wrong}" if wrong else ""


def table(game: Game) -> str:
    """What each page needed, how many decisions the plain way did, and the averages."""
    lines = [f"{'page':16}{'decisions':>10}{'plain':>7}{'tokens':>8}  problem"]
    for name, levels in (("single pages", False), ("several levels", True)):
        pages = [page for page in game.pages if page.levels == levels]
        lines += [
            f"{p.name:16}{p.decisions:10}{p.plain:7}{p.tokens:8.0f}  {p.problem}" for p in pages
        ]
        decisions, plain = game.decisions(levels=levels), mean(page.plain for page in pages)
        lines.append(f"{name:16}{decisions:10.2f}{plain:7.2f}{game.tokens(levels=levels):8.0f}")
    lines.append(f"picture questions a page: {game.pictures:.2f}")
    return "\n".join(lines)
