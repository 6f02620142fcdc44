"""A value without a source is looked up: in one line, or in several that say the same; what is too
short to be found with certainty is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from grounded_sample import Sample, element, page

from pytest_bwa.proof.checking import MAX_CANDIDATES
from pytest_bwa.steps.step import ActionResult, Artifact, LabelledValue, Line, Place


def test_one_line_is_enough_whatever_it_calls_the_value():
    sample = Sample(page("Kaution | 750,00 €", language="de"))
    record = sample.ground(deposit=750)["deposit"]
    assert (record.how, record.cited, record.text) == ("normalised", False, "Kaution | 750,00 €")


def test_several_lines_that_say_the_same_are_enough_for_a_longer_value():
    sample = Sample(page("by Ann Lee", "Owner | Ann Lee", "12 480", "= 12 480"))
    assert sample.how(owner="Ann Lee") == "verbatim"
    assert sample.why(total=12480) == ""


@pytest.mark.parametrize("value", [3, 999, "3", "AB", "neu", "不可", True, False])
def test_a_short_value_in_several_lines_is_asked_for(value):
    texts = ["3 of 999", "AB neu 不", "3 and 999", "AB neu 不", "yes", "不可 x", "不可 y"]
    assert Sample(page(*texts)).why(field=value) == ("" if value == "不可" else "asked")


@pytest.mark.parametrize("value", [3, "AB"])
def test_a_short_value_in_one_line_is_not_asked_for(value):
    assert Sample(page("AB 3", "other")).why(field=value) == ""
    assert Sample(page("AB 3", text="AB 3")).why(field=value) == "", "it is the same line"
    row, cell = element(0, "row", "AB | 3"), element(1, "text", "3", place=Place(record="AB | 3"))
    assert Sample(page(row, cell)).why(field=3) == "", "a cell is in the line of its row"


def test_a_yes_or_no_is_always_asked_for():
    assert Sample(page("yes")).why(field=True) == "asked"


def test_up_to_four_lines_are_named_as_candidates():
    sample = Sample(page(*(f"Step {n}: 3" for n in range(MAX_CANDIDATES + 2))))
    found = sample.objection(tasks=3)
    assert found is not None
    assert found.notice.count("says “Step") == MAX_CANDIDATES
    few = Sample(page("Tasks | 3", "Notes | 3")).objection(tasks=3)
    assert few is not None
    assert few.notice.startswith("tasks=3: give the line ([")
    assert "[0] says “Tasks | 3”" in few.notice
    assert "[1] says “Notes | 3”" in few.notice
    assert few.reason == "the answer does not say which line shows tasks (3)"


@pytest.mark.parametrize(
    "value", ["Bo Ek", 38, "2026-05-04", 1250.5, "https://site.test/other", "Ann Leeds"]
)
def test_what_no_line_shows_is_nowhere(value):
    texts = ("Owner | Ann Lee", "Staff | 37", "Due 3 May 2026", "€ 1,250.00")
    assert Sample(page(*texts, language="en")).why(field=value) == "nowhere"


def test_what_the_browser_itself_writes_proves_nothing():
    error = page("http://a.org/APPROVED cannot be reached", url="chrome-error://chromewebdata/")
    assert Sample(error).why(approval="APPROVED") == "nowhere"
    assert Sample(error, page("Approval: APPROVED")).how(approval="APPROVED") == "verbatim"


# -- everything that was observed ------------------------------------------------------------------


@pytest.mark.parametrize(
    "observation",
    [
        page(title="Record ZX-4711"),
        page(url="https://site.test/ZX-4711"),
        page(text="Reference\tZX-4711\n"),
        page(unlisted=(element(-1, "text", "ZX-4711"),)),
        page(element(0, "textbox", "Reference", value="ZX-4711")),
        page(element(0, "link", "See", url="https://site.test/ZX-4711")),
        page(element(0, "button", "See", note="ZX-4711")),
        page(element(0, "button", "See", states=('note="ZX-4711"',))),
        page(labelled=(LabelledValue("Reference", "ZX-4711", "definition"),)),
        page(other_lines=(Line(9, "dialog", "alert ZX-4711"),)),
    ],
)
def test_every_part_of_an_observation_counts(observation):
    assert Sample(page("nothing"), observation, page("more")).how(reference="ZX-4711") == "verbatim"


def test_what_actions_read_counts():
    extracting, finding, loading = Sample(), Sample(), Sample()
    extracting.act("extract", ActionResult(True, "", lines=(Line(7, "extract", "ZX-4711"),)))
    finding.act("find", ActionResult(True, "", lines=(Line(7, "find", "… of ZX-4711 is …"),)))
    name = "ZX-4711.pdf"
    file = Artifact(
        filename=f"downloads/{name}", sha256="", source_url="", timestamp="", label=name, step=3
    )
    loading.act("download", ActionResult(True, "", artifact=file))
    for sample in (extracting, finding, loading):
        assert sample.how(reference="ZX-4711") == "verbatim"
    assert loading.ground(reference="ZX-4711")["reference"].artifact == "downloads/ZX-4711.pdf"
    # Of what is in the file nobody knows more than its name.
    assert loading.against(reference="ZX-4711") == {"file_unread": name}
    assert loading.against(file=name) == {}
    loading.observed.add_observation(page("Reference ZX-4711"), 4)
    assert loading.against(reference="ZX-4711") == {}


@pytest.mark.parametrize("source", ["vision", "ocr"])
def test_a_value_from_a_picture_says_so(source):
    said = (Line(9, source, "Reference ZX-4711"),)
    assert Sample(page(other_lines=said)).how(reference="ZX-4711") == source


def test_an_address_that_the_agent_made_up_proves_nothing():
    made_up = "https://site.test/ZX-4711"
    linked = page(element(0, "link", "See", url=f"{made_up}/"))
    for first, expected in ((page("nothing"), "entered"), (linked, "")):
        sample = Sample(first)
        sample.act("goto", url=made_up)
        sample.observed.add_observation(page(url=made_up), 4)
        assert sample.why(reference="ZX-4711") == expected


def test_the_newest_state_on_the_samples_own_page_is_the_place_of_a_value():
    """The status of a policy was proven by the page of its owner, who is “Live”, too."""
    own = page(element(9, "heading", "Removable media"), "Status: Live", url="https://site.test/p")
    owner = page("Status: Live", url="https://site.test/people/2")
    for pages in ((own, owner), (owner, own)):
        sample = Sample(*pages, given=("Removable media",))
        assert sample.ground(status="Live")["status"].url == own.url
    unnamed = Sample(owner, replace(owner, url="https://site.test/people/3"))
    assert unnamed.ground(status="Live")["status"].url == "https://site.test/people/3"


def test_a_value_that_a_page_shows_cut_is_looked_for_elsewhere_as_a_whole():
    cut = page("Reference ZX-4711…")
    assert Sample(cut).why(reference="ZX-4711") == "nowhere"
    assert Sample(cut).why(reference="ZX-4711…") == "cut"
    assert Sample(cut, page("ZX-4711")).why(reference="ZX-4711") == ""
    assert Sample(cut, page("ZX-4711 B")).why(reference="ZX-4711") == "cut"


# -- what needs no proof ---------------------------------------------------------------------------


def test_nothing_and_what_the_spec_lists_as_derived_need_no_proof():
    sample = Sample(page("Verdict: high"), derived=["verdict", "checks.note"])
    assert sample.how(verdict="unacceptable") == "derived the spec lists it"
    assert sample.how(checks=[{"note": "mine"}]) == "derived the spec lists it"
    assert sample.why(checks=[{"name": "mine"}]) == "nowhere"
    answer: dict[str, Any] = {"none": None, "empty": "", "list": []}
    assert sample.why(**answer) == ""
    assert sample.ground(**answer) == dict.fromkeys(answer)


def test_a_derived_value_may_cite_its_line_and_a_wrong_line_is_not_held_against_it():
    sample = Sample(page("Verdict: high"), derived=["verdict"], sources={"verdict": 0})
    assert sample.how(verdict="high") == "verbatim"
    assert sample.how(verdict="low") == "derived the spec lists it"


def test_a_count_of_none_has_no_line_and_says_so():
    shown = page("Comments", "0 %", "0 / 4")
    assert Sample(shown).why(comments=0) == "asked"
    assert Sample(shown, sources={"comments": []}).how(comments=0) == "counted none"
    assert Sample(shown, sources={"comments": []}).why(comments=3) == "nowhere"
