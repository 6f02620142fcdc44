from pathlib import Path

import psutil
import pytest

from pytest_bwa.browser import find, install
from pytest_bwa.browser.command import run_command
from pytest_bwa.browser.find import FoundBrowser
from pytest_bwa.browser.install import install_browser
from pytest_bwa.browser.start_check import StartCheck
from pytest_bwa.errors import BrowserMissing

STARTS = "#!/bin/sh\necho runs\n"
LACKS_LIBRARIES = "#!/bin/sh\necho lacks libraries\n"


class Machine:
    """A machine with its own PATH. A browser starts if its script contains "runs"."""

    def __init__(self, root: Path) -> None:
        self.bin = root / "bin"
        self.bin.mkdir()
        self.lines: list[str] = []
        self.log = root / "log"

    def add(self, name: str, script: str) -> Path:
        path = self.bin / name
        path.write_text(script, "utf-8")
        path.chmod(0o755)
        return path

    def add_command(self, name: str, script: str) -> None:
        """Add a command that logs its arguments and then runs ``script``."""
        log_call = f'printf "%s\\n" "{name} $*" >> {self.log}'
        self.add(name, f"#!/bin/sh\nPATH=/usr/bin:/bin\n{log_call}\n{script}\n")

    def calls(self) -> list[str]:
        return self.log.read_text("utf-8").splitlines() if self.log.exists() else []

    def install(self, script: str, name: str = "chromium") -> str:
        path = self.bin / name
        return f"cat > {path} <<'END'\n{script}END\nchmod 755 {path}"

    @property
    def output(self) -> str:
        return "\n".join(self.lines)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    fake = Machine(tmp_path)

    def check(found: FoundBrowser) -> StartCheck:
        starts = "runs" in found.path.read_text("utf-8")
        return StartCheck("1.0", 0.1) if starts else StartCheck(problem="libraries are missing")

    monkeypatch.setenv("PATH", str(fake.bin))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "pw"))
    monkeypatch.setattr(find, "_standard_paths", lambda: iter(()))
    monkeypatch.setattr(install, "check_start", check)
    monkeypatch.setattr(install, "PLAYWRIGHT", ["playwright"])
    monkeypatch.setattr(install, "is_root", lambda: True)
    monkeypatch.setattr(install, "is_debian", lambda: True)
    fake.add_command("playwright", "echo 'Error: getaddrinfo ENOTFOUND cdn'; exit 1")
    fake.add_command("apt-get", "exit 100")
    return fake


def test_nothing_is_installed_if_a_browser_starts(machine: Machine) -> None:
    chrome = machine.add("google-chrome", STARTS)
    assert install_browser(machine.lines.append).path == chrome
    assert machine.calls() == []
    assert f"found the system's browser at {chrome}" in machine.output


def test_playwrights_download_is_tried_first(machine: Machine) -> None:
    machine.add_command("playwright", machine.install(STARTS))
    assert install_browser(machine.lines.append).path == machine.bin / "chromium"
    assert machine.calls() == ["playwright install chromium"]
    assert "installed" in machine.lines[-1]


def test_if_the_download_fails_root_installs_the_package(machine: Machine) -> None:
    machine.add_command("apt-get", f'case "$*" in *install*) {machine.install(STARTS)}\n;; esac')
    assert install_browser(machine.lines.append).path == machine.bin / "chromium"
    called = machine.calls()
    assert called[0] == "playwright install chromium"
    assert called[1].endswith("update")
    assert called[2].endswith("install -y --no-install-recommends chromium")
    assert called[3].endswith("install -y --no-install-recommends chromium-headless-shell")
    assert "ENOTFOUND" in machine.output, "the output does not say why the download failed"


def test_a_distribution_without_the_headless_package_gets_the_full_one(machine: Machine) -> None:
    script = f'case "$*" in *headless*) exit 100\n;; *install*) {machine.install(STARTS)}\n;; esac'
    machine.add_command("apt-get", script)
    assert install_browser(machine.lines.append).path == machine.bin / "chromium"
    assert "the full one is used" in machine.output


@pytest.mark.parametrize("false_condition", ["is_root", "is_debian"])
def test_apt_is_only_used_by_root_on_debian(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, false_condition: str
) -> None:
    monkeypatch.setattr(install, false_condition, lambda: False)
    with pytest.raises(BrowserMissing, match="apt-get install chromium"):
        install_browser(machine.lines.append)
    assert machine.calls() == ["playwright install chromium"]


def test_the_package_is_installed_if_libraries_are_missing(machine: Machine) -> None:
    machine.add_command("playwright", machine.install(LACKS_LIBRARIES, "google-chrome"))
    machine.add_command(
        "apt-get", f'case "$*" in *install*) {machine.install(STARTS, "google-chrome")}\n;; esac'
    )
    assert install_browser(machine.lines.append).path.name == "google-chrome"
    assert "does not start: libraries are missing" in machine.output


def test_ubuntus_stub_for_a_snap_is_reported(machine: Machine) -> None:
    if Path("/snap/bin/chromium").exists():
        pytest.skip("this machine has the snap itself")
    stub = "#!/bin/sh\nexec /snap/bin/chromium\n"
    script = machine.install(stub, "chromium-browser")
    machine.add_command("apt-get", f'case "$*" in *install*) {script}\n;; esac')
    with pytest.raises(BrowserMissing, match="BWA_BROWSER"):
        install_browser(machine.lines.append)
    assert "only points to Ubuntu's snap of Chromium" in machine.output


def test_the_configured_browser_is_never_replaced(machine: Machine) -> None:
    configured = machine.add("mine", LACKS_LIBRARIES)
    with pytest.raises(BrowserMissing, match=r"BWA_BROWSER.*libraries are missing"):
        install_browser(machine.lines.append, configured)
    assert machine.calls() == []


def test_a_silent_installer_is_stopped_with_its_children(machine: Machine, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    machine.add_command("playwright", f"sleep 600 & echo $! > {pid}\nwait")
    assert not run_command(["playwright", "install"], machine.lines.append, silence=0.5)
    assert "playwright printed nothing for 0.5 s, so it was stopped" in machine.output
    assert not psutil.pid_exists(int(pid.read_text())) or (
        psutil.Process(int(pid.read_text())).status() == psutil.STATUS_ZOMBIE
    )


def test_the_error_of_a_failed_command_is_shown(machine: Machine) -> None:
    machine.add_command(
        "apt-get", "echo Reading; echo 'E: Unable to locate package chromium'; exit 100"
    )
    assert not run_command(["apt-get", "install"], machine.lines.append)
    assert machine.lines == ["  E: Unable to locate package chromium"]


def test_a_missing_command_is_reported(machine: Machine) -> None:
    assert not run_command(["no-such-command"], machine.lines.append)
    assert machine.lines == ["  no-such-command: No such file or directory"]


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ({"ID": "debian"}, True),
        ({"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, True),
        ({"ID": "fedora"}, False),
        ({"ID": "notdebian"}, False),
    ],
)
def test_which_systems_have_apt(
    monkeypatch: pytest.MonkeyPatch, release: dict[str, str], expected: bool
) -> None:
    monkeypatch.setattr("platform.freedesktop_os_release", lambda: release)
    assert install.is_debian() is expected
