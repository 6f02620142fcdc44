"""Opening PDF files as text, and waiting for what is visible."""

from __future__ import annotations

import hashlib

import pytest
from files_sent import pdf_of

LINES = ("Invoice 4711", "Total: 12.50 EUR")


@pytest.mark.parametrize("as_file", [False, True])
def test_a_pdf_is_opened_as_text_under_its_own_address(agent, site, as_file):
    headers = {"Content-Type": "application/pdf"}
    if as_file:
        headers["Content-Disposition"] = 'attachment; filename="r.pdf"'
    site.pages["/r.pdf"] = (200, headers, pdf_of(LINES))
    site.pages["/next"] = "<h1>Next</h1>"
    result = agent.act("goto", url=site.url + "/r.pdf#page=1")
    assert result.success, result.error
    assert "the text of a PDF (pages: 1)" in result.description
    names = [e.name for e in agent.observation.elements]
    assert names == ["r.pdf", "Page 1", *LINES]
    assert agent.observation.url.startswith(site.url + "/r.pdf")
    # The file itself is evidence: the page has only its text.
    [kept] = agent.writer.artifacts
    assert kept.filename == "downloads/r.pdf"
    assert kept.sha256 == hashlib.sha256(pdf_of(LINES)).hexdigest()
    assert result.artifact == kept
    agent.act("goto", url=site.url + "/next")
    assert '"Next"' in str(agent.lines())


def test_a_damaged_pdf_says_so(agent, site):
    site.pages["/r.pdf"] = (200, {"Content-Type": "application/pdf"}, b"%PDF-1.4 nothing")
    agent.settler.limit(2)  # Chromium shows an empty page
    result = agent.act("goto", url=site.url + "/r.pdf")
    assert "is a PDF that cannot be read" in (result.error or "")


def test_waiting_looks_at_what_is_visible(agent, monkeypatch):
    agent.load_html("<p hidden>Saved</p><p>Saved</p><iframe srcdoc='<p>Framed</p>'></iframe>")
    for selector in ("Saved", "Framed", "//p[2]", "(//p)[2]", "#none, p", "p"):
        assert agent.act("wait", selector=selector).success, selector
    monkeypatch.setattr("pytest_bwa.actions.wait.WAIT_SECONDS", 0.5)
    agent.load_html("<p hidden>Saved</p>")
    for selector in ("Saved", "p", "//p", "#none, p"):
        assert "did not appear" in agent.act("wait", selector=selector).error, selector


def test_waiting_takes_a_selector_as_all_tools_do(agent, monkeypatch):
    monkeypatch.setattr("pytest_bwa.actions.wait.WAIT_SECONDS", 0.5)
    agent.load_html("<button>Go</button><div class=result>7 of 9</div><input aria-label='Due day'>")
    number = next(e.index for e in agent.observation.elements if e.name == "Go")
    for selector in ("div.result", "7 OF 9", "due day"):
        assert agent.act("wait", selector=selector).success, selector
    for selector in (str(number), f"[{number}]"):
        assert agent.act("wait", selector=selector).description == 'button "Go" is visible'
    assert "there is no element [77]" in agent.act("wait", selector="77").error
    agent.load_html("<p>77</p>")
    assert "there is no element [77]" in agent.act("wait", selector="77").error
