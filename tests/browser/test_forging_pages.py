"""Pages that try to change what is read of them: neither a value, nor an address, nor a hash."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from forging_pages import FORGING, NO_HANDLES, RECORD, forging_page
from local_site import Site


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture(scope="module")
def agent(agents_of_file: Callable[..., Any]) -> Any:
    """A page that breaks the waiting costs its time, and nothing else: so it waits for a short
    time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BWA_SETTLE_TIMEOUT", "0.3")
        return agents_of_file()


def facts(agent: Any) -> dict[str, Any]:
    """All that evidence rests on: what was read, where, and the hashes of it."""
    page = agent.observation
    labelled = [(v.label, v.value, v.kind, v.url, v.doubt, v.place) for v in page.labelled]
    hashes = page.state, page.dom_hash
    return {"at": (page.url, page.title), "lines": agent.lines(), "labelled": labelled,
            "text": page.text, "hashes": hashes}  # fmt: skip


def read_and_type(agent: Any, site: Any, html: str) -> tuple[Any, Any, Any, bool]:
    """What is known of a page, before and after a text was typed into its field; and whether
    everything could be done."""
    site.pages["/record/1"] = html
    agent.page.goto(f"{site.url}/record/1")
    agent.observation = agent.observer.observe()
    before, note = facts(agent), agent.index("Note")
    typed = agent.act("type", selector=note, text="paid")
    read = agent.act("extract", selector=note)
    return before, facts(agent), (typed.description, read.data), typed.success and read.success


@pytest.fixture(scope="module")
def honest(agent: Any, site: Any) -> tuple[Any, Any, Any, bool]:
    return read_and_type(agent, site, RECORD.format(script=""))


@pytest.mark.parametrize("name", FORGING)
def test_a_page_that_replaces_what_scripts_use_changes_nothing(agent, site, honest, name):
    before, after, done, is_done = read_and_type(agent, site, forging_page(FORGING[name]))
    assert before == honest[0]
    assert ("Status", "Rejected") in [fact[:2] for fact in before["labelled"]]
    if name in NO_HANDLES and not is_done:
        return  # Playwright's own script fails there, and the action says so
    assert (after, done) == honest[1:3]
    assert '(value="paid"' in "".join(after["lines"])
