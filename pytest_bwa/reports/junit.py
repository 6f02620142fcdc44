"""Properties of each sample for JUnit XML."""

from __future__ import annotations

from pytest_bwa.reports.base import FinishedSample, Report


class JUnitProperties(Report):
    """Adds a sample's status, outcome, steps, tokens and cost to its test case in JUnit XML."""

    name = "JUnit properties"

    def sample_finished(self, finished: FinishedSample) -> None:
        result, usage = finished.result, finished.result.usage
        finished.properties.extend(
            [
                ("bwa_status", result.status),
                ("bwa_outcome", result.outcome),
                ("bwa_reason", result.reason),
                ("bwa_steps", result.steps),
                ("bwa_model_calls", usage.calls),
                ("bwa_tokens_in", usage.input_tokens),
                ("bwa_tokens_out", usage.output_tokens),
                ("bwa_cost_usd", "unknown" if usage.cost_usd is None else usage.cost_usd),
                ("bwa_evidence", str(result.folder or "")),
            ]
        )
