"""What an auditor's workpaper says at its head, and no page does."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from pytest_bwa.steps.text import one_line


class Workpaper(BaseModel):
    """What a run is evidence of; all of it is optional, and changes nothing of what is done."""

    model_config = ConfigDict(frozen=True)

    title: str | None = None
    controls: tuple[str, ...] = ()
    period: str | None = None
    account: str | None = None
    environment: str | None = None

    def facts(self) -> list[tuple[str, str]]:
        """What is said, each under its name and on one line; the title is not among it."""
        facts = [
            ("controls", ", ".join(self.controls)),
            ("period", self.period),
            ("environment", self.environment),
            ("account", self.account),
        ]
        return [(name, one_line(text)) for name, text in facts if text and text.strip()]
