"""The time limit on work that a page could keep from ever ending."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

TimeLimit = Callable[[float, str], AbstractContextManager[None]]
"""Limits the work in a ``with`` block to a number of seconds. The text says what was being done
("the page was being read"). When the time is over, the block raises PageLost with that text."""
