"""Which values count as seen: whole tokens of what was observed, connected with the field."""

from __future__ import annotations

from dataclasses import replace

import pytest
from grounded_sample import PAGE, Sample, element, page

from pytest_bwa.evidence.grounding import plain_values
from pytest_bwa.proof.text_match import clean, matches
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.steps import (
    ActionResult,
    Artifact,
    Box,
    Element,
    LabelledValue,
    PictureText,
    Place,
)


def test_what_the_browser_itself_writes_proves_nothing():
    error = page("http://a.org/APPROVED cannot be reached", url="chrome-error://chromewebdata/")
    assert Sample(error).how(approval="APPROVED") == "unseen"
    assert Sample(error, page("Approval: APPROVED")).how(approval="APPROVED") == "verbatim"


# -- texts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text", "rules"),
    [
        ("Finance", "Department Finance", [""]),
        ("Finance", "Financed", []),
        ("Ann\n Smith", "by Ann Smith", ["whitespace"]),
        ("ann smith", "by Ann Smith", ["case"]),
        ("Smith, Ann", "Smith Ann", ["punctuation"]),
        ("O’Neill", "Tom O'Neill", ["punctuation"]),
        ("250", "1,250", []),
        ("1", "1.250", []),
        ("12", "12:30", []),
        ("5", "-5 °C", []),
        ("-5", "-5 °C", [""]),
        ("-5", "it is 5", []),
        ("12.50", "12-50", []),
        ("v1.2", "release v1.2.", [""]),
        ("v1.2", "release v1.2.3", []),
        ("A long", "A long…", []),
        ("A long", "A long...", []),
        ("財務部", "部門 財務部です", [""]),
        ("दिन", "यह दिन।", [""]),
        ("दिन", "दान", []),
        ("كِتاب", "كُتاب", []),
        ("é", "e\u0301", [""]),
        ("AB", "A\u200bB", [""]),
        ("12,480", "12,480¹", [""]),
        ("124801", "12480¹", []),
        ("25 m²", "area 25 m²", [""]),
        ("✓", "✓", [""]),
        ("✓", "done ✓", []),
        ("a a", "a a a", ["", ""]),
    ],
)
def test_a_value_is_found_as_whole_tokens(value, text, rules):
    assert [match.rule for match in matches(value, clean(text))] == rules


@pytest.mark.parametrize(
    ("texts", "how"),
    [
        (["3 approvals, 7 comments"], "unseen"),
        (["7 approvals, 3 comments"], "verbatim"),
        (["3 of 7 approvals"], "verbatim"),
        (["Approvals: 7, comments: 3"], "verbatim"),
        (["Approvals: 3, comments: 7"], "unseen"),
        (["Approvals (7) Comments (3)"], "verbatim"),
        (["Approvals (3) Comments (7)"], "unseen"),
        (["Approved by 7 people"], "verbatim"),
        (["Approvals", "7"], "verbatim"),
        (["Comments", "7"], "unseen"),
        (["7"], "unseen"),
        (["5 approvals in 2027"], "unseen"),
    ],
)
def test_a_small_number_counts_where_the_page_connects_it_with_the_field(texts, how):
    assert Sample(page(*texts)).how(approvals=7).split()[0] == how


def test_commits_are_no_comments():
    assert Sample(page("7 commits")).how(comments=7) == "unseen"


def test_an_alias_names_the_field_too():
    texts = page("Sign-offs", "7")
    assert Sample(texts).how(approvals=7) == "unseen"
    assert Sample(texts, aliases={"approvals": ["Sign-offs"]}).how(approvals=7) == "verbatim"


def test_a_cell_is_named_by_the_head_of_its_column():
    rows = ("Name | Approvals | Comments", "Ann | 3 | 7", "Bob | 4 | 9")
    table = page(*(element(n, "row", row) for n, row in enumerate(rows)))
    assert Sample(table).how(approvals=3) == "verbatim"
    assert Sample(table).how(approvals=7) == "unseen"


def test_a_first_row_that_is_no_head_does_not_say_what_a_column_is():
    rows = ("Net interest | 5 | 6", "Net income | 7 | 8", "Costs | 9 | 4")
    table = Sample(page(*(element(n, "row", row) for n, row in enumerate(rows))))
    assert table.how(net_income=8) == "verbatim"
    assert table.how(net_income=4) == "unseen"


