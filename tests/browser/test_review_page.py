"""The reviewer's page as a person uses it: by keyboard, in a real browser, on the real server."""

from __future__ import annotations

import json
import threading
import webbrowser
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import leases_run
import pytest
from leases_run import finished_run, leases, open_run, write_leases
from playwright.sync_api import Browser, Page, expect
from simulated_run import end_run
from typer.testing import CliRunner

from pytest_bwa.cli.app import app
from pytest_bwa.evidence.approvals import ApprovalDesk, Question
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.review import server as server_module
from pytest_bwa.review.server import ReviewServer
from pytest_bwa.steps.step import Box

HOSTILE = "<img src=x onerror=alert(1)>"
DECIDING = 0.1
"""Seconds until the next value is there, of the quickest of many: the machine does more."""


@contextmanager
def served(run: Path, reviewer: str) -> Iterator[ReviewServer]:
    server = ReviewServer(RunFolder(run), reviewer)
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.end()
        thread.join()


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(address)
    yield page
    context.close()
    assert problems == []


def title(page: Page, text: str) -> None:
    expect(page.locator("#stop-title")).to_contain_text(text)


def said(page: Page, text: str) -> None:
    expect(page.locator("#spoken")).to_contain_text(text)


def go_to(page: Page, name: str) -> None:
    page.locator("#list button", has_text=name).first.click()
    expect(page.locator("#list [aria-current]")).to_contain_text(name)


def accept(page: Page) -> float:
    """The seconds until the next is shown."""
    shown = page.locator("#stop-title").inner_text()
    started = perf_counter()
    page.keyboard.press("a")
    expect(page.locator("#stop-title")).not_to_have_text(shown, use_inner_text=True)
    return perf_counter() - started


def accept_all(page: Page) -> None:
    """One after the other, until nothing is left to ask."""
    while page.locator(".end").count() == 0:
        accept(page)


