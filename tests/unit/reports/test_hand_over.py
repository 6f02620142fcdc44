"""The pages that people hand over, made from records: what they say, and that they obey nothing."""

from __future__ import annotations

import io
import re
import weakref
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import Judgment, SampleResult
from pytest_bwa.evidence.run_record import FileRecord, Origin, RunRecord
from pytest_bwa.reports.base import FinishedRun, FinishedSample
from pytest_bwa.reports.handover import sample_content
from pytest_bwa.reports.handover.legend import WORDS, sample_files
from pytest_bwa.reports.handover.origin import run_origin
from pytest_bwa.reports.handover.reading_times import PageRead, ReadingTimes
from pytest_bwa.reports.handover.report import write_run_page, write_sample_page
from pytest_bwa.reports.handover.sample_content import MAX_CROPS
from pytest_bwa.reports.handover.values import seen_values
from pytest_bwa.reports.pictures import AROUND_X, AROUND_Y, crop, open_picture
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import SampleList
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.spec.workpaper import Workpaper
from pytest_bwa.steps.requests import BlockedRequest, Write
from pytest_bwa.steps.step import Artifact, Step, Usage

AROUND = (AROUND_X, AROUND_Y)
HOSTILE = "<script>document.title='gone'</script><img src=x onerror=alert(1)>\u202egnp"
TASK = TaskSpec(
    task_id="tickets", goal="Read the ticket.",
    output_schema={"owner": "string", "checks": "array"},
    judgment_question="Was it approved?", judgment_required=True,
)  # fmt: skip
SAMPLE = Sample("T-1", {"sample_id": "T-1", "team": HOSTILE, "xfail": "known"})


def artifact(name: str) -> Artifact:
    return Artifact(
        filename=name, sha256="ab" * 32, source_url="https://a.org/T-1",
        timestamp="2026-11-22T08:56:56.028Z", label="the ticket", step=1,
    )  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = RunFolder.create(tmp_path, "run_1")
    file = FileRecord(path="x.yaml", sha256="cd" * 32)
    record = RunRecord(
        run_id="run_1", task_id="tickets", policy="claude", model="m", spec=file, samples=file,
        started_at="2026-11-22T08:56:00Z", samples_in=2,
        versions={"python": "3.11", "anthropic": "9"},
        origin=Origin(command_line=["--task", "x.yaml"], user="ada", host="desk"),
    )  # fmt: skip
    folder.write_inputs(record, {}, "")
    folder.sample("T-1").mkdir()
    Image.new("RGB", (800, 600), "#ffffff").save(folder.sample("T-1") / "01_page.png")
    return folder


def seen(**changes: Any) -> Grounding:
    fields = {
        "how": "verbatim", "url": "https://a.org/T-1", "text": f"Owner {HOSTILE}",
        "box": (100, 100, 50, 20), "artifact": "01_page.png",
    }  # fmt: skip
    return Grounding(**{**fields, **changes})


def result(**changes: Any) -> SampleResult:
    fields = {
        "sample_id": "T-1", "task_id": "tickets", "status": "needs_review", "outcome": "found",
        "reason": f"not sure: {HOSTILE}", "flagged": True, "policy": "claude", "model": "m",
        "extracted": {"owner": HOSTILE, "checks": [{"name": "lint", "ok": True}], "due": None},
        "grounding": {
            "owner": seen(doubts=("other_value",), against={"other_value": "Owner | bo"}),
            "checks": [{"name": seen(how="normalised", rule="case"), "ok": seen(how="unseen")}],
        },
        "judgment": Judgment(answer="inconclusive", confidence=0.5, reasoning=HOSTILE),
        "artifacts": [artifact("01_page.png"), artifact("downloads/a b.pdf")],
        "started_at": "2026-11-22T08:56:00Z", "finished_at": "2026-11-22T08:57:00Z",
        "usage": Usage(calls=2, cost_usd=0.0123),
    }  # fmt: skip
    return SampleResult(**{**fields, **changes})


def sample_page(run: RunFolder, found: SampleResult) -> str:
    write_sample_page(FinishedSample(TASK, SAMPLE, found, run, "x"))
    return (run.sample("T-1") / "index.html").read_text()


