"""What must not be written: secret columns, secrets typed by name, and what is typed into password
fields."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pytest_bwa.exchange import Block
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.secrets import hide_secrets
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.spec.typed_secrets import mask_values, stands_for_secret
from pytest_bwa.text import whole_characters

TYPED = "text"
"""The parameter of an action that may hold what is typed into a field."""


class Masking:
    """Masks the secrets of one sample, those of its columns and those that it has typed."""

    def __init__(self, task: TaskSpec, sample: Sample) -> None:
        self._hide_columns = hide_secrets(task, sample)
        self._hide_typed: Callable[[str], str] = str
        self._secrets: set[str] = set()
        self._plain: set[str] = set()
        """What the present decision has typed into plain fields."""

    def begin_decision(self) -> None:
        self._plain = set()

    def learn_secret(self, secret: str) -> bool:
        """Mask what was typed into a password field from now on; False if that is known, or only
        the name of a secret."""
        if secret in self._secrets or stands_for_secret(secret):
            return False
        self._secrets.add(secret)
        self._hide_typed = mask_values(self._secrets)
        return True

    def learn_plain(self, text: str) -> None:
        """A step has shown that this was typed into a field that is no password field."""
        self._plain.add(text)

    def clean(self, text: str) -> str:
        return whole_characters(self._hide_typed(self._hide_columns(text)))

    def value(self, value: Any) -> Any:
        """As it is written: without secrets, and lists and mappings as JSON."""
        if isinstance(value, str):
            return self.clean(value)
        if isinstance(value, list | tuple | dict):
            return json.dumps(_with_texts(value, self.clean), ensure_ascii=False, default=str)
        return value

    def stored(self, text: str) -> str:
        """A text that was written before; it may be JSON."""
        if text[:1] in ("[", "{"):
            with suppress(ValueError):
                return str(self.value(json.loads(text)))
        return self.clean(text)

    def reply(self, blocks: Sequence[Block]) -> list[Any]:
        """A model's answer without what it wants to type, as long as no step has shown that it is
        no secret. It may never be carried out, or its worker may be killed."""
        inputs = (block.get("input") for block in blocks)
        texts = {str(i[TYPED]) for i in inputs if isinstance(i, Mapping) and i.get(TYPED)}
        unsure = {t for t in texts if t not in self._plain and not stands_for_secret(t)}
        hide = mask_values(unsure)
        return [_with_texts(block, hide) for block in blocks]


def _with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """The value with each of its texts changed; the keys of mappings stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _with_texts(entry, change) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_with_texts(entry, change) for entry in value]
    return value
