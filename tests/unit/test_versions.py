"""A few tests with the lowest dependencies, and with the newest Python that is on this machine.

noxfile.py runs far more of them. What breaks with a version mostly breaks when a module is
imported, or where a library is asked about the models of a spec.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXTRAS = ".[ocr,sign,timestamp,totp]"
TESTS = ("tests/unit/audit/test_attribute_docs.py", "tests/unit/test_documents.py")
LOWEST = f"{sys.version_info.major}.{sys.version_info.minor}"
OTHERS = [version for version in ("3.13", "3.12", "3.11") if version != LOWEST]


def interpreter(versions: list[str]) -> str:
    """The path of the first that the machine has; the test is skipped if it has none."""
    for version in versions:
        if path := _path_of(version):
            return path
    pytest.skip(f"this machine has no Python {' or '.join(versions)}")


def _path_of(version: str) -> str:
    installed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = [shutil.which(f"python{version}"), *installed.glob(f"{version}.*/bin/python")]
    for candidate in filter(None, candidates):
        # pyenv has a command for each version that it knows, which fails where it is not chosen.
        asked = subprocess.run([candidate, "--version"], capture_output=True, text=True)
        if asked.stdout.startswith(f"Python {version}."):
            return str(candidate)
    return ""


def run(*command: str, **environment: str) -> str:
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    own.pop("PYTHONPATH", None)
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=600, env={**own, **environment}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("versions", "resolution"), [([LOWEST], "lowest-direct"), (OTHERS, "highest")]
)
def test_the_package_works_with_other_versions(versions, resolution, tmp_path):
    uv = [sys.executable, "-m", "uv", "-q"]
    run(*uv, "venv", "--python", interpreter(versions), str(tmp_path / "venv"))
    scripts = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    python = str(scripts / "python")
    run(*uv, "pip", "install", "--python", python, f"--resolution={resolution}", "-e", EXTRAS)
    output = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *TESTS)
    assert " passed" in output.splitlines()[-1]
