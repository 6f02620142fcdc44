"""Saving real pages as fixtures, and reading them as the agent does."""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route

from pytest_bwa.evidence.trajectory.recorder import labelled_line
from pytest_bwa.page.perception.observer import Observer
from pytest_bwa.page.readers import CHANNEL, INIT_SCRIPT, READERS_SCRIPT
from pytest_bwa.page.tabs import Tabs

PAGES = Path(__file__).parent / "pages"
SCRIPT = Path(__file__).parent / "save_page.js"
ADDRESS = "http://saved.page/"
_HEIGHT = re.compile(r"of [\d,]+ pixels")
"""How far a page scrolls depends on the fonts of the machine."""


def save_page(page: Page, url: str, base: str | None = None) -> str:
    """Opens ``url`` and returns the rendered page as HTML that loads nothing. ``base`` replaces
    the origin of the page's own addresses."""
    page.context.add_init_script(INIT_SCRIPT)
    page.goto(url, wait_until="networkidle")
    return saved_html(page, base)


def saved_html(page: Page, base: str | None = None) -> str:
    """The page as it is now, without what was ever seen to be secret."""
    page.evaluate(READERS_SCRIPT, CHANNEL)
    html = str(
        page.evaluate(
            f"(options) => {{ {SCRIPT.read_text('utf-8')}\nreturn savePage(options); }}",
            {"base": base},
        )
    )
    if base is None:
        return html
    parts = urlsplit(page.url)
    return html.replace(f"{parts.scheme}://{parts.netloc}", base.rstrip("/"))


def read_saved(page: Page, html: str) -> dict[str, list[str]]:
    """What the agent reads of a saved page, by the ending of the file that keeps it: ``.txt`` has
    the lines of the observation and the texts next to pictures without a name, ``.labels.txt`` the
    labelled values. Whatever the page would load is refused."""

    def answer(route: Route) -> None:
        if route.request.url == ADDRESS:
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        else:
            route.abort()

    page.context.add_init_script(INIT_SCRIPT)
    page.route("**/*", answer)
    observer = Observer(Tabs(page), lambda seconds, what: nullcontext())
    page.goto(ADDRESS)
    seen = observer.observe()
    page.unroute("**/*", answer)
    pictures = [f"(unnamed picture) {text}" for text in seen.unnamed_pictures]
    labels = [labelled_line(value) for value in seen.labelled]
    lines = [_HEIGHT.sub("of some pixels", line) for line in seen.lines()]
    return {".txt": [*lines, *pictures], ".labels.txt": labels}


def write_saved(page: Page, path: Path) -> None:
    """Write what is read of the saved page ``path`` beside it."""
    for ending, lines in read_saved(page, path.read_text("utf-8")).items():
        text = "".join(f"{line}\n" for line in lines)
        path.with_suffix(ending).write_text(text, "utf-8")
