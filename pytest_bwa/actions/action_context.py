"""What every action works with: the tabs, the observation it was chosen on, its time limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from playwright.sync_api import ElementHandle, Page

from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.actions.resolve import resolve
from pytest_bwa.actions.settle import PageSettler
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.settings import Settings
from pytest_bwa.steps import ArtifactStore, Observation

Selector = Annotated[
    str,
    "The element: its listed number (7 for [7]), or its visible text; CSS only if nothing else "
    "names it.",
]
"""The parameter by which actions name an element."""


@dataclass
class ActionContext:
    """The same for all actions of a sample, but ``observation`` and ``step``, which are set before
    each."""

    tabs: Tabs
    settler: PageSettler
    store: ArtifactStore
    rate_limiter: RateLimiter
    settings: Settings
    base_url: str | None = None
    files: Mapping[str, Path] = field(default_factory=dict)
    """Files that the sample may upload, by the name that it gives them."""
    observation: Observation = field(default_factory=lambda: Observation(url="", title=""))
    step: int = 0

    @property
    def page(self) -> Page:
        return self.tabs.current

    @property
    def element_ms(self) -> float:
        return self.settings.element_timeout * 1000

    @property
    def max_ms(self) -> float:
        """Half of the action's time limit, so that the other half is left for settling."""
        return self.settings.action_timeout * 1000 / 2

    def element(self, selector: str | None) -> ElementHandle:
        """Raises NotFound, which lists what is there."""
        return resolve(self.tabs, self.observation, selector or "")

    def describe(self, selector: str | None) -> str:
        """The element in words: ``button "Save"``."""
        text = (selector or "").strip()
        element = self.observation.element_for(text)
        if element is None:
            return f'"{selector}"'
        icon = next((f" ({s})" for s in element.states if s.startswith("icon: ")), "")
        words = f'{element.role} "{element.name}"{icon}'
        namesake = next((e for e in self.observation.elements if e.name == text), element)
        if namesake is element:
            return words
        return f"{words}, the element [{element.index}] (the text “{text}” is [{namesake.index}])"
