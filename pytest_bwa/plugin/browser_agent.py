"""The fixture ``browser_agent``: runs a sample on a page of its own, and reports it."""

from __future__ import annotations

from functools import partial

import pytest
from playwright.sync_api import Page

from pytest_bwa.audits import Audit
from pytest_bwa.browser.login import saved_login
from pytest_bwa.browser.sample_page import open_page, record_browser
from pytest_bwa.composition import WorkerContext, boundary_for, make_memory
from pytest_bwa.confinement.boundary import Boundary
from pytest_bwa.confinement.confinement import Confinement
from pytest_bwa.errors import CostLimitReached, InputError, RunStopped
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.memory.worker_memory import WorkerMemory
from pytest_bwa.plugin.items import FINISHED
from pytest_bwa.plugin.sample_recordings import await_recordings
from pytest_bwa.plugin.session import Session
from pytest_bwa.reports.base import FinishedSample
from pytest_bwa.run import run_sample
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.secret_columns import as_written
from pytest_bwa.text import show_controls

BOUNDARIES = pytest.StashKey[dict[str, Boundary]]()
"""What the samples of each audit may reach, by its task."""


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
        confinement = Confinement(self._boundary())
        try:
            worker = WorkerContext(
                audit=self._audit,
                policy=session.policy(self._audit),
                settings=session.settings,
                watchdog=session.watchdog,
                worker_id=session.worker,
                base_url=session.base_url,
                memory=self._memory(),
                confinement=confinement,
                cost_limit=session.cost_limit,
            )
            open_page = partial(self._open_page, confinement)
            result = run_sample(worker, sample, request.node.nodeid, open_page)
        except CostLimitReached as limit:
            pytest.skip(f"not run: {limit}")
        except (RunStopped, InputError) as stop:  # InputError: the settings allow no policy
            reason = show_controls(str(stop))
            request.session.shouldstop = reason
            pytest.fail(reason, pytrace=False)
        finally:
            confinement.close()
        self._report(result)
        return result

    def _memory(self) -> WorkerMemory:
        """The memory of this worker, the same for all samples of the audit."""
        session, name = self._session, self._audit.task.task_id
        if name not in session.memories:
            policy = session.policy(self._audit)
            session.memories[name] = make_memory(self._audit, policy, session.settings)
        return session.memories[name]

    def _boundary(self) -> Boundary:
        """What the audit's samples may reach."""
        session, name = self._session, self._audit.task.task_id
        known = session.config.stash.setdefault(BOUNDARIES, {})
        if name not in known:
            known[name] = boundary_for(self._audit, session.base_url)
        return known[name]

    def _open_page(self, confinement: Confinement) -> Page:
        """A page in a context of its own. What the user's fixtures set wins over our defaults."""
        session, fixture = self._session, self._request.getfixturevalue
        chosen = fixture("browser_context_args")
        login = saved_login(session.settings, self._audit.task.auth_profile)
        confining = confinement.context_options(
            chosen, fixture("browser_type_launch_args"), is_remote=bool(fixture("connect_options"))
        )
        new_context = lambda **options: fixture("new_context")(**options)  # noqa: E731 - a fixture
        page = open_page(new_context, login, chosen, confining)
        if self._audit.folder is not None:
            if confinement.note:
                self._audit.folder.add_note(confinement.note)
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
        item.stash[FINISHED] = finished
        await_recordings(self._request)
        self._session.reports.sample_finished(finished)
