"""The ``bwa`` command line. Each command only parses options and calls another module."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from pytest_bwa import __version__
from pytest_bwa.cli.arguments import (
    EVIDENCE,
    App,
    EvidenceOption,
    OpenOption,
    PortOption,
    RunArgument,
    echo_data,
    exit_on_problem,
    exit_with,
    fetched,
    own_run_folder,
    run_folder,
)
from pytest_bwa.cli.init import init
from pytest_bwa.cli.integrity import bag, sign, verify
from pytest_bwa.cli.machines import TAKES_MORE, fetch, merge, run, upload
from pytest_bwa.cli.recipe import recipe_app
from pytest_bwa.cli.review import review, serve
from pytest_bwa.cli.trajectory import export, show, view
from pytest_bwa.errors import BwaError
from pytest_bwa.reports.upload.address import is_address
from pytest_bwa.steps.text import show_controls

app = App(
    name="bwa",
    help="Set up this machine for pytest-bwa, watch runs, make reports. pytest starts the runs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,  # a local variable may hold a key
)


START, LOOK, HAND_OVER = "Start", "Look", "Hand over"
REPEAT, SCALE = "Repeat", "Scale"
"""The panels of ``bwa --help``."""


def _show_version(is_requested: bool) -> None:
    if is_requested:
        typer.echo(f"pytest-bwa {__version__}")
        raise typer.Exit


@app.callback()
def bwa(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Options of all commands."""


@app.command(rich_help_panel=START)
def setup() -> None:
    """Find a browser, or install one."""
    # Imported here, because Playwright and pydantic would make --version and --help slow.
    from pytest_bwa.browser.install import install_browser
    from pytest_bwa.settings import read_settings

    with exit_on_problem():
        install_browser(typer.echo, read_settings().browser)


@app.command(rich_help_panel=START)
def doctor(
    evidence: Annotated[Path, typer.Option(help="The folder that runs will write to.")] = EVIDENCE,
    spec: Annotated[
        Path | None,
        typer.Option(help="Open this spec's first sample, and print what the spec has to allow."),
    ] = None,
    samples: Annotated[Path | None, typer.Option(help="The samples list for --spec.")] = None,
    base_url: Annotated[str | None, typer.Option(help="The base URL for --spec.")] = None,
) -> None:
    """Show what a run would use, and what is missing (exit status 1 if no run can start)."""
    if spec is not None:
        _show_needs(spec, samples, base_url)
        return
    # Imported here, because Playwright and pydantic would make --version and --help slow.
    from pytest_bwa.audit.doctor import run_checks

    can_start = True
    for check in run_checks(evidence):
        can_start = can_start and (check.ok or not check.required)
        colour = {"ok": typer.colors.GREEN, "missing": typer.colors.RED}.get(check.mark)
        mark = typer.style(f"{check.mark:8}", fg=colour)
        typer.echo(f"{mark} {check.name:18} {show_controls(check.message)}")
    if not can_start:
        typer.echo("No run can start until the lines marked missing are fixed.", err=True)
        raise typer.Exit(1)


def _show_needs(spec: Path, samples: Path | None, base_url: str | None) -> None:
    # Imported here, because Playwright and pydantic would make --version and --help slow.
    from pytest_bwa.audit.page_needs import page_needs
    from pytest_bwa.settings import read_settings

    with exit_on_problem():
        needs = page_needs(spec, samples, base_url, read_settings())
    typer.echo(show_controls(needs.to_yaml()))


@app.command(rich_help_panel=LOOK)
def watch(
    run: RunArgument = "",
    evidence: EvidenceOption = EVIDENCE,
    once: Annotated[bool, typer.Option(help="Print the present state and exit.")] = False,
    web: Annotated[bool, typer.Option("--web", help="Watch it on a page of your browser.")] = False,
    open_page: OpenOption = True,
    port: PortOption = 0,
) -> None:
    """Watch a run from another terminal: totals, running and finished samples."""
    # Imported here, because rich and pydantic would make --version and --help slow.
    from rich.console import Console

    from pytest_bwa.evidence.folder import RunFolder
    from pytest_bwa.reports.watch import is_watched
    from pytest_bwa.reports.watch import watch as show

    try:
        if web:
            serve(own_run_folder(run, evidence), port=port, in_browser=open_page)
        elif is_address(run):
            copy = fetched(run, is_watched)
            show(RunFolder(copy.path), Console(), once=once, update=copy.update)
        else:
            show(run_folder(run, evidence), Console(), once=once)
    except BwaError as problem:
        raise exit_with(problem) from None
    except KeyboardInterrupt:
        raise typer.Exit from None


@app.command(rich_help_panel=HAND_OVER)
def report(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN]",
            help="A run folder, its name or its address; the latest run if omitted.",
        ),
    ] = None,
    evidence: EvidenceOption = EVIDENCE,
    results: Annotated[
        Path | None,
        typer.Option(help="Use these Allure results (--alluredir) instead of the run folder."),
    ] = None,
    output: Annotated[Path, typer.Option(help="The folder to write the report to.")] = Path(
        "allure-report"
    ),
    pdf: Annotated[
        bool, typer.Option("--pdf", help="Print the run's page as PDF instead.")
    ] = False,
    sample: Annotated[str, typer.Option(help="With --pdf: print the page of this sample.")] = "",
    pictures: Annotated[
        Literal["all", "flagged", "none"] | None,
        typer.Option(
            help="With --pdf: the pictures of which samples. Default: flagged; of a sample, all."
        ),
    ] = None,
    several: Annotated[
        bool, typer.Option("--several", help="Make one report of all the runs named.")
    ] = False,
) -> None:
    """Make the Allure report of a run (needs the Allure command line), or print its page."""
    names = list(dict.fromkeys(runs or [""]))
    if len(names) > 1 and (not several or results is not None or pdf or sample):
        raise typer.BadParameter("join the evidence of several runs with: --several RUN RUN")
    if pdf or sample:
        _print_pdf(names[0], evidence, sample, pictures)
    else:
        _make_allure(names, evidence, results, output)


