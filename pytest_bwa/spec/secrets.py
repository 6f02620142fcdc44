"""The secrets of one sample: those of the environment, and those of its row."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from pytest_bwa.errors import SpecError
from pytest_bwa.spec.redaction.redactor import Redactor
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.spec.typed_secrets import TOTP_EXTRA, TypedSecrets, check_are_set


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


def check_secrets(task: TaskSpec, path: Path | str) -> None:
    """Raise SpecError if a secret of the environment is not set, or codes cannot be made."""
    check_are_set({**task.secrets, **task.totp}, path)
    if task.totp and find_spec("pyotp") is None:
        raise SpecError(f'{path}: key "totp" needs pyotp: {TOTP_EXTRA}')
