"""Files that sites send: what they are, how they come, and the tabs that are opened for them."""

from __future__ import annotations

import pytest
from files_sent import EXPIRED, pdf_of

from pytest_bwa.actions.action_context import ActionContext

PDF = pdf_of(["Total 12.50"])
SENT = "the site sent a page: “Your session has expired”"


def as_file(name, kind="text/html"):
    return {"Content-Type": kind, "Content-Disposition": f'attachment; filename="{name}"'}


@pytest.fixture
def quick(monkeypatch):
    """Clicks that start no download are waited for no longer than needed here."""
    monkeypatch.setattr(ActionContext, "max_ms", 1500)


BROKEN = {
    "sent as a file": ("<a href=/f>Get</a>", (200, as_file("b.pdf"), EXPIRED), SENT),
    "called PDF": ("<a href=/f>Get</a>", (200, as_file("b.pdf", "application/pdf"), EXPIRED), SENT),
    "saved by the link": ("<a href=/f download=b.pdf>Get</a>", EXPIRED.decode(), SENT),
    "in a new tab": ("<a href=/f target=_blank>Get</a>", (200, as_file("b.csv"), EXPIRED), SENT),
    "without a name": ("<a href=/f>Get</a>",
                       (200, {"Content-Type": "application/octet-stream"}, EXPIRED), SENT),
    "cut off": ("<a href=/f>Get</a>", (200, as_file("b.pdf"), PDF[:300]),
                "was saved, but it is a PDF that cannot be read: it breaks off"),
    "empty": ("<a href=/f>Get</a>", (200, as_file("b.csv"), b""), "was saved, but it is empty"),
    "made by a script": ("""<button onclick="fetch('/f').then(r => r.blob()).then(b => {
        const a = document.createElement('a');
        a.href = window.URL.createObjectURL(b);
        a.download = 'b.xlsx'; a.click() })">Get</button>""",
        (403, {}, EXPIRED), SENT),
    "a data URL": ("<a href='data:application/pdf,Forbidden' download=b.pdf>Get</a>", "",
                   "was saved, but it is no PDF: “Forbidden”"),
}  # fmt: skip


@pytest.mark.parametrize("how", BROKEN)
def test_a_file_that_is_none_fails_and_is_kept_with_its_fault(agent, site, how):
    site.pages["/"], site.pages["/f"], why = BROKEN[how]
    agent.act("goto", url=site.url + "/")
    result = agent.act("download", selector="Get")
    assert not result.success
    assert why in (result.error or ""), result.error
    [kept] = agent.writer.artifacts
    assert kept == result.artifact
    assert kept.fault
    assert kept.model_dump()["fault"] == kept.fault
    assert (agent.writer.folder / kept.filename).is_file()
    assert agent.observation.tabs == ()


REFUSED = {
    "saved by the link": ("<a href=/f download=b.pdf>Get</a>", (403, {}, EXPIRED),
                          f"a file that did not arrive whole: HTTP 403: {SENT}"),
    "sent as a file": ("<a href=/f>Get</a>", (403, as_file("b.pdf"), EXPIRED),
                       "started no download: the site answered HTTP 403"),
    "a page": ("<a href=/f>Get</a>", (401, {}, EXPIRED),
               f"started no download: the site answered HTTP 401: {SENT}"),
    "a login": ("<a href=/f>Get</a>", EXPIRED.decode(), f"started no download: {SENT}"),
    "in a new tab": ("<a href=/f target=_blank>Get</a>", (503, as_file("b.pdf"), b""),
                     "started no download: the site answered HTTP 503"),
}  # fmt: skip


@pytest.mark.parametrize("how", REFUSED)
def test_a_refused_file_says_with_which_status(agent, site, quick, how):
    site.pages["/"], site.pages["/f"], why = REFUSED[how]
    agent.act("goto", url=site.url + "/")
    result = agent.act("download", selector="Get")
    assert not result.success
    assert why in (result.error or ""), result.error
    assert "canceled" not in result.description
    assert agent.writer.artifacts == []


