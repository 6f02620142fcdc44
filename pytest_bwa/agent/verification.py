"""What an action changed: compares the page before and after it, and says it in words. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_bwa.steps.step import (
    TICKED_ROLES,
    Effects,
    Element,
    ElementRef,
    Observation,
    Verdict,
)
from pytest_bwa.steps.text import first_of

MAX_CHANGES = 20  # named; further ones are counted
MAX_ON_NEW_PAGE = 6  # of another document nearly everything is new, and the next prompt lists it
MAX_NAME_CHARACTERS = 60
MAX_TEXT_CHARACTERS = 160
MAX_MESSAGE_CHARACTERS = 300
_MESSAGES = frozenset({"alert", "status", "alertdialog", "dialog"})
_UNREPORTED_STATES = frozenset({"focused", "loading"})
"""States that come and go with every action or by themselves."""
_STRUCK = ("struck out=", "deleted=")
_PASSING = ("note=", "painted ")
"""What the states of other elements begin with that are worth no word."""
_OF_A_BOX = ("checked=", "icon: ")
"""What the states of a box that say whether it is on begin with."""


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Which elements of two pages are the same one, and which are only on one of them."""

    pairs: tuple[tuple[Element, Element], ...]
    appeared: tuple[Element, ...]
    gone: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes in words, one part for each kind."""

    own: tuple[str, ...]
    """Those of the element acted on."""
    others: tuple[str, ...]


def describe_changes(
    before: Observation, after: Observation, target: ElementRef | None = None
) -> Changes:
    found = _compare(before.all_elements, after.all_elements, before.url == after.url)
    if is_new_document(before, after):
        return Changes((), tuple(_describe_new_page(found.appeared)))
    own = tuple(filter(None, (_difference(*p) for p in found.pairs if p[0].ref == target)))
    others = sorted((p for p in found.pairs if p[0].ref != target), key=_is_value_kept)
    lines = [line for was, now in others if (line := _difference(was, now, _PASSING))]
    parts, left = lines[:MAX_CHANGES], MAX_CHANGES - len(lines)
    if left < 0:
        parts.append(f"and {_elements(-left, 'more ')} changed")
    appeared = sorted(found.appeared, key=_rank_of_new)
    parts += _named("appeared", appeared, left)
    parts += _named("gone", found.gone, left - len(found.appeared))
    parts += _moved(before, after)
    parts += [*_new_lines(before, after, [*own, *parts]), *_focus(found)]
    return Changes(own, tuple(parts))


def is_new_document(before: Observation, after: Observation) -> bool:
    """Whether the page was loaded anew: no element of it was there before."""
    if not before.elements or not after.elements:
        return before.url.split("#")[0] != after.url.split("#")[0]
    return not {e.ref[0] for e in before.elements} & {e.ref[0] for e in after.elements}


def _compare(old: Sequence[Element], new: Sequence[Element], is_same_address: bool) -> _Comparison:
    """Elements are the same by their number, else by role and name in the order of the page: many
    pages replace an element by an equal one to change it. Those without a name are the same in the
    same place, and none is the same where only one of the two came or went with its heading, as
    what is chosen in a dialog does."""
    by_ref = {e.ref: e for e in old}
    pairs = [(by_ref[e.ref], e) for e in new if e.ref in by_ref]
    kept = {now.ref for _, now in pairs}
    gone, appeared = ([e for e in page if e.ref not in kept] for page in (old, new))
    moving = {e.ref for page in (gone, appeared) for e in _with_their_heading(page)}

    def key(e: Element) -> tuple[object, ...]:
        place = e.box and (round(e.box.x), round(e.box.y))
        return e.role, e.name or (place if is_same_address else e.ref), e.ref in moving

    pairs += _take_equal(gone, appeared, lambda e: (*key(e), e.value, e.states))
    pairs += _take_equal(gone, appeared, key)
    return _Comparison(tuple(pairs), tuple(appeared), tuple(gone))


def _with_their_heading(elements: Sequence[Element]) -> list[Element]:
    """Those of new or former elements whose heading is one of them, too."""
    names = {e.name for e in elements if e.role == "heading"}
    return [e for e in elements if not names.isdisjoint(e.place.headings[-1:])]


def _take_equal(
    gone: list[Element], appeared: list[Element], key: Callable[[Element], object]
) -> list[tuple[Element, Element]]:
    """The pairs with the same key, in the order of the page; they are taken out of both lists."""
    waiting: dict[object, list[Element]] = {}
    for e in gone:
        waiting.setdefault(key(e), []).append(e)
    pairs = [(same.pop(0), e) for e in appeared if (same := waiting.get(key(e)))]
    taken = {e.ref for pair in pairs for e in pair}
    for elements in (gone, appeared):
        elements[:] = [e for e in elements if e.ref not in taken]
    return pairs


def _is_value_kept(pair: tuple[Element, Element]) -> bool:
    was, now = pair
    return was.value == now.value


def _rank_of_new(element: Element) -> int:
    """Messages first, then rows, and what stands in rows last: a list that comes has many, and a
    message of another kind may stand behind it."""
    if element.role in _MESSAGES:
        return 0
    return 2 if element.role == "row" else 3 if element.place.record else 1


def _difference(was: Element, now: Element, left_out: tuple[str, ...] = ()) -> str:
    """``textbox "Name" shows “Ann”``; empty if nothing differs that is worth a word. ``left_out``
    is what states begin with that are not."""
    parts = []
    if was.name != now.name and not _struck_text(now):
        parts.append(f"is now “{_changed_part(was, now)}”")
    if was.value != now.value:
        parts.append("is empty now" if now.value is None else f"shows “{_cut(now, now.value)}”")

    def is_reported(state: str) -> bool:
        return _is_reported(state) and not state.startswith(left_out)

    added = [s for s in now.states if s not in was.states and is_reported(s)]
    added = [s for s in added if was.value == now.value or not _follows_from_value(s)]
    names = {state.split("=")[0] for state in now.states}
    lost = [
        state
        for state in was.states
        if state not in now.states
        and is_reported(state)
        and state.split("=")[0] not in names
        and (was.value == now.value or not _follows_from_value(state))
    ]
    heads = {_head(s) for s in added} & {_head(s) for s in lost} - {""}
    if added:
        new = [s.removeprefix(_head(s)) if _head(s) in heads else s for s in added]
        parts.append(f"is now {', '.join(new)}")
    if lost := [s for s in lost if _head(s) not in heads]:
        parts.append(f"is no longer {', '.join(lost)}")
    return f"{_named_as(was, now.index)} {' and '.join(parts)}" if parts else ""


def _head(state: str) -> str:
    """What stays of a state that has two parts: ``password, `` of ``password, filled``."""
    head, comma, _ = state.rpartition(", ")
    return "" if "=" in head else head + comma


def _is_reported(state: str) -> bool:
    """What a list offers is in the next observation; how far something is scrolled is an effect."""
    is_left_out = "options: " in state or state.startswith("scrolled ")
    return state not in _UNREPORTED_STATES and not is_left_out


def _follows_from_value(state: str) -> bool:
    """Whether a field has a state because it is empty."""
    return state == "empty" or state.startswith("placeholder=")


def _named(label: str, elements: Sequence[Element], left: int) -> list[str]:
    """The elements as one part, or none."""
    named = [_with_value(e) for e in elements if e.name or e.value or _struck_text(e)]
    if not named:
        return []
    if left <= 0:
        return [f"{label}: {_elements(len(named))}"]
    return [f"{label}: {first_of(named, left)}"]


def _elements(number: int, more: str = "") -> str:
    return f"{number} {more}element{'s' * (number != 1)}"


def _describe_new_page(appeared: Sequence[Element]) -> list[str]:
    """What the new page says: its messages, headings and first texts, word for word; without any,
    its first other elements."""
    speaking = [e for e in appeared if e.role in _MESSAGES | {"heading", "text"}]
    speaking.sort(key=lambda e: e.role not in _MESSAGES)
    named = [_named_as(e) for e in speaking or appeared if e.name]
    return [f"appeared: {', '.join(named[:MAX_ON_NEW_PAGE])}"] if named else []


def _new_lines(before: Observation, after: Observation, parts: Sequence[str]) -> Iterator[str]:
    """Lines of the page's text, where no element says what changed."""
    known = set(before.text.splitlines())
    lines = [line.strip() for line in after.text.splitlines() if line not in known]
    new = list(filter(None, lines))
    if new and not parts:
        yield f"new text: “{' / '.join(new)[:MAX_TEXT_CHARACTERS]}”"