@pytest.mark.parametrize("cell", ["(0.17)", "$(0.17)", "$ | (0.17 | )"])
def test_an_amount_in_parentheses_is_not_the_amount_in_it(cell):
    table = Sample(page(element(0, "row", f"EPS | {cell}"), language="en"))
    assert [table.how(eps=eps) for eps in (-0.17, 0.17)] == ["normalised number", "unseen"]
    prose = Sample(page("EPS: large (0.17)", language="en"))
    assert prose.how(eps=0.17) == "verbatim"


def test_a_value_is_proven_by_the_place_with_exactly_its_label():
    """Also where the same text stands later under a label that shares a word, or has no label."""
    boxes = [Box(0, 20.0 * n, 100, 15) for n in range(3)]
    days = ["2026-11-17 10:02", "2026-11-17 10:17", "2026-11-17 10:18"]
    texts = [element(n, "text", days[n], box=boxes[n]) for n in range(3)]
    pairs = [
        LabelledValue(label, days[n], "pair", place=Place(), box=boxes[n])
        for n, label in enumerate(("Logical Date", "End Date"))
    ]
    read = page(*texts, labelled=tuple(pairs))
    sample = Sample(read, labelled=False, aliases={"ended": ["End Date"]})
    grounding = sample.ground(logical_date="2026-11-17", ended="2026-11-17")
    assert {name: place.text for name, place in grounding.items()} == {
        "logical_date": days[0], "ended": days[1],
    }  # fmt: skip


def test_the_nearer_of_two_labels_names_a_number():
    def tile(number: int, text: str, x: float, y: float) -> Element:
        return element(number, "text", text, box=Box(x, y, 50, 20))

    tiles = page(
        tile(0, "3", 0, 0), tile(1, "Approvals", 0, 20), tile(2, "7", 200, 0),
        tile(3, "Comments", 200, 20),
    )  # fmt: skip
    assert Sample(tiles).how(approvals=3) == "verbatim"
    assert Sample(tiles).how(approvals=7) == "unseen"


def test_a_label_on_the_line_of_a_number_names_it_whatever_follows_nearer_below():
    def text(number: int, name: str, x: float, y: float, width: float) -> Element:
        return element(number, "text", name, box=Box(x, y, width, 22))

    head = element(3, "row", "Name | Lines", box=Box(183, 253, 914, 37))
    definitions = page(
        text(0, "Pull request", 183, 186, 170), text(1, "Changed files", 183, 217, 170),
        text(2, "4", 369, 217, 728), head,
    )  # fmt: skip
    assert Sample(definitions).how(changed_files=4) == "verbatim"
    assert Sample(definitions).how(lines=4) == "unseen"


def test_the_label_of_a_list_names_each_of_its_entries_and_none_of_another_list():
    def entry(number: int, name: str, y: float) -> Element:
        return element(number, "text", name, box=Box(200, y, 300, 20))

    names = ("KTH", "TU Delft", "CNR", "ETH")
    entries = [entry(n, name, 20 * n) for n, name in enumerate(names)]
    partners = LabelledValue(
        "Partners", "\n".join(names[1:]), "definition", items=names[1:], box=Box(190, 20, 400, 60)
    )
    coordinator = LabelledValue("Coordinator", "KTH", "definition", box=Box(190, 0, 400, 20))
    sample = Sample(page(*entries, labelled=(coordinator, partners)), labelled=False)
    assert sample.how(partners="CNR") == "verbatim"
    assert sample.how(coordinator="CNR") == "unseen"
    assert sample.how(coordinator="KTH") == "verbatim"


def test_the_samples_own_number_needs_no_label():
    assert Sample(page("Fix a bug #47")).how(number=47) == "unseen"
    assert Sample(page("Fix a bug #47"), given=("47",)).how(number=47) == "verbatim"


def stars(filled: int, heading: str) -> list[Element]:
    place = Place(headings=(heading,))
    states = [(f"checked={str(n <= filled).lower()}", f"{n} of 3") for n in (1, 2, 3)]
    return [element(n, "radio", "star", states=s, place=place) for n, s in enumerate(states)]


