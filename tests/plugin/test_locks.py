"""A drive that keeps no locks is found where the run folder is made, and said once."""

from __future__ import annotations

import pytest
from audit_folder import AuditFolder
from test_bad_input import BOUND

NO_LOCKS = """
import errno, fcntl

def flock(file, operation):
    raise OSError(errno.ENOLCK, "No locks available")

fcntl.flock = fcntl.lockf = flock
"""


@pytest.mark.parametrize("is_bound", [False, True])
def test_a_drive_without_locks_is_refused_once_with_the_cure(
    audit_folder: AuditFolder, *, is_bound: bool
) -> None:
    audit_folder.samples("adam", "zoe")
    (audit_folder.path / "conftest.py").write_text(NO_LOCKS)
    if is_bound:
        (audit_folder.path / "test_audit.py").write_text(BOUND)
    run = audit_folder.run("-n2") if is_bound else audit_folder.audit()
    assert run.status == 4, run.text
    assert "evidence: this drive keeps no locks (No locks available)" in run.text
    assert "pass --evidence with a folder on a local disk" in run.text
    assert is_bound or run.text.count("no locks (") == 1
    assert "Traceback" not in run.text
    assert not list((audit_folder.path / "evidence").iterdir())
    assert audit_folder.site.requests == []
