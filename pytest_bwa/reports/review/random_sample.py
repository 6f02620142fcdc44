"""A random sample of what nothing speaks against, and what its review says of all of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_bwa.evidence.bounds import at_most, percent
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.reviews import Key, Review
from pytest_bwa.spec.draw import number_by

RANDOM_SAMPLE = "random_sample"
"""The field of a review of the run that draws one; its value has ``number``, ``of``, ``seed`` and
``samples``."""
SIGN_OFF = "sign_off"


def population(results: Iterable[SampleResult]) -> list[str]:
    """All that is done and that nobody was asked to look at."""
    return [r.sample_id for r in results if r.status == "done" and not r.review_marks]


def draw(names: Collection[str], number: int, seed: str) -> dict[str, Any]:
    """What is recorded of it; the same names and seed give the same."""
    drawn = sorted(names, key=lambda name: number_by(seed, name))[:number]
    return {"number": len(drawn), "of": len(names), "seed": seed, "samples": sorted(drawn)}


@dataclass(frozen=True, slots=True)
class RandomSample:
    """How far the review of one is."""

    drawn: Review
    reviewed: int
    wrong: int
    """Samples of which something was corrected or rejected."""
    last: tuple[Review, ...]
    """The decisions about it, in the order of the record."""

    @classmethod
    def of(
        cls,
        drawn: Review,
        keys_of: Callable[[str], Collection[Key]],
        decisions_of: Callable[[str], Mapping[Key, Review]],
    ) -> RandomSample:
        """``keys_of``: what there is to decide of a sample, nothing if its result is gone."""
        reviewed = wrong = 0
        found: list[Review] = []
        for name in drawn.value["samples"]:
            keys, decisions = keys_of(name), decisions_of(name)
            if not keys or any(key not in decisions for key in keys):
                continue
            own = [decisions[key] for key in keys]
            reviewed += 1
            wrong += any(review.decision != "accepted" for review in own)
            found += own
        return cls(drawn, reviewed, wrong, tuple(sorted(found, key=lambda review: review.time)))

    @property
    def is_complete(self) -> bool:
        return bool(self.reviewed == self.drawn.value["number"])

    @property
    def statement(self) -> str:
        number, of = self.drawn.value["number"], self.drawn.value["of"]
        if not self.is_complete:
            done = f"{self.reviewed} reviewed so far, {self.wrong} wrong"
            return f"{number:,} of {of:,} drawn at random: {done}"
        names = ", ".join(dict.fromkeys(review.reviewer for review in self.last))
        day = self.last[-1].time[:10] if self.last else ""
        if number == of:
            return f"all {of:,} reviewed by {names} on {day}: {self.wrong} wrong"
        what = f"{number:,} of {of:,} drawn at random and reviewed by {names} on {day}"
        bound = percent(at_most(self.wrong, number))
        return f"{what}: {self.wrong} wrong; at most {bound} are, at 95 %"
