"""Every change of a finished run is caught by `bwa verify`: one made by hand, and one by somebody
who has this tool and writes the manifests anew."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from unit.reports.verify.conftest import png

from pytest_bwa.evidence.files import sha256, write_json
from pytest_bwa.evidence.integrity.chain import START, chained
from pytest_bwa.evidence.integrity.manifest import MANIFEST, manifest_digest, write_manifests
from pytest_bwa.reports.verify.verify import verify

Change = Callable[[Path], object]


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def edit(path: Path, *keys: Any, value: Any) -> None:
    """Change one value of a JSON file."""
    content = place = json.loads(path.read_bytes())
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    write_json(path, content)


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def swap(one: Path, other: Path) -> None:
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)


def change_log(run: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    path = run / "adam/action_log.json"
    log = json.loads(path.read_bytes())
    change(log)
    write_json(path, log)


def chain_anew(log: list[dict[str, Any]]) -> str:
    previous = START
    for number, entry in enumerate(log):
        plain = {key: value for key, value in entry.items() if key not in ("hash", "previous")}
        log[number] = chained(plain, previous)
        previous = log[number]["hash"]
    return previous


def cut_and_chain(log: list[dict[str, Any]]) -> None:
    log[1]["result"] = "something else"
    chain_anew(log)


def refer_elsewhere(run: Path) -> None:
    """An entry refers to a picture that does not exist, in a log whose chain holds."""
    path = run / "adam/action_log.json"
    log = json.loads(path.read_bytes())
    log[1]["artifact"] = "09_gone.png"
    edit(run / "adam/result.json", "log_hash", value=chain_anew(log))
    write_json(path, log)


def cut_everywhere(run: Path) -> None:
    """The last entry is gone, in a log whose chain holds."""
    path = run / "adam/action_log.json"
    log = json.loads(path.read_bytes())[:-1]
    edit(run / "adam/result.json", "log_hash", value=chain_anew(log))
    write_json(path, log)


def strip_chain(log: list[dict[str, Any]]) -> None:
    for entry in log:
        del entry["hash"], entry["previous"]


def repaint(run: Path) -> None:
    """Another picture, with its hash in the result."""
    (run / "adam/01_page.png").write_bytes(png("green"))
    edit(run / "adam/result.json", "artifacts", 0, "sha256", value=sha256(png("green")))


def link(run: Path) -> None:
    path = run / "adam/01_page.png"
    outside = run.parent / "outside.png"
    path.rename(outside)
    path.symlink_to(outside)


def drop_last_line(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))


def add_line(path: Path, line: str) -> None:
    path.write_text(path.read_text() + line)


def change_status(run: Path) -> None:
    edit(run / "adam/result.json", "status", value="failed")
    replace(run / "combined.csv", "adam,done", "adam,failed")


def result(run: Path, *keys: Any, value: Any) -> None:
    edit(run / "adam/result.json", *keys, value=value)


def change_value_everywhere(run: Path) -> None:
    result(run, "extracted", "department", value="Sales adam")
    replace(run / "combined.csv", "Finance adam", "Sales adam")


def change_number_everywhere(run: Path) -> None:
    result(run, "extracted", "staff", value=1300)
    lines = (run / "combined.csv").read_text().splitlines(keepends=True)
    text = "".join(li.replace("1200", "1300") if li.startswith("adam") else li for li in lines)
    (run / "combined.csv").write_text(text)


BY_HAND: dict[str, tuple[Change, str]] = {
    **{
        f"a byte of {name}": ((lambda run, name=name: flip(run / name)), f"^{re.escape(name)}: was")
        for name in (
            "adam/01_page.png", "adam/result.json", "adam/action_log.json", "adam/checkpoint.json",
            "adam/downloads/report.pdf", "adam/attempts/1/result.json", "adam/manifest-sha256.txt",
            "combined.csv", "samples.csv", "task_spec.json", "run.json",
        )
    },
    "a byte of the manifest": (lambda run: flip(run / MANIFEST), ""),
    "a picture deleted": (lambda run: (run / "zoe/02_more.png").unlink(), "zoe/02_more.png: is in"),
    "a result deleted": (lambda run: (run / "zoe/result.json").unlink(), "zoe/result.json: is mi"),
    "the manifest deleted": (lambda run: (run / MANIFEST).unlink(), "manifest-sha256.txt: is mi"),
    "a sample's manifest deleted": (lambda run: (run / "zoe" / MANIFEST).unlink(), "zoe/"),
    "run.json deleted": (lambda run: (run / "run.json").unlink(), "run.json: is in the manifest"),
    "a file added": (lambda run: (run / "notes.txt").write_text("x"), "notes.txt: is not in"),
    "a hidden file added": (lambda run: (run / "zoe/.x").write_text("x"), "zoe/.x: is not in"),
    "two pictures swapped": (
        lambda run: swap(run / "adam/01_page.png", run / "adam/02_more.png"), "01_page.png: was",
    ),
    "a sample renamed": (lambda run: (run / "adam").rename(run / "bob"), "is the result of the"),
    "a picture renamed": (
        lambda run: (run / "adam/01_page.png").rename(run / "adam/01_other.png"), "01_other.png: i",
    ),
    "a sample deleted": (lambda run: shutil.rmtree(run / "zoe"), "zoe/result.json: is in the man"),
    "a sample copied": (lambda run: shutil.copytree(run / "zoe", run / "yoe"), "yoe/result.json"),
    "a picture behind a link": (link, "adam/01_page.png: is a link"),
    "a line of the manifest gone": (lambda run: drop_last_line(run / MANIFEST), "is not in the ma"),
    "a line that is none": (lambda run: add_line(run / MANIFEST, "x\n"), "the form of sha256sum"),
    "a line twice": (
        lambda run: add_line(run / MANIFEST, (run / MANIFEST).read_text()), "names adam/01_page.pn",
    ),
    "a line that leads out": (
        lambda run: add_line(run / MANIFEST, f"{'0' * 64}  ../../etc/passwd\n"), "etc/passwd: is i",
    ),
    "a live folder": (lambda run: (run / ".live").mkdir(), ".live: exists only"),
    "endless JSON": (lambda run: (run / "adam/result.json").write_text("[" * 99999), "cannot be r"),
}  # fmt: skip

BY_A_FORGER: dict[str, tuple[Change, str]] = {
    "two pictures swapped": (
        lambda run: swap(run / "adam/01_page.png", run / "adam/02_more.png"), "has another SHA-256",
    ),
    "a value": (
        lambda run: result(run, "extracted", "department", value="Sales"), "combined.csv: depart",
    ),
    "a value and the table": (change_value_everywhere, "department: its value does not stand in"),
    "a number and the table": (change_number_everywhere, "staff: its value does not stand in"),
    "a status and the table": (change_status, "status is done, and result.json says failed"),
    "the log's last entry cut": (lambda run: change_log(run, list.pop), "does not end with the en"),
    "entries in another order": (lambda run: change_log(run, list.reverse), "does not follow"),
    "an entry removed": (lambda run: change_log(run, lambda log: log.pop(1)), "does not follow"),
    "an entry changed": (
        lambda run: change_log(run, lambda log: log[1].update(result="x")), "entry 1 does not have",
    ),
    "an entry changed, chained anew": (
        lambda run: change_log(run, cut_and_chain), "does not end with the entry",
    ),
    "the log cut, its end named": (cut_everywhere, "has 3 entries, and result.json counts 4"),
    "a log without its chain": (lambda run: change_log(run, strip_chain), "are not chained"),
    "a log deleted": (lambda run: (run / "adam/action_log.json").unlink(), "log.json: is missing"),
    "a checkpoint deleted": (lambda run: (run / "zoe/checkpoint.json").unlink(), "t.json: is miss"),
    "a log that refers elsewhere": (refer_elsewhere, "refers to 09_gone.png, which result.json"),
    "a cell of the table": (
        lambda run: replace(run / "combined.csv", "Finance zoe", "Sales zoe"), "department of zoe",
    ),
    "a row of the table": (lambda run: drop_last_line(run / "combined.csv"), "one row for each"),
    "the table deleted": (lambda run: (run / "combined.csv").unlink(), "combined.csv: cannot be r"),
    "a sample renamed": (lambda run: (run / "adam").rename(run / "bob"), "is the result of the"),
    "a sample deleted": (lambda run: shutil.rmtree(run / "zoe"), "not_run is 0, and the folder"),
    "samples_in": (lambda run: edit(run / "run.json", "samples_in", value=1), "samples_in is 1"),
    "results_out": (
        lambda run: edit(run / "run.json", "results_out", value={"done": 1}), "results_out is",
    ),
    "a run without an end": (
        lambda run: edit(run / "run.json", "finished_at", value=None), "run.json: has no end",
    ),
    "the samples list": (
        lambda run: replace(run / "samples.csv", "x.org/z", "x.org/y"), "samples.csv: has a SHA",
    ),
    "the task": (
        lambda run: edit(run / "task_spec.json", "goal", value="Guess."), "spec.json: has a SHA",
    ),
    "a picture deleted": (lambda run: (run / "adam/01_page.png").unlink(), "01_page.png: is miss"),
    "a picture added": (
        lambda run: (run / "adam/03_new.png").write_bytes(png("red")), "03_new.png: is not named",
    ),
    "a download added": (
        lambda run: (run / "adam/downloads/b.pdf").write_text("x"), "b.pdf: is not named",
    ),
    "a picture repainted": (repaint, "names other pictures and files"),
    "a grounding elsewhere": (
        lambda run: result(run, "grounding", "staff", "artifact", value="07_no.png"), "staff: refe",
    ),
    "a grounding in another picture": (
        lambda run: result(run, "grounding", "staff", "artifact", value="02_more.png"),
        "staff: was seen in another state of the page than 02_more.png shows",
    ),
    "a box outside": (
        lambda run: result(run, "grounding", "staff", "box", value=[900, 2, 9, 9]), "box is outsid",
    ),
    "a rule that does not exist": (
        lambda run: result(run, "grounding", "staff", "rule", value="magic"), 'rule "magic" is not',
    ),
    "a judgment's reference": (
        lambda run: result(run, "judgment", "evidence_refs", value=["no.png"]), "judgment refers t",
    ),
}  # fmt: skip


def caught(run: Path, expected: str) -> None:
    found = verify(run)
    lines = [str(fault) for fault in found.faults]
    assert any(re.search(expected, line) for line in lines), lines
    assert all("\n" not in line for line in lines)


@pytest.mark.parametrize("name", BY_HAND)
def test_a_change_is_caught(run, name):
    change, expected = BY_HAND[name]
    change(run)
    caught(run, expected)


@pytest.mark.parametrize("name", BY_A_FORGER)
def test_a_change_with_new_manifests_is_caught(run, name):
    change, expected = BY_A_FORGER[name]
    change(run)
    write_manifests(run)
    caught(run, expected)


def test_who_changes_all_records_alike_is_betrayed_by_the_digest_alone(run):
    """What docs/proof.md says of the folder alone: for this the digest in CI's log is needed."""
    before = manifest_digest(run)
    change_value_everywhere(run)
    result(run, "grounding", "department", "text", value="Sales adam")
    write_manifests(run)
    assert verify(run).ok
    assert manifest_digest(run) != before
