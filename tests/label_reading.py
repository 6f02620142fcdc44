"""Helpers for tests of the reader of labelled values."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import Page

from pytest_bwa.page.perception.observer import Observer
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.steps.observation import Observation
from pytest_bwa.steps.step import LabelledValue

_TABS: WeakKeyDictionary[Page, Tabs] = WeakKeyDictionary()


def observe(page: Page) -> Observation:
    """A page as it is now."""
    if page not in _TABS:
        _TABS[page] = Tabs(page)
    return Observer(_TABS[page], lambda seconds, what: nullcontext()).observe()


def read_labelled(page: Page) -> tuple[LabelledValue, ...]:
    """The labelled values of a page as it is now."""
    return observe(page).labelled


def found(page: Any, html: str) -> list[LabelledValue]:
    """The labelled values of a page with this content."""
    page.set_content(html)
    return list(read_labelled(page))


def labels(page: Any, html: str) -> dict[tuple[str, str], str]:
    """The labelled values without headings and links, as (kind, label) → value."""
    kept = [v for v in found(page, html) if v.kind not in ("heading", "link")]
    assert len({(v.kind, v.label) for v in kept}) == len(kept), "a label is read twice"
    return {(v.kind, v.label): v.value for v in kept}


def one(page: Any, html: str, label: str) -> LabelledValue:
    """The one value, neither heading nor link, with this label."""
    (value,) = [
        v for v in found(page, html) if v.label == label and v.kind not in ("heading", "link")
    ]
    return value


def values_of(
    page: Any, around: str, fragments: Iterable[str], style: str = ""
) -> dict[str, LabelledValue]:
    """What each fragment, with this around it, labels with “Value”; all stand on one page."""
    texts = list(fragments)
    sections = [around.format(text).replace("Value", f"Value {n}") for n, text in enumerate(texts)]
    read = found(page, style + "".join(f"<section>{section}</section>" for section in sections))
    values = [[v for v in read if v.label == f"Value {n}"] for n in range(len(texts))]
    assert [text for text, own in zip(texts, values, strict=True) if len(own) != 1] == []
    return {text: value for text, (value,) in zip(texts, values, strict=True)}
