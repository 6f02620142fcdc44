"""What a policy and a person read of values that are not proven."""

from __future__ import annotations

import pytest
from grounded_sample import PAGE, Sample, element, page

from pytest_bwa.evidence.grounding import plain_values
from pytest_bwa.proof.objections import Objection, object_to
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.observation import Observation
from pytest_bwa.steps import HIDDEN, Box, LabelledValue


def objection(observation: Observation, **values: object) -> Objection:
    sample = Sample(observation)
    found = object_to(list(plain_values(values, sample.ground(**values))))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "observation",
    [
        page(element(0, "row", "Mitarbeiter | 37"), language="de"),
        page("Mitarbeiter", "37", language="de"),
        page(labelled=(LabelledValue("Mitarbeiter", "37", "definition"),), language="de"),
    ],
)
def test_a_value_that_nothing_names_is_said_to_stand_where_it_stands(observation):
    found = objection(observation, employees=37)
    why = "37 stands on the page (“Mitarbeiter | 37”), but nothing beside it names employees"
    assert found.notice == (
        f"{why}. If it is the field's value, call done again with it; correct it if it is not."
    )
    assert found.reason == (
        f"{why}: if it is right, add the label to the spec (aliases: {{employees: [Mitarbeiter]}})"
    )


def test_no_alias_is_advised_where_several_labels_have_the_same_number():
    labelled = (
        LabelledValue("Open orders", "37", "definition"),
        LabelledValue("Page size", "37", "definition"),
    )
    found = objection(page(labelled=labelled), staff=37)
    assert "nothing beside it names staff" in found.reason
    assert "aliases: {" not in found.reason
    assert "add the page's words for staff to the aliases" in found.reason


def test_a_value_that_stands_nowhere_is_said_to_stand_nowhere():
    found = objection(page(element(0, "row", "Mitarbeiter | 37")), employees=38)
    assert found.reason == "no page that was observed shows employees (38)"
    assert "report null for what no page shows. If a page says a number in another" in found.notice
    text = objection(page(element(0, "row", "Mitarbeiter | 37")), owner="Ada")
    assert text.notice.endswith("report null for what no page shows.")


def test_the_label_that_is_advised_is_that_of_the_column_or_of_no_label_at_all():
    rows = ("Firma | Mitarbeiter | Umsatz", "Weberei | 37 | 12", "Mühle | 5 | 3")
    table = page(*(element(n, "row", row) for n, row in enumerate(rows)))
    assert "{staff.size: [Mitarbeiter]}" in objection(table, staff=[{"size": 37}]).reason
    bare = objection(page("37"), employees=37)
    assert "add the page's words for employees to the aliases of the spec" in bare.reason


def test_values_that_stand_nowhere_and_values_without_a_name_are_both_named():
    found = objection(page("Mitarbeiter", "37"), employees=37, owner="Ann Smith")
    assert found.reason.startswith('no page that was observed shows owner ("Ann Smith"); 37 stands')


@pytest.mark.parametrize("end", ["…", "...", " …"])
def test_a_value_of_which_the_page_shows_only_the_beginning_is_not_accepted(end):
    summary = f"The meter was read{end}"
    found = objection(page(f"Summary: {summary} Show more"), summary=summary)
    assert found.reason == f'the page shows only the beginning of summary ("{summary}")'
    assert "Report the whole text" in found.notice


def test_all_that_speaks_against_an_answer_is_said_at_once():
    own = LabelledValue("Manager", "Dan Levy", "pair", box=Box(0.0, 0.0, 9.0, 9.0))
    hidden = element(1, "text", "Buyer: Zoe Ray", states=(HIDDEN,))
    sample = Sample(page(hidden, "Manager | Dan Levy", "Bo Ek", labelled=(own,)), own=PAGE)
    answer = {"buyer": "Zoe Ray", "manager": "Bo Ek"}
    pictured = [
        (path, value, record.model_copy(update={"artifact": "page.png"}))
        for path, value, record in plain_values(answer, sample.ground(**answer))
    ]
    of_another = ("owner", "Ann Smith", Grounding(how="unseen"))
    for values in (pictured, [*pictured, of_another]):
        found = object_to(values)
        assert found is not None
        assert "only text that nobody can see has buyer" in found.notice
        assert "the page also says “Manager | Dan Levy”" in found.notice
        assert ("no page that was observed shows owner" in found.notice) == (values != pictured)
        assert ("owner" in found.reason) == (values != pictured)


def test_a_derived_text_may_end_with_three_points():
    sample = Sample(page("Waiting for the vendor", "Among others"), derived=["summary"])
    values = {"summary": "Waits for the vendor, among others…"}
    assert object_to(list(plain_values(values, sample.ground(**values)))) is None


def test_what_the_agent_entered_is_not_said_to_be_seen_nowhere():
    """The page did show the postal code: in the field into which the agent had typed it."""
    values = [(name, "x", Grounding(how="unseen")) for name in ("owner", "postal_code")]
    found = object_to(values, lambda path, _: path == "postal_code", fills_in=True)
    assert found is not None
    assert found.reason == (
        'no page that was observed shows owner ("x"); '
        'only what the agent itself entered has postal_code ("x")'
    )
    assert "Save the form, open it anew with goto" in found.notice
    read = object_to(values, lambda path, _: True)
    assert read is not None
    assert "Save the form" not in read.notice


def test_an_empty_answer_is_sent_back_to_the_part_that_was_not_opened():
    record = Grounding(how="derived", rule="null", contested=("Identifiers: not opened",))
    found = object_to([("identifiers", [], record)])
    assert found is not None
    assert found.notice.startswith(
        "identifiers is reported as [], but “Identifiers” was not opened. Open the part"
    )
    assert "own record" not in found.notice
