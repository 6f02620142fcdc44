"""Where a page gives the label of a value another value, and where that is no contradiction."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from typing import Any

import pytest
from grounded_sample import PAGE, Sample, element, page

from pytest_bwa.evidence.grounding import plain_values
from pytest_bwa.evidence.labels.page_doubts import IN_ITALICS, IS_WEAK, PAINTED_OTHERWISE, UNSAVED
from pytest_bwa.proof.objections import object_to
from pytest_bwa.steps import HIDDEN, Box, Element, LabelledValue, Place

OWN = Place(headings=("Heron Mills",))
PREVIEW = Place(headings=("Heron Mills", "Preview: Gannet Weaving"))


def texts(place: Place, *lines: str, first: int = 0) -> list[Element]:
    roles = ["row" if " | " in line else "text" for line in lines]
    found = [element(first + n + 1, roles[n], line, place=place) for n, line in enumerate(lines)]
    return [element(first, "heading", place.headings[-1]), *found]


def contested(
    own: list[str], preview: list[str], given: tuple[str, ...] = (), **values: Any
) -> Any:
    elements = [*texts(OWN, *own), *texts(PREVIEW, *preview, first=50)]
    ((_, _, record),) = plain_values(values, Sample(page(*elements), given=given).ground(**values))
    return record.contested


@pytest.mark.parametrize("head", ["Amendments (2)", "Annexes"])
def test_a_word_of_the_field_before_its_label_says_which_of_two_it_is(head):
    elements = [
        *texts(Place(headings=("CT-1",)), "Signed on", "2021-06-11", "Vendor", "Helder"),
        *texts(Place(headings=(head, "A3")), "Signed on", "2025-10-21", first=50),
    ]
    elements[5] = element(50, "button", head, place=Place(headings=("CT-1",)))
    record = Sample(page(*elements)).ground(last_amendment_signed_on="2025-10-21")
    is_said = head != "Annexes"
    others = None if is_said else ("Signed on | 2021-06-11",)
    assert record["last_amendment_signed_on"].contested == others


@pytest.mark.parametrize("head", ["Amendments (2)", "Annexes"])
def test_the_fields_of_a_form_are_told_apart_by_the_words_above_them(head):
    above, inside = Place(headings=("CT-1",)), Place(headings=("A3",))
    elements = [
        element(1, "combobox", "signed_on", value="06/11/2021", place=above),
        element(2, "text", head, place=above),
        element(3, "heading", "A3"),
        element(4, "combobox", "signed_on", value="10/21/2025", place=inside),
    ]
    record = Sample(page(*elements)).ground(last_amendment_signed_on="10/21/2025")
    others = None if head != "Annexes" else ("signed_on | 06/11/2021",)
    assert record["last_amendment_signed_on"].contested == others


@pytest.mark.parametrize(
    ("section", "is_contested"), [("AST-871", False), ("AST-552", True), ("Assigned too", True)]
)
def test_what_stands_below_the_name_of_another_record_contests_nothing(section, is_contested):
    lines = [
        *texts(Place(headings=("AST-552", "Device")), "Model", "T14"),
        *texts(Place(headings=(section,)), "Model", "U2723", first=50),
    ]
    sample = Sample(page(*lines), given=("AST-552",))
    others = ("Model | U2723",) if is_contested else None
    assert sample.ground(model="T14")["model"].contested == others


@pytest.mark.parametrize(("label", "others"), [("State", None), ("", ("Host | State",))])
def test_the_first_label_below_a_heading_is_no_value_of_it(label, others):
    box = Place(headings=("Heron Mills", "Machines"))
    lines = [*texts(OWN, "Host", "rho-2"), *texts(box, "Host", "State", "on", first=50)]
    labelled = (LabelledValue(label, "on", "definition", place=box, box=Box(0, 0, 9, 9)),)
    record = Sample(page(*lines, labelled=labelled)).ground(host="rho-2")
    assert record["host"].contested == others


@pytest.mark.parametrize(("heading", "others"), [("PO-8", ("State | Sent",)), ("Orders", None)])
def test_what_stands_below_the_samples_heading_is_no_card_beside_it(heading, others):
    lines = [
        *texts(Place(headings=(heading,)), "State", "Sent"),
        *texts(Place(headings=(heading, "Details")), "State", "Paid", "Buyer", "Hal", first=50),
    ]
    record = Sample(page(*lines), given=("PO-8",)).ground(state="Paid", buyer="Hal")
    assert record["state"].contested == others


@pytest.mark.parametrize(("label", "others"), [("Subject", None), ("Agent", ("F-118 | Ann Lee",))])
def test_the_first_row_of_label_and_value_pairs_is_no_head(label, others):
    rows = ["File: | F-118 | Opened: | 3 May", "Agent: | Ann Lee | Subject: | Licence"]
    labelled = (LabelledValue(label, "Licence", "definition", box=Box(0, 0, 9, 9)),)
    seen = page(*texts(OWN, *rows), labelled=labelled)
    sample = Sample(seen, given=("F-118",), own=PAGE, labelled=False)
    assert sample.ground(subject="Licence")["subject"].contested == others
    found = Sample(seen, given=("F-118",), labelled=False)
    assert found.ground(subject="Licence")["subject"].contested == others


def test_a_number_in_parentheses_is_no_note_of_a_label():
    """The count of what stands below the field, such as the vendors that were chosen."""
    labelled = (LabelledValue("vendor (1)", "", "pair"),)
    sample = Sample(page("vendor (1)", "Kestrel Ltd", labelled=labelled), own=PAGE)
    assert sample.ground(vendor="Kestrel Ltd")["vendor"].contested is None
    unit = (LabelledValue("vendor (EU)", "", "pair"),)
    sample = Sample(page("vendor (EU)", "x", "Kestrel Ltd", labelled=unit), own=PAGE)
    assert sample.ground(vendor="Kestrel Ltd")["vendor"].contested == ("vendor (EU) | (empty)",)


@pytest.mark.parametrize("own", [["Employees | –"], ["Employees", "–"], ["Employees: –"]])
@pytest.mark.parametrize("preview", [["Employees 915"], ["Employees", "915"], ["Employees | 915"]])
def test_the_value_of_another_record_is_contested(own, preview):
    assert contested(own, preview, employees=915) == ("Employees | –",)


@pytest.mark.parametrize(
    ("own", "other", "value"),
    [
        ("Manager | Ann Smith", "Manager | Hugo Boss", {"manager": "Hugo Boss"}),
        ("Due | 3 May 2026", "Due | 4 May 2026", {"due": "2026-05-04"}),
        ("Employees | 37", "Employees | 915", {"employees": 915}),
    ],
)
def test_values_of_each_kind_are_compared(own, other, value):
    assert contested([own], [other], **value) == (own,)


@pytest.mark.parametrize(
    ("own", "other", "value"),
    [
        ("Stars | 1,234", "Stars | 1.2k", {"stars": 1234}),
        ("Stars | 1,234", "Stars | 1234", {"stars": "1,234"}),
        ("Opened | 3 May 2026", "Opened | 2 days ago", {"opened": "2026-05-03"}),
        ("Employees | 37", "Employees | see the report", {"employees": 37}),
        ("Manager | Ann Smith", "Manager | Smith", {"manager": "Ann Smith"}),
        ("Manager | Ann Smith", "Owner | Hugo Boss", {"manager": "Ann Smith"}),
        ("Employees | 37", "Open employees | 915", {"employees": 37}),
    ],
)
def test_the_same_value_in_another_form_or_of_another_label_is_no_contradiction(own, other, value):
    assert contested([own], [other], **value) is None


def test_a_value_under_the_samples_own_name_is_not_contested():
    answer = {"own": ["Employees | 37"], "preview": ["Employees | 915"]}
    assert contested(**answer, employees=37) == ("Employees | 915",)
    assert contested(**answer, employees=37, given=("Heron Mills",)) is None
    assert contested(**answer, employees=915, given=("Heron Mills",)) == ("Employees | 37",)


def test_of_two_values_in_one_part_of_a_page_only_the_later_is_contested():
    texts_of_part = ["Status | open", "Status | closed"]
    assert contested(texts_of_part, [], status="open") is None
    assert contested(texts_of_part, [], status="closed") == ("Status | open",)


def test_the_values_of_a_list_are_not_contested():
    rows = [*texts(OWN, "Check | lint"), *texts(PREVIEW, "Check | build", first=50)]
    for checks in (["lint", "build"], [{"check": "lint"}, {"check": "build"}]):
        values = {"checks": checks}
        tree = Sample(page(*rows)).ground(**values)
        assert all(record.contested is None for _, _, record in plain_values(values, tree))


def test_a_heading_that_names_the_field_settles_it():
    contact, company = Place(headings=("X", "Contact")), Place(headings=("X", "Company"))
    rows = [*texts(contact, "Name | Ann Smith"), *texts(company, "Name | Gannet", first=50)]
    sample = Sample(page(*rows))
    assert sample.ground(contact_name="Ann Smith")["contact_name"].contested is None
    assert sample.ground(contact_name="Gannet")["contact_name"].contested == ("Name | Ann Smith",)


def test_the_objection_names_the_other_places_and_needs_no_person():
    elements = [*texts(OWN, "Employees | –"), *texts(PREVIEW, "Employees 915", first=50)]
    ground = Sample(page(*elements)).ground(employees=915)
    pictured = ground["employees"].model_copy(update={"artifact": "01_record.png"})
    found = object_to([("employees", 915, pictured)])
    assert found is not None
    assert found.reason == ""
    assert found.notice.startswith(
        "employees is reported as 915, and the page also says “Employees | –”. Report the value of"
    )


LABELS = LabelledValue("Labels", "bug\ncrash\ndocs", "definition", items=("bug", "crash", "docs"))


@pytest.mark.parametrize(
    ("answer", "listed", "left_out"),
    [
        (["bug", "crash"], LABELS, ("Labels | docs",)),
        (["Bug"], LABELS, ("Labels | crash, docs",)),
        (["docs", "bug", "crash"], LABELS, None),
        (["bug", "crash"], replace(LABELS, items=("bug", ",", "crash")), None),
        (["bug"], replace(LABELS, cut=True), None),
        (["bug"], replace(LABELS, label="Related labels"), None),
        (["bug"], replace(LABELS, place=Place(regions=("complementary",))), None),
    ],
)
def test_a_list_that_is_reported_in_part_is_contested_by_the_rest(answer, listed, left_out):
    elements = [element(n, "text", text) for n, text in enumerate(listed.items)]
    sample = Sample(page(*elements, labelled=(listed,)), labelled=False)
    tree = sample.ground(labels=answer)["labels"]
    assert tree[-1].contested == left_out
    assert all(record.contested is None for record in tree[:-1])


def test_only_the_last_state_of_a_page_says_what_a_list_leaves_out():
    shorter = replace(LABELS, value="bug\ncrash", items=("bug", "crash"))
    sample = Sample(page("bug", labelled=(LABELS,)), page("crash", labelled=(shorter,)))
    assert sample.ground(labels=["bug", "crash"])["labels"][-1].contested is None


@pytest.mark.parametrize(
    ("doubt", "others"),
    [
        (IN_ITALICS, ("Assignee | Not set",)),
        (IS_WEAK, ("Assignee | Not set",)),
        (UNSAVED, ("Assignee | Not set",)),
        ("it is still loading", None),
    ],
)
def test_words_that_are_set_apart_speak_against_a_value_from_elsewhere(doubt, others):
    stated = LabelledValue("Assignee", "Not set", "definition", doubt=doubt)
    sample = Sample(page("Ann wrote: assignee Ann Lee", labelled=(stated,)), labelled=False)
    assert sample.ground(assignee="Ann Lee")["assignee"].contested == others


def test_the_entry_of_a_sample_with_a_longer_name_is_not_the_samples_own():
    def row(number: int, name: str, due: str) -> list[Element]:
        place = Place(headings=("Tickets",), record=f"{name} Due {due} Open")
        return [
            element(number, "text", "Due", place=place),
            element(number + 1, "text", due, place=place),
        ]

    elements = [*row(1, "ENG-101", "2026-05-04"), *row(5, "ENG-10", "2026-08-01")]
    sample = Sample(page(*elements), given=("ENG-10",))
    assert sample.ground(due="2026-05-04")["due"].contested == ("Due | 2026-08-01",)
    assert sample.ground(due="2026-08-01")["due"].contested is None


def test_a_card_with_fewer_fields_contests_nothing_where_each_field_is_an_entry_of_its_own():
    """As in a form of a component library, in which each label with its value is a list item."""
    fields = {"Employees": "37", "Founded": "1988", "Seat": "Oslo"}
    elements = [element(0, "heading", "Heron Mills")]
    for number, (label, text) in enumerate(fields.items()):
        place = replace(OWN, record=f"{label} {text}")
        elements.append(element(2 * number + 1, "text", label, place=place))
        elements.append(element(2 * number + 2, "text", text, place=place))
    elements += texts(PREVIEW, "Employees", "915", "Founded", "2001", first=50)
    answer = {"employees": 37, "founded": 1988, "seat": "Oslo"}
    tree = Sample(page(*elements)).ground(**answer)
    assert [tree[name].contested for name in answer] == [None] * 3
    lie = Sample(page(*elements)).ground(**answer | {"employees": 915})
    assert lie["employees"].contested == ("Employees | 37",)


def test_the_page_scripts_use_the_words_of_these_doubts():
    scripts = resources.files("pytest_bwa.page") / "scripts" / "labelled"
    said = "\n".join(file.read_text("utf-8") for file in scripts.iterdir())
    doubts = {IN_ITALICS, IS_WEAK, UNSAVED, *PAINTED_OTHERWISE}
    assert [doubt for doubt in doubts if f'"{doubt}"' not in said] == []


@pytest.mark.parametrize(
    ("value", "others"), [("None", None), ("Retried", ("State Message | None",))]
)
def test_a_word_for_no_value_contests_another_value_and_not_itself(value, others):
    stated = LabelledValue("State Message", "None", "pair", box=(0.0, 0.0, 9.0, 9.0))
    sample = Sample(page("State Message", "None", "Retried", labelled=(stated,)), labelled=False)
    assert sample.ground(state_message=value)["state_message"].contested == others


# -- null, by a policy that reads labelled values ------------------------------------------------

DUE = {"output_schema": {"due": "date | null"}, "aliases": {"due": ["Due date"]}}


def due(*shown: LabelledValue | Element, **more: Any) -> tuple[str, ...] | None:
    """What speaks against a null for ``due`` on the sample's own page."""
    labelled = tuple(one for one in shown if isinstance(one, LabelledValue))
    elements = [one for one in shown if isinstance(one, Element)]
    sample = Sample(page(*elements, labelled=labelled), own=PAGE, **DUE, **more)
    record = sample.ground(due=None)["due"]
    assert record is None or object_to([("due", None, record)]) is None, "it is not sent back"
    return record.contested if record else None


