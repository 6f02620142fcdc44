"""The versions that pyproject.toml allows, each with a quick selection of the tests.

``nox`` runs all sessions, ``nox -s newest-3.13`` one of them. An interpreter that this machine
lacks is skipped, and the last lines say so. ``pip install nox uv`` installs what it needs.
"""

from __future__ import annotations

import nox

PYTHONS = nox.project.python_versions(nox.project.load_toml("pyproject.toml"))
EXTRAS = ".[dask,ocr,s3,sign,timestamp,totp]"
S3_SERVER = ("aiobotocore[boto3]>=2.20", "flask>=3", "flask-cors>=5", "moto[s3]>=5.2.5")
ONLY_FOR_TESTS = ("bagit>=1.9", "pytest-html>=4.1", "pytest-asyncio>=1", *S3_SERVER)
NOT_QUICK = (
    "tests/unit/test_house.py",
    "tests/unit/page",
    "tests/unit/reports/verify/test_kills.py",
)
"""Style and types do not depend on versions; the last one takes minutes."""
WHOLE_RUNS = ("tests/plugin/test_installed_only.py", "tests/plugin/test_bound_audits.py")
"""A browser, with the agent in it, in processes of pytest."""

nox.options.default_venv_backend = "uv"
nox.options.error_on_missing_interpreters = False


@nox.session(python=PYTHONS)
def newest(session: nox.Session) -> None:
    """The newest dependencies that are allowed."""
    session.install("--upgrade", "-e", EXTRAS, *ONLY_FOR_TESTS)
    _test(session)


@nox.session(python=PYTHONS[0])
def lowest(session: nox.Session) -> None:
    """The lowest versions that pyproject.toml names; what these need themselves is the newest."""
    session.install("--resolution=lowest-direct", "-e", EXTRAS, *ONLY_FOR_TESTS)
    _test(session)


def _test(session: nox.Session) -> None:
    ignored = [f"--ignore={path}" for path in NOT_QUICK]
    quick = ("tests/unit", "tests/wire", *WHOLE_RUNS)
    session.run("python", "-m", "pytest", "-q", "-n", "2", *ignored, *quick, *session.posargs)
