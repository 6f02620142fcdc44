"""What a part of the rules policy would do next."""

from __future__ import annotations

from pytest_bwa.steps import Action

Move = tuple[Action, str] | None
"""The action and why, in a sentence for the log; None from a part that has nothing to do here."""
