"""A sample has one folder, one row and one count, so it is in one item."""

from __future__ import annotations

import pytest
from audit_folder import TEST, AuditFolder

SIZES = f"""
import pytest

@pytest.mark.parametrize("size", ["mobile", "desktop"])
{TEST.strip().replace("sample)", "sample, size)", 1)}
"""
INHERITED = """
class TestBase:
    def test_sample(self, browser_agent, sample):
        browser_agent.run(sample).assert_done()

class TestMore(TestBase):
    pass
"""
REPEATED = """
def pytest_generate_tests(metafunc):  # as plugins do that repeat tests
    metafunc.fixturenames.append("repeat")
    metafunc.parametrize("repeat", range(2), ids=["1-2", "2-2"])
"""
OWN_LIST = """
import pytest

@pytest.mark.parametrize("sample", ["adam", "zoe", "adam"])
def test_sample(browser_agent, sample):
    browser_agent.run(sample)
"""
MARKED = "pytestmark = pytest.mark.bwa(task='spec.json', samples='samples.csv')\n"
SKIPPED = SIZES.replace('"desktop"', 'pytest.param("desktop", marks=pytest.mark.skip)')


@pytest.mark.parametrize(
    ("test", "conftest", "items"),
    [
        (SIZES, "", "test_sample[adam-mobile] and test_audit.py::test_sample[adam-desktop]"),
        (
            INHERITED,
            "",
            "TestBase::test_sample[adam] and test_audit.py::TestMore::test_sample[adam",
        ),
        (TEST, REPEATED, "test_sample[1-2-adam] and test_audit.py::test_sample[2-2-adam]"),
        (OWN_LIST, "", "test_sample[adam0] and test_audit.py::test_sample[adam1]"),
        (
            TEST + TEST.replace("_sample", "_again"),
            "",
            "test_sample[adam] and test_audit.py::test_a",
        ),
    ],
)
def test_a_sample_in_two_items_is_refused_when_they_are_collected(
    audit_folder: AuditFolder, test: str, conftest: str, items: str
) -> None:
    audit_folder.samples("adam", "zoe")
    (audit_folder.path / "test_audit.py").write_text(test)
    (audit_folder.path / "conftest.py").write_text(conftest)
    run = audit_folder.audit()
    assert run.status == 4, run.text
    assert f"the sample adam is in two tests, test_audit.py::{items}" in run.text
    assert "select one of them" in run.text
    assert (audit_folder.folders, audit_folder.site.requests) == ([], [])


@pytest.mark.parametrize("bound", [False, True])
def test_workers_refuse_it_too_and_leave_no_evidence(
    audit_folder: AuditFolder, *, bound: bool
) -> None:
    audit_folder.samples("adam")
    marker = MARKED if bound else ""
    (audit_folder.path / "test_audit.py").write_text(SIZES.replace("\n\n", f"\n{marker}\n", 1))
    run = audit_folder.run("-n2") if bound else audit_folder.audit("-n2")
    assert run.status == 4, run.text
    assert "bwa: the sample adam is in two tests" in run.text
    assert run.counts() == {"error": 1}, "of two workers"
    assert "Traceback" not in run.text
    assert (audit_folder.folders, audit_folder.site.requests) == ([], [])


def test_what_is_not_selected_or_skipped_is_no_second_item(audit_folder: AuditFolder) -> None:
    audit_folder.samples("adam", "zoe")
    (audit_folder.path / "test_audit.py").write_text(SIZES)
    chosen = audit_folder.audit("--collect-only", "-q", "-k", "mobile")
    assert chosen.status == 0, chosen.text
    (audit_folder.path / "test_audit.py").write_text(SKIPPED)
    assert audit_folder.audit("--collect-only", "-q").status == 0
    same = ["--keep-duplicates", "test_audit.py", "test_audit.py"]
    assert "is in two tests" in audit_folder.audit("--collect-only", "-k", "mobile", *same).text


def test_workers_do_not_all_run_all_samples(audit_folder: AuditFolder) -> None:
    audit_folder.samples("adam", "zoe")
    run = audit_folder.audit("--dist=each", "--tx=2*popen")
    assert "--dist load is used instead of each, which runs every sample in every" in run.text
    assert run.counts() == {"passed": 2}, run.text
