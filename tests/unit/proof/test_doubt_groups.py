"""What speaks against values at one place of many samples is one group."""

from __future__ import annotations

from typing import Any

from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.proof.doubts.groups import DoubtGroups
from pytest_bwa.steps.doubts import Doubt


def a_result(name: str, label: str = "Kaution", **against: str) -> SampleResult:
    record: dict[str, Any] = {
        "how": "verbatim", "name": label, "text": f"{label} | 750", "doubts": [*against],
        "against": against, "url": f"https://flats.test/wohnungen/{name}",
    }  # fmt: skip
    return SampleResult(
        sample_id=name, task_id="t", status="done", outcome="found",
        extracted={"deposit": 750, "keys": [1, 1]},
        grounding={
            "deposit": Grounding.model_validate(record),
            "keys": [Grounding.model_validate({**record, "name": "Schlüssel"})] * 2,
        },
    )  # fmt: skip


def groups_of(*results: SampleResult) -> DoubtGroups:
    groups = DoubtGroups()
    for result in results:
        groups.add(result)
    return groups


def in_words(groups: DoubtGroups) -> list[str]:
    return [group.in_words() for group in groups.largest_first()]


def test_samples_with_a_doubt_at_the_same_place_are_one_group_and_a_list_counts_once():
    found = [a_result(f"4711{n}", other_value="Kaution | 0") for n in range(3)]
    assert in_words(groups_of(*found)) == [
        "deposit under “Kaution”: 3 samples, the page also says “Kaution | 0”",
        "keys under “Schlüssel”: 3 samples, the page also says “Kaution | 0”",
    ]
    assert in_words(groups_of(a_result("47110"))) == []


def test_what_differs_from_sample_to_sample_is_left_out_of_the_words():
    groups = groups_of(a_result("47110", other_record="K-1"), a_result("47111", other_record="K-2"))
    assert in_words(groups)[0] == (
        "deposit under “Kaution”: 2 samples, it stands with another record"
    )


def test_another_doubt_or_label_is_another_place_and_the_largest_comes_first():
    groups = groups_of(
        a_result("47110", "Caution", hidden=""), a_result("47111", hidden=""),
        a_result("47112", hidden=""), a_result("47113", odd="under “Old”"),
    )  # fmt: skip
    deposits = [words for words in in_words(groups) if words.startswith("deposit")]
    assert deposits == [
        "deposit under “Kaution”: 2 samples, nobody can see the text that has it",
        "deposit under “Caution”: 1 sample, nobody can see the text that has it",
        "deposit under “Kaution”: 1 sample, it stands elsewhere than in most samples: under “Old”",
    ]


def test_what_is_known_closer_is_a_group_of_its_own_whatever_its_words_are():
    first, second = (Grounding(how="verbatim", name="City", url="https://x.test/1") for _ in "ab")
    found = [
        SampleResult(
            sample_id=name, task_id="t", status="done", outcome="found",
            extracted={"city": "Rome"}, grounding={"city": seen.with_doubts({doubt: detail})},
        )
        for name, seen, doubt, detail in (
            ("1", first, Doubt.UNDER_HEADING, "Billing"),
            ("2", second, Doubt.OTHER_RECORD, "Billing"),
        )
    ]  # fmt: skip
    assert [result.grounding["city"].doubts for result in found] == [("other_record",)] * 2
    assert in_words(groups_of(*found)) == [
        "city under “City”: 1 sample, it stands with another record, “Billing”",
        "city under “City”: 1 sample, it stands under “Billing”",
    ]
