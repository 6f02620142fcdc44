"""What the rules policy makes of pages that mislead, of ordinary ones and of small traps."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bench.rules.recorded import Theatre
from bench.truth.ordinary_pages import ORDINARY

from pytest_bwa.audit.run import SampleRun
from pytest_bwa.evidence.record import SampleResult

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "browser"))

from misleading_cases import CASES, Case, Reply, load_cases
from misleading_runs import judge, make_worker
from test_traps import PAGE, TRAPS

STILL = CASES.parent / "still_misleading"
GOODNESS = {"right": 3, "marked": 2, "caught": 2, "silent": 1, "wrong": 0, "wrote": 0}
_OF_CODE = re.compile(r"\w+Error: ")


def check(name: str, result: SampleResult) -> None:
    """Raises RuntimeError for a mistake of the code, which is no answer."""
    if result.broken and _OF_CODE.match(result.reason):
        raise RuntimeError(f"{name}: {result.reason}")


@dataclass(frozen=True)
class Page:
    """One page, for the rules policy."""

    corpus: str
    case: Case

    @property
    def name(self) -> str:
        return f"{self.corpus}: {self.case.name}"

    @property
    def kind(self) -> str:
        return f"{self.corpus}: {self.case.name.rpartition('/')[0]}"

    def play(self, theatre: Theatre) -> int:
        def work(url: str, open_page: Any, folder: Path) -> Any:
            worker = theatre.worker(self.name, url, self._worker)
            sample = worker.audit.sample(self.case.sample["sample_id"])
            return SampleRun(worker, sample, self.name, folder / "s").run(open_page)

        result, received = theatre.play(self.name, "", self.case.serve, work)
        check(self.name, result)
        return GOODNESS[judge(self.case, result, received)[0]]

    def _worker(self, url: str, folder: Path, theatre: Theatre) -> Any:
        site: Any = SimpleNamespace(url=url)
        return make_worker(self.case, site, folder / "run", theatre.settings)


def pages() -> Iterator[Page]:
    for corpus, folder in (("misleading", CASES), ("ordinary", ORDINARY), ("still", STILL)):
        for case in load_cases(folder):
            yield Page(corpus, case)
    for case in map(_trap, TRAPS):
        yield Page("traps", case)


def _trap(name: str) -> Case:
    """A trap as a small site; the first word of its name is the kind of trap."""
    trap = TRAPS[name]
    html = PAGE.format(lang=trap.get("lang", "en"), css=trap.get("css", ""), html=trap["html"])
    given = {key: trap[key] for key in ("aliases",) if key in trap}
    return Case(
        name="/".join(name.split("_", 1)),
        note=trap["trap"],
        spec={"task_id": name, "goal": "g", "output_schema": trap["fields"], **given},
        sample={"sample_id": "A-17", "url": "/items/A-17"},
        expected=trap["expected"],
        pages={"/items/A-17": Reply(html)},
    )
