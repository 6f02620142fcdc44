"""Pictures prove a state of the page: they show the values, and the harness takes them itself."""

from __future__ import annotations

import io
from typing import Any

import pytest
from local_site import Site
from PIL import Image

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.proof.observed import Observed
from pytest_bwa.proof.photos.proof_pictures import ProofPictures
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action

RED = (255, 0, 0)
MARKED = "background:rgb(255,0,0);color:rgb(255,0,0)"
ROWS = "".join(f"<p>Entry {n}</p>" for n in range(25))


class Proof:
    """What the loop does around its actions, on one page and without a policy."""

    def __init__(self, agent: Any, *fields: str, labels_prove: bool = True, **keys: Any) -> None:
        self.agent = agent
        self.observed = Observed(labels_prove=labels_prove, read_only=keys.get("read_only"))
        task = TaskSpec(task_id="t", goal="g", output_schema={name: {} for name in fields}, **keys)
        self.pictures = ProofPictures(
            task, self.observed, agent.writer, agent.executor, self.observe
        )

    def observe(self) -> None:
        self.agent.observation = self.agent.observer.observe()
        self.observed.add_observation(self.agent.observation, 1)

    def load(self, html: str) -> None:
        self.agent.page.set_content(html)
        self.observe()

    def go(self, url: str) -> None:
        self.pictures.hold(self.agent.observation, 1)
        self.agent.act("goto", url=url)
        self.observe()

    def keep(self, **values: Any) -> None:
        self.pictures.keep(values, self.agent.observation, 2)

    def record(self, **values: Any) -> Grounding:
        ((_, record),) = self.pictures.ground(values).items()
        assert isinstance(record, Grounding)
        return record

    @property
    def files(self) -> list[str]:
        return [artifact.filename for artifact in self.agent.writer.artifacts]

    def colours(self, record: Grounding) -> set[tuple[int, ...]]:
        """The colours inside the box of a value, in the picture that shows it."""
        assert record.artifact is not None
        assert record.box is not None
        png = (self.agent.writer.folder / record.artifact).read_bytes()
        x, y, width, height = record.box
        picture = Image.open(io.BytesIO(png)).convert("RGB")
        box = picture.crop(
            (round(x) + 1, round(y) + 1, round(x + width) - 1, round(y + height) - 1)
        )
        return {colour for _, colour in box.getcolors(10_000) or []}  # type: ignore[misc]


def panel(*inside: str) -> str:
    text = ROWS.join(["", *inside, ""])
    return f'<div id="panel" style="height:120px;width:300px;overflow:auto">{text}</div>'


def test_a_value_in_a_panel_is_scrolled_into_the_picture_and_the_panel_back(agent):
    proof = Proof(agent, "reference")
    proof.load("<h1>Log</h1>" + panel(f'<p style="{MARKED}">Reference ZX-4711</p>'))
    proof.keep(reference="ZX-4711")
    assert len(proof.files) == 1
    assert proof.colours(proof.record(reference="ZX-4711")) == {RED}
    assert agent.page.evaluate("panel.scrollTop") == 0


def test_a_picture_that_a_panel_hides_a_value_from_does_not_prove_it(agent):
    proof = Proof(agent, "reference")
    proof.load("<h1>Log</h1>" + panel("<p>Reference ZX-4711</p>"))
    agent.act("screenshot", label="log")
    assert proof.record(reference="ZX-4711").artifact is None
    proof.keep(reference="ZX-4711")
    assert proof.record(reference="ZX-4711").artifact == "02_evidence_reference.png"


def test_values_that_a_panel_cannot_show_together_get_a_picture_each(agent):
    proof = Proof(agent, "first", "second")
    marked = [f'<p style="{MARKED}">{name}</p>' for name in ("First ZX-4711", "Second ZX-4712")]
    proof.load("<h1>Log</h1>" + panel(*marked))
    proof.keep(first="ZX-4711", second="ZX-4712")
    records = [proof.record(first="ZX-4711"), proof.record(second="ZX-4712")]
    assert [proof.colours(record) for record in records] == [{RED}, {RED}]
    assert len(proof.files) == len({record.artifact for record in records}) == 2


def test_a_value_in_a_scrolled_frame_has_its_box_where_the_picture_shows_it(agent):
    proof = Proof(agent, "reference")
    inner = f"{ROWS}<p style='{MARKED}'>Reference ZX-4711</p>{ROWS}"
    proof.load(f'<h1>Log</h1><iframe style="margin:50px;height:150px" srcdoc="{inner}"></iframe>')
    proof.keep(reference="ZX-4711")
    assert proof.colours(proof.record(reference="ZX-4711")) == {RED}
    assert agent.page.frames[1].evaluate("scrollY") == 0


