"""What one sample leaves to the later samples of its run, made from its action log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urljoin

from pydantic import BaseModel, ConfigDict, Field

from pytest_bwa.agent.memory.error_pattern import error_pattern
from pytest_bwa.agent.memory.generalized import Generalizer
from pytest_bwa.agent.memory.plain_text import web_host_of
from pytest_bwa.steps.step import Step

MAX_ACTIONS, MAX_ENTRIES, MAX_KEYWORDS, MAX_TIP, MAX_CSS = 12, 6, 30, 160, 80
MAX_REASON = 160
NO_PAGE = "no such page"
OPENED = "the sample's page is opened"
OPENED_GONE = "the address that is opened first does not exist"
_NOT_PART = frozenset({"done", "fail", "save_progress", "screenshot", "look", "wait"})
_WORD = re.compile(r"[^\W\d_]{4,}")
_CSS = re.compile(r"(?=.*[.#\[/])[a-z.#\[/][\w.#\[\]/=\"'>:*@()+~^$|-]*")
_ADVICE = re.compile(r"^\W*(TIP|AVOID):\s*(.+)$", re.M)


class Pattern(BaseModel):
    """How samples of one site were done: patterns.json."""

    model_config = ConfigDict(frozen=True)

    goal_keywords: list[str] = Field(default_factory=list)
    actions: list[str] = Field(default_factory=list)
    """What was done, in short words: ``click tab "Checks"``."""
    tips: list[str] = Field(default_factory=list)
    avoid: list[str] = Field(default_factory=list)
    pages: list[str] = Field(default_factory=list)
    """Patterns of addresses that could be opened."""
    samples: int = 1


class Failure(BaseModel):
    """What did not work in samples that were not done: failures.json."""

    model_config = ConfigDict(frozen=True)

    goal_keywords: list[str] = Field(default_factory=list)
    dead_urls: list[str] = Field(default_factory=list)
    failed_targets: list[str] = Field(default_factory=list)
    reason: str = ""
    """How they ended and, without their values, why."""
    samples: int = 1


class Course:
    """The steps of one sample as data for later ones: nothing that belongs to it alone."""

    def __init__(
        self, steps: Sequence[Step], failed_urls: Sequence[str], generalizer: Generalizer
    ) -> None:
        self._steps = [step for step in steps if step.action not in _NOT_PART]
        self._generalizer = generalizer
        self.host = next((host for s in steps if (host := _host(s))), "")
        base = next((step.url for step in steps if web_host_of(step.url)), "")
        failed = [urljoin(base, url) for url in failed_urls]
        self.pages = self._addresses(_opened(steps, failed))
        self.dead_urls = [a for a in self._addresses(failed) if a not in self.pages]
        opened = next((s for s in steps if s.intent == "open_sample"), None)
        self._opened_gone = opened is not None and str(opened.params.get("url", "")) in failed

    def actions(self) -> list[str]:
        """What worked, in short words; what is done several times in a row is said once, and what
        was done to an element is left out if it has no name, or one that is data, and leads to no
        address that says more: no words would find it again."""
        words: list[str] = []
        for at, step in enumerate(self._steps):
            if step.target is not None and not self._generalizer.names(step.target):
                if step.success and (way := self._way(step, self._steps[at + 1 :])):
                    words += [way] if words[-1:] != [way] else []
                continue
            dead = step.action == "goto" and self._words(step).split(" ", 1)[-1] in self.dead_urls
            if step.success and not dead and words[-1:] != [self._words(step)]:
                words.append(self._words(step))
        return words[:MAX_ACTIONS]

    def _way(self, step: Step, later: Sequence[Step]) -> str:
        """What was pressed, by the pattern of the address that it led to; empty without one."""
        url = next((s.url for s in later[:1] if s.url != step.url), "")
        address = self._generalizer.address(url, self.host)
        return f"{self._words(step)} to {address}" if address else ""

    @property
    def is_plain(self) -> bool:
        """Whether the sample's page was opened, and nothing else was done or went wrong."""
        return self.actions() in ([], [OPENED]) and not self.avoid()

    def failed_targets(self) -> list[str]:
        """The actions that failed on an element, each with the general part of its error."""
        found = []
        for step in self._steps:
            if not step.success and (step.target is not None or _is_css(step)):
                why = error_pattern(step.error or "")
                found.append(f"{self._words(step)} ({why})" if why else self._words(step))
        return list(dict.fromkeys(found))[:MAX_ENTRIES]

    def avoid(self) -> list[str]:
        dead = [f"goto {address} ({NO_PAGE})" for address in self.dead_urls]
        return [*dead, *self.failed_targets()][:MAX_ENTRIES]

    def reason(self, ending: str, why: str) -> str:
        """How the sample ended, and why in words that hold for others: that its own record does not
        exist says nothing of theirs."""
        text = "" if ending == "not_found" else self._generalizer.text(why, MAX_REASON)
        return f"{ending}: {text}" if text else ending

    def advice_in(self, text: str) -> tuple[list[str], list[str]]:
        """The tips and warnings in a model's answer."""
        lines: dict[str, list[str]] = {"TIP": [], "AVOID": []}
        for kind, words in _ADVICE.findall(text):
            lines[kind].append(self._generalizer.text(words, MAX_TIP))
        return lines["TIP"][:3], lines["AVOID"][:3]

    def _words(self, step: Step) -> str:
        if step.intent == "open_sample":
            return OPENED_GONE if self._opened_gone else OPENED
        if step.action == "goto":
            address = self._generalizer.address(str(step.params.get("url", "")), self.host)
            return f"goto {address or 'another page'}"
        if step.target is not None:
            times = step.params.get("count") or 1
            more = f" (count={times})" if times != 1 else ""
            return f"{step.action} {self._generalizer.target(step.target)}{more}"
        if _is_css(step):
            return f"{step.action} {self._generalizer.text(str(step.params['selector']), MAX_CSS)}"
        return step.action

    def _addresses(self, urls: Sequence[str]) -> list[str]:
        found = (self._generalizer.address(url, self.host) for url in urls)
        return list(dict.fromkeys(address for address in found if address))[:MAX_ENTRIES]


def keywords(goal: str) -> list[str]:
    """The words of a goal by which memory of similar samples is found."""
    return sorted({word.casefold() for word in _WORD.findall(goal)})[:MAX_KEYWORDS]


def _is_css(step: Step) -> bool:
    """Whether the element was named by CSS or XPath, and not by a text, which may be data."""
    return bool(_CSS.fullmatch(str(step.params.get("selector", ""))))


def _host(step: Step) -> str:
    return web_host_of(str(step.params.get("url", ""))) or web_host_of(step.url)


def _opened(steps: Sequence[Step], failed_urls: Sequence[str]) -> list[str]:
    """The addresses on which the sample did something, and that of its own page, which says
    nothing about other samples if it is gone."""
    own = [str(s.params.get("url", "")) for s in steps if s.intent == "open_sample"]
    return [*own, *(s.url for s in steps if s.url and s.url not in failed_urls)]
