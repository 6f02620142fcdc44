"""What the samples of one audit share in a process."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pytest_bwa.agent.memory.worker_memory import WorkerMemory
from pytest_bwa.agent.sign_in import WorkerLogin
from pytest_bwa.audit import recordings
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.checking import SampleChecks
from pytest_bwa.audit.composition import boundary_for, make_login, make_memory, policy_for
from pytest_bwa.audit.plan import Plan
from pytest_bwa.confinement.boundary import Boundary
from pytest_bwa.policy.base import Policy
from pytest_bwa.policy.registry import CLAUDE
from pytest_bwa.settings import Settings

if TYPE_CHECKING:
    from pytest_bwa.policy.recipe.known_rows import KnownRows
    from pytest_bwa.policy.recipe.store import RecipeStore


class AuditParts:
    """Each is made when the first sample needs it."""

    def __init__(self, plan: Plan, audit: Audit, settings: Settings, base_url: str | None) -> None:
        self._plan, self._audit, self._settings = plan, audit, settings
        self._base_url = base_url
        self._boundaries: dict[str | None, Boundary] = {}

    @cached_property
    def policy(self) -> Policy:
        recorded = recordings.read(self._plan, self._audit, self._base_url)
        return policy_for(self._plan.policy, self._settings, self._audit.task, recorded)

    @cached_property
    def memory(self) -> WorkerMemory:
        return make_memory(self._audit, self.policy, self._settings)

    @cached_property
    def login(self) -> WorkerLogin | None:
        return make_login(self._audit)

    @cached_property
    def recipes(self) -> RecipeStore | None:
        """Raises InputError."""
        if not self._plan.recipe:
            return None
        # Most runs have no recipe, and a worker starts sooner without what reads one.
        from pytest_bwa.audit.recipes import recipe_store

        return recipe_store(self._plan, self._audit)

    @cached_property
    def known_rows(self) -> KnownRows | None:
        """Raises InputError."""
        if self.recipes is None:
            return None
        from pytest_bwa.audit.recipes import known_rows

        return known_rows(self.recipes, self._audit, self.policy)

    @cached_property
    def checks(self) -> SampleChecks | None:
        """Raises InputError."""
        asked = self._audit.record.check
        return SampleChecks(self._audit, asked, self._checker, self.recipes) if asked else None

    @cached_property
    def _checker(self) -> Policy | None:
        """Who decides in the checks, unless the policy does."""
        asked = self._audit.record.check
        if asked is None or not asked.model:
            return None
        settings = self._settings.model_copy(update={"model": asked.model})
        return policy_for(CLAUDE, settings, self._audit.task)

    def boundary(self, base_url: str | None) -> Boundary:
        """What the samples may reach."""
        if base_url not in self._boundaries:
            self._boundaries[base_url] = boundary_for(self._audit, base_url)
        return self._boundaries[base_url]

    def close(self) -> None:
        for name in ("policy", "_checker"):
            if policy := vars(self).get(name):
                policy.close()