def test_a_value_that_another_values_picture_shows_has_its_box_in_that_picture(agent):
    proof = Proof(agent, "first", "second")
    marked = [f'<p style="{MARKED}">{name}</p>' for name in ("First ZX-4711", "Second ZX-4712")]
    proof.load("<h1>Log</h1>" + panel("".join(marked)))
    proof.keep(first="ZX-4711")
    proof.keep(second="ZX-4712")
    records = [proof.record(first="ZX-4711"), proof.record(second="ZX-4712")]
    assert [proof.colours(record) for record in records] == [{RED}, {RED}]
    assert len(proof.files) == 1


def test_a_labelled_value_in_a_scrolled_panel_has_no_box_but_the_right_one(agent):
    proof = Proof(agent, "first", "second")
    inside = f'<dl><dt>First</dt><dd style="{MARKED}">ZX-4711</dd></dl>'
    proof.load("<h1>Log</h1>" + panel(inside))
    proof.keep(first="ZX-4711")
    record = proof.record(first="ZX-4711")
    assert record.box is None or proof.colours(record) == {RED}
    fact = next(fact for fact in proof.observed.facts if fact.kind == "labelled")
    box = proof.pictures.box_in(proof.files[0], fact, proof.observed.looks[-1])
    assert box is not None
    assert proof.colours(record.model_copy(update={"box": (box.x, box.y, box.width, box.height)}))


@pytest.mark.parametrize("is_scrolled", [False, True])
def test_the_border_of_a_frame_is_part_of_the_way_to_a_value_in_it(agent, is_scrolled):
    proof = Proof(agent, "reference")
    inner = f"<p style='{MARKED}'>Reference ZX-4711</p>"
    style = "margin:50px;height:150px;border:40px solid;padding:15px"
    proof.load(f'<h1>Log</h1><iframe style="{style}" srcdoc="{inner}"></iframe>{ROWS * 2}')
    if is_scrolled:
        agent.page.evaluate("scrollTo(0, 70)")
    agent.act("screenshot", label="log")
    assert proof.colours(proof.record(reference="ZX-4711")) == {RED}


def test_a_frame_that_is_not_shown_in_its_own_size_gives_no_boxes(agent):
    proof = Proof(agent, "reference")
    inner = "<p>Reference ZX-4711</p>"
    proof.load(f'<h1>Log</h1><iframe style="transform:scale(0.5)" srcdoc="{inner}"></iframe>')
    agent.act("screenshot", label="log")
    record = proof.record(reference="ZX-4711")
    assert (record.artifact, record.box) == ("01_log.png", None)


@pytest.mark.parametrize("scroll_top", [0, 1000])
def test_a_frame_in_a_panel_gives_boxes_only_while_the_panel_shows_it(agent, scroll_top):
    proof = Proof(agent, "reference")
    inner = f"<p style='{MARKED}'>Reference ZX-4711</p>"
    frame = (
        f'<div style="height:900px"></div><iframe style="height:80px" srcdoc="{inner}"></iframe>'
    )
    proof.load(f'<div id=p style="height:200px;overflow:auto">{frame}</div>')
    agent.page.evaluate("top => { p.scrollTop = top; }", scroll_top)
    agent.act("screenshot", label="log")
    record = proof.record(reference="ZX-4711")
    assert proof.colours(record) == {RED} if scroll_top else record.artifact is None


def test_a_frame_in_a_panel_is_scrolled_into_the_picture_of_a_value_in_it(agent):
    proof = Proof(agent, "state", "reference", "end")
    text = f"<p>Reference ZX-4711</p>{ROWS}<p style='{MARKED}'>Ends 2026-05-03</p>"
    inner = f'<iframe style="height:150px" srcdoc="{text}"></iframe>'
    proof.load(f"<h1>Log</h1><p>State APPROVED</p>{panel(inner)}")
    proof.keep(state="APPROVED")
    assert proof.record(reference="ZX-4711").artifact is None
    proof.keep(state="APPROVED", reference="ZX-4711", end="2026-05-03")
    assert proof.record(reference="ZX-4711").artifact == proof.files[1]
    assert proof.colours(proof.record(end="2026-05-03")) == {RED}
    assert agent.page.evaluate("document.querySelector('div').scrollTop") == 0


