"""Properties of each sample and of each run for JUnit XML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

from pytest_bwa.evidence.files import write_atomically
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.proof.flagging import why_to_look
from pytest_bwa.reports.base import FinishedRun, FinishedSample, Report
from pytest_bwa.steps.text import show_controls

MANIFEST_PROPERTY = "bwa_manifest_sha256"
EVIDENCE = "bwa_evidence"
OURS = "bwa_"
"""How the names of all our properties begin."""


class JUnitProperties(Report):
    """Adds a sample's status, outcome, reasons for a review, steps, tokens and cost to its test
    case in JUnit XML, and to the suite which samples to review and the SHA-256 of each run's
    manifest."""

    name = "JUnit properties"

    def sample_finished(self, finished: FinishedSample) -> None:
        result, usage = finished.result, finished.result.usage
        # Of a test that runs again, the last attempt counts.
        finished.properties[:] = [p for p in finished.properties if not p[0].startswith(OURS)]
        finished.properties.extend(
            [
                ("bwa_status", result.status),
                ("bwa_outcome", result.outcome),
                *_flag(result),
                ("bwa_steps", result.steps),
                ("bwa_model_calls", usage.calls),
                ("bwa_tokens_in", usage.input_tokens),
                ("bwa_tokens_out", usage.output_tokens),
                ("bwa_cost_usd", "unknown" if usage.cost_usd is None else usage.cost_usd),
                (EVIDENCE, str(result.folder or "")),
            ]
        )

    def run_sealed(self, runs: tuple[FinishedRun, ...]) -> None:
        file = self.context.junit_file
        if file is None or not file.is_file():
            return
        if any(file.is_relative_to(run.folder.path.resolve()) for run in runs):
            return  # the manifest has its digest already
        properties: dict[str, str] = {}
        late: dict[Path, SampleResult] = {}
        for run in runs:
            results = filter(None, map(run.result, run.changed_late))
            late |= {run.folder.sample(r.sample_id).resolve(): r for r in results}
            name = run.folder.path.name
            for mark, samples in run.totals.to_review.items():
                properties[f"bwa_{mark}.{name}"] = f"{len(samples)}: {', '.join(samples)}"
            if digest := run.manifest_sha256:
                properties[f"{MANIFEST_PROPERTY}.{name}"] = digest
        add_to_file(file, properties, late)


def add_to_file(
    file: Path, properties: Mapping[str, str], late: Mapping[Path, SampleResult]
) -> None:
    """Complete a file that pytest has written: each suite gets properties of the manifest, which is
    only there now, and each sample that was flagged or cleared at the end of its run, by its
    evidence folder, the flag and its reason."""
    if not properties:
        return
    tree = ElementTree.parse(file)
    for suite in tree.iter("testsuite"):
        listed = suite.find("properties")
        if listed is None:
            listed = ElementTree.Element("properties")
            suite.insert(0, listed)
        for name, value in properties.items():
            ElementTree.SubElement(listed, "property", name=name, value=value)
    for case in tree.iter("testcase") if late else ():
        own = {entry.get("name", ""): entry for entry in case.iter("property")}
        if EVIDENCE in own and (result := late.get(Path(own[EVIDENCE].get("value", "")).resolve())):
            for name, value in _flag(result):
                own[name].set("value", show_controls(value))
    content = ElementTree.tostring(tree.getroot(), encoding="utf-8", xml_declaration=True)
    write_atomically(file, content)


def _flag(result: SampleResult) -> Iterator[tuple[str, str]]:
    yield "bwa_flagged", "true" if result.flagged else "false"
    yield "bwa_review", " ".join(result.review_marks)
    yield "bwa_reason", why_to_look(result)
