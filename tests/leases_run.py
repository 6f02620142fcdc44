"""A run of leases as a reviewer gets it: real pictures, doubts that many samples share, some of one
sample alone, and values that are wrong. One browser photographs all of its pages.

    python tests/leases_run.py FOLDER [COUNT]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from plans import opened, plan_in
from playwright.sync_api import Browser, Page, sync_playwright
from simulated_run import end_run

from pytest_bwa.audit.audits import Audit
from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.item_report import ItemReport
from pytest_bwa.evidence.record import Judgment, SampleResult
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.proof.flagging import flag
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import Picture, Step

SPEC = {
    "task_id": "leases",
    "goal": "Read the lease {sample_id}: who rents, what, since when, for how much.",
    "start_url": "https://leases.example/lease/{sample_id}",
    "output_schema": {
        "tenant": "string",
        "object": "string",
        "start": "date",
        "rent": "number",
        "deposit": "number | null",
    },
    "required_fields": ["tenant", "object", "start", "rent"],
    "judgment_question": "Is the lease signed by both sides?",
    "judgment_required": True,
}
TENANTS = ("Ada Byron", "Karl Benz", "Lise Meitner", "Emmy Noether", "Max Born", "Ida Noddack")
STREETS = ("Lindenstraße", "Am Markt", "Hafenweg", "Schillerplatz", "Gartenstraße")
TIME = "2026-11-28T09:00:07.250Z"
PAGE = """<!doctype html><html lang="de"><title>{name}</title><style>
body{{font:16px/1.6 sans-serif;margin:0;color:#222}}
header{{background:#274060;color:#fff;padding:18px 40px}}
main{{padding:30px 40px;display:grid;grid-template-columns:2fr 1fr;gap:40px}}h1{{margin:0 0 20px}}
dl{{display:grid;grid-template-columns:220px 1fr;gap:8px}}dt{{color:#666}}dd{{margin:0}}
aside{{background:#f3f3ee;padding:20px}}</style>
<header>Mietverwaltung &nbsp; Verträge &nbsp; Objekte &nbsp; Zahlungen</header><main><section>
<h1>Mietvertrag {name}</h1><dl>
<dt>Mieter</dt><dd id="tenant">{tenant}</dd><dt>Objekt</dt><dd id="object">{object}</dd>
<dt>Beginn</dt><dd id="start">{start}</dd><dt>Kaltmiete</dt><dd id="rent">{rent}</dd>
<dt>Kaution</dt><dd id="deposit">{deposit}</dd></dl>
<h2>Anlage</h2><dl><dt>Kaution laut Anlage</dt><dd id="other-deposit">{attached}</dd>
<dt>Miete mit Heizung</dt><dd id="other-rent">{warm}</dd></dl>
<h2>Unterschriften</h2><p id="signed">Vermieter: Hausverwaltung Nord GmbH; Mieter: {signature}</p>
</section><aside><h2>Ansprechpartner</h2><p id="other-tenant">Frau Sommer</p>
<p>Telefon 040 1234 {number}</p>
<p>Zuletzt geändert am <span id="other-start">{changed}</span></p></aside></main></html>"""


@dataclass
class Lease:
    """One lease: what its page says, what was read, and what speaks against that."""

    number: int
    wrong: set[str] = field(default_factory=set)
    """What was read from another place of the page."""
    doubts: dict[str, tuple[Doubt, str]] = field(default_factory=dict)
    status: str = "done"
    reason: str = ""

    @property
    def name(self) -> str:
        return f"L-{self.number:04d}"

    @property
    def true(self) -> dict[str, Any]:
        n = self.number
        return {
            "tenant": TENANTS[n % len(TENANTS)],
            "object": f"{STREETS[n % len(STREETS)]} {1 + n % 40}, {1 + n % 5}. OG",
            "start": f"2026-{1 + n % 12:02d}-{1 + n % 28:02d}",
            "rent": 600 + 35 * (n % 23),
            "deposit": 3 * (600 + 35 * (n % 23)),
        }

    @property
    def elsewhere(self) -> dict[str, Any]:
        """What the page says at the other places."""
        rent, has_doubt = self.true["rent"], "deposit" in self.doubts
        return {
            "tenant": "Frau Sommer",
            "start": f"2026-{1 + self.number % 12:02d}-28",
            "rent": rent + 110,
            "deposit": 0 if has_doubt else 3 * rent,
        }

    @property
    def read(self) -> dict[str, Any]:
        return {**self.true, **{name: self.elsewhere[name] for name in self.wrong}}

    @property
    def page(self) -> str:
        shown = {
            **self.true,
            "start": _date(self.true["start"]),
            "rent": _euros(self.true["rent"]),
            "deposit": _euros(self.true["deposit"]),
            "warm": _euros(self.elsewhere["rent"]),
            "attached": _euros(self.elsewhere["deposit"]),
            "changed": _date(self.elsewhere["start"]),
            "signature": "fehlt noch" if self.status == "needs_review" else self.true["tenant"],
        }
        texts = {name: escape(text) for name, text in shown.items()}
        return PAGE.format(**texts, name=self.name, number=self.number)


def _euros(amount: int) -> str:
    return f"{amount:,},00 €".replace(",", ".", 1) if amount >= 1000 else f"{amount},00 €"


def _date(written: str) -> str:
    return ".".join(reversed(written.split("-")))


def leases(count: int) -> list[Lease]:
    """Of all, every second deposit and every fifth rent has a doubt that many share; a few have one
    of their own, or no signature. Values of four are wrong: one in each group, one with a doubt of
    its own, and one that nothing speaks against."""
    made = [Lease(n) for n in range(1, count + 1)]
    for lease in made:
        if lease.number % 2 == 0:
            lease.doubts["deposit"] = (Doubt.OTHER_VALUE, "Kaution laut Anlage | 0,00 €")
        if lease.number % 5 == 0:
            lease.doubts["rent"] = (Doubt.OTHER_VALUE, "Miete mit Heizung")
        if lease.number % 9 == 0:
            lease.doubts["tenant"] = (Doubt.UNDER_HEADING, f"Ansprechpartner {lease.number}")
        if lease.number % 13 == 0:
            lease.status = "needs_review"
            lease.reason = "the judgment is open: one of the signatures is missing"
    for number, name in ((3, "deposit"), (9, "rent"), (8, "tenant"), (6, "start")):
        made[number].wrong.add(name)
    return made


def open_run(folder: Path, listed: Sequence[Lease]) -> Audit:
    """The audit with its run folder, in which no lease has a result."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "spec.json").write_text(json.dumps(SPEC))
    rows = [f"{lease.name},HH\n" for lease in listed]
    (folder / "samples.csv").write_text("sample_id,city\n" + "".join(rows))
    return opened(plan_in(folder, policy="claude", model="claude-sonnet-5-5"))


def write_leases(run: RunFolder, written: Sequence[Lease], browser: Browser) -> None:
    """Photograph the pages of these leases and write their evidence."""
    page = browser.new_page(viewport={"width": 1100, "height": 700})
    for lease in written:
        _write(run, lease, page)
    page.close()


def finished_run(folder: Path, count: int, browser: Browser | None = None) -> Path:
    """A run of so many leases that has ended; without a browser, one is started."""
    if browser is None:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(**launch_arguments(find_browser(None)))
            return finished_run(folder, count, chromium)
    listed = leases(count)
    run = open_run(folder, listed).folder
    assert run is not None
    write_leases(run, listed, browser)
    end_run(run)
    return run.path


def _write(run: RunFolder, lease: Lease, page: Page) -> None:
    page.set_content(lease.page)
    url = f"https://leases.example/lease/{lease.name}"
    writer = SampleWriter(run.sample(lease.name), lease.name, 40)
    picture = Picture(page.screenshot(full_page=True), url, lease.name, TIME)
    artifact = writer.save_screenshot(picture, "lease", 1)
    for number, action in enumerate(("goto", "screenshot", "done")):
        done = {"result": f"{action} worked", "success": True, "url": url}
        writer.log(Step(step=number, action=action, started_at=TIME, timestamp=TIME, **done))
    is_open = lease.status == "needs_review"
    result = SampleResult(
        sample_id=lease.name,
        task_id="leases",
        status=lease.status,  # type: ignore[arg-type]
        outcome="found",
        reason=lease.reason,
        steps=2,
        extracted=lease.read,
        grounding=dict(_grounding(lease, page, url, artifact.filename)),
        judgment=Judgment(
            answer="inconclusive" if is_open else "yes",
            confidence=0.4 if is_open else 0.95,
            reasoning="The page names the landlord; "
            + ("the tenant's signature is missing." if is_open else "the tenant has signed."),
            evidence_refs=[artifact.filename],
        ),
        artifacts=writer.artifacts,
        policy="claude",
        model="claude-sonnet-5-5",
        mode=["live"] * 3,
        started_at=TIME,
        finished_at=TIME,
    )
    flag(result, tried_forbidden=False)
    writer.checkpoint(2, result.extracted, [], result.status)
    writer.finish(result)
    run.write_item_report(
        ItemReport(
            sample_id=lease.name,
            nodeid=f"workflows/test_audit.py::test_sample[{lease.name}]",
            outcome="passed" if result.passed else "failed",
            phase="call",
            by_record=not result.passed,
        )
    )


def _grounding(lease: Lease, page: Page, url: str, picture: str) -> Iterator[tuple[str, Grounding]]:
    """Each value where it was read, under the label of the right place."""
    labels = dict(zip(SPEC["output_schema"], page.locator("dt").all_inner_texts(), strict=False))
    for name in lease.read:
        place = page.locator(f"#{'other-' if name in lease.wrong else ''}{name}")
        box = place.bounding_box()
        assert box is not None
        text = " ".join(place.inner_text().split())
        rule = {"start": "date", "rent": "number", "deposit": "number"}.get(name)
        yield name, Grounding(
            how="normalised" if rule else "verbatim", rule=rule, cited=True, step=1, url=url,
            role="definition", name=labels[name], text=text, artifact=picture,
            page_state=lease.name, box=(box["x"], box["y"], box["width"], box["height"]),
        ).with_doubts(dict([lease.doubts[name]]) if name in lease.doubts else {})  # fmt: skip


if __name__ == "__main__":
    print(finished_run(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 60))