def test_a_value_in_the_part_of_a_frame_that_a_panel_cuts_off_is_not_in_the_picture(agent):
    proof = Proof(agent, "first", "last")
    filler = "<div style='height:300px'></div>"
    text = f"<p>First ZX-4711</p>{filler}<p style='{MARKED}'>Last ZX-4712</p>"
    frame = f'<iframe style="height:500px" srcdoc="{text}"></iframe>'
    proof.load(f'<div style="height:200px;overflow:auto">{frame}</div>')
    agent.act("screenshot", label="log")
    assert proof.record(first="ZX-4711").artifact == "01_log.png"
    assert proof.record(last="ZX-4712").artifact is None


def test_a_value_in_a_shadow_root_inside_a_panel_has_its_box_where_the_picture_shows_it(agent):
    proof = Proof(agent, "first", "second")
    proof.load("<h1>Log</h1>" + panel("<div id=host></div>"))
    marked = f'<p style="{MARKED}">First ZX-4711</p><p style="{MARKED}">Second ZX-4712</p>'
    agent.page.evaluate("html => host.attachShadow({mode: 'open'}).innerHTML = html", marked)
    proof.observe()
    proof.keep(first="ZX-4711")
    assert proof.colours(proof.record(second="ZX-4712")) == {RED}


TERM = f"<dl><dt>Department<dd style='{MARKED}'>Fleet office</dl>"
WALL = "<div style='position:fixed;inset:0;{}'>We value your privacy</div>"
BAR = (
    "<div style='position:fixed;left:0;right:0;bottom:0;height:300px;background:#fff'>Cookies</div>"
)


@pytest.mark.parametrize(
    ("style", "is_covered"),
    [
        ("background:#fff", True),
        ("background:linear-gradient(#fff, #eee)", True),
        ("background:linear-gradient(transparent, rgba(9, 9, 9, 0.2))", False),
        ("background:rgba(9, 9, 9, 0.4)", False),
        ("background:#fff;opacity:0", False),
    ],
)
def test_what_a_wall_covers_is_in_no_picture(agent, style, is_covered):
    proof = Proof(agent, "department")
    proof.load("<h1>E-55</h1>" + TERM + WALL.format(style))
    proof.keep(department="Fleet office")
    assert (proof.record(department="Fleet office").artifact is None) is is_covered


@pytest.mark.parametrize(("left", "is_covered"), [("40%", False), ("0", True)])
def test_a_box_covers_only_the_text_that_it_stands_on(agent, left, is_covered):
    """A line is as wide as the page, and its text a small part of it."""
    proof = Proof(agent, "department")
    box = f"position:absolute;left:{left};top:0;width:20%;height:300px;background:#fff"
    proof.load(f"<h1>E-55</h1>{TERM}<div style='{box}'>New: saved searches</div>")
    proof.keep(department="Fleet office")
    assert (proof.record(department="Fleet office").artifact is None) is is_covered


@pytest.mark.parametrize("is_long", [True, False])
def test_what_a_bar_covers_is_scrolled_away_from_it(agent, is_long):
    proof = Proof(agent, "department")
    more = "<p style='position:absolute;top:3000px'>The end</p>" if is_long else ""
    placed = f"<div style='position:fixed;bottom:50px'>{TERM}</div>"
    if is_long:
        placed = f"<div style='position:absolute;top:600px'>{TERM}</div>"
    proof.load(f"<h1>E-55</h1>{placed}{more}{BAR}")
    proof.keep(department="Fleet office")
    record = proof.record(department="Fleet office")
    if not is_long:
        assert record.artifact is None
        return
    assert proof.colours(record) == {RED}
    assert agent.page.evaluate("scrollY") == 0


PLAIN = TERM.replace(MARKED, "")


@pytest.mark.parametrize(
    ("html", "seen"),
    [
        (PLAIN, "verbatim"),
        (f"<div style='opacity:0'>{PLAIN}</div>", "unseen"),
        ("<p style='opacity:0'>Department: Fleet office</p>", "unseen"),
        (f"<div style='height:0;overflow:hidden'>{PLAIN}</div>", "unseen"),
        (f"<div style='overflow:hidden;text-indent:-9999px'>{PLAIN}</div>", "hidden"),
        (f"<div style='transform:scale(0)'>{PLAIN}</div>", "hidden"),
        (f"<div style='clip-path:inset(50%)'>{PLAIN}</div>", "hidden"),
        ("<p>Department: Fleet office<span style='opacity:0'> closed</span></p>", "verbatim"),
        (f"<div style='height:0;overflow:hidden'><div style='position:fixed'>{PLAIN}", "verbatim"),
        (f"<div style='clip-path:inset(10%)'>{PLAIN}</div>", "verbatim"),
    ],
)
def test_what_nobody_can_see_proves_nothing_without_a_mark(agent, html, seen):
    proof = Proof(agent, "department", labels_prove=False)
    proof.load("<h1>E-55</h1>" + "".join(f"<p>Note {n}</p>" for n in range(9)) + html)
    proof.keep(department="Fleet office")
    record = proof.record(department="Fleet office")
    assert ("hidden" if "hidden" in record.doubts else record.how) == seen


