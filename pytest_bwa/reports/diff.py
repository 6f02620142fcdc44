"""Compares two runs sample by sample: what each found, and what it did.

What differs always is left out: times, names of runs, models and their usage, what the loop did by
itself, and the address of the site if each run had its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any, Literal

from pytest_bwa.evidence.files import to_json
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.run_record import RunRecord
from pytest_bwa.evidence.writer import CHECKPOINT, RESULT
from pytest_bwa.policy.recorded import performed_again
from pytest_bwa.spec.sample import folders_in_run
from pytest_bwa.steps.step import Artifact, Step
from pytest_bwa.steps.text import one_line, show_controls

What = Literal[
    "task", "sample", "status", "outcome", "value", "judgment", "steps", "action", "picture"
]
MISSING = None
"""Stands for what one of the runs does not have."""
SITE = "{site}"
"""Stands in the compared texts for the address that a run's relative addresses belong to."""
_LOCAL_PORT = re.compile(r"(https?://(?:localhost|127\.0\.0\.1|\[::1\])):\d+")
_SHOWN, _HASH = 60, 12


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that the runs have differently; ``a`` and ``b`` are what each has."""

    sample_id: str
    what: What
    name: str
    """Which value, which action or which picture."""
    a: Any
    b: Any

    @property
    def line(self) -> tuple[str, str, str, str]:
        """The cells of its row in the table."""
        what = f"{self.what} {self.name}".strip()
        limit = _HASH if self.what == "picture" else _SHOWN
        return self.sample_id, what, _as_text(self.a, limit), _as_text(self.b, limit)


@dataclass(frozen=True, slots=True)
class RunDiff:
    """Two runs beside each other."""

    run_a: str
    run_b: str
    samples: int
    """How many samples both have."""
    differences: Sequence[Difference]
    pictures: Sequence[Difference]
    """Pictures that show another state. Many pages show the time, so they are told apart."""

    def differs(self, *, with_pictures: bool) -> bool:
        return bool(self.differences) or (with_pictures and bool(self.pictures))

    def to_json(self, *, with_pictures: bool) -> dict[str, Any]:
        return {
            "run_a": self.run_a,
            "run_b": self.run_b,
            "samples": self.samples,
            "differs": self.differs(with_pictures=with_pictures),
            "differences": [asdict(difference) for difference in self.differences],
            "pictures": [asdict(difference) for difference in self.pictures],
        }


def compare(run_a: RunFolder, run_b: RunFolder) -> RunDiff:
    """Raises EvidenceError if one is no readable run."""
    sides = (_Side(run_a, run_a.record()), _Side(run_b, run_b.record()))
    a, b = sides
    differences: list[Difference] = []
    pictures: list[Difference] = []
    if a.record.task_id != b.record.task_id:
        differences.append(Difference("", "task", "", a.record.task_id, b.record.task_id))
    both = 0
    for sample_id in sorted({*a.sample_ids, *b.sample_ids}):
        result_a, result_b = (side.folder.result(sample_id) for side in sides)
        if result_a is None or result_b is None:
            ends = [result.ending if result else MISSING for result in (result_a, result_b)]
            differences.append(Difference(sample_id, "sample", "", *ends))
            continue
        both += 1
        differences += _results(a, b, result_a, result_b)
        differences += _actions(sample_id, a.actions(sample_id), b.actions(sample_id))
        pictures += _pictures(sample_id, result_a.artifacts, result_b.artifacts)
    return RunDiff(run_a.path.name, run_b.path.name, both, differences, pictures)


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two runs."""

    folder: RunFolder
    record: RunRecord

    @property
    def sample_ids(self) -> list[str]:
        paths = folders_in_run(self.folder.path)
        return [p.name for p in paths if any((p / name).exists() for name in (RESULT, CHECKPOINT))]

    def without_site(self, value: Any) -> Any:
        """The value with the address of the run's own site replaced."""
        if isinstance(value, str) and self.record.base_url:
            text = value.replace(self.record.base_url.rstrip("/"), SITE)
            # Servers that are started on this machine for one run have other ports the next time.
            return _LOCAL_PORT.sub(r"\1", text) if _LOCAL_PORT.match(self.record.base_url) else text
        if isinstance(value, list):
            return [self.without_site(item) for item in value]
        if isinstance(value, Mapping):
            return {key: self.without_site(item) for key, item in value.items()}
        return value

    def actions(self, sample_id: str) -> list[str]:
        """What was done on the pages of a sample, each action in words."""
        steps = performed_again(self.folder.steps(sample_id))
        return [str(self.without_site(_in_words(recorded.step))) for recorded in steps]


