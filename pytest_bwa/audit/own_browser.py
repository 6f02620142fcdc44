"""Runs samples before the tests begin, one after the other, in a browser of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from playwright.sync_api import Page, Response, sync_playwright

from pytest_bwa.agent.sign_in import WorkerLogin
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.browser_record import record_browser
from pytest_bwa.audit.composition import WorkerContext, boundary_for, make_login
from pytest_bwa.audit.run import run_sample
from pytest_bwa.browser.keep_alive import RelaunchingBrowser
from pytest_bwa.browser.login import saved_login
from pytest_bwa.browser.sample_page import context_options, open_page
from pytest_bwa.browser.watchdog import Watchdog
from pytest_bwa.confinement.confinement import Confinement
from pytest_bwa.errors import InputError
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.policy.base import Policy
from pytest_bwa.settings import Settings
from pytest_bwa.spec.sample_inputs import NOT_ASKED, relative_url_problem

WORKER = "preparation"

OnDocument = Callable[[int, str | None], object]
"""Gets the status of each document, and its header Retry-After."""


@dataclass(frozen=True, slots=True)
class BrowserToLaunch:
    """Which browser is used: its name, and the arguments of Playwright's ``launch``."""

    name: str
    arguments: Mapping[str, Any]


def run_in_own_browser(
    audit: Audit,
    policy: Policy,
    settings: Settings,
    to_launch: BrowserToLaunch,
    base_url: str | None,
    on_document: OnDocument = lambda status, retry_after: None,
) -> list[SampleResult]:
    """The results of all samples of an audit, which has a folder. Raises RunStopped, and InputError
    for an address that nothing completes."""
    if problem := relative_url_problem(audit.task, audit.samples.samples, base_url, NOT_ASKED):
        raise InputError(problem)
    launched: list[RelaunchingBrowser] = []
    watchdog = Watchdog(
        lambda: bool(launched) and launched[0].kill(),
        lambda: bool(launched) and launched[0].kill_driver(),
    )
    login = make_login(audit)
    worker = WorkerContext(audit, policy, settings, watchdog, WORKER, base_url, login=login)
    boundary = boundary_for(audit, base_url)
    results = []
    with sync_playwright() as playwright:
        kind = getattr(playwright, to_launch.name)
        browser = RelaunchingBrowser(lambda: kind.launch(**to_launch.arguments), watchdog)
        launched.append(browser)
        for sample in audit.samples.samples:
            confinement = Confinement(boundary)
            opened = _Pages(browser, audit, settings, on_document, confinement, to_launch, login)
            confined = replace(worker, confinement=confinement)
            try:
                results.append(run_sample(confined, sample.sample_id, WORKER, opened.open))
            finally:
                opened.close()
        browser.close()
    return results


class _Pages:
    """The page of one sample, in a context of its own."""

    def __init__(
        self,
        browser: RelaunchingBrowser,
        audit: Audit,
        settings: Settings,
        on_document: OnDocument,
        confinement: Confinement,
        to_launch: BrowserToLaunch,
        login: WorkerLogin | None,
    ) -> None:
        self._browser, self._audit, self._settings = browser, audit, settings
        self._confinement, self._to_launch = confinement, to_launch
        self._on_document, self._login = on_document, login
        self._page: Page | None = None

    def open(self) -> Page:
        saved = saved_login(self._settings.home, self._audit.task.auth_profile)
        login = (self._login and self._login.state) or saved
        confining = self._confinement.context_options(launch=self._to_launch.arguments)
        options = context_options(login, (), confining)
        self._page = page = open_page(self._browser.new_context, options)
        page.context.on("response", self._note)
        if self._audit.folder is not None:
            if self._confinement.note:
                self._audit.folder.add_note(self._confinement.note)
            record_browser(page, self._audit.folder, self._browser.program, None)
        return page

    def _note(self, response: Response) -> None:
        if response.request.resource_type == "document":
            self._on_document(response.status, response.headers.get("retry-after"))

    def close(self) -> None:
        self._confinement.close()
        if self._page is not None:
            self._page.context.close()
