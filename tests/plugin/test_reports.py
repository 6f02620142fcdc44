"""Allure results, the HTML report, `bwa watch` and `bwa login`, on the files of a real run."""

from __future__ import annotations

import html
import json
import os
import re
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from audit_folder import AuditFolder
from local_site import Site
from PIL import Image
from typer.testing import CliRunner

from pytest_bwa.browser.login import login_path, save_login
from pytest_bwa.cli import app
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.integrity.manifest import manifest_digest
from pytest_bwa.evidence.result_reader import ResultReader, for_display
from pytest_bwa.reports.allure_report.build import write_results
from pytest_bwa.reports.allure_report.status import categories
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.settings import read_settings

FAKE_ALLURE = """#!/bin/sh
if [ "$1" = "--version" ]; then echo "{version}"; exit 0; fi
echo "$@" > "{log}"
case "$1 $3" in
  "generate --output") mkdir -p "$4"; cp "{page}" "$4/index.html";;
  "generate --config") cp "$4" "{log}.json"; out=$(python3 -c "import json,sys;
print(json.load(open('$4'))['output'])"); mkdir -p "$out"; cp "{page}" "$out/index.html";;
esac
"""
OWN_FIXTURES = """
import pytest

@pytest.fixture(autouse=True)
def signed_in():
    yield

@pytest.fixture(scope="session")
def base_url(base_url):
    return base_url
"""
PAGE = """<html><head><script async src="https://www.googletagmanager.com/gtag/js?id=G"></script>
<script>window.dataLayer=[];function gtag(){}gtag('js');</script>
<script>var app = 1;</script></head></html>"""


@pytest.fixture(scope="module")
def audit_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One audit with two workers and Allure results; the tests below only read it."""
    site = Site()
    audit_folder = AuditFolder(tmp_path_factory.mktemp("reports"), site)
    audit_folder.samples("adam", "gone1", "gone2", "zoe", gone1="deleted last year")
    (audit_folder.path / "conftest.py").write_text(OWN_FIXTURES)
    audit_folder.spec(severity="blocker", title="Departments", controls=["CC6.1", "CC8.1"])
    run = audit_folder.audit(
        "-n", "2", "--alluredir=allure", "--clean-alluredir", "--junitxml=junit.xml",
        "--html=html/report.html",
        BWA_RATE_LIMITS="{}", PYTEST_ADDOPTS="",
    )  # fmt: skip
    assert run.status == 1, run.text
    (audit_folder.path / "output.txt").write_text(run.text)
    yield audit_folder
    site.close()


def allure_tests(folder: Path) -> dict[str, dict[str, Any]]:
    return {t["name"]: t for p in folder.glob("*-result.json") for t in [json.loads(p.read_text())]}


def test_every_sample_is_a_test_with_steps_pictures_and_records(audit_folder):
    tests = allure_tests(audit_folder.path / "allure")
    assert {name: t["status"] for name, t in tests.items()} == {
        "adam": "passed", "zoe": "passed", "gone1": "failed", "gone2": "failed",
    }  # fmt: skip
    adam = tests["adam"]
    titles = [step["name"].split(" · ")[1] for step in adam["steps"]]
    assert titles[0].split()[0] == "goto"
    assert titles[-1] == "done – accepted: everything required is there"
    picture = next(a for step in adam["steps"] for a in step.get("attachments", []))
    assert (audit_folder.path / "allure" / picture["source"]).read_bytes()[:4] == b"\x89PNG"
    assert "- department: `Finance adam`" in adam["description"]
    assert "- department: –" in tests["gone2"]["description"]
    names = [a["name"] for a in adam["attachments"]]
    assert {"result.json", "action_log.json"} <= set(names)
    assert {"name": "suite", "value": "hr"} in adam["labels"]
    assert any(link["url"].endswith("/adam") for link in adam["links"])
    # Each sample has its own history, whatever its other columns contain.
    assert len({t["historyId"] for t in tests.values()}) == 4


def test_columns_are_parameters_and_attachments_are_copies(audit_folder):
    adam = allure_tests(audit_folder.path / "allure")["adam"]
    parameters = {p["name"]: p["value"] for p in adam["parameters"]}
    assert parameters["sample"] == "adam"
    assert parameters["url"].endswith("/adam")
    assert parameters["controls"] == "CC6.1, CC8.1"
    labels = [(label["name"], label["value"]) for label in adam["labels"]]
    assert {("epic", "Departments"), ("tag", "CC6.1"), ("tag", "CC8.1")} <= set(labels)
    attached = list((audit_folder.path / "allure").glob("*-attachment.*"))
    assert len(attached) > 8
    assert {path.stat().st_nlink for path in attached} == {1}
    assert not [p for step in adam["steps"] for p in step["parameters"] if p["name"] == "mode"]


def test_fixtures_of_plugins_do_not_bury_the_steps(audit_folder):
    """The test's own fixtures are there."""
    containers = (audit_folder.path / "allure").glob("*-container.json")
    read = [json.loads(path.read_text()) for path in containers]
    names = {phase["name"] for box in read for phase in box.get("befores", [])}
    ends = {phase["name"] for box in read for phase in box.get("afters", [])}
    assert names == {"signed_in", "base_url"}
    assert {name.split("::")[0] for name in ends} <= names


