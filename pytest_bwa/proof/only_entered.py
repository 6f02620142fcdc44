"""Whether a text is there only because the agent itself entered it. Pure."""

from __future__ import annotations

from urllib.parse import unquote_plus, urlsplit

from pytest_bwa.facts.address import address_of
from pytest_bwa.proof.entered import Entered
from pytest_bwa.proof.sightings import Sightings
from pytest_bwa.proof.spots import Spot
from pytest_bwa.proof.texts.text_match import same_text


def is_only_entered(spot: Spot, value: str, seen: Sightings) -> bool:
    """Whether a spot has a value only because the agent entered it there, or had it before. A task
    that fills in a form is proven by what the site has kept."""
    if not fills_in(seen):
        return _is_own(spot, value, seen)
    if _is_own(spot, value, seen):
        return not _is_read_back(spot, value, seen)
    return _is_older_than_entry(spot, value, seen)


def _is_own(spot: Spot, value: str, seen: Sightings) -> bool:
    """Whether a spot has the value only because the agent entered it there: in a field, in the
    address that it opened, or in the address of its own query."""
    if spot.source == "address" and address_of(spot.text) in seen.invented:
        return True
    if spot.source != "value" and not spot.is_address:
        return False
    if spot.source == "value" and seen.entries.has_ticked(spot):
        return True
    key = same_text(value)
    is_echo = spot.source == "value" and (
        key in seen.names.given or same_text(spot.text) in seen.names.given
    )
    typed_here = spot.source == "value" and seen.entries.has_typed(spot.text)
    return seen.entries.has_typed(value) or typed_here or (is_echo and "search" in spot.role)


def _was_entered(text: str, seen: Sightings) -> bool:
    """Whether the agent typed or picked a text in this sample."""
    return seen.entries.has_typed(text) or _picked(same_text(text), seen) is not None


def fills_in(seen: Sightings) -> bool:
    """Whether the task fills in a form. If the spec does not say, two of the sample's columns
    were entered: to find a record it takes one."""
    if seen.read_only is not None:
        return not seen.read_only
    entered = seen.entries.among(seen.names.given)  # asked of each place of each value
    return len(entered) > 1 and sum(_was_entered(text, seen) for text in entered) > 1


def _is_read_back(spot: Spot, value: str, seen: Sightings) -> bool:
    """Whether a field has what the agent entered earlier on a page that was opened anew since
    then, so that the site kept it. The page that answers a form may only repeat what was sent,
    and so may one that has it in its address, as a search does."""
    if spot.source != "value" or spot.ref is None or "search" in spot.role:
        return False
    entered = seen.entries.latest_in(spot, value)
    if entered is None:
        return False
    is_new = seen.entries.age_of(spot.ref[0]) >= entered.opened + 2
    if not is_new and not _is_opened_in_place(spot, entered, seen):
        return False
    keys = {same_text(value), same_text(spot.text)}
    urls = (seen.looks[number].url for number in seen.looks_at(spot))
    queries = [same_text(unquote_plus(urlsplit(url).query)) for url in urls]
    return not any(key in query for key in keys for query in queries)


def _is_older_than_entry(spot: Spot, value: str, seen: Sightings) -> bool:
    """Whether a text was seen last before the agent entered or picked the same: then it is no
    proof that the site has kept it. What was picked stays in the page, too, until that is
    opened anew."""
    keys = {same_text(value), same_text(spot.text)}
    picked = [entered for key in keys if (entered := _picked(key, seen)) is not None]
    last = seen.looks_at(spot)[-1]
    if picked and not _is_opened_in_place(spot, max(picked), seen):
        return seen.opened_by[last] <= max(picked).opened
    typed = seen.entries.typed_among(value, spot.text)
    return any(last < entered.looks for entered in [*typed, *picked])


def _picked(key: str, seen: Sightings) -> Entered | None:
    """When something with this name was chosen: what was clicked, and led to no other page."""
    entered, url = seen.entries.clicked.get(key, (None, ""))
    after = seen.looks[entered.looks : entered.looks + 1] if entered else []
    return None if any(look.url != url for look in after) else entered


def _is_opened_in_place(spot: Spot, entered: Entered, seen: Sightings) -> bool:
    """Whether an application that never loads a page opened a record anew: at another address
    than that of the form in which something was entered, with a third one between them, such
    as that of the list."""
    numbers = seen.looks_at(spot)
    here = address_of(seen.looks[numbers[-1]].url)
    between = {address_of(look.url) for look in seen.looks[entered.looks : numbers[0]]}
    is_other = here != entered.address and numbers[0] >= entered.looks
    return is_other and bool(between - {here, entered.address})
