"""Steps that were recorded, and how they are performed again: by a replay on the same sample's
pages, and by a recipe on those of others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pytest_bwa.facts.identity import PlaceNotFound, find
from pytest_bwa.proof.rereading import RecordedValues
from pytest_bwa.spec.redaction import MASK
from pytest_bwa.steps.place_identity import PlaceIdentity
from pytest_bwa.steps.step import (
    ANSWERS,
    FOR_A_MODEL,
    LOOPS_OWN,
    Element,
    FailKind,
    Observation,
    Step,
    list_number,
)

BACK = 0.5
"""The part of a step after which a page is there again beside which another one was read."""
LATEST = 1 << 30
"""After the last step of a log."""
MAX_WAITS = 2
"""Waits for a page that is still loading."""


class DoesNotFit(Exception):
    """The page is not as it was; the message says why. ``may_change`` is False where it does not
    help to wait any longer."""

    def __init__(self, why: str, *, may_change: bool = True) -> None:
        super().__init__(why)
        self.may_change = may_change


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """A step that is performed again; ``number`` is its place in the log, from 1, or half a step
    later the way back from a page that was read beside another one."""

    number: float
    step: Step

    def in_words(self) -> str:
        return f"step {self.step.step} ({self.step.action})"


@dataclass(frozen=True, slots=True)
class RecordedSample:
    """One sample of the recorded run."""

    steps: Sequence[RecordedStep] = ()
    values: RecordedValues | None = None
    not_done: str = ""
    """How it ended there, if it was not done."""
    failed_as: FailKind | None = None
    """The kind of its ``fail``; None if it did not end with it."""
    page_hash: str = ""
    """What the page listed when it failed."""


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """The samples of a recorded run, by sample_id."""

    name: str
    samples: Mapping[str, RecordedSample] = field(default_factory=dict)
    labels_proved: bool = True
    """Whether its policy answered from the labelled values."""
    base_url: str | None = None
    """The address that relative addresses were resolved against."""
    present_base_url: str | None = None

    def present_address(self, url: str) -> str:
        """An address of the recorded site on the site of this run; also that of another name on the
        same port, if the port of a local site has changed."""
        old, new = (self.base_url or "").rstrip("/"), (self.present_base_url or "").rstrip("/")
        if old and new and (url == old or url.startswith((f"{old}/", f"{old}?", f"{old}#"))):
            return new + url[len(old) :]
        was, parts, port = _port_of(old), urlsplit(url), _port_of(new)
        if was is None or port is None or _port_of(url) != was:
            return url
        return parts._replace(netloc=f"{parts.hostname}:{port}").geturl()


def _port_of(url: str) -> int | None:
    """The port that an address names; None if it names none."""
    try:
        return urlsplit(url).port
    except ValueError:
        return None


def performed_again(log: Sequence[Step]) -> tuple[RecordedStep, ...]:
    """The steps of a log that a policy chose and that acted on the page or took a picture. What was
    read beside a page is opened in its place, one after the other."""
    return tuple(
        RecordedStep(number + later, part)
        for number, step in enumerate(log, start=1)
        if step.success
        and step.intent not in LOOPS_OWN
        and step.action not in ANSWERS | FOR_A_MODEL
        and not _is_plain_wait(step)
        for later, part in zip((0, BACK), _there_and_back(step), strict=False)
    )


def _there_and_back(step: Step) -> Iterator[Step]:
    if step.action != "read":
        yield step
        return
    (url,) = step.params["pages"]
    plain = {"target": None, "changed": True}
    yield step.model_copy(update={**plain, "action": "goto", "params": {"url": url}})
    yield step.model_copy(update={**plain, "action": "back", "params": {}, "url": url})


def _is_plain_wait(step: Step) -> bool:
    """Whether a step only waited for the page to settle, as this policy does where it must."""
    return step.action == "wait" and not set(step.params) - {"screenshot_label"}


def is_masked(step: Step) -> bool:
    """Whether the log has a mask in place of what was typed."""
    return any(isinstance(v, str) and MASK in v for v in step.params.values())


def has_no_target(step: Step) -> bool:
    """Whether a step names its element by a number, and the log does not say which that was."""
    by_number = list_number(step.params.get("selector", "")) is not None
    return by_number and (step.target is None or step.target.identity is None)


def element_on(page: Observation, identity: PlaceIdentity, given: Sequence[str] = ()) -> Element:
    """The element that a step was for. Raises DoesNotFit."""
    try:
        return find(identity, page, given)
    except PlaceNotFound as why:
        raise DoesNotFit(str(why)) from None


def number_on(page: Observation, identity: PlaceIdentity, given: Sequence[str] = ()) -> str:
    """Its present number in the list. Raises DoesNotFit."""
    element = element_on(page, identity, given)
    if element.index < 0:
        raise DoesNotFit(f"{identity.in_words()} is on the page, but not in its list")
    return str(element.index)