@pytest.mark.parametrize(
    "rest",
    [
        "…", " [...]", " (…)", "<button>…see more</button>", " <a href=/x>… more</a>",
        " <a href=/x>[…]</a>",
    ],
)  # fmt: skip
def test_a_text_that_goes_on_elsewhere_was_not_seen(agent, rest):
    proof = Proof(agent, "department", labels_prove=False)
    proof.load(f"<h1>E-55</h1><dl><dt>Department<dd><span>Fleet office</span>{rest}</dl>")
    assert proof.record(department="Fleet office").how == "unseen"
    ((_, entry),) = [(e, e.cut) for e in agent.observation.labelled if e.label == "Department"]
    assert entry


DRAWER = """<div style="position:fixed;inset:0;background:rgba(0,0,0,.5)"></div>
<div role="dialog" aria-modal="true" style="position:fixed;inset:0 0 0 150px;background:white">
<h2>Owner</h2><dl><dt>Email</dt><dd>ada@corp.test</dd></dl></div>"""


def test_what_an_open_dialog_covers_is_not_in_its_picture(agent):
    """A picture of a drawer was named as the proof of the fields of the form behind it."""
    proof = Proof(agent, "reference", "review", "email")
    proof.load(
        "<h1>Risk</h1><p style='position:absolute;left:10px;top:90px'>Reference ZX-4711</p>"
        "<label style='position:absolute;left:400px;top:200px'>Review <input value='ZX-4712'>"
        "</label>"
    )
    proof.pictures.hold(agent.observation, 1)
    agent.page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", DRAWER)
    proof.observe()
    proof.keep(reference="ZX-4711", review="ZX-4712", email="ada@corp.test")
    named = [("reference", "ZX-4711"), ("review", "ZX-4712"), ("email", "ada@corp.test")]
    shown = {name: proof.record(**{name: value}).artifact for name, value in named}
    assert shown["email"] != shown["review"]
    assert shown["email"] == shown["reference"]  # which only a shade is painted over
    assert shown["review"] is not None


def test_a_field_that_the_pointer_cannot_hit_is_covered_by_a_dialog_like_any_other(agent):
    proof = Proof(agent, "status", "email")
    field = "<input style='pointer-events:none' value='Under treatment'>"
    proof.load(f"<h1>Risk</h1><div style='margin-left:300px'><label>Status {field}</label></div>")
    proof.pictures.hold(agent.observation, 1)
    agent.page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", DRAWER)
    proof.observe()
    proof.keep(status="Under treatment", email="ada@corp.test")
    assert proof.record(email="ada@corp.test").artifact == "01_evidence_status_email.png"
    assert proof.record(status="Under treatment").artifact == "02_evidence_status.png"


def test_what_is_only_in_the_text_of_the_page_behind_a_dialog_is_not_in_its_picture(agent):
    """A modal left the browser's own text of the page behind it, and its picture was named as the
    proof of what it covered."""
    proof = Proof(agent, "labels", "email")
    page = "<div id=app style='margin-left:300px'><h1>Contract</h1><p>Labels sole source</p></div>"
    proof.load(page)
    proof.pictures.hold(agent.observation, 1)
    cover = "html => { app.ariaHidden = true; document.body.insertAdjacentHTML('beforeend', html) }"
    agent.page.evaluate(cover, DRAWER)
    proof.observe()
    proof.keep(labels="sole source", email="ada@corp.test")
    assert proof.record(email="ada@corp.test").artifact == "01_evidence_labels_email.png"
    assert proof.record(labels="sole source").artifact == "02_evidence_labels.png"


