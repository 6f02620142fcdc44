"""Which values count as seen: whole tokens of what was observed, connected with the field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_bwa.evidence.grounding import Grounder, plain_values
from pytest_bwa.evidence.lookup.text_match import clean, matches
from pytest_bwa.evidence.record import Grounding, SampleResult
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import (
    Action,
    ActionResult,
    Artifact,
    Box,
    Element,
    LabelledValue,
    Observation,
    PictureText,
    Place,
)

PAGE = "https://site.test/page"


class NoPictures:
    def picture_of(self, look: object, spot: object) -> None: ...

    def box_in(self, filename: str, spot: object, look: object) -> None: ...


def element(number: int, role: str, name: str, **more: Any) -> Element:
    return Element(number, (0, number), role, name, **more)


def page(*texts: str | Element, **more: Any) -> Observation:
    elements = tuple(
        element(n, "text", text) if isinstance(text, str) else text for n, text in enumerate(texts)
    )
    return Observation(**{"url": PAGE, "title": "", "elements": elements, **more})


class Sample:
    """One sample's sightings, and a task without any schema."""

    def __init__(
        self,
        *pages: Observation,
        given: tuple[str, ...] = (),
        own: str = "",
        labelled: bool = True,
        **task: Any,
    ) -> None:
        self.sightings = Sightings(given, labelled=labelled, own_url=own)
        for number, observation in enumerate(pages):
            self.sightings.add_observation(observation, number)
        self.task = TaskSpec(task_id="t", goal="g", **task)

    def act(self, name: str, result: ActionResult | None = None, **params: Any) -> None:
        result = result or ActionResult(True, "")
        action = Action(action=name, **params)
        self.sightings.add_action(action, result, page(), step=3)

    def ground(self, **values: Any) -> Any:
        return Grounder(self.task, self.sightings, NoPictures()).ground(values)

    def how(self, **values: Any) -> str:
        ((_, _, record),) = plain_values(values, self.ground(**values))
        return f"{record.how} {record.rule}" if record.rule else record.how


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


def test_what_the_agent_typed_is_not_seen_in_its_field():
    field = page(element(0, "textbox", "Reference", value="ZX-4711"))
    sample = Sample(field, page(url="https://site.test/?q=ZX-4711"))
    sample.act("type", selector="0", text="ZX-4711")
    assert sample.how(reference="ZX-4711") == "unseen"
    sample.sightings.add_observation(page("Results for ZX-4711"), 4)
    assert sample.how(reference="ZX-4711") == "verbatim"


def test_what_a_list_shows_of_what_the_agent_chose_is_not_seen_in_it_either():
    """The words of the list, and their order, may be others than those of the agent."""
    shown = "Current account, Mobile app"
    sample = Sample(page(element(0, "listbox", "Products", value=shown)))
    sample.act("select_option", ActionResult(True, "", entered=shown), selector="0", value="3, 1")
    assert sample.how(products=shown) == "unseen"
    assert (
        Sample(page(element(0, "listbox", "Products", value=shown))).how(products=shown) != "unseen"
    )


def form(document: int, value: str, url: str = PAGE) -> Observation:
    field = Element(0, (document, 0), "combobox", "Price effect", value=value)
    return page(field, url=url)


def entered(*pages: Observation, step: str = "", **task: Any) -> Sample:
    """A sample that chose "No effect" in a form, and then saw these pages."""
    sample = Sample(form(0, "Discount"), **task)
    sample.act("select_option", selector="0", value="No effect")
    sample.sightings.add_observation(form(0, "No effect"), 2)
    for number, observation in enumerate(pages, 4):
        if step and number == len(pages) + 3:
            sample.act(step, url=observation.url)
        sample.sightings.add_observation(observation, number)
    return sample