def test_the_page_of_a_sample_says_what_was_found_how_and_where(run):
    page = sample_page(run, result())
    for part in (
        "Read the ticket.", "to review", "flagged: to be looked at", "seen word for word",
        "seen in another form (case)", "not seen on any page", "checks[0].name", "Owner | bo",
        "https://a.org/T-1", "Was it approved?", "inconclusive", "2026-11-22 08:56:56.028 UTC",
        "ab" * 32, "01_page.framed.png", "downloads/a%20b.pdf", "ada on desk", "$0.0123",
        "python 3.11", "Signature",
    ):  # fmt: skip
        assert part in page, part
    assert "pytest --task x.yaml" in page
    for part in (
        "task, as given",
        "cd" * 32,
        "task, the run&#39;s copy",
        run.record().spec.copy_sha256,
    ):
        assert part in page, part
    assert page.count("data:image/webp;base64,") == 3
    framed = Image.open(run.sample("T-1") / "01_page.framed.png")
    assert framed.width == 800
    assert framed.height > 600
    assert "said that this sample would fail: “known”" in page


def test_no_text_of_a_page_or_a_model_is_obeyed(run):
    page = sample_page(run, result())
    assert "<script>" not in page
    assert "<img src=x" not in page
    assert "\u202e" not in page
    assert "\\u202e" in page
    assert page.count("&lt;script&gt;") >= 5
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page


def test_a_long_answer_has_a_bounded_number_of_crops_and_says_so(run):
    many = {"checks": [f"c{n}" for n in range(MAX_CROPS + 7)]}
    grounding = {"checks": [seen() for _ in many["checks"]]}
    page = sample_page(run, result(extracted=many, grounding=grounding, judgment=None))
    assert page.count("data:image/webp") == MAX_CROPS
    assert "7 more values are shown without their cut-out of the picture" in page


def test_a_sample_without_any_picture_has_a_page(run):
    broken = result(status="failed", broken=True, artifacts=[], extracted={}, grounding={})
    page = sample_page(run, broken)
    assert '<span class="failed">broken</span>' in page
    assert "No field was asked for." in page
    (run.sample("T-1") / "01_page.png").write_bytes(b"no picture")
    assert 'src="01_page.png"' in sample_page(run, result()), "as it is, without a copy"


def test_the_page_of_a_run_has_a_row_for_each_sample_of_the_list(run):
    second = Sample("T-2", {"sample_id": "T-2"})
    finished = FinishedRun(
        run, run.record(), TASK, SampleList((SAMPLE, second), ("sample_id",), "", ""), (result(),)
    )
    write_run_page(finished)
    page = (run.path / "index.html").read_text()
    assert 'href="T-1/index.html"' in page
    assert 'href="T-2' not in page
    assert 'data-status="not_run"' in page
    assert 'data-marks="flagged inconclusive unsure known_bad empty_field"' in page
    said = " ".join(
        re.sub("<[^>]+>", " ", page.partition("<h2>")[0].partition("<body>")[2]).split()
    )
    verdict = "0 of 2 done , 1 to look at (known bad) , 1 not run Among these 1 flagged , 1 inconcl"
    assert verdict in said
    assert "site a.org" not in said, "the list has no address"
    assert "by ada on desk policy claude, m, $0.0123 Read the ticket." in said
    assert "<img src=x" not in page
    assert page.count("<script>") == 1, "its own filter"
    assert '<span class="quiet">known bad: known' in page
    assert "requests that may have changed the site</dt><dd>none recorded" in page
    assert "anthropic 9" in page, "a model took part"
    is_readme_of(run.path, (run.path / "README.txt").read_text())


def is_readme_of(folder: Path, text: str) -> None:
    """It has the words of the pages, what is in the folder, and what is not proven."""
    for part in ("sha256sum -c", "sha256sum manifest-sha256.txt", "written anew", "surrogatepass"):
        assert part in text, part
    assert [word for word, _ in WORDS if f"\n{word} " not in text] == []
    assert "01_….png" in text
    for name in ("combined.xlsx", "_discovery/", "recordings/", "downloads/"):
        assert f"\n{name}" not in text, name
    assert max(map(len, text.splitlines())) <= 110
    (folder / "T-1" / "recordings").mkdir()
    assert "recordings/" in dict(sample_files(folder, within="*/"))


def test_a_run_without_a_model_lists_no_package_of_one(run):
    record = run.record().model_copy(update={"policy": "rules", "model": ""})
    assert dict(run_origin(record))["used by it"] == "python 3.11"
    own = dict(run_origin(record.model_copy(update={"versions": {"pytest-bwa": "1"}})))
    assert (own["program"], own.get("used by it")) == ("pytest-bwa 1", None)


def test_a_done_sample_with_an_empty_field_is_told_from_a_whole_one(run):
    note = "due: the page says “none”, which cannot be read as a date"
    finished = FinishedRun(
        run, run.record(), TASK, SampleList((SAMPLE,), ("sample_id",), "", ""),
        (result(status="done", reason="", flagged=False, judgment=None, notes=[note]),),
    )  # fmt: skip
    write_run_page(finished)
    page = (run.path / "index.html").read_text()
    assert 'data-marks="known_bad empty_field"' in page
    assert f'<span class="quiet">{note}</span><br>' in page
    assert "1 with an empty field</a>" in page


