"""The scripts that run inside pages: lint, types, sizes, and how they are put together."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pytest_bwa.page.script_loader import list_parts, load_script
from pytest_bwa.steps.observation import INTERACTIVE_ROLES

ROOT = Path(__file__).parent.parent.parent.parent
SCRIPTS = ROOT / "pytest_bwa" / "page" / "scripts"
MAX_COLUMNS = 110
MAX_FUNCTION_LINES = 45
SOURCES = {
    path.relative_to(SCRIPTS).as_posix(): path.read_text("utf-8")
    for path in sorted(SCRIPTS.rglob("*.js"))
}
ENTRIES = sorted(
    name
    for path in (ROOT / "pytest_bwa").rglob("*.py")
    if path.name != "script_loader.py"
    for name in re.findall(r'load_script\("([\w/]+)"\)', path.read_text("utf-8"))
)
DECLARED = re.compile(r"^(?:function|const|let|class) (\w+)", re.M)


@pytest.mark.slow
def test_lint_and_format(tools):
    _assert_passes("npm", "run", "--silent", "lint", cwd=tools)


@pytest.mark.slow
@pytest.mark.parametrize("entry", ENTRIES)
def test_types(tools, tmp_path, entry):
    """Each script for itself, so that a function whose "Uses" line is missing has no name."""
    files = [str(SCRIPTS / part) for part in list_parts(f"{entry}.js")]
    config = {
        "extends": str(tools / "tsconfig.json"),
        "include": [],
        "files": [*files, str(tools / "globals.d.ts")],
    }
    (tmp_path / "tsconfig.json").write_text(json.dumps(config), "utf-8")
    _assert_passes(str(tools / "node_modules/.bin/tsc"), "-p", str(tmp_path), cwd=tools)


def _assert_passes(*command: str, cwd: Path) -> None:
    program = shutil.which(command[0])
    assert program is not None, command[0]
    done = subprocess.run([program, *command[1:]], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", SOURCES)
def test_lines_and_functions_stay_short(path):
    lines = SOURCES[path].splitlines()
    long = [number for number, line in enumerate(lines, 1) if len(line) > MAX_COLUMNS]
    assert long == [], f"lines over {MAX_COLUMNS} columns"
    # The formatter begins and ends a declaration at column 0, and what is inside it is shorter.
    begin = None
    for number, line in enumerate(lines, 1):
        if re.match(r"(?:async )?function \w+|const \w+ = .*=>", line):
            begin = number
        elif line.startswith("}") and begin is not None:
            length = number - begin + 1
            assert length <= MAX_FUNCTION_LINES, f"line {begin}: {length} lines"
            begin = None


def test_every_file_is_part_of_a_script_that_python_loads():
    assert {"readers", "main_world"} <= set(ENTRIES)
    used = {part for entry in ENTRIES for part in list_parts(f"{entry}.js")}
    assert used == set(SOURCES)


def test_top_level_names_are_unique_and_used():
    names = [name for source in SOURCES.values() for name in DECLARED.findall(source)]
    assert sorted(names) == sorted(set(names))
    everything = "\n".join(_code(source) for source in SOURCES.values())
    mains = {_main_name(entry) for entry in ENTRIES}
    assert [
        n for n in names if n not in mains and len(re.findall(rf"\b{n}\b", everything)) < 2
    ] == []


def test_a_script_has_each_part_once_and_no_comments():
    parts = list_parts("readers.js")
    assert len(parts) == len(set(parts))
    assert parts.index("prelude/text.js") < parts.index("snapshot/names.js") < len(parts) - 1
    assert parts[-1] == "readers.js"
    script = load_script("readers")
    assert script.count("function fold(") == 1
    assert script.startswith("(...args) => {\n")
    assert script.endswith("return readers(...args);\n}")
    assert not re.search(r"^\s*(//|/\*\*|\*)", script, re.M)


def test_every_reader_is_asked_by_python():
    tables = re.findall(r"_?READERS = \{(.*?)\n\};", SOURCES["readers.js"], re.S)
    names = {name for table in tables for name in re.findall(r"\b[a-z]\w+", table)}
    python = "".join(
        path.read_text("utf-8")
        for room in ("page", "perception", "actions")
        for path in (ROOT / "pytest_bwa" / room).rglob("*.py")
    )
    assert len(names) > 30
    assert [name for name in sorted(names) if f'"{name}"' not in python] == []


def test_the_interactive_roles_are_those_of_the_observation():
    listed = re.search(
        r"INTERACTIVE_ROLES = new Set\(\[(.*?)\]\)", SOURCES["snapshot/roles.js"], re.S
    )
    assert listed is not None
    assert {*re.findall(r'"(\w+)"', listed[1]), "clickable"} == INTERACTIVE_ROLES


def _main_name(entry: str) -> str:
    match = re.search(r"return (\w+)\(\.\.\.args\);\n}$", load_script(entry))
    assert match is not None
    return match[1]


def _code(source: str) -> str:
    """The source without comments and strings."""
    source = re.sub(r"/\*.*?\*/", "", source, flags=re.S)
    return re.sub(r'//.*$|"[^"\n]*"', "", source, flags=re.M)
