"""What a person sees while a run goes on."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import threading

import pytest

pytestmark = pytest.mark.slow
SLOW = """<!doctype html><title>Record eve</title><h1>Record eve</h1>
<dl><dt>Department</dt><dd>Finance eve</dd></dl><script>fetch('/wait')</script>"""


SHOWN = re.compile(r"\x1b7\x1b\[K(.*?)\x1b8")
RUNNING = re.compile(r"finished; .*eve step \d of 25")


def run_in_terminal(audit_folder, *arguments: str, is_shown: threading.Event) -> tuple[int, str]:
    """The exit status, and all that a terminal of 100 columns was sent. ``is_shown`` is set when it
    shows the sample that is running."""
    ours, theirs = pty.openpty()
    patience = {"BWA_ACTION_TIMEOUT": "1200"}
    look = {"TERM": "xterm", "COLUMNS": "100", "NO_COLOR": "1"}
    environment = {**os.environ, **look, **patience}
    given = ("--task=spec.json", "--samples=samples.csv", *arguments)
    process = subprocess.Popen(
        audit_folder.command(*given), cwd=audit_folder.path, env=environment,
        stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    sent = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the last process has closed its end
            break
        if not part:
            break
        sent += part
        if any(map(RUNNING.search, SHOWN.findall(sent.decode("utf-8", "replace")))):
            is_shown.set()
    os.close(ours)
    return process.wait(timeout=60), sent.decode("utf-8", "replace")


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_terminal_shows_the_running_sample_on_a_line_that_is_rewritten(audit_folder, workers):
    audit_folder.site.pages["/eve"] = SLOW
    is_shown = audit_folder.site.holds["/wait"] = threading.Event()
    audit_folder.samples("eve", "adam")
    status, sent = run_in_terminal(audit_folder, "-n", workers, is_shown=is_shown)
    assert status == 0, sent
    shown = SHOWN.findall(sent)
    assert is_shown.is_set(), sent
    assert not any("\n" in line or len(line) >= 100 for line in shown)
    kept = re.sub(r"\x1b7\x1b\[K.*?\x1b8|\x1b\[K", "", sent)
    assert "eve step" not in kept, "what pytest writes stays as it is"
    assert re.search(r"\.\. +\[100%\]", kept), kept


def test_verbose_output_has_a_line_for_each_step_and_the_log_says_how_samples_end(audit_folder):
    audit_folder.samples("adam", "eve")
    ran = audit_folder.audit("-v", "-n0")
    steps = re.findall(r"^  (\w+): step (\d+) (\w+)", ran.text, re.M)
    for name in ("adam", "eve"):
        log = json.loads((audit_folder.folder / name / "action_log.json").read_text())
        written = [(name, str(step["step"]), step["action"]) for step in log]
        assert [step for step in steps if step[0] == name] == written
    logged = audit_folder.audit("--log-cli-level=INFO", "-n0")
    assert re.search(r"INFO .*adam: step 0 goto: opened http", logged.text), logged.text
    assert re.search(r"INFO .*adam: done: ", logged.text)
    quiet = audit_folder.audit("-q")
    assert "step 0" not in quiet.text
