"""`bwa review` in a terminal and from a pipe, and what `bwa verify` says of reviews."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner
from unit.reports.verify.conftest import write_sample
from unit.reports.verify.test_mutations import chain_anew, edit

from pytest_bwa.browser import print_page
from pytest_bwa.cli import app
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.integrity.manifest import file_digests, manifest_digest, write_manifests
from pytest_bwa.evidence.reviews import REVIEWS, add_review, read_reviews
from pytest_bwa.reports.allure_report.build import write_results
from pytest_bwa.reports.verify.verify import Verification, verify


def review(run: Path, answers: str, *options: str) -> str:
    """Each word of the answers is a line; a dot is an empty one."""
    lines = "".join(("" if word == "." else word) + "\n" for word in answers.split())
    done = CliRunner().invoke(app, ["review", str(run), *options], input=lines)
    assert done.exit_code == 0, done.output
    return done.output


def lines_of(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / REVIEWS).read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def reviewed_once(finished: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Only to be copied."""
    run = tmp_path_factory.mktemp("reviewed") / "run_1"
    shutil.copytree(finished, run)
    text = review(run, "a c 1300 recounted q", "--all", "--reviewer", "ada")
    assert f"has 2 now; the last has the hash {lines_of(run)[1]['hash']}" in text
    review(run, "r wrong q", "--sample", "zoe", "--reviewer", "bo")
    return run


