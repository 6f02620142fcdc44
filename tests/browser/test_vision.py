"""Pages whose elements say too little: accessibility tree, a model that reads pictures, OCR."""

from __future__ import annotations

import io
import shutil
import stat
from contextlib import nullcontext

import pytest
from PIL import Image

from pytest_bwa.errors import ModelFailed
from pytest_bwa.page.perception import ocr
from pytest_bwa.page.perception.vision import Vision, VisionGoal
from pytest_bwa.steps.step import ModelAnswer, Usage

ICON = '<svg width=16 height=16><circle cx=8 cy=8 r=8 fill="red"/></svg>'
CHECKS = f"""<title>Checks</title><h1>Checks</h1><table>
<tr><td>{ICON}</td><td>build</td></tr><tr><td>{ICON}</td><td>lint</td></tr></table>
{"".join(f"<p>line {n}</p>" for n in range(12))}"""
GOAL = VisionGoal("count the failed checks", ["checks_failed"])
RUN = f"<h1>Run 7</h1><p>{ICON} Retry all</p><dl><dt>Run state</dt><dd>failed</dd></dl>"
CANVAS = "<canvas width=600 height=400></canvas>"
TEXTS = "".join(f"<p>paragraph {n} of the minutes</p>" for n in range(12))
PNG = b"\x89PNG\r\n"


class VisionModel:
    """A vision model with a fixed answer, which records the questions and pictures."""

    def __init__(self, answer: str | ModelFailed = "next to build: a red cross") -> None:
        self.answer, self.questions, self.pictures = answer, [], []

    def read_picture(self, png, question, seconds_left):
        self.pictures.append(png)
        self.questions.append(question)
        if isinstance(self.answer, ModelFailed):
            raise self.answer
        return ModelAnswer(self.answer, Usage(calls=1), "vl")


@pytest.fixture
def make_vision(agent):
    def make(vision_model=None, text=None, **more):
        within = lambda seconds, what: nullcontext()  # noqa: E731 - no time limit
        return Vision(
            agent.tabs, within, agent.writer, vision_model=vision_model,
            ocr=text and (lambda png: text), **more,
        )  # fmt: skip

    return make


# -- the accessibility tree ----------------------------------------------------------------------


def test_elements_in_a_closed_shadow_root_are_observed_and_clicked(agent):
    agent.settler.limit(2)  # what is in it is no content for scripts
    observation = agent.load_html(
        """<div id=host></div><script>
        const root = host.attachShadow({mode: 'closed'});
        root.innerHTML = '<h2>Hidden record</h2><button>Approve</button>'
          + '<input type=password aria-label=Pin value=secret-pin><a href="/x">More</a>';
        root.querySelector('button').onclick = () => document.title = 'approved';
        </script>"""
    )
    lines = "\n".join(observation.lines())
    assert '[heading] "Hidden record"' in lines
    assert '[link] "More"' in lines
    assert "secret-pin" not in repr(observation)
    agent.act("click", selector=agent.index("Approve"))
    assert agent.observation.title == "approved"


# -- a vision model ----------------------------------------------------------------------------


def test_pictures_next_to_wanted_text_are_sent_with_a_question_and_saved(agent, make_vision):
    looker = VisionModel()
    observation = agent.load_html(CHECKS)
    assert observation.unnamed_pictures == ("| build", "| lint")
    observation, usage = make_vision(looker).look(observation, GOAL, 3, None)
    assert usage.calls == 1
    (line,) = observation.other_lines
    assert f"[{line.index}] [vision] next to build: a red cross" in observation.lines()
    assert observation.element(line.index) is None
    assert observation.picture_text.model == "vl"
    assert "next to “| build”" in observation.picture_text.why
    (question,) = looker.questions
    for part in ("count the failed checks", "checks_failed", '[heading] "Checks"', "icons"):
        assert part in question
    assert "describe" not in question.lower()
    (artifact,) = agent.writer.artifacts
    # The picture that the model sees has numbers; the evidence has none.
    (sent,) = looker.pictures
    clean = (agent.writer.folder / artifact.filename).read_bytes()
    assert marked_pixels(sent) > 0
    assert marked_pixels(clean) == 0


