"""What a run on this machine would use, found out without starting one."""

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
from pytest_bwa.browser.launch import sandboxed
from pytest_bwa.browser.start_check import check_start
from pytest_bwa.errors import BrowserMissing, InputError
from pytest_bwa.perception import ocr
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
WORKER_MB = 330  # measured: one worker with its browser (DESIGN 5)
WORKERS_A_CORE = 4  # a worker that waits for a model leaves its core to others
CGROUP = Path("/sys/fs/cgroup")
GET_ALLURE = (
    "none; a run needs none, but `bwa report` does: npm install -g allure, "
    "or see https://allurereport.org/docs/install"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One line. ``needed`` things that are not ``ok`` keep a run from starting."""

    what: str
    told: str
    ok: bool = True
    needed: bool = True

    @property
    def mark(self) -> str:
        return "ok" if self.ok else "missing" if self.needed else "none"


def examine(evidence: Path) -> Iterator[Finding]:
    """Every finding in the order in which a person wants to read them."""
    yield Finding("python", platform.python_version())
    yield from (_package(name) for name in PACKAGES)
    try:
        settings = read_settings()
    except InputError as problem:
        yield Finding("settings", str(problem), ok=False)
        return
    yield _browser(settings)
    yield Finding("sandbox", "on" if sandboxed() else "off, because we are root")
    yield Finding("policy", _policy(settings))
    yield Finding("model", settings.model if settings.has_model else "not used by rules")
    yield Finding("vision", _vision(settings))
    yield _ocr()
    yield _allure()
    yield _evidence(evidence)
    yield Finding("machine", _machine())


def _package(name: str) -> Finding:
    try:
        return Finding(name, version(name))
    except PackageNotFoundError:
        return Finding(name, f"not installed: pip install {name}", ok=False)


def _browser(settings: Settings) -> Finding:
    try:
        found = find_browser(settings.browser)
    except BrowserMissing as missing:
        return Finding("browser", str(missing), ok=False)
    trial = check_start(found)
    if trial.problem:
        told = f"{found.describe()} does not start: {trial.problem}"
        return Finding("browser", told, ok=False)
    kind = {"playwright": "Playwright's", "system": "the system's", "env": "from BWA_BROWSER"}
    told = f"{found.path} ({kind[found.kind]}), version {trial.version}"
    return Finding("browser", f"{told}, started in {trial.seconds:.1f} s")


def _policy(settings: Settings) -> str:
    """What ``auto`` takes, and why; never a secret's value."""
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
    if not settings.has_model:
        return "none without a model: what only a picture shows is left to a person"
    return settings.vision_model or settings.model


def _ocr() -> Finding:
    problem = ocr.problem()
    told = problem or "tesseract, for pages whose tree is empty"
    return Finding("ocr", told, ok=not problem, needed=False)


def _allure() -> Finding:
    path = shutil.which("allure")
    if path is None:
        return Finding("allure", GET_ALLURE, ok=False, needed=False)
    try:
        asked = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError):
        told = f"{path} does not run (version 2 needs Java, version 3 needs Node)"
        return Finding("allure", told, ok=False, needed=False)
    number = asked.stdout.strip().splitlines()[-1] if asked.stdout.strip() else "unknown"
    made_for = {"2": " (Java)", "3": " (Node)"}.get(number.split(".")[0], "")
    return Finding("allure", f"{path}, version {number}{made_for}")


def _evidence(folder: Path) -> Finding:
    """A file is really written where the folder is there; nothing is created where it is not."""
    place = next(p for p in (folder.absolute(), *folder.absolute().parents) if p.exists())
    try:
        with tempfile.TemporaryFile(dir=place):
            free = shutil.disk_usage(place).free / 1024**3
    except OSError as error:
        told = f"{place} cannot be written to: {error.strerror}; pass --evidence DIR"
        return Finding("evidence", told, ok=False)
    return Finding("evidence", f"{folder} can be written to, {free:.0f} GB free")


def _machine() -> str:
    cores, memory = _cores(), _memory_mb()
    most = max(1, memory // WORKER_MB)
    rules, claude = min(cores, most), min(cores * WORKERS_A_CORE, most)
    return (
        f"{cores} cores, {memory / 1024:.1f} GB of memory free: "
        f"-n {rules} suits rules, up to -n {claude} claude"
    )


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # a container may be given fewer than there are
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory_mb() -> int:
    """What is free; in a container what its limit leaves, which psutil does not see."""
    free = int(psutil.virtual_memory().available)
    try:
        limit = int((CGROUP / "memory.max").read_text("ascii"))
        free = min(free, limit - int((CGROUP / "memory.current").read_text("ascii")))
    except (OSError, ValueError):  # no such limit: not Linux, or "max"
        pass
    return max(0, free) // 1024**2