def _moved(before: Observation, after: Observation) -> Iterator[str]:
    """The text that stands elsewhere among those that stayed, as after a drag; of several, none."""
    old, new = ([e.ref for e in page.elements if e.role == "text"] for page in (before, after))
    both = set(old) & set(new)
    old, new = ([ref for ref in refs if ref in both] for refs in (old, new))
    first = next((pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]), ())
    for ref in reversed(first):
        if [r for r in old if r != ref] == [r for r in new if r != ref]:
            named = {e.ref: _named_as(e) for e in after.elements}
            next_one = new[new.index(ref) + 1 :][:1]
            where = f"before {named[next_one[0]]}" if next_one else "to the end"
            yield f"{named[ref]} moved {where}"
            return


def _focus(found: _Comparison) -> Iterator[str]:
    """Where the focus is now, if it moved."""
    for was, now in found.pairs:
        if "focused" in now.states and "focused" not in was.states:
            yield f"the focus is in {_named_as(now)}"


def _changed_part(was: Element, now: Element) -> str:
    """The new name; of a long one that begins as before, what follows: from the word on that
    differs, or, if it only lost its end, its last words."""
    if _cut(now, was.name) != _cut(now, now.name):
        return _cut(now, now.name)
    pairs = enumerate(zip(was.name, now.name, strict=False))
    shorter = min(len(was.name), len(now.name))
    same = next((n for n, (old, new) in pairs if old != new), shorter)
    if same == len(now.name):
        return f"…{now.name[-MAX_NAME_CHARACTERS:]}"
    begin = same if same == len(was.name) else now.name.rfind(" ", 0, same) + 1
    return f"…{_cut(now, now.name[begin:])}"