def test_evidence_alone_makes_the_same_green_and_red_samples(audit_folder, tmp_path):
    """Live and later: the same status, labels and messages."""
    write_results([RunFolder(audit_folder.folder)], tmp_path)
    live, later = allure_tests(audit_folder.path / "allure"), allure_tests(tmp_path)
    for name, test in live.items():
        again = later[name]
        assert (name, test["status"]) == (name, again["status"])
        kinds = ("parentSuite", "suite", "subSuite", "feature", "story", "severity", "owner", "tag")
        for kind in kinds:
            ours = [label["value"] for label in again["labels"] if label["name"] == kind]
            theirs = [label["value"] for label in test["labels"] if label["name"] == kind]
            assert theirs[: len(ours)] == ours, (name, kind)
        assert test["description"] == again["description"]
    assert (
        live["gone1"]["statusDetails"]["known"] is later["gone1"]["statusDetails"]["known"] is True
    )
    assert "known" not in live["gone2"]["statusDetails"]
    message = live["gone1"]["statusDetails"]["message"]
    assert message.startswith("known bad: deleted last year\ngone1: failed (not_found): ")
    again = later["gone1"]["statusDetails"]["message"]
    assert again.splitlines()[:2] == message.splitlines()[:2]
    matching = [c["name"] for c in categories() if re.fullmatch(c["messageRegex"], message)]
    assert matching == ["Known bad: it failed as expected"]
    assert "cost: no model calls" in live["adam"]["description"]


def test_environment_and_categories_are_written(audit_folder):
    environment = (audit_folder.path / "allure/environment.properties").read_text()
    assert environment.startswith("task=Departments\ncontrols=CC6.1, CC8.1\nrun=run_")
    assert "\npolicy=rules\n" in environment
    rules = json.loads((audit_folder.path / "allure/categories.json").read_text())
    assert rules == categories()
    message = allure_tests(audit_folder.path / "allure")["gone2"]["statusDetails"]["message"]
    matching = [c["name"] for c in rules if re.fullmatch(c["messageRegex"], message)]
    assert matching == ["Not found: the record does not exist"]


def test_terminal_junit_and_allure_name_the_digest_of_the_manifest(audit_folder):
    assert verify(audit_folder.folder).faults == ()
    digest = manifest_digest(audit_folder.folder)
    assert f"manifest  sha256 {digest} of " in (audit_folder.path / "output.txt").read_text()
    environment = (audit_folder.path / "allure/environment.properties").read_text()
    assert f"manifest_sha256={digest}\n" in environment
    (suite,) = ElementTree.parse(audit_folder.path / "junit.xml").iter("testsuite")
    name = audit_folder.folder.name
    assert [one.attrib for one in suite.findall("properties/property")] == [
        {"name": f"bwa_flagged.{name}", "value": "2: gone1, gone2"},
        {"name": f"bwa_manifest_sha256.{name}", "value": digest},
    ]
    assert len(suite.findall("testcase/properties/property[@name='bwa_status']")) == 4


@pytest.mark.parametrize("version", ["2.46.1", "3.18.0"])
def test_the_html_is_built_by_the_installed_allure_without_analytics(
    audit_folder, tmp_path, monkeypatch, version
):
    (tmp_path / "bin").mkdir()
    (tmp_path / "page.html").write_text(PAGE)
    program, log = tmp_path / "bin/allure", tmp_path / "log"
    text = FAKE_ALLURE.replace("{version}", version).replace("{log}", str(log))
    program.write_text(text.replace("{page}", str(tmp_path / "page.html")))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    out = tmp_path / "report"
    result = CliRunner().invoke(app, ["report", str(audit_folder.folder), "--output", str(out)])
    assert result.exit_code == 0, result.output
    page = (out / "index.html").read_text()
    assert "googletagmanager" not in page
    assert "gtag" not in page
    assert "var app = 1;" in page
    if version.startswith("3"):
        configuration = json.loads(Path(f"{log}.json").read_text())
        assert configuration["categories"] == categories()
        options = configuration["plugins"]["awesome"]["options"]
        assert options == {"groupBy": ["suite", "subSuite"], "singleFile": True}


