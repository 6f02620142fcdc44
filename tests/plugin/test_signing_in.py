"""The harness signs in as the spec says, so that no decision is spent on it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from audit_folder import RECORD, AuditFolder
from citing import sources_in
from local_site import Reply, Request
from wire.messages_server import Answer, MessagesServer, tool_use
from wire.messages_server import Request as Asked

PASSWORD = "correct-horse-77"
SECRET = {"SITE_USER": "auditor-7", "SITE_PASSWORD": PASSWORD, "BWA_RATE_LIMITS": "{}"}
FORM = """<!doctype html><title>Sign in</title><h1>Sign in</h1><p>{said}</p>
<form method=post action=/session><label>User: <input name=user></label>
<label>Password <input name=password type=password></label><button>Go on</button></form>"""
TRACKING = "<script>fetch('/track', {method: 'POST'})</script>"


class LoginSite:
    """A site that shows its records only to those who are signed in."""

    def __init__(self, folder: AuditFolder) -> None:
        self.folder, self.site = folder, folder.site
        self.sessions: set[str] = set()
        self.kept: list[str] = []
        """What the run keeps of failed tries while it lasts."""
        self.ends_at = ""
        """The path at whose first visit all sessions end."""
        self.is_in_place = False
        """Whether the form is shown at the address of a record, and not at its own."""
        pages = {"/login": self.login, "/session": self.session, "/home": self.home}
        self.site.pages |= {**pages, "/track": ""}
        folder.site.pages["/changed"] = FORM.replace("User", "Account").format(said="")
        folder.site.pages["/twice"] = FORM.format(said="<label>Password <input></label>")

    def records(self, *names: str) -> None:
        for name in names:
            self.site.pages[f"/{name}"] = self.record
        self.folder.samples(*names)

    def spec(self, **login: Any) -> None:
        fields = {"User": "<secret:user>", "Password": "<secret:password>"}
        self.folder.spec(
            login={
                "url": f"{self.site.url}/login",
                "fields": fields,
                "confirmation": "Log out",
                **login,
            },
            secrets={"user": "SITE_USER", "password": "SITE_PASSWORD"},
            read_only=True,
            required_artifacts=[],
        )

    @property
    def tries(self) -> list[str]:
        return [r.body for r in self.site.received if r.path == "/session"]

    def is_in(self, headers: dict[str, str]) -> bool:
        return headers.get("Cookie", "").removeprefix("sid=") in self.sessions

    def login(self, request: Request, headers: dict[str, str]) -> Reply:
        if self.is_in(headers):
            return 302, {"Location": "/home"}, b""
        self.kept += [path.read_text() for path in self.folder.path.rglob("failures.txt")]
        return FORM.format(said="Please.")

    def session(self, request: Request, headers: dict[str, str]) -> Reply:
        if f"password={PASSWORD}" not in request.body:
            return FORM.format(said=f"These words are wrong. {request.body}")
        session = str(len(self.tries))
        self.sessions.add(session)
        return 302, {"Location": "/home", "Set-Cookie": f"sid={session}"}, b""

    def home(self, request: Request, headers: dict[str, str]) -> Reply:
        return "<h1>Home of auditor-7</h1><a href=/out>Log out</a>" if self.is_in(headers) else "-"

    def record(self, request: Request, headers: dict[str, str]) -> Reply:
        if request.path == self.ends_at:
            self.ends_at = ""
            self.sessions.clear()
        if not self.is_in(headers) and self.is_in_place:
            return FORM.format(said="First of all:")
        if not self.is_in(headers):
            return 302, {"Location": f"/login?next={request.path}"}, b""
        name = request.path.partition("?")[0].strip("/").removesuffix("-more")
        more = f"<a href=/{name}-more>More</a> auditor-7 {TRACKING}"
        return RECORD.format(name=name, department=f"Finance {name}") + more


@pytest.fixture
def login_site(audit_folder: AuditFolder) -> LoginSite:
    return LoginSite(audit_folder)


def log(folder: Path, name: str) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = json.loads((folder / name / "action_log.json").read_text())
    return steps


def own(steps: list[dict[str, Any]]) -> list[str]:
    return [step["action"] for step in steps if step["intent"] == "sign_in"]


SIGNED_IN = ["goto", "type", "type", "press"]


def test_a_worker_signs_in_once_and_again_where_it_is_signed_out(login_site: LoginSite):
    folder, site = login_site.folder, login_site.site
    login_site.spec()
    login_site.records("adam", "bea", "cyd", "dan")
    login_site.ends_at = "/cyd"
    ran = folder.audit("--policy=rules", "-n0", **SECRET)
    assert ran.counts() == {"passed": 4}, ran.text
    assert len(login_site.tries) == 2, "at the beginning, and where the session had ended"
    run = folder.folder
    adam, bea, cyd = (log(run, name) for name in ("adam", "bea", "cyd"))
    assert own(adam) == SIGNED_IN
    assert own(bea) == []
    assert own(cyd) == [*SIGNED_IN, "goto"], "and back to its own page"
    assert {step["step"] for step in adam if step["intent"] == "sign_in"} == {0}
    assert folder.result("adam")["steps"] == folder.result("bea")["steps"], "no decision of its own"
    assert [s["params"]["text"] for s in adam if s["action"] == "type"] == [
        "<secret:user>", "<secret:password>",
    ]  # fmt: skip
    assert "/track" not in site.requests, "what is let through is the login alone"
    assert "POST" in str(folder.result("bea")["blocked_requests"])
    files = [path for path in run.rglob("*") if path.is_file()]
    assert [p for p in files if PASSWORD.encode() in p.read_bytes()] == []

    replayed = folder.run("--policy=replay", f"--replay={run}", "-n0", **SECRET)
    assert replayed.counts() == {"passed": 4}, replayed.text
    assert len(login_site.tries) == 3


def test_a_wrong_password_is_tried_twice_whatever_the_number_of_workers(login_site: LoginSite):
    login_site.spec()
    login_site.records(*(names := [f"s{n}" for n in range(9)]))
    ran = login_site.folder.audit("--policy=rules", "-n8", **{**SECRET, "SITE_PASSWORD": "wrong-9"})
    assert ran.counts() == {"failed": 9}, ran.text
    assert len(login_site.tries) == 2
    results = [login_site.folder.result(name) for name in names]
    reasons = {result["reason"] for result in results}
    assert all("“Log out” (login.confirmation) did not come" in reason for reason in reasons)
    assert all("These words are wrong." in reason for reason in reasons)
    assert sum("not tried again" in result["reason"] for result in results) == 7
    assert all(result["broken"] for result in results)
    assert login_site.kept
    assert not any("wrong-9" in text for text in login_site.kept), "the page repeats it"
    assert not {f"/{name}" for name in names} & set(login_site.site.requests)
    again = login_site.folder.audit("--policy=rules", "-n8", **SECRET)
    assert again.counts() == {"passed": 9}, again.text
    assert 2 < len(login_site.tries) <= 10, "once in each worker"


def test_a_model_sees_records_and_no_login(login_site: LoginSite):
    """Its session ends within the sample: it is signed in again, and is where it was."""
    login_site.spec(submit="Go on")
    login_site.records("adam", "zoe")
    login_site.site.pages["/adam-more"] = login_site.record
    own_form = FORM.format(said="The new account of").replace("Sign in", "Record zoe")
    login_site.site.pages["/zoe"] = f"{own_form}<p>Department: Finance zoe</p>"
    login_site.ends_at = "/adam-more"
    prompts: list[str] = []

    def script(asked: Asked) -> Answer:
        if "Record zoe" in asked.prompt:
            return tool_use("done", extracted={"department": "Finance zoe", "start_date": None})
        prompts.append(f"{asked.body['system']} {asked.prompt}")
        if len(prompts) < 3:
            return tool_use("click", selector="More")
        return tool_use("done", extracted={"department": "Finance adam", "start_date": None})

    with MessagesServer(script) as server:
        model = {"ANTHROPIC_API_KEY": "sk-none", "ANTHROPIC_BASE_URL": server.url}
        dry = login_site.folder.audit("--dry-run", "-n0", **SECRET, **model)
        assert "Record adam" in dry.text
        assert (prompts, len(login_site.tries)) == ([], 1)
        ran = login_site.folder.audit("-n0", **SECRET, **model)
    assert ran.counts() == {"passed": 2}, ran.text
    assert "Record adam" in prompts[0]
    assert "The site asked to sign in; that was done. This is" in prompts[1]
    assert "/adam" in prompts[1]
    assert "/adam-more" in prompts[2], "the same click leads on now"
    assert not any("<secret:password>" in prompt or PASSWORD in prompt for prompt in prompts)
    assert login_site.folder.result("adam")["usage"]["calls"] == len(prompts) == 3
    assert len(login_site.tries) == 3
    zoe = log(login_site.folder.folder, "zoe")
    assert own(zoe) == ["goto", "goto"], "nothing is typed into a form that is no login"


def test_what_was_learnt_behind_a_login_is_used_behind_it(login_site: LoginSite):
    """A recipe has no step of the login in it, and nothing of its secrets."""
    login_site.spec()
    login_site.records("adam", "bea", "cyd", "dan", "eve")
    login_site.ends_at, login_site.is_in_place = "/dan", True

    def script(asked: Asked) -> Answer:
        name = re.findall(r"Record (\w+)", asked.prompt)[0]
        values = {"department": f"Finance {name}", "start_date": "2025-11-03"}
        labels = {"department": "Department", "start_date": "Start date"}
        cited = sources_in(asked.prompt, {n: (labels[n], v) for n, v in values.items()})
        return tool_use("done", extracted=values, sources=cited)

    with MessagesServer(script) as server:
        ran = login_site.folder.audit(
            "-n0",
            "--recipe=learn",
            "--check=0",
            **SECRET,
            ANTHROPIC_API_KEY="x",
            ANTHROPIC_BASE_URL=server.url,
        )
        asked = len(server.requests)
    assert ran.counts() == {"passed": 5}, ran.text
    assert asked < 5, "the last ones asked no model"
    recipe = (login_site.folder.folder / "recipe.yaml").read_text()
    assert "login" not in recipe
    assert "auditor-7" not in recipe
    dan = log(login_site.folder.folder, "dan")
    assert own(dan) == [*SIGNED_IN, "goto"]
    assert dan[-1]["mode"] == "replay"


REFUSED = {
    "no address": ({"url": None}, 'key "login.url": expected text'),
    "no secret": ({"fields": {"User": "ann"}}, 'key "login.fields": none is a secret'),
    "unknown": ({"fields": {"Password": "<secret:pasword>"}}, 'did you mean "password"?'),
    "of a column": ({"fields": {"Pin": "<secret:pin>"}}, "is a column of the list"),
    "empty": ({"confirmation": " "}, 'key "login.confirmation": is empty'),
}


def test_what_cannot_sign_in_is_refused_before_any_browser(login_site: LoginSite):
    folder, path = login_site.folder, login_site.folder.path / "spec.json"
    login_site.records("adam")
    for more, problem in REFUSED.values():
        login_site.spec(**more)
        spec = json.loads(path.read_text())
        secrets = {**spec["secrets"], "pin": {"column": "pin"}}
        path.write_text(json.dumps({**spec, "secrets": secrets}))
        ran = folder.audit("--policy=rules", "-n0", **SECRET)
        assert ran.status == 4, ran.text
        assert problem in ran.text
    login_site.spec()
    for options in ([], ["--plan-only"]):
        ran = folder.audit("--policy=rules", "-n0", *options, SITE_USER="ann", SITE_PASSWORD="")
        assert ran.status == 4, ran.text
        assert 'the secret "password" is the value of the environment variable' in ran.text
    plan = folder.audit("--policy=rules", "--plan-only", **SECRET).text
    assert f"plan: it signs in at {login_site.site.url}/login (User, Password)" in plan
    assert login_site.site.received == []


WRONG = {
    "changed": ("/changed", {}, "no field is called “User” (login.fields)"),
    "twice": ("/twice", {}, "2 fields are called “Password” (login.fields)"),
    "button": ("/login", {"submit": "Sign in"}, "0 buttons are called “Sign in” (login.submit)"),
    "gone": ("/no-such", {}, "no field is called “User” (login.fields)"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_login_page_that_is_another_is_named(login_site: LoginSite, case: str):
    path, more, problem = WRONG[case]
    login_site.spec(url=login_site.site.url + path, **more)
    login_site.records("adam")
    ran = login_site.folder.audit("--policy=rules", "-n0", **SECRET)
    assert ran.counts() == {"failed": 1}, ran.text
    reason = login_site.folder.result("adam")["reason"]
    assert problem in reason
    assert "nothing was sent" in reason
    assert login_site.tries == []


def test_who_is_signed_in_already_types_nothing(login_site: LoginSite, tmp_path: Path):
    login_site.spec(submit="Go on")
    login_site.records("adam")
    login_site.sessions.add("kept")
    spec = json.loads((login_site.folder.path / "spec.json").read_text())
    (login_site.folder.path / "spec.json").write_text(json.dumps({**spec, "auth_profile": "kept"}))
    cookie = {"name": "sid", "value": "kept", "domain": "127.0.0.1", "path": "/", "expires": -1,
              "httpOnly": False, "secure": False, "sameSite": "Lax"}  # fmt: skip
    (tmp_path / "home" / "logins").mkdir(parents=True)
    saved = tmp_path / "home" / "logins" / "kept.json"
    saved.write_text(json.dumps({"cookies": [cookie], "origins": []}))
    home = {**SECRET, "BWA_HOME": str(tmp_path / "home")}
    ran = login_site.folder.audit("--policy=rules", "-n0", **home)
    assert ran.counts() == {"passed": 1}, ran.text
    assert login_site.tries == []
    assert own(log(login_site.folder.folder, "adam")) == ["goto"]
    login_site.sessions.clear()  # the saved one has expired
    again = login_site.folder.audit("--policy=rules", "-n0", **home)
    assert again.counts() == {"passed": 1}, again.text
    assert len(login_site.tries) == 1