def _named_as(element: Element, index: int | None = None) -> str:
    """``index`` is the number of the element in the list that the model has before it."""
    index = element.index if index is None else index
    number = f"[{index}]" if index >= 0 else "that is not listed"
    name = f'"{_cut(element, element.name)}"' if element.name else number
    return f"{element.role} {_struck_text(element) or name}"


def _struck_text(element: Element) -> str:
    """What stands in place of the name of a text that is crossed out as a whole."""
    states = () if element.name else element.states
    return next((state for state in states if state.startswith(_STRUCK)), "")


def _with_value(element: Element) -> str:
    value = "" if element.value is None else f" showing “{_cut(element, element.value)}”"
    is_box = element.role in TICKED_ROLES
    states = ", ".join(s for s in element.states if is_box and s.startswith(_OF_A_BOX))
    return f"{_named_as(element)}{value}{f' ({states})' if states else ''}"


def _cut(element: Element, text: str) -> str:
    most = MAX_TEXT_CHARACTERS if element.role == "text" else MAX_NAME_CHARACTERS
    if element.role in _MESSAGES:
        most = MAX_MESSAGE_CHARACTERS
    return text if len(text) <= most else f"{text[: most - 1]}…"


UNCHANGED = "nothing changed on the page"
NOT_IN_LIST = "the page changed, but nothing in its list"
SAME_LIST = "this is another page with the same list"


def verify(
    before: Observation,
    after: Observation,
    effects: Effects = Effects(),  # noqa: B008 - it is frozen
    target: Element | None = None,
    description: str = "",
) -> Verdict:
    """Compare two observations, with what was read at the element acted on; the same always give
    the same verdict. An address that the action's own ``description`` names is not repeated."""
    verdict = Verdict(
        url_changed=before.url != after.url,
        dom_changed=before.dom_hash != after.dom_hash,
        text_changed=before.text != after.text,
        title_changed=before.title != after.title,
        state_changed=before.state != after.state or effects.is_change,
    )
    address = after.url if verdict.url_changed and not _names(description, after.url) else ""
    return replace(verdict, summary=_describe(verdict, before, after, effects, target, address))


def _describe(
    verdict: Verdict,
    before: Observation,
    after: Observation,
    effects: Effects,
    target: Element | None,
    address: str,
) -> str:
    """``address`` is that of the page, where it is to be told."""
    if not verdict.changed and not verdict.title_changed:
        return _describe_hidden(effects)
    changes = describe_changes(before, after, target.ref if target else None)
    own = "; ".join(changes.own)
    parts = [*changes.own, *(effect for effect in effects.changes if not _is_listed(effect, own))]
    if address:
        parts.append(f"the page is now {address}")
    if verdict.title_changed:
        parts.append(f"its title is “{after.title[:MAX_NAME_CHARACTERS]}”")
    if not parts and not changes.others and effects.is_scrolled:
        return "nothing else changed"
    if not parts and not changes.others and effects.is_restyled:
        return _describe_hidden(effects)
    unlisted = SAME_LIST if is_new_document(before, after) else NOT_IN_LIST
    return "; ".join([*parts, *changes.others]) or unlisted


def _describe_hidden(effects: Effects) -> str:
    """What changed although the page shows the same."""
    if effects.looks:
        return f"only its look changed: {', '.join(effects.looks)}"
    if effects.is_restyled:
        return "only its style changed"
    if effects.is_mutated:
        return "nothing that the page shows changed, only its code"
    return UNCHANGED


def _names(description: str, url: str) -> bool:
    """Whether the words of an action name an address, and not only a longer one."""
    return any(f" {url}{end}" in f" {description}; " for end in ("; ", ": "))


def _is_listed(effect: str, own: str) -> bool:
    """Whether an attribute is a state that the list of elements has: ``aria-expanded``."""
    name = effect.split(" ")[0]
    return name.startswith("aria-") and f"{name.removeprefix('aria-')}=" in own
