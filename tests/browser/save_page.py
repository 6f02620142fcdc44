"""Save a page as a fixture: ``python tests/browser/save_page.py URL NAME``.

Writes ``pages/NAME.html``, the page as it is rendered (with shadow roots, field values and style
sheets; without scripts, pictures and passwords), ``pages/NAME.txt``, the lines that the agent sees
of it, and ``pages/NAME.labels.txt``, the labelled values that the rules policy reads.
test_saved_pages.py compares them from then on.

``--base https://example.test`` replaces the origin of the page's address, for a server on a port
that is another one each time. ``--login NAME`` opens the page with a login that ``bwa login`` has
saved. ``--lines`` writes the lines of all saved pages anew, after an intended change: look at the
difference before you commit it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parent))

from saved_pages import PAGES, save_page, write_saved

from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.browser.login import saved_login
from pytest_bwa.settings import read_settings


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("url", nargs="?")
    parser.add_argument("name", nargs="?", help="of the files in tests/browser/pages")
    parser.add_argument("--base", metavar="ORIGIN", help="written instead of the page's origin")
    parser.add_argument("--login", metavar="NAME", help="a login that `bwa login` has saved")
    parser.add_argument("--lines", action="store_true", help="write the lines of all pages anew")
    options = parser.parse_args()
    if not options.lines and not (options.url and options.name):
        parser.error("give URL and NAME, or --lines")
    PAGES.mkdir(exist_ok=True)
    with _browser() as browser:
        if options.url and options.name:
            state = saved_login(read_settings().home, options.login)
            page = browser.new_context(storage_state=state).new_page()
            html = save_page(page, options.url, options.base)
            (PAGES / f"{options.name}.html").write_text(html, "utf-8")
            _write_lines(browser, PAGES / f"{options.name}.html")
            print(
                f"saved {PAGES / options.name}.html, .txt and .labels.txt\n"
                "Next: read the files. Remove what is private, check that the lines say what a "
                "person sees on the page, then commit them and run\n"
                "  pytest tests/browser/test_saved_pages.py"
            )
        else:
            for path in sorted(PAGES.glob("*.html")):
                _write_lines(browser, path)
            print(f"wrote the lines of all pages in {PAGES}: look at the difference (git diff)")


def _write_lines(browser: Browser, path: Path) -> None:
    with browser.new_context() as context:
        write_saved(context.new_page(), path)


@contextmanager
def _browser() -> Iterator[Browser]:
    found = find_browser(read_settings().browser)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_arguments(found))
        yield browser
        browser.close()


if __name__ == "__main__":
    main()
