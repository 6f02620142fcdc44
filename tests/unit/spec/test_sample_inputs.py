"""Which files a sample may upload."""

from __future__ import annotations

from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.sample_inputs import files_of


def test_only_files_below_the_folder_of_the_list_may_be_uploaded(tmp_path):
    folder = tmp_path / "lists"
    (folder / "receipts").mkdir(parents=True)
    (folder / "receipts/a.pdf").write_text("a")
    (tmp_path / "secret.txt").write_text("s")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    columns = {
        "receipt": "receipts/a.pdf", "up": "../secret.txt", "root": "/etc/passwd",
        "link": "link.txt", "prose": "x" * 5000, "none": "b.pdf", "empty": "",
    }  # fmt: skip
    sample = Sample("s", columns)
    assert files_of(sample, folder) == {"receipts/a.pdf": folder / "receipts/a.pdf"}
