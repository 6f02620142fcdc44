"""What samples of one run learn from earlier ones: patterns.json and failures.json."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qsl, unquote, urljoin, urlsplit

from pydantic import BaseModel, ConfigDict, Field

from pytest_bwa.agent.memory.lessons import error_pattern
from pytest_bwa.agent.memory.locked_file import LockedFile
from pytest_bwa.agent.memory.plain_text import plain, web_host_of
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import ANSWERS, FOR_A_MODEL, Step, Target
from pytest_bwa.steps.text import folded, whole_words

VARIABLE = "{…}"
"""Stands for a part that differs from sample to sample."""
MAX_NAME, MAX_ADDRESS = 40, 120
MIN_VALUE_INSIDE = 3
"""Shorter values of a sample are replaced only where they stand alone."""
MAX_LINK_WORDS = 3
_CONTROLS = frozenset(
    {"button", "tab", "menuitem", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch"}
)
"""Roles whose names a site gives; links, rows and options are mostly named after data."""
_FIXED_PART = re.compile(r"[a-z][a-z_-]{0,29}")
_WORD = re.compile(r"[^\W_]+")
_ADDRESS_IN_TEXT = re.compile(r"\b(?:\w+://|www\.)\S+|\S+@\S+")


class Generalizer:
    """Replaces the values of one sample, those it was given and those that it found."""

    def __init__(
        self, task_template: TaskSpec, sample: Sample, extracted: Mapping[str, Any]
    ) -> None:
        self._columns = {
            value.strip().casefold(): f"{{{name}}}"
            for name, value in sample.columns.items()
            if value.strip() and name != "xfail"
        }
        self._columns.setdefault(sample.sample_id.casefold(), "{sample_id}")
        found = {text.strip().casefold() for text in _texts(extracted)} - {""}
        self._replacements = {**dict.fromkeys(found, VARIABLE), **self._columns}
        inside = [value for value in self._replacements if len(value) >= MIN_VALUE_INSIDE]
        self._pattern = whole_words(inside, re.I)
        spec = [task_template.goal, task_template.system_prompt, *task_template.keywords]
        spec += [*task_template.output_schema, *chain(*task_template.aliases.values())]
        self._words_of_spec = {word.casefold() for text in spec for word in _WORD.findall(text)}

    def text(self, text: str, limit: int) -> str:
        """A text without the sample's values, addresses and numbers."""
        text = _ADDRESS_IN_TEXT.sub(VARIABLE, plain(text, 10 * limit))
        text = self._pattern.sub(lambda m: self._replacements[m[0].casefold()], text)
        return plain(re.sub(r"\d+", VARIABLE, text), limit)

    def target(self, target: Target) -> str:
        """The element in words; the name only if it is the site's or the spec's, not data."""
        name = self.text(target.name, MAX_NAME)
        words = [word.casefold() for word in _WORD.findall(name)]
        is_of_spec = bool(words) and self._words_of_spec.issuperset(words)
        is_sites = target.role in _CONTROLS or (target.role == "link" and _is_short_phrase(name))
        is_named = name and name != VARIABLE and (is_sites or is_of_spec)
        return f'{target.role} "{name}"' if is_named else target.role

    def names(self, target: Target) -> bool:
        """Whether the words of an element have its name."""
        return self.target(target) != target.role

    def address(self, url: str, host: str) -> str:
        """The address as a pattern, such as ``/tickets/{ticket_id}``, with the host if it is not
        ``host``; empty if it has no fixed part, so that it says nothing."""
        parts = urlsplit(url)
        is_route = parts.fragment.startswith(("/", "!/"))
        path = f"{parts.path}/#/{parts.fragment.lstrip('!/')}" if is_route else parts.path
        segments = [self._segment(unquote(part)) for part in path.split("/") if part]
        if not segments:
            return ""
        # The last part of a path usually says whose page it is.
        if segments[-1].isalpha() and not any("{" in part for part in segments):
            segments[-1] = VARIABLE
        if all("{" in part for part in segments):
            return ""
        names = [name for name, _ in parse_qsl(parts.query) if _FIXED_PART.fullmatch(name)][:3]
        query = "?" + "&".join(f"{name}={VARIABLE}" for name in names) if names else ""
        elsewhere = web_host_of(url)
        start = "" if elsewhere == host else elsewhere
        return plain(f"{start}/{'/'.join(segments)}{query}", MAX_ADDRESS)

    def _segment(self, part: str) -> str:
        """One part of a path: the column it comes from, or itself if it looks like the site's."""
        folded = part.casefold()
        if folded in self._replacements:
            return self._replacements[folded]
        masked = self._pattern.sub(lambda m: self._replacements[m[0].casefold()], part)
        if masked != part:
            return masked if VARIABLE not in masked and not re.search(r"\d", masked) else VARIABLE
        return part if part == "#" or _FIXED_PART.fullmatch(part) else VARIABLE


