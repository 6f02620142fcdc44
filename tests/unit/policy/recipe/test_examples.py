"""What known rows teach: the place at which all of them have what is known, and never another."""

from __future__ import annotations

from typing import Any

from recipe_pages import (
    NAMES,
    Model,
    answered,
    lesson,
    no_pause,
    page,
    row,
    sample,
    task,
    turn,
)

from pytest_bwa.policy.recipe.compiling import compile_ways
from pytest_bwa.policy.recipe.examples import Taught, taught_by
from pytest_bwa.policy.recipe.lesson import Lesson
from pytest_bwa.policy.recipe.policy import RecipePolicy
from pytest_bwa.policy.recipe.recipe import Recipe
from pytest_bwa.policy.recipe.visits import Visit
from pytest_bwa.steps.step import LabelledValue, Observation, Place

ASIDE = Place("", ("complementary",), ("Yesterday",))
FIELDS = {"person": "string | null", "until": "date | null", "is_open": "boolean | null"}


def ticket(number: int, *more: LabelledValue, **rows: str) -> Observation:
    """A page whose labels are none of the fields' names."""
    own = {"Bearbeitung": NAMES[number % 5], "Frist": f"{number:02}.03.2027", **rows}
    return page(number, own, more=more, language="de")


def example(number: int, *pages: Observation, **known: Any) -> Lesson:
    """What a known row showed; by default, who works on it is known."""
    columns = dict(sample(number).columns)
    visits = [Visit(one) for one in pages or (ticket(number),)]
    values = known or {"person": NAMES[number % 5]}
    return Lesson(f"T-{number}", columns, "tracker.test", visits, values=values)


def taught(*examples: Lesson) -> Taught:
    return taught_by(task(output_schema=FIELDS), examples)


def read_by(lessons: Taught, observed: Observation) -> Any:
    """What a recipe of this reads on a page; why it does not read it, if so."""
    model, spec = Model(), task(output_schema={name: FIELDS[name] for name in lessons.fields})
    recipe = Recipe(
        task_id="tickets", spec_sha256="", ways=tuple(compile_ways(spec, lessons.lessons, 3))
    )
    policy = RecipePolicy(recipe, model, spec, sample(7), asked=True, pause=no_pause)
    decision = policy.decide(turn(7, observed, spec))
    while decision.actions[0].action == "wait":
        decision = policy.decide(turn(7, observed, spec))
    return policy.use.why if model.asked else decision.actions[0].extracted


# -- what is taught ------------------------------------------------------------------------------


def test_the_place_that_all_known_rows_share_is_read_in_other_rows():
    known = taught(
        *(example(n, person=NAMES[n % 5], until=f"2027-03-{n:02}") for n in (1, 2, 3, 4))
    )
    assert known.fields == {name: ["T-1", "T-2", "T-3", "T-4"] for name in ("person", "until")}
    assert read_by(known, ticket(7)) == {"person": NAMES[2], "until": "2027-03-07"}


def test_what_one_row_does_not_know_others_teach():
    rows = [example(n) for n in (1, 2, 3)] + [
        example(n, until=f"2027-03-{n:02}") for n in (4, 5, 6)
    ]
    known = taught(*rows)
    assert known.fields == {"person": ["T-1", "T-2", "T-3"], "until": ["T-4", "T-5", "T-6"]}
    assert read_by(known, ticket(7)) == {"person": NAMES[2], "until": "2027-03-07"}


def test_a_field_that_known_rows_do_not_name_is_not_learnt_to_be_empty():
    """Other samples, in which the policy has read it, still teach it."""

    def page_of(n: int, due: str) -> Observation:
        return ticket(n, Due=due)

    known = taught(*(example(n, page_of(n, "2027-05-01"), person=NAMES[n % 5]) for n in (1, 2, 3)))
    spec = task(output_schema={"person": "string | null", "due": "date | null"})
    read = [
        answered(lesson(n, page_of(n, day)), {"person": NAMES[n], "due": day}, person="Bearbeitung")
        for n, day in ((3, "2027-04-03"), (4, "2027-04-04"))
    ]
    (way, *_) = compile_ways(spec, [*known.lessons, *read], 3)
    field = way.pages[0].fields.get("due")
    assert field is not None
    assert field.empty == ()


def test_what_stands_within_a_text_is_read_from_between_the_same_words():
    def page_of(n: int) -> Observation:
        return ticket(
            n, Bearbeitung="—", Verlauf=f"zuletzt bearbeitet von {NAMES[n % 5]} am Montag"
        )

    known = taught(*(example(n, page_of(n)) for n in (1, 2, 3)))
    assert read_by(known, page_of(7)) == {"person": NAMES[2]}