@pytest.mark.parametrize("kind", ["definition", "pair", "table", "text", "input"])
def test_what_stands_under_the_name_of_a_null_makes_it_unsure(kind):
    assert due(LabelledValue("Due date", "04/05/2026", kind)) == ("Due date | 04/05/2026",)
    refused = LabelledValue("Due", "3 May", kind, doubt="a line crosses it")
    assert due(refused) == ("Due | 3 May",)


@pytest.mark.parametrize(
    "shown",
    [
        (),
        (LabelledValue("Due date", "", "pair"),),
        (LabelledValue("Due date", "–", "pair"),),
        (LabelledValue("Due date", "No due date", "pair"),),
        (LabelledValue("Last due date", "3 May 2026", "pair"),),
        (LabelledValue("Due date", "3 May", "pair", place=Place(regions=("comment",))),),
        (LabelledValue("Due date", "3 May", "table", place=Place(record="Bo | 3 May")),),
        (element(1, "link", "Due date"), element(2, "button", "Due")),
        (element(1, "text", "Due date", place=Place(regions=("navigation",))),),
        (element(1, "text", "Due date"), LabelledValue("Due date", "", "pair")),
    ],
)
def test_a_null_is_certain_where_nothing_stands_under_its_name(shown):
    assert due(*shown) is None


