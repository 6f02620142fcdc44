"""A cited line shows a value, or does not, by few rules; words of the page are never compared with
the name of the field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from grounded_sample import PAGE, Sample, element, page, table

from pytest_bwa.steps.step import HIDDEN, ActionResult, Box, LabelledValue, Line, Place


def how(*texts: Any, cites: Any, value: Any, task: Any = None, **more: Any) -> str:
    return Sample(page(*texts, **more), sources={"field": cites}, **(task or {})).how(field=value)


# -- one line --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "language", "value", "expected"),
    [
        ("Kaution | 750,00 €", "de", 750, "normalised number"),
        ("Kaution | 750,00 €", "de", 75000, "miscited"),
        ("Betrag 1.250 €", "de", 1250, "normalised number"),
        ("Betrag 1.250 €", "de", 1.25, "miscited"),
        ("Stars 1.2k", "en", 1200, "normalised number"),
        ("Total € 1,250", "en", 1250, "normalised number"),
        ("Coverage 12 %", "en", 0.12, "normalised percent"),
        ("Coverage 12 %", "en", 12, "verbatim"),
        ("Balance (1,234.50)", "en", -1234.5, "normalised number"),
        ("EPS | (0.17)", "en", 0.17, "miscited"),
        ("3 of 7 approvals", "en", 7, "verbatim"),
        ("Fällig am 3. Mai 2026", "de", "2026-05-03", "normalised date"),
        ("Fällig am 3. Mai 2026", "de", "2026-05-04", "miscited"),
        ("Livraison le 3 février 2026", "fr", "2026-02-03", "normalised date"),
        ("Due 04/05/2026", "en-GB", "2026-05-04", "normalised date"),
        ("Zuständig: Ann Lee", "de", "Ann Lee", "verbatim"),
        ("Zuständig: Ann Lee", "de", "ann lee", "normalised case"),
        ("Zuständig: Ann Leeds", "de", "Ann Lee", "miscited"),
        ("Quist, Ada", "en", "Ada Quist", "normalised name order"),
        ("IBAN DE12 3456 7890", "de", "DE1234567890", "miscited"),
        ("DE12 3456 7890", "de", "DE1234567890", "normalised separators"),
        ("May 2026", "en", "2026-05", "normalised month"),
        ("2:15 PM", "en", "14:15", "normalised time"),
    ],
)
def test_a_line_shows_a_value_verbatim_or_in_another_form(text, language, value, expected):
    assert how("above", text, cites=1, value=value, language=language) == expected


def test_the_specs_locale_reads_the_numbers_of_a_page_without_a_language():
    text, task = "Kaution 1.250", {"locale": "de"}
    assert how(text, cites=0, value=1250, task=task) == "normalised number"
    assert how(text, cites=0, value=1.25, task=task) == "miscited"


def test_thousands_may_be_said_by_another_line_that_is_cited():
    texts = ("Amounts in thousands of EUR", "Umsatz | 1.250")
    assert how(*texts, cites=[1, 0], value=1_250_000, language="de") == "normalised thousands"
    assert how(*texts, cites=1, value=1_250_000, language="de") == "miscited"
    assert how("In millions", texts[1], cites=[1, 0], value=1_250_000, language="de") == "miscited"


def test_a_value_that_is_not_in_the_cited_line_is_miscited_though_another_has_it():
    texts = ("Owner | Ann Lee", "Backup | Bo Ek")
    assert how(*texts, cites=0, value="Ann Lee") == "verbatim"
    assert how(*texts, cites=1, value="Ann Lee") == "miscited"


def test_a_number_that_no_line_had_is_unknown():
    assert how("Ann Lee", cites=7, value="Ann Lee") == "unknown"
    assert how("Ann Lee", cites=[0, 7], value="Ann Lee") == "unknown"


def test_the_record_says_that_the_place_was_cited_and_names_it():
    sample = Sample(page("Ann Lee", "by Ann Lee"), sources={"owner": 1})
    record = sample.ground(owner="Ann Lee")["owner"]
    assert (record.cited, record.text, record.how) == (True, "by Ann Lee", "verbatim")


def test_the_line_of_a_row_stands_for_its_cells():
    """A cell has a tooltip that the row's own text does not have."""
    row = element(0, "row", "Pump | AL")
    cell = element(1, "text", "AL", note="Ann Lee", place=Place(record="Pump | AL"))
    other = element(2, "text", "BE", note="Bo Ek", place=Place(record="Fan | BE"))
    assert how(row, cell, other, cites=0, value="Ann Lee") == "verbatim"
    assert how(row, cell, other, cites=0, value="Bo Ek") == "miscited"