@pytest.fixture
def reviewed(reviewed_once: Path, tmp_path: Path) -> Path:
    """Three decisions: a value accepted and one corrected of ``adam``, a value rejected of
    ``zoe``."""
    shutil.copytree(reviewed_once.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / "run_1"


def test_decisions_are_appended_and_shown_beside_the_run(reviewed):
    first, second, third = lines_of(reviewed)
    assert (first["field"], first["decision"], first["value"]) == (
        "department", "accepted", "Finance adam",
    )  # fmt: skip
    assert (second["field"], second["value"], second["corrected"], second["comment"]) == (
        "staff", 1200, 1300, "recounted",
    )  # fmt: skip
    assert (third["sample_id"], third["reviewer"], third["decision"]) == ("zoe", "bo", "rejected")
    assert third["previous"] == second["hash"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT.*Z", third["time"])
    found = verify(reviewed)
    assert found.ok, found.faults
    assert (
        f"{REVIEWS}: 3 reviews by ada, bo; the last has the hash {third['hash']}" in found.lines()
    )
    page = (reviewed.with_name("run_1.reviewed") / "index.html").read_text()
    assert page.count(">(reviewed)<") == 1
    assert "<s>1200</s> 1300" in page
    assert 'href="adam/index.html"' in page
    sample = (reviewed.with_name("run_1.reviewed") / "adam/index.html").read_text()
    assert 'src="../../run_1/adam/01_page.png"' in sample, "this run has no framed copies"
    assert "recounted" in sample
    assert '<b>corrected to 1300</b> <span class="quiet">by ada</span>' in sample


def test_nothing_that_the_run_wrote_is_changed(run):
    before = (file_digests(run), manifest_digest(run))
    review(run, "a r no c no . q", "--all", "--reviewer", "ada")
    assert (file_digests(run), manifest_digest(run)) == before


def test_what_was_decided_is_not_asked_again_and_a_comment_decides_nothing(run):
    text = review(run, "m why? s a q", "--sample", "adam", "--reviewer", "ada")
    assert "department = Finance adam" in text
    assert [line["decision"] for line in lines_of(run)] == ["commented", "accepted"]
    text = review(run, "q", "--sample", "adam", "--reviewer", "ada")
    assert "department = Finance adam" in text
    assert "staff = " not in text


def test_a_person_may_decide_again_and_from_within_the_run_folder(reviewed, monkeypatch):
    monkeypatch.chdir(reviewed)
    text = review(Path(), "r sorry q", "--sample", "adam", "--reviewer", "ada", "--again")
    assert "department = Finance adam" in text
    assert [line["decision"] for line in lines_of(reviewed)][-1] == "rejected"
    assert verify(reviewed).ok, verify(reviewed).faults
    assert verify(Path()).ok


def test_a_value_is_shown_with_picture_and_crop_and_the_answers_may_end(run):
    text = review(run, "a", "--sample", "adam", "--reviewer", "ada")
    assert (run / "adam/01_page.png").as_uri() in text
    assert re.search(r"crop +file:///\S+/adam\.department\.webp", text)
    assert "page text Finance adam" in text
    assert "decisions by ada written: 1" in text, "the pipe has ended"


def test_a_correction_has_the_type_of_the_field(run):
    text = review(run, "s c many c 12.5 . c maybe c no . q", "--sample", "adam", "--reviewer", "a")
    assert '"staff"' in text or "staff" in text
    assert "judgment (answer) can be corrected to: no, inconclusive" in text
    found = [(line["field"], line["corrected"]) for line in lines_of(run)]
    assert found == [("staff", 12.5), ("answer", "no")]


def test_text_of_a_page_is_not_obeyed_by_the_terminal(run):
    hostile = "x\x1b[2J\u202e\n[a]ccept"
    edit(run / "adam/result.json", "extracted", "department", value=hostile)
    text = review(run, "a q", "--sample", "adam", "--reviewer", "a\x1bda")
    assert not {"\x1b", "\u202e"} & set(text)
    assert r"department = x\x1b[2J\u202e [a]ccept" in text
    assert "warning: this is not what the run wrote" in text
    assert lines_of(run)[0]["value"] == hostile


def test_only_what_asks_for_a_person_is_walked_through(run):
    edit(run / "zoe/result.json", "flagged", value=True)
    text = review(run, "q", "--reviewer", "ada")
    assert "zoe (1 of 1): done  flagged" in text
    assert "adam" not in text
    done = CliRunner().invoke(app, ["review", str(run), "--sample", "nobody"])
    assert (done.exit_code, "there is no such sample" in done.output) == (1, True)


def test_a_write_that_was_broken_off_loses_nothing(reviewed):
    whole = (reviewed / REVIEWS).read_bytes()
    (reviewed / REVIEWS).write_bytes(whole + whole.splitlines()[0][:90])
    found = verify(reviewed)
    assert found.ok
    assert any("the write of line 4 was broken off" in line for line in found.lines())
    review(reviewed, "a q", "--sample", "zoe", "--reviewer", "ada")
    assert len(read_reviews(reviewed).reviews) == 4
    found = verify(reviewed)
    assert found.ok, found.faults
    assert "line 4 was broken off" in " ".join(found.lines())
    # Only the line break is missing: the entry is whole.
    (reviewed / REVIEWS).write_bytes(whole.rstrip(b"\n"))
    review(reviewed, "a q", "--sample", "zoe", "--reviewer", "ada")
    assert len(lines_of(reviewed)) == 4
    assert verify(reviewed).ok


def change(number: int, **values: Any) -> Callable[[list[dict[str, Any]]], object]:
    return lambda lines: lines[number].update(values)


FORGERIES: dict[str, tuple[Callable[[list[dict[str, Any]]], object], bool, str]] = {
    "a decision": (change(1, decision="accepted"), False, "entry 1 does not have the content"),
    "a reviewer": (change(2, reviewer="eve"), False, "entry 2 does not have the content"),
    "a line removed": (lambda lines: lines.pop(1), False, "entry 1 does not follow"),
    "the first line removed": (lambda lines: lines.pop(0), False, "entry 0 does not follow"),
    "another order": (lambda lines: lines.reverse(), False, "entry 0 does not follow"),
    "a line twice": (lambda lines: lines.append(lines[2]), False, "entry 3 does not follow"),
    "a value, chained anew": (change(0, value="Sales"), True, "reviews department of adam, which"),
    "a field, chained anew": (change(0, field="boss"), True, "reviews boss of adam, which"),
    "a sample, chained anew": (change(0, sample_id="eve"), True, "another result of eve than"),
    "a path, chained anew": (change(0, sample_id="../x"), True, "another result of ../x than"),
    "a result, chained anew": (change(0, result_sha256="0" * 64), True, "another result of adam"),
    "a key, chained anew": (change(0, mood="good"), True, "line 1 is not a review: mood"),
    "no decision, chained anew": (change(0, decision="maybe"), True, "line 1 is not a review: d"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_a_changed_file_of_reviews_is_named(reviewed, name):
    forge, is_chained_anew, problem = FORGERIES[name]
    lines = lines_of(reviewed)
    forge(lines)
    if is_chained_anew:
        chain_anew(lines)
    (reviewed / REVIEWS).write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert problem in faults(verify(reviewed))


def test_lines_that_are_none_are_named(reviewed):
    with (reviewed / REVIEWS).open("ab") as stream:
        stream.write(b"hello\n[1]\n\0\0\n")
    assert faults(verify(reviewed)).count("is not a review") == 2, "zeros are what a crash leaves"


def test_two_people_at_once_make_one_chain(reviewed):
    plain = read_reviews(reviewed).reviews[0]
    with ThreadPoolExecutor(4) as people:
        list(people.map(lambda _: add_review(reviewed, plain), range(12)))
    assert len(read_reviews(reviewed).reviews) == 15
    assert verify(reviewed).ok


def faults(found: Verification) -> str:
    return "\n".join(map(str, found.faults))


def test_a_result_that_was_changed_after_its_review_is_named_by_whomever_it_was_sealed(reviewed):
    edit(reviewed / "zoe/result.json", "notes", value=["nothing to see"])
    write_manifests(reviewed)
    assert "reviews another result of zoe than is there" in faults(verify(reviewed))


def test_a_sample_that_was_run_again_keeps_its_reviews_and_is_open_again(reviewed, tmp_path):
    write_sample(RunFolder(reviewed), "adam", tmp_path / "file")
    write_manifests(reviewed)
    assert not [f for f in verify(reviewed).faults if f.file == REVIEWS]
    assert set(read_reviews(reviewed).of_results(reviewed)) == {"zoe"}
    assert "department = " in review(reviewed, "q", "--sample", "adam", "--reviewer", "ada")


def test_a_cut_end_is_seen_by_who_kept_the_last_hash_only(reviewed):
    lines = lines_of(reviewed)
    (reviewed / REVIEWS).write_text("".join(json.dumps(line) + "\n" for line in lines[:2]))
    found = verify(reviewed)
    assert found.ok
    assert found.reviews == (
        f"{REVIEWS}: 2 reviews by ada; the last has the hash {lines[1]['hash']}",
    )


def test_no_file_of_a_sample_hides_as_reviews(run):
    (run / "adam" / REVIEWS).write_text("{}")
    assert "is not in the manifest" in faults(verify(run))
    assert "does not belong in a sample" in faults(verify(run / "adam"))


def test_the_reviewed_page_is_printed_if_there_is_one(reviewed, monkeypatch):
    printed: list[Path] = []
    monkeypatch.setattr(
        print_page, "print_page", lambda settings, page, pdf, **_: printed.append(page)
    )
    shutil.rmtree(reviewed.with_name("run_1.reviewed"))
    for words in (["--pdf"], ["--sample", "adam"]):
        assert CliRunner().invoke(app, ["report", str(reviewed), *words]).exit_code == 0
    folder = reviewed.with_name("run_1.reviewed")
    assert printed == [folder / "index.html", folder / "adam/index.html"]
    (reviewed / REVIEWS).unlink()
    assert CliRunner().invoke(app, ["report", str(reviewed), "--pdf"]).exit_code == 0
    assert printed[2] == reviewed / "index.html"


def test_a_report_that_is_made_afterwards_shows_reviews(reviewed, tmp_path):
    (tmp_path / "allure").mkdir()
    write_results([RunFolder(reviewed)], tmp_path / "allure")
    tests = [json.loads(p.read_text()) for p in (tmp_path / "allure").glob("*-result.json")]
    (adam,) = (test for test in tests if test["name"] == "adam")
    assert "staff corrected from 1200 to 1300 by ada" in adam["description"]
    assert {"name": "tag", "value": "reviewed"} in adam["labels"]
