"""What a part of the rules policy would do next."""

from __future__ import annotations

from typing import NamedTuple

from pytest_bwa.steps import Action, Intent


class Proposal(NamedTuple):
    """An action, and why, as a sentence for the log."""

    action: Action
    why: str
    intent: Intent = ""
    """What it is for, if a later decision depends on it."""