def test_a_row_that_is_known_to_be_empty_teaches_what_nothing_looks_like():
    rows = [example(n) for n in (1, 2, 3)]
    empty = [example(n, ticket(n, Bearbeitung="niemand"), person=None) for n in (4, 5)]
    known = taught(*rows, *empty)
    assert read_by(known, ticket(7, Bearbeitung="niemand")) == {"person": None}


# -- what is not ---------------------------------------------------------------------------------


def why_not(*examples: Lesson) -> str:
    known = taught(*examples)
    assert not known.fields
    assert not known.lessons
    (why,) = known.untaught.values()
    return why


def test_two_rows_are_too_few():
    assert "2 of the known rows have a value" in why_not(*(example(n) for n in (1, 2)))


def test_of_more_rows_than_needed_one_that_differs_is_named_with_what_it_has():
    rows = [example(n) for n in (1, 2, 3, 4)]
    other = example(5, ticket(5, Bearbeitung="Uma Vale"), person="Kim Noor")
    why = why_not(*rows, other)
    assert why == (
        'no page of T-5 shows "Kim Noor" where the others have theirs, but “Uma Vale” at the '
        "definition “Bearbeitung”"
    )


def test_a_row_that_is_known_to_be_empty_and_shows_words_is_a_check():
    why = why_not(*(example(n) for n in (1, 2, 3)), example(4, person=None))
    assert f"T-4 has “{NAMES[4]}” at the definition “Bearbeitung”" in why


def test_what_no_page_shows_is_said():
    why = why_not(*(example(n, person=f"Kim {n}") for n in (1, 2, 3)))
    assert why == "no page of the 3 known rows shows what is known of it"


# -- pages that lie ------------------------------------------------------------------------------


def copy_of(person: str) -> LabelledValue:
    return row("Bearbeitung", person, ASIDE, 9)


def test_a_copy_that_was_equal_in_all_known_rows_is_read_only_where_it_is_equal():
    known = taught(*(example(n, ticket(n, copy_of(NAMES[n % 5]))) for n in (1, 2, 3, 4, 5)))
    assert read_by(known, ticket(7, copy_of(NAMES[2]))) == {"person": NAMES[2]}
    assert "differ now" in read_by(known, ticket(7, copy_of(NAMES[3])))


def test_a_total_that_was_the_only_item_is_read_only_where_it_is_that():
    def bill(n: int, item: int) -> Observation:
        return ticket(n, Position=f"{item:,} €", Summe=f"{1000 + 37 * n:,} €", Bearbeitung="—")

    fields = {"total": "number"}
    spec = task(output_schema=fields, locale="en")
    rows = [example(n, bill(n, 1000 + 37 * n), total=1000 + 37 * n) for n in (1, 2, 3)]
    known = taught_by(spec, rows)
    ways = compile_ways(spec, known.lessons, 3)
    assert [source.place.name for source in ways[0].pages[0].fields["total"].sources] == [
        "Position",
        "Summe",
    ]


def test_a_date_that_all_pages_share_teaches_nothing():
    rows = [example(n, ticket(n, Stand="01.11.2026"), until="2026-11-01") for n in (1, 2, 3, 4)]
    assert why_not(*rows) == (
        'all known rows have "2026-11-01", which may stand there by chance: know a row with '
        'another value, or add "Stand" to its aliases'
    )


def test_an_equal_value_is_taught_where_the_label_has_a_word_of_the_field():
    def page_of(n: int, person: str = "Kim Noor") -> Observation:
        return ticket(n, **{"Person (Vertretung)": person})

    rows = [example(n, page_of(n), person="Kim Noor") for n in (1, 2, 3)]
    assert read_by(taught(*rows), page_of(7, "Uma Vale")) == {"person": "Uma Vale"}


def flag(n: int, text: str, label: str = "Offen") -> Observation:
    return ticket(n, row(label, text, Place("", ("main",), (f"T-{n}: Something about {n}",)), 9))


def test_yes_and_no_need_a_label():
    answers = {1: "Ja", 2: "Nein", 3: "Ja"}
    rows = [example(n, flag(n, text), is_open=text == "Ja") for n, text in answers.items()]
    assert read_by(taught(*rows), flag(7, "Nein")) == {"is_open": False}
    unlabelled = [
        example(n, flag(n, text, ""), is_open=text == "Ja") for n, text in answers.items()
    ]
    assert "no label says which" in why_not(*unlabelled)


def test_a_label_that_stands_twice_with_other_texts_is_named():
    def page_of(n: int) -> Observation:
        return ticket(n, row("Bearbeitung", "Kim Noor", ticket(n).labelled[0].place, 9))

    why = why_not(*(example(n, page_of(n)) for n in (1, 2, 3)))
    assert why.startswith(f"“Bearbeitung” stands twice in T-1, with “{NAMES[1]}” and “Kim Noor”")
