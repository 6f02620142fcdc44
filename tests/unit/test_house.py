"""Style, types, import order and names."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

from pytest_bwa.policy.registry import POLICIES

ROOT = Path(__file__).parent.parent.parent
SOURCES = sorted((ROOT / "pytest_bwa").rglob("*.py"))
BIN = Path(sys.executable).parent


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


def test_every_module_can_be_imported_first():
    """No module needs another one that needs it: then each imports alone, in any order."""
    graph = grimp.build_graph("pytest_bwa", exclude_type_checking_imports=True)
    needs = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(needs) >= len(SOURCES)
    TopologicalSorter(needs).prepare()  # raises CycleError, which names the modules


def test_no_two_test_files_share_a_name():
    """pytest imports a test file by its name alone, and would refuse the second of a full run."""
    names = Counter(
        path.name
        for path in (ROOT / "tests").rglob("test_*.py")
        if not (path.parent / "__init__.py").exists()
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_every_module_imports_without_warnings():
    names = [
        str(p.relative_to(ROOT).with_suffix("")).replace("/", ".").removesuffix(".__init__")
        for p in SOURCES
    ]
    code = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"
    command = [sys.executable, "-W", "error", "-c", code, *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_text_refers_to_a_document_that_is_not_here():
    """A reader cannot look up "F-54" or "DESIGN 4.9": the reason stands in the text instead."""
    tag = re.compile(r"\bF-\d{2}\b|\bDESIGN\b")
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    endings = (".py", ".js", ".md", ".yaml", ".yml", ".toml", ".json", ".html", ".txt")
    paths = [ROOT / name for name in tracked if name.endswith(endings)]
    this = Path(__file__).relative_to(ROOT).as_posix()
    assert [
        f"{path.relative_to(ROOT)}:{number}"
        for path in paths
        if path.is_file() and path.relative_to(ROOT).as_posix() != this
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if tag.search(line)
    ] == []


def test_names_say_what_they_hold():
    """``told``, ``said`` and ``shown`` as names of variables, parameters and attributes."""
    vague = {"told", "said", "shown", "heard", "felt"}
    found = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = {
                ast.Name: lambda n: n.id, ast.arg: lambda n: n.arg, ast.Attribute: lambda n: n.attr,
                ast.FunctionDef: lambda n: n.name,
            }.get(type(node), lambda n: "")(node)  # fmt: skip
            if names.strip("_") in vague:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno} {names}")
    assert found == []


def test_every_policy_is_in_the_contract_that_keeps_policies_apart():
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = configuration["tool"]["importlinter"]["contracts"]
    (layers,) = (c["layers"] for c in contracts if c.get("containers") == ["pytest_bwa.policy"])
    folders = {path.parent.name for path in (ROOT / "pytest_bwa/policy").glob("*/__init__.py")}
    assert set(POLICIES) in [set(layer.split(" | ")) for layer in layers]
    assert folders <= {name for layer in layers for name in layer.split(" | ")}


def test_no_site_is_known_to_python():
    """All site knowledge is in tasks/; only the default rate limits name sites, and what names the
    CI job knows the variables of GitHub's."""
    for path in SOURCES:
        if path.name == "settings.py":
            continue
        text = path.read_text("utf-8").lower()
        for site in ("github", "linkedin", "atlassian", "jira", "linear.app", "workday"):
            is_ci = (path.name, site) == ("run_facts.py", "github")
            assert site not in text or is_ci, f"{path} knows {site}"
