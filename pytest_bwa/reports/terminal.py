"""What the terminal shows before and after a run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote

from pytest_bwa.evidence.folder import COMBINED, PAGE, RunFolder
from pytest_bwa.evidence.integrity.manifest import MANIFEST
from pytest_bwa.evidence.record import STATUSES, SampleResult
from pytest_bwa.evidence.run_record import RunRecord
from pytest_bwa.proof.flagging import why_flagged, why_to_look
from pytest_bwa.reports.base import FinishedRun, Report, ReportContext, Terminal
from pytest_bwa.reports.exceptions import exception_lines
from pytest_bwa.reports.handover.words import ending_in_words, status_in_words
from pytest_bwa.reports.resume_line import resume_command
from pytest_bwa.reports.totals import MAX_NAMED
from pytest_bwa.spec.network import advice
from pytest_bwa.steps.step import Usage
from pytest_bwa.steps.text import dollars, first_of, one_line, show_controls

MAX_GROUPS = 5
"""Doubted places that the summary names."""

MAX_REASON, MAX_GROUP = 120, 240
"""Maximum characters of a reason in the summary, and of the line of a doubted place."""


def header_lines(record: RunRecord, folder: RunFolder | None, notes: Sequence[str]) -> list[str]:
    """What pytest prints before the first sample: the task, the policy and the run folder."""
    evidence = display_path(folder.path) if folder else "none (collecting only)"
    current = record.current
    policy = current.policy + (f", model {current.model}" if current.model else "")
    if current.policy == "rules":
        policy += " (no model: judgments stay inconclusive)"
    if current.policy == "replay" and record.replay:
        policy += f" of {record.replay} (no model: judgments stay inconclusive)"
    lines = [
        f"bwa: task {record.task_id}, {_rows(record)}",
        f"bwa: policy {policy}",
        f"bwa: evidence {evidence}",
        *(
            [f"bwa: to follow it in another terminal: bwa watch {quote(evidence)}"]
            if folder
            else []
        ),
        *(f"bwa: {note}" for note in notes),
    ]
    return [show_controls(line) for line in lines]


def _rows(record: RunRecord) -> str:
    """How many samples, and from where."""
    drawn = record.population and record.population.in_words(record.listed_samples)
    if record.shard is not None:
        rows = f"shard {record.shard.shard}: {record.samples_in} of {record.shard.rows} samples"
        return f"{rows} ({drawn})" if drawn else f"{rows} from {_source(record)}"
    rows = f"{record.samples_in} sample{'s' if record.samples_in != 1 else ''}"
    return drawn or f"{rows} from {_source(record)}"


def _source(record: RunRecord) -> str:
    return display_path(Path(record.samples.path))


def discovery_lines(record: RunRecord) -> list[str]:
    """What a person should know of a list that was discovered; empty for one that was given."""
    found = record.discovery
    if found is None:
        return []
    lines = [f"discovery: {found.found} found at {', '.join(found.listings)}"]
    if found.counted is not None and found.counted != found.found:
        lines.append(f"discovery: the page counts {found.counted}, and {found.found} were found")
    lines += [f"discovery: {note}" for note in found.notes]
    lines += [f"discovery: the list is incomplete: {problem}" for problem in found.problems]
    return lines


class TerminalSummary(Report):
    """Writes the totals of each run, and the first samples that are not done."""

    name = "terminal summary"

    def __init__(self, context: ReportContext) -> None:
        super().__init__(context)
        self._runs: tuple[FinishedRun, ...] = ()

    def run_finished(self, runs: tuple[FinishedRun, ...]) -> None:
        self._runs = runs

    def write_terminal_summary(self, terminal: Terminal) -> None:
        for run in self._runs:
            terminal.write_sep("=", f"audit {run.record.task_id}")
            for line in summary_lines(run, self.context.command):
                terminal.write_line(line)


def summary_lines(run: FinishedRun, command: Sequence[str] = ("pytest",)) -> list[str]:
    """The totals of a run, in the order in which they are shown; ``command`` started it."""
    # A worker has this report, too, and never gets here: it starts sooner without recipes.
    from pytest_bwa.reports.recipe_summary import check_lines, recipe_lines, warning_lines

    record, totals = run.record, run.totals
    lines = [
        *warning_lines(record),
        *_known_lines(run),
        f"samples   {record.samples_in}: {', '.join(_counts(run)) or 'none finished'}",
        f"steps     {totals.steps} in {duration(totals.seconds)}",
        f"model     {describe_usage(run.usage, record)}",
        *recipe_lines(record, len(run.results), run.usage),
        *check_lines(record),
    ]
    known_bad = {result.sample_id for result in _failed_as_known(run)}
    for result in totals.first_not_passed:
        ending = "known bad, " * (result.sample_id in known_bad) + ending_in_words(result)
        lines.append(f"  {ending:24}{result.sample_id}: {_shortened(why_to_look(result))}")
    others = set(totals.not_passed) - totals.known.differing.keys()
    if more := len(others) - len(totals.first_not_passed):
        lines.append(f"  … and {more} more in {COMBINED}")
    lines += [
        f"  {'flagged':24}{result.sample_id}: {_shortened(why_flagged(result))}"
        for result in totals.first_flagged
    ]
    if names := totals.passed_as_not_found:
        lines.append(f"not found {first_names(names)} (taken as a pass)")
    lines += _review_lines(run)
    lines += discovery_lines(record)
    lines += [f"blocked   {line}" for line in advice.summary_lines(totals.blocked)]
    lines += [f"note      {one_line(note)}" for note in record.notes]
    lines.append(f"evidence  {display_path(run.folder.path)}{os.sep}{COMBINED}")
    if digest := run.manifest_sha256:
        lines.append(f"manifest  sha256 {digest} of {MANIFEST}")
    if run.ended_early or totals.has_broken:
        lines.append(f"resume    {resume_command(command, run.folder.path)}")
    if (page := run.folder.path / PAGE).is_file():
        lines.append(f"open      {display_path(page)}")
    return lines


def _known_lines(run: FinishedRun) -> list[str]:
    """What was found beside what was known, and what a sample that was drawn says of all."""
    known, differing = run.record.expected, run.totals.known.differing
    lines = (
        [f"expected  {line}" for line in known.lines(run.record.population_rows)] if known else []
    )
    lines += [
        f"  {'not as expected':24}{name}: {_shortened('; '.join(differing[name]))}"
        for name in sorted(differing)[:MAX_NAMED]
    ]
    if (more := len(differing) - MAX_NAMED) > 0:
        lines.append(f"  … and {more} more in {COMBINED}")
    return [*lines, *(f"drawn     {line}" for line in exception_lines(run))]


def _review_lines(run: FinishedRun) -> list[str]:
    """What a person should look at, and how."""
    found = run.totals.to_review
    lines = [f"review    {len(n)} {mark}: {first_names(n)}" for mark, n in found.items()]
    groups = run.totals.doubts.largest_first()
    lines += [
        _shortened(f"review    {group.in_words()}", MAX_GROUP)
        for group in groups[:MAX_GROUPS]
        if len(group.samples) > 1  # the line of a single one says it
    ]
    if found:
        lines.append(f"review    bwa review {quote(display_path(run.folder.path))}")
    return lines


def first_names(names: Sequence[str]) -> str:
    """The first samples of a list on one line."""
    return first_of(names, MAX_NAMED)


def _counts(run: FinishedRun) -> list[str]:
    """How many samples ended in each way; those that pass as not found, that failed as known, and
    that fail only because a person should look at them have a count of their own."""
    known_bad: Counter[str] = Counter(result.status for result in _failed_as_known(run))
    statuses = run.totals.statuses - run.totals.counted_apart - known_bad
    counts = [f"{statuses[one]} {status_in_words(one)}" for one in STATUSES if statuses[one]]
    others = {
        "not as expected": run.totals.not_as_expected,
        "failed by --fail-on": run.totals.failed_for_review,
        "not found": len(run.totals.passed_as_not_found),
        "known bad": known_bad.total(),
        "not run": run.record.not_run,
    }
    return [*counts, *(f"{number} {what}" for what, number in others.items() if number)]


def _failed_as_known(run: FinishedRun) -> Iterator[SampleResult]:
    """The samples that are known to be bad, and were; few, so that no others are read."""
    names = (s.sample_id for s in run.samples.samples if run.task.is_known_bad(s))
    for result in filter(None, map(run.result, names)):
        if not (result.passed or result.broken or result.failed_marks):
            yield result


def describe_usage(usage: Usage, record: RunRecord) -> str:
    """Calls, tokens and cost on one line."""
    if not usage.calls:
        return f"no model calls (policy {', '.join(record.policies)})"
    cost = "cost unknown" if usage.cost_usd is None else dollars(usage.cost_usd)
    tokens = f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out"
    cached = f", {usage.cache_read:,} from cache" if usage.cache_read else ""
    before = record.preparation_usage.calls
    calls = (
        f"{usage.calls} calls ({before} before the samples)" if before else f"{usage.calls} calls"
    )
    return f"{calls} of {', '.join(record.models)}, {tokens}{cached}, {cost}"


def display_path(path: Path) -> str:
    """Relative to the working directory if it is below it, else absolute."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path.resolve())


def _shortened(reason: str, maximum: int = MAX_REASON) -> str:
    """One line, which ends with "…" if it was longer."""
    text = one_line(reason)
    return text if len(text) <= maximum else f"{text[: maximum - 1].rstrip()}…"


def duration(seconds: float) -> str:
    """For a person: seconds up to two minutes, then minutes."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.1f} min"