def test_what_was_entered_is_proven_by_its_form_once_that_is_opened_anew():
    saved = page(Element(0, (1, 0), "text", "Your changes have been saved."))
    reopened = form(2, "No effect")
    writes: Any = {"read_only": False}
    assert entered(saved, reopened, **writes).how(price_effect="No effect") == "verbatim"
    assert entered(reopened, step="goto", **writes).how(price_effect="No effect") == "verbatim"
    # The answer to a form that was refused has what was sent, and a browser that goes back, too.
    assert entered(form(1, "No effect"), **writes).how(price_effect="No effect") == "unseen"
    back = entered(saved, reopened, step="back", **writes)
    assert back.how(price_effect="No effect") == "unseen"
    other = entered(saved, form(2, "Discount"), **writes)
    assert other.how(price_effect="No effect") == "unseen"


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
        sample.sightings.add_observation(fields[0], 1)
        entry = Action(action="select_option", selector="0", value="No effect")
        sample.sightings.add_action(entry, ActionResult(True, ""), fields[0], step=1)
        for number, observation in enumerate(fields, 2):
            sample.sightings.add_observation(observation, number)
        return sample.how(price_effect="No effect")

    assert read("/+", "", "/29") == "verbatim"
    assert read("/+", "/29") == "unseen"  # the form's own answer
    assert read("/+", "", "/+") == "unseen"  # a draft that is kept
    assert read("/+") == "unseen"


@pytest.mark.parametrize("selector", ["0", "[0]", "accepted"])
def test_a_box_that_was_ticked_is_proven_where_it_is_shown_once_more(selector):
    """A model ticked a box, saved, and reported what its own form had shown."""

    def read(*addresses: str) -> str:
        boxes = [
            page(Element(0, (n, 0), "checkbox", "Accepted", states=("checked=true",)), url=url)
            for n, url in enumerate(addresses)
        ]
        sample = Sample(page(), read_only=False)
        sample.sightings.add_observation(boxes[0], 1)
        entry = Action(action="click", selector=selector)
        sample.sightings.add_action(entry, ActionResult(True, ""), boxes[0], step=1)
        for number, observation in enumerate(boxes[1:], 2):
            sample.sightings.add_observation(observation, number)
        return sample.how(accepted=True)

    site = "https://site.test"
    assert read(f"{site}/+", f"{site}/list", f"{site}/29") == "normalised boolean"
    assert read(f"{site}/+", f"{site}/+") == "unseen"
    assert read(f"{site}/+") == "unseen"


