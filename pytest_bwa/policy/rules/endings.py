"""How a sample ends under the rules policy: on pages that show nothing, and with ``done``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from pytest_bwa.facts.address import is_same_but_locale, segments
from pytest_bwa.facts.page import asks_for_password, is_in_own_region, title_of
from pytest_bwa.policy.base import FAIL_KINDS, Turn, no_judgment
from pytest_bwa.policy.rules.fields import Answer, Reading
from pytest_bwa.policy.rules.identity import GONE
from pytest_bwa.policy.rules.kept import given
from pytest_bwa.policy.rules.proposal import Proposal, fail, goto
from pytest_bwa.policy.rules.subject import Subject, has_name
from pytest_bwa.spec.network.responses import is_error
from pytest_bwa.spec.network.urls import UNREACHED
from pytest_bwa.steps.artifacts import has_label, picture_labels
from pytest_bwa.steps.step import RECORD_KINDS, Action, Observation, source_of
from pytest_bwa.steps.text import label_key

MAX_TRIES = 3  # of a page that is refused for now
_FOR_NOW = frozenset({429, 502, 503, 504})


def end_of_closed_page(turn: Turn, subject: Subject) -> Iterator[Proposal]:
    """What follows from a page that the server refuses to show, or that does not exist."""
    page, status = turn.observation, turn.observation.http_status or 200
    heading = title_of(page) or page.title
    yield from if_not_opened(turn)
    if turn.collected or not subject.address or not is_same_but_locale(page.url, subject.address):
        return  # that a link or a search leads nowhere says nothing about the sample
    says = line_that_says(page, heading)
    if is_error(status):
        kind = FAIL_KINDS.get(status, "other")
        yield fail(f"HTTP {status}: the page says “{heading}”", kind, says)
    if any(v.kind in RECORD_KINDS and is_in_own_region(v.place) for v in page.labelled):
        return
    names = (*subject.names, *segments(subject.address)[-1:])
    is_named = any(has_name(heading, name) for name in names)
    if GONE.search(page.text[:300] if not is_named else heading) and not subject.is_named(heading):
        yield fail(f"not found: the page says “{heading}”", "not_found", says)
    if closed := if_login_is_asked(turn):
        yield closed


def line_that_says(page: Observation, heading: str = "") -> int | str | None:
    """The line of the page that says that there is nothing, or that is its heading."""
    lines = [e for e in page.all_elements if GONE.search(e.name)]
    lines = lines or [e for e in page.all_elements if heading and e.name == heading]
    return source_of(lines[0]) if lines else None


def if_login_is_asked(turn: Turn) -> Proposal | None:
    """The end if the page that is shown has a field for a password."""
    page, profile = turn.observation, turn.task.auth_profile
    if not asks_for_password(page):
        return None
    advice = "save one with `bwa login NAME URL`, and name it in the spec: auth_profile; or say "
    advice += "there how to sign in: login"
    if profile:
        advice = f"that of auth_profile may have expired: `bwa login {profile} URL`"
    heading = title_of(page) or page.title
    return fail(f"the page asks for a login: it says “{heading}” ({advice})", "access_denied")


def if_not_opened(turn: Turn) -> Iterator[Proposal]:
    """The end if the browser shows its own page; a page that is refused for now is opened again, a
    few times."""
    page = turn.observation
    if urlsplit(page.url).scheme in ("about", "") or page.url.startswith(UNREACHED):
        yield fail("the page could not be reached")
    tries = sum(s.action == "goto" and s.url == page.url for s in turn.history)
    if page.http_status in _FOR_NOW and tries < MAX_TRIES:
        yield goto(page.url, "The site asks to wait.")


# -- pictures ------------------------------------------------------------------------------------


def is_pictured(turn: Turn) -> bool:
    """Whether the page has a picture since it last changed."""
    for step in reversed(turn.history):
        if step.url != turn.observation.url or step.changed:
            return False
        if step.action == "screenshot" and step.success:
            return True
    return False


def open_labels(turn: Turn) -> list[str]:
    """Labels of required pictures that none has, as ``done`` is checked."""
    return [
        label
        for label in picture_labels(turn.task.required_artifacts)
        if not any(has_label(artifact, label) for artifact in turn.artifacts)
    ]


def label_of_page(turn: Turn) -> str | None:
    """An open label that this page is called by. All other pictures, those that prove values or a
    failure among them, are taken by the harness."""
    page = turn.observation
    words = set(label_key(f"{page.title} {title_of(page)} {page.url}").split("_"))
    named = (label for label in open_labels(turn) if set(label_key(label).split("_")) <= words)
    return next(named, None)


def only_label(turn: Turn, reading: Reading) -> str | None:
    """The one label that is asked for, of the last page that is read, if that completes the
    answer."""
    labels = picture_labels(turn.task.required_artifacts)
    found = {**turn.collected, **reading.values}
    is_whole = found and all(found.get(name) is not None for name in turn.task.required_fields)
    return next(iter(open_labels(turn)), None) if is_whole and len(labels) == 1 else None


# -- done ----------------------------------------------------------------------------------------


def done(
    turn: Turn,
    kept: Mapping[str, Answer],
    notes: Sequence[str] = (),
    reviews: Sequence[str] = (),
) -> Proposal:
    """``done`` with everything that is kept, and a null for every other field. ``reviews`` say what
    a person must look at."""
    judgment = no_judgment(turn, "The rules policy reads pages; it does not judge them.")
    names = turn.task.output_schema
    action = Action(
        action="done",
        extracted={name: kept[name].value if name in kept else None for name in names},
        judgment=judgment,
        note="; ".join(notes) or None,
        review="; ".join(reviews) or None,
        **given(kept),
    )
    return Proposal(action, "What the page labels was read.")
