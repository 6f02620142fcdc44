"""What the ideal model reads in one request."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from wire.messages_server import Request, call

from pytest_bwa.policy.claude.cost import tokens

Call = dict[str, Any]


class NotInPrompt(Exception):
    """The prompt does not show what a person sees on the page."""


class Cited(str):
    """A text of the prompt, with the number of its line."""

    line: int | None

    def __new__(cls, text: str, line: int | None) -> Cited:
        own = super().__new__(cls, text)
        own.line = line
        return own


@dataclass(frozen=True)
class Prompt:
    """One request for a decision."""

    request: Request
    earlier: str = ""
    """The pages that a model which opens one after the other has seen before this one."""

    @property
    def sample_id(self) -> str:
        system = "\n".join(block["text"] for block in self.request.body["system"])
        return self._match(r'sample "(\w+)"', system)[1]

    @property
    def text(self) -> str:
        """The user message without pictures."""
        content = self.request.body["messages"][-1]["content"]
        if isinstance(content, str):
            return content
        return "\n".join(block.get("text", "") for block in content)

    @property
    def page(self) -> str:
        return self.text.split("**Step ")[0]

    @property
    def seen(self) -> str:
        """Everything that comes from the page: what it shows, what was kept, what actions read."""
        return self.text.split("## Sample")[0] + self.earlier

    @property
    def tokens(self) -> int:
        """Estimated size of everything that was sent: the system's blocks, the tools, the text."""
        body = self.request.body
        parts = [block["text"] for block in body["system"]]
        return sum(
            map(
                tokens,
                [*parts, json.dumps(body.get("tools", []), separators=(",", ":")), self.text],
            )
        )

    def number(self, pattern: str, after: str = "") -> str:
        """The number of the first element whose line goes on with this pattern; with ``after``, of
        the first one behind the place that matches it."""
        start = self._match(after, self.page).end() if after else 0
        return self._match(rf"\[(\d+)\] {pattern}", self.page[start:])[1]

    def numbers(self, pattern: str) -> list[str]:
        return re.findall(rf"\[(\d+)\] {pattern}", self.page)

    def all(self, pattern: str) -> list[str]:
        """What the page has there, in its main part."""
        return re.findall(pattern, self.page.partition("[heading]")[2])

    def read(self, pattern: str) -> Cited:
        """What was seen there: the pattern's group, or all of it."""
        match = self._match(pattern, self.seen)
        group = 1 if match.re.groups else 0
        begin = self.seen.rfind("\n", 0, match.start(group)) + 1
        numbers = re.findall(r"\[(\d+)\]", self.seen[begin : match.start(group)])
        return Cited(match[group], int(numbers[-1]) if numbers else None)

    def value(self, label: str, pattern: str) -> Cited:
        """The value that stands behind a label, in the same line or in the next one."""
        return self.read(rf'{label}(?:"\n\[\d+\] \[\w+\] "|[:|" ]+)({pattern})')

    def _match(self, pattern: str, text: str) -> re.Match[str]:
        match = re.search(pattern, text, re.M)
        if match is None:
            raise NotInPrompt(pattern)
        return match


def click(number: str, **more: Any) -> Call:
    return call("click", {"selector": number, **more})


def type_text(number: str, text: str, **more: Any) -> Call:
    return call("type", {"selector": number, "text": text, **more})


def choose(number: str, option: str) -> Call:
    return call("select_option", {"selector": number, "value": option})


def read(*numbers: str) -> Call:
    return call("read", {"pages": list(numbers)})


def done(**extracted: Any) -> Call:
    lines = {name: value.line for name, value in extracted.items() if isinstance(value, Cited)}
    sources = {name: line for name, line in lines.items() if line is not None}
    return call("done", {"extracted": extracted, "sources": sources})
