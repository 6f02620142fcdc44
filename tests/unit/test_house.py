"""The house is in order: style, types, imports, sizes, and what the README says of settings."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_bwa.plugin.options import OPTIONS
from pytest_bwa.settings import PREFIX, Settings, variable

ROOT = Path(__file__).parent.parent.parent
SOURCES = sorted((ROOT / "pytest_bwa").rglob("*.py"))
BIN = Path(sys.executable).parent
IMPORT_ALONE = """
import os, sys
failed = []
for name in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        import importlib, warnings
        warnings.simplefilter("error")
        try:
            importlib.import_module(name)
        except BaseException as error:
            print(f"{name}: {error!r}", flush=True)
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        failed.append(name)
sys.exit(bool(failed))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy", "--strict", "-p", "pytest_bwa"],
        ["lint-imports", "--no-cache"],
    ],
    ids=["ruff", "format", "mypy", "imports"],
)
def test_style_types_and_import_order(command):
    done = subprocess.run(
        [BIN / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="forks, to be quick")
def test_every_module_imports_alone_and_without_warnings():
    names = [
        str(p.relative_to(ROOT).with_suffix("")).replace("/", ".").removesuffix(".__init__")
        for p in SOURCES
    ]
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALONE, *names], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_files_and_functions_stay_short():
    long = []
    for path in SOURCES:
        text = path.read_text("utf-8")
        if len(text.splitlines()) > 320:
            long.append(f"{path.name}: {len(text.splitlines())} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > 45:
                    long.append(f"{path.name}: {node.name} has {lines} lines")
    assert long == []


def test_no_site_is_known_to_python():
    """All site knowledge is in tasks/; the rate limits of F-23 are settings."""
    for path in SOURCES:
        if path.name == "settings.py":
            continue
        text = path.read_text("utf-8").lower()
        for site in ("github", "linkedin", "atlassian", "jira", "linear.app", "workday"):
            assert site not in text, f"{path} knows {site}"


def test_the_readme_documents_every_option():
    readme = (ROOT / "README.md").read_text("utf-8")
    for option in OPTIONS:
        assert f"`{option.flag}" in readme, option.flag
        assert option.dest in readme, option.dest


def test_the_readme_documents_every_setting_with_its_default():
    readme = (ROOT / "README.md").read_text("utf-8")
    for name, field in Settings.model_fields.items():
        spelled = variable(name)
        assert spelled.startswith((PREFIX, "ANTHROPIC_"))
        row = re.search(rf"^\| `{spelled}` \| (.*?) \| (.*?) \|$", readme, flags=re.M)
        assert row, f"{name}: no row for {spelled}"
        assert row[2] == " ".join((field.description or "").split())
        assert row[1] == shown(field.default), spelled


def shown(default: object) -> str:
    if default in (None, ""):
        return "–"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, dict):
        return "see below"
    return f"`{default:g}`" if isinstance(default, float) else f"`{default}`"