def test_a_question_about_a_long_page_ends_with_a_whole_line(agent, make_vision):
    looker = VisionModel()
    more = "".join(f"<p>step {n} of the pipeline was run</p>" for n in range(60))
    make_vision(looker).look(agent.load_html(CHECKS + more), GOAL, 1, None)
    listed = [line for line in looker.questions[0].split("\n") if line.startswith("[")]
    assert set(listed) < set(agent.element_lines())


def test_nothing_more_is_neither_shown_nor_kept_as_evidence(agent, make_vision):
    looker = VisionModel("Nothing more.")
    vision = make_vision(looker)
    agent.load_html(CHECKS)
    for step in (1, 2):
        observation, _ = vision.look(agent.observer.observe(), GOAL, step, None)
        assert observation.picture_text is None
        assert observation.unread_pictures == ""
    assert len(looker.questions) == 1
    assert agent.writer.artifacts == []


def test_the_pictures_behind_a_dialog_are_none_of_the_page(agent, make_vision):
    """A dialog of plain notes was asked about, for the icons of the rows behind it."""
    looker = VisionModel()
    dialog = (
        "<div role=dialog aria-modal=true style='position:fixed;inset:0;background:white'>"
        "<h2>Checks of the build</h2><p>None yet</p></div>"
    )
    make_vision(looker).look(agent.load_html(CHECKS + dialog), GOAL, 1, None)
    assert looker.questions == []


def test_an_unchanged_page_is_not_sent_twice(agent, make_vision):
    looker = VisionModel()
    vision = make_vision(looker)
    first = agent.load_html(CHECKS)
    for _ in range(3):
        result, _ = vision.look(agent.observer.observe(), GOAL, 1, None)
        assert result.picture_text is not None
    assert len(looker.questions) == 1
    agent.page.evaluate("document.querySelector('tr').remove()")
    vision.look(agent.observer.observe(), GOAL, 2, None)
    assert len(looker.questions) == 2
    assert first.picture_text is None


def test_what_is_written_into_a_field_makes_no_new_picture_of_icons(agent, make_vision):
    looker = VisionModel()
    vision = make_vision(looker)
    field = "<input aria-label=Comment><label><input type=checkbox>Urgent</label>"
    style = "<style>.bad circle { fill: blue }</style>"
    agent.load_html(style + field + CHECKS.replace('fill="red"', ""))
    changes = {
        "document.querySelector('input').value = 'late'": 1,
        "document.querySelector('[type=checkbox]').checked = true": 1,
        "document.querySelector('p').textContent = 'line zero'": 1,
        "document.querySelector('tr').className = 'bad'": 2,  # and so of another colour
        "document.querySelector('td svg').innerHTML = '<path d=\"M0 0h9v9z\"/>'": 3,
        "document.querySelector('td + td').textContent = 'deploy'": 4,  # beside the first icon
    }
    vision.look(agent.observer.observe(), GOAL, 1, None)
    for change, asked in changes.items():
        before = agent.observer.observe().dom_hash
        agent.page.evaluate(change)
        observation, _ = vision.look(agent.observer.observe(), GOAL, 2, None)
        assert observation.picture_text is not None
        assert len(looker.questions) == asked, change
        assert observation.dom_hash != before or asked in (2, 3), "nothing has changed"


