"""A recipe is made only of what samples have in common, and has no value of any of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from recipe_pages import answer, answered, lesson, page, row, rows_of, task

from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.policy.recipe.compiling import compile_ways
from pytest_bwa.policy.recipe.parameters import filled, fits, generalised, merged
from pytest_bwa.policy.recipe.recipe import Recipe
from pytest_bwa.policy.recipe.shape import shape_of
from pytest_bwa.steps.step import Place


def ways_of(*lessons, needed=3, **keys):
    return compile_ways(task(**keys), lessons, needed)


def test_three_that_agree_are_a_recipe():
    (way,) = ways_of(lesson(1), lesson(2), lesson(3))
    assert way.learnt_from == ("T-1", "T-2", "T-3")
    assert way.by_model == ()
    (only,) = way.pages
    assert (only.address, only.heading) == ("{url}", "{sample_id}: *")
    assert set(only.fields) == {"owner", "due", "points"}
    points = only.fields["points"]
    assert (points.sources[0].after, points.shape.forms) == (" points", ("9",))


def test_two_are_too_few():
    assert ways_of(lesson(1), lesson(2)) == []


def test_a_model_that_errs_in_one_makes_no_recipe():
    assert ways_of(lesson(1), lesson(2, owner="Priya Nair"), lesson(3)) == []


def test_a_field_that_stands_elsewhere_in_each_sample_keeps_no_recipe_from_the_others():
    """Its words are those of the sample: "by Ann", "by Bob". A model reads it."""

    def opened_by(number):
        who = ("Ann", "Bob", "Cy", "Dan", "Eve", "Fay")[number - 1]
        text = f"Opened in room {number}0 by {who}"
        place = Place("", ("main",), (f"T-{number}: Something about {number}",))
        rows = {k: v for k, v in rows_of(number).items() if k != "Points"}
        observed = page(number, rows, more=[row("", text, place, 9)])
        return lesson(number, observed, points=number * 10)

    lessons = [opened_by(number) for number in range(1, 7)]
    (way,) = ways_of(*lessons)
    assert (way.by_model, set(way.pages[0].fields)) == (("points",), {"owner", "due"})
    assert len(way.learnt_from) == 6


def test_the_one_that_erred_is_left_out_when_others_agree():
    (way,) = ways_of(lesson(1), lesson(2, owner="Priya Nair"), lesson(3), lesson(4))
    assert way.learnt_from == ("T-1", "T-3", "T-4")


def test_an_owner_that_was_overlooked_is_no_word_for_nothing():
    (way,) = ways_of(lesson(1), lesson(2, owner=None), lesson(3), lesson(4))
    assert "T-2" not in way.learnt_from
    assert way.pages[0].fields["owner"].empty == ()


def test_a_word_for_nothing_needs_two_samples():
    def nobody(number):
        return lesson(number, page(number, rows_of(number, Owner="Nobody yet")), owner=None)

    (way,) = ways_of(lesson(1), lesson(2), lesson(3), nobody(4))
    assert way.pages[0].fields["owner"].empty == ()
    (way,) = ways_of(lesson(1), lesson(2), lesson(3), nobody(4), nobody(5))
    assert way.pages[0].fields["owner"].empty == ("Nobody yet",)


def test_a_mark_for_nothing_needs_one():
    empty = lesson(2, page(2, rows_of(2, Owner="–")), owner=None)
    (way,) = ways_of(lesson(1), empty, lesson(3))
    assert way.pages[0].fields["owner"].empty == ("–",)


def test_what_a_model_wrote_stays_with_the_model():
    schema = {"owner": "string | null", "summary": "string"}
    lessons = [lesson(n, summary=f"A text of the model's own, {n}") for n in (1, 2, 3)]
    (way,) = ways_of(*lessons, output_schema=schema)
    assert way.by_model == ("summary",)
    assert set(way.pages[0].fields) == {"owner"}


def test_derived_fields_stay_with_the_model():
    (way,) = ways_of(lesson(1), lesson(2), lesson(3), derived=["points"])
    assert way.by_model == ("points",)


def of_reporter(n, **changes):
    """The page has the owner a second time, as the one who reports."""
    rows = {"Reporter": answer(n)["owner"], **rows_of(n), **changes}
    return lesson(n, page(n, rows))


def test_the_place_that_was_cited_is_the_one_that_counts():
    for label in ("Owner", "Reporter"):
        lessons = [
            answered(of_reporter(n), {"who": answer(n)["owner"]}, who=label) for n in (1, 2, 3)
        ]
        (way,) = ways_of(*lessons, output_schema={"who": "string"})
        (source,) = way.pages[0].fields["who"].sources
        assert source.place.name == label


def test_the_same_value_in_all_samples_is_learnt_only_where_it_was_cited():
    def of(n, is_cited):
        observed = page(n, {**rows_of(n), "State": "Open"})
        return answered(lesson(n, observed), {"state": "Open"}, is_cited=is_cited)

    schema = {"output_schema": {"state": "string"}}
    (way,) = ways_of(*(of(n, True) for n in (1, 2, 3)), **schema)
    assert way.pages[0].fields["state"].sources[0].place.name == "State"
    assert ways_of(*(of(n, False) for n in (1, 2, 3)), **schema) == []


def test_a_sample_whose_value_was_read_from_a_picture_learns_its_place_from_the_others():
    def pictured(n):
        own = lesson(n)
        return replace(own, grounding={**own.grounding, "owner": Grounding(how="vision")})

    (way,) = ways_of(pictured(1), lesson(2), lesson(3))
    assert (way.learnt_from, way.by_model) == (("T-1", "T-2", "T-3"), ())
    (way,) = ways_of(*map(pictured, (1, 2, 3)))
    assert way.by_model == ("owner",)


def test_pages_that_do_not_say_whose_they_are_make_no_recipe():
    def anonymous(n):
        return lesson(n, page(n, rows_of(n), title="A ticket", address="http://tracker.test/view"))

    assert ways_of(*map(anonymous, (1, 2, 3))) == []


def test_a_row_of_a_list_says_whose_it_is():
    def listed(n):
        def cell(number, line):
            place = Place("", ("main",), ("All",), f"T-{number} | x", f"T-{number}")
            return row("Owner", answer(number)["owner"], place, line)

        more = [cell(number, line) for line, number in enumerate((1, 2, 3, 4), start=1)]
        address = "http://tracker.test/tickets"
        return lesson(
            n, page(n, {}, title="All", address=address, more=more), due=None, points=None
        )

    schema = {"owner": "string | null"}
    (way,) = ways_of(*map(listed, (1, 2, 3)), output_schema=schema)
    (source,) = way.pages[0].fields["owner"].sources
    assert source.place.record == "{sample_id}"


def test_another_layout_is_another_way():
    def other(n):
        return lesson(n, page(n, rows_of(n), section="Facts"))

    ways = ways_of(lesson(1), lesson(2), lesson(3), other(4), lesson(5))
    assert [way.learnt_from for way in ways] == [("T-1", "T-2", "T-3", "T-5")]
    ways = ways_of(lesson(1), lesson(2), lesson(3), other(4), other(5))
    assert [way.learnt_from for way in ways] == [("T-1", "T-2", "T-3"), ("T-4", "T-5")]


def test_no_value_of_a_sample_is_in_the_file():
    def secret(n):
        name = f"Canary{'abc'[n - 1]} Person{'xyz'[n - 1]}"
        rows = {"Owner": name, f"Note of {name}": f"Canary text {n}", "Due": f"2027-03-{n:02}"}
        title, alert = f"T-{n}: Canary title {name}", f"Canary {name} said so"
        observed = page(n, rows, title=title, alerts=[alert], text=f"Canary {n}")
        return lesson(n, observed, owner=name, points=None)

    ways = ways_of(*map(secret, (1, 2, 3)))
    text = Recipe(task_id="tickets", spec_sha256="0", ways=tuple(ways)).to_yaml()
    assert "Owner" in text
    for trace in ("Canary", "Person", "2027-03"):
        assert trace not in text


@pytest.mark.parametrize(
    ("texts", "pattern"),
    [
        (["T-1: a b", "T-2: c d"], "{sample_id}: *"),
        (["Ticket T-1", "Ticket T-2"], "Ticket {sample_id}"),
        (["Fix it", "Fix that"], "*"),
        (["2 * {x} T-1", "2 * {x} T-2"], "2 \\* \\(x\\) {sample_id}"),
    ],
)
def test_patterns(texts, pattern):
    columns = [{"sample_id": "T-1"}, {"sample_id": "T-2"}]
    general = [generalised(text, own) for text, own in zip(texts, columns, strict=True)]
    assert merged(general) == pattern
    assert all(fits(pattern, text, own) for text, own in zip(texts, columns, strict=True))
    assert not fits(pattern, texts[0], columns[1]) or "{" not in pattern
    if general[0] == general[1]:
        assert filled(pattern, columns[0]) == texts[0]


@pytest.mark.parametrize(
    ("seen", "text", "kind"),
    [
        (["Ann Lee", "Bob Hill"], "Nobody", "text"),
        (["Ann Lee", "Bob Hill"], "Nobody yet", "text"),
        (["Ann Lee"], "Анна Ли", "text"),
        (["2027-03-01"], "01.03.2027", "date"),
        (["1,234"], "1.234", "number"),
        (["1,234"], "12,5", "number"),
        (["12 kg"], "12 lb", "number"),
        (["$ 12"], "€ 12", "number"),
        (["12"], "-12", "number"),
        (
            ["The ledger drifts after each retry", "Export fails for all closed periods"],
            "–",
            "text",
        ),
        (["The ledger drifts after each retry"], "None", "text"),
    ],
)
def test_another_shape_is_seen(seen, text, kind):
    shape = shape_of(seen, kind)
    assert not any(shape.refusal(one, kind) for one in seen)
    assert shape.refusal(text, kind)


@pytest.mark.parametrize(
    ("seen", "text", "kind"),
    [
        (["O'Neil & Sons", "ACME 7", "IBM"], "de Boer B.V.", "text"),
        (["Lyon", "Oslo", "Rome", "St. Gallen", "New York"], "Aix-en-Provence", "text"),
        (["€ 1,325", "€ 4,256", "€ 7,187"], "€ 985", "number"),
        (["€ 1,325", "€ 4,256", "€ 7,187"], "€ 1,250,985", "number"),
        (["1.3 kg", "2.6 kg"], "12 kg", "number"),
        (["3.5.2027", "13.12.2027"], "03.05.2027", "date"),
    ],
)
def test_what_first_texts_do_not_share_is_no_form(seen, text, kind):
    assert shape_of(seen, kind).refusal(text, kind) == ""


def test_the_place_of_a_field_needs_two_samples_that_have_a_value():
    def without(number):
        rows = {label: text for label, text in rows_of(number).items() if label != "Due"}
        return lesson(number, page(number, rows), due=None)

    (way,) = ways_of(lesson(1), without(2), without(3))
    assert way.by_model == ("due",)
    (way,) = ways_of(lesson(1), without(2), without(3), lesson(4))
    assert (way.by_model, way.pages[0].fields["due"].may_be_absent) == ((), True)


def test_a_whole_number_may_be_written_with_a_point():
    lessons = [lesson(1), lesson(2, points=2.0), lesson(3, points=3.0)]
    (way,) = ways_of(*lessons)
    assert "points" in way.pages[0].fields


def test_what_stands_around_a_part_has_no_number_of_a_sample():
    def of(number):
        observed = page(
            number, rows_of(number, Owner=f"since {number * 100} days {answer(number)['owner']}")
        )
        return lesson(number, observed)

    (way,) = ways_of(*map(of, (1, 2, 3)))
    (source,) = way.pages[0].fields["owner"].sources
    assert source.before == "since 0 days "
