"""Which pages have to do with the sample: those that name it, or were opened from one about it."""

from __future__ import annotations

import pytest
from grounded_sample import element, page

from pytest_bwa.evidence.doubts.relation import Relation
from pytest_bwa.proof.sighting import Sighting
from pytest_bwa.proof.sightings import Sightings
from pytest_bwa.steps import Action, ActionResult, LabelledValue, Observation

SITE = "https://site.test"


def at(path: str, *texts: object, heading: str = "Record", **more: object) -> Observation:
    title = LabelledValue("h1", heading, "heading")
    return page(*texts, url=f"{SITE}{path}", labelled=(title,), **more)


def is_unrelated(*pages: Observation, given: tuple[str, ...], own: str = "") -> bool:
    """Whether a value on the last of these pages, which were opened one after the other, is."""
    sightings = Sightings(given, labels_prove=False, own_url=own)
    for step, observation in enumerate(pages):
        sightings.add_observation(observation, step)
    number = next(n for n, spot in enumerate(sightings.spots) if spot.text == "Ben Okoro")
    return Relation(sightings).is_none([Sighting(number, 0, 9)])


LIST = at("/search", "2 results", heading="Search")
RECORD = at("/t/12", "Ben Okoro")


@pytest.mark.parametrize(
    "text",
    ["OPS-77", "Ticket OPS-77 (open)", "ops 77", "OPS77"],
)
def test_a_page_that_names_the_sample_in_whatever_form_is_related(text):
    assert not is_unrelated(LIST, at("/t/12", "Ben Okoro", text), given=("OPS-77",))


@pytest.mark.parametrize("text", ["OPS-770", "XOPS-77", "OPS-7", "77 OPS-12"])
def test_a_page_that_names_another_one_is_not(text):
    assert is_unrelated(LIST, at("/t/12", "Ben Okoro", text), given=("OPS-77",))


def test_the_words_of_a_name_count_in_any_order():
    assert not is_unrelated(LIST, at("/p/1", "Ben Okoro", "Quist, Ada"), given=("Ada Quist",))
    assert is_unrelated(LIST, at("/p/1", "Ben Okoro", "Quist, Adam"), given=("Ada Quist",))


def test_what_was_typed_is_an_echo_and_a_link_to_a_mailbox_is_none():
    typed = Action(action="type", selector="0", text="ada@corp.test")
    for url, expected in (("mailto:ada@corp.test", False), (f"{SITE}/?q=ada@corp.test", True)):
        sightings = Sightings(("ada@corp.test",), labels_prove=False)
        sightings.add_observation(LIST, 0)
        sightings.add_action(typed, ActionResult(True, "typed"), LIST, 0)
        link = element(9, "link", "Write", url=url)
        sightings.add_observation(at("/p/1", "Ben Okoro", link), 1)
        number = next(n for n, spot in enumerate(sightings.spots) if spot.text == "Ben Okoro")
        assert Relation(sightings).is_none([Sighting(number, 0, 9)]) is expected


def test_what_is_opened_from_a_page_about_the_sample_is_related_and_from_a_list_is_not():
    about = at("/t/77", "Assignee", heading="OPS-77 Pump leaks")
    tab = at("/t/77/people", "Team")
    assert not is_unrelated(LIST, about, RECORD, given=("OPS-77",))
    assert not is_unrelated(LIST, about, tab, RECORD, given=("OPS-77",))
    listing = at("/all", "OPS-77 Pump leaks", "OPS-12 Pump noise", heading="All tickets")
    assert is_unrelated(listing, RECORD, given=("OPS-77",))


def test_the_link_in_the_samples_row_leads_to_its_page():
    links = [element(1, "link", "OPS-77 Pump", url=f"{SITE}/t/12")]
    assert not is_unrelated(at("/all", *links, heading="All"), RECORD, given=("OPS-77",))
    others = [element(1, "link", "OPS-12 Noise", url=f"{SITE}/t/12")]
    assert is_unrelated(at("/all", *others, heading="All"), RECORD, given=("OPS-77",))


@pytest.mark.parametrize(
    ("path", "is_own"),
    [
        ("/t/77", True),
        ("/de/t/77/overview", True),
        ("/tickets/77-pump-leaks?tab=2", True),
        ("/t/12", False),
        ("/", False),
        ("/login?next=/t/77", False),
        ("/tickets/pump", False),
    ],
)
def test_a_run_begins_where_the_samples_own_address_leads_to_if_that_still_says_which(path, is_own):
    own = f"{SITE}/t/77"
    assert is_unrelated(at(path, "Ben Okoro"), given=("OPS-77",), own=own) is not is_own


def test_another_record_that_mentions_the_sample_has_nothing_to_do_with_it():
    own, merged = f"{SITE}/t/OPS-77", "It is a duplicate of OPS-77"
    other = at("/t/OPS-12", "Ben Okoro", merged)
    assert is_unrelated(other, given=("OPS-77",), own=own)
    in_place = at("/t/OPS-77", "Ben Okoro", merged, heading="OPS-12 Pump noise")
    assert is_unrelated(in_place, given=("OPS-77",), own=own)
    assert not is_unrelated(at("/t/OPS-77", merged), other, given=("OPS-77",), own=own)


@pytest.mark.parametrize(
    ("texts", "heading", "is_found"),
    [
        (["1 result for OPS-77"], "Results for “OPS-77”", False),
        (["OPS-770 | Pump noise"], "Search", False),
        (["OPS-77 | Pump leaks"], "Search", True),
        ([], "Case OPS-77", True),
        ([], "OPS-77 – Pump leaks", True),
    ],
)
def test_a_search_page_repeats_the_name_and_is_related_by_what_it_has_found(
    texts, heading, is_found
):
    found = at("/search?q=OPS-77", "Ben Okoro", *texts, heading=heading, title="OPS-77 – Search")
    assert is_unrelated(found, given=("OPS-77",)) is not is_found


def test_without_a_name_that_tells_the_sample_from_others_every_page_counts():
    assert not is_unrelated(LIST, RECORD, given=("A-7",))
    assert not is_unrelated(LIST, RECORD, given=())


@pytest.mark.parametrize(("typed", "expected"), [("ada@corp.test", False), ("Ada Quist", True)])
def test_the_field_with_the_name_is_an_echo_only_if_the_name_itself_was_typed(typed, expected):
    """A form had the name of the vendor in a field: once a mail address was typed into another one,
    no page named the sample any more."""
    sightings = Sightings(("Ada Quist", "ada@corp.test"), labels_prove=False)
    sightings.add_observation(LIST, 0)
    entry = Action(action="type", selector="0", text=typed)
    sightings.add_action(entry, ActionResult(True, "typed"), LIST, 0)
    form = at("/p/1", "Ben Okoro", element(9, "textbox", "Name", value="Ada Quist"))
    sightings.add_observation(form, 1)
    number = next(n for n, spot in enumerate(sightings.spots) if spot.text == "Ben Okoro")
    assert Relation(sightings).is_none([Sighting(number, 0, 9)]) is expected
