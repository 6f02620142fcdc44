"""A folder with a small audit, which pytest runs in a separate process."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forked_pytest import forked_pytest
from local_site import Site

ROOT = Path(__file__).parent.parent
RECORD = """<!doctype html><title>Record {name}</title><h1>Record {name}</h1>
<dl><dt>Department</dt><dd>{department}</dd><dt>Start date</dt><dd>2025-11-03</dd></dl>"""
SPEC = {
    "task_id": "hr",
    "goal": "Read the record {sample_id}.",
    "output_schema": {"department": "string | null", "start_date": "date | null"},
    "required_fields": ["department"],
    "required_artifacts": ["record"],
}
WAITING = "<h1>Soon</h1><script>fetch('/never/' + location.pathname.slice(1))</script>"
"""A page that waits for an answer which does not come: its sample goes on only when the time for
settling is over."""
TEST = """
def test_sample(browser_agent, sample):
    browser_agent.run(sample).assert_done()
"""


def wait_until(condition: Callable[[], object], message: str, seconds: float = 200) -> None:
    """Wait until the condition is true; fail with the message after ``seconds``."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, message
        time.sleep(0.02)


@dataclass
class FinishedRun:
    """A finished pytest process."""

    status: int
    text: str

    def counts(self) -> dict[str, int]:
        line = self.text.strip().splitlines()[-1]
        return {
            word: int(n)
            for n, word in re.findall(
                r"(\d+) (passed|failed|xfailed|skipped|error|deselected)", line
            )
        }


def _with_common(arguments: Sequence[str]) -> list[str]:
    common = ["-p", "no:cacheprovider"] if "--lf" not in arguments else []
    return [*common, *arguments]


def run_in_repository(*words: object, **environment: str) -> FinishedRun:
    """A run of pytest in this repository, with no other settings than these."""
    ours = {k: v for k, v in os.environ.items() if not k.startswith(("ANTHROPIC_", "BWA_"))}
    arguments = _with_common([str(word) for word in words])
    ran = forked_pytest().run(arguments, ROOT, {**ours, **environment}, seconds=600)
    return FinishedRun(*ran)


class AuditFolder:
    """A folder with a test, a spec and a samples list, and the site that the samples refer to."""

    def __init__(self, path: Path, site: Site) -> None:
        self.path, self.site = path, site
        (path / "test_audit.py").write_text(TEST)
        (path / "pytest.ini").write_text("[pytest]\n")
        self.spec(**SPEC)

    def spec(self, **keys: Any) -> None:
        (self.path / "spec.json").write_text(json.dumps({**SPEC, **keys}))

    def samples(self, *names: str, **xfail: str) -> None:
        """Write the list; every sample has a record page unless its name begins with ``gone``."""
        with (self.path / "samples.csv").open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["sample_id", "url", "xfail"])
            for name in names:
                writer.writerow([name, f"{self.site.url}/{name}", xfail.get(name, "")])
                if not name.startswith("gone"):
                    page = RECORD.format(name=name, department=f"Finance {name}")
                    self.site.pages.setdefault(f"/{name}", page)

    def waits_at(self, *names: str) -> None:
        """Let the pages of these samples be WAITING."""
        for name in names:
            self.site.pages[f"/{name}"] = WAITING
            self.site.delays[f"/never/{name}"] = 300

    def await_waiting(self, name: str) -> None:
        """Wait until the sample waits for its page."""
        asked = f"/never/{name}"
        wait_until(lambda: asked in self.site.requests, f"{asked} was not requested")

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "pytest", *_with_common(arguments)]

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **environment},
            start_new_session=True,
        )

    def run_anew(self, *arguments: str, **environment: str) -> FinishedRun:
        """In an interpreter that has imported nothing yet, as a user's."""
        process = self.start(*arguments, **environment)
        text, _ = process.communicate(timeout=300)
        return FinishedRun(process.returncode, text)

    def run(self, *arguments: str, **environment: str) -> FinishedRun:
        words, variables = _with_common(arguments), {**os.environ, **environment}
        return FinishedRun(*forked_pytest().run(words, self.path, variables, seconds=300))

    def audit(self, *arguments: str, **environment: str) -> FinishedRun:
        return self.run("--task=spec.json", "--samples=samples.csv", *arguments, **environment)

    @property
    def folders(self) -> list[Path]:
        return sorted(p for p in (self.path / "evidence").glob("run_*") if p.is_dir())

    @property
    def folder(self) -> Path:
        (folder,) = self.folders
        return folder

    def result(self, sample_id: str) -> dict[str, Any]:
        result: dict[str, Any] = json.loads((self.folder / sample_id / "result.json").read_text())
        return result

    def combined(self) -> list[dict[str, str]]:
        with (self.folder / "combined.csv").open(newline="", encoding="utf-8-sig") as stream:
            return list(csv.DictReader(stream))

    def record(self) -> dict[str, Any]:
        record: dict[str, Any] = json.loads((self.folder / "run.json").read_text())
        return record
