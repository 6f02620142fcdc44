"""How the rules policy finds a sample that has no address: by a link of its name, by the page's
search, or by turning the pages of a list. A search is opened as an address, like any other link."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from pytest_bwa.facts.address import address_of, is_same_but_locale, segments
from pytest_bwa.facts.page import is_in_own_region, title_of
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.endings import if_login_is_asked, line_that_says
from pytest_bwa.policy.rules.explore import links_of, may_open
from pytest_bwa.policy.rules.proposal import Proposal, count, fail, goto
from pytest_bwa.policy.rules.subject import Subject, has_name
from pytest_bwa.steps.paging import ONWARD_ARROWS, names_next_page
from pytest_bwa.steps.step import FailKind
from pytest_bwa.steps.text import cells_of

SEARCHED_TEXT = "%7B%7D"
"""Where the searched text stands in the address of a search form: ``{}``, encoded."""
MAX_TURNS = 20  # pages of a list
_QUOTED = 100  # characters of a row


def find_subject(turn: Turn, subject: Subject) -> Proposal:
    """The next step towards the sample's own page, or the end of the search."""
    heading = title_of(turn.observation) or turn.observation.title
    says = f"says “{heading}”" if heading else "has no heading"
    closed = if_login_is_asked(turn)
    if asked := subject.address:
        url = turn.observation.url
        leads = "leads to" if len(turn.history) < 2 else "has nothing certain, and leads to"
        is_there = is_same_but_locale(url, asked)
        where = asked if is_there else f"{asked} {leads} {url}, which"
        if closed and not is_there:  # there it may be the form that the task is about
            return closed
        return fail(f"{where} does not show the record: it {says}")
    if not subject.names:
        return fail("nothing says what pages call the sample")
    name = subject.names[0]
    if count(turn, "open_match"):
        return closed or fail(f'the page that "{name}" led to does not name it: it {says}')
    if match := open_match(turn, subject):
        return match
    if matches := _matches(turn, subject):
        what = f'{len(matches)} entries are called "{name}" and nothing tells which'
        return fail(f"ambiguous: {what}")
    search = _search(turn, name)
    further = search or _in_entry(turn, name) or _in_row(turn, subject) or turn_page(turn)
    return further or closed or _not_listed(turn, name)


def open_match(turn: Turn, subject: Subject) -> Proposal | None:
    """The one link that is called what the sample is called, if none was opened before."""
    matches = _matches(turn, subject)
    if len(matches) != 1 or count(turn, "open_match"):
        return None
    return goto(matches[0], f"The one match for {subject.names[0]}.", "open_match")


def _matches(turn: Turn, subject: Subject) -> list[str]:
    """The addresses of links that are called what the sample is called; of several, those whose
    entry has the sample's other columns too."""
    links = {
        address_of(link.url or ""): link for link in links_of(turn)
        if subject.names_link(link.value, link.url or "") and may_open(turn, link.url or "")
    }  # fmt: skip
    columns = (turn.sample.plain_columns.get(name, "").strip() for name in turn.task.input_schema)
    others = [text for text in columns if text and text not in subject.names]
    if len(links) > 1 and others:
        fitting = {
            key: link for key, link in links.items()
            if all(f" {text} " in f" {link.place.record} " for text in others)
        }  # fmt: skip
        links = fitting or links
    return [link.url or "" for link in links.values()]


def _search(turn: Turn, name: str) -> Proposal | None:
    forms = [v.url for v in turn.observation.labelled if v.kind == "search" and v.url]
    for form in forms if not count(turn, "search") else ():
        address = form.replace(SEARCHED_TEXT, quote(name))
        if may_open(turn, address):
            return goto(address, "Search by name.", "search")
    return None


def _in_entry(turn: Turn, name: str) -> Proposal | None:
    """The end of a walk at an entry of a list that has the sample's name in one of its columns, and
    no link by it, as an order of a customer. No later page can tell that there is none."""
    found = turn.observation.labelled
    cells = [v.value for v in found if v.kind == "table" and has_name(v.value, name)]
    if not cells:
        return None
    text = " ".join(cells[0].split())[:60]
    return fail(f'an entry of the list says “{text}”, and no link there is called "{name}"')