def test_stars_prove_how_many_of_them_are_filled_for_the_field_above_them():
    assert Sample(page(*stars(2, "Severity"))).how(severity=2) == "verbatim"
    assert Sample(page(*stars(3, "Severity"))).how(severity=3) == "verbatim"
    assert Sample(page(*stars(2, "Severity"))).how(severity=1) == "unseen"
    assert Sample(page(*stars(2, "Severity"))).how(severity=3) == "unseen"
    assert Sample(page(*stars(0, "Severity"))).how(severity=1) == "unseen"
    assert Sample(page(*stars(2, "Priority"))).how(severity=2) == "unseen"


def test_the_same_choice_in_several_groups_is_no_scale():
    place = Place(headings=("Severity",))
    choices = [
        element(n, "radio", name, states=(checked, f"{n // 2 + 1} of 2"), place=place)
        for n, (name, checked) in enumerate(
            [("Hide", "checked=true"), ("Show", "checked=false")] * 2
        )
    ]
    assert Sample(page(*choices)).how(severity=1) == "unseen"
    assert Sample(page(*choices)).how(severity=2) == "unseen"


def test_a_short_value_that_a_task_enters_is_proven_only_where_the_page_names_its_field():
    rating = [element(0, "radio", "Reject[2]"), element(1, "heading", "Severity")]
    form = Sample(page(*rating), given=("2",), read_only=False)
    assert form.how(severity=2) == "unseen"
    saved = Sample(page("Severity: 2"), given=("2",), read_only=False)
    assert saved.how(severity=2) == "verbatim"


def test_parts_beside_each_other_make_one_value():
    row = page(element(0, "row", "Smith | Ann | Finance"))
    assert Sample(row).how(full_name="Ann Smith") == "normalised joined"
    assert Sample(row).how(full_name="Ann Finch") == "unseen"
    assert Sample(page("1 Main Street", "Springfield")).how(
        address="1 Main Street Springfield"
    ) == ("normalised joined")
    far = page("Ann", *(f"Line {n}" for n in range(20)), "Smith")
    assert Sample(far).how(full_name="Ann Smith") == "unseen"


def test_fields_beside_each_other_make_one_value_if_the_page_filled_them():
    header = page(
        element(0, "textbox", "", value="X-Retention"),
        element(1, "button", "other"),
        element(2, "textbox", "", value="60d"),
    )
    assert Sample(header).how(headers=["X-Retention: 60d"]) == "normalised joined"
    sample = Sample(header)
    sample.act("type", text="60d")
    assert sample.how(headers=["X-Retention: 60d"]) == "unseen"


# -- everything that was observed, and nothing that was entered -----------------------------------


@pytest.mark.parametrize(
    "observation",
    [
        page(title="Record ZX-4711"),
        page(url="https://site.test/ZX-4711"),
        page(text="Reference\tZX-4711\n"),
        page(unlisted=(element(9, "text", "ZX-4711"),)),
        page(element(0, "textbox", "Reference", value="ZX-4711")),
        page(element(0, "link", "See", url="https://site.test/ZX-4711")),
        page(element(0, "button", "See", note="ZX-4711")),
        page(element(0, "button", "See", states=('note="ZX-4711"',))),
        page(labelled=(LabelledValue("Reference", "ZX-4711", "definition"),)),
    ],
)
def test_every_part_of_an_observation_counts(observation):
    assert Sample(page("nothing"), observation, page("more")).how(reference="ZX-4711") == "verbatim"


def test_what_actions_read_counts():
    extracting, finding, loading = Sample(), Sample(), Sample()
    read = ActionResult(True, "", read_text="Reference:\tZX-4711\nOwner")
    extracting.act("extract", read, selector="1")
    finding.act("find", ActionResult(True, "", found=("… of ZX-4711 is …",)), text="ZX")
    name = "ZX-4711.pdf"
    file = Artifact(
        filename=f"downloads/{name}", sha256="", source_url="", timestamp="", label=name, step=3
    )
    loading.act("download", ActionResult(True, "", artifact=file))
    for sample in (extracting, finding, loading):
        assert sample.how(reference="ZX-4711") == "verbatim"
    assert loading.ground(reference="ZX-4711")["reference"].artifact == "downloads/ZX-4711.pdf"


