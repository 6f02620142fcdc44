"""Tabs in the background: none outlives its reading, and what becomes of one is nobody else's."""

from __future__ import annotations

import time

import pytest
from local_site import Site
from playwright.sync_api import Error

from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.errors import PageLost
from pytest_bwa.steps.step import Action


@pytest.fixture
def reading(agent, site: Site):
    """An agent on a page with two links, and the action that reads them."""
    site.pages |= {
        "/": "<h1>Here</h1><a href=/one>One</a> <a href=/two>Two</a>",
        "/one": "<h1>One</h1><script>window.open('/two')</script>",
        "/two": "<h1>Two</h1>",
    }
    agent.act("goto", url=site.url)
    return agent, Action(action="read", pages=["One", "Two"])


def test_an_interruption_leaves_no_tab_open(reading):
    """Nor one that such a page has opened itself."""
    agent, read = reading

    def interrupted() -> None:
        with agent.executor.pages_of(read, agent.observation) as parts:
            assert agent.executor.act(parts[0], agent.observation, 1).success
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert agent.page.context.pages == [agent.page]
    assert agent.observer.observe().title == agent.observation.title


def test_a_tab_that_crashes_costs_no_other(reading):
    agent, read = reading
    with agent.executor.pages_of(read, agent.observation) as (one, two):
        agent.executor.act(one, agent.observation, 1)
        crash(agent.page)
        with pytest.raises(PageLost, match="crashed"):
            agent.observer.observe()
        agent.executor.add_seen(agent.observation)
        assert agent.executor.act(two, agent.observation, 1).success
        assert agent.observer.observe().elements[0].name == "Two"
    assert agent.observer.observe().elements[0].name == "Here"


def test_the_rate_limit_holds_for_each_of_them(reading, tmp_path):
    agent, read = reading
    agent.executor._context.rate_limiter = RateLimiter(tmp_path / "pace", {"default": 1.5})
    begun = time.monotonic()
    with agent.executor.pages_of(read, agent.observation) as parts:
        assert all(agent.executor.act(part, agent.observation, 1).success for part in parts)
    assert time.monotonic() - begun >= 1.5


def crash(page) -> None:
    """The command never returns, so the answer of the event comes first."""
    with pytest.raises(Error):
        page.context.new_cdp_session(page).send("Page.crash")
