"""What becomes of the practice audits: their answers with all rules are those that
``tests/plugin/test_workflows.py`` compares with the sites' data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from bench.rules.recorded import Theatre
from local_site import Site

from pytest_bwa.audit.audits import open_option_audit
from pytest_bwa.audit.composition import WorkerContext
from pytest_bwa.audit.plan import Plan
from pytest_bwa.audit.run import SampleRun
from pytest_bwa.browser.watchdog import Watchdog
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.policy.registry import POLICIES
from tasks.practice.serve import respond
from tasks.practice.web import Request

PRACTICE = Path(__file__).parent.parent.parent.parent / "tasks" / "practice"
AUDITS = ("tickets", "people", "pulls", "commits", "contributors", "blame")
"""Those that send nothing: what was recorded of a form would not be sent again."""


class Pages(dict[str, Any]):
    """What the practice sites answer, in the form of ``Site.pages``."""

    def __contains__(self, key: object) -> bool:
        return True

    def get(self, key: str, default: Any = None) -> Any:
        parts = urlsplit(key.partition(" ")[2])
        reply = respond(Request(parts.path, dict(parse_qsl(parts.query)), {}, {}, ""))
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        return reply.status, reply.headers, body


def serve(site: Site) -> None:
    site.pages = Pages()


@dataclass
class Practice:
    """One sample of a practice audit."""

    audit: str
    sample_id: str
    right: SampleResult | None = field(default=None, init=False)
    """What came of it first, with all rules."""

    @property
    def name(self) -> str:
        return f"{self.kind}/{self.sample_id}"

    @property
    def kind(self) -> str:
        return f"practice: {self.audit}"

    def play(self, theatre: Theatre) -> int:
        def work(url: str, open_page: Any, folder: Path) -> SampleResult:
            worker = theatre.worker(self.kind, url, self._worker)
            sample = worker.audit.sample(self.sample_id)
            return SampleRun(worker, sample, self.name, folder / "s").run(open_page)

        result, _ = theatre.play(self.kind, self.sample_id, serve, work)
        self.right = right = self.right or result
        is_alike = (result.status, result.flagged) == (right.status, right.flagged)
        if result.extracted == right.extracted:
            return 3 if is_alike else 2
        told = {name: value for name, value in result.extracted.items() if value is not None}
        is_untrue = any(value != right.extracted.get(name) for name, value in told.items())
        return 0 if is_untrue and is_alike else 1

    def _worker(self, url: str, folder: Path, theatre: Theatre) -> WorkerContext:
        task, listed = PRACTICE / f"{self.audit}.yaml", PRACTICE / "inputs" / f"{self.audit}.csv"
        plan = Plan(folder / "run", "run", "rules", "", task=task, samples=listed, base_url=url)
        (folder / "run").mkdir()
        audit = open_option_audit(plan, collect_only=False, ready=lambda task: None)
        assert audit is not None
        policy = POLICIES["rules"].create(theatre.settings, audit.task, ())
        return WorkerContext(
            audit=audit, policy=policy, settings=theatre.settings, watchdog=Watchdog(lambda: True),
            worker_id="main", base_url=url,
        )  # fmt: skip


def practice() -> Iterator[Practice]:
    for audit in AUDITS:
        lines = (PRACTICE / "inputs" / f"{audit}.csv").read_text("utf-8").splitlines()[1:]
        for line in lines:
            yield Practice(audit, line.partition(",")[0])