@pytest.mark.parametrize("source", ["vision", "ocr"])
def test_a_value_from_a_picture_says_so(source):
    text = PictureText(source=source, text="build: red cross\nReference ZX-4711", why="")
    assert Sample(page(picture_text=text)).how(reference="ZX-4711") == source


def test_the_beginning_of_a_text_that_was_cut_is_no_value():
    cut = element(0, "text", "Reference ZX-4711…", cut=True)
    assert Sample(page(cut)).how(reference="ZX-4711…") == "unseen"
    assert Sample(page(cut)).how(reference="ZX-4711") == "unseen"
    by_the_page = Sample(page("Reference ZX-4711…"))
    assert by_the_page.how(reference="ZX-4711…") == "unseen"
    assert by_the_page.how(reference="ZX-4711") == "unseen"
    assert Sample(page("Reference ZX-4711 and more…")).how(reference="ZX-4711") == "verbatim"


def test_an_address_that_the_agent_made_up_proves_nothing():
    made_up, linked = "https://site.test/ZX-4711", page(
        element(0, "link", "See", url="https://site.test/ZX-4711/")
    )  # fmt: skip
    sample = Sample(page("nothing"))
    sample.act("goto", url=made_up)
    sample.sightings.add_observation(page(url=made_up), 4)
    assert sample.how(reference="ZX-4711") == "unseen"
    followed = Sample(linked)
    followed.act("goto", url=made_up)
    followed.sightings.add_observation(page(url=made_up), 4)
    assert followed.how(reference="ZX-4711") == "verbatim"


# -- forms of a value ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values", "how"),
    [
        ("Stars 1.2k", {"stars": 1200}, "normalised number"),
        ("Total € 1,250", {"total": 1250}, "normalised number"),
        ("Coverage 12 %", {"coverage": 0.12}, "normalised percent"),
        ("Balance (1,234.50)", {"balance": -1234.5}, "normalised number"),
        ("Balance 12.50", {"balance": 12.5}, "normalised number"),
        ("Due 3 May 2026", {"due": "2026-05-03"}, "normalised date"),
        ("Due 04/05/2026", {"due": "2026-05-04"}, "normalised date"),
        ("Due 3 May 2026", {"due": "2026-05-04"}, "unseen"),
        ("Total 1,250", {"total": "1250"}, "normalised number"),
        ("Archived: yes", {"archived": True}, "normalised boolean"),
        ("Archived: yes", {"archived": False}, "derived boolean"),
        ("Two-factor is enabled here", {"archived": True}, "derived boolean"),
        ("Sending is disabled", {"archived": False}, "derived boolean"),
    ],
)
def test_a_value_in_another_form_names_the_rule(text, values, how):
    assert Sample(page(text)).how(**values) == how


def test_tags_that_may_be_only_offered_are_contested_and_others_are_not():
    """Of five tags that are painted alike none was chosen: all five were done, and not flagged."""

    def contested(*states: str) -> list[bool]:
        names = ["DORA", "GDPR", "PSD2"]
        tags = [
            element(n, "clickable", name, states=(state,) if state else ())
            for n, (name, state) in enumerate(zip(names, states, strict=True))
        ]
        records = Sample(page(element(9, "heading", "Tags"), *tags)).ground(tags=names)["tags"]
        return [record.contested is not None for record in records]

    assert contested("painted like the 2 beside it (class: inactive)", "", "") == [True] * 3
    assert contested("painted like the 1 beside it", "", "") == [True, True, False]
    assert contested("class: inactive", "", "") == [True, False, False]
    assert contested("", "", "") == [False] * 3


def test_what_was_said_of_a_tag_before_it_was_chosen_does_not_contest_it():
    """The empty form of a new record said “painted like the 4 beside it” of the tag chosen then."""
    form = element(0, "clickable", "GDPR", states=("painted like the 1 beside it",))
    other = element(1, "clickable", "DORA")
    chosen = element(0, "clickable", "GDPR"), replace(other, states=("class: inactive",))
    for later in (page(*chosen), page(*(replace(e, ref=(1, e.ref[1])) for e in chosen))):
        (record,) = Sample(page(form, other), later).ground(tags=["GDPR"])["tags"]
        assert record.contested is None


