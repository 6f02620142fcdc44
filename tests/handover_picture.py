"""Make docs/images/handover.png, the README's picture, from the page of a sample in a real run:

pytest workflows/ --task tasks/practice/tickets.yaml --samples tasks/practice/inputs/tickets.csv \\
    --policy rules --run-id tickets
python tests/handover_picture.py evidence/tickets/ENG-103/index.html
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments

PICTURE = Path(__file__).parent.parent / "docs/images/handover.png"
WIDTH, HEIGHT = 1080, 860
COLOURS = 128
"""Enough for a page of text, and a fourth of the size."""


def photograph(page_file: Path) -> bytes:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_arguments(find_browser(None)))
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(page_file.resolve().as_uri())
        png = page.screenshot()
        browser.close()
    return png


if __name__ == "__main__":
    picture = Image.open(io.BytesIO(photograph(Path(sys.argv[1]))))
    PICTURE.parent.mkdir(exist_ok=True)
    picture.convert("RGB").quantize(COLOURS).save(PICTURE, optimize=True)
    print(f"{PICTURE}: {PICTURE.stat().st_size // 1024} KB")
