"""Samples whose model reads several pages at once: with the real SDK and a real browser."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Iterator, Mapping

import pytest
from audit_folder import wait_until
from citing import sources_in
from scripted_samples import PlayedRun, play
from wire.messages_server import Answer, Request, call, message, tool_use

from pytest_bwa.policy.claude.cost import MAX_PROMPT, tokens

KEY = {"ANTHROPIC_API_KEY": "sk-secret-key"}
QUICK = {"BWA_ACTION_TIMEOUT": "16"}
FIELDS = {
    "closed_by": ("Closed by", "Grace Hopper"),
    "limit": ("Limit", "14 days"),
    "due": ("Due", "2026-03-31"),
    "team": ("Team", "Rescue"),
    "board": ("Board", "Safety"),
}
SPEC = {
    "goal": "What became of {sample_id}?",
    "read_only": True,
    "output_schema": dict.fromkeys(FIELDS, "string | null"),
    "required_fields": ["closed_by"],
    "required_artifacts": [],
}


def page(label: str, value: str, more: str = "") -> str:
    return f"<h1>{label}</h1><dl><dt>{label}</dt><dd>{value}</dd></dl>{more}"


TICKET = "<h1>Ticket</h1>" + "".join(
    f"<p><a href='/ticket/{name}'>To {label}</a>" for name, (label, _) in FIELDS.items()
)
FAULTY = """<h1>Faulty</h1><p><a href='/faulty/none'>None</a>
<p><a href='http://elsewhere.example/'>Elsewhere</a> <p><a href='/faulty/private'>Private</a>
<p><a href='/faulty/hangs'>Hangs</a> <p><a href='/faulty/loops'>Loops</a>
<p><a href='javascript:alert(1)'>Script</a> <p><button>Button</button>
<p><a href='/faulty/table.csv'>Table</a> <p><a href='/faulty/posts'>Posts</a>"""
LOOPS = "<h1>Loops</h1><script>setTimeout(() => { for (;;); }, 50)</script>"
POSTS = page("Closed by", "Nobody", "<script>fetch('/faulty/post', {method: 'POST'})</script>")
LATER = """<button onclick='later.hidden = false'>Show it</button><p id=later hidden>Until 2027</p>
<button onclick='team.hidden = false'>Show team</button><p id=team hidden>Rescue"""
NOISY = """<h1>Noisy</h1><a id=link href=/pressing/advert target=_blank></a>
<form id=form action=/pressing/advert target=_blank></form>
<script>link.click(); form.submit(); open("/pressing/advert"); alert("Buy it")</script>"""
LONG = "".join(f"<p>Paragraph {n}: {'word ' * 180}" for n in range(25))


def number_of(prompt: str, text: str) -> int:
    return int(re.findall(rf'\[(\d+)\] \[\w+\] "{text}"', prompt)[-1])


def sections(prompt: str) -> dict[str, str]:
    """The pages of a prompt, by the last part of the address in their headings."""
    parts = re.split(r"^## (Current page state|Page: .*)$", prompt, flags=re.MULTILINE)
    texts = (text.split("\n**Step")[0] for text in parts[2::2])
    names = [re.split("/|: ", heading)[-1] for heading in parts[1::2]]
    return dict(zip(names, texts, strict=True))


def done(prompt: str, fields: Mapping[str, tuple[str, str]] = FIELDS) -> Answer:
    values = {name: value for name, (_, value) in fields.items()}
    return tool_use("done", extracted=values, sources=sources_in(prompt, fields))


def ticket(n: int, request: Request) -> Answer:
    """Reads five pages by their numbers, texts and addresses, one of them twice, and this one."""
    prompt = request.prompt
    if n == 1:
        here = re.findall(r"^URL: (.*)$", prompt, re.MULTILINE)[0]
        links = [number_of(prompt, "To Closed by"), "to limit", f"{here}/due", "/ticket/team"]
        return tool_use("read", pages=[*links, f"{here}/limit", "To Board"])
    return done(prompt)


def faulty(n: int, request: Request) -> Answer:
    """Reads what cannot be read, five at a time."""
    names = ("None", "Elsewhere", "Private", "Hangs", "Loops")
    others = (*("Script", "Button", "Table", "Posts"), request.prompt.split("URL: ")[1].split()[0])
    if n < 3:
        return tool_use("read", pages=list((names, others)[n - 1]))
    return tool_use("fail", note="none of them says it")


def pressing(n: int, request: Request) -> Answer:
    """Presses two buttons of a page that it has read, beside one that opens whatever it can."""
    prompt = request.prompt
    shown = {"due": ("Show it", "Until 2027"), "team": ("Show team", "Rescue")}
    if n == 1:
        return tool_use("read", pages=["Later", "/pressing/noisy"])
    if n == 2:
        numbers = (str(number_of(prompt, name)) for name in ("Show it", "Show team"))
        clicks = (call("click", {"selector": number}) for number in numbers)
        return message(*clicks, stop_reason="tool_use")
    return done(prompt, {"closed_by": ("Closed by", "Ada"), **shown})


def long(n: int, request: Request) -> Answer:
    if n == 1:
        return tool_use("read", pages=[f"/long/{k}" for k in range(7)])
    return tool_use("fail", note="too long")


@pytest.fixture(scope="module")
def run(new_audit_folder) -> Iterator[PlayedRun]:
    folder = new_audit_folder()
    folder.spec(**SPEC)
    site, together = folder.site, threading.Event()
    site.pages |= {
        "/ticket": TICKET,
        "/faulty": FAULTY,
        "/faulty/private": (302, {"Location": "/faulty/login"}, b""),
        "/faulty/login": "<title>Log in</title><h1>Log in</h1><input type=password>",
        "/faulty/hangs": "<h1>Never</h1>",
        "/faulty/loops": LOOPS,
        "/faulty/table.csv": (200, {"Content-Type": "text/csv"}, b"a,b\n1,2\n"),
        "/faulty/posts": POSTS,
        "/pressing": "<h1>Pressing</h1><a href='/pressing/later'>Later</a>",
        "/pressing/noisy": NOISY,
        "/pressing/advert": "<h1>Advert</h1>",
        "/pressing/later": page("Closed by", "Ada", LATER),
        "/long": LONG,
    }
    site.pages |= {f"/long/{n}": LONG for n in range(7)}
    for name, (label, value) in FIELDS.items():
        site.pages[f"/ticket/{name}"] = page(label, value)
        site.holds[f"/ticket/{name}"] = together
    site.holds["/faulty/hangs"] = never = threading.Event()

    def answer_together() -> None:
        wait_until(lambda: {f"/ticket/{n}" for n in FIELDS} <= {*site.requests}, "one by one")
        together.set()

    threading.Thread(target=answer_together, daemon=True).start()
    models = {"ticket": ticket, "faulty": faulty, "pressing": pressing, "long": long}
    yield play(folder, models, **KEY, **QUICK)
    never.set()


def test_pages_are_opened_side_by_side_and_cited(run):
    """Each of them is answered only when all were asked for."""
    assert run.result("ticket")["status"] == "done", run.ran.text
    second = run.prompts("ticket")[1]
    assert [*sections(second)] == ["Current page state", *FIELDS]
    numbers = re.findall(r"^\[(\d+)\]", "\n".join(sections(second).values()), re.MULTILINE)
    assert len(numbers) == len({*numbers}), second
    visited = re.findall("^pages_visited: (.*)$", second, re.MULTILINE)
    assert all(f"/ticket/{name}" in visited[0] for name in FIELDS)
    asked = [path for path in run.audit_folder.site.requests if path.startswith("/ticket")]
    assert sorted(asked) == sorted(["/ticket", *(f"/ticket/{name}" for name in FIELDS)])
    assert "[tab" not in second


def test_every_value_is_framed_in_the_picture_of_its_own_page(run):
    result, folder = run.result("ticket"), run.audit_folder.folder
    pictures = {picture["filename"]: picture for picture in result["artifacts"]}
    manifest = (folder / "manifest-sha256.txt").read_text()
    for name in FIELDS:
        seen = result["grounding"][name]
        picture = pictures[seen["artifact"]]
        assert (seen["how"], seen["cited"], seen["doubts"]) == ("verbatim", True, [])
        assert seen["url"].endswith(f"/ticket/{name}")
        assert seen["box"]
        assert (seen["url"], seen["page_state"]) == (picture["source_url"], picture["page_state"])
        digest = hashlib.sha256((folder / "ticket" / picture["filename"]).read_bytes()).hexdigest()
        assert digest == picture["sha256"]
        assert digest in manifest
    steps = [step for step in run.log("ticket") if step["action"] == "read"]
    assert [step["artifact"] for step in steps] == [*pictures]
    assert [step["usage"]["calls"] for step in steps] == [1, 0, 0, 0, 0]


def test_what_cannot_be_read_says_so_in_its_section(run):
    _, first, second = run.prompts("faulty")[:3]
    expected = {
        "none": ["HTTP 404", "Not found"],
        "": ["http://elsewhere.example/ was not opened: the host"],
        "login": ["Log in", "it led to", "it asks for a password"],
        "hangs": ["did not answer in time"],
        "loops": ["was opened, but does not answer"],
    }
    shown = sections(first)
    assert [*shown] == ["Current page state", *expected], first
    for name, texts in expected.items():
        assert all(text in shown[name] for text in texts), (name, shown[name])
    shown = sections(second)
    assert "is no link to a page: click it" in shown["Script"]
    assert "is no link to a page: click it" in shown["Button"]
    assert "is a file" in shown["table.csv"]
    assert "Nobody" in shown["posts"]
    assert "is this page" in shown["faulty"]


def test_a_page_in_the_background_writes_nothing_that_the_task_forbids(run):
    assert "/faulty/post" not in run.audit_folder.site.requests
    blocked = run.result("faulty")["blocked_requests"]
    assert any(entry["url"].endswith("/faulty/post") for entry in blocked), blocked


def test_a_file_is_kept(run):
    (kept,) = [a for a in run.result("faulty")["artifacts"] if a["label"] == "table.csv"]
    path = run.audit_folder.folder / "faulty" / kept["filename"]
    assert path.read_bytes() == b"a,b\n1,2\n"


def test_pressing_an_element_of_a_page_that_was_read_goes_there_first(run):
    assert run.result("pressing")["status"] == "done", run.ran.text
    steps = [(step["action"], step["success"]) for step in run.log("pressing")]
    assert steps == [
        ("goto", True),
        ("read", True),
        ("read", True),
        ("goto", True),
        ("click", True),
        ("click", True),
        ("done", True),
    ]
    click = run.log("pressing")[4]
    assert click["url"].endswith("/pressing/later")
    assert click["target"]["name"] == "Show it"
    assert "Page: " not in run.prompts("pressing")[2]


def test_what_a_page_in_the_background_opens_is_closed_and_what_it_says_is_its_own(run):
    second = run.prompts("pressing")[1]
    assert "[tab" not in second
    assert "Advert" not in second
    assert {name: "Buy it" in text for name, text in sections(second).items()} == {
        "Current page state": False, "later": False, "noisy": True,
    }  # fmt: skip


def test_pages_share_the_prompt_and_more_than_five_are_left(run):
    second = run.prompts("long")[1]
    assert tokens(second) <= MAX_PROMPT
    shares = [text.count("Paragraph") for text in sections(second).values()]
    assert len(shares) == 6
    assert min(shares) > 0.7 * max(shares), sections(second)
    assert re.search(r"read .*/long/5 and 1 more action were not executed", second)


def learning(n: int, request: Request) -> Answer:
    """Answers from the record and from its history."""
    if n == 1:
        return tool_use("read", pages=[number_of(request.prompt, "History")])
    name = re.search(r"Ticket (t\d)", request.prompt)[1]
    shown = {"team": ("Team", f"Team of {name}"), "closed_by": ("Closed by", f"Closer of {name}")}
    return done(request.prompt, shown)


def test_a_recipe_and_a_replay_open_in_turn_what_was_read(new_audit_folder):
    """The first three teach, and the fourth needs no model."""
    folder, names = new_audit_folder(), [f"t{n}" for n in range(4)]
    output = {"team": "string | null", "closed_by": "string | null"}
    folder.spec(**{**SPEC, "output_schema": output})
    for name in names:
        link = f"<a href='/{name}/history'>History</a>"
        folder.site.pages[f"/{name}"] = page("Team", f"Team of {name}", link).replace(
            "<h1>Team", f"<h1>Ticket {name}"
        )
        folder.site.pages[f"/{name}/history"] = page("Closed by", f"Closer of {name}").replace(
            "<h1>Closed by", f"<h1>History of {name}"
        )
    run = play(folder, dict.fromkeys(names, learning), "--recipe=learn", "-n0", **KEY)
    assert run.ran.counts() == {"passed": 4}, run.ran.text
    last = run.result("t3")
    assert (last["recipe"] or {}).get("kind") == "replayed", (last, run.ran.text)
    assert last["extracted"] == {"team": "Team of t3", "closed_by": "Closer of t3"}
    assert last["usage"]["calls"] == 0

    first = folder.folder.name
    ran = folder.run("--policy=replay", f"--replay={first}", "--run-id=again", "-n0")
    assert ran.counts() == {"passed": 4}, ran.text
    again = folder.path / "evidence" / "again" / "t0" / "result.json"
    assert json.loads(again.read_text())["extracted"] == run.result("t0")["extracted"]
