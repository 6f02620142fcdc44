"""Whether a text is there only because the agent itself entered it. Pure."""

from __future__ import annotations

from urllib.parse import unquote_plus, urlsplit

from pytest_bwa.facts.address import address_of
from pytest_bwa.facts.fact import Fact
from pytest_bwa.facts.text_match import same_text
from pytest_bwa.proof.entered import Entered
from pytest_bwa.proof.observed import Observed


def is_only_entered(fact: Fact, value: str, seen: Observed) -> bool:
    """Whether a fact has a value only because the agent entered it there, or had it before. A task
    that fills in a form is proven by what the site has kept."""
    if not fills_in(seen):
        return _is_own(fact, value, seen)
    if _is_own(fact, value, seen):
        return not _is_read_back(fact, value, seen)
    return _is_older_than_entry(fact, value, seen)


def _is_own(fact: Fact, value: str, seen: Observed) -> bool:
    """Whether a fact has the value only because the agent entered it there: in a field, in the
    address that it opened, or in the address of its own query."""
    if fact.kind == "address" and address_of(fact.text) in seen.invented:
        return True
    if not fact.is_in_field and not fact.is_address:
        return False
    if fact.is_in_field and seen.entries.has_ticked(fact):
        return True
    key = same_text(value)
    is_echo = fact.is_in_field and (
        key in seen.names.given or same_text(fact.text) in seen.names.given
    )
    typed_here = fact.is_in_field and seen.entries.has_typed(fact.text)
    return seen.entries.has_typed(value) or typed_here or (is_echo and "search" in fact.role)


def _was_entered(text: str, seen: Observed) -> bool:
    """Whether the agent typed or picked a text in this sample."""
    return seen.entries.has_typed(text) or _picked(same_text(text), seen) is not None


def fills_in(seen: Observed) -> bool:
    """Whether the task fills in a form. If the spec does not say, two of the sample's columns
    were entered: to find a record it takes one."""
    if seen.read_only is not None:
        return not seen.read_only
    entered = seen.entries.among(seen.names.given)  # asked of each place of each value
    return len(entered) > 1 and sum(_was_entered(text, seen) for text in entered) > 1


def _is_read_back(fact: Fact, value: str, seen: Observed) -> bool:
    """Whether a field has what the agent entered earlier on a page that was opened anew since
    then, so that the site kept it. The page that answers a form may only repeat what was sent,
    and so may one that has it in its address, as a search does."""
    if not fact.is_in_field or fact.element is None or "search" in fact.role:
        return False
    entered = seen.entries.latest_in(fact, value)
    if entered is None:
        return False
    is_new = seen.entries.age_of(fact.element[0]) >= entered.opened + 2
    if not is_new and not _is_opened_in_place(fact, entered, seen):
        return False
    keys = {same_text(value), same_text(fact.text)}
    urls = (seen.looks[number].url for number in seen.looks_at(fact))
    queries = [same_text(unquote_plus(urlsplit(url).query)) for url in urls]
    return not any(key in query for key in keys for query in queries)


def _is_older_than_entry(fact: Fact, value: str, seen: Observed) -> bool:
    """Whether a text was seen last before the agent entered or picked the same: then it is no
    proof that the site has kept it. What was picked stays in the page, too, until that is
    opened anew."""
    keys = {same_text(value), same_text(fact.text)}
    picked = [entered for key in keys if (entered := _picked(key, seen)) is not None]
    last = seen.looks_at(fact)[-1]
    if picked and not _is_opened_in_place(fact, max(picked), seen):
        return seen.opened_by[last] <= max(picked).opened
    typed = seen.entries.typed_among(value, fact.text)
    return any(last < entered.looks for entered in [*typed, *picked])


def _picked(key: str, seen: Observed) -> Entered | None:
    """When something with this name was chosen: what was clicked, and led to no other page."""
    entered, url = seen.entries.clicked.get(key, (None, ""))
    after = seen.looks[entered.looks : entered.looks + 1] if entered else []
    return None if any(look.url != url for look in after) else entered


def _is_opened_in_place(fact: Fact, entered: Entered, seen: Observed) -> bool:
    """Whether an application that never loads a page opened a record anew: at another address
    than that of the form in which something was entered, with a third one between them, such
    as that of the list."""
    numbers = seen.looks_at(fact)
    here = address_of(seen.looks[numbers[-1]].url)
    between = {address_of(look.url) for look in seen.looks[entered.looks : numbers[0]]}
    is_other = here != entered.address and numbers[0] >= entered.looks
    return is_other and bool(between - {here, entered.address})
