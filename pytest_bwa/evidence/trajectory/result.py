"""How a sample ended, as far as a trajectory keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Result(Protocol):
    """The part of a SampleResult that is kept."""

    @property
    def sample_id(self) -> str: ...

    @property
    def status(self) -> str: ...

    @property
    def outcome(self) -> str: ...

    @property
    def reason(self) -> str: ...

    @property
    def extracted(self) -> Mapping[str, Any]: ...

    @property
    def started_at(self) -> str: ...

    @property
    def finished_at(self) -> str: ...
