"""The secrets of a sample: those of the environment, and those of its row, which are kept apart."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from pytest_bwa.errors import SamplesError, SpecError
from pytest_bwa.spec.redaction import MIN_CHARACTERS_INSIDE_WORDS, Redactor, may_be_in
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.spec.typed_secrets import (
    TOTP_EXTRA,
    TypedSecrets,
    check_are_set,
    is_redacted,
    named,
)


def secrets_of(task: TaskSpec, sample: Sample, urls: Iterable[str | None] = ()) -> TypedSecrets:
    """``urls`` are the sample's own addresses."""
    return TypedSecrets(
        task.secrets, urls, columns=sample.secrets, totp=task.totp, patterns=task.redact
    )


def redactor_of(task: TaskSpec, sample: Sample) -> Redactor:
    """What redacts the texts of a sample outside of its run."""
    return secrets_of(task, sample).redactor


def has_secrets(task: TaskSpec) -> bool:
    """Whether the policy may type values that nobody shall see."""
    return bool(task.secrets or task.totp)


def typed_by_policy(task: TaskSpec) -> list[str]:
    """The names of the secrets that a policy may type: those of the login, the harness types."""
    own = task.login.secrets if task.login else ()
    return [name for name in (*task.secrets, *task.totp) if name not in own]


def check_secrets(task: TaskSpec, path: Path | str) -> None:
    """Raise SpecError if a secret of the environment is not set, or codes cannot be made."""
    check_are_set({**task.secrets, **task.totp}, path)
    if task.totp and find_spec("pyotp") is None:
        raise SpecError(f'{path}: key "totp" needs pyotp: {TOTP_EXTRA}')


HiddenCells = Mapping[str, Mapping[str, str]]
"""What samples.csv of a run folder does not say: by sample_id, the values of columns."""


def set_apart(
    samples: Sequence[Sample], task: TaskSpec, source: str
) -> tuple[tuple[Sample, ...], list[str]]:
    """The samples with the secret's name in each secret column, and notes for the user. Raises
    SamplesError for a sample_id that says a secret: it names files and tests."""
    columns = _columns(task)
    apart = tuple(_without_values(sample, columns) for sample in samples)
    for sample in apart:
        if _redactor_for(sample, [sample.sample_id], task)(sample.sample_id) != sample.sample_id:
            raise SamplesError(
                "contains a secret: it names files and tests, so give the sample another one",
                file=source,
                row=sample.row,
                column="sample_id",
            )
    return apart, _notes(task, apart)


def _columns(task: TaskSpec) -> dict[str, str]:
    """The secret columns, each with the name of its secret."""
    return {source.column: name for name, source in task.secrets.items() if source.column}


def _without_values(sample: Sample, columns: Mapping[str, str]) -> Sample:
    texts = {column: sample.columns.get(column, "").strip() for column in columns}
    cells = {c: text for c, text in texts.items() if text and text != named(columns[c])}
    names = {column: named(columns[column]) for column in cells}
    secrets = {columns[column]: text for column, text in cells.items()}
    return replace(sample, columns={**sample.columns, **names}, secrets=secrets)


def _notes(task: TaskSpec, samples: Iterable[Sample]) -> list[str]:
    sources = task.secrets.items()
    values = [(name, os.environ.get(source.env, "")) for name, source in sources if source.env]
    values += [secret for sample in samples for secret in sample.secrets.items()]
    short = sorted({name for name, value in values if len(value) < MIN_CHARACTERS_INSIDE_WORDS})
    return [
        f'the secret "{name}" has fewer than {MIN_CHARACTERS_INSIDE_WORDS} characters: it is '
        "hidden only where it is a whole word, and not where it is encoded"
        for name in short
    ]


def _redactor_for(sample: Sample, texts: Collection[str], task: TaskSpec) -> Redactor:
    """What redacts these texts. Only where it may find something, it knows the sample's own
    secrets: to look for 10,000 of them would take a minute."""
    own = {name: value for name, value in sample.secrets.items() if may_be_in(value, texts)}
    return redactor_of(task, replace(sample, secrets=own))


def as_written(sample: Sample, task: TaskSpec) -> Sample:
    """The sample as files and reports may say it: without the tokens of addresses, too."""
    redactor = _redactor_for(sample, [*sample.columns.values(), *sample.expected.values()], task)
    cells = {n: v if n == "sample_id" else redactor(v) for n, v in sample.columns.items()}
    known = {name: redactor(text) for name, text in sample.expected.items()}
    return replace(sample, columns=cells, expected=known)


def hidden_cells(samples: Iterable[Sample], task: TaskSpec) -> HiddenCells:
    """What ``as_written`` leaves out."""
    return {sample.sample_id: cells for sample in samples if (cells := _hidden(sample, task))}


def _hidden(sample: Sample, task: TaskSpec) -> dict[str, str]:
    as_it_is, written = _cells(sample), _cells(as_written(sample, task))
    changed = {name: value for name, value in as_it_is.items() if written[name] != value}
    secrets = {c: sample.secrets[n] for c, n in _columns(task).items() if n in sample.secrets}
    return changed | secrets


def with_hidden(samples: Sequence[Sample], task: TaskSpec, hidden: HiddenCells) -> Sequence[Sample]:
    """The samples as they were before they were written."""
    columns = _columns(task)
    if not columns and not hidden:
        return samples
    whole = (_with_cells(s, hidden.get(s.sample_id, {})) for s in samples)
    return tuple(_without_values(sample, columns) for sample in whole)


def lacks_cells(samples: Iterable[Sample]) -> bool:
    """Whether something was left out of a list that was written."""
    return any(is_redacted(v) for s in samples for v in _cells(s).values())


_KNOWN = "\0"
"""Before the name of what a row expects, which no column begins with."""


def _cells(sample: Sample) -> dict[str, str]:
    """All cells of the row: its columns, and what it expects."""
    return {**sample.columns, **{f"{_KNOWN}{n}": text for n, text in sample.expected.items()}}


def _with_cells(sample: Sample, cells: Mapping[str, str]) -> Sample:
    known = {n.removeprefix(_KNOWN): v for n, v in cells.items() if n.startswith(_KNOWN)}
    columns = {name: v for name, v in cells.items() if not name.startswith(_KNOWN)}
    return replace(
        sample, columns={**sample.columns, **columns}, expected={**sample.expected, **known}
    )
