"""The plays, one application a module."""

from __future__ import annotations

from bench.truth.corpus import Play
from bench.truth.plays import german_leases, french_helpdesk

PLAYS: tuple[Play, ...] = (german_leases.PLAY, french_helpdesk.PLAY)
