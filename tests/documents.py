"""The documents of this repository as tests read them: their fenced blocks, the commands in them,
and their links.

The words after the language of a fence say how a block is tested (a forge shows none of them):

- ``sh``: the commands are run. ``sh exit=4``: they end with this status. ``sh needs-model`` (or
  -network, -person, …): they are not run, but their options and files are checked.
- ``yaml file=tickets.yaml`` (or any other language): the reader writes this file.
- ``text``: what the commands of the block before it print; ``…`` stands for anything.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
DOCUMENTS = [*(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "ARCHITECTURE")), *PAGES]
_FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.M | re.S)
_ANY_BLOCK = re.compile(r"^```.*?^```$", re.M | re.S)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.M)
_OPERATOR = re.compile(r"[();<>|&]+")
_ASSIGNMENT = re.compile(r"\w+=.*")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; ``words`` are those after its language."""

    language: str
    words: tuple[str, ...]
    text: str

    @property
    def is_run(self) -> bool:
        return self.language == "sh" and not any(word.startswith("needs-") for word in self.words)

    @property
    def file(self) -> str:
        """The name of the file that the reader writes; empty if it is none."""
        return self._value("file")

    @property
    def exit_status(self) -> int:
        return int(self._value("exit") or 0)

    def _value(self, key: str) -> str:
        values = [word.removeprefix(f"{key}=") for word in self.words if word.startswith(f"{key}=")]
        return values[0] if values else ""


def blocks(path: Path) -> list[Block]:
    found = _FENCE.findall(path.read_text("utf-8"))
    return [Block(language, tuple(words.split()), text) for language, words, text in found]


def commands(script: str) -> Iterator[list[str]]:
    """The words of each command of a script, without variables before it and redirections."""
    for line in script.replace("\\\n", " ").splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        command: list[str] = []
        is_target = False
        for word in lexer:
            if not _OPERATOR.fullmatch(word):
                if not is_target and (command or not _ASSIGNMENT.fullmatch(word)):
                    command.append(word)
                is_target = False
            elif "<" in word or ">" in word:
                is_target = True
            else:
                yield from [command] * bool(command)
                command = []
        yield from [command] * bool(command)


def links(path: Path) -> list[str]:
    """The targets of a document's links, without those of code."""
    return _LINK.findall(prose(path))


def prose(path: Path) -> str:
    return _ANY_BLOCK.sub("", path.read_text("utf-8"))


def anchors(path: Path) -> set[str]:
    """What a link to a heading of a document may name, as forges make it."""
    headings = _HEADING.findall(prose(path))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
