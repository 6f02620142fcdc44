"""What a trajectory must not say besides declared secrets: what is typed into password fields."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from pytest_bwa.spec.redaction import Redactor
from pytest_bwa.spec.typed_secrets import stands_for_secret
from pytest_bwa.steps.exchange import Block
from pytest_bwa.steps.text import whole_characters

TYPED = "text"
"""The parameter of an action that may hold what is typed into a field."""


class Masking:
    """Masks what one sample's trajectory must not say, by the redactor of the sample."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
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
        self._redactor.learn_typed(secret)
        return True

    def learn_plain(self, text: str) -> None:
        """A step has shown that this was typed into a field that is no password field."""
        self._plain.add(text)

    def value(self, value: Any) -> Any:
        """As it is written: without secrets, and lists and mappings as JSON."""
        redacted = self._redactor.content(value)
        if isinstance(redacted, list | tuple | dict):
            redacted = json.dumps(redacted, ensure_ascii=False, default=str)
        return whole_characters(redacted) if isinstance(redacted, str) else redacted

    def stored(self, text: str) -> str:
        """A text that was written before; it may be JSON."""
        if text[:1] in ("[", "{"):
            with suppress(ValueError):
                return str(self.value(json.loads(text)))
        return str(self.value(text))

    def reply(self, blocks: Sequence[Block]) -> list[Any]:
        """A model's answer without what it wants to type, as long as no step has shown that it is
        no secret. It may never be carried out, or its worker may be killed."""
        inputs = (block.get("input") for block in blocks)
        texts = {str(i[TYPED]) for i in inputs if isinstance(i, Mapping) and i.get(TYPED)}
        unsure = Redactor()
        for text in texts - self._plain:
            unsure.learn_typed(text)
        return [unsure.content(block) for block in blocks]
