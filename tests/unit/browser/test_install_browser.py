from pathlib import Path

import psutil
import pytest

from pytest_bwa.browser import find, install
from pytest_bwa.browser.command import run_command
from pytest_bwa.browser.find import FoundBrowser
from pytest_bwa.browser.install import install_browser
from pytest_bwa.browser.start_check import StartCheck
from pytest_bwa.errors import BrowserMissing

RUNS = "#!/bin/sh\necho runs\n"
LACKS = "#!/bin/sh\necho lacks libraries\n"


class Machine:
    """A machine with an own PATH, where a browser starts if its script says "runs"."""

    def __init__(self, root: Path) -> None:
        self.bin = root / "bin"
        self.bin.mkdir()
        self.said: list[str] = []
        self.ran = root / "ran"

    def has(self, name: str, script: str) -> Path:
        path = self.bin / name
        path.write_text(script, "utf-8")
        path.chmod(0o755)
        return path

    def command(self, name: str, does: str) -> None:
        """A command that notes how it was called, and then ``does``."""
        noted = f'printf "%s\\n" "{name} $*" >> {self.ran}'
        self.has(name, f"#!/bin/sh\nPATH=/usr/bin:/bin\n{noted}\n{does}\n")

    def calls(self) -> list[str]:
        return self.ran.read_text("utf-8").splitlines() if self.ran.exists() else []

    def puts(self, script: str, name: str = "chromium") -> str:
        path = self.bin / name
        return f"cat > {path} <<'END'\n{script}END\nchmod 755 {path}"

    @property
    def told(self) -> str:
        return "\n".join(self.said)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    fake = Machine(tmp_path)

    def trial(found: FoundBrowser) -> StartCheck:
        runs = found.path.read_text("utf-8").find("runs") >= 0
        return StartCheck("1.0", 0.1) if runs else StartCheck(problem="libraries are missing")

    monkeypatch.setenv("PATH", str(fake.bin))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "pw"))
    monkeypatch.setattr(find, "_standard_places", lambda: iter(()))
    monkeypatch.setattr(install, "check_start", trial)
    monkeypatch.setattr(install, "PLAYWRIGHT", ["playwright"])
    monkeypatch.setattr(install, "is_root", lambda: True)
    monkeypatch.setattr(install, "is_debian", lambda: True)
    fake.command("playwright", "echo 'Error: getaddrinfo ENOTFOUND cdn'; exit 1")
    fake.command("apt-get", "exit 100")
    return fake


def test_a_browser_that_starts_is_left_alone(machine: Machine) -> None:
    chrome = machine.has("google-chrome", RUNS)
    assert install_browser(machine.said.append).path == chrome
    assert machine.calls() == []
    assert f"found the system's browser at {chrome}" in machine.told


def test_playwrights_download_is_tried_first(machine: Machine) -> None:
    machine.command("playwright", machine.puts(RUNS))
    assert install_browser(machine.said.append).path == machine.bin / "chromium"
    assert machine.calls() == ["playwright install chromium"]
    assert "installed" in machine.said[-1]


def test_where_the_download_is_refused_root_takes_the_package(machine: Machine) -> None:
    machine.command("apt-get", f'case "$*" in *install*) {machine.puts(RUNS)}\n;; esac')
    assert install_browser(machine.said.append).path == machine.bin / "chromium"
    called = machine.calls()
    assert called[0] == "playwright install chromium"
    assert called[1].endswith("update")
    assert called[2].endswith("install -y --no-install-recommends chromium")
    assert "ENOTFOUND" in machine.told, "why the download failed is not told"


@pytest.mark.parametrize("lacking", ["is_root", "is_debian"])
def test_nobody_else_calls_apt(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, lacking: str
) -> None:
    monkeypatch.setattr(install, lacking, lambda: False)
    with pytest.raises(BrowserMissing, match="apt-get install chromium"):
        install_browser(machine.said.append)
    assert machine.calls() == ["playwright install chromium"]


def test_a_browser_that_lacks_libraries_gets_the_package(machine: Machine) -> None:
    machine.command("playwright", machine.puts(LACKS, "google-chrome"))
    machine.command(
        "apt-get", f'case "$*" in *install*) {machine.puts(RUNS, "google-chrome")}\n;; esac'
    )
    assert install_browser(machine.said.append).path.name == "google-chrome"
    assert "does not start: libraries are missing" in machine.told


def test_ubuntus_pointer_to_a_snap_is_told(machine: Machine) -> None:
    if Path("/snap/bin/chromium").exists():
        pytest.skip("this machine has the snap itself")
    pointer = "#!/bin/sh\nexec /snap/bin/chromium\n"
    put = machine.puts(pointer, "chromium-browser")
    machine.command("apt-get", f'case "$*" in *install*) {put}\n;; esac')
    with pytest.raises(BrowserMissing, match="BWA_BROWSER"):
        install_browser(machine.said.append)
    assert "only Ubuntu's pointer to a snap" in machine.told


def test_the_settings_browser_is_never_replaced_by_another(machine: Machine) -> None:
    broken = machine.has("mine", LACKS)
    with pytest.raises(BrowserMissing, match=r"BWA_BROWSER.*libraries are missing"):
        install_browser(machine.said.append, broken)
    assert machine.calls() == []


def test_an_installer_that_falls_silent_is_stopped_with_its_children(
    machine: Machine, tmp_path: Path
) -> None:
    pid = tmp_path / "pid"
    machine.command("playwright", f"sleep 600 & echo $! > {pid}\nwait")
    assert not run_command(["playwright", "install"], machine.said.append, silence=0.5)
    assert "nothing more came from playwright for 0.5 s" in machine.told
    assert not psutil.pid_exists(int(pid.read_text())) or (
        psutil.Process(int(pid.read_text())).status() == psutil.STATUS_ZOMBIE
    )


def test_the_reason_of_a_failed_command_is_told(machine: Machine) -> None:
    machine.command(
        "apt-get", "echo Reading; echo 'E: Unable to locate package chromium'; exit 100"
    )
    assert not run_command(["apt-get", "install"], machine.said.append)
    assert machine.said == ["  E: Unable to locate package chromium"]


def test_a_command_that_is_not_there_is_told(machine: Machine) -> None:
    assert not run_command(["no-such-command"], machine.said.append)
    assert machine.said == ["  no-such-command: No such file or directory"]


@pytest.mark.parametrize(
    ("told", "debian"),
    [
        ({"ID": "debian"}, True),
        ({"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, True),
        ({"ID": "fedora"}, False),
        ({"ID": "notdebian"}, False),
    ],
)
def test_which_systems_have_apt(
    monkeypatch: pytest.MonkeyPatch, told: dict[str, str], debian: bool
) -> None:
    monkeypatch.setattr("platform.freedesktop_os_release", lambda: told)
    assert install.is_debian() is debian
