"""The files and options of ``bwa run``, checked and made ready to be sent to the workers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.files import sha256
from pytest_bwa.policy.recipe.recipe import LEARN, RECIPE_MODES, kept_path
from pytest_bwa.policy.registry import AUTO, POLICIES, REPLAY, choose
from pytest_bwa.settings import Settings
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.sample_inputs import files_of, relative_url_problem
from pytest_bwa.spec.samples import SampleList, load_samples

GENERAL_TEST = b'''"""The general workflow: runs any task spec over any samples list."""


def test_sample(browser_agent, sample):
    browser_agent.run(sample).assert_done()
'''
TASK, LIST, TESTS, RECIPES = "task", "list", "tests", "recipes"
"""The folders for the spec, for the list, for the tests and for what --recipe names."""
_BEFORE = "do this first, with pytest, and give bwa run the result"
_ONE_MACHINE = "it says how one machine runs samples: give the workers threads instead"
_OF_A_CHUNK = "it would apply to each chunk separately"
_STAYS_THERE = "its file would stay on the workers: make it from the merged run"
REFUSED: Mapping[str, str] = {
    **dict.fromkeys(("--discover", "--start-url", "--prompt", "--plan-only", "--dry-run"), _BEFORE),
    **dict.fromkeys(("--pick", "--seed", "--by"), _BEFORE),
    **dict.fromkeys(("-n", "--numprocesses", "--dist", "--tx", "--shard"), _ONE_MACHINE),
    **dict.fromkeys(("-x", "--exitfirst", "--maxfail", "-k", "-m", "--deselect"), _OF_A_CHUNK),
    **dict.fromkeys(("--alluredir", "--junitxml", "--junit-xml", "--html"), _STAYS_THERE),
    "--replay": "a run is replayed on one machine",
    "--url": "a single page needs no cluster",
    "--collect-only": "nothing would run",
}
"""Options that would do something else on many machines than on one."""
NO_SITE = (
    "pass --base-url with the site as the workers reach it, or name a test file with a fixture "
    "base_url beside it, in conftest.py: no ini file is sent"
)


@dataclass(frozen=True, slots=True)
class Inputs:
    """What is sent: ``files`` by their names in the folder that a worker keeps them in."""

    files: Mapping[str, bytes]
    task: str
    samples: str
    tests: tuple[str, ...]
    recipe: str | None
    """The name of the file that ``--recipe`` names."""
    arguments: tuple[str, ...]
    sample_count: int

    @property
    def spec_sha256(self) -> str:
        return sha256(self.files[self.task])

    @property
    def samples_sha256(self) -> str:
        return sha256(self.files[self.samples])


def read_inputs(task_file: Path, samples_file: Path, arguments: Sequence[str]) -> Inputs:
    """Read what the workers need. Raises InputError for what cannot be used, before a worker is
    asked."""
    check_options(arguments)
    task = load_task(task_file)
    if task.phase == "discovery":
        raise InputError(f"{task_file}: its samples are to be discovered: {_BEFORE}")
    samples = load_samples(samples_file, task, spec=task_file)
    tests, others = _tests_among(arguments)
    if not _names_site(arguments, tests) and (
        problem := relative_url_problem(task, samples.samples, None, NO_SITE)
    ):
        raise InputError(problem)
    recipes, recipe, others = _recipe(task_file, others)
    task_name, list_name = f"{TASK}/{task_file.name}", f"{LIST}/{samples_file.name}"
    return Inputs(
        files={
            task_name: task_file.read_bytes(),
            list_name: samples_file.read_bytes(),
            **_uploads(samples, samples_file.parent),
            **recipes,
            **tests,
        },
        task=task_name,
        samples=list_name,
        tests=tuple(name for name in tests if not name.endswith("conftest.py")),
        recipe=recipe,
        arguments=tuple(others),
        sample_count=len(samples.samples),
    )


def _names_site(arguments: Sequence[str], tests: Mapping[str, bytes]) -> bool:
    """Whether something may complete relative addresses: an option, a variable, or a fixture of the
    tests, of which only the workers know what it says."""
    is_option = any(word.split("=")[0] == "--base-url" for word in arguments)
    has_fixture = any(b"base_url" in content for content in tests.values())
    return is_option or has_fixture or bool(os.environ.get("PYTEST_BASE_URL"))


def check_options(arguments: Sequence[str]) -> None:
    """Raises InputError for options of pytest that hold for one machine."""
    for word in arguments:
        name = word.split("=")[0]
        is_short = name[:1] == "-" and name[:2] != "--"
        if reason := REFUSED.get(name[:2] if is_short else name):
            raise InputError(f"bwa run takes no {name}: {reason}")


def chosen_policy(name: str, settings: Settings) -> str:
    """The policy of all workers. Raises InputError. Whether a worker has the key that a model needs
    is asked there."""
    if name == AUTO:
        return choose(name, settings)
    if name not in POLICIES or name == REPLAY:
        raise InputError(f'bwa run takes no policy "{name}": take {AUTO}, claude or rules')
    return name


def _tests_among(arguments: Sequence[str]) -> tuple[dict[str, bytes], list[str]]:
    """The test files that are named, with the conftest.py beside them, and the other arguments; the
    general test if none is named."""
    tests: dict[str, bytes] = {}
    others = []
    for word in arguments:
        path = Path(word)
        if path.suffix != ".py" or not path.is_file():
            others.append(word)
            continue
        for file in (path, path.with_name("conftest.py")):
            if file.is_file():
                tests[f"{TESTS}/{file.name}"] = file.read_bytes()
    return tests or {f"{TESTS}/test_audit.py": GENERAL_TEST}, others


def _uploads(samples: SampleList, folder: Path) -> dict[str, bytes]:
    """The files that the list names and that lie beside it."""
    found = (item for sample in samples.samples for item in files_of(sample, folder).items())
    return {f"{LIST}/{name}": path.read_bytes() for name, path in dict(found).items()}


def _recipe(
    task_file: Path, arguments: Sequence[str]
) -> tuple[dict[str, bytes], str | None, list[str]]:
    """The recipe's file, its name if an argument names the file, and the other arguments. Raises
    InputError if one is to be learnt."""
    asked: str | None = None
    others = list(arguments)
    for place, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if name == "--recipe" and (equals or place + 1 < len(arguments)):
            asked = value if equals else arguments[place + 1]
            others[place : place + (1 if equals else 2)] = []
            break
    if asked == LEARN:
        raise InputError(f"a recipe is learnt on one machine: {_BEFORE}")
    kept = kept_path(task_file)
    beside = {f"{TASK}/{kept.name}": kept.read_bytes()} if kept.is_file() else {}
    if asked is None or asked in RECIPE_MODES or not Path(asked).is_file():
        return beside, None, list(arguments)
    name = f"{RECIPES}/{Path(asked).name}"
    return {**beside, name: Path(asked).read_bytes()}, name, others
