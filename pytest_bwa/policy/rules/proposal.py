"""What a part of the rules policy would do next."""

from __future__ import annotations

from pytest_bwa.steps import Action, Intent

Proposal = tuple[Action, str] | tuple[Action, str, Intent] | None
"""The action, why (a sentence for the log), and what it is for if a later decision depends on it;
None from a part that has nothing to do here."""
