"""A value that stands elsewhere than in most samples of a run asks a person to look."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.facts.place import ValuePlace
from pytest_bwa.proof.doubts.odd import UsualPlaces, add_odd
from pytest_bwa.proof.doubts.standing import Standings
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.place_identity import PlaceIdentity

FIELDS = ("phone", "status", "grade")
WORK, OTHERS = ("Employment",), ("Emergency contact",)


def stands(headings: tuple[str, ...], label: str = "Phone", **more: Any) -> Grounding:
    identity = PlaceIdentity(
        role=more.pop("role", "definition"), name=label, headings=headings, is_titled=False,
        record=more.pop("record", ""),
    )  # fmt: skip
    page = more.pop("page", "desk.test/p/*")
    place = ValuePlace(identity=identity, part="text", page=page, steps_done=0, text="x", **more)
    return Grounding(how="verbatim", place=place)


def result(name: str, phone: Grounding | None, **others: Grounding) -> SampleResult:
    known = {field: stands(WORK, field.title()) for field in FIELDS[1:]} | others
    grounding = {"phone": phone, **known}
    return SampleResult(
        sample_id=name, task_id="t", status="done", grounding=grounding,
        extracted=dict.fromkeys(grounding, "x"),
    )  # fmt: skip


TASK = TaskSpec(task_id="t", goal="g", output_schema=dict.fromkeys(FIELDS, "string"))


def usual_places(find: Callable[[str], Sample | None], results: list[SampleResult]) -> UsualPlaces:
    return UsualPlaces(TASK, Standings(find, results), results)


def where(odd: SampleResult, usual: int = 7, **more: Any) -> dict[str, str]:
    """What is said of the values of the last sample of a run; nothing is said of its page."""
    others = [result(f"p{n}", stands(WORK, **more)) for n in range(usual)]
    columns = {"name": "Ada Quist", "url": "/p/77"}
    places = usual_places(lambda name: Sample(name, columns), [*others, odd])
    assert places.notes(odd) == []
    return places.of(odd)


def test_a_value_of_another_section_than_usual_is_named():
    said = where(result("odd", stands(OTHERS)))
    assert said == {"phone": "under “Emergency contact > Phone”"}


def test_the_only_value_of_a_sample_is_named_as_well():
    alone = result("odd", stands(OTHERS), status=stands(OTHERS, page="x.test"))
    alone.grounding.pop("grade")
    assert where(alone) == {"phone": "under “Emergency contact > Phone”"}


def test_a_value_below_another_label_than_usual_is_named():
    said = where(result("odd", stands(WORK, "Fax")))
    assert said == {"phone": "under “Employment > Fax”"}


def test_a_value_in_a_row_of_its_own_where_usually_none_is_is_named():
    row = stands(WORK, role="table", record="B-2")
    assert where(result("odd", row)) == {"phone": "under “Employment > Phone” in the row “B-2”"}
    assert where(result("odd", row), record="C-3", role="table") == {}, "all have a row"


def test_a_value_that_only_the_title_of_the_page_has_is_named():
    said = where(result("odd", stands((), "title", role="page")))
    assert said == {"phone": "in the page's title"}


@pytest.mark.parametrize(
    "odd",
    [
        result("odd", stands(WORK)),
        result("odd", None),
        result("odd", stands(OTHERS, is_only=False)),  # it stands where it usually does, too
        result("odd", stands(OTHERS), status=stands(OTHERS), grade=stands(OTHERS)),
        result("odd", stands(OTHERS, page="desk.test/archive/*")),  # a page of another kind
        result("odd", stands(OTHERS, role="heading")),
        result("odd", stands(("Ada Quist – Card", *WORK))),  # a heading that names the sample
        result("P-1077", stands(("Person P-1077", *WORK))),
    ],
    ids=["usual", "null", "two places", "other layout", "other page", "heading", "name", "id"],
)
def test_nothing_is_said_of(odd):
    assert where(odd) == {}


def run_of(*titles: str) -> list[list[str]]:
    """The notes of samples on pages with these headings."""
    results = [
        result(
            f"REQ-{n}", stands((title, "Facts")), status=stands((title,)), grade=stands((title,))
        )
        for n, title in enumerate(titles)
    ]
    usual = usual_places(lambda name: Sample(name, {"sample_id": name, "xfail": "gone"}), results)
    return [usual.notes(one) for one in results]


def test_a_page_that_does_not_name_its_sample_as_most_do_is_noticed():
    titles = [f"Ticket REQ-{n}" for n in range(6)]
    said = run_of(*titles, "Entry is gone, the newest one")
    assert said == [[]] * 6 + [["no heading above its values names it, unlike in most samples"]]
    assert run_of(*titles, "Ticket REQ-66")[-1] != [], "another ticket"
    assert run_of(*titles[:4], "Pump", "Fan", "Belt") == [[]] * 7, "several are not named"


def test_few_samples_and_many_places_make_nothing_usual():
    assert where(result("odd", stands(OTHERS)), usual=3) == {}
    mixed = [result(f"m{n}", stands((f"Section {'abcdefgh'[n]}",))) for n in range(8)]
    usual = usual_places(lambda name: None, mixed)
    assert [usual.of(one) for one in mixed] == [{}] * 8


def test_a_later_row_is_named_where_the_first_one_is_usual():
    later = result("odd", stands(WORK, peers=3, row=2))
    said = where(later, peers=2)
    assert said == {"phone": "in row 2 of 3 under “Employment > Phone”"}
    assert where(result("odd", stands(WORK, peers=3, row=1)), peers=2) == {}
    assert where(later) == {}  # all others have one row


def test_the_doubt_is_written_into_the_records_of_these_fields():
    odd = result("odd", stands(OTHERS))
    add_odd(odd, where(odd))
    phone, status = odd.grounding["phone"], odd.grounding["status"]
    assert (phone.doubts, phone.against) == (("odd",), {"odd": "under “Emergency contact > Phone”"})
    assert status.doubts == ()
