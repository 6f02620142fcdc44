"""The page of the next sample is opened while the model of this one thinks."""

from __future__ import annotations

import time
from pathlib import Path

from scripted_samples import play
from wire.messages_server import Answer, Request, tool_use

KEY = {"ANTHROPIC_API_KEY": "sk-secret-key"}
COUNTING = """
from playwright.sync_api import BrowserContext

make = BrowserContext.new_page
def new_page(self):
    page = make(self)
    with open("pages.txt", "a") as lines:
        print("opened", file=lines)
    return page
BrowserContext.new_page = new_page
"""
"""A conftest.py that counts the pages of the run."""
SECONDS = 30


def opened(folder: Path) -> int:
    try:
        return len((folder / "pages.txt").read_text().splitlines())
    except FileNotFoundError:
        return 0


class Model:
    """Answers when so many pages were opened, or at once if none is to come."""

    def __init__(self, folder: Path, awaited: int) -> None:
        self.folder, self.awaited, self.pages = folder, awaited, 0

    def __call__(self, number: int, request: Request) -> Answer:
        end = time.monotonic() + SECONDS
        while opened(self.folder) < self.awaited and time.monotonic() < end:
            time.sleep(0.02)
        self.pages = opened(self.folder)
        name = request.prompt.split('"Record ')[1].split('"')[0]
        fields = {"department": f"Finance {name}", "start_date": "2025-11-03"}
        return tool_use("done", extracted=fields, screenshot_label="record")


def test_each_page_but_the_first_is_opened_while_a_model_thinks(audit_folder):
    folder = audit_folder.path
    (folder / "conftest.py").write_text(COUNTING)
    models = {name: Model(folder, n) for name, n in (("one", 2), ("two", 3), ("three", 3))}
    run = play(audit_folder, models, "-n1", **KEY)
    assert run.ran.counts() == {"passed": 3}, run.ran.text
    assert [model.pages for model in models.values()] == [2, 3, 3]
    assert opened(folder) == 3, "each page is used, and none is opened for nothing"
    for name in models:
        assert run.result(name)["extracted"]["department"] == f"Finance {name}"


def test_what_is_recorded_begins_with_its_own_page(audit_folder):
    folder = audit_folder.path
    (folder / "conftest.py").write_text(COUNTING)
    models = {name: Model(folder, 0) for name in ("one", "two")}
    run = play(audit_folder, models, "--screenshot=on", **KEY)
    assert run.ran.counts() == {"passed": 2}, run.ran.text
    assert [model.pages for model in models.values()] == [1, 2]
    assert all(any((audit_folder.folder / name / "recordings").iterdir()) for name in models)
