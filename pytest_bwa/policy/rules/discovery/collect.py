"""Walking a listing without a model: the links that lead to samples, page by page.

Which links these are says the form of their addresses: the spec's own (``discover.links``), or the
only one in which each entry of the list has a link of its own. With two such forms it is silent.
Everything is known from the history and from what is saved, as everywhere in this policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urldefrag

from pytest_bwa.facts.address import address_of
from pytest_bwa.facts.page import is_in_own_region
from pytest_bwa.policy.base import FAIL_KINDS, Turn
from pytest_bwa.policy.rules.discovery.link_forms import form_of, plausible_forms, targets_of
from pytest_bwa.policy.rules.endings import done, if_login_is_asked, if_not_opened, is_pictured
from pytest_bwa.policy.rules.fields import Answer
from pytest_bwa.policy.rules.proposal import Proposal, count, fail, screenshot, wait
from pytest_bwa.policy.rules.search import next_page
from pytest_bwa.spec.address_pattern import AddressPattern
from pytest_bwa.spec.network.responses import is_error
from pytest_bwa.spec.sample_ids import new_id
from pytest_bwa.steps.paging import names_next_page
from pytest_bwa.steps.step import Action, LabelledValue, Step, source_of
from pytest_bwa.steps.text import label_key, one_line

MAX_READ = 3000
"""Labelled values of a frame that are read of one page; what follows them is not known."""
MAX_SCROLLS = 20  # since something was saved
BATCH = 400
"""Entries that are kept together while a list grows: each time a picture of all of it is taken."""
TEXT_CHARACTERS = 120
MAX_NAMED = 3
_MOVES = frozenset({"goto", "click", "scroll"})


def proposals(turn: Turn) -> Iterator[Proposal]:
    """What to do on a page of the listing, the most pressing first."""
    yield from _on_closed_page(turn)
    saved = _saved(turn)
    form, why_not = _form(turn, saved)
    if form is None:
        yield fail(why_not)
        return
    is_given = turn.task.discover is not None and turn.task.discover.links is not None
    found = targets_of(turn, form, is_given=is_given)
    known = {form.parts(str(entry.get("url", ""))) for entry in saved}
    wanted = _still_wanted(turn, saved)
    fresh = {key: link for key, link in found.items() if key not in known and wanted != 0}
    if _is_scrolling(turn) and len(fresh) < BATCH and (more := _scroll_on(turn)):
        if _has_dropped(turn, known, set(found)):
            where = turn.observation.url
            yield fail(f"{where} drops entries as it is scrolled: the list is incomplete")
        yield more
    if fresh:
        if not is_pictured(turn):
            yield _picture(turn)
        yield _save(turn, list(fresh.values())[:wanted], saved)
    if not found and not saved:
        yield fail(f"no link of {turn.observation.url} has the form {form.text}")
        return
    yield from _go_on(turn, saved)


def _form(turn: Turn, saved: list[dict[str, Any]]) -> tuple[AddressPattern | None, str]:
    """The form of the links that are wanted; or None, and why it is not certain."""
    given = turn.task.discover.links if turn.task.discover else None
    if given:
        return AddressPattern(given), ""
    if saved:
        return form_of(str(saved[0].get("url", ""))), ""
    forms = plausible_forms(turn)
    if len(forms) == 1:
        return AddressPattern(next(iter(forms))), ""
    if not forms:
        return None, (
            "no list of links was found in the content of the page; if there is one, name the form "
            'of its addresses in the spec, such as discover: {links: "/people/*"}'
        )
    named = ", ".join(f"{form} ({number} links)" for form, number in forms.items())
    return None, (
        f"it is unclear which list is meant: {named}; name one in the spec, such as "
        f'discover: {{links: "{next(iter(forms))}"}}'
    )


def _still_wanted(turn: Turn, saved: Sequence[object]) -> int | None:
    """How many more entries the spec asks for; None if it asks for all."""
    first = turn.task.discover.first if turn.task.discover else None
    return None if first is None else max(first - len(saved), 0)


# -- from page to page -----------------------------------------------------------------------------


def _go_on(turn: Turn, saved: list[dict[str, Any]]) -> Iterator[Proposal]:
    """The next page or the next part of this one, or the end of the walk."""
    discover, here = turn.task.discover, turn.observation.url
    max_samples = discover.max_samples if discover else None
    max_pages = discover.max_pages if discover else None
    if _still_wanted(turn, saved) == 0:
        yield done(turn, {n: Answer(v) for n, v in turn.collected.items()}, [])
        return
    if len([v for v in turn.observation.labelled if not v.place.frame]) >= MAX_READ:
        yield fail(f"{here} has more links than are read from one page: the list is incomplete")
    if max_samples and len(saved) >= max_samples:
        yield fail(f"the list goes on after {len(saved)} samples, the limit (discover.max_samples)")
    turned = count(turn, "turn_page")
    was_turned = _last_page_gave_nothing(turn)
    onward = None if was_turned else next_page(turn, turned, elsewhere=True)
    if onward and max_pages and turned + 1 >= max_pages:
        yield fail(f"the list goes on after {turned + 1} pages, the limit (discover.max_pages)")
    if onward:
        yield onward
    elif not turned and (more := _scroll_on(turn)):
        yield more
    if not is_pictured(turn):
        yield _picture(turn)
    if not was_turned and (name := _name_of_next(turn)):
        yield fail(f"what “{name}” does at {here} is not certain: the list is incomplete")
    is_counted = turned or turn.collected.get("total") is not None
    notes = [] if is_counted else _left_alone(turn)
    yield done(turn, {n: Answer(v) for n, v in turn.collected.items()}, notes)


def _left_alone(turn: Turn) -> list[str]:
    """The buttons below the list that were not pressed, because their names say nothing certain:
    one of them may show more of it."""
    page = turn.observation
    ends = [v.box.y for v in page.labelled if v.kind == "link" and v.place.record and v.box]
    names = [
        element.name
        for element in page.all_elements
        if element.role == "button" and is_in_own_region(element.place) and not element.place.record
        and element.name and element.box and ends and element.box.y > max(ends)
    ]  # fmt: skip
    listed = ", ".join(f"“{one_line(name, 40)}”" for name in names[:MAX_NAMED])
    return [f"below the list, this was not pressed and may show more: {listed}"] if names else []


def _name_of_next(turn: Turn) -> str:
    """The name of a button or link that may lead to more of the list; empty if there is none."""
    page, here = turn.observation, address_of(turn.observation.url)
    links = [v.value for v in page.labelled if v.kind == "link" and address_of(v.url or "") != here]
    buttons = [e.name for e in page.elements if e.role == "button" and "disabled" not in e.states]
    return next(filter(names_next_page, [*buttons, *links]), "")


def _last_page_gave_nothing(turn: Turn) -> bool:
    """Whether nothing was saved since the last page was turned."""
    for step in reversed(turn.history):
        if step.action == "save_progress" or step.intent == "turn_page":
            return step.intent == "turn_page"
    return False


def _is_scrolling(turn: Turn) -> bool:
    """Whether the last thing that was done to the page was to scroll it."""
    last = next((s for s in reversed(turn.history) if s.action in _MOVES), None)
    return last is not None and last.action == "scroll"


def _scroll_on(turn: Turn) -> Proposal | None:
    """To the end of the page, where more may come; None if its end was reached twice, with a wait
    in between, or if many scrolls brought nothing."""
    since_gain = [s for s in _since(turn, "save_progress") if s.action == "scroll"]
    here = [s for s in turn.history if s.action == "scroll" and s.url == turn.observation.url]
    reached = [s for s in here[-2:] if not s.success]
    if len(since_gain) >= MAX_SCROLLS or len(reached) == 2:
        return None
    if reached and turn.history[-1] is reached[-1]:
        return wait("The end of the list may load late.")
    return Proposal(Action(action="scroll", direction="bottom"), "More may load at the end.")


def _since(turn: Turn, action: str) -> list[Step]:
    """The steps after the last action of that name."""
    steps = list(turn.history)
    last = max((n for n, step in enumerate(steps) if step.action == action), default=-1)
    return steps[last + 1 :]


def _has_dropped(turn: Turn, known: set[Any], found: set[Any]) -> bool:
    """Whether entries of this page were saved that it does not have any more."""
    return not count(turn, "turn_page") and not known <= found


def _on_closed_page(turn: Turn) -> Iterator[Proposal]:
    page, status = turn.observation, turn.observation.http_status or 200
    yield from if_not_opened(turn)
    if closed := if_login_is_asked(turn):
        yield fail(f"{closed.action.note}: the list is incomplete", "access_denied")
    if not is_error(status):
        return
    kind = FAIL_KINDS.get(status, "other")
    if kind == "not_found":  # a page of the list; not the sample, whose absence may be an answer
        kind = "other"
    yield fail(f"HTTP {status} at {page.url}: the list is incomplete", kind)


def _picture(turn: Turn) -> Proposal:
    return screenshot(
        f"listing_{count(turn, 'turn_page') + 1}", "Every page of the listing is evidence."
    )


# -- what is kept ----------------------------------------------------------------------------------


def _saved(turn: Turn) -> list[dict[str, Any]]:
    name = turn.task.listing_field
    return list(turn.collected.get(name) or []) if name else []


def _save(turn: Turn, links: list[LabelledValue], saved: list[dict[str, Any]]) -> Proposal:
    name = turn.task.listing_field or ""
    properties = turn.task.output_schema[name]["items"]["properties"]
    taken = {str(entry.get("sample_id", "")).casefold() for entry in saved}
    entries = []
    for link in links:
        url = urldefrag(link.url or "").url
        sample_id = new_id(url, link.value, taken)
        taken.add(sample_id.casefold())
        text = one_line(link.value, TEXT_CHARACTERS)
        values = {"sample_id": sample_id, "url": url, "text": text, "name": text}
        entries.append({key: value for key, value in values.items() if key in properties})
    extracted: dict[str, Any] = {name: entries}
    total = _counted(turn) if "total" in turn.task.output_schema else None
    if total is not None and turn.collected.get("total") is None:
        extracted["total"] = total
    sources = {name: [source_of(link) for link in links]}
    action = Action(action="save_progress", extracted=extracted, sources=sources)
    return Proposal(action, "Keep the new entries.")


def _counted(turn: Turn) -> int | None:
    """How many entries the page itself says there are: its one count that is called like the list,
    by the addresses of the page and of its entries, by its field or by the keywords."""
    task = turn.task
    form = task.discover.links if task.discover else ""
    words = f"{turn.observation.url} {form} {task.listing_field} {' '.join(task.keywords)}"
    names = label_key(words).split("_")
    numbers = {
        int(digits)
        for v in turn.observation.labelled
        if v.kind == "count" and not v.place.record and label_key(v.label) in names
        and (digits := v.value.replace(",", "").replace(".", "").replace(" ", "")).isdecimal()
    }  # fmt: skip
    return numbers.pop() if len(numbers) == 1 else None