def decisions(run: Path) -> list[dict[str, object]]:
    lines = (run / "reviews.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def axe(tools: Path) -> str:
    return (tools / "node_modules/axe-core/axe.min.js").read_text("utf-8")


def assert_accessible(page: Page, axe: str) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        # evaluate passes the page's policy, which lets no script be added
        page.evaluate(axe)
        found = page.evaluate("axe.run(document).then(({violations}) => violations)")
        grave = [
            (rule["id"], [node["html"] for node in rule["nodes"]])
            for rule in found
            if rule["impact"] in ("serious", "critical")
        ]
        assert grave == [], scheme


@pytest.mark.slow
def test_a_run_is_reviewed_by_keyboard(browser, tmp_path, axe, monkeypatch):
    run = finished_run(tmp_path, 60, browser)
    called: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: bool(called.append(address)) or True)
    monkeypatch.setenv("DISPLAY", ":0")
    with (
        served(run, "Ada L.") as server,
        server_module.opened(server, print, in_browser=True),
        opened(browser, called[0]) as page,
    ):
        assert "token" not in called[0], "every user of the machine sees it"
        assert "token" not in page.url
        press = page.keyboard.press

        # one by one: thirty values that share a doubt
        title(page, "deposit under “Kaution”: 30 samples, all alike")
        expect(page.locator(".cards img")).to_have_count(6)
        assert_accessible(page, axe)
        press("o")
        title(page, "· deposit")
        reads: list[str] = []
        page.on("request", lambda request: reads.append(request.url))
        times = [accept(page) for _ in range(30)]
        assert min(times) < DECIDING, times
        assert sum(url.endswith("/api/queue") for url in reads) < 15, "what is open is known"
        title(page, "rent under")
        assert len(decisions(run)) == 30

        # two groups at once: all, and all but one
        press("e")
        page.get_by_role("checkbox", name="L-0010").focus()
        press("Space")
        page.get_by_role("checkbox", name="L-0060").scroll_into_view_if_needed()
        press("a")
        said(page, "accepted: 11 values")

        # the one that was left out: a wrong type is refused, then the right value is written
        title(page, "L-0010")
        page.set_viewport_size({"width": 400, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == 400
        assert_accessible(page, axe)
        page.set_viewport_size({"width": 1280, "height": 800})
        assert page.locator("#stop").evaluate("stop => stop.scrollTop") == 0, "as nothing before it"
        assert_accessible(page, axe)
        press("c")
        page.get_by_label("The right value").fill("much")
        expect(page.locator(".checked")).to_contain_text("number")
        press("Enter")
        expect(page.locator(".checked")).to_contain_text("number")
        assert len(decisions(run)) == 41
        page.get_by_label("The right value").fill("950")
        expect(page.locator(".checked")).to_contain_text("will be written as: 950")
        assert_accessible(page, axe)
        press("Enter")
        said(page, "corrected: L-0010 rent")

        title(page, "tenant under")
        press("a")
        said(page, "accepted: 6 values")
        press("u")
        said(page, "undone: 6 decisions")
        title(page, "tenant under")
        press("e")
        page.get_by_role("checkbox", name="L-0009").focus()
        press("Space")
        press("Enter")
        said(page, "accepted: 5 values")

        # alone: a comment, a rejection, an undo
        title(page, "L-0009")
        press("m")
        page.get_by_label("Comment").fill("asked the landlord")
        press("Enter")
        said(page, "commented: L-0009 tenant")
        expect(page.locator(".earlier")).to_contain_text("asked the landlord")
        press("r")
        page.get_by_label("Why").fill("the contact is no tenant")
        press("Enter")
        said(page, "rejected: L-0009 tenant")
        press("u")
        said(page, "undone: 1 decision")
        title(page, "L-0009")
        expect(page.locator(".earlier")).to_contain_text("withdrawn")
        press("r")
        press("Enter")
        said(page, "rejected: L-0009 tenant")

        press("?")
        expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
        assert_accessible(page, axe)
        press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)

        # one is skipped, and asked for again when nothing else is left
        title(page, "Is the lease signed")
        press("s")
        accept_all(page)
        title(page, "1 question skipped")
        page.get_by_role("button", name="Ask for the 1 again").press("Enter")
        title(page, "Is the lease signed")
        accept_all(page)
        title(page, "Nothing is left to decide")
        assert_accessible(page, axe)

        # a random sample with its statement
        press("n")
        page.get_by_label("How many").fill("3")
        assert_accessible(page, axe)
        press("Enter")
        expect(page.locator("#draw")).to_contain_text("Random sample: 3 of 20")
        expect(page.locator(".end")).to_have_count(0)
        accept_all(page)
        statement = page.locator("#statement")
        expect(statement).to_contain_text("3 of 20 drawn at random and reviewed by Ada L. on ")
        expect(statement).to_contain_text(": 0 wrong; at most 63.2 % are, at 95 %")

        # signed
        press("g")
        title(page, "Sign-off")
        page.get_by_label("Role").fill("Internal audit")
        assert_accessible(page, axe)
        page.get_by_role("button", name="Sign", exact=True).click()
        expect(page.get_by_role("region", name="Signed by Ada L.")).to_contain_text(
            "Internal audit"
        )
        assert_accessible(page, axe)
    verified = CliRunner().invoke(app, ["verify", str(run)])
    assert verified.exit_code == 0, verified.output


@pytest.mark.slow
def test_a_run_that_goes_on_and_two_who_review_it(browser, tmp_path, axe, monkeypatch):
    monkeypatch.setattr(leases_run, "STREETS", [HOSTILE])
    listed = leases(14)
    folder = open_run(tmp_path, listed).folder
    write_leases(folder, listed[:4], browser)
    run = folder.path
    with (
        served(run, "Ada L.") as hers,
        served(run, "Bo") as his,
        opened(browser, hers.address) as page,
        opened(browser, his.address) as other,
    ):
        expect(page.locator("#totals")).to_contain_text("4 of 14 samples")
        expect(page.locator("#list")).not_to_contain_text("L-0013")
        write_leases(folder, listed[4:], browser)
        expect(page.locator("#list")).to_contain_text("L-0013", timeout=15_000)
        expect(page.locator("#totals")).to_contain_text("14 of 14 samples", timeout=15_000)

        # a value is a text, whatever it says
        go_to(page, "L-0013: 5 other values")
        expect(page.locator("main")).to_contain_text(HOSTILE)
        expect(page.locator("main img").first).to_be_visible()
        expect(page.locator("[src=x]")).to_have_count(0)

        # what both look at is decided by one, and the other is asked
        for shown in (page, other):
            go_to(shown, "L-0013: judgment")
            title(shown, "inconclusive")
        other.keyboard.press("r")
        other.keyboard.press("Enter")
        said(other, "rejected: L-0013")
        said(page, "Bo has just rejected this")
        page.keyboard.press("a")
        dialog = page.get_by_role("dialog", name="Decided meanwhile")
        expect(dialog).to_contain_text("Bo decided this at")
        assert_accessible(page, axe)
        dialog.get_by_role("button", name="Decide all the same").click()
        said(page, "accepted: L-0013")
        end_run(folder)
    assert [line["decision"] for line in decisions(run)] == ["rejected", "accepted"]
    verified = CliRunner().invoke(app, ["verify", str(run)])
    assert verified.exit_code == 0, verified.output


def test_all_actions_that_wait_are_on_one_page(browser, tmp_path, axe):
    """On a narrow one, too; and what is pressed there decides no value below it."""
    run = finished_run(tmp_path, 10, browser)
    png = next(run.glob("L-0001/*.png")).read_bytes()
    desk = ApprovalDesk(run)
    questions = [
        Question(
            sample_id=f"P-{n}", task_id="leases", what="click Pay", fields=[("Rent", "9")],
            to="POST https://leases.example/pay?a-long-name-without-any-place-to-break-it=1",
            url="https://leases.example/lease", title="Lease", box=Box(40, 30, 90, 20),
            alike="a" * 32, seconds=120,
        )
        for n in range(8)
    ]  # fmt: skip
    with ThreadPoolExecutor(8) as waiting, served(run, "Ada L.") as server:
        answers = [
            waiting.submit(desk.ask, question, png, lambda _: None) for question in questions
        ]
        with opened(browser, server.address) as page:
            page.set_viewport_size({"width": 400, "height": 800})
            items = page.locator("#approvals").get_by_role("listitem")
            expect(items).to_have_count(8)
            expect(items.locator(".frame").first).to_be_visible()
            expect(page.locator("#approvals h2")).to_have_text("8 actions wait for approval")
            assert page.evaluate("document.documentElement.scrollWidth") == 400
            assert_accessible(page, axe)
            third = page.get_by_role("listitem", name="P-3")
            third.get_by_role("button", name="Reject").press("a")
            third.get_by_role("button", name="Reject").press("Enter")
            expect(items).to_have_count(7)
            first = page.get_by_role("listitem", name="P-0")
            first.get_by_role("button", name="Approve all alike").click()
            expect(page.locator("#approvals")).to_be_hidden()
    decided = [answer.result() for answer in answers]
    assert [a.decision for a in decided] == [*["approved"] * 3, "rejected", *["approved"] * 4]
    assert {a.by for a in decided} == {"Ada L."}
    assert not (run / "reviews.jsonl").exists()
