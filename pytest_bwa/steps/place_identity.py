"""The identity of a place as data: what tells an element or a value from all others of its page."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from pytest_bwa.steps.observation import Element, LabelledValue, Region

QUOTED_CHARACTERS = 60


class PlaceIdentity(BaseModel):
    """What stays the same of a place while the page around it changes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: str
    name: str = ""
    """The element's name; of a value, its label."""
    frame: str = ""
    """The pattern of the frame's address; empty in the page's main frame."""
    regions: tuple[Region, ...] = ()
    headings: tuple[str, ...] = ()
    """The headings above it, the outermost first."""
    is_titled: bool = False
    """Whether the first of the headings is the page's title, which may be the page's own text and
    so another one the next time."""
    record: str = ""
    """What the row or card is called that it stands in; empty outside of a list."""
    ordinal: int = 1
    """Its number among the places of which all of the above is equal."""
    equals: int = 1
    """How many of these there were."""

    def in_words(self) -> str:
        """For a reason: ``the button “Approve” under “Review”``."""
        words = f"the {self.role}"
        words += f" “{self.name[:QUOTED_CHARACTERS]}”" if self.name else " without a name"
        if self.record:
            words += f" in the row “{self.record[:QUOTED_CHARACTERS]}”"
        if self.headings:
            words += f" under “{self.headings[-1][:QUOTED_CHARACTERS]}”"
        return words


def source_of(fact: Element | LabelledValue) -> int | str | None:
    """How a policy cites what it read: by its number, or by its ref where no list has it; None for
    what was read from a picture."""
    if isinstance(fact, Element) and fact.index >= 0:
        return fact.index
    return f"{fact.ref[0]}.{fact.ref[1]}" if fact.ref is not None else None


class Target(BaseModel):
    """The listed element that an action was for."""

    model_config = ConfigDict(frozen=True)

    role: str
    name: str
    identity: PlaceIdentity | None = None
    """What finds the element again; None in a log of an earlier version."""
