"""The fixture ``browser_agent``: runs a sample on a page of its own, and reports it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from pytest_bwa.audits import Audit
from pytest_bwa.browser.login import saved_login
from pytest_bwa.browser.sample_page import open_page, record_browser
from pytest_bwa.composition import WorkerContext, make_memory
from pytest_bwa.errors import InputError, RunStopped
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.memory.worker_memory import WorkerMemory
from pytest_bwa.plugin.session import Session
from pytest_bwa.reports.base import FinishedSample
from pytest_bwa.run import run_sample
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.secret_columns import as_written
from pytest_bwa.text import show_controls


class BrowserAgent:
    """The fixture ``browser_agent``: runs the loop over one sample's page."""

    def __init__(self, session: Session, audit: Audit, request: pytest.FixtureRequest) -> None:
        self._session, self._audit, self._request = session, audit, request

    @property
    def sample(self) -> Sample:
        """This item's row of the samples list, for tests that need its columns."""
        return self._audit.sample(self._request.getfixturevalue("sample"))

    def run(self, sample: str) -> SampleResult:
        """The sample's result. What goes wrong on the page is in the result, never an exception."""
        session, request = self._session, self._request
        assert self._audit.folder is not None
        try:
            worker = WorkerContext(
                audit=self._audit,
                policy=session.policy(self._audit),
                settings=session.settings,
                watchdog=session.watchdog,
                worker_id=session.worker,
                base_url=session.base_url,
                memory=self._memory(),
            )
            result = run_sample(worker, sample, request.node.nodeid, self._open_page)
        except (RunStopped, InputError) as stop:  # InputError: the settings allow no policy
            reason = show_controls(str(stop))
            request.session.shouldstop = reason
            pytest.fail(reason, pytrace=False)
        self._report(result)
        return result

    def _memory(self) -> WorkerMemory:
        """The memory of this worker, the same for all samples of the audit."""
        session, name = self._session, self._audit.task.task_id
        if name not in session.memories:
            policy = session.policy(self._audit)
            session.memories[name] = make_memory(self._audit, policy, session.settings)
        return session.memories[name]

    def _open_page(self) -> Page:
        """A page in a context of its own. What the user's fixtures set wins over our defaults."""
        session, fixture = self._session, self._request.getfixturevalue
        chosen = fixture("browser_context_args")
        login = saved_login(session.settings, self._audit.task.auth_profile)
        page = open_page(lambda **options: fixture("new_context")(**options), login, chosen)
        if self._audit.folder is not None:
            program = session.browser.program if session.browser else None
            channel = fixture("browser_type_launch_args").get("channel")
            record_browser(page, self._audit.folder, program, channel)
        return page

    def _report(self, result: SampleResult) -> None:
        audit, item = self._audit, self._request.node
        assert audit.folder is not None
        finished = FinishedSample(
            audit.task,
            as_written(audit.sample(result.sample_id), audit.task),
            result,
            audit.folder,
            item.nodeid,
            item.user_properties,
        )
        self._session.reports.sample_finished(finished)