def _make_allure(names: list[str], evidence: Path, results: Path | None, output: Path) -> None:
    # Imported here, because pydantic would make --version and --help slow.
    from pytest_bwa.reports.allure_report.build import build
    from pytest_bwa.reports.review.reviewed import update_reviewed

    with exit_on_problem():
        found = [run_folder(name, evidence) for name in names]
        for folder in found:
            update_reviewed(folder)
        built = build(found, output, results)
    typer.echo(show_controls(f"{built.page} was made by {built.program}"))
    if built.is_single_file:
        typer.echo("It is one file: open it in a browser, or send it to someone.")
    else:
        typer.echo("It is too large for one file, so it has to be opened through a web server:")
        typer.echo(f"  python -m http.server --directory {output}")


def _print_pdf(
    run: str, evidence: Path, sample: str, pictures: Literal["all", "flagged", "none"] | None
) -> None:
    """Beside the run folder, because the run is sealed; of a run in a store, here."""
    # Imported here, because Playwright would make --version and --help slow.
    from pytest_bwa.browser.print_page import print_page
    from pytest_bwa.evidence.folder import PAGE
    from pytest_bwa.evidence.integrity.manifest import MANIFEST, manifest_digest
    from pytest_bwa.reports.review.reviewed import update_reviewed
    from pytest_bwa.settings import read_settings

    with exit_on_problem():
        found = run_folder(run, evidence)
        folder, reviewed = found.path.resolve(), update_reviewed(found)
        place = found.place(sample) if sample else ""
        beside = Path.cwd() if is_address(run) else folder.parent
        page = folder / place / PAGE
        if reviewed is not None and (reviewed / place / PAGE).is_file():
            page = reviewed / place / PAGE
        name = f"{folder.name}.{sample}.pdf" if sample else f"{folder.name}.pdf"
        sealed = (folder / MANIFEST).is_file()
        digest = f"{MANIFEST}: SHA-256 {manifest_digest(folder)}" if sealed else ""
        which = pictures or ("all" if sample else "flagged")
        print_page(read_settings().browser, page, beside / name, pictures=which, digest=digest)
    typer.echo(show_controls(str(beside / name)))


@app.command(rich_help_panel=REPEAT)
def diff(
    run_a: Annotated[str, typer.Argument(help="A run folder or its name.")],
    run_b: Annotated[str, typer.Argument(help="The run to compare it with.")],
    evidence: EvidenceOption = EVIDENCE,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    pictures: Annotated[bool, typer.Option(help="Count pictures as differences too.")] = False,
) -> None:
    """Compare two runs: exit status 0 if nothing differs, 1 if something does, 2 for bad input."""
    # Imported here, because rich and pydantic would make --version and --help slow.
    from pytest_bwa.reports.diff import compare, write

    with exit_on_problem(status=2):
        found = compare(run_folder(run_a, evidence), run_folder(run_b, evidence))
    echo = echo_data if as_json else typer.echo
    write(found, echo, as_json=as_json, with_pictures=pictures)
    raise typer.Exit(int(found.differs(with_pictures=pictures)))


@app.command(rich_help_panel=START)
def login(
    name: Annotated[str, typer.Argument(help="The name that specs give as auth_profile.")],
    url: Annotated[str, typer.Argument(help="The page to sign in on.")],
) -> None:
    """Sign in by hand and save the login, for specs with auth_profile."""
    # Imported here, because Playwright would make --version and --help slow.
    from pytest_bwa.browser.login import save_login
    from pytest_bwa.settings import read_settings

    def wait() -> None:
        typer.prompt(
            "Sign in in the browser window, then press Enter here", default="", show_default=False
        )

    with exit_on_problem():
        settings = read_settings()
        path = save_login(settings.home, name, url, wait, program=settings.browser)
    typer.echo(f"saved {path}; only you can read it")


@app.command(rich_help_panel=REPEAT)
def lessons(
    action: Annotated[str, typer.Argument(help="forget; leave it out to list them.")] = "",
    lesson_id: Annotated[str, typer.Argument(help="The id of the lesson to forget.")] = "",
) -> None:
    """List the lessons of earlier runs, or remove one."""
    # Imported here, because pydantic would make --version and --help slow.
    from pytest_bwa.agent.memory.lessons import forget, list_lessons
    from pytest_bwa.settings import read_settings

    if action not in ("", "forget") or bool(action) != bool(lesson_id):
        raise typer.BadParameter("leave it out to list the lessons, or pass: forget ID")
    with exit_on_problem():
        home = read_settings().home
        for line in forget(home, lesson_id) if action else list_lessons(home):
            typer.echo(show_controls(line))


PANELS = {
    START: (init,),
    LOOK: (show, view, export),
    HAND_OVER: (review, verify, sign, bag),
    SCALE: (merge, upload, fetch),
}
for panel, commands in PANELS.items():
    for command in commands:
        app.command(rich_help_panel=panel)(command)
app.command(rich_help_panel=SCALE, context_settings=TAKES_MORE)(run)
app.add_typer(recipe_app, rich_help_panel=REPEAT)
