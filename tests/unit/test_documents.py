"""The documents: their links lead somewhere, their commands exist, and their tables are the code's.
tests/plugin/test_document_commands.py runs the commands of docs/."""

from __future__ import annotations

import importlib.util
import json
import re
import tomllib
from pathlib import Path

import pytest
import typer
import yaml
from document_tables import renewed, tables
from documents import DOCS, DOCUMENTS, PAGES, ROOT, anchors, blocks, commands, links, prose

from pytest_bwa.cli import app
from pytest_bwa.settings import Settings
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.output import SHORT_FORMS
from pytest_bwa.spec.task import TaskSpec

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]
WHOLE_SPEC = {"task_id": "part", "goal": "Read it.", "output_schema": {"name": "string"}}
"""What a part of a spec lacks."""
WITHOUT_COMMANDS = {"README.md", "comparison.md", "doubts.md", "rules.md"}
PROGRAMS = {
    ".", "apt-get", "bagit.py", "cat", "cd", "cp", "dask", "export", "git", "grep", "head", "ls",
    "mkdir", "npm", "openssl", "pre-commit", "printf", "sha256sum", "sqlite3", "twine",
}  # fmt: skip
"""Of other people's programs, those that documents may use."""
OTHER_MODULES = {"build", "http.server", "pip", "venv"}
named = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))


@named
def test_every_link_leads_to_a_file_and_a_heading(path: Path):
    for target in links(path):
        if target.startswith("http"):
            continue
        name, _, anchor = target.partition("#")
        to = (path.parent / name).resolve() if name else path
        assert to.exists(), target
        assert to.is_relative_to(ROOT), target
        assert not anchor or anchor in anchors(to), target


@pytest.mark.parametrize("path", [ROOT / "README.md", *PAGES], ids=lambda path: path.name)
def test_every_file_of_the_repository_that_a_text_names_exists(path: Path):
    pattern = r"`((?:tests|tasks|workflows|pytest_bwa|docs|evidence)/[\w./-]+\.\w+)`"
    missing = [name for name in re.findall(pattern, prose(path)) if not (ROOT / name).exists()]
    assert missing == []


def test_every_page_is_reached_from_the_index_and_the_index_from_the_readme():
    linked = {(DOCS / target.partition("#")[0]).resolve() for target in links(DOCS / "README.md")}
    assert set(PAGES) - linked <= {DOCS / "README.md"}
    assert "docs/README.md" in links(ROOT / "README.md")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_page_has_something_to_run(path: Path):
    assert path.name in WITHOUT_COMMANDS or any(block.is_run for block in blocks(path))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_what_a_page_says_that_a_command_prints_is_compared_with_what_it_prints(path: Path):
    """A block of output that follows no command that is run could say anything."""
    before = None
    for block in blocks(path):
        if block.language == "text":
            assert before is not None, block.text
            assert before.is_run, block.text
        before = block


@named
def test_every_spec_of_a_document_can_be_used(path: Path, tmp_path: Path):
    for block in blocks(path):
        keys = yaml.safe_load(block.text) if block.language == "yaml" else {}
        if keys and keys.keys() & TaskSpec.model_fields.keys():
            spec = tmp_path / "spec.yaml"
            spec.write_text(yaml.safe_dump({**WHOLE_SPEC, **keys}), "utf-8")
            load_task(spec)  # raises SpecError


@named
def test_every_command_of_a_document_can_be_given(path: Path, request: pytest.FixtureRequest):
    scripts = [block.text for block in blocks(path) if block.language == "sh"]
    for script in [*scripts, *_steps_of_ci(path)]:
        for command in commands(script):
            _check(command, request.config)


def _steps_of_ci(path: Path) -> list[str]:
    """The commands in the YAML of a page: ``run`` of GitHub, ``script`` of GitLab."""
    found: list[str] = []

    def walk(node: object) -> None:
        if isinstance(node, dict):
            for key, value in node.items():
                if key in ("run", "script", "before_script"):
                    found.extend([value] if isinstance(value, str) else value)
                else:
                    walk(value)
        elif isinstance(node, list):
            for item in node:
                walk(item)

    for block in blocks(path):
        if block.language == "yaml":
            walk(yaml.safe_load(block.text))
    if path.name == "ci.md":
        groovy = [block.text for block in blocks(path) if block.language == "groovy"]
        found.extend(re.findall(r"sh '([^']+)'", "\n".join(groovy)))
        assert len(found) >= 8
    return [re.sub(r"\$\{\{.*?\}\}", "", script) for script in found]