def test_what_panels_hid_when_a_drawer_opened_has_a_picture_of_its_own(agent):
    """The form of a single-page application stands in a panel: its lower fields were in no picture
    when a drawer had covered them, and a right answer was refused."""
    proof = Proof(agent, "reference", "board", "accepted", "email")
    box = "<label><input type=checkbox checked>Accepted</label>"
    board = f"<p style='{MARKED}'>Board: QK-3308</p>{box}"
    form = panel("<label>Reference <input value='ZX-4711'></label>", board)
    proof.load(f"<h1>Risk</h1><div style='margin-left:200px'>{form}</div>")
    agent.act("screenshot", label="risk")
    box = next(e for e in agent.observation.all_elements if e.name == "Accepted")
    proof.pictures.hold(agent.observation, 1)
    drawer = "html => { panel.scrollTop = 30; document.body.insertAdjacentHTML('beforeend', html) }"
    agent.page.evaluate(drawer, DRAWER)
    proof.observe()
    values = {
        "reference": "ZX-4711",
        "board": "QK-3308",
        "accepted": True,
        "email": "ada@corp.test",
    }
    sources = {"accepted": f"{box.ref[0]}.{box.ref[1]}"}
    answer = Action(action="done", extracted=values, sources=sources)
    proof.pictures.cite(answer, agent.observation, 1)
    proof.keep(**values)
    assert proof.colours(proof.record(board="QK-3308")) == {RED}
    pictures = {proof.record(reference="ZX-4711").artifact, proof.record(accepted=True).artifact}
    assert len(pictures - {None, "01_risk.png"}) == 2


def test_what_a_bar_covers_that_stays_while_a_panel_scrolls_is_brought_below_it(agent):
    """A picture was named as the proof of tags that lay behind the header of the page."""
    proof = Proof(agent, "reference")
    bar = "<div style='position:sticky;top:0;height:40px;background:white'>Risk</div>"
    own = f"<p id='own' style='margin:0;{MARKED}'>Reference ZX-4711</p>"
    proof.load("<h1>Log</h1>" + panel(own).replace('auto">', f'auto">{bar}'))
    top = "panel.scrollTop = own.offsetTop - panel.offsetTop - 20"
    agent.page.evaluate(top)
    proof.observe()
    proof.keep(reference="ZX-4711")
    assert proof.colours(proof.record(reference="ZX-4711")) == {RED}


@pytest.mark.parametrize("keys", [{}, {"read_only": False}, {"read_only": True}])
def test_a_spec_that_does_not_say_that_it_fills_in_forms_is_told_to(agent, keys):
    proof = Proof(agent, "city", **keys)
    proof.load("<h1>Form</h1><input aria-label=City>")
    typed = Action(action="type", selector="City", text="Bergen")
    result = agent.act("type", selector="City", text="Bergen")
    proof.observed.add_action(typed, result, agent.observation, 1)
    proof.observe()
    objection = proof.pictures.objection({"city": "Bergen"})
    assert 'city="Bergen": only what you entered yourself has it' in objection.notice
    assert ("open it again" in objection.notice) is (keys == {"read_only": False})
    assert ("read_only: false" in objection.reason) is (keys == {})
    assert "read_only" not in proof.pictures.objection({"city": "Oslo"}).reason


def test_one_picture_serves_all_values_of_a_state(agent):
    proof = Proof(agent, "reference", "owner")
    proof.load("<h1>Log</h1><p>Reference ZX-4711</p><p>Owner Ann Smith</p>")
    proof.keep(reference="ZX-4711")
    proof.keep(reference="ZX-4711", owner="Ann Smith")
    assert proof.files == ["01_evidence_reference.png"]
    agent.page.evaluate("document.querySelector('h1').textContent = 'Another state'")
    proof.observe()
    proof.keep(owner="Ann Smith")
    assert len(proof.files) == 1  # the earlier state showed it too


def test_the_picture_of_a_state_that_has_one_already_is_kept_once_with_both_labels(agent):
    proof = Proof(agent, "reference", required_artifacts=["record"])
    proof.load("<h1>Log</h1><p>Reference ZX-4711</p>")
    proof.keep(reference="ZX-4711")
    agent.act("screenshot", label="record")
    assert proof.files == ["01_evidence_reference.png"]
    (artifact,) = agent.writer.artifacts
    assert artifact.labels == ("evidence_reference", "record")
    assert proof.record(reference="ZX-4711").artifact == artifact.filename


def test_a_picture_that_is_gone_from_the_folder_is_a_fault_of_the_evidence(agent, site):
    proof = Proof(agent, "reference", required_artifacts=["record"])
    proof.go(f"{site.url}/reference")
    proof.keep(reference="ZX-4711")
    (name,) = proof.files
    (agent.writer.folder / name).unlink()
    proof.go(f"{site.url}/about")
    with pytest.raises(EvidenceError, match=f"cannot read .*{name}"):
        proof.pictures.take_required({"reference": "ZX-4711"}, agent.observation, 3)


def test_a_state_that_was_left_has_a_picture_only_if_a_value_comes_from_it(agent, site):
    proof = Proof(agent, "reference", "owner")
    proof.go(f"{site.url}/reference")
    proof.go(f"{site.url}/owner")
    proof.go(f"{site.url}/about")
    assert proof.files == []
    proof.keep(reference="ZX-4711")
    assert proof.files == ["01_evidence_reference.png"]
    (artifact,) = agent.writer.artifacts
    assert artifact.source_url == f"{site.url}/reference"
    assert proof.record(reference="ZX-4711").artifact == artifact.filename


