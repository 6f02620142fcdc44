"""Fixtures for tests that run a small audit with pytest in a separate process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from audit_folder import AuditFolder
from local_site import Site


@pytest.fixture
def audit_folder(tmp_path: Path, site: Site) -> AuditFolder:
    return AuditFolder(tmp_path, site)


@pytest.fixture(scope="module")
def new_audit_folder(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[], AuditFolder]]:
    """Makes folders for runs that several tests of a file read."""
    sites: list[Site] = []

    def make() -> AuditFolder:
        sites.append(Site())
        return AuditFolder(tmp_path_factory.mktemp("audit"), sites[-1])

    yield make
    for site in sites:
        site.close()
