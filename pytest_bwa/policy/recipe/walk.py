"""Whether the present page is the one of the recipe, and what is to be done on it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from pytest_bwa.facts.place import PageFacts
from pytest_bwa.facts.text_match import clean
from pytest_bwa.policy.recipe.parameters import (
    address_columns,
    filled,
    filled_address,
    fits,
)
from pytest_bwa.policy.recipe.places import PageLook, identity_on
from pytest_bwa.policy.recipe.reading import FieldReader, NotCertain, Read
from pytest_bwa.policy.recipe.recipe import Misfit, PageRecipe, StepRecipe
from pytest_bwa.policy.recorded import DoesNotFit, element_on, number_on
from pytest_bwa.spec.network.responses import is_error
from pytest_bwa.spec.network.urls import BROWSERS_OWN
from pytest_bwa.steps.step import Action, Observation

_LASTING: frozenset[Misfit] = frozenset({"status", "address", "alerts"})


@dataclass(frozen=True, slots=True)
class SamplePages:
    """The pages of one sample, as a recipe looks at them."""

    columns: Mapping[str, str]
    own_host: str
    first_url: str

    @property
    def address_columns(self) -> dict[str, str]:
        return address_columns(self.columns, self.own_host)

    def check(self, recipe: PageRecipe, look: PageLook) -> None:
        """Raises DoesNotFit if the page is not the one that is meant."""
        for part, why in self.misfits(recipe, look):
            raise DoesNotFit(why, may_change=part not in _LASTING)

    def misfits(self, recipe: PageRecipe, look: PageLook) -> Iterator[tuple[Misfit, str]]:
        """In what a page is not the one that is meant, each with a sentence."""
        if is_error(look.status):
            yield "status", f"the server answered HTTP {look.status}"
        if look.url.startswith(BROWSERS_OWN):
            yield "address", "the browser shows an error page of its own instead of the site's page"
        elif not fits(recipe.address, look.address, self.address_columns):
            yield "address", f"the page's address is {look.address}, unlike {recipe.address}"
        if not fits(recipe.heading, look.heading, self.columns):
            yield "heading", f"the page's heading is “{look.heading}”, unlike “{recipe.heading}”"
        for name in recipe.shows:
            if self.columns[name] and name not in look.shows:
                yield "columns", f"the page does not show the sample's {name}"
        if missing := set(recipe.own_texts) - look.own_texts:
            first = min(missing, key=str)
            yield "texts", f"the page does not say “{first.text}” as {first.label or first.role}"
        if new := look.alerts - set(recipe.alerts):
            yield "alerts", f"the page says “{min(new)}”, which no earlier page said"

    def check_sent(self, confirmation: str, page: Observation) -> None:
        """Raises DoesNotFit if the page does not say that the form was sent."""
        texts = (page.text, page.title, *(e.name for e in page.all_elements))
        if not any(confirmation.casefold() in clean(text).casefold() for text in texts):
            raise DoesNotFit(f"the page does not say “{confirmation}”")

    def read(
        self, recipe: PageRecipe, facts: PageFacts, reader: FieldReader, *, all_of_them: bool
    ) -> tuple[dict[str, Read], dict[str, str]]:
        """The fields that stand on the page, and why others are not certain. Raises DoesNotFit if
        none is, or if ``all_of_them`` must be."""
        found: dict[str, Read] = {}
        uncertain: dict[str, str] = {}
        for name, field in recipe.fields.items():
            try:
                found[name] = reader.read(name, field, facts, self.columns)
            except NotCertain as why:
                uncertain[name] = str(why)
        if uncertain and (all_of_them or not found):
            raise DoesNotFit(next(iter(uncertain.values())))
        return found, uncertain

    def action(self, step: StepRecipe, page: Observation) -> Action:
        """The step on the present page. Raises DoesNotFit."""
        parameters: dict[str, Any] = {
            key: filled(value, self.columns) if isinstance(value, str) else value
            for key, value in step.parameters.items()
        }
        if step.action == "goto":
            parameters["url"] = self._address(step, page)
            return Action(action="goto", **parameters)
        for key, place in (("selector", step.place), ("target", step.destination)):
            if place is not None:
                parameters[key] = number_on(page, identity_on(place, page, self.columns))
        return Action(action=step.action, **parameters)

    def _address(self, step: StepRecipe, page: Observation) -> str:
        """Where a link of the page leads, or an address that is known."""
        if step.place is not None:
            return element_on(page, identity_on(step.place, page, self.columns)).url or ""
        path = filled_address(str(step.parameters["url"]), self.address_columns)
        return urljoin(self.first_url, path)
