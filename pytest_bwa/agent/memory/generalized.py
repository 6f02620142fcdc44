"""Addresses and names of elements without what belongs to one sample only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from pytest_bwa.agent.memory.plain_text import plain, web_host_of
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Target
from pytest_bwa.steps.text import whole_words

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
