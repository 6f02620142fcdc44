import json
import sys
from pathlib import Path

import playwright
import pytest

from pytest_bwa.browser import find
from pytest_bwa.browser.find import FoundBrowser, find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.errors import BrowserMissing

LISTED = json.loads(
    (Path(playwright.__file__).parent / "driver/package/browsers.json").read_text("utf-8")
)["browsers"]
CHROMIUM = next(b for b in LISTED if b["name"] == "chromium")
SHELL = next(b for b in LISTED if b["name"] == "chromium-headless-shell")
SNAP_STUB = '#!/bin/sh\nif ! [ -x /snap/bin/chromium ]; then echo "install the snap"; exit 1; fi\n'


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def empty_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a download of Playwright and with an empty PATH."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "pw"))
    monkeypatch.setattr(find, "_standard_paths", lambda: iter(()))


def downloaded(root: Path, *, shell: bool, complete: bool = True) -> Path:
    if shell:
        folder = root / f"chromium_headless_shell-{SHELL['revision']}"
        path = folder / "chrome-headless-shell-linux64" / "chrome-headless-shell"
    else:
        folder = root / f"chromium-{CHROMIUM['revision']}"
        path = folder / "chrome-linux64" / "chrome"
    program(path)
    if complete:
        (folder / "INSTALLATION_COMPLETE").touch()
    return path


def test_without_a_browser_the_message_is_one_line() -> None:
    with pytest.raises(BrowserMissing, match="run `bwa setup`") as missing:
        find_browser()
    assert "\n" not in str(missing.value)


def test_playwrights_shell_comes_before_a_browser_on_path(tmp_path: Path) -> None:
    program(tmp_path / "bin/google-chrome")
    path = downloaded(tmp_path / "pw", shell=True)
    found = find_browser()
    assert (found.path, found.is_default, found.kind) == (path, True, "playwright")
    assert found.version == SHELL["browserVersion"]
    assert "executable_path" not in launch_arguments(found)


def test_full_chromium_without_its_shell_is_launched_by_its_path(tmp_path: Path) -> None:
    path = downloaded(tmp_path / "pw", shell=False)
    headless, headed = find_browser(), find_browser(headed=True)
    assert launch_arguments(headless)["executable_path"] == str(path)
    assert (headed.path, headed.is_default) == (path, True)


def test_the_shell_is_not_used_headed(tmp_path: Path) -> None:
    downloaded(tmp_path / "pw", shell=True)
    chrome = program(tmp_path / "bin/google-chrome")
    assert find_browser(headed=True).path == chrome


@pytest.mark.parametrize("defect", ["unfinished", "not executable", "another revision"])
def test_a_download_that_playwright_would_not_start_is_skipped(tmp_path: Path, defect: str) -> None:
    path = downloaded(tmp_path / "pw", shell=True, complete=defect != "unfinished")
    if defect == "not executable":
        path.chmod(0o644)
    if defect == "another revision":
        path.parents[1].rename(tmp_path / "pw/chromium_headless_shell-1")
    chromium = program(tmp_path / "bin/chromium")
    assert find_browser() == FoundBrowser(chromium, is_default=False)


def test_playwrights_default_folder_is_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "platform", "linux")
    path = downloaded(tmp_path / "cache/ms-playwright", shell=True)
    assert find_browser().path == path


def test_a_macs_app_bundle_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "pw" / f"chromium-{CHROMIUM['revision']}"
    name = "Google Chrome for Testing"
    path = program(folder / f"chrome-mac-arm64/{name}.app/Contents/MacOS/{name}")
    (folder / "INSTALLATION_COMPLETE").touch()
    assert find_browser(headed=True).path == path


def test_chrome_comes_before_chromium_on_path(tmp_path: Path) -> None:
    program(tmp_path / "bin/chromium")
    chrome = program(tmp_path / "bin/google-chrome-stable")
    found = find_browser()
    assert (found.path, found.kind) == (chrome, "system")
    assert launch_arguments(found)["executable_path"] == str(chrome)


def test_the_system_s_chromium_without_windows_comes_first_unless_headed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chrome = program(tmp_path / "bin/google-chrome")
    script = program(tmp_path / "bin/chromium-headless-shell")
    assert (find_browser().path, find_browser(headed=True).path) == (script, chrome)
    started_by_it = tmp_path / "lib/chromium-headless-shell"
    monkeypatch.setattr(find, "DEBIAN_SHELL", {script: started_by_it})
    assert find_browser().path == script, "another distribution's package"
    program(started_by_it)
    assert find_browser().path == started_by_it


def test_ubuntus_stub_for_a_snap_is_not_a_browser(tmp_path: Path) -> None:
    stub = program(tmp_path / "bin/chromium-browser", SNAP_STUB)
    assert find.is_snap_stub(stub, snaps=tmp_path / "snap")
    program(tmp_path / "snap/chromium")
    assert not find.is_snap_stub(stub, snaps=tmp_path / "snap")
    if not Path("/snap/bin/chromium").exists():
        with pytest.raises(BrowserMissing):
            find_browser()


def test_the_setting_comes_first_by_path_or_by_name(tmp_path: Path) -> None:
    program(tmp_path / "bin/google-chrome")
    mine = program(tmp_path / "mine/browser")
    assert find_browser(mine) == FoundBrowser(mine, is_default=False, kind="env")
    program(tmp_path / "bin/brave")
    assert find_browser(Path("brave")).path == tmp_path / "bin/brave"


def test_a_setting_that_names_no_program_is_an_error(tmp_path: Path) -> None:
    program(tmp_path / "bin/google-chrome")
    with pytest.raises(BrowserMissing, match=r"BWA_BROWSER names .*/nowhere"):
        find_browser(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("system", "relative_path"),
    [
        ("darwin", "home/Applications/Chromium.app/Contents/MacOS/Chromium"),
        ("win32", "programs/Microsoft/Edge/Application/msedge.exe"),
    ],
)
def test_the_standard_paths_of_other_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, relative_path: str
) -> None:
    monkeypatch.undo()  # this test needs the real _standard_paths()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "pw"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PROGRAMFILES", str(tmp_path / "programs"))
    monkeypatch.setattr(find.sys, "platform", system)
    # On Windows which() would look for other extensions; this test does not use PATH.
    monkeypatch.setattr(find.shutil, "which", lambda _: None)
    path = program(tmp_path / relative_path)
    assert find_browser().path == path
