"""What the agent itself entered proves nothing until the site is seen to have kept it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from grounded_sample import PAGE, Sample, element, page

from pytest_bwa.steps.step import (
    Action,
    ActionResult,
    Element,
    Observation,
)


def test_what_the_agent_typed_is_not_seen_in_its_field():
    field = page(element(0, "textbox", "Reference", value="ZX-4711"))
    sample = Sample(field, page(url="https://site.test/?q=ZX-4711"))
    sample.act("type", selector="0", text="ZX-4711")
    assert sample.how(reference="ZX-4711") == "entered"
    sample.observed.add_observation(page("Results for ZX-4711"), 4)
    assert sample.how(reference="ZX-4711") == "verbatim"


def test_what_a_list_shows_of_what_the_agent_chose_is_not_seen_in_it_either():
    """The words of the list, and their order, may be others than those of the agent."""
    shown = "Current account, Mobile app"
    sample = Sample(page(element(0, "listbox", "Products", value=shown)))
    sample.act("select_option", ActionResult(True, "", entered=shown), selector="0", value="3, 1")
    assert sample.how(products=shown) == "entered"
    assert (
        Sample(page(element(0, "listbox", "Products", value=shown))).how(products=shown) != "unseen"
    )


def test_what_a_field_made_of_what_the_agent_typed_is_not_seen_in_it_either():
    shown = "2026-11-03T14:30"
    sample = Sample(page(element(0, "textbox", "Starts", value=shown)))
    kept = ActionResult(True, "", entered=shown)
    sample.act("type", kept, selector="0", text="2026-11-03 14:30")
    assert sample.how(starts=shown) == sample.how(starts="2026-11-03") == "entered"


def form(document: int, value: str, url: str = PAGE) -> Observation:
    field = Element(0, (document, 0), "combobox", "Price effect", value=value)
    return page(field, url=url)


def entered(*pages: Observation, step: str = "", **task: Any) -> Sample:
    """A sample that chose "No effect" in a form, and then saw these pages."""
    sample = Sample(form(0, "Discount"), **task)
    sample.act("select_option", selector="0", value="No effect")
    sample.observed.add_observation(form(0, "No effect"), 2)
    for number, observation in enumerate(pages, 4):
        if step and number == len(pages) + 3:
            sample.act(step, url=observation.url)
        sample.observed.add_observation(observation, number)
    return sample


def test_what_was_entered_is_proven_by_its_form_once_that_is_opened_anew():
    saved = page(Element(0, (1, 0), "text", "Your changes have been saved."))
    reopened = form(2, "No effect")
    writes: Any = {"read_only": False}
    assert entered(saved, reopened, **writes).how(price_effect="No effect") == "verbatim"
    assert entered(reopened, step="goto", **writes).how(price_effect="No effect") == "verbatim"
    # The answer to a form that was refused has what was sent, and a browser that goes back, too.
    assert entered(form(1, "No effect"), **writes).how(price_effect="No effect") == "entered"
    back = entered(saved, reopened, step="back", **writes)
    assert back.how(price_effect="No effect") == "entered"
    other = entered(saved, form(2, "Discount"), **writes)
    assert other.how(price_effect="No effect") == "entered"


def test_what_was_entered_is_proven_by_the_record_that_an_application_opens_from_its_list():
    """One that never loads a page: the saved exposure counted as an echo of what was typed."""
    root = "https://site.test/risks"

    def read(*addresses: str) -> str:
        fields = [
            page(Element(0, (0, n), "combobox", "Price effect", value="No effect"), url=root + at)
            if at
            else page(Element(0, (0, n), "text", "27 risks"), url=root)
            for n, at in enumerate(addresses)
        ]
        sample = Sample(page(url=root), read_only=False)
        sample.observed.add_observation(fields[0], 1)
        entry = Action(action="select_option", selector="0", value="No effect")
        sample.observed.add_action(entry, ActionResult(True, ""), fields[0], step=1)
        for number, observation in enumerate(fields, 2):
            sample.observed.add_observation(observation, number)
        return sample.how(price_effect="No effect")

    assert read("/+", "", "/29") == "verbatim"
    assert read("/+", "/29") == "entered"  # the form's own answer
    assert read("/+", "", "/+") == "entered"  # a draft that is kept
    assert read("/+") == "entered"


@pytest.mark.parametrize(
    ("columns", "read_only", "how"),
    [
        (("No effect", "open"), None, "verbatim"),
        (("No effect",), None, "entered"),
        (("No effect", "open"), True, "entered"),
        (("No effect",), False, "verbatim"),
    ],
)
def test_a_form_is_read_back_where_the_spec_or_what_was_entered_says_that_it_is_one(
    columns, read_only, how
):
    """A saved form, opened anew, proved nothing: the spec did not say that it may write."""
    sample = Sample(form(0, "Discount"), given=columns, read_only=read_only)
    for column in columns:
        sample.act("type", selector="0", text=column)
    for number, observation in enumerate((form(1, "No effect"), form(2, "No effect")), 2):
        sample.observed.add_observation(observation, number)
    assert sample.how(price_effect="No effect") == how


@pytest.mark.parametrize("selector", ["0", "[0]", "accepted"])
def test_a_box_that_was_ticked_is_proven_where_it_is_shown_once_more(selector):
    """A model ticked a box, saved, and reported what its own form had shown."""

    def read(*addresses: str) -> str:
        boxes = [
            page(Element(n, (n, 0), "checkbox", "Accepted", states=("checked=true",)), url=url)
            for n, url in enumerate(addresses)
        ]
        sample = Sample(page(), read_only=False, sources={"accepted": len(addresses) - 1})
        sample.observed.add_observation(boxes[0], 1)
        entry = Action(action="click", selector=selector)
        sample.observed.add_action(entry, ActionResult(True, ""), boxes[0], step=1)
        for number, observation in enumerate(boxes[1:], 2):
            sample.observed.add_observation(observation, number)
        return sample.how(accepted=True)

    site = "https://site.test"
    assert read(f"{site}/+", f"{site}/list", f"{site}/29") == "state yes or no"
    assert read(f"{site}/+", f"{site}/+") == "entered"
    assert read(f"{site}/+") == "entered"


@pytest.mark.parametrize(
    ("addresses", "how"),
    [
        (("/+",), "entered"),  # nothing was saved
        (("/+", "/29"), "entered"),  # the form's own answer
        (("/+", "/list", "/29"), "verbatim"),
    ],
)
@pytest.mark.parametrize("role", ["option", "link", "clickable"])
def test_what_was_picked_is_proven_neither_by_the_menu_nor_by_the_form(role, addresses, how):
    """Nothing had been saved, and the option of the completion list proved the saved category."""

    def shown(path: str, *elements: Element) -> Observation:
        return page(*elements, url=f"https://site.test{path}")

    option = element(0, role, "Vendor / Critical")
    chip = element(5, "row", "Vendor / Critical")
    sample = Sample(shown("/+", option), read_only=False)
    pick = Action(action="click", selector="0")
    sample.observed.add_action(pick, ActionResult(True, ""), shown("/+", option), step=1)
    for number, path in enumerate(addresses, 2):
        rows = [replace(chip, ref=(0, 10 * number))] if path != "/list" else []
        sample.observed.add_observation(shown(path, *rows), number)
    assert sample.how(category="Vendor / Critical") == how
    reader = Sample(shown("/+", option))
    reader.observed.add_action(pick, ActionResult(True, ""), shown("/+", option), step=1)
    assert reader.how(category="Vendor / Critical") == "verbatim", "nothing is entered to read"


def test_what_was_picked_in_a_form_is_not_proven_by_it_although_the_spec_names_no_form():
    """A category that was picked and never saved was done: only the postal code was sent back."""
    given = ("Vendor / Critical", "0581")
    option = page(element(0, "link", "Vendor / Critical"))
    sample = Sample(option, given=given)
    sample.observed.add_action(
        Action(action="click", selector="0"), ActionResult(True, ""), option, step=1
    )
    chip = page(element(5, "row", "Vendor / Critical"))
    sample.observed.add_observation(chip, 2)
    assert sample.how(category="Vendor / Critical") == "verbatim"
    sample.act("type", selector="0", text="0581")
    sample.observed.add_observation(replace(chip, title="Vendor"), 3)
    assert sample.how(category="Vendor / Critical") == "entered"


def test_what_was_clicked_to_open_a_page_is_no_choice():
    def shown(path: str, *elements: Element) -> Observation:
        return page(*elements, url=f"https://site.test/#{path}")

    listed = shown("/list", element(0, "link", "Maas Logistiek"))
    sample = Sample(listed, read_only=False)
    opening = Action(action="click", selector="0")
    sample.observed.add_action(opening, ActionResult(True, ""), listed, step=1)
    sample.observed.add_observation(shown("/11", element(5, "heading", "Maas Logistiek")), 2)
    assert sample.how(name="Maas Logistiek") == "verbatim"


def test_a_value_that_was_seen_only_before_it_was_entered_is_not_saved():
    """The row of another ticket in the list proved the status that the form was to save."""
    other = page("18 Fee for overdraft | resolved", element(0, "combobox", "Status"))
    after = page("Ticket 2", element(1, "combobox", "Status", value="open"))
    sample = Sample(other, read_only=False)
    chosen = Action(action="select_option", selector="0", value="resolved")
    sample.observed.add_action(chosen, ActionResult(True, ""), other, step=1)
    sample.observed.add_observation(after, 2)
    assert sample.how(status="resolved") == "entered"
    sample.observed.add_observation(page("Status changed to resolved"), 3)
    assert sample.how(status="resolved") == "verbatim"


def test_what_was_entered_in_a_search_is_not_proven_by_its_field():
    results = form(2, "No effect", "https://site.test/?effect=No+effect")
    other = page(Element(0, (1, 0), "text", "A record"))
    assert entered(other, results, read_only=False).how(price_effect="No effect") == "entered"
    assert entered(other, form(2, "No effect")).how(price_effect="No effect") == "entered"


def test_the_samples_own_column_in_a_search_field_is_an_echo():
    search = page(element(0, "searchbox", "Find a reference", value="ZX-4711"))
    assert Sample(search, given=("ZX-4711",)).how(reference="ZX-4711") == "entered"
    assert Sample(search).how(reference="ZX-4711") == "verbatim"
