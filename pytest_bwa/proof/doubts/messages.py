"""Each doubt in words, for people. The codes stand in result.json."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pytest_bwa.evidence.grounding import Doubt, Grounding

IN_WORDS: Mapping[Doubt, tuple[str, str]] = {
    "other_value": ("the page also says “{}”", "the page says something else there, too"),
    "hidden": ("nobody can see the text that has it: “{}”", "nobody can see the text that has it"),
    "other_record": ("it stands with another record, “{}”", "it stands with another record"),
    "two_readings": ("it may also mean {}", "its text may also mean another value"),
    "painted": ("a person sees it otherwise: {}", "a person sees it otherwise"),
    "own_look": (
        "only the agent's own look at a picture has it: {}",
        "only the agent's own look at a picture has it",
    ),
    "odd": (
        "it stands elsewhere than in most samples: {}",
        "it stands elsewhere than in most samples",
    ),
    "same_cell": ("{} was read from the same text", "another field was read from the same text"),
    "unread": (
        "nobody has read what stands beside it: “{}”",
        "nobody has read what stands beside it",
    ),
}
"""With the detail of the doubt in place of ``{}``, and without it."""


def in_words(code: Doubt, detail: str = "") -> str:
    """The doubt as a part of a sentence."""
    with_detail, without = IN_WORDS[code]
    return with_detail.replace("{}", detail) if detail else without


def doubts_of(record: Grounding) -> Iterator[str]:
    """What speaks against a value, a part of a sentence for each doubt."""
    return (in_words(code, record.against.get(code, "")) for code in record.doubts)
