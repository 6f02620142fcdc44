"""Fixture for tests that run a small audit with pytest in a separate process."""

from __future__ import annotations

from pathlib import Path

import pytest
from audit_folder import Desk
from local_site import Site


@pytest.fixture
def desk(tmp_path: Path, site: Site) -> Desk:
    return Desk(tmp_path, site)
