"""Which fixtures of a sample's test Allure leaves out: those of plugins."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.plugin.session import Session

_PACKAGES = pytest.StashKey[frozenset[str]]()


class AllureItems:
    """Registered after allure-pytest and called around it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @pytest.hookimpl(tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: pytest.FixtureRequest) -> None:
        if self._session.has_audit:
            names = self._session.reports.context.plugin_fixtures
            is_of_plugin = _package(fixturedef.func) in _plugin_packages(request.config)
            # A test's own fixture may override that of a plugin.
            (names.add if is_of_plugin else names.discard)(fixturedef.argname)


def _plugin_packages(config: pytest.Config) -> frozenset[str]:
    """The packages of the plugins that are installed, pytest's own and this one."""
    if _PACKAGES not in config.stash:
        installed = (plugin for plugin, _ in config.pluginmanager.list_plugin_distinfo())
        names = (getattr(plugin, "__name__", "") for plugin in installed)
        found = {name.partition(".")[0] for name in (*names, pytest.fixture.__module__, __name__)}
        config.stash[_PACKAGES] = frozenset(found)
    return config.stash[_PACKAGES]


def _package(function: object) -> str:
    return str(getattr(function, "__module__", "")).partition(".")[0]