def _results(a: _Side, b: _Side, first: SampleResult, second: SampleResult) -> Iterator[Difference]:
    sample_id = first.sample_id
    if first.status != second.status:
        yield Difference(sample_id, "status", "", first.status, second.status)
    if first.outcome != second.outcome:
        yield Difference(sample_id, "outcome", "", first.outcome, second.outcome)
    for name in dict.fromkeys((*first.extracted, *second.extracted)):
        one = a.without_site(first.extracted.get(name))
        other = b.without_site(second.extracted.get(name))
        if (type(one), one) != (type(other), other):
            yield Difference(sample_id, "value", name, one, other)
    answers = [r.judgment.answer if r.judgment else MISSING for r in (first, second)]
    if answers[0] != answers[1]:
        yield Difference(sample_id, "judgment", "", *answers)


def _actions(sample_id: str, a: Sequence[str], b: Sequence[str]) -> Iterator[Difference]:
    if len(a) != len(b):
        yield Difference(sample_id, "steps", "", len(a), len(b))
    for number, (one, other) in enumerate(zip_longest(a, b), start=1):
        if one != other:
            yield Difference(sample_id, "action", str(number), one, other)


def _pictures(sample_id: str, a: Sequence[Artifact], b: Sequence[Artifact]) -> Iterator[Difference]:
    """Files of one name belong together; their numbers count the pictures of a sample."""
    first, second = ({f.filename: f for f in files} for files in (a, b))
    for name in sorted({*first, *second}):
        one, other = first.get(name), second.get(name)
        if one is None or other is None:
            hashes = [f.sha256 if f else MISSING for f in (one, other)]
            yield Difference(sample_id, "picture", name, *hashes)
        elif one.sha256 != other.sha256:
            states = one.page_state, other.page_state
            a_shows, b_shows = states if all(states) else (one.sha256, other.sha256)
            if a_shows != b_shows:
                yield Difference(sample_id, "picture", name, a_shows, b_shows)


def _in_words(step: Step) -> str:
    """An action with what it was done on, and with what was entered."""
    params = dict(step.params)
    words = [step.action]
    selector = params.pop("selector", None)
    if step.target is not None and step.target.identity is not None:
        words.append(step.target.identity.in_words())
    elif selector is not None:
        words.append(str(selector))
    if step.destination is not None and step.destination.identity is not None:
        params["target"] = step.destination.identity.in_words()
    return " ".join([*words, *(f"{name}={value}" for name, value in sorted(params.items()))])


def write(
    found: RunDiff, echo: Callable[[str], object], *, as_json: bool, with_pictures: bool
) -> None:
    """The differences as JSON, or as a table with a last line that says how many there are."""
    if as_json:
        echo(to_json(found.to_json(with_pictures=with_pictures)).decode().rstrip())
        return
    rows = [difference.line for difference in (*found.differences, *found.pictures)]
    if rows:
        for line in _table([("sample", "what", found.run_a, found.run_b), *rows]):
            echo(line)
    samples = f"{found.samples} sample{'' if found.samples == 1 else 's'} in both"
    not_counted = "" if with_pictures or not found.pictures else _other_pictures(found)
    if found.differs(with_pictures=with_pictures):
        number = len(found.differences) + (len(found.pictures) if with_pictures else 0)
        echo(f"{number} difference{'' if number == 1 else 's'}, {samples}{not_counted}")
    else:
        echo(f"no difference, {samples}{not_counted}")


def _other_pictures(found: RunDiff) -> str:
    number = len(found.pictures)
    some = "1 picture shows" if number == 1 else f"{number} pictures show"
    return f"; {some} another state, which counts only with --pictures"


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """The rows in columns."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _as_text(value: Any, limit: int) -> str:
    """A value in a cell of the table."""
    text = "(missing)" if value is MISSING else str(value)
    return show_controls(one_line(text) if len(text) <= limit else f"{one_line(text[:limit])}…")
