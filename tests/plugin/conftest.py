"""A small audit in a folder of its own, run by pytest in a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from audit_folder import Desk
from local_site import Site


@pytest.fixture
def desk(tmp_path: Path, site: Site) -> Desk:
    return Desk(tmp_path, site)
