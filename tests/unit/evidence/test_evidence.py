"""Files are written atomically and hashed, names are safe, earlier attempts are kept."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.files import safe_name, write_atomically, write_json
from pytest_bwa.evidence.folder import LiveSample, RunFolder
from pytest_bwa.evidence.integrity.manifest import altered_files
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.run_record import FileRecord, RunRecord
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.steps.artifacts import has_label
from pytest_bwa.steps.step import Artifact, Picture, Step, utc_now


def a_step(number: int) -> Step:
    return Step(
        step=number,
        action="click",
        result="ok",
        success=True,
        url="u",
        started_at=utc_now(),
        timestamp=utc_now(),
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("profile", "profile"),
        ("../../etc/passwd", "etc_passwd"),
        ("a b/c", "a_b_c"),
        ("", "page"),
        ("...", "page"),
        ("ünïcode", "n_code"),
        ("x" * 300, "x" * 60),
    ],
)
def test_names_are_safe(text, name):
    assert safe_name(text) == name


def test_a_failed_write_leaves_the_old_file_intact(tmp_path, monkeypatch):
    path = tmp_path / "result.json"
    write_json(path, {"a": 1})

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(
        EvidenceError, match="No space left on device; files already written are intact"
    ):
        write_json(path, {"a": 2})
    assert json.loads(path.read_text()) == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["result.json"]


def test_screenshots_are_numbered_named_and_hashed(tmp_path):
    writer = SampleWriter(tmp_path / "s", "s", 5)
    first = writer.save_screenshot(Picture(b"one", "https://x", "state"), "Profile page", 1)
    second = writer.save_screenshot(Picture(b"two", "https://x"), "Profile page", 2)
    assert [first.filename, second.filename] == ["01_Profile_page.png", "02_Profile_page.png"]
    assert (
        first.sha256 == hashlib.sha256((tmp_path / "s" / first.filename).read_bytes()).hexdigest()
    )


def test_a_picture_that_is_there_already_is_kept_once_with_both_labels(tmp_path):
    writer = SampleWriter(tmp_path / "s", "s", 5)
    before = Picture(b"one", "https://x", "state", offsets={1: (0, 0)})
    writer.save_screenshot(before, "evidence_owner", 1)
    again = writer.save_screenshot(replace(before, offsets={2: (0, 9)}), "record", 2)
    writer.save_screenshot(before, "record", 3)
    assert again.labels == ("evidence_owner", "record")
    assert writer.artifacts == [again]
    assert writer.pictures[again.filename].offsets == {1: (0, 0), 2: (0, 9)}
    assert [path.name for path in (tmp_path / "s").iterdir()] == ["01_evidence_owner.png"]
    assert has_label(again, "record")
    assert has_label(again, "owner")
    assert not has_label(Artifact(**{**again.model_dump(), "label": "evidence_record_id"}), "id")
    others = [replace(before, url="https://y"), replace(before, page_state="other")]
    for other in (*others, replace(before, page_state=""), replace(before, page_state="")):
        writer.save_screenshot(other, "record", 4)
    assert len(writer.artifacts) == 5, "each is of another page, of another state, or of none"


def test_downloads_never_overwrite_or_leave_the_folder(tmp_path):
    writer = SampleWriter(tmp_path / "s", "s", 5)
    for number in range(2):
        temporary = tmp_path / f"t{number}"
        temporary.write_bytes(b"%d" % number)
        writer.save_download(temporary, "../../report.pdf", "u", 1)
    names = sorted(p.name for p in (tmp_path / "s/downloads").iterdir())
    assert names == ["report.pdf", "report_2.pdf"]


def test_a_download_that_does_not_fit_leaves_no_part_of_it(tmp_path, monkeypatch):
    writer = SampleWriter(tmp_path / "s", "s", 5)
    temporary = tmp_path / "t"
    temporary.write_bytes(b"content")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EvidenceError, match="No space left on device"):
        writer.save_download(temporary, "report.pdf", "u", 1)
    assert list((tmp_path / "s/downloads").iterdir()) == []
    assert writer.artifacts == []


def test_a_download_is_moved(tmp_path):
    writer = SampleWriter(tmp_path / "s", "s", 5)
    temporary = tmp_path / "t"
    temporary.write_bytes(b"content")
    artifact = writer.save_download(temporary, "report.pdf", "u", 1)
    assert (tmp_path / "s" / artifact.filename).read_bytes() == b"content"
    assert artifact.sha256 == hashlib.sha256(b"content").hexdigest()
    assert not temporary.exists()


@pytest.mark.parametrize(
    ("suggested", "name"),
    [
        ("../../report.pdf", "report.pdf"),
        ("Übersicht-2025–2026.pdf", "bersicht-2025_2026.pdf"),
        ("文档.pdf", "download.pdf"),
        ("отчёт за май.XLSX", "download.XLSX"),
        ("x" * 300 + ".pdf", "x" * 56 + ".pdf"),
        ("x" * 300 + ".tar.gz", "x" * 53 + ".tar.gz"),
        ("x" * 300 + ".mobileprovision", "x" * 44 + ".mobileprovision"),
        ("резервная копия.tar.gz", "download.tar.gz"),
        ("access.log.gz", "access.log.gz"),
        ("contract.pdf.p7m", "contract.pdf.p7m"),
        ("v1.2.final.docx", "v1.2.final.docx"),
        ("2025.csv", "2025.csv"),
        ("report.pdf. ", "report.pdf"),
        (".pdf", "download.pdf"),
        ("README", "README"),
        ("文档", "download"),
        ("", "download"),
        ("..", "download"),
        ("a.файл", "a"),
        ("evil.p\u202efd\x1b/x.pdf", "evil.p_fd_x.pdf"),
    ],
)
def test_a_download_keeps_its_extension_and_has_a_safe_name(tmp_path, suggested, name):
    writer = SampleWriter(tmp_path / "s", "s", 5)
    (tmp_path / "t").write_bytes(b"content")
    artifact = writer.save_download(tmp_path / "t", suggested, "u", 1)
    assert artifact.filename == f"downloads/{name}"
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}", name)


def test_a_second_download_keeps_a_double_extension(tmp_path):
    writer = SampleWriter(tmp_path / "s", "s", 5)
    for _ in range(2):
        (tmp_path / "t").write_bytes(b"content")
        artifact = writer.save_download(tmp_path / "t", "backup.tar.gz", "u", 1)
    assert artifact.filename == "downloads/backup_2.tar.gz"


def test_checkpoint_and_log_agree(tmp_path):
    writer = SampleWriter(tmp_path / "s", "s", 9)
    writer.log(a_step(1))
    writer.checkpoint(1, {"a": 1}, ["half"], "in_progress")
    checkpoint = json.loads((tmp_path / "s/checkpoint.json").read_text())
    assert set(checkpoint) == {
        "sample_id", "status", "step", "max_steps", "accumulated_data", "progress_notes",
        "artifacts_so_far", "steps_logged", "updated_at",
    }  # fmt: skip
    log = json.loads((tmp_path / "s/action_log.json").read_text())
    assert checkpoint["steps_logged"] == len(log) == 1


def test_an_earlier_attempt_is_moved_and_kept(tmp_path):
    for text in (b"old", b"new"):
        writer = SampleWriter(tmp_path / "s", "s", 5)
        writer.save_screenshot(Picture(text, "u"), "page", 1)
    assert (tmp_path / "s/01_page.png").read_bytes() == b"new"
    assert (tmp_path / "s/attempts/1/01_page.png").read_bytes() == b"old"


def test_altered_missing_and_outside_files_are_found(tmp_path):
    def artifact(name: str, data: bytes) -> Artifact:
        return Artifact(
            filename=name,
            sha256=hashlib.sha256(data).hexdigest(),
            source_url="",
            timestamp="",
            label="",
            step=1,
        )

    folder = tmp_path / "s"
    folder.mkdir()
    (folder / "good.png").write_bytes(b"x")
    (folder / "bad.png").write_bytes(b"y")
    (tmp_path / "outside.png").write_bytes(b"x")
    names = ["good.png", "bad.png", "gone.png", "../outside.png"]
    result = SampleResult(
        sample_id="s", task_id="t", status="done", artifacts=[artifact(n, b"x") for n in names]
    )
    assert altered_files(folder, result) == names[1:]


def test_a_run_folder_is_never_shared_and_an_unwritable_one_is_an_error(tmp_path):
    assert RunFolder.create(tmp_path, "run_x").path.name == "run_x"
    assert RunFolder.create(tmp_path, "run_x").path.name == "run_x_2"
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(EvidenceError, match="--evidence"):
        RunFolder.create(blocked / "below", "run_x")


def test_incomplete_records_are_not_results(tmp_path):
    run = RunFolder.create(tmp_path, "run_x")
    complete = SampleResult(sample_id="a", task_id="t", status="done").model_dump_json()
    for name, text in (("b", '{"sample_id"'), ("a", complete)):
        (run.path / name).mkdir()
        (run.path / name / "result.json").write_text(text)
    assert [r.sample_id for r in run.results()] == ["a"]


def test_running_samples_are_read_from_disk_and_their_files_removed(tmp_path):
    run = RunFolder.create(tmp_path, "run_x")
    run.write_live(LiveSample(worker="gw0", sample_id="a", nodeid="t::a"))
    assert [live.sample_id for live in run.live_samples()] == ["a"]
    run.remove_live("gw0")
    assert run.live_samples() == []
    run.remove_live_files()
    assert list(run.path.iterdir()) == []


def test_a_step_line_may_quote_any_page_whatever_the_locale(tmp_path):
    (tmp_path / ".live").mkdir()
    code = """if True:
        import sys
        from pathlib import Path
        from pytest_bwa.evidence.folder import RunFolder
        RunFolder(Path(sys.argv[1])).add_step_line("gw0", "click \\u201cSave\\u201d \\ud800")
        """
    ascii_locale = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    command = [sys.executable, "-c", code, str(tmp_path)]
    subprocess.run(command, check=True, env={**os.environ, **ascii_locale})
    assert (tmp_path / ".live/gw0.steps").read_bytes() == "click “Save” ?\n".encode()


def test_browsers_that_many_processes_record_at_once_are_all_in_run_json_once(tmp_path):
    run = RunFolder.create(tmp_path, "run_x")
    source = FileRecord(path="x", sha256="0")
    record = RunRecord(
        run_id="run_x", task_id="hr", policy="rules", spec=source, samples=source,
        started_at=utc_now(), samples_in=1,
    )  # fmt: skip
    run.write_inputs(record, {}, "")
    code = (
        "import sys; from pathlib import Path; from pytest_bwa.evidence.folder import RunFolder\n"
        "from pytest_bwa.evidence.run_record import BrowserRecord\n"
        "for number in range(20): RunFolder(Path(sys.argv[1])).add_browser("
        "BrowserRecord(name=sys.argv[2], version=str(number)))"
    )
    names = ("chromium", "chromium", "firefox", "webkit")
    workers = [subprocess.Popen([sys.executable, "-c", code, run.path, name]) for name in names]
    assert [worker.wait(60) for worker in workers] == [0, 0, 0, 0]
    recorded = [(browser.name, int(browser.version)) for browser in run.record().browsers]
    assert sorted(recorded) == [(name, number) for name in names[1:] for number in range(20)]


def test_an_unwritable_sample_folder_is_an_evidence_error(tmp_path):
    (tmp_path / "s").write_text("a file in the way")
    with pytest.raises(EvidenceError, match="cannot write"):
        SampleWriter(Path(tmp_path / "s"), "s", 5)


def test_write_atomically_makes_a_readable_file(tmp_path):
    write_atomically(tmp_path / "a", b"x", durable=False)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize(("umask", "mode"), [(0o077, 0o600), (0o022, 0o644), (0o002, 0o664)])
def test_files_follow_the_umask(tmp_path, umask, mode):
    before = os.umask(umask)
    try:
        write_atomically(tmp_path / "result.json", b"{}")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "result.json").stat().st_mode) == mode
    assert [p.name for p in tmp_path.iterdir()] == ["result.json"]