@pytest.mark.parametrize("part", ["value", "note", "url"])
def test_a_line_shows_the_value_the_tooltip_and_the_address_of_its_element(part):
    text = "https://site.test/a" if part == "url" else "ZX-4711"
    role = "textbox" if part == "value" else "link"
    assert how(element(0, role, "See", **{part: text}), cites=0, value=text) == "verbatim"


def test_an_address_may_be_written_in_another_way():
    link = element(0, "link", "See", url="https://Site.test/a%20b/")
    assert how(link, cites=0, value="https://site.test/a b") == "normalised url"
    assert how(link, cites=0, value="https://site.test/a") == "miscited"


def test_what_no_list_has_is_cited_by_its_ref():
    entry = LabelledValue("Owner", "Ann Lee", "definition", ref=(3, 17))
    assert how(cites="3.17", value="Ann Lee", labelled=(entry,)) == "verbatim"
    assert how(cites="3.17", value="Bo Ek", labelled=(entry,)) == "miscited"
    assert how(cites="3.18", value="Ann Lee", labelled=(entry,)) == "unknown"


def test_a_time_element_is_read_as_it_is_written_for_machines():
    entry = LabelledValue(
        "Opened", "2 days ago", "definition", datetime="2026-05-03T10:00:00Z", ref=(0, 5)
    )
    assert how(cites="0.5", value="2026-05-03", labelled=(entry,)) == "normalised date"


@pytest.mark.parametrize(
    ("source", "expected"), [("dialog", "verbatim"), ("vision", "vision"), ("ocr", "ocr")]
)
def test_what_a_dialog_or_a_picture_said_has_a_line_too(source, expected):
    said = (Line(57, source, "Reference ZX-4711"),)
    assert how("nothing", cites=57, value="ZX-4711", other_lines=said) == expected
    assert how("nothing", cites=57, value="ZX-4712", other_lines=said) == "miscited"


@pytest.mark.parametrize("name", ["extract", "find"])
def test_what_extract_and_find_read_has_a_line_too(name):
    sample = Sample(page("nothing"), sources={"reference": 57})
    line = Line(57, name, "Reference:\tZX-4711", ref=(0, 90))
    sample.act(name, ActionResult(True, "", lines=(line,)), selector="1")
    assert sample.how(reference="ZX-4711") == "verbatim"
    assert sample.how(reference="ZX-4712") == "miscited"


def test_what_a_script_returned_proves_nothing():
    sample = Sample(page("Ann Lee"), sources={"owner": 57, "team": [57, 0], "lead": 0})
    sample.act("evaluate", ActionResult(True, "", lines=(Line(57, "evaluate", "Bo Ek"),)))
    assert sample.why(owner="Bo Ek") == "script"
    assert sample.why(team="Ann Lee") == "script", "no line beside it makes it a source"
    assert sample.why(lead="Ann Lee") == ""
    assert sample.why(backup="Bo Ek") == "nowhere", "it is not found by itself either"
    found = sample.objection(owner="Bo Ek")
    assert found is not None
    assert found.notice.startswith(
        'owner="Bo Ek": [57] is what a script returned, which helps to find a value and '
        "proves none: a line of the page must show it. "
    )
    assert found.reason.startswith('the answer cites what a script returned for owner ("Bo Ek")')
    assert sample.ground(owner="Bo Ek")["owner"].how == "unseen"


def test_a_picture_that_was_shown_is_the_agents_own_look():
    sample = Sample(page("nothing"), sources={"state": 57})
    sample.act("look", ActionResult(True, "", lines=(Line(57, "look"),)))
    assert sample.how(state="a red cross") == "vision"
    assert sample.against(state="a red cross") == {"own_look": ""}


@pytest.mark.parametrize(
    ("text", "is_cut", "value", "expected"),
    [
        ("Leak in hall", True, "Leak in hall", "cut"),
        ("Leak in hall…", False, "Leak in hall…", "cut"),
        ("OPS-7 | Leak in hall… | Ada", False, "Leak in hall…", "cut"),
        ("Leak in hall [...]", False, "Leak in hall", "miscited"),
        ("Leak in hall…", False, "Leak in hall", "miscited"),
        ("Leak in hall 4…", False, "Leak in hall", "verbatim"),
    ],
)
def test_the_beginning_of_a_text_that_was_cut_is_no_value(text, is_cut, value, expected):
    assert how(element(0, "text", text, cut=is_cut), cites=0, value=value) == expected


