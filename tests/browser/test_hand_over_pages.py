"""The hand-over pages in a real browser: opened from a file, on a phone, printed, filtered."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader
from relative_time import fastest_seconds
from unit.reports.test_hand_over import HOSTILE, SAMPLE, TASK, result, run  # noqa: F401

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.integrity.manifest import write_manifests
from pytest_bwa.evidence.reviews import Review
from pytest_bwa.reports.base import FinishedRun, FinishedSample
from pytest_bwa.reports.handover.report import write_run_page, write_sample_page
from pytest_bwa.reports.review.reviewed import write_reviewed
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import SampleList

SAMPLES = 300


def bwa(*words: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own: this one has a browser already."""
    command = [sys.executable, "-c", "from pytest_bwa.cli import app; app()", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.fixture
def written(run: RunFolder) -> Path:  # noqa: F811
    """A run of 300 samples, with the page of one of them, and its copy with a review."""
    samples = tuple(Sample(f"T-{n}", {"sample_id": f"T-{n}"}) for n in range(1, SAMPLES + 1))
    others = [
        result(sample_id=s.sample_id, status="done", flagged=False, judgment=None, reason="")
        for s in samples[1:]
    ]
    listed = SampleList(samples, ("sample_id",), "", "")
    finished = FinishedRun(run, run.record(), TASK, listed, (result(), *others))
    write_run_page(finished)
    write_sample_page(FinishedSample(TASK, SAMPLE, result(), run, "x"))
    review = Review(
        reviewer=HOSTILE, time="2026-11-22T10:00:00Z", sample_id="T-1", subject="value",
        field="owner", decision="corrected", value=HOSTILE, corrected=HOSTILE, comment=HOSTILE * 5,
        result_sha256="",
    )  # fmt: skip
    write_reviewed(replace(finished, reviews={"T-1": (review,)}))
    return run.path


def assert_opens_quickly(browser: Browser, folder: Path, rows: list[str]) -> None:
    """Not much slower than a page of the same rows without anything else."""
    plain = folder / "plain.html"
    plain.write_text("".join(f"<p>{escape(row)}" for row in rows), "utf-8")
    page = browser.new_page()
    opened, opened_plain = fastest_seconds(
        lambda: page.goto((folder / "index.html").as_uri()), lambda: page.goto(plain.as_uri())
    )
    page.close()
    assert opened < 10 * opened_plain


def assert_keeps_what_was_chosen(page: Page) -> None:
    """The address has what the table was filtered and sorted by, also of another column."""
    rows = page.locator("tbody.samples tr:visible")
    page.get_by_label("Text", exact=True).fill("T-29")
    assert rows.first.get_attribute("data-result") == "done"
    head = page.get_by_role("columnheader", name="Sample", exact=True)
    for order, first in (("ascending", "T-29"), ("descending", "T-299")):
        head.get_by_role("button").press("Enter")
        assert head.get_attribute("aria-sort") == order
        assert rows.first.get_by_role("link").inner_text() == first
    page.reload()
    assert (rows.count(), rows.first.get_by_role("link").inner_text()) == (11, "T-299")
    page.get_by_role("link", name="1 to look at").click()
    expect(rows, "a number of the head leads to its samples").to_have_count(1)
    page.get_by_label("Result").select_option("")
    assert rows.count() == SAMPLES


def test_pages_open_quickly_fit_a_phone_and_print_and_filter(written, browser: Browser):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto((written / "index.html").as_uri())
    rows = page.locator("tbody.samples tr:visible")
    assert rows.count() == SAMPLES
    assert_opens_quickly(browser, written, rows.all_inner_texts())
    page.get_by_label("Marks").select_option("flagged")
    assert rows.count() == 1
    assert page.locator("#shown").inner_text() == f"1 of {SAMPLES} samples"
    page.get_by_label("Marks").select_option("")
    page.get_by_label("Text", exact=True).fill("T-299")
    assert rows.count() == 1

    assert_keeps_what_was_chosen(page)
    samples = page.locator("tbody.samples")  # a group of flagged ones links to some of them too
    last = samples.get_by_role("link", name=f"T-{SAMPLES}", exact=True)
    assert last.evaluate("link => link.getClientRects().length") == 1, "a short id is on one line"
    samples.get_by_role("link", name="T-1", exact=True).click()
    assert page.get_by_role("heading", level=1).inner_text() == "T-1"
    assert page.title() == "T-1 – Tickets", "no script of a value ran"
    # One click from the run's page, one group has the value, its picture, address and time.
    owner = page.locator(".values tbody").filter(has_text="owner").first
    for part in (
        "<script>",
        "https://a.org/T-1",
        "01_page.png",
        "01_page.png, taken 2026-11-22 08:56:56.028 UTC",
    ):
        assert part in owner.inner_text(), part
    assert owner.locator("img.crop").first.is_visible()
    meaning = page.get_by_text("makes no test red")
    assert not meaning.is_visible(), "the words are explained on demand"
    page.get_by_text("What the words mean").click()
    assert meaning.is_visible()
    crops = page.locator("img.crop")
    assert crops.count() == 3
    assert crops.first.evaluate("image => image.naturalWidth") > 100
    picture = page.locator("figure img").first
    picture.scroll_into_view_if_needed()
    picture.evaluate("image => image.decode()")
    assert picture.evaluate("image => image.naturalWidth") == 800
    reviewed = written.with_name("run_1.reviewed")
    names = ("index.html", "T-1/index.html")
    for path in (folder / name for folder in (written, reviewed) for name in names):
        page.goto(path.as_uri())
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
    picture.scroll_into_view_if_needed()
    picture.evaluate("image => image.decode()")
    assert page.title() == "T-1 – Tickets"
    page.goto((reviewed / "index.html").as_uri())
    page.get_by_label("Marks").select_option("reviewed")
    assert rows.count() == 1
    assert problems == []
    page.close()


def test_of_many_fields_the_columns_are_chosen_and_kept_in_the_address(
    run: RunFolder, browser: Browser  # noqa: F811
):  # fmt: skip
    names = [f"field_{number}" for number in range(1, 13)]
    task = TASK.model_copy(update={"output_schema": dict.fromkeys(names, "string")})
    listed = result(extracted={name: f"a text of {name}" for name in names}, grounding={})
    samples = SampleList((SAMPLE,), ("sample_id",), "", "")
    write_run_page(FinishedRun(run, run.record(), task, samples, (listed,)))
    page = browser.new_page()
    page.goto((run.path / "index.html").as_uri())
    shown = page.locator("tbody.samples td[data-name]:visible")
    assert shown.count() == 8
    page.get_by_text("Columns").click()
    page.get_by_label("field_12").check()
    page.get_by_label("field_1", exact=True).uncheck()
    page.reload()
    assert shown.all_inner_texts() == [f"a text of field_{n}" for n in (*range(2, 9), 12)]
    page.close()


def test_a_page_is_printed_beside_the_sealed_run(written):
    before = sorted(written.rglob("*"))
    done = bwa("report", str(written), "--sample", "T-1")
    assert (done.returncode, done.stdout) == (0, f"{written.with_name('run_1.T-1.pdf')}\n")
    printed = PdfReader(written.with_name("run_1.T-1.pdf"))
    text = " ".join(page.extract_text() for page in printed.pages)
    for part in (
        "seen word for word",
        "https://a.org/T-1",
        "ab" * 32,
        "Signature",
        "1 of ",
        "makes no test red",
    ):
        assert part in text, part
    assert sum(len(page.images) for page in printed.pages) >= 3, "crops and the picture"
    assert sorted(written.rglob("*")) == before
    missing = bwa("report", str(written), "--sample", "nobody")
    assert missing.returncode == 1
    assert "there is no such sample" in missing.stderr


def test_the_run_is_printed_with_the_pictures_of_what_is_to_be_looked_at(written):
    def printed(*words: str) -> tuple[str, int]:
        assert bwa("report", "--pdf", str(written), *words).returncode == 0
        pages = PdfReader(written.with_name("run_1.pdf")).pages
        texts = [page.extract_text().replace("\ufb00", "ff") for page in pages]
        return "\n".join(texts), sum(len(page.images) for page in pages)

    digest = write_manifests(written)
    text, pictures = printed()
    assert pictures == 1, "of the one sample that is flagged"
    assert text.count(digest) == text.count("manifest-sha256.txt: SHA-256") > 1, "on every sheet"
    assert text.count("Sample Result") > 5, "the head of the table, too"
    assert text.index("T-1: ") < text.index("Sign-off") < text.index("makes no test red")
    assert printed("--pictures", "none")[1] == 0
