"""The fixture ``browser_agent``: runs a sample on a page of its own, and reports it."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page

from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.browser_record import record_browser
from pytest_bwa.audit.checking import SampleChecks
from pytest_bwa.audit.composition import WorkerContext
from pytest_bwa.audit.parts import AuditParts
from pytest_bwa.audit.run import SampleRun, run_sample
from pytest_bwa.browser.login import saved_login
from pytest_bwa.browser.sample_page import context_options, open_page
from pytest_bwa.confinement.confinement import Confinement
from pytest_bwa.errors import CostLimitReached, InputError, RunStopped
from pytest_bwa.evidence.file_lock import seated
from pytest_bwa.evidence.folder import LIVE
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.plugin.checks.base_url import ADVICE, of_fixtures
from pytest_bwa.plugin.display.approval import TerminalApproval
from pytest_bwa.plugin.items import FINISHED, HTML_EXTRAS, is_followed
from pytest_bwa.plugin.next_page import NextPage
from pytest_bwa.plugin.sample_recordings import await_recordings, is_recorded
from pytest_bwa.plugin.session import Session
from pytest_bwa.reports.base import FinishedSample
from pytest_bwa.scale.cluster.link import shared_rate_limit
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.sample_inputs import relative_url_problem
from pytest_bwa.spec.secrets import as_written
from pytest_bwa.steps.text import show_controls

if TYPE_CHECKING:  # most runs have no recipe, and their workers start sooner
    from pytest_bwa.policy.recipe.known_rows import KnownRows
    from pytest_bwa.policy.recipe.store import RecipeStore

NEXT_PAGE = pytest.StashKey[NextPage]()
"""The page that was opened for the next sample of this process."""


class BrowserAgent:
    """The fixture ``browser_agent``: runs the loop over one sample's page."""

    def __init__(self, session: Session, audit: Audit, request: pytest.FixtureRequest) -> None:
        self._session, self._audit, self._request = session, audit, request
        self._confinement: Confinement | None = None
        """That of the page."""
        self._page: Page | None = None
        self._is_used = False
        """Whether a run had the page: the next one gets a new one."""

    @property
    def sample(self) -> Sample:
        """This item's row of the samples list, for tests that need its columns."""
        return self._audit.sample(self._request.getfixturevalue("sample"))

    @property
    def page(self) -> Page:
        """The live page of the sample, for steps before ``run`` and checks after it. It reaches the
        hosts of the task, and no others. Before ``run`` it is empty, and so it is if ``--resume``
        kept the sample's result."""
        if self._page is None:
            confinement = self._new_confinement()
            self._page = self._open_page(confinement)
            confinement.attach(self._page.context)
        return self._page

    def run(self, sample: str) -> SampleResult:
        """The sample's result. What goes wrong on the page is in the result, never an exception."""
        session, request = self._session, self._request
        assert self._audit.folder is not None
        is_prepared = self._page is not None and not self._is_used
        try:
            self._check_address(sample)
            confinement = (is_prepared and self._confinement) or self._new_confinement()
            parts = self._parts()
            worker = WorkerContext(
                audit=self._audit,
                policy=parts.policy,
                settings=session.settings,
                watchdog=session.browser.watchdog,
                worker_id=session.worker,
                base_url=self._base_url(),
                memory=parts.memory,
                confinement=confinement,
                cost_limit=session.cost_limit,
                login=parts.login,
                recipes=parts.recipes,
                shared_rate_limit=shared_rate_limit(),
                meanwhile=self._open_next_page,
                approve_timeout=session.plan.approve_timeout,
                show_question=TerminalApproval(request.config),
            )
            page_of_run = partial(self._page_of_run, confinement)
            with self._seat():
                self._look_at_known_rows(parts.known_rows, worker)
                with self._turn_to_learn(parts.recipes, worker):
                    result = run_sample(worker, sample, request.node.nodeid, page_of_run)
                self._check(parts.checks, worker, result)
        except CostLimitReached as limit:
            pytest.skip(f"not run: {limit}")
        except (RunStopped, InputError) as stop:  # InputError: the settings allow no policy
            reason = show_controls(str(stop))
            request.session.shouldstop = reason
            pytest.fail(reason, pytrace=False)
        self._report(result)
        return result

    def _seat(self) -> AbstractContextManager[None]:
        """A place among the samples that may run at once."""
        most, folder = self._audit.task.concurrency, self._audit.folder
        return seated(folder.path / LIVE / "seats", most) if most and folder else nullcontext()

    def _look_at_known_rows(self, known: KnownRows | None, worker: WorkerContext) -> None:
        """Have known rows teach the recipe before the first sample is run, each on a page of its
        own."""
        for sample, folder in known.looks() if known is not None else ():
            confinement = self._new_confinement()
            alone = replace(
                worker, recipes=known, memory=None, keeps_trajectory=False, confinement=confinement
            )
            look = SampleRun(alone, sample, self._request.node.nodeid, folder)
            look.run(partial(self._open_page, confinement))

    @staticmethod
    def _turn_to_learn(
        recipes: RecipeStore | None, worker: WorkerContext
    ) -> AbstractContextManager[None]:
        """Only a model costs more than the time that waiting takes."""
        is_waiting = recipes is not None and worker.policy.model
        return recipes.turn_to_learn() if recipes and is_waiting else nullcontext()

    def _check(
        self, checks: SampleChecks | None, worker: WorkerContext, result: SampleResult
    ) -> None:
        """Run a sample again by the policy alone, on a page of its own, if it is one of those that
        are checked and the run may spend more."""
        if checks is None or not checks.begin(result):
            return
        with suppress(CostLimitReached):
            if worker.cost_limit is not None:
                worker.cost_limit.check()
            confinement = self._new_confinement()
            alone, sample = checks.alone(worker, confinement), self._audit.sample(result.sample_id)
            again = SampleRun(alone, sample, self._request.node.nodeid, checks.place(result))
            checks.add(result, again.run(partial(self._page_of_run, confinement)))

    def _new_confinement(self) -> Confinement:
        """The limits of a page that is to be opened; they hold until the test ends."""
        following = self._request.config.stash.get(NEXT_PAGE, None)
        opened = following.take(self._audit.task.task_id) if following is not None else None
        self._confinement = opened or self._confine()
        self._request.node.addfinalizer(self._confinement.close)
        return self._confinement

    def _page_of_run(self, confinement: Confinement) -> Page:
        """The page that the test has prepared, else a new one."""
        if self._page is None or self._is_used:
            self._page = self._open_page(confinement)
        self._is_used = True
        return self._page

    def _parts(self) -> AuditParts:
        self._base_url()  # which may change the plan
        return self._session.parts(self._audit)

    def _confine(self) -> Confinement:
        return Confinement(self._parts().boundary(self._base_url()))

    def _base_url(self) -> str | None:
        """What completes relative addresses: a fixture of the project wins. Raises InputError if it
        is no web address."""
        session, named = self._session, of_fixtures(self._request)
        if named is not None and named != session.base_url:
            session.plan = replace(session.plan, base_url=named)
            if self._audit.folder is not None:
                self._audit.folder.update(base_url=named)
        return session.base_url

    def _check_address(self, sample_id: str) -> None:
        """Raises InputError if nothing completes the sample's address: no other sample would reach
        its page either."""
        sample = self._audit.samples.find(sample_id)
        listed = [sample] if sample is not None else []
        base_url = self._base_url()
        if problem := relative_url_problem(self._audit.task, listed, base_url, ADVICE):
            raise InputError(problem)

    def _open_page(self, confinement: Confinement) -> Page:
        """A page in a context of its own. What the user's fixtures set wins over our defaults."""
        session, fixture = self._session, self._request.getfixturevalue
        options = self._context_options(confinement)
        new_context = lambda **options: fixture("new_context")(**options)  # noqa: E731 - a fixture
        page = open_page(new_context, options)
        # Before the page is closed, which takes long if it goes on loading.
        self._request.node.addfinalizer(confinement.close)
        if self._audit.folder is not None:
            if confinement.note:
                self._audit.folder.add_note(confinement.note)
            channel = fixture("browser_type_launch_args").get("channel")
            record_browser(page, self._audit.folder, session.browser.program, channel)
        return page

    def _context_options(self, confinement: Confinement) -> dict[str, Any]:
        """The options of a sample's context, besides those of the user's fixtures."""
        fixture = self._request.getfixturevalue
        chosen = fixture("browser_context_args")
        saved = saved_login(self._session.settings.home, self._audit.task.auth_profile)
        login = self._parts().login
        confining = confinement.context_options(
            chosen, fixture("browser_type_launch_args"), is_remote=bool(fixture("connect_options"))
        )
        return context_options((login and login.state) or saved, chosen, confining)

    def _open_next_page(self) -> None:
        """Open the page of this process's next sample, which then need not wait for it. What is
        recorded or looked at must not have it, and one that has no proxy of its own could be
        handed to anybody."""
        request, stash = self._request, self._request.config.stash
        is_watched = is_recorded(request.config) or request.config.getoption("--headed", False)
        if not is_followed(request.node) or is_watched:
            return
        if NEXT_PAGE not in stash:
            stash[NEXT_PAGE] = NextPage(request.getfixturevalue("browser"))
            request.session.addfinalizer(stash[NEXT_PAGE].close)

        def options(confinement: Confinement) -> dict[str, Any] | None:
            own = self._context_options(confinement)
            chosen = request.getfixturevalue("browser_context_args")
            return {**chosen, **own} if "proxy" in own else None

        task_id = self._audit.task.task_id
        stash[NEXT_PAGE].open(task_id, options, self._confine)

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
            extras=item.stash.setdefault(HTML_EXTRAS, []),
        )
        item.stash[FINISHED] = finished
        await_recordings(self._request)
        self._session.reports.sample_finished(finished)