def test_a_page_that_never_stands_still_is_proven_by_what_stands_still_on_it(agent):
    proof = Proof(agent, "reference")
    proof.load("""<p id=t>0</p><p>Reference ZX-4711</p><script>
    setInterval(() => { t.textContent = 'Tick ' + performance.now(); }, 1);</script>""")
    proof.keep(reference="ZX-4711")
    (artifact,) = agent.writer.artifacts
    assert artifact.page_state == ""
    assert proof.record(reference="ZX-4711").artifact == artifact.filename


def test_what_was_extracted_is_proven_by_a_picture_in_which_only_something_else_has_changed(agent):
    """A long text that the list cuts: the page went on loading between extract and screenshot."""
    cause, proof = "The deed says 3.41. " * 30 + "Reference ZX-4711", Proof(agent, "cause")
    proof.load(f"<h1>Ticket</h1><p>{cause}</p><p id=clock>12:00</p>")
    number = next(e.index for e in agent.observation.elements if e.name.startswith("The deed"))
    result = agent.act("extract", selector=str(number))
    action = Action(action="extract", selector=str(number))
    proof.observed.add_action(action, result, agent.observation, 1)
    agent.page.evaluate("clock.textContent = '12:01'")
    agent.act("screenshot", label="ticket")
    assert proof.record(cause=cause).artifact == "01_ticket.png"
    agent.page.evaluate("document.querySelector('p').textContent = 'gone'")
    agent.act("screenshot", label="later")
    assert proof.record(cause=cause).artifact == "01_ticket.png"


def test_a_screenshot_names_the_state_that_the_observation_names(agent):
    observation = agent.load_html("<h1>Record</h1><label>Name <input value=Ann></label>")
    first = agent.act("screenshot", label="record").artifact
    assert first.page_state == observation.state != ""
    agent.page.locator("input").fill("Bob")
    second = agent.act("screenshot", label="record").artifact
    assert second.page_state not in ("", first.page_state)


@pytest.fixture
def site():
    site = Site()
    site.pages = {
        "/reference": "<h1>Log</h1><p>Reference ZX-4711</p>",
        "/owner": "<h1>Log</h1><p>Owner Ann Smith</p>",
        "/about": "<h1>About us</h1>",
    }
    yield site
    site.close()


VIRTUAL = """<h1>Devices</h1><div id=view style="height:100px;overflow:auto"><div id=all
style="height:9000px;position:relative"></div></div><script>
function draw() {
  const first = Math.floor(view.scrollTop / 20);
  all.innerHTML = '';
  for (let i = Math.max(0, first - 3); i < first + 12; i++)
    all.innerHTML += `<p style="position:absolute;margin:0;top:${i * 20}px">Device D-${1000 + i}
      is in room R-${i % 7 + 4000}</p>`;
}
view.onscroll = () => requestAnimationFrame(draw); draw()</script>"""


def test_a_list_that_is_painted_anew_as_it_scrolls_is_in_the_picture(agent):
    proof = Proof(agent, "room")
    proof.load(VIRTUAL)
    agent.act("scroll", selector="#view", direction="down")
    agent.act("scroll", selector="#view", direction="down")
    proof.observe()
    proof.keep(room="R-4004")
    assert proof.record(room="R-4004").artifact == "01_evidence_room.png"


ENTRY = (
    f"<div style='height:40px'><span style='{MARKED}'><b>Person</b> <i>{{:02}}</i></span> "
    "<em>x</em></div>"
)
ENTRIES = "".join(ENTRY.format(number) for number in range(1, 41))


@pytest.mark.parametrize(
    "around",
    [
        "<div style='height:300px;overflow:auto'>{}</div>",
        "<div style='height:200px;overflow:auto'><div style='height:400px'></div>"
        "<div style='height:300px;overflow:auto'>{}</div></div>",
        "<div style='height:300px;overflow:auto'>"
        "<h2 style='position:sticky;top:0;height:60px;background:#fff'>Head</h2>{}</div>",
        "<dialog id=d><div style='height:200px;overflow:auto'>{}</div></dialog>"
        "<script>d.showModal()</script>",
    ],
    ids=["panel", "panel in a panel", "below a bar", "in a dialog"],
)
def test_a_line_is_where_the_elements_of_its_parts_are(agent, around):
    proof = Proof(agent, "members")
    proof.load("<h1>Members</h1>" + around.format(ENTRIES))
    members = [{"name": "Person 01"}, {"name": "Person 33"}]
    proof.keep(members=members)
    assert proof.pictures.objection({"members": members}) is None
    first, last = (own["name"] for own in proof.pictures.ground({"members": members})["members"])
    assert first.artifact != last.artifact
    assert RED in proof.colours(first) & proof.colours(last)


