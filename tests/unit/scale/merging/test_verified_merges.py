"""A merged run proves itself and each of its shards."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from unit.scale.merging.conftest import shards_in

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.integrity.manifest import files_in, write_manifests
from pytest_bwa.reports.verify.seals import sign
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.scale.merging.merge import merge_runs


@pytest.fixture(scope="module")
def merged(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Only to be copied."""
    return merge_runs(shards_in(made), tmp_path_factory.mktemp("merged") / "whole").folder.path


@pytest.fixture
def run(merged: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(merged, tmp_path / "whole"))


def add(path: Path) -> None:
    path.write_text("added")


def rewrite_result(run: Path) -> None:
    path = run / "adam" / "result.json"
    path.write_text(path.read_text().replace("so", "sure"))


def rename_sample_list(run: Path) -> None:
    """The rows of the list in another order."""
    header, *rows = (run / "samples.csv").read_text().split()
    (run / "samples.csv").write_text("\r\n".join([header, *sorted(rows), ""]))


def forget_shards(run: Path) -> None:
    RunFolder(run).update(merged=[])
    RunFolder(run).remove_live_files()


CHANGES: list[tuple[Callable[[Path], object], str]] = [
    (
        rewrite_result,
        "adam/result.json: was changed after the manifest was written (of the shard 2/3)",
    ),
    (
        lambda run: add(run / "adam" / "more.txt"),
        "adam/more.txt: is not in the manifest: it was added",
    ),
    (
        lambda run: shutil.rmtree(run / "adam"),
        "adam/result.json: is in the manifest and is missing",
    ),
    (
        lambda run: (run / "shards/2-of-3/run.json").write_text("{}"),
        "shards/2-of-3: cannot be read",
    ),
    (
        lambda run: add(run / "shards/2-of-3/combined.csv"),
        "shards/2-of-3/combined.csv: was changed",
    ),
    (
        lambda run: add(run / "shards/2-of-3/more.txt"),
        "shards/2-of-3/more.txt: is not in the manifest",
    ),
    (lambda run: shutil.rmtree(run / "shards/2-of-3"), "shards/2-of-3: cannot be read"),
    (lambda run: add(run / "shards/more"), "shards/more: is not a shard that run.json names"),
    (
        lambda run: add(run / "shards/2-of-3/manifest-sha256.txt"),
        "shards/2-of-3/manifest-sha256.txt: has a SHA-256 other than run.json says",
    ),
    (rename_sample_list, "samples.csv: does not have the samples of the shards, in the order"),
    (forget_shards, "shards/1-of-3: is not a shard that run.json names"),
]


@pytest.mark.parametrize(("change", "fault"), CHANGES)
def test_what_was_changed_is_found_though_the_manifests_were_written_anew(run, change, fault):
    change(run)
    write_manifests(run)
    faults = [str(fault) for fault in verify(run).faults]
    assert any(found.startswith(fault) for found in faults), faults


def test_each_change_is_a_fault_of_the_whole_too(run):
    rewrite_result(run)
    faults = [str(fault) for fault in verify(run).faults]
    assert "adam/result.json: was changed after the manifest was written" in faults


def test_a_shard_in_a_merged_run_is_verified_alone(run):
    found = verify(run / "shards" / "2-of-3")
    assert found.faults == ()
    assert (found.kind, found.samples) == ("run", 2)
    names = {name for name, _ in files_in(run / "adam")} | {
        name for name, _ in files_in(run / "eve")
    }
    assert found.files > len(names)
    add(run / "eve" / "more.txt")
    assert [str(fault) for fault in verify(run / "shards" / "2-of-3").faults] == [
        "eve/more.txt: is not in the manifest: it was added later"
    ]
    assert verify(run / "shards" / "1-of-3").ok, "it is no sample of this one"


def test_the_signature_of_a_shard_holds_in_the_merged_run(folder):
    runs = shards_in(folder)
    for name in ("a", "b"):
        key = Ed25519PrivateKey.generate()
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (folder / f"{name}.key").write_bytes(pem)
        public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        (folder / f"{name}.pub").write_bytes(public)
    sign(runs[1], folder / "a.key")
    out = merge_runs(runs, folder / "whole").folder.path
    assert verify(out).ok
    shard = out / "shards" / "2-of-3"
    assert verify(shard, folder / "a.pub").ok
    assert not verify(shard, folder / "b.pub").ok
    shutil.copy(shard / "manifest-sha256.dsse.json", out / "shards" / "1-of-3")
    write_manifests(out)
    assert "is the signature of another manifest" in str(verify(out).faults[0])