def test_a_place_that_is_not_certainly_empty_makes_a_null_unsure():
    painted = LabelledValue("Due date", "", "pair", doubt="a sign is painted there")
    assert due(painted) == ("Due date | (a sign is painted there)",)


def test_a_label_of_which_nobody_could_read_the_value_makes_a_null_unsure():
    assert due(element(1, "heading", "Due date")) == ("Due date",)
    assert due(element(1, "combobox", "Due", value="3 May")) == ("Due | 3 May",)
    assert due(element(1, "text", "Due date", states=(HIDDEN,))) is None
    assert due(element(1, "text", "Due date"), labelled=False) is None, "a model says so itself"


# -- lists ---------------------------------------------------------------------------------------

ROWS = ("No. | Customer | Amount", "203 | Acme Corp | 1120", "204 | Brugg AG | 1340")


@pytest.mark.parametrize(
    ("value", "others"),
    [
        ({"customer": "Acme Corp"}, (ROWS[2],)),
        ({"amount": 1120}, (ROWS[2],)),
        ({"customer": "Brugg AG"}, None),
        ({"amount": 1340}, None),
    ],
)
def test_a_value_of_another_row_than_the_samples_is_contested(value, others):
    listed = page(*texts(Place(headings=("Invoices",)), *ROWS))
    ((_, _, record),) = plain_values(value, Sample(listed, given=("204",)).ground(**value))
    assert record.contested == others


