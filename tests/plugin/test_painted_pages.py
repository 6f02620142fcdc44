"""A record that is only painted on a canvas, read without a model."""

from __future__ import annotations

import json
import os
import stat

PAINTED = "<body><canvas width=600 height=200></canvas></body>"


def test_a_painted_record_is_read_by_ocr_and_flagged_for_review(audit_folder, tmp_path):
    """Use a fake tesseract that writes the output file pytesseract expects."""
    program = tmp_path / "bin/tesseract"
    program.parent.mkdir()
    text = "Record\\nDepartment: Finance\\nStart date: 2025-11-03\\n"
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
    assert (reading["source"], reading["why"]) == ("ocr", "the page's tree is empty")
    pictures = {a["label"] for a in result["artifacts"]}
    assert pictures >= {"seen by vision", "record"}
    log = json.loads((audit_folder.folder / "adam/action_log.json").read_text())
    assert log[-1]["picture_text"]["source"] == "ocr"


def test_without_ocr_it_is_neither_read_nor_guessed(audit_folder):
    audit_folder.samples("adam")
    audit_folder.site.pages["/adam"] = PAINTED
    run = audit_folder.audit("--policy=rules", BWA_VISION="off")
    assert run.counts() == {"failed": 1}, run.text
    assert audit_folder.result("adam")["extracted"] == {"department": None, "start_date": None}
