"""Where on a page a value stood, as a record that finds the place again."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from pytest_bwa.steps.place_identity import PlaceIdentity

Part = Literal["text", "items", "address", "value", "note", "state", "title", "url"]
"""What of the place is read: its text, the items of a list, the address that a link leads to, what
a field contains, a tooltip, whether it is ticked; the page's title, and its own address."""


class ValuePlace(BaseModel):
    """The place of one value of an answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    identity: PlaceIdentity
    """Its ``role`` is that of the element or the kind of the labelled value, its ``name`` the
    label."""
    part: Part
    page: str
    """The pattern of the page's address."""
    steps_done: int
    """How many steps of the action log were done when the page showed it."""
    text: str
    """What the value was read from."""
    text_before: str = ""
    text_after: str = ""
    """What stands before and after this in the same text; digits in it may differ."""
    datetime: str = ""
    """The time of a <time> element, as it is written for machines."""
    peers: int = 1
    """How many rows or cards of the same list have such a place."""
    row: int = 1
    """Which of these it stands in, in the order of the page."""
    is_only: bool = True
    """Whether the value stands in no other section or row of what was observed."""
    finds: bool = True
    """Whether it finds the value again; else it only says where the value stood."""