def test_a_button_that_shows_the_rest_says_that_a_text_goes_on():
    text = element(0, "text", "Leak in hall", box=Box(0, 0, 200, 20))
    more = element(1, "button", "…see more", box=Box(210, 0, 60, 20))
    below = replace(more, box=Box(0, 40, 60, 20))
    assert how(text, more, cites=0, value="Leak in hall") == "cut"
    assert how(text, below, cites=0, value="Leak in hall") == "verbatim"


def test_a_null_may_cite_the_line_of_its_dash():
    sample = Sample(page("Fällig | –"), sources={"due": 0})
    record = sample.ground(due=None)["due"]
    assert (record.how, record.rule, record.cited) == ("verbatim", "null", True)
    assert record.doubts == ()
    assert Sample(page("Fällig | –")).ground(due=None)["due"] is None
    assert Sample(page("Fällig | –"), sources={"due": 9}).why(due=None) == ""


# -- several lines ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cites", "value", "expected"),
    [
        ([1, 2, 3], 3, "counted 3 lines"),
        ([1], 1, "counted 1 line"),
        ([1, 2], 3, "miscited"),
        ([1, 2, 3], 2, "miscited"),
        ([4], 0, "counted none"),
        ([5], 0, "miscited"),
        ([1, 1, 2], 2, "counted 2 lines"),
    ],
)
def test_as_many_lines_as_are_cited_are_counted(cites, value, expected):
    texts = ("Notizen", "Ada: ja", "Bo: nein", "Cy: ja", "Keine Notizen", "Seite 7")
    assert how(*texts, cites=cites, value=value) == expected


def test_each_line_that_was_counted_is_a_place():
    sample = Sample(page("Ada: ja", "Bo: nein"), sources={"notes": [0, 1]})
    assert sample.ground(notes=2)["notes"].text == "Ada: ja + Bo: nein"


@pytest.mark.parametrize(
    ("value", "cites", "expected"),
    [
        ("1 Main Street Springfield", [0, 1], "joined joined"),
        ("1 Main Street\nSpringfield", [0, 1], "joined joined"),
        ("Springfield 1 Main Street", [0, 1], "miscited"),
        ("1 Main Street Shelbyville", [0, 1], "miscited"),
        ("Main Street Springfield", [0, 1], "joined joined"),
        ("1 Main Street Springfield", [0], "miscited"),
        ("1.5 m Utopia", [3, 2], "joined joined"),
        ("1 Main Street Springfield", [0, 1, 2], "miscited"),
    ],
)
def test_a_value_is_put_together_from_the_cited_lines_in_their_order(value, cites, expected):
    texts = ("1 Main Street", "Springfield", "Utopia", "1.5 m")
    assert how(*texts, cites=cites, value=value) == expected


@pytest.mark.parametrize(
    ("texts", "value"),
    [
        (("Financed by", "Ann"), "Finance Ann"),
        (("1.250 €", "Ann"), "250 Ann"),
        (("Leak in hall…", "four"), "Leak in hall four"),
        (("12 of 1.5 m", "deep"), "1 5 m deep"),
    ],
)
def test_a_part_of_a_word_or_a_number_or_of_what_goes_on_is_not_put_together(texts, value):
    assert how(*texts, cites=[0, 1], value=value, language="de") == "miscited"


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.250", "250"), ("Version 2.4.1-rc2", "2.4.1"), ("AX-77120-B", "AX-77120")],
)
def test_a_part_of_a_number_or_a_code_is_not_put_together_from_one_line(text, value):
    assert how(text, cites=0, value=value) == "miscited"


def test_one_choice_of_the_spec_may_be_said_in_other_words_but_not_against_another():
    choices = {"output_schema": {"field": {"type": "string", "enum": ["open", "closed"]}}}
    assert how("erledigt", cites=0, value="closed", task=choices) == "state choice"
    assert how("erledigt", cites=0, value="finished", task=choices) == "miscited"
    assert how("open", cites=0, value="closed", task=choices) == "miscited"


# -- states ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "state", "value", "expected"),
    [
        ("checkbox", "checked=true", True, "state yes or no"),
        ("checkbox", "checked=true", False, "miscited"),
        ("checkbox", "checked=false", False, "state yes or no"),
        ("checkbox", "checked=false", True, "miscited"),
        ("button", "pressed=true", True, "state yes or no"),
    ],
)
def test_a_box_shows_its_state(role, state, value, expected):
    assert how(element(0, role, "Archiviert", states=(state,)), cites=0, value=value) == expected


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("ja", True, "state yes or no"),
        ("ja", False, "miscited"),
        ("✗", False, "state yes or no"),
        ("MFA aktiv", True, "state yes or no"),
        ("MFA aktiv", False, "state yes or no"),
    ],
)
def test_a_word_says_yes_or_no_and_what_a_text_means_is_for_who_answers(text, value, expected):
    assert how(text, cites=0, value=value) == expected