def test_the_table_names_the_items_of_a_list_by_their_first_values(run):
    checks = [{"name": "build", "state": "green"}, {"name": "lint", "state": "red"}]
    listed = result(extracted={"owner": None, "checks": checks}, grounding={})
    rows = SampleList((SAMPLE,), ("sample_id",), "", "")
    write_run_page(FinishedRun(run, run.record(), TASK, rows, (listed,)))
    page = (run.path / "index.html").read_text()
    assert re.search(r'<td[^>]* data-name="checks">2: build, lint</td>', page)


# -- values that are not there, and times --------------------------------------------------------


def step(number: int, **changes: Any) -> Step:
    fields = {
        "step": number, "action": "goto", "url": "https://a.org/T-1", "result": "", "success": True,
        "started_at": f"2026-11-22T08:56:{number:02}Z",
        "timestamp": f"2026-11-22T08:58:{number:02}Z",
    }  # fmt: skip
    return Step(**{**fields, **changes})


def test_a_value_that_is_not_there_has_the_page_where_the_others_were_read(run):
    note = "the page says “none”, which cannot be read as a date"
    page = sample_page(run, result(notes=[f"due: {note}"]))
    group = re.search(r'<tr class="page">(?:(?!<tr class="page">).)*>due</td>.*?</tr>', page, re.S)
    assert group is not None
    text = " ".join(re.sub("<[^>]+>", " ", group[0]).split())
    assert text.startswith(
        "Read at https://a.org/T-1 Picture 01_page.png , taken 2026-11-22 08:56:5"
    )
    assert text.endswith(f"due – no value note: {note} other values were read on this page")
    assert text.count("https://a.org/T-1") == text.count("08:56:56") == 1, "what they share"


def test_without_any_value_the_page_on_which_the_sample_ended_stands_there(run):
    found = result(extracted={"due": None}, grounding={})
    times = ReadingTimes(found, [step(0), step(1, url="https://a.org/other")])
    assert times.looked_for([]) == PageRead("https://a.org/other", is_end=True)
    pictured = ReadingTimes(found, [step(0)]).looked_for([])
    assert (pictured.url, pictured.artifact) == ("https://a.org/T-1", "01_page.png")
    assert ReadingTimes(found, []).looked_for([]) == PageRead()


def test_the_picture_nearest_to_the_reading_is_named_if_it_is_of_the_same_state():
    shots = [
        artifact("01.png").model_copy(
            update={"filename": name, "page_state": state, "timestamp": f"2026-11-22T08:56:{at}Z"}
        )
        for name, state, at in (("01.png", "s", "02"), ("02.png", "s", "09"), ("03.png", "t", "01"))
    ]
    times = ReadingTimes(result(artifacts=shots), [step(0), step(1)])
    page = times.page_of(seen(artifact="02.png", step=1))
    assert page.nearest == "01.png"
    assert page.read.startswith("as step 1 began, 2026-11-22 08:56:01 UTC")
    own = times.page_of(seen(artifact="01.png", step=1))
    assert own.nearest == "", "it is the picture of the value"
    unknown = times.page_of(seen(artifact="02.png", step=7))
    assert unknown.nearest == "", "not known when it was read"


def test_requests_are_named_and_so_is_that_there_were_none(run):
    none = "may have changed something on the site: none recorded. Requests that were blocked: none"
    assert none in sample_page(run, result())
    write = Write(step=2, method="POST", url="https://a.org/save", after_action=True)
    blocked = BlockedRequest(step=3, method="GET", url="https://b.org/", reason="another host")
    page = sample_page(
        run,
        result(
            writes=[write], writes_total=1, blocked_requests=[blocked], blocked_requests_total=1
        ),
    )
    for part in ("https://a.org/save", "sent after an action", "blocked: another host"):
        assert part in page, part
    assert none not in page


@pytest.mark.parametrize("box", [(300, 100, 900, 20), (40, 20, 60, 700), (30, 40, 2900, 20)])
def test_a_crop_has_all_of_a_value_with_its_frame(box):
    page = Image.new("RGB", (3000, 900), "#ffffff")
    part = Image.open(io.BytesIO(crop(page, box))).convert("RGB")
    framed = [at for at in product(*map(range, part.size)) if part.getpixel(at)[1] < 140]
    for side, size in enumerate(page.size):
        begin, end = (pick(place[side] for place in framed) for pick in (min, max))
        assert 0 < begin < end < part.size[side] - 1, "nothing of it is cut"
        before, after = box[side], size - box[side] - box[2 + side]
        room = min(before, AROUND[side]) + box[2 + side] + min(after, AROUND[side])
        assert (end - begin) / part.size[side] == pytest.approx(
            (box[2 + side] + 6) / room, abs=0.05
        )