@pytest.mark.parametrize(
    ("addresses", "how"),
    [
        (("/+",), "unseen"),  # nothing was saved
        (("/+", "/29"), "unseen"),  # the form's own answer
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
    sample.sightings.add_action(pick, ActionResult(True, ""), shown("/+", option), step=1)
    for number, path in enumerate(addresses, 2):
        rows = [replace(chip, ref=(0, 10 * number))] if path != "/list" else []
        sample.sightings.add_observation(shown(path, *rows), number)
    assert sample.how(category="Vendor / Critical") == how
    reader = Sample(shown("/+", option))
    reader.sightings.add_action(pick, ActionResult(True, ""), shown("/+", option), step=1)
    assert reader.how(category="Vendor / Critical") == "verbatim", "nothing is entered to read"


def test_what_was_clicked_to_open_a_page_is_no_choice():
    def shown(path: str, *elements: Element) -> Observation:
        return page(*elements, url=f"https://site.test/#{path}")

    listed = shown("/list", element(0, "link", "Maas Logistiek"))
    sample = Sample(listed, read_only=False)
    opening = Action(action="click", selector="0")
    sample.sightings.add_action(opening, ActionResult(True, ""), listed, step=1)
    sample.sightings.add_observation(shown("/11", element(5, "heading", "Maas Logistiek")), 2)
    assert sample.how(name="Maas Logistiek") == "verbatim"


def test_a_value_that_was_seen_only_before_it_was_entered_is_not_saved():
    """The row of another ticket in the list proved the status that the form was to save."""
    other = page("18 Fee for overdraft | resolved", element(0, "combobox", "Status"))
    after = page("Ticket 2", element(1, "combobox", "Status", value="open"))
    sample = Sample(other, read_only=False)
    chosen = Action(action="select_option", selector="0", value="resolved")
    sample.sightings.add_action(chosen, ActionResult(True, ""), other, step=1)
    sample.sightings.add_observation(after, 2)
    assert sample.how(status="resolved") == "unseen"
    sample.sightings.add_observation(page("Status changed to resolved"), 3)
    assert sample.how(status="resolved") == "verbatim"


def test_what_was_entered_in_a_search_is_not_proven_by_its_field():
    results = form(2, "No effect", "https://site.test/?effect=No+effect")
    other = page(Element(0, (1, 0), "text", "A record"))
    assert entered(other, results, read_only=False).how(price_effect="No effect") == "unseen"
    assert entered(other, form(2, "No effect")).how(price_effect="No effect") == "unseen"


def test_the_samples_own_column_in_a_search_field_is_an_echo():
    search = page(element(0, "searchbox", "Find a reference", value="ZX-4711"))
    assert Sample(search, given=("ZX-4711",)).how(reference="ZX-4711") == "unseen"
    assert Sample(search).how(reference="ZX-4711") == "verbatim"


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


@pytest.mark.parametrize(
    ("name", "state", "how"),
    [
        ("Archived", "checked=true", "normalised boolean"),
        ("Archived", "checked=false", "derived boolean"),
        ("Other", "checked=true", "derived boolean"),
    ],
)
def test_a_yes_is_proven_by_a_tick_that_is_set_and_the_fields_own(name, state, how):
    assert Sample(page(element(0, "checkbox", name, states=(state,)))).how(archived=True) == how


def test_a_box_that_shows_neither_on_nor_off_proves_no_no_and_contests_it():
    """A form asked for the answer, and nobody had given it: “false” was done, and not flagged."""
    decided = element(0, "checkbox", "Archived", states=("checked=false", "icon: moon"))
    sample = Sample(page(decided))
    assert sample.how(archived=False) == "normalised boolean"
    assert sample.ground(archived=False)["archived"].contested is None
    undecided = element(0, "checkbox", "Archived now", states=("checked=mixed",))
    sample = Sample(page(undecided))
    for value in (False, True):
        assert sample.how(archived=value) == "derived boolean"
        assert sample.ground(archived=value)["archived"].contested == (
            "Archived now: neither on nor off",
        )
    assert sample.ground(deleted=True)["deleted"].contested is None
    behind_dialog = Sample(page(undecided), page(element(7, "text", "Vendor")))
    assert behind_dialog.ground(archived=False)["archived"].contested is not None


@pytest.mark.parametrize(
    ("values", "contested"),
    [
        ([("Archived", "Unknown", "input")], ("Archived | Unknown",)),
        ([("Archived", "No", "input")], None),
        ([("Archived", "No", "input"), ("Archived", "Yes", "input")], True),
        ([("Archived", "on shelf 3", "pair")], None),
    ],
)
def test_a_no_is_contested_by_a_choice_that_is_neither_and_by_a_yes_of_the_same_name(
    values, contested
):
    """“false” was done where a list had “Unknown”, and where two boxes of one name differed."""
    shown = page(labelled=tuple(LabelledValue(*value) for value in values))
    found = Sample(shown, labelled=False).ground(archived=False)["archived"].contested
    assert found == contested or (contested is True and found)


@pytest.mark.parametrize("nothing", [None, []])
def test_nothing_is_contested_by_a_tab_of_that_name_that_was_never_opened(nothing):
    """A model said that there were no identifiers, and had not opened the tab Identifiers."""

    def contested(*pages: Observation) -> Any:
        record = Sample(*pages).ground(identifiers=nothing)["identifiers"]
        return record and record.contested

    closed = page(element(0, "tab", "Identifiers", states=("selected=false",)))
    opened = page(element(0, "tab", "Identifiers", states=("selected=true",)))
    assert contested(closed) == ("Identifiers: not opened",)
    assert not contested(closed, opened)
    assert not contested(opened, closed)
    assert not contested(page(element(0, "tab", "Notes", states=("selected=false",))))
    assert not contested(page(element(0, "tab", "Identifiers")))


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


def test_a_yes_is_not_proven_by_what_only_shares_a_word_with_its_field():
    approval = element(0, "checkbox", "Buying requires approval", states=("checked=false",))
    attention = element(1, "checkbox", "Requires special attention", states=("checked=true",))
    task: Any = {"aliases": {"requires_approval": ["Buying requires approval"]}}
    sample = Sample(page(approval, attention), **task)
    assert sample.ground(requires_approval=False)["requires_approval"].name == approval.name
    assert sample.ground(requires_approval=True)["requires_approval"].how == "derived"
    assert sample.ground(special_attention=True)["special_attention"].name == attention.name


def test_the_samples_own_entry_proves_what_other_entries_have_too():
    head = element(0, "row", "Code | User | Status")
    other = element(1, "row", "AB1 | ann@x.org | Paid")
    own = element(2, "row", "AB2 longer than the others | bob@x.org | Paid")
    sample = Sample(page(head, other, own), given=("bob@x.org",))
    assert sample.ground(status="Paid")["status"].text == own.name
    nobody = Sample(page(head, other, own), given=("eve@x.org",))
    assert nobody.ground(status="Paid")["status"].text == other.name
