"""Fixture for tests that run a small audit with pytest in a separate process."""

from __future__ import annotations

from pathlib import Path

import pytest
from audit_folder import AuditFolder
from local_site import Site


@pytest.fixture
def audit_folder(tmp_path: Path, site: Site) -> AuditFolder:
    return AuditFolder(tmp_path, site)
