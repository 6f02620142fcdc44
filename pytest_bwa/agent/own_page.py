"""What the pages that the sample's own address led to allow to be concluded from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pytest_bwa.agent.step_log import StepLog
from pytest_bwa.facts.address import is_at
from pytest_bwa.facts.page import asks_for_password
from pytest_bwa.policy.base import FAIL_KINDS
from pytest_bwa.proof.observed import Observed
from pytest_bwa.spec.network.responses import has_failed
from pytest_bwa.steps.step import Observation

ACCESS_DENIED = (
    "Call fail with the kind access_denied, or log in if the task says how; if a line says that "
    "there is no such record, cite it as source."
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a sample cannot be reported as not found, and what to do."""

    why: str
    advice: str


class OwnPage:
    """The pages of one sample: of a record with an address of its own, those that this address led
    to, also by a redirect; of any other, the page that the agent is on."""

    def __init__(self, step_log: StepLog, observed: Observed) -> None:
        self._step_log, self._observed = step_log, observed

    def reason_unknown(self, page: Observation) -> str:
        """Why nothing can be concluded about the sample: the page that was opened last could not
        be reached, or the server of it, or of the sample's own page, says that it failed; empty if
        something can be."""
        if reason := self._step_log.reason_not_reached(page):
            return reason
        statuses = (seen.http_status for seen in (page, *self._latest(page)))
        failed = next(filter(has_failed, statuses), None)
        return f"its server answered HTTP {failed}" if failed else ""

    def login_in_its_place(self, page: Observation) -> str:
        """That a login is shown at another address than the one that was asked for; else empty."""
        steps, own = self._step_log.of_sample, self._observed.own_url
        first = next((step.params.get("url") for step in steps if step.action == "goto"), None)
        asked = own or first or ""
        if not asked or is_at(page.url, asked) or not asks_for_password(page):
            return ""
        return f"its page led to a login ({page.url})"

    def doubt_about_absence(self, page: Observation) -> Refusal | None:
        """Why the sample cannot be reported as not found; None if it can be. A policy that reads
        labelled values decides itself which page says so."""
        if self._observed.labels_prove:
            return None
        for seen in (page, *self._latest(page)):
            if doubt := _doubt(seen):
                return doubt
        return None

    def _latest(self, page: Observation) -> Iterator[Observation]:
        """The sample's own page as it was seen last, if it has one and another one is shown."""
        if not self._observed.is_at_own_address(page.url):
            pages = (own.page for own in reversed(self._observed.pages.values()))
            yield from [seen for seen in pages if self._observed.is_at_own_address(seen.url)][:1]


def _doubt(page: Observation) -> Refusal | None:
    """Why a page does not tell whether a record exists; None if it may. A server that answers
    that there is none tells it, whatever its page shows."""
    answer = FAIL_KINDS.get(page.http_status or 0)
    if answer == "access_denied":
        return Refusal(f"the page answered HTTP {page.http_status}", ACCESS_DENIED)
    if answer == "not_found":
        return None
    if asks_for_password(page):
        return Refusal("the page asks for a password", ACCESS_DENIED)
    content = (page.text.strip(), page.elements, page.canvases, page.unnamed_pictures)
    if not any(content) and page.picture_text is None:
        return Refusal("the page is empty", "Wait for it, or open it again.")
    return None