def _in_row(turn: Turn, subject: Subject) -> Proposal | None:
    """The end of a walk at a row that was not read and has the sample's name in a cell."""
    listed = (e for e in turn.observation.all_elements if e.role == "row")
    own = (e.name for e in listed if is_in_own_region(e.place))
    row = next((text for text in own if any(map(subject.is_named, cells_of(text)))), None)
    if row is None:
        return None
    text = row if len(row) <= _QUOTED else f"{row[:_QUOTED]}…"
    why = "it is not certain which column each of its cells belongs to"
    return fail(f"a row says “{text}”, but {why}")


def _led_back(turn: Turn) -> bool:
    """Whether a search led to another page that has nothing of it in its address, as one does that
    opens an entry by its number and finds none: it says nothing of the other columns."""
    asked = [step.params.get("url") or "" for step in turn.history if step.intent == "search"]
    here = urlsplit(turn.observation.url)
    return bool(asked) and not here.query and urlsplit(asked[-1]).path != here.path


def _not_listed(turn: Turn, name: str) -> Proposal:
    """That a search or all pages of a list do not name it says that it does not exist; a page
    that is neither says nothing."""
    turned, searched = count(turn, "turn_page"), count(turn, "search") and not _led_back(turn)
    pages = f"{turned + 1} page{'s' * (turned > 0)} seen"
    where = "the search" if searched else f"the list ({pages})"
    if turned >= MAX_TURNS:
        return fail(f'{where} names no "{name}" yet, and may go on')
    longer = next((link.value for link in links_of(turn) if has_name(link.value, name)), "")
    if longer:  # "Claims 2025 7 tasks" may be what is looked for
        return fail(f'{where} has no entry called "{name}", but “{longer[:60]}”')
    is_complete = searched or turned
    kind: FailKind = "not_found" if is_complete else "other"
    return fail(f'not found: {where} names no "{name}"', kind, line_that_says(turn.observation))


# -- pages of a list -----------------------------------------------------------------------------


def turn_page(turn: Turn) -> Proposal | None:
    """The list's next page, unless the last one brought nothing."""
    turned = count(turn, "turn_page")
    if turned >= MAX_TURNS or (turned and not turn.history[-1].changed):
        return None
    return next_page(turn, turned)


def next_page(turn: Turn, turned: int, *, elsewhere: bool = False) -> Proposal | None:
    """The list's next page: what the page itself calls the next one, else "Next", else an arrow,
    else the number of the page after this one. ``turned`` is how many pages were turned;
    ``elsewhere`` lets the first have any address of the site."""
    here, found = turn.observation.url, turn.observation.labelled
    links = [
        v for v in found
        if v.kind in ("link", "next") and may_open(turn, v.url or "", segments(here))
    ]  # fmt: skip
    for link in links:
        is_list = elsewhere or is_same_list(link.url or "", here)
        if link.kind == "next" and is_list and address_of(link.url or "") != address_of(here):
            return goto(link.url, "The list goes on.", "turn_page")
    # The arrows in their order: of two, one leads to the last page.
    exact = [text.__eq__ for text in (*ONWARD_ARROWS, str(turned + 2))]
    for is_next in (names_next_page, *exact):
        for link in links:
            if is_next(link.value) and _is_onward(link.url or "", here):
                return goto(link.url, "The list goes on.", "turn_page")
    return None


def is_same_list(url: str, here: str) -> bool:
    """Whether an address is another page of this list: only its query differs, or the number of
    the page at the end of its path (``/members/page/2``)."""
    return address_of(url) != address_of(here) and _parts(url)[0] == _parts(here)[0]


def _is_onward(url: str, here: str) -> bool:
    """Whether nothing but one number is another one, a higher one. ``/queue?advance=1`` beside
    ``/queue`` may be a switch."""
    (path, to), (own_path, own) = _parts(url), _parts(here)
    differing = {name for name in to.keys() | own.keys() if to.get(name) != own.get(name)}
    if path != own_path or len(differing) != 1:
        return False
    name = differing.pop()
    new, old = to.get(name, "1"), own.get(name, "1")
    return new.isdecimal() and old.isdecimal() and (len(new), new) > (len(old), old)


def _parts(url: str) -> tuple[list[str], dict[str, str]]:
    """The path without the number of a page, and the query with it."""
    path, query = segments(url), dict(address_of(url).query)
    is_page = len(path) > 1 and path[-1].isdecimal() and path[-2].casefold() in ("page", "p")
    return (path[:-2], {**query, "/page": path[-1]}) if is_page else (path, query)