def _check(command: list[str], config: pytest.Config) -> None:
    """Fails for a command that could not be given: its program, options or files do not exist."""
    program = command[0].rpartition("/")[2]
    arguments = command[1:]
    if program in ("python", "python3"):
        _check_python(arguments, config)
    elif program == "pip":
        _check_extras(arguments)
    elif program == "pytest":
        _check_pytest(arguments, config)
    elif program == "bwa":
        _check_bwa(arguments)
    else:
        assert program in PROGRAMS, command


def _check_python(arguments: list[str], config: pytest.Config) -> None:
    if arguments[0] == "-m" and arguments[1] == "pytest":
        _check_pytest(arguments[2:], config)
    elif arguments[0] == "-m" and arguments[1] == "pip":
        _check_extras(arguments[2:])
    elif arguments[0] == "-m":
        is_ours = importlib.util.find_spec(arguments[1]) is not None
        assert arguments[1] in OTHER_MODULES or is_ours, arguments
    elif arguments[0] == "-c":
        compile(arguments[1], "-c", "exec")
    else:
        assert (ROOT / arguments[0]).exists(), arguments


def _check_extras(arguments: list[str]) -> None:
    for argument in arguments:
        for names in re.findall(r"(?:pytest-bwa|\.)\[(.+)\]", argument):
            assert set(names.split(",")) <= set(EXTRAS), argument


def _check_pytest(arguments: list[str], config: pytest.Config) -> None:
    config._parser.parse(arguments)  # raises UsageError for an option that does not exist
    for argument in arguments:
        name = argument.partition("=")[2] if argument.startswith("--") else argument
        if re.match(r"(tests|tasks|workflows)/", name):
            assert (ROOT / name.partition("::")[0]).exists(), argument


def _check_bwa(arguments: list[str]) -> None:
    group = typer.main.get_command(app)
    if arguments[0].startswith("-"):
        with pytest.raises(typer.Exit):
            group.make_context("bwa", arguments)
        return
    command = group.commands[arguments[0]]  # type: ignore[attr-defined]
    command.make_context(arguments[0], arguments[1:])  # raises for an option that does not exist


@pytest.mark.parametrize(
    "command",
    [
        "bwa verify --kye FILE", "bwa verfy", "pytest workflows/ --taks x.yaml", "pytst",
        "pytest workflows/ --task=tasks/practice/no_such.yaml", "python tests/no_such.py",
        "python -m no_such_module", "pip install 'pytest-bwa[no_such]'", "bwa export --format xml",
    ],
)  # fmt: skip
def test_a_command_that_does_not_exist_is_noticed(command, request):
    ((*words,),) = commands(f"BWA_HOME=x {command} > out.txt")
    with pytest.raises(Exception):  # noqa: B017 - Typer's own are not part of its interface
        _check(words, request.config)


def test_the_tables_are_those_of_the_code():
    texts = {path: path.read_text("utf-8") for path in DOCUMENTS}
    for path, text in texts.items():
        assert renewed(text) == text, f"{path.name}: run python tests/document_tables.py"
    for header in tables():
        assert sum(text.count(f"{header}\n") for text in texts.values()) == 1, header


def test_the_rate_limits_in_the_documents_are_the_default():
    limits = json.dumps(Settings.model_fields["rate_limits"].default)
    assert any(f"`{limits}`" in path.read_text("utf-8") for path in DOCUMENTS)


def test_the_reference_of_a_spec_names_every_short_form():
    text = (DOCS / "spec.md").read_text("utf-8")
    assert [form for form in SHORT_FORMS if f"`{form}`" not in text] == []


def test_a_forge_runs_each_python_and_the_lowest_dependencies():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "versions.yml").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    sessions = workflow["jobs"]["versions"]["strategy"]["matrix"]["session"]
    assert sessions == [*(f"newest-{version}" for version in named), "lowest"]