def test_a_crop_frames_the_text_of_a_wide_cell_and_cuts_no_label():
    page = Image.new("RGB", (1400, 200), "#ffffff")
    canvas, font = ImageDraw.Draw(page), ImageFont.load_default(16)
    for at, text in ((60, "Deposit"), (300, "1.200,00"), (545, "Remark")):
        canvas.text((at, 100), text, fill="#666666", font=font)
    canvas.line((0, 119, 1400, 119), fill="#000000")  # a rule below a row is no text
    part = Image.open(io.BytesIO(crop(page, (298, 96, 240, 24)))).convert("RGB")
    columns = [part.crop((at, AROUND_Y - 3, at + 1, AROUND_Y + 20)) for at in range(part.width)]
    painted = [at for at, column in enumerate(columns) if min(column.tobytes()) < 150]
    framed = [at for at, column in enumerate(columns) if column.getpixel((0, 0))[1] < 140]
    assert painted[0] >= 3, "the label is whole"
    assert painted[-1] <= part.width - 4, "so is what stands behind the value"
    assert 50 < framed[-1] - framed[0] < 90, "the frame is as wide as the text"


def test_values_inside_arrays_and_objects_stand_one_by_one():
    extracted = {"a": [{"b": 1}, {"b": None}], "c": [], "d": {"e": "x"}}
    grounding = {"a": [{"b": seen(how="derived", rule="count")}]}
    found = [(v.field, v.text, v.how) for v in seen_values(extracted, grounding)]
    assert found == [
        ("a[0].b", "1", "follows from other values (count)"),
        ("a[1].b", "–", "no value"),
        ("c", "[]", "not recorded"),
        ("d.e", "x", "not recorded"),
    ]


@pytest.mark.parametrize(
    ("value", "record", "said"),
    [
        (
            2,
            {"how": "counted", "rule": "2 lines"},
            "counted: as many lines as were cited (2 lines)",
        ),
        (True, {"how": "state", "rule": "yes or no"}, "of a box, a choice or an icon (yes or no)"),
        ("Ann Lee", {"how": "joined", "rule": "joined"}, "put together from several lines"),
        (None, {"how": "verbatim", "rule": "null", "text": "Due | –"}, "none, as the page says"),
    ],
)
def test_a_cited_value_says_how_its_place_shows_it(run, value, record, said):
    grounding = {"owner": seen(cited=True, **record)}
    page = sample_page(run, result(extracted={"owner": value}, grounding=grounding))
    row = re.search(r"<tr><td[^>]*>owner</td>.*?</tr>", page, re.S)
    assert row is not None
    assert said in row[0]
    assert "it was looked up" not in row[0]
    assert "(joined)" not in row[0]
    assert record.get("text", "Owner") in row[0]
    assert "were read on" not in row[0]


def test_what_was_looked_up_and_what_is_doubted_is_said(run):
    doubts = {"doubts": ("other_value", "hidden"), "against": {"other_value": "Owner | bo"}}
    page = sample_page(run, result(extracted={"owner": "x"}, grounding={"owner": seen(**doubts)}))
    assert "it was looked up" in page
    assert "the page also says “Owner | bo”; nobody can see the text that has it" in page


def test_few_pictures_of_a_sample_are_open_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(sample_content, "MAX_OPEN_PIXELS", 20_000)
    names = [f"{number:02}_page.png" for number in range(6)]
    for number, name in enumerate(names):
        Image.new("RGB", (100, 100), (40 * number, 0, 0)).save(tmp_path / name)
    opened: list[weakref.ref[Image.Image]] = []

    def remembered(path: Path) -> Image.Image | None:
        page = open_picture(path)
        opened.append(weakref.ref(page))
        return page

    monkeypatch.setattr(sample_content, "open_picture", remembered)
    pictures = sample_content.Pictures(tmp_path, [artifact(name) for name in names])
    for name, content in pictures.framed_copies("T-1", Workpaper()):
        (tmp_path / name).write_bytes(content)
        assert sum(page() is not None for page in opened) <= 3
        assert pictures.visible_name(artifact(name.replace(".framed", ""))) == name
    for number, name in enumerate(names):
        seen = Grounding(how="verbatim", artifact=name, box=(45.0, 45.0, 10.0, 10.0))
        part = Image.open(io.BytesIO(pictures.crop(seen))).convert("RGB")
        assert abs(part.getpixel((5, 5))[0] - 40 * number) < 10
    assert sum(page() is not None for page in opened) <= 2
