"""The parts of a page: its content and what is around it, what it is called, and whether it is a
login. Pure."""

from __future__ import annotations

from pytest_bwa.steps.step import HIDDEN, RECORD_KINDS, LabelledValue, Observation, Place, Region
from pytest_bwa.steps.text import has_words

AROUND_CONTENT: frozenset[Region] = frozenset(
    {"navigation", "complementary", "banner", "contentinfo", "dialog", "comment"}
)
"""Regions around the content of a page; the others only divide the content."""
NEVER_OWN = frozenset({"navigation", "banner", "contentinfo", "search", "comment"})
"""Regions in which nothing is the sample's."""
_ASIDE = NEVER_OWN | {"complementary", "dialog", "article"}
_BEGINNING = RECORD_KINDS | {"heading"}


def is_in_own_region(place: Place) -> bool:
    """In main, or, on a page without one, outside of everything around the content."""
    regions = place.regions
    if "main" in regions:
        return not (_ASIDE - {"complementary"}) & set(regions[regions.index("main") + 1 :])
    return not _ASIDE & set(regions)


def title_of(page: Observation) -> str:
    """The page's main heading: its one h1, else the first heading, if the window is called so, or
    the content begins with it and it is the only one of its level; empty if there are several. If
    the content has none, the heading above it counts."""
    values = [v for v in page.labelled if not v.place.frame]
    own = [v for v in values if is_in_own_region(v.place)]
    headings = [v for v in own if v.kind == "heading"]
    first = {v.value: v for v in headings or values if v.kind == "heading" and v.label == "h1"}
    if first or not headings:
        return next(iter(first)) if len(first) == 1 else ""
    begins, level = next(v for v in own if v.kind in _BEGINNING), headings[0].label
    is_only = [v.label for v in headings].count(level) == 1
    is_title = (begins is headings[0] and is_only) or has_words(page.title, headings[0].value)
    return headings[0].value if is_title else ""


def values_above_title(page: Observation) -> list[LabelledValue]:
    """What stands above the main heading is the site's own, or the user's. Where the page marks its
    content, that is what is painted above it, if the record stands below."""
    title, values = title_of(page), page.labelled
    place = next((n for n, v in enumerate(values) if v.kind == "heading" and v.value == title), 0)
    is_marked = any("main" in v.place.regions for v in values)
    if is_marked and not any(v.kind in RECORD_KINDS for v in values[place:]):
        return []
    box = values[place].box if values else None

    def is_above(value: LabelledValue) -> bool:
        own = value.box
        return bool(own and box and own.height and own.y + own.height <= box.y)

    return [v for v in values[:place] if not is_marked or is_above(v)]


def only_heading(page: Observation) -> str:
    """The one heading of the first rank in the main frame; empty if there is none, or several. It
    is what recipes know a page by."""
    return first_headings(page).get("", "")


def first_headings(page: Observation) -> dict[str, str]:
    """Of each frame that has exactly one heading of the first rank, that heading."""
    found: dict[str, list[str]] = {}
    for element in page.all_elements:
        if element.role == "heading" and "level=1" in element.states:
            found.setdefault(element.place.frame, []).append(element.name)
    return {frame: names[0] for frame, names in found.items() if len(names) == 1}


def asks_for_password(page: Observation) -> bool:
    """Whether a page, and not only a bar around its content, has a field for a password."""
    around = AROUND_CONTENT - {"dialog"}
    visible = (e for e in page.all_elements if HIDDEN not in e.states)
    own = (element for element in visible if around.isdisjoint(element.place.regions))
    return any(state.startswith("password") for element in own for state in element.states)