@pytest.mark.parametrize(
    ("role", "state", "expected"),
    [
        ("radio", "checked=true", "verbatim"),
        ("radio", "checked=false", "miscited"),
        ("option", "selected=true", "verbatim"),
        ("option", "selected=false", "miscited"),
        ("tab", "selected=false", "verbatim"),
    ],
)
def test_a_choice_that_is_not_chosen_shows_nothing(role, state, expected):
    choice = element(0, role, "Critical", states=(state,))
    assert how(choice, cites=0, value="Critical") == expected


def test_all_choices_of_a_list_may_be_what_is_asked_for():
    choices = [element(n, "option", t, states=("selected=false",)) for n, t in enumerate("AB")]
    assert Sample(page(*choices), sources={"all": [0, 1]}).why(all=["A", "B"]) == ""


def stars(filled: int) -> list[Any]:
    place = Place(headings=("Schwere",))
    states = [(f"checked={str(n <= filled).lower()}", f"{n} of 3") for n in (1, 2, 3)]
    return [element(n, "radio", "star", states=s, place=place) for n, s in enumerate(states)]


def test_equal_stars_show_how_many_of_them_are_filled():
    assert how(*stars(2), cites=1, value=2) == "verbatim"
    assert how(*stars(2), cites=1, value=3) == "miscited"
    assert how(*stars(2), cites=0, value=2) == "miscited"


# -- other states of the page ----------------------------------------------------------------------


def test_a_number_of_a_page_that_was_left_is_checked_against_what_that_page_showed():
    left = page(element(3, "text", "Ann Lee"), url="https://site.test/a")
    now = page(element(9, "text", "Bo Ek"), url="https://site.test/b")
    sample = Sample(left, now, sources={"owner": 3})
    assert sample.how(owner="Ann Lee") == "verbatim"
    assert sample.how(owner="Bo Ek") == "miscited"
    assert sample.ground(owner="Ann Lee")["owner"].url == left.url


def test_an_element_that_was_painted_anew_keeps_its_number_and_shows_both():
    before = page(element(3, "text", "Ann Lee"))
    anew = replace(before.elements[0], ref=(0, 33), name="Bo Ek")
    sample = Sample(before, replace(before, elements=(anew,)), sources={"owner": 3})
    assert sample.how(owner="Bo Ek") == "verbatim"
    assert sample.how(owner="Ann Lee") == "verbatim"
    assert sample.observed.says(3) == "Bo Ek", "what a person is told is the newest"


def test_lists_and_objects_are_cited_entry_by_entry():
    rows = [element(n, "row", f"{name} | ok") for n, name in enumerate(("lint", "build"))]
    answer = {"checks": [{"name": "lint", "state": "ok"}, {"name": "build", "state": "ok"}]}
    assert Sample(page(*rows), sources={"checks": [0, 1]}).why(**answer) == ""
    assert Sample(page(*rows), sources={"checks": [1, 0]}).why(**answer) == "miscited"
    assert Sample(page(*rows), sources={"checks": [{"name": 0, "state": 1}, 1]}).why(**answer) == ""


def test_rows_of_a_table_are_cited_by_their_line():
    rows = table({"Name": "lint", "State": "ok"}, {"Name": "build", "State": "bad"})
    for line, state, expected in ((10, "ok", ""), (20, "ok", "miscited"), (20, "bad", "")):
        sample = Sample(page(url=PAGE, **rows), sources={"state": line})
        assert sample.why(state=state) == expected


def test_equal_values_are_doubted_alike_whether_they_came_with_done_or_were_saved_one_by_one():
    hidden = element(0, "text", "open", states=(HIDDEN,))
    sample = Sample(page(hidden, "open", element(2, "text", "open", states=(HIDDEN,))))
    entries = [{"id": number, "state": "open"} for number in (1, 2, 3)]
    at_once, one_by_one = sample.grounder({}), sample.grounder({})
    at_once.citations.add({"checks": entries}, {"checks": [{"state": n} for n in (0, 1, 2)]})
    for number, entry in enumerate(entries):
        one_by_one.citations.add({"checks": [entry]}, {"checks": [{"state": number}]})
    for grounder in (at_once, one_by_one):
        found = grounder.ground({"checks": entries})["checks"]
        assert isinstance(found, list)
        assert [own["state"].doubts for own in found] == [("hidden",), (), ("hidden",)]