PICTURES = {
    "judgment": (CHECKS, VisionGoal("g", [], "Did the checks fail?"), True),
    "other judgment": (CHECKS, VisionGoal("g", [], "Is the vendor insured?"), False),
    "the text says it": (f"<button>{ICON}</button><p>Status: Open {ICON}</p>",
        VisionGoal("g", ["status"]), False),
    "beside a field": (f"<p>Name: Ada</p><p>Verified {ICON}</p>",
        VisionGoal("g", ["is_verified"]), True),
    "few elements": (f"<button>{ICON}</button><p>Name: Ada</p>",
        VisionGoal("g", ["name", "city"]), False),
    "labelled": (RUN, VisionGoal("g", ["run_state"]), False),
    "labelled by an alias": (RUN,
        VisionGoal("g", ["run_result"], aliases={"run_result": ["Run state"]}), False),
    "only a heading": (RUN, VisionGoal("g", ["run_state", "run_owner"]), True),
    "complete": (CHECKS, VisionGoal("g", []), False),  # nothing is missing
    "other page": (CHECKS, VisionGoal("g", ["due_date"]), False),
    "no pictures": (CHECKS.replace(ICON, ""), GOAL, False),  # no picture
    "painted": ("<canvas></canvas><canvas></canvas><button></button>",
        VisionGoal("g", ["total"]), True),
    "one canvas": (f"<h1>Sales</h1>{CANVAS}", VisionGoal("g", ["total"]), True),
    "judged": (f"<h1>Sales</h1>{CANVAS}", VisionGoal("g", [], "Were the sales good?"), True),
    "its text says it": (f"<h1>Sales</h1><p>Total: 7</p>{CANVAS}",
        VisionGoal("g", ["total"]), False),
    "one of two": (f"<h1>Sales</h1><p>Total: 7</p>{CANVAS}",
        VisionGoal("g", ["total", "owner"]), True),
    "a row says it": (f"<table><tr><td>Total<td>7</table>{CANVAS}",
        VisionGoal("g", ["total"]), False),
    "long": (CANVAS + TEXTS, VisionGoal("g", ["total"]), True),  # a long page
    "scan": (f"<img src=/scan.png width=300 height=200>{TEXTS}", VisionGoal("g", ["total"]), True),
    "decoration": (f"<img alt='' width=300 height=200>{TEXTS}", VisionGoal("g", ["total"]), False),
    "small": (f"<h1>Quality</h1>{ICON * 5}", VisionGoal("g", ["rating"]), True),
    "small, but said": (f"<h1>Quality</h1><p>Rating: 4</p>{ICON * 5}",
        VisionGoal("g", ["rating"]), False),
    "small in a text": (ICON * 5 + TEXTS, VisionGoal("g", ["rating"]), True),
    "small in much": (ICON * 5 + TEXTS + "<a href=/x>x</a> " * 9,
        VisionGoal("g", ["rating"]), False),
    "canvas on top": (f"<header>{CANVAS}</header>{TEXTS}", VisionGoal("g", ["due_date"]), False),
    "canvas of nobody": (f"<div hidden>{CANVAS}</div>{TEXTS}",
        VisionGoal("g", ["due_date"]), False),
}  # fmt: skip
"""Pages, what is asked of them, and whether a picture can add to what their texts say."""


def test_a_picture_is_sent_only_if_it_can_add_information(agent, make_vision):
    asked = {}
    for name, (html, goal, _) in PICTURES.items():
        looker = VisionModel()
        make_vision(looker).look(agent.load_html(html), goal, 1, None)
        asked[name] = bool(looker.questions)
    assert asked == {name: is_asked for name, (_, _, is_asked) in PICTURES.items()}


def test_a_failure_of_the_vision_model_costs_no_step(agent, make_vision):
    looker = VisionModel(ModelFailed("529", Usage(calls=1)))
    vision = make_vision(looker)
    observation, usage = vision.look(agent.load_html(CHECKS), GOAL, 1, None)
    assert usage.calls == 1
    assert "pictures without any text" in observation.unread_pictures
    assert "(the picture could not be looked at: 529)" in observation.unread_pictures
    assert observation.picture_text is None, "our own words are no text of a page"
    assert agent.writer.artifacts == []
    again, _ = vision.look(agent.observer.observe(), GOAL, 2, None)
    assert again.unread_pictures == observation.unread_pictures
    assert len(looker.questions) == 1


def test_without_a_vision_model_the_observation_says_that_pictures_are_unread(agent, make_vision):
    observation, _ = make_vision().look(agent.load_html(CHECKS), GOAL, 1, None)
    assert observation.picture_text is None
    assert "pictures without any text" in observation.unread_pictures
    assert agent.writer.artifacts == []