def test_a_line_that_is_partly_out_of_view_is_in_no_picture(agent):
    proof = Proof(agent, "name")
    wide = "<b>Person</b> <span style='margin-left:600px'>Ahrens</span>"
    proof.load(f"<h1>Members</h1><div style='width:300px;overflow:auto'><nobr>{wide}</nobr></div>")
    agent.act("screenshot", label="members")
    assert proof.record(name="Person Ahrens").artifact is None


PAINTS_LATE = """<script>let painted = -1;
panel.onscroll = () => requestAnimationFrame(() => { painted = panel.scrollTop })</script>"""


def test_a_picture_waits_until_what_was_scrolled_is_painted(agent):
    proof = Proof(agent, "reference")
    proof.load("<h1>Log</h1>" + panel("<p>Reference ZX-4711</p>") + PAINTS_LATE)
    for top in range(1, 9):
        agent.page.evaluate("top => { panel.scrollTop = top }", top)
        agent.tabs.readers.wait_for_paint(agent.page.main_frame)
        assert agent.page.evaluate("painted") == top
    agent.page.context.new_page().bring_to_front()  # a page in the background is never painted
    agent.tabs.readers.wait_for_paint(agent.page.main_frame)
    proof.keep(reference="ZX-4711")
    assert proof.record(reference="ZX-4711").artifact == "01_evidence_reference.png"


def test_a_message_that_has_gone_meanwhile_keeps_no_value_out_of_the_picture(agent):
    proof = Proof(agent, "state")
    field = f'<input aria-label=State style="border:0;{MARKED}" value=APPROVED>'
    proof.load(f"<p id=message>Saved</p>{panel(field)}")
    agent.page.evaluate("message.remove()")
    proof.keep(state="APPROVED")
    assert proof.colours(proof.record(state="APPROVED")) == {RED}


def test_a_message_that_goes_by_itself_was_pictured_when_it_came(agent):
    proof = Proof(agent, "confirmation")
    proof.load("<h1>Inbox</h1><p id=p>No mail</p><div id=toast></div>")
    before = agent.observation
    agent.page.evaluate("toast.innerHTML = '<p role=status>2 conversations archived</p>'")
    proof.observe()
    proof.pictures.hold_message(before, agent.observation, 1)
    agent.page.evaluate("toast.innerHTML = ''")
    proof.observe()
    proof.keep(confirmation="2 conversations archived")
    assert proof.record(confirmation="2 conversations archived").artifact == (
        "01_evidence_confirmation.png"
    )
    proof.pictures.hold_message(agent.observation, agent.observation, 2)
    assert len(proof.files) == 1


@pytest.mark.parametrize("columns", [9, 60], ids=["whole", "cut"])
def test_a_cell_that_a_wide_table_hides_is_in_no_picture_until_it_is_scrolled_to(agent, columns):
    heads = "".join(f"<th>Column {n}</th>" for n in range(columns))
    cells = "".join(f"<td>entry of column {n}</td>" for n in range(columns))
    proof = Proof(agent, "description")
    proof.load(
        "<h1>core-01</h1><div style='width:500px;overflow-x:auto;white-space:nowrap'><table>"
        f"<tr><th>Name</th>{heads}<th>Description</th></tr>"
        f"<tr><td>ge-0/0/1</td>{cells}<td style='background:red'>Uplink to Riga</td></tr>"
    )
    proof.agent.writer.save_screenshot(proof.agent.executor.take_picture(), "before", 1)
    assert proof.record(description="Uplink to Riga").artifact is None
    proof.keep(description="Uplink to Riga")
    record = proof.record(description="Uplink to Riga")
    assert record.artifact == proof.files[1]
    assert RED in proof.colours(record)
    assert proof.record(description="ge-0/0/1").artifact == proof.files[0]


PAINTED_ANEW = "gap.remove(); box.innerHTML = box.innerHTML"
MOVING = "<p id=gap>First part</p><p id=box><b style='background:red'>ZX-4711</b></p>"


