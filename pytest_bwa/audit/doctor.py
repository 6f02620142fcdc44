"""Check what a run on this machine would use, without starting one (`bwa doctor`)."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil

from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import uses_sandbox
from pytest_bwa.browser.start_check import check_start
from pytest_bwa.errors import BrowserMissing, InputError
from pytest_bwa.page.perception import ocr
from pytest_bwa.policy.model_servers import served_model
from pytest_bwa.policy.registry import AUTO, choose, has_model
from pytest_bwa.settings import Settings, read_settings

PACKAGES = (
    "pytest-bwa",
    "pytest",
    "playwright",
    "pytest-playwright",
    "pytest-xdist",
    "anthropic",
    "allure-pytest",
)
WORKER_MB = 330  # measured: one worker with its browser
WORKERS_PER_CORE = 4  # a worker that waits for a model leaves its core to other workers
CGROUP = Path("/sys/fs/cgroup")
NO_ALLURE = (
    "not installed; only `bwa report` needs it: npm install -g allure, "
    "or see https://allurereport.org/docs/install"
)


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the output. No run can start if a required check is not ``ok``."""

    name: str
    message: str
    ok: bool = True
    required: bool = True

    @property
    def mark(self) -> str:
        """The first word of the line."""
        return "ok" if self.ok else "missing" if self.required else "optional"


def run_checks(evidence: Path) -> Iterator[Check]:
    """Every check, in the order in which they are shown."""
    yield Check("python", platform.python_version())
    yield from (_package(name) for name in PACKAGES)
    try:
        settings = read_settings()
    except InputError as problem:
        yield Check("settings", str(problem), ok=False)
        return
    yield _browser(settings)
    yield Check("sandbox", "on" if uses_sandbox() else "off, because you are root")
    yield _chosen_policy(settings)
    yield Check(
        "model", settings.model if has_model(settings) else "none: the policy rules uses no model"
    )
    yield Check("vision", _vision(settings))
    yield _ocr()
    yield _allure()
    yield _evidence(evidence)
    yield Check("machine", _machine())


def _package(name: str) -> Check:
    try:
        return Check(name, version(name))
    except PackageNotFoundError:
        return Check(name, f"not installed: pip install {name}", ok=False)


def _browser(settings: Settings) -> Check:
    try:
        found = find_browser(settings.browser)
    except BrowserMissing as missing:
        return Check("browser", str(missing), ok=False)
    start = check_start(found)
    if start.problem:
        message = f"{found.describe()} does not start: {start.problem}"
        return Check("browser", message, ok=False)
    source = {"playwright": "Playwright's", "system": "the system's", "env": "from BWA_BROWSER"}
    message = f"{found.path} ({source[found.kind]}), version {start.version}"
    return Check("browser", f"{message}, started in {start.seconds:.1f} s")


def _chosen_policy(settings: Settings) -> Check:
    try:
        choose(AUTO, settings)
    except InputError as problem:
        return Check("policy", f"{problem}, or pass --policy rules", ok=False, required=False)
    return Check("policy", _policy(settings))


def _policy(settings: Settings) -> str:
    """The policy that ``auto`` chooses, and why; never the value of a secret."""
    if url := served_model(settings.model, settings.model_servers).url:
        return f"claude, with the model of {url}"
    if settings.anthropic_api_key:
        return "claude, because ANTHROPIC_API_KEY is set"
    if settings.anthropic_auth_token:
        return "claude, because ANTHROPIC_AUTH_TOKEN is set"
    if settings.anthropic_base_url:
        return "claude, because ANTHROPIC_BASE_URL is set"
    return "rules, because neither ANTHROPIC_API_KEY nor ANTHROPIC_BASE_URL is set"


def _vision(settings: Settings) -> str:
    if settings.vision == "off":
        return "off (BWA_VISION)"
    if not has_model(settings):
        return "none without a model: what only a picture shows ends as needs_review"
    return settings.vision_model or settings.model


def _ocr() -> Check:
    problem = ocr.find_problem()
    message = problem or "tesseract, for pages that consist of pictures"
    return Check("ocr", message, ok=not problem, required=False)


def _allure() -> Check:
    path = shutil.which("allure")
    if path is None:
        return Check("allure", NO_ALLURE, ok=False, required=False)
    try:
        process = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError):
        message = f"{path} does not run (version 2 needs Java, version 3 needs Node)"
        return Check("allure", message, ok=False, required=False)
    version_number = (
        process.stdout.strip().splitlines()[-1] if process.stdout.strip() else "unknown"
    )
    runtime = {"2": " (Java)", "3": " (Node)"}.get(version_number.split(".")[0], "")
    return Check("allure", f"{path}, version {version_number}{runtime}")


def _evidence(folder: Path) -> Check:
    """Whether the folder, or the nearest existing folder above it, can be written to.

    A temporary file is really written; the folder is not created.
    """
    existing = next(p for p in (folder.absolute(), *folder.absolute().parents) if p.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            free = shutil.disk_usage(existing).free / 1024**3
    except OSError as error:
        message = f"{existing} cannot be written to: {error.strerror}; pass --evidence DIR"
        return Check("evidence", message, ok=False)
    return Check("evidence", f"{folder} can be written to, {free:.0f} GB free")


def _machine() -> str:
    cores, memory = _cores(), _memory_mb()
    max_workers = max(1, memory // WORKER_MB)
    rules, claude = min(cores, max_workers), min(cores * WORKERS_PER_CORE, max_workers)
    return (
        f"{cores} cores, {memory / 1024:.1f} GB of memory free: "
        f"use -n {rules} with rules, up to -n {claude} with claude"
    )


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # a container may use fewer than the machine has
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory_mb() -> int:
    """Free memory; in a container, what its limit leaves, which psutil does not know."""
    free = int(psutil.virtual_memory().available)
    try:
        limit = int((CGROUP / "memory.max").read_text("ascii"))
        free = min(free, limit - int((CGROUP / "memory.current").read_text("ascii")))
    except (OSError, ValueError):  # no such limit: not Linux, or "max"
        pass
    return max(0, free) // 1024**2