def test_what_only_a_picture_holds_is_said_in_the_list(agent):
    agent.load_html(
        f"""<header><img src=/logo.png width=200 height=80></header><h1>Sales</h1>{CANVAS}
        <img src=/scan.png width=300 height=200><img alt="" src=/b.png width=300 height=200>
        <canvas aria-label="By month" width=400 height=300></canvas>
        <img alt=Map src=/map.png width=300 height=200><button>{ICON} Buy</button>
        <p>{ICON}</p><a href="/x"><img src=/c.png width=90 height=90></a>
        <svg width=200 height=100><circle r=9 /></svg>
        <svg width=200 height=100><text y=20>Peak</text></svg>{ICON}"""
    )
    lines = [line.partition("] ")[2] for line in agent.lines()]
    assert [line for line in lines if "×" in line] == [
        "[canvas] 600×400: look at it",
        "[img] 300×200: look at it",
        '[canvas] "By month" 400×300: look at it',
        "[img] 200×100: look at it",
    ]
    assert '[img] "Map"' in lines
    assert any("2 small pictures have no text: look shows them." in line for line in agent.lines())
    agent.load_html("<img src=/scan.png width=300 height=200>" * 13)
    assert sum("look at it" in line for line in agent.lines()) == 10
    assert "3 small pictures have no text" in agent.lines()[-1]


def test_a_page_of_pictures_is_looked_at_at_once_and_without_a_model_it_is_said(agent, make_vision):
    looker = VisionModel()
    seen = agent.load_html(f"<nav><a href=/1>Home</a></nav>{CANVAS}")
    make_vision(looker).look(seen, GOAL, 1, None)
    assert len(looker.questions) == 1
    vision = make_vision()
    for step in (1, 2):
        observation, _ = vision.look(seen, GOAL, step, None)
    assert observation.unread_pictures == "the page shows pictures only"


# -- a look that the policy asks for ---------------------------------------------------------------