@pytest.mark.parametrize("how", ["held", "asked for"])
def test_a_picture_of_what_an_animation_made_of_the_page_shows_what_is_read_of_it_then(
    agent, site, how
):
    site.pages["/next"] = "<h1>Next</h1>"
    proof = Proof(agent, "reference")
    proof.load(f"<h1>Reference</h1>{MOVING}")
    agent.page.evaluate(PAINTED_ANEW)
    if how == "asked for":
        seen = agent.observation
        artifact = agent.act("screenshot", label="reference").artifact
        proof.pictures.read_what_it_shows(artifact.filename, seen)
    proof.go(site.url + "/next")
    proof.keep(reference="ZX-4711")
    assert RED in proof.colours(proof.record(reference="ZX-4711"))


STATUS = """<style>.over { text-decoration: line-through } .not::before { content: "Not " }
.gone { visibility: hidden } .lit { background: yellow } .big { font-size: 40px }</style>
<main><h1>Request 7</h1><dl><dt>Status</dt><dd id=status>Approved</dd></dl></main>"""


@pytest.mark.parametrize("labelled", [True, False])
@pytest.mark.parametrize(
    ("name", "is_proven"),
    [("over", False), ("not", False), ("gone", False), ("lit", True), ("big", True)],
)
def test_a_picture_proves_only_what_the_page_still_has_when_it_is_read_again(
    agent, name, is_proven, labelled
):
    proof = Proof(agent, "status", labels_prove=labelled)
    proof.load(STATUS)
    agent.page.evaluate("name => { document.getElementById('status').className = name }", name)
    proof.keep(status="Approved")
    record = proof.record(status="Approved")
    is_sure = record.artifact is not None and not record.doubts
    assert is_sure == is_proven, record


@pytest.mark.parametrize(
    "script",
    [
        "document.styleSheets[0].insertRule('#status { text-decoration: line-through }', 0)",
        """sheet = new CSSStyleSheet(); sheet.replaceSync('dd::before { content: "Not " }');
        document.adoptedStyleSheets = [sheet]""",
    ],
)
def test_a_rule_that_a_script_adds_to_a_style_sheet_is_a_change_like_a_class(agent, script):
    proof = Proof(agent, "status")
    proof.load(STATUS)
    agent.page.evaluate(script)
    proof.keep(status="Approved")
    record = proof.record(status="Approved")
    assert record.artifact is None or record.doubts


def test_a_picture_that_was_asked_for_with_the_answer_proves_only_what_is_still_read(agent):
    proof = Proof(agent, "status")
    proof.load(STATUS)
    agent.page.evaluate("document.getElementById('status').className = 'over'")
    seen = agent.observation
    artifact = agent.act("screenshot", label="status").artifact
    proof.pictures.read_what_it_shows(artifact.filename, seen)
    proof.keep(status="Approved")
    assert proof.record(status="Approved").artifact is None


@pytest.mark.parametrize(("name", "is_proven"), [("over", False), ("lit", True)])
def test_a_picture_of_a_page_that_was_left_proves_only_what_was_still_read_then(
    agent, site, name, is_proven
):
    site.pages["/next"] = "<h1>Next</h1>"
    proof = Proof(agent, "status")
    proof.load(STATUS)
    agent.page.evaluate("name => { document.getElementById('status').className = name }", name)
    proof.go(site.url + "/next")
    proof.keep(status="Approved")
    assert (proof.record(status="Approved").artifact is not None) == is_proven


@pytest.mark.parametrize(
    "cell", ["<td><s>Approved</s>", "<td class=over>Approved", "<td><s>Approved</s> (of May)"]
)
@pytest.mark.parametrize("more", ["", "<p>Read on Monday</p>" * 30])
def test_a_struck_out_cell_is_no_value_by_the_line_of_the_page_either(agent, cell, more):
    proof = Proof(agent, "status", labels_prove=False)
    style = STATUS.partition("<main>")[0]
    table = f"<table><tr><th>Status{cell}<tr><th>Owner<td>Ann Lee</table>"
    proof.load(f"{style}<main><h1>Request 7</h1>{table}{more}</main>")
    proof.keep(status="Approved")
    assert proof.record(status="Approved").how == "unseen"
    assert proof.record(status="Ann Lee").how == "verbatim"


@pytest.mark.parametrize("name", ["not", "lit"])
def test_a_row_does_not_outweigh_the_doubt_about_its_cell(agent, name):
    proof = Proof(agent, "status")
    style, text = STATUS.partition("<main>")[0], "<p>Read on Monday, in the main office</p>" * 30
    table = f"<table><tr><th>Status<td class={name}>Approved<tr><th>Owner<td>Ann Lee</table>"
    proof.load(f"{style}<main><h1>Request 7</h1>{table}{text}</main>")
    proof.keep(status="Approved")
    assert bool(proof.record(status="Approved").doubts) == (name == "not")