def test_entries_may_be_what_headings_are_above():
    cards = [
        one
        for n, (name, mail) in enumerate([("Ada Quist", "ada@x.org"), ("Ben Okoro", "ben@x.org")])
        for one in texts(Place(headings=("Team", name)), f"Email {mail}", first=10 * n)
    ]
    for mail, others in (("ada@x.org", ("Ben Okoro",)), ("ben@x.org", None)):
        sample = Sample(page(*cards), given=("Ben Okoro",))
        ((_, _, record),) = plain_values({"email": mail}, sample.ground(email=mail))
        assert record.contested == others


def test_no_row_contests_a_value_of_the_samples_own_page_or_of_no_list():
    value = {"customer": "Acme Corp"}
    listed = texts(Place(headings=("Invoices",)), *ROWS)
    for given, own in ((("204",), PAGE), (("205",), ""), (("204", "203"), "")):
        sample = Sample(page(*listed), given=given, own=own)
        ((_, _, record),) = plain_values(value, sample.ground(**value))
        assert record.contested is None


def dates(until: str | None, since: str) -> list[Element]:
    groups = {"Available from": since, "Available until": until}
    return [
        element(n, "textbox", "Date", value=day, place=Place(headings=("Product", group)))
        for n, (group, day) in enumerate(groups.items())
    ]


@pytest.mark.parametrize(
    ("until", "reported", "others"),
    [
        ("2027-06-10", "2026-09-01", ("Available until | 2027-06-10",)),
        (None, "2026-09-01", ("Available until | (empty)",)),
        ("2027-06-10", "2027-06-10", None),
        ("2026-09-01", "2026-09-01", None),
    ],
)
def test_a_value_of_the_same_field_in_a_group_named_less_is_contested(until, reported, others):
    sample = Sample(page(*dates(until, "2026-09-01")))
    assert sample.ground(available_until=reported)["available_until"].contested == others
