"""A first spec, and its list, from the pages of one to three records (``bwa init``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from pytest_bwa.audit.opened_pages import listed, open_pages
from pytest_bwa.errors import InputError
from pytest_bwa.evidence.files import write_atomically
from pytest_bwa.facts.address import address_of
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.discovery.link_forms import plausible_forms
from pytest_bwa.policy.rules.proposed_fields import NotProposed, Proposal, ProposedField
from pytest_bwa.policy.rules.unlabelled import Unlabelled, unlabelled
from pytest_bwa.settings import Settings
from pytest_bwa.spec.messages import quote_value
from pytest_bwa.spec.network.urls import url_problem
from pytest_bwa.spec.sample_ids import ids_of_addresses
from pytest_bwa.steps.text import label_key, one_line, show_controls, visible_text

MAX_PAGES = 3
MAX_COMMENT = 80  # characters of what a page shows
MAX_WHY = 200  # characters of why something was left out
NOTES = "# Left for review by a run without a model, until three known rows agree:"
LEFT_OUT = "# Left out, because a run without a model would doubt it:"
UNLABELLED = (
    "# Has no label: add a field for it, also to required_fields; three known rows teach\n"
    "# it (expected.NAME in the list, --recipe learn)."
)
MIN_FIELDS = 3
"""So many a record has that is to be told from a list, on which there may be a count or two."""
GOAL = "Read the record {sample_id}."


@dataclass(frozen=True, slots=True)
class FirstSpec:
    """What was written."""

    spec: Path
    samples: Path
    fields: int
    pages: int

    def lines(self) -> list[str]:
        """What was written, what to delete, and how to run it."""
        return [
            f"wrote {self.spec} ({self.fields} fields) and {self.samples} (samples: {self.pages})",
            "Delete the fields that you do not need, each with its line under aliases; what "
            "begins with # was left out. Add the other records' addresses to the list.",
            f"Run it: pytest workflows/ --task {self.spec} --samples {self.samples} --policy rules",
        ]


def write_first_spec(
    urls: Sequence[str], out: Path | None, login: str | None, settings: Settings
) -> FirstSpec:
    """Raises BwaError, and then no file is written."""
    _check_addresses(urls)
    task_id = _task_id(urls[0])
    path = out or Path(f"{task_id}.yaml")
    samples = path.with_suffix(".csv")
    for file in (path, samples):
        if file.exists():
            raise InputError(f"{file} exists, and is not overwritten: pass --out with another name")
    rows = list(zip(ids_of_addresses(urls), urls, strict=True))
    head: dict[str, Any] = {
        "task_id": task_id,
        "goal": GOAL,
        "allowed_domains": list(dict.fromkeys(urlsplit(url).netloc for url in urls)),
        "read_only": True,
        **({"auth_profile": login} if login else {}),
    }
    turns, head = open_pages(rows, head, settings)
    proposal = Proposal(turns)
    _check_proposal(urls[0], turns[0], proposal)
    lines = [
        *_head(urls, head, any(turn.observation.language for turn in turns)),
        *_fields(proposal.fields),
        *_comments(NOTES, [_comment(note, MAX_WHY) for note in proposal.notes()]),
        *_comments(LEFT_OUT, map(_left_out, proposal.others)),
        *_comments(UNLABELLED, map(_unlabelled, unlabelled(turns))),
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(samples, listed(rows).encode())
    write_atomically(path, ("\n".join(lines) + "\n").encode())
    return FirstSpec(path, samples, len(proposal.fields), len(urls))


def _check_addresses(urls: Sequence[str]) -> None:
    if len(urls) > MAX_PAGES:
        raise InputError(f"give one to {MAX_PAGES} records, not {len(urls)}")
    for url in urls:
        problem = url_problem(url)
        if not problem and not urlsplit(url).netloc:
            problem = "has no host: write the whole address, as https://example.org/records/7"
        if problem:
            raise InputError(f"{quote_value(url)} {problem}")
    if len(set(urls)) < len(urls):
        raise InputError("the same address is given twice")


def _check_proposal(url: str, turn: Turn, proposal: Proposal) -> None:
    """Raise InputError for what seems to be no record."""
    forms = plausible_forms(turn)
    if forms and len(proposal.fields) < MIN_FIELDS:
        number, form = max((number, form) for form, number in forms.items())
        raise InputError(
            f"{url} seems to be a list ({number} links such as {form}): give the address of one "
            "of its entries"
        )
    if not proposal.fields:
        why = "".join(f" (“{one.label}”: {one.why})" for one in proposal.others[:1])
        raise InputError(
            f"{url} labels no value that can be read{why}: give the page of one record, or "
            "write a spec by hand and let a model read it"
        )


def _task_id(url: str) -> str:
    """The word for what the records are: the last part of the address that has no digit."""
    address = address_of(url)
    words = [label_key(part) for part in address.segments[:-1] or address.segments]
    plain = [word for word in words if word.isascii() and word.isalpha()]
    return (plain or [label_key(address.site)])[-1] or "records"


def _head(urls: Sequence[str], head: dict[str, Any], has_language: bool) -> Iterator[str]:
    yield f"# Made by bwa init from {' and '.join(map(_comment, urls))}."
    for key, value in head.items():
        yield _yaml({key: value})
    if not has_language:
        yield "# The pages do not say in which language they are. Where amounts became text, say it"
        yield "# here (locale: fr), and give them the type number."


def _fields(fields: Sequence[ProposedField]) -> Iterator[str]:
    yield "output_schema:"
    for field in fields:
        texts = " · ".join(text or "(empty)" for text in field.texts)
        yield f"  {_yaml({field.name: field.form})}  # {_comment(texts)}"
    yield "aliases:"
    for field in fields:
        yield f"  {_yaml({field.name: [field.alias]})}"


def _comments(head: str, entries: Iterable[str]) -> Iterator[str]:
    """The entries under their head; nothing if there are none."""
    lines = [f"#   {entry}" for entry in entries]
    yield from [head, *lines] if lines else []


def _left_out(other: NotProposed) -> str:
    return f"“{_comment(other.label)}” ({_comment(other.text)}): {_comment(other.why, MAX_WHY)}"


def _unlabelled(text: Unlabelled) -> str:
    where = f" under “{_comment(text.heading)}”" if text.heading else ""
    return f"{text.role}{where}: “{_comment(text.text)}”"


def _yaml(content: dict[str, object]) -> str:
    """One key and what it says, on one line."""
    line = yaml.safe_dump(
        content, allow_unicode=True, default_flow_style=True, sort_keys=False, width=10_000
    )
    return line.strip()[1:-1]


def _comment(text: str, limit: int = MAX_COMMENT) -> str:
    return show_controls(one_line(visible_text(text), limit))
