"""The base URL, which completes relative addresses: of the command line, or of fixtures."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from pytest_bwa.errors import InputError
from pytest_bwa.spec.sample_inputs import base_url_problem, relative_url_problem

if TYPE_CHECKING:
    from pytest_bwa.audit.audits import Audit

ADVICE = (
    "pass --base-url, set base_url in the ini file, or override the fixture base_url in a "
    "conftest.py"
)
ARGUMENTS, FIXTURE = "browser_context_args", "base_url"
"""The fixtures by which a project may name its site: what wins comes first."""
THEIR_OWN = ("pytest_base_url", "pytest_playwright")
"""The plugins that define them, and know no more than the command line and the ini file."""


def of_options(config: Any) -> str | None:
    """What ``--base-url`` or the ini file says, which pytest-base-url itself reads late. Raises
    InputError if it is no web address."""
    given = config.getoption("base_url", None)
    with suppress(ValueError):  # without the plugins that take the setting
        given = given or config.getini("base_url")
    return _checked(given)


def of_fixtures(request: pytest.FixtureRequest) -> str | None:
    """What the fixtures of a test say, if the project overrides them. Raises InputError if it is no
    web address."""
    for name in (ARGUMENTS, FIXTURE):
        if _is_overridden(request.node, name):
            value = request.getfixturevalue(name)
            if found := _checked(value.get(FIXTURE) if name == ARGUMENTS else value):
                return found
    return None


def _checked(given: Any) -> str | None:
    url = str(given) if given else None
    if problem := base_url_problem(url):
        raise InputError(problem)
    return url


def problem(found: Iterable[tuple[pytest.Item, Audit, str]], base_url: str | None) -> str:
    """The first sample of these items whose address nothing will complete; empty if there is none.
    What a fixture says is known only when the test runs, which asks again."""
    if base_url:
        return ""
    named: dict[pytest.Item | pytest.Collector | None, bool] = {}
    for item, audit, name in found:
        sample = audit.samples.find(name)
        problem = relative_url_problem(audit.task, [sample] if sample else [], None, ADVICE)
        if not problem:
            continue
        if item.parent not in named:
            named[item.parent] = any(_is_overridden(item, f) for f in (ARGUMENTS, FIXTURE))
        if not named[item.parent]:
            return problem
    return ""


def _is_overridden(item: Any, name: str) -> bool:
    """Whether the project itself defines the fixture that this test gets."""
    fixtures = item.session._fixturemanager.getfixturedefs(name, item)
    if not fixtures:
        return False
    module = str(getattr(fixtures[-1].func, "__module__", ""))
    return module.partition(".")[0] not in THEIR_OWN


def may_be_named_by_fixtures(config: pytest.Config) -> bool:
    """Whether a conftest.py that is loaded before the collection defines one of the fixtures."""
    return any(
        str(getattr(plugin, "__file__", "")).endswith("conftest.py")
        and (hasattr(plugin, ARGUMENTS) or hasattr(plugin, FIXTURE))
        for plugin in config.pluginmanager.get_plugins()
    )
