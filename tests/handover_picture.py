"""Make the pictures of docs/images from the pages of a real run, and of a made-up one to review:

pytest workflows/ --task tasks/practice/tickets.yaml --samples tasks/practice/inputs/tickets.csv \\
    --policy rules --run-id tickets
python tests/handover_picture.py evidence/tickets/ENG-103
"""

from __future__ import annotations

import io
import sys
import tempfile
import threading
from pathlib import Path

from leases_run import finished_run
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.review.server import ReviewServer

PICTURES = Path(__file__).parent.parent / "docs/images"
WIDTH, HEIGHT = 1080, 860
COLOURS = 128
"""Enough for a page of text, and a fourth of the size."""


def photograph(browser: Browser, address: str, name: str, height: int = HEIGHT) -> None:
    page = browser.new_page(viewport={"width": WIDTH, "height": height})
    page.goto(address)
    page.wait_for_load_state("networkidle")
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    page.close()
    file = PICTURES / name
    picture.quantize(COLOURS).save(file, optimize=True)
    print(f"{file}: {file.stat().st_size // 1024} KB")


def photograph_review(browser: Browser, folder: Path) -> None:
    server = ReviewServer(RunFolder(finished_run(folder, 60, browser)), "Ada L.")
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        photograph(browser, server.address, "review.png")
    finally:
        server.end()
        thread.join()


if __name__ == "__main__":
    sample = Path(sys.argv[1]).resolve()
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(**launch_arguments(find_browser(None)))
        photograph(browser, (sample.parent / "index.html").as_uri(), "run.png")
        photograph(browser, (sample / "index.html").as_uri(), "handover.png")
        photograph_review(browser, Path(folder))
        browser.close()
