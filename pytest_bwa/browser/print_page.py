"""Prints a page of the evidence with the browser that is there."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.errors import BrowserMissing, InputError

FOOTER = (
    '<div style="font-size:8px;width:100%;margin:0 14mm;display:flex;'
    'justify-content:space-between"><span class="title"></span>'
    '<span><span class="pageNumber"></span> of <span class="totalPages"></span></span></div>'
)
_LOAD_PICTURES = """() => Promise.all([...document.images].map((image) => {
  image.loading = "eager";
  return image.decode().catch(() => {});
}))"""


def print_page(program: Path | None, page_file: Path, out: Path) -> None:
    """Write the page as a PDF of A4 sheets; no network is used. ``program`` is the
    browser of BWA_BROWSER. Raises BwaError."""
    if not page_file.is_file():
        raise InputError(
            f"there is no {page_file}: there is no such sample, or an earlier version made this run"
        )
    found = find_browser(program)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**launch_arguments(found))
            context = browser.new_context(offline=True)
            page = context.new_page()
            page.goto(page_file.resolve().as_uri())
            page.evaluate(_LOAD_PICTURES)
            page.pdf(
                path=out,
                format="A4",
                display_header_footer=True,
                header_template="<span></span>",
                footer_template=FOOTER,
                margin={"top": "15mm", "bottom": "18mm", "left": "14mm", "right": "14mm"},
            )
            browser.close()
    except PlaywrightError as error:
        reason = error.message.strip().splitlines()[0]
        raise BrowserMissing(f"{page_file} could not be printed ({reason})") from None
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from None