def test_a_click_and_an_address_say_what_a_broken_file_is(agent, site):
    site.pages |= {
        "/": "<a href=/f>Get</a><a href=/403 download=c.pdf>Refused</a>",
        "/f": (200, as_file("b.pdf"), EXPIRED),
        "/403": (403, {}, b"no"),
        "/html.pdf": (200, {"Content-Type": "application/pdf"}, EXPIRED),
        "/cut.pdf": (200, {"Content-Type": "application/pdf"}, PDF[:300]),
        "/r": (200, as_file("r.csv", "text/csv"), b"a,b\n"),
        "/refused": (403, as_file("b.pdf"), b""),
        "/view": (200, {"Content-Type": "application/pdf",
                        "Content-Disposition": "inline; filename*=UTF-8''f%C3%BCr.pdf"}, PDF),
    }  # fmt: skip
    agent.act("goto", url=site.url + "/")
    clicked = agent.act("click", selector="Get")
    assert f"; it sent a file: downloads/b.pdf was saved, but {SENT}" in clicked.description
    with agent.page.expect_download():  # a busy browser tells of it only after the click
        refused = agent.act("click", selector="Refused").description
    refused += agent.act("scroll", direction="down").description
    assert "; it sent a file that did not arrive whole: HTTP 403" in refused
    agent.settler.limit(2)  # the browser shows nothing where the PDF is broken
    for path, why in {
        "/f": SENT,
        "/html.pdf": SENT,
        "/cut.pdf": "it breaks off",
        "/refused": "was not opened: HTTP 403",
    }.items():
        result = agent.act("goto", url=site.url + path)
        assert not result.success, path
        assert why in (result.error or ""), result.error
    result = agent.act("goto", url=site.url + "/r")
    assert result.success
    assert "/r is a file, and the page stayed: saved downloads/r.csv (4 bytes" in result.description
    agent.act("goto", url=site.url + "/view")
    files = {file.label: bool(file.fault) for file in agent.writer.artifacts}
    assert files == {"b.pdf": True, "html.pdf": True, "cut.pdf": True, "r.csv": False,
                     "für.pdf": False}  # fmt: skip


OPENED = {
    "a link": "<a href=/f target=_blank>Get</a>",
    "a link without opener": "<a href=/f target=_blank rel=noopener>Get</a>",
    "a script": "<button onclick=\"window.open('/f')\">Get</button>",
    "a form": "<form action=/f target=_blank method=post><button>Get</button></form>",
    "a script in two steps": "<button onclick=\"const tab = window.open('');"
    "setTimeout(() => tab.location = '/f', 100)\">Get</button>",
}


@pytest.mark.parametrize(
    ("by", "action"),
    [*((by, "click") for by in OPENED), ("a link", "download"), ("a form", "download")],
)
def test_a_tab_that_is_opened_for_a_file_is_closed(agent, site, by, action):
    kind, name = ("text/csv", "r.csv") if action == "click" else ("application/pdf", "r.pdf")
    body = b"a,b\n" if action == "click" else PDF
    site.pages |= {"/": f"<h1>Home</h1>{OPENED[by]}", "/f": (200, as_file(name, kind), body)}
    agent.act("goto", url=site.url + "/")
    result = agent.act(action, selector="Get")
    assert result.success, result.error
    assert f"downloads/{name} ({len(body)} bytes" in result.description
    assert (f"goto {site.url}/f shows its text" in result.description) is (name == "r.pdf")
    assert "tab" not in result.description
    assert [file.fault for file in agent.writer.artifacts] == [""]
    assert agent.observation.tabs == ()
    assert agent.page.context.pages == [agent.page]
    assert "there is no tab 1; there are: only this one" in agent.act("switch_tab", tab=1).error
    assert agent.act("click", selector="Home").success


def test_an_empty_tab_answers_at_once(agent, site):
    site.pages["/"] = """<h1>Home</h1><button onclick="tab = window.open('')">Open</button>
        <button onclick="tab.document.body.innerHTML = '<h1>Filled</h1>'">Fill</button>"""
    agent.act("goto", url=site.url + "/")
    assert "opened tab 1 at about:blank" in agent.act("click", selector="Open").description
    for name, parameters in {
        "switch_tab": {"tab": 1},
        "wait": {},
        "screenshot": {"label": "empty"},
        "look": {},
        "scroll": {"direction": "down"},
    }.items():
        agent.settler.settled = True
        agent.act(name, **parameters)
        assert agent.settler.settled, name
    agent.act("switch_tab", tab=0)
    agent.act("click", selector="Fill")
    agent.act("switch_tab", tab=1)
    assert [e.name for e in agent.observation.elements] == ["Filled"]
