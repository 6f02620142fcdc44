"""The rules that can refuse, doubt or exclude, each with how it is turned off: what its function
returns then, in place of what it has found."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import import_module
from types import GeneratorType
from typing import Any
from unittest.mock import patch

from bench.rules.recorded import Theatre

from pytest_bwa.steps.step import Observation

Function = Callable[..., Any]
Off = Callable[..., Any]
"""What is left of a result, and of the arguments."""


@dataclass(frozen=True)
class Rule:
    """A rule of a function: ``proof.doubts.odd:UsualPlaces.notes``."""

    room: str
    name: str
    at: str
    off: Off

    @property
    def _owner(self) -> tuple[Any, str]:
        module, _, path = self.at.partition(":")
        owner: Any = import_module(f"pytest_bwa.{module}")
        *parts, last = path.split(".")
        for part in parts:
            owner = getattr(owner, part)
        return owner, last

    @contextmanager
    def replaced(self, wrap: Callable[[Function], Function]) -> Iterator[None]:
        """With another function wherever the name is known."""
        owner, name = self._owner
        known = vars(owner)[name]
        new = _like(known, wrap)
        if isinstance(known, cached_property):
            new.__set_name__(owner, name)
        modules = [m for n, m in list(sys.modules.items()) if n.startswith("pytest_bwa")]
        owners = [owner, *(m for m in modules if m is not owner and vars(m).get(name) is known)]
        patches = [patch.object(one, name, new) for one in owners]
        for one in patches:
            one.start()
        try:
            yield
        finally:
            for one in reversed(patches):
                one.stop()


def _like(known: Any, wrap: Callable[[Function], Function]) -> Any:
    """The same kind of attribute."""
    if isinstance(known, cached_property):
        return cached_property(wrap(known.func))
    if isinstance(known, property):
        return property(wrap(known.fget))  # type: ignore[arg-type]
    return wrap(known)


def _plain(result: Any) -> Any:
    return list(result) if isinstance(result, GeneratorType | map) else result


@contextmanager
def turned_off(rules: Collection[Rule], said: Collection[str], theatre: Theatre) -> Iterator[None]:
    """Without these rules, and without these doubts of page scripts."""

    def wrap(rule: Rule, known: Function) -> Function:
        def without(*args: Any, **named: Any) -> Any:
            return rule.off(_plain(known(*args, **named)), *args)

        return without

    with ExitStack() as stack:
        for rule in rules:
            stack.enter_context(rule.replaced(partial(wrap, rule)))
        stack.enter_context(patch.object(theatre, "changed", partial(without_doubts, said=said)))
        yield


@contextmanager
def watched(rules: Collection[Rule], found: set[str], theatre: Theatre) -> Iterator[None]:
    """Notes the names of rules that find something, and what page scripts say."""

    def wrap(rule: Rule, known: Function) -> Function:
        def noting(*args: Any, **named: Any) -> Any:
            result = _plain(known(*args, **named))
            if rule.name not in found and rule.off(result, *args) != result:
                found.add(rule.name)
            return result

        return noting

    def note(page: Observation) -> Observation:
        found.update(value.doubt for value in page.labelled if value.doubt)
        return page

    with ExitStack() as stack:
        for rule in rules:
            stack.enter_context(rule.replaced(partial(wrap, rule)))
        stack.enter_context(patch.object(theatre, "changed", note))
        yield


_CHANGED: dict[tuple[int, frozenset[str]], tuple[Observation, Observation]] = {}


def without_doubts(page: Observation, said: Collection[str]) -> Observation:
    """The page, on which no script has said this of a text; the same one each time."""
    if not any(value.doubt in said for value in page.labelled):
        return page
    key = id(page), frozenset(said)
    if key not in _CHANGED:
        labelled = tuple(replace(v, doubt=None) if v.doubt in said else v for v in page.labelled)
        _CHANGED[key] = page, replace(page, labelled=labelled)
    return _CHANGED[key][1]
