"""The commands of docs/ are run, as a reader would in a clone: the tutorial first, and then every
page in the folder that the tutorial leaves behind."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from documents import DOCS, PAGES, ROOT, Block, blocks
from forked_pytest import forked_pytest

pytestmark = pytest.mark.slow
TUTORIAL = DOCS / "tutorial.md"
CLONE = ("conftest.py", "pyproject.toml", "tasks", "workflows")
"""What of the repository the commands use."""
MARK = "@@ the next block"


class Clone:
    """A folder like a clone of the repository, in which pages are followed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._printed: dict[Block, str] = {}
        """What was printed by commands that other pages have, too: they are run once."""
        for name in CLONE:
            source = ROOT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, folder / name)

    def follow(self, document: Path) -> None:
        """Run a page's commands in one shell, as a reader does, and compare what they print."""
        script, run, expected = ["set -euo pipefail"], [], []
        for block in blocks(document):
            if block.file:
                script.append(f"printf %s {shlex.quote(block.text)} > {block.file}")
            elif block.is_run:
                known = self._printed.get(block)
                command = _checked(block) if known is None else f"printf %s {shlex.quote(known)}"
                script.append(f"echo {MARK}\n{command}")
                run.append(block)
            elif block.language == "text":
                expected += [(run[-1], line) for line in block.text.splitlines() if line.strip()]
        done = subprocess.run(
            ["bash", "-c", "\n".join(script)], cwd=self.folder, env=_environment(self.folder),
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=400,
        )  # fmt: skip
        name, text = document.name, done.stdout
        assert done.returncode == 0, f"{name} ended with {done.returncode}:\n{text}"
        self._printed |= dict(zip(run, text.split(f"{MARK}\n")[1:], strict=True))
        for block, line in expected:
            printed = self._printed[block]
            assert _is_printed(line, printed), f"{name}: {line}\nis not in\n{printed}"


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    made = Clone(tmp_path_factory.mktemp("clone"))
    made.follow(TUTORIAL)
    return made


def test_the_tutorial_leaves_a_run_to_hand_over(clone: Clone):
    assert (clone.folder / "evidence/tutorial/index.html").is_file()
    assert (clone.folder / "evidence/tutorial.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("document", [p for p in PAGES if p != TUTORIAL], ids=lambda p: p.stem)
def test_the_commands_of_a_page_do_what_it_says(clone: Clone, document: Path):
    clone.follow(document)


def _checked(block: Block) -> str:
    """The commands, with a check of the status that they are to end with."""
    if not block.exit_status:
        return block.text
    return (
        f"status=0; bash -euo pipefail -c {shlex.quote(block.text)} || status=$?\n"
        f'[ $status = {block.exit_status} ] || {{ echo "exit status $status"; exit 99; }}\n'
    )


def _is_printed(line: str, printed: str) -> bool:
    pattern = re.escape(_plain(line)).replace("…", ".*")
    return any(re.fullmatch(pattern, _plain(other)) for other in printed.splitlines())


def _plain(line: str) -> str:
    return " ".join(line.split())


def _environment(folder: Path) -> dict[str, str]:
    own = {
        k: v for k, v in os.environ.items() if not k.startswith(("ANTHROPIC_", "BWA_", "PYTEST"))
    }
    folders = [forked_pytest().commands, Path(sys.executable).parent, own["PATH"]]
    path = os.pathsep.join(map(str, folders))
    return own | {"PATH": path, "PYTHONPATH": str(ROOT), "BWA_HOME": str(folder / "home")}