def test_without_an_allure_command_the_message_says_how_to_install_one(
    audit_folder, tmp_path, monkeypatch
):
    monkeypatch.setenv("PATH", str(tmp_path))
    result = CliRunner().invoke(app, ["report", str(audit_folder.folder)])
    assert result.exit_code == 1
    assert "npm install --global allure" in result.output


def test_watch_shows_a_run_and_exits_when_it_has_ended(audit_folder):
    result = CliRunner().invoke(app, ["watch", str(audit_folder.folder), "--once"])
    assert result.exit_code == 0
    assert "4 of 4 samples" in result.output
    assert "2 done" in result.output
    assert "gone2" in result.output
    # The run has ended: without --once, the command shows it and exits by itself.
    has_exited = threading.Event()

    def run_watch() -> None:
        CliRunner().invoke(app, ["watch", str(audit_folder.folder)])
        has_exited.set()

    threading.Thread(target=run_watch, daemon=True).start()
    assert has_exited.wait(20)


def test_a_result_is_read_again_only_when_it_changed(audit_folder, monkeypatch):
    reader, run = ResultReader(for_display), RunFolder(audit_folder.folder)
    assert len(reader.results(run)) == 4
    names: list[str] = []
    monkeypatch.setattr(RunFolder, "result", lambda self, name: names.append(name))
    assert len(reader.results(run)) == 4
    assert names == []


def test_watching_a_missing_run_is_an_error(tmp_path):
    result = CliRunner().invoke(app, ["watch", "nothing", "--evidence", str(tmp_path)])
    assert result.exit_code == 1
    assert "no such run folder" in result.output


def test_only_the_user_can_read_a_saved_login(tmp_path, monkeypatch, audit_folder):
    monkeypatch.setenv("BWA_HOME", str(tmp_path))
    cookie = {"Set-Cookie": "session=secret; Path=/"}
    audit_folder.site.pages["/login"] = (200, cookie, b"<h1>Sign in</h1>")
    home, errors = read_settings().home, []
    path = login_path(home, "hr")
    path.parent.mkdir(parents=True)
    path.write_text("an older login, which others can read")
    path.chmod(0o644)

    def sign_in() -> None:  # in a thread, because Playwright may already run in this one
        try:
            save_login(home, "hr", audit_folder.site.url + "/login", lambda: None, headed=False)
        except Exception as error:  # noqa: BLE001 - shown by the assertion below
            errors.append(error)

    thread = threading.Thread(target=sign_in)
    thread.start()
    thread.join()
    assert errors == []
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert json.loads(path.read_text())["cookies"][0]["value"] == "secret"


def test_the_report_of_pytest_html_has_a_picture_and_a_link(audit_folder):
    report = audit_folder.path / "html/report.html"
    text = html.unescape(report.read_text())
    data = json.loads(text.partition('data-jsonblob="')[2].partition('"></div>')[0])
    ((adam,),) = [tests for name, tests in data["tests"].items() if "[adam]" in name]
    picture, link = adam["extras"]
    assert link["name"] == "evidence"
    assert (report.parent / link["content"]).resolve() == audit_folder.folder / "adam/index.html"
    size = Image.open(report.parent / picture["content"]).size
    assert size == Image.open(audit_folder.folder / "adam/01_record.framed.png").size


def test_junit_says_of_each_sample_whether_a_person_must_look(audit_folder):
    cases = ElementTree.parse(audit_folder.path / "junit.xml").iter("testcase")
    listed = {
        case.get("name", "").partition("[")[2].rstrip("]"): {
            p.get("name"): p.get("value") for p in case.iter("property")
        }
        for case in cases
    }
    flags = {name: (p["bwa_flagged"], p["bwa_outcome"]) for name, p in listed.items()}
    assert flags["adam"] == ("false", "found")
    assert flags["gone2"] == ("true", "not_found")
    assert listed["zoe"]["bwa_evidence"] == str(audit_folder.folder / "zoe")
