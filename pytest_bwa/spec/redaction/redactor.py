"""The one redactor: what is written, printed or sent goes through the one of its sample."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel

from pytest_bwa.spec.redaction.addresses import MASK, redact_addresses
from pytest_bwa.spec.redaction.encodings import pattern_of

PATTERN_SECONDS = 0.2
"""What a pattern of a spec may take for one text. If it takes longer, all of the text is masked."""
_NAMED = r"<secret:[^<>]*>"
_FOUND_ON_PAGES = frozenset({"extracted", "accumulated_data"})
_WITH_NUMBERS = frozenset({"extracted", "accumulated_data", "params"})
_MADE_BY_US = re.compile(r"[0-9a-f]{64}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:\d\d)")
"""Hashes and times. A short secret may stand in them by chance, and a changed hash proves
nothing."""
_MAX_BY_CHANCE = 12
_Model = TypeVar("_Model", bound=BaseModel)


class Redactor:
    """Replaces the secrets of one sample by their names in any text, and the tokens of addresses
    and what the patterns of a spec find by ``***``."""

    def __init__(self, secrets: Mapping[str, str] | None = None, patterns: Iterable[str] = ()):
        self._secrets = {(name, value) for name, value in (secrets or {}).items() if value.strip()}
        self._typed: set[str] = set()
        self._patterns = [_compiled(pattern) for pattern in patterns]
        self._compile()

    def _compile(self) -> None:
        named = {(value, f"<secret:{name}>") for name, value in self._secrets}
        self._declared = _replacement(frozenset(named))
        self._all = _replacement(frozenset(named | {(value, MASK) for value in self._typed}))

    def learn(self, name: str, value: str) -> None:
        """Mask one more value of a secret, such as a code that was made just now."""
        if value.strip() and (name, value) not in self._secrets:
            self._secrets.add((name, value))
            self._compile()

    def learn_typed(self, text: str) -> bool:
        """Mask what was typed into a password field; whether that is new. In what was read from
        pages it stays, because it may be any word."""
        if not text.strip() or text in self._typed or re.fullmatch(_NAMED, text):
            return False
        self._typed.add(text)
        self._compile()
        return True

    def __call__(self, text: str) -> str:
        return self._redacted(text, self._all)

    def content(self, content: Any, key: str = "") -> Any:
        """A text, or a list or mapping with each of its texts redacted."""
        return self._content(content, is_found=False, with_numbers=False, key=key)

    def model(self, model: _Model) -> _Model:
        """The model with all of its texts redacted."""
        return type(model).model_validate(self.content(model.model_dump()))

    def secrets_in(self, text: str) -> set[str]:
        """The parts of a text that say a secret, as they are written there."""
        pattern, _ = self._all
        if pattern is None:
            return set()
        return {m[0] for m in pattern.finditer(text) if m.lastgroup != "named"}

    def _content(self, content: Any, *, is_found: bool, with_numbers: bool, key: str) -> Any:
        is_found, with_numbers = (
            is_found or key in _FOUND_ON_PAGES,
            with_numbers or key in _WITH_NUMBERS,
        )
        if isinstance(content, str):
            return self._redacted(content, self._declared if is_found else self._all)
        if with_numbers and isinstance(content, int | float) and not isinstance(content, bool):
            text = str(content)
            return content if self._redacted(text, self._declared) == text else self(text)
        if isinstance(content, Mapping):
            return {
                self(k) if isinstance(k, str) else k: self._content(
                    v, is_found=is_found, with_numbers=with_numbers, key=str(k)
                )
                for k, v in content.items()
            }
        if isinstance(content, list | tuple):
            entries = (
                self._content(e, is_found=is_found, with_numbers=with_numbers, key="")
                for e in content
            )
            return type(content)(entries)
        return content

    def _redacted(self, text: str, replacement: _Replacement) -> str:
        pattern, names = replacement
        if pattern is not None:
            is_ours = _MADE_BY_US.fullmatch(text) is not None

            def name_of(found: re.Match[str]) -> str:
                by_chance = is_ours and len(found[0]) < min(_MAX_BY_CHANCE, len(text))
                return found[0] if by_chance else names.get(found.lastgroup or "", found[0])

            text = pattern.sub(name_of, text)
        text = redact_addresses(text)
        for own in self._patterns:
            try:
                text = own.sub(MASK, text, timeout=PATTERN_SECONDS)
            except TimeoutError:
                return MASK
        return text


def _compiled(pattern: str) -> Any:
    import regex  # few specs have patterns, and it takes long to load

    return regex.compile(pattern)


_Replacement = tuple[re.Pattern[str] | None, Mapping[str, str]]


@lru_cache(maxsize=64)
def _replacement(secrets: frozenset[tuple[str, str]]) -> _Replacement:
    """The pattern that finds each secret, and what to put in its place, by the group that has
    found it. What has been replaced already stays."""
    if not secrets:
        return None, {}
    longest_first: Sequence[tuple[str, str]] = sorted(secrets, key=lambda s: (-len(s[0]), s))
    groups = [f"(?P<named>{_NAMED})"]
    groups += [f"(?P<s{n}>{pattern_of(value)})" for n, (value, _) in enumerate(longest_first)]
    names = {f"s{n}": name for n, (_, name) in enumerate(longest_first)}
    return re.compile("|".join(groups)), names
