"""What an answer is sent back for: all of it in one notice, and each thing once."""

from __future__ import annotations

from pytest_bwa.agent.completion import Completion
from pytest_bwa.agent.progress import Denial
from pytest_bwa.proof.objections import Objection


class SentBack:
    """What the ``done`` of one sample was sent back for so far."""

    def __init__(self) -> None:
        self._faults: set[str] = set()
        """What was missing or wrong."""
        self._unproven: set[str] = set()
        """The fields that were not proven."""
        self._was_asked_for_pictures = False
        self._denied: list[str] = []
        """What the last ``done`` denied of what was saved."""

    def has_asked_about(self, lost: Denial) -> bool:
        """Whether the answer before this one denied the same."""
        return lost.names == self._denied

    def notice(
        self, lost: Denial | None, completion: Completion, objection: Objection | None
    ) -> str:
        """Why an answer is sent back; empty if there is nothing but what was asked before. What
        is denied of what was saved (``lost``), is asked about whenever it is something else."""
        is_new, parts = lost is not None, []
        if lost is not None:
            self._denied = lost.names
            parts.append(
                f"done was refused because it has {lost}: leave out the fields that are to be kept "
                "as saved, or send the same again to take it back."
            )
        if not completion.accepted:
            is_new = is_new or not self._faults.issuperset(completion.faults)
            self._faults.update(completion.faults)
            parts.append(completion.notice())
        if objection:
            is_new = is_new or not self._unproven.issuperset(objection.fields)
            self._unproven.update(objection.fields)
            parts.append(f"done was not accepted yet. {objection.notice}")
        if completion.twins and not self._was_asked_for_pictures:
            is_new = self._was_asked_for_pictures = True
            twins = "; ".join(completion.twins)
            parts.append(f"{twins}: take each picture where the page shows what its label says.")
        return " ".join(parts) if is_new else ""