def test_a_german_page_is_read_as_german():
    assert Sample(page("Betrag 1.250 €", language="de")).how(amount=1250) == "normalised number"
    assert Sample(page("Betrag 1.250 €", language="de")).how(amount=1.25) == "unseen"


def test_a_time_element_is_read_as_it_is_written_for_machines():
    value = LabelledValue("Opened", "2 days ago", "definition", datetime="2026-05-03T10:00:00Z")
    assert Sample(page(labelled=(value,))).how(opened="2026-05-03") == "normalised date"


def test_an_address_may_be_written_in_another_way():
    link = page(element(0, "link", "See", url="https://Site.test/a%20b/"))
    assert Sample(link).how(link="https://site.test/a b") == "normalised url"
    assert Sample(link).how(link="https://site.test/a") == "unseen"


# -- derived -------------------------------------------------------------------------------------


def test_counts_say_what_was_counted():
    sample = Sample(page("lint", "build"))
    answer = {"checks": ["lint", "build"], "checks_total": 2}
    assert sample.ground(**answer)["checks_total"].rule == "count: items of checks"
    rows = [element(0, "heading", "Commits"), *(element(n, "row", f"Fix {n}") for n in (1, 2, 3))]
    assert Sample(page(*rows)).how(commit_count=3) == "derived count: rows of “Commits”"
    assert Sample(page(*rows)).how(comment_count=3) == "unseen"
    failed = [
        element(0, "heading", "Checks"),
        *(element(n, "row", f"job {n} | {'failed' if n < 3 else 'passed'}") for n in range(1, 7)),
    ]
    assert Sample(page(*failed)).how(checks_failed=2).startswith("derived count: rows of “Checks”")


def test_a_number_that_no_count_is_asked_for_is_not_the_count_of_an_array():
    answer = {"red_flags": ["Late notice"], "severity": 1, "total": 1, "itemCount": 1}
    found = Sample(page("Late notice")).ground(**answer)
    assert found["severity"].how == "unseen"
    assert found["total"].rule == found["itemCount"].rule == "count: items of red_flags"


def test_zero_is_derived_only_where_the_page_gives_no_number():
    assert Sample(page("No comments yet")).how(comments=0).startswith("derived count")
    assert Sample(page("7 comments")).how(comments=0) == "unseen"
    assert Sample(page("Welcome")).how(comments=0) == "unseen"


def test_what_the_spec_lists_is_derived_if_no_page_has_it():
    sample = Sample(page("Verdict: high"), derived=["verdict", "checks.note"])
    assert sample.how(verdict="unacceptable") == "derived the spec lists it"
    assert sample.how(verdict="high") == "verbatim"
    assert sample.how(checks=[{"note": "mine"}]) == "derived the spec lists it"
    assert sample.how(checks=[{"name": "mine"}]) == "unseen"


# -- the record ------------------------------------------------------------------------------------


def test_arrays_and_objects_have_a_record_for_each_value_and_none_for_null():
    sample = Sample(page("lint", "build"))
    checks = [{"name": "lint", "note": None}, None, {"name": "deploy"}]
    values = {"checks": checks, "empty": "", "none": None}
    tree = sample.ground(**values)
    assert [type(item) for item in tree["checks"]] == [dict, type(None), dict]
    assert tree["checks"][0]["name"].how == "verbatim"
    assert tree["checks"][0]["note"] is tree["empty"] is tree["none"] is None
    unseen = [path for path, _, record in plain_values(values, tree) if record.how == "unseen"]
    assert unseen == ["checks[2].name"]


def test_a_record_names_step_page_element_and_place_and_survives_the_disk():
    place = Place(frame="https://other.test/f")
    owner = element(
        4, "textbox", "Owner", value="Ann Smith", box=Box(1, 2, 30, 40), place=place
    )  # fmt: skip
    tree = Sample(page("start"), page("Owner", owner)).ground(owner="Ann Smith", how={"how": "x"})
    assert tree["owner"] == Grounding(
        how="verbatim",
        step=1,
        url=PAGE,
        frame="https://other.test/f",
        role="textbox",
        name="Owner",
        text="Ann Smith",
        box=(1, 2, 30, 40),
    )
    result = SampleResult(sample_id="s", task_id="t", status="done", grounding=tree)
    assert SampleResult.model_validate_json(result.model_dump_json()) == result