def marked_pixels(png: bytes) -> int:
    """The pixels in the colour of the numbers' background."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    return sum(n for n, colour in image.getcolors(1 << 24) if colour == (0xC2, 0x18, 0x5B))


def test_look_gives_the_picture_cropped_and_with_the_numbers_of_the_list(agent):
    agent.load_html(
        f"<body style='margin:0'><div style='padding:100px 200px'><button>{ICON}</button>"
        f"<span>plain</span> <a href='/x'>link</a></div>"
    )
    result = agent.act("look", question="Which icon is the bin?")
    assert result.success
    png = result.picture
    image = Image.open(io.BytesIO(png))
    assert image.width < 400
    assert image.height < 120
    assert marked_pixels(png) > 100
    assert agent.writer.artifacts == []  # it is no evidence


def test_look_shows_the_part_in_view_of_a_long_page(agent):
    agent.load_html(
        "<body style='margin:0'><div style='height:5000px;background:linear-gradient(red,blue)'>"
        "</div><button>end</button>"
    )
    agent.act("scroll", direction="down")
    image = Image.open(io.BytesIO(agent.act("look").picture))
    assert image.height <= 900


# -- an empty tree -----------------------------------------------------------------------------

PAINTED = """<body style="margin:0"><canvas id=c width=900 height=200></canvas><script>
const x = c.getContext('2d'); x.fillStyle = '#fff'; x.fillRect(0, 0, 900, 200);
x.fillStyle = '#000'; x.font = '40px sans-serif'; x.fillText('Department: Finance', 20, 80);
</script>"""


def test_a_page_without_elements_for_two_steps_is_read_by_ocr(agent, make_vision):
    vision = make_vision(text="Department: Finance\nnonsense")
    first, _ = vision.look(agent.load_html(PAINTED), GOAL, 1, None)
    assert first.is_bare
    assert first.lines() == ["[0] [canvas] 900×200: look at it", "1 element, all."]
    assert first.picture_text is None
    second, usage = vision.look(agent.observer.observe(), GOAL, 2, None)
    assert second.picture_text.source == "ocr"
    assert usage.calls == 0
    assert [line.text for line in second.other_lines] == ["Department: Finance", "nonsense"]
    department, _ = second.other_lines
    assert f"[{department.index}] [ocr] Department: Finance" in second.lines()
    assert [(v.label, v.value) for v in second.labelled] == [("Department", "Finance")]


def test_a_page_that_has_nothing_but_its_menu_is_read_by_ocr_too(agent, make_vision):
    vision = make_vision(text="Department: Finance\nnonsense")
    agent.load_html(f"<nav><a href=/1>Home</a></nav>{PAINTED}")
    for step in (1, 2):
        observation, _ = vision.look(agent.observer.observe(), GOAL, step, None)
    assert [e.name for e in observation.elements] == ["Home", ""]
    assert observation.picture_text.source == "ocr"


def test_ocr_that_read_nothing_is_no_text_of_the_page(agent, make_vision):
    vision = make_vision(text=" \n")
    agent.load_html(PAINTED)
    for step in (1, 2):
        observation, _ = vision.look(agent.observer.observe(), GOAL, step, None)
    assert observation.picture_text is None
    assert observation.unread_pictures == ("the page shows pictures only (OCR could read no text)")


def test_a_vision_model_is_preferred_to_ocr(agent, make_vision):
    looker = VisionModel("Department: Finance")
    vision = make_vision(looker, text="never asked")
    agent.load_html(PAINTED)
    for step in (1, 2):
        observation, _ = vision.look(agent.observer.observe(), GOAL, step, None)
    assert observation.picture_text.source == "vision"
    assert len(looker.questions) == 1


def test_tesseract_is_used_if_installed_and_reported_if_missing(monkeypatch, tmp_path):
    """Uses a program named tesseract on PATH that writes the output file pytesseract expects."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ocr.find_reader() is None
    assert "tesseract is not on PATH" in ocr.find_problem()
    program = tmp_path / "tesseract"
    program.write_text('#!/bin/sh\nprintf "Department: Finance" > "$2.txt"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    read = ocr.find_reader()
    assert read is not None
    picture = io.BytesIO()
    Image.new("RGB", (40, 20)).save(picture, "PNG")
    assert read(picture.getvalue()) == "Department: Finance"
    assert read(b"no picture") == ""


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract-ocr is not installed")
def test_the_real_tesseract_reads_a_painted_page(agent):
    agent.load_html(PAINTED)
    read = ocr.find_reader()
    assert read is not None
    assert "Department: Finance" in read(agent.page.screenshot())


# -- pages of every kind -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b'{"a": 1}'),
        ("text/plain", b"just text\n" * 9),
        ("application/xml", b"<?xml version='1.0'?><root><a>1</a></root>"),
        ("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'><text y='20'>Hi</text></svg>"),
        ("text/html", b"<frameset cols='50%,50%'><frame src='/f'><frame src='/f'></frameset>"),
        ("text/html", b""),
        ("text/html", b"<p>" + b"word " * 400_000 + b"</p><button>Here</button>"),
        ("text/html", b"<div>" * 3000 + b"<button>Deep</button>"),
    ],
    ids=[
        "json",
        "text",
        "xml",
        "svg",
        "frameset",
        "nothing",
        "2 MB",
        "3000 deep",
    ],
)
def test_unusual_documents_can_be_observed(agent, site, kind, body):
    site.pages["/odd"] = (200, {"Content-Type": kind}, body)
    site.pages["/f"] = "<h1>In a frame</h1>"
    if not body:  # waited for until the time is up
        agent.settler.limit(2)
    agent.act("goto", url=site.url + "/odd")
    assert agent.observation.url == site.url + "/odd"
    if b"<button>" in body:
        assert any(e.role == "button" for e in agent.observation.elements)
    if b"frameset" in body:
        assert "In a frame" in str(agent.lines())


def test_nested_frames_and_frames_of_other_origins_are_observed_and_clicked(agent, site):
    other = site.url.replace("127.0.0.1", "localhost")
    site.pages |= {
        "/": f"<h1>Top</h1><iframe src='{other}/a' width=600 height=400></iframe>",
        "/a": "<p>Middle</p><iframe src='/b' width=500 height=300></iframe>",
        "/b": "<button onclick=\"this.textContent='Pressed'\">Press</button>",
    }
    agent.act("goto", url=site.url + "/")
    agent.act("wait")
    assert '[text] "Middle"' in str(agent.lines())
    agent.act("click", selector=agent.index("Press"))
    assert '"Pressed"' in str(agent.lines())
