"""The hash chain of action_log.json: each entry has the hash of the one before it.

An entry's ``hash`` is the SHA-256 of the entry's JSON without ``hash``: keys sorted, no spaces,
UTF-8. Its ``previous`` is the ``hash`` of the entry before, and 64 zeros in the first entry.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_bwa.evidence.files import sha256, to_json

HASH, PREVIOUS = "hash", "previous"
START = "0" * 64
"""What the first entry has as ``previous``."""


def chained(content: Any, previous: str) -> dict[str, Any]:
    """The entry of a log for ``content``, as it follows the entry whose hash is ``previous``."""
    # Read back, so that the hash is of the very text that a reader of the file gets.
    entry: dict[str, Any] = {**json.loads(to_json(content, indent=None)), PREVIOUS: previous}
    return {**entry, HASH: entry_hash(entry)}


def entry_hash(entry: Mapping[str, Any]) -> str:
    """The hash that an entry should have, whatever it has."""
    content = {key: value for key, value in entry.items() if key != HASH}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass"))


def last_hash(entries: Sequence[Mapping[str, Any]]) -> str:
    """The end of a chain; empty if there is none."""
    return str(entries[-1].get(HASH, "")) if entries else ""


def is_chained(entries: Sequence[Mapping[str, Any]]) -> bool:
    """Whether any entry has a hash; logs of earlier versions have none."""
    return any(HASH in entry or PREVIOUS in entry for entry in entries)


def broken_links(entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What is wrong with a chain, in words."""
    previous = START
    for number, entry in enumerate(entries):
        if entry.get(PREVIOUS) != previous:
            yield f"entry {number} does not follow the entry before it"
        if entry.get(HASH) != entry_hash(entry):
            yield f"entry {number} does not have the content that its hash was made of"
        previous = str(entry.get(HASH))