def test_the_same_page_is_kept_once_and_a_changed_one_keeps_only_what_is_new():
    texts = tuple(element(n, "text", f"Text {n}") for n in range(3000))
    sample = Sample(*(page(*texts, title=f"Look {n}") for n in range(50)))
    assert len(sample.sightings.spots) == 3000 + 50 + 1
    same = page("a")
    assert len(Sample(same, same).sightings.looks) == 1


HIDDEN_TEXT = element(0, "text", "Approval: APPROVED", states=("hidden",))


@pytest.mark.parametrize(
    ("others", "hidden"),
    [
        ((), True),
        ((element(1, "heading", "Approval: open"),), True),
        ((element(1, "row", "Approval | APPROVED"),), False),
        ((element(1, "button", "APPROVED"),), False),
    ],
)
def test_a_value_that_only_hidden_text_has_is_marked(others, hidden):
    sample = Sample(page(HIDDEN_TEXT, *others, text="Approval: APPROVED"))
    read = ActionResult(True, "", read_text="Approval: APPROVED")
    sample.act("extract", read, selector="body")
    record = sample.ground(approval="APPROVED")["approval"]
    assert record.how == "verbatim"
    assert record.hidden is hidden


@pytest.mark.parametrize(
    ("value", "text", "how"),
    [
        ("2026-05-05T09:30", "Start 2026-05-05 09:30", "normalised date"),
        ("2026-05-05T09:30", "Start 5 May 2026", "normalised date"),
        ("2026-05-05T14:15", "Start 2026-05-05 09:30", "unseen"),
        ("2026-05-05T09:30:00Z", "Start 2026-05-05 11:30", "normalised date"),
        ("2026-05-03T14:15", "Start 3 May 2026, 2:15 PM", "normalised date"),
    ],
)
def test_another_time_of_the_day_is_another_moment(value, text, how):
    assert Sample(page(text)).how(start=value) == how


@pytest.mark.parametrize(
    ("value", "text"), [("AX-77120", "Part AX-77120-B"), ("2.4.1", "Version 2.4.1-rc2")]
)
def test_a_code_is_no_part_of_a_longer_one(value, text):
    assert Sample(page(text)).how(part=value) == "unseen"
    assert Sample(page(text.rpartition("-")[0])).how(part=value) == "verbatim"


def test_a_name_is_not_made_of_the_parts_of_two_rows():
    rows = [element(n, "row", text) for n, text in enumerate(("Ada | Quist", "Ben | Okoro"))]
    assert Sample(page(*rows)).how(name="Ada Quist") == "normalised punctuation"
    assert Sample(page(*rows)).how(name="Ada Okoro") == "unseen"


def test_the_samples_own_entry_proves_what_other_entries_have_too():
    head = element(0, "row", "Code | User | Status")
    other = element(1, "row", "AB1 | ann@x.org | Paid")
    own = element(2, "row", "AB2 longer than the others | bob@x.org | Paid")
    sample = Sample(page(head, other, own), given=("bob@x.org",))
    assert sample.ground(status="Paid")["status"].text == own.name
    nobody = Sample(page(head, other, own), given=("eve@x.org",))
    assert nobody.ground(status="Paid")["status"].text == other.name


def test_a_value_is_proven_by_the_samples_page_rather_than_by_one_that_was_opened_from_it():
    """The status of a policy was proven by the page of its owner, who is “Live”, too."""
    own = page("Removable media", "Status: Live", url="https://site.test/policies/10")
    own = replace(own, elements=(element(9, "heading", "Removable media"), *own.elements))
    owner = page("Status: Live", url="https://site.test/people/2")
    for pages in ((own, owner), (owner, own)):
        sample = Sample(*pages, given=("Removable media",))
        assert sample.ground(status="Live")["status"].url == own.url
