"""Each doubt in words, for people. The codes stand in result.json."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pytest_bwa.evidence.grounding import Doubt, Grounding

IN_WORDS: Mapping[Doubt, str] = {
    "other_value": "the page also says {}",
    "hidden": "nobody can see the text that has it",
    "other_record": "it stands with another record, {}",
    "two_readings": "it may also mean {}",
    "painted": "a person sees it otherwise: {}",
    "own_look": "only the agent's own look at a picture has it",
    "odd": "it stands elsewhere than in most samples: {}",
    "same_cell": "{} was read from the same text",
    "unread": "nobody has read what stands beside it: {}",
}
"""``{}`` is the detail of the doubt."""


def in_words(code: Doubt, detail: str) -> str:
    """The doubt as a part of a sentence, its detail in quotation marks."""
    text = IN_WORDS[code]
    quoted = detail if code in ("painted", "odd", "same_cell", "two_readings") else f"“{detail}”"
    return text.format(quoted) if detail else text.replace(": {}", "").replace(", {}", "")


def doubts_of(record: Grounding) -> Iterable[str]:
    """What speaks against a value, a part of a sentence for each doubt."""
    return (in_words(code, record.against.get(code, "")) for code in record.doubts)
