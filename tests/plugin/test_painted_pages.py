"""A record that is only painted on a canvas, read without a model."""

from __future__ import annotations

import base64
import json
import os
import stat

import pytest
from scripted_samples import PlayedRun, play
from wire.messages_server import tool_use

from pytest_bwa.steps.artifacts import Artifact

PAINTED = "<body><canvas width=600 height=200></canvas></body>"


def test_a_painted_record_is_read_by_ocr_and_flagged_for_review(audit_folder, tmp_path):
    """Use a fake tesseract that writes the output file pytesseract expects."""
    program = tmp_path / "bin/tesseract"
    program.parent.mkdir()
    text = "Record adam\\nDepartment: Finance\\nStart date: 2025-11-03\\n"
    program.write_text(f'#!/bin/sh\nprintf "{text}" > "$2.txt"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    audit_folder.samples("adam")
    audit_folder.site.pages["/adam"] = PAINTED
    run = audit_folder.audit("--policy=rules", PATH=f"{program.parent}:{os.environ['PATH']}")
    assert run.status == 0, run.text
    result = audit_folder.result("adam")
    assert result["extracted"] == {"department": "Finance", "start_date": "2025-11-03"}
    assert result["flagged"] is True
    (reading,) = result["picture_texts"]
    assert (reading["source"], reading["why"]) == ("ocr", "the page shows pictures only")
    (picture,) = result["artifacts"]
    assert {"seen by vision", "record"} <= set(Artifact(**picture).labels)
    log = json.loads((audit_folder.folder / "adam/action_log.json").read_text())
    assert log[-1]["picture_text"]["source"] == "ocr"


def test_without_ocr_it_is_neither_read_nor_guessed(audit_folder):
    audit_folder.samples("adam")
    audit_folder.site.pages["/adam"] = PAINTED
    run = audit_folder.audit("--policy=rules", BWA_VISION="off")
    assert run.counts() == {"failed": 1}, run.text
    result = audit_folder.result("adam")
    assert result["extracted"] == {"department": None, "start_date": None}
    assert (result["status"], result["broken"]) == ("needs_review", False)
    assert "the page shows pictures only" in result["reason"]


CHART = """<h1>Vendor</h1><p>The department and its start date: see below.</p>
<p>Contact: Ada</p><p>Phone: 123</p><ul>
<li>One</li><li>Two</li><li>Three</li><li>Four</li><li>Five</li><li>Six</li><li>Seven</li></ul>
<a href="#a">First</a><a href="#b">Second</a><canvas id=c width=600 height=100></canvas><script>
const x = c.getContext('2d'); x.font = '30px sans-serif';
x.fillText('Department: Finance, since 2025-11-03', 20, 60);</script>"""


FIELDS = {"department": "Finance", "start_date": "2025-11-03"}
PICTURE, LOOK = tool_use("screenshot", label="record"), tool_use("look", question="Which one?")
DONE = tool_use("done", extracted=FIELDS)


@pytest.fixture(scope="module")
def looked(new_audit_folder) -> PlayedRun:
    audit_folder = new_audit_folder()
    other = "<h1>Other</h1><p>Nothing here.</p>"
    audit_folder.site.pages |= {"/adam": CHART, "/leaves": CHART, "/other": other}
    models = {
        "adam": [PICTURE, LOOK, DONE],
        "leaves": [PICTURE, LOOK, tool_use("goto", url="/other"), DONE],
    }
    return play(audit_folder, models, "--max-steps=5")


def test_a_model_looks_at_what_only_the_picture_says_and_decides_with_it(looked):
    """No other model is asked. The evidence is the page as it was, and the values say that they
    were read from a picture."""
    assert looked.ran.counts() == {"passed": 1, "failed": 1}, looked.ran.text
    prompts = looked.prompts("adam")
    assert [isinstance(prompt, list) for prompt in prompts] == [False, False, True]
    image, text = prompts[-1]
    assert 'look "Which one?"' in text["text"]
    result = looked.result("adam")
    assert result["status"] == "done"
    assert result["extracted"] == FIELDS
    (artifact,) = (a["filename"] for a in result["artifacts"])
    for record in result["grounding"].values():
        assert (record["how"], record["artifact"]) == ("vision", artifact)
    assert result["flagged"] is True  # only the model's own word says so
    evidence = (looked.audit_folder.folder / "adam" / artifact).read_bytes()
    assert evidence != base64.b64decode(image["source"]["data"])


def test_a_look_proves_nothing_after_the_page_was_left(looked):
    result = looked.result("leaves")
    assert result["status"] == "needs_review"
    assert "no page that was observed shows" in result["reason"]
