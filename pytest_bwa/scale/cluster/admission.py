"""Which workers of a cluster may run samples: asked before they get any."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from pathlib import Path

from pytest_bwa import __version__
from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.login import saved_login
from pytest_bwa.errors import BwaError
from pytest_bwa.evidence.integrity.origin import other_versions, used_versions
from pytest_bwa.policy.registry import choose
from pytest_bwa.scale.cluster.job import Job
from pytest_bwa.settings import read_settings
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.secrets import check_secrets

PYTHON, PACKAGE = "python", "pytest-bwa"
Versions = Mapping[str, str]


def version_question() -> Callable[[], Versions]:
    """What is asked of a worker that may have another version of this package, or none: a function
    within a function, because Dask sends that one whole, and not only its name."""

    def versions() -> Versions:
        import platform

        found = {"host": platform.node(), "python": platform.python_version()}
        try:
            import pytest_bwa

            return {**found, "pytest-bwa": pytest_bwa.__version__}
        except ImportError:
            return {**found, "pytest-bwa": ""}

    return versions


def why_not_this_version(found: Versions) -> str:
    """Why a worker with these versions is refused; empty if they are ours."""
    if not found[PACKAGE]:
        return "it has no pytest-bwa"
    if found[PACKAGE] != __version__:
        return f"it has pytest-bwa {found[PACKAGE]}, and this is {__version__}"
    ours = platform.python_version()
    if _minor(found[PYTHON]) != _minor(ours):
        return f"it has Python {found[PYTHON]}, and this is {ours}"
    return ""


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def why_not_this_machine(job: Job, sent: Path) -> str:
    """Asked on a worker that has the job's files: why the job cannot run there; empty if it can.
    Keys, secrets and saved logins are the worker's own, and the job knows only their names."""
    for name, own, ours in other_versions(used_versions(), job.versions):
        return f"it has {name} {own}, and this is {ours}"
    try:
        settings = read_settings().model_copy(update={**job.settings, "model": job.model})
        find_browser(settings.browser)
        choose(job.policy, settings)
        task = load_task(sent / job.inputs.task)
        check_secrets(task, job.inputs.task)
        saved_login(settings.home, task.auth_profile)
    except BwaError as problem:
        return str(problem)
    return ""