def _is_short_phrase(name: str) -> bool:
    """Whether a link is called as a site calls one ("Details", "Files changed", "#{…}"), and not
    by a name or a title: those have several capitals, or many words."""
    words = _WORD.findall(name)
    has_more_capitals = any(word[0].isupper() for word in words[1:])
    return len(words) <= MAX_LINK_WORDS and not has_more_capitals


def _texts(value: object) -> Iterator[str]:
    """Every text and number in a value, however deep."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, Iterable) and not isinstance(value, str):
        for inner in value:
            yield from _texts(inner)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


MAX_ACTIONS, MAX_ENTRIES, MAX_KEYWORDS, MAX_TIP, MAX_CSS = 12, 6, 30, 160, 80
MAX_REASON = 160
NO_PAGE = "no such page"
OPENED = "the sample's page is opened"
OPENED_GONE = "the address that is opened first does not exist"
_NOT_PART = ANSWERS | FOR_A_MODEL | {"screenshot", "wait"}
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_CSS = re.compile(r"(?=.*[.#\[/])[a-z.#\[/][\w.#\[\]/=\"'>:*@()+~^$|-]*")
_QUOTED = re.compile(r'(?<!=)"([^"]+)"')
"""The name of an element, which is no value of a CSS selector."""
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
    return sorted({word.casefold() for word in _LONG_WORD.findall(goal)})[:MAX_KEYWORDS]


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


PATTERNS, FAILURES = "patterns.json", "failures.json"
MAX_OF_DOMAIN, MAX_DOMAINS = 20, 50
MAX_ASKED = 5
"""How often a model is asked for advice on one domain in a run."""
MAX_HINTS, MAX_LINE, MAX_CHARACTERS = 8, 300, 1500
Entry = TypeVar("Entry", Pattern, Failure)


class PatternFile(BaseModel):
    version: Literal[1] = 1
    domains: dict[str, list[Pattern]] = Field(default_factory=dict)
    asked: dict[str, int] = Field(default_factory=dict)
    """How often a model was asked for advice, by domain."""


class FailureFile(BaseModel):
    version: Literal[1] = 1
    domains: dict[str, list[Failure]] = Field(default_factory=dict)


class RunMemory:
    """The memory of one run, which all its workers share. Its methods raise EvidenceError."""

    def __init__(self, folder: Path, locks: Path) -> None:
        self._patterns = LockedFile(
            folder / PATTERNS, locks / f"{PATTERNS}.lock", PatternFile, durable=False
        )
        self._failures = LockedFile(
            folder / FAILURES, locks / f"{FAILURES}.lock", FailureFile, durable=False
        )

    @property
    def problems(self) -> list[str]:
        """What was wrong with the files, a line for each."""
        return [*self._patterns.problems, *self._failures.problems]

    def takes_advice(self, host: str, pattern: Pattern, *, is_longer: bool) -> bool:
        """Whether a model is to be asked for advice on how a sample was done, and counts it: it
        overcame what none did before it, or took longer than the others (``is_longer``). What was
        done before in the same way teaches nothing, and after a few answers a site is known."""
        with self._patterns.locked():
            content = self._patterns.read() or PatternFile()
            known, asked = content.domains.get(host, []), content.asked.get(host, 0)
            overcome = set(pattern.avoid) - {what for p in known for what in p.avoid}
            is_new = not any(_is_same(pattern, p) for p in known)
            if not is_new or not (overcome or is_longer) or asked >= MAX_ASKED:
                return False
            content.asked[host] = asked + 1
            self._patterns.write(content)
        return True

    def add_pattern(self, host: str, pattern: Pattern) -> None:
        """Add how a sample was done, or count it where the same way is known."""
        with self._patterns.locked():
            content = self._patterns.read() or PatternFile()
            known = content.domains.pop(host, [])
            same = next((p for p in known if _is_same(pattern, p)), None)
            merged = _merged_patterns(same, pattern) if same else pattern
            kept = [p for p in known if p is not same]
            content.domains[host] = [*kept, merged][-MAX_OF_DOMAIN:]
            newest = {"domains": _newest(content.domains)}
            self._patterns.write(content.model_copy(update=newest))

    def add_failure(self, host: str, failure: Failure) -> None:
        """Add what did not work in a sample, or count it where the same is known."""
        with self._failures.locked():
            content = self._failures.read() or FailureFile()
            known = content.domains.pop(host, [])
            same = next((f for f in known if _content(f) == _content(failure)), None)
            count = (same.samples if same else 0) + failure.samples
            merged = failure.model_copy(update={"samples": count})
            kept = [f for f in known if f is not same]
            content.domains[host] = [*kept, merged][-MAX_OF_DOMAIN:]
            self._failures.write(FailureFile(domains=_newest(content.domains)))

    def hints(self, host: str, goal_keywords: Sequence[str]) -> list[str]:
        """What a sample on this site should know, from the samples with the most similar goals."""
        patterns = (self._patterns.read() or PatternFile()).domains.get(host, [])
        failures = (self._failures.read() or FailureFile()).domains.get(host, [])
        similar = _most_similar(sorted(patterns, key=lambda p: len(p.actions)), goal_keywords)
        best = similar[:2]
        # What worked in any sample is no dead end.
        worked = {action for p in patterns for action in p.actions}
        opened = {page for p in patterns for page in p.pages}
        warnings = [what for p in best for what in p.avoid]
        for failure in _most_similar(failures, goal_keywords)[:3]:
            warnings += [f"goto {url} ({NO_PAGE})" for url in failure.dead_urls]
            warnings += failure.failed_targets
        reasons = [f.reason for f in _most_similar(failures, goal_keywords)[:2] if ": " in f.reason]
        lines = [f"Tip: {tip}" for p in similar for tip in p.tips]
        lines += [
            f"Avoid: {what}"
            for what in warnings
            if what.split(" (")[0] not in worked and not _names_any(what, opened)
        ]
        lines += [f"An earlier sample ended as {reason}" for reason in reasons]
        # What one sample did without a dead end, the next one finds as easily.
        is_new = bool(best) and (bool(lines) or best[0].samples > 1)
        if is_new and any('"' in action or "/" in action for action in best[0].actions):
            lines.insert(0, f"Worked: {', then '.join(best[0].actions)}")
        return _fitting(dict.fromkeys(lines))


def speaks_of(hint: str, names: Iterable[str]) -> bool:
    """Whether a page with elements of these names may be what a hint speaks of: it names none, or
    one of them. A name in the hint may have a variable, or only be the beginning."""
    named = [folded(re.split(r"[{…]", name)[0]) for name in _QUOTED.findall(hint)]
    on_page = [folded(name) for name in names]
    return not named or any(name in own for name in named for own in on_page)


def _fitting(lines: Iterable[str]) -> list[str]:
    """The first lines, as far as there is room for them in a prompt."""
    kept: list[str] = []
    left = MAX_CHARACTERS
    for line in islice(lines, MAX_HINTS):
        kept.append(plain(line, min(MAX_LINE, left)))
        left -= len(kept[-1])
    return [line for line in kept if line]


def _most_similar(entries: Sequence[Entry], goal_keywords: Sequence[str]) -> list[Entry]:
    """Those of the most similar goals first, and of them what more samples say; of equal ones the
    order stays."""
    words = set(goal_keywords)

    def rank(entry: Entry) -> tuple[int, int]:
        return len(words & set(entry.goal_keywords)), entry.samples

    return sorted(entries, key=rank, reverse=True)


def _names_any(text: str, addresses: Iterable[str]) -> bool:
    """Whether the text names an address that another sample could open."""
    return any(f" {address} " in f" {text} " for address in addresses)


def _is_same(one: Pattern, other: Pattern) -> bool:
    return one.actions == other.actions


def _content(failure: Failure) -> Failure:
    return failure.model_copy(update={"samples": 0})


def _merged_patterns(old: Pattern, new: Pattern) -> Pattern:
    """One pattern of two samples that were done in the same way."""
    lists = {
        name: list(dict.fromkeys([*getattr(old, name), *getattr(new, name)]))[:MAX_ENTRIES]
        for name in ("tips", "avoid", "pages")
    }
    lists["goal_keywords"] = sorted({*old.goal_keywords, *new.goal_keywords})[:MAX_KEYWORDS]
    return old.model_copy(update={**lists, "samples": old.samples + new.samples})


def _newest(domains: dict[str, list[Entry]]) -> dict[str, list[Entry]]:
    """The domains that were learnt about last."""
    return dict(list(domains.items())[-MAX_DOMAINS:])
