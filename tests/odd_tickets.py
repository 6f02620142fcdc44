"""A tracker of any size, of which some tickets are odd, for the test and the bench of recipes.

What is true of each ticket is known: its values, null where it has none, and that nothing can be
said where its page contradicts itself. Each kind of oddness comes in two forms.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citing import sources_in
from local_site import Site
from wire.messages_server import Answer, Request, text_only, tool_use

PEOPLE = ("Priya Nair", "Tomas Berg", "Ines Alves", "Yuki Mori", "Omar Haddad", "Lena Vogt")
PRIORITIES = ("High", "Low", "Medium", "Urgent")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun")
WORDS = ("ledger", "export", "digest", "picker", "totals", "queue", "search", "mail")
KINDS = (
    "unassigned",
    "moved_tab",
    "renamed_label",
    "second_table",
    "redirected",
    "merged",
    "other_layout",
    "banner",
    "other_locale",
    "late",
)
SPEC: Mapping[str, Any] = {
    "task_id": "odd_tracker",
    "goal": "Read the ticket {sample_id}.",
    "output_schema": {
        "title": "string",
        "assignee": "string | null",
        "priority": "string",
        "due_date": "date | null",
        "estimate": "number | null",
    },
    "required_fields": ["title", "priority"],
    "required_artifacts": ["ticket"],
    "not_found": "pass",
}
PAGE = """<!doctype html><html lang="{language}"><title>{number} - Tracker</title>
<header><nav><a href="/">Tickets</a> <a href="/people">People</a></nav></header>{banner}
<main><h1>{number}: {title}</h1>{body}
<section><h2>Comments</h2><p>{author} wrote: the priority was {other} once, due on
Jan 1, 2026, and it took 3.5 hours.</p></section></main>{script}</html>"""
LATE = (
    """<script>document.querySelectorAll('dd').forEach(e => { const text = e.textContent;
e.textContent = '–'; setTimeout(() => { e.textContent = text; }, 700); });</script>""",
    """<script>const all = document.querySelector('dl'); const parent = all.parentElement;
const next = all.nextSibling; all.remove();
setTimeout(() => parent.insertBefore(all, next), 900);</script>""",
)
BANNERS = (
    '<div role="alert">We are moving to a new tracker.</div>',
    '<dialog open><p>New: saved searches.</p><button onclick="parentElement.close()">Close'
    "</button></dialog>",
)
PLANNING = (
    '<button onclick="planning.hidden=false">Planning</button><section id=planning hidden>{}'
    "</section>"
)


@dataclass(frozen=True)
class Ticket:
    """One ticket; ``kind`` is what is odd about its page, or empty, and ``form`` which of two."""

    number: int
    kind: str = ""
    form: int = 0

    @property
    def name(self) -> str:
        return f"TRK-{self.number}"

    @property
    def values(self) -> dict[str, Any]:
        n = self.number
        title = f"The {WORDS[n % 8]} of {WORDS[n // 8 % 8]} number {n * 7} stops after a while"
        return {
            "title": title,
            "assignee": None if self.kind == "unassigned" else PEOPLE[n % len(PEOPLE)],
            "priority": PRIORITIES[n // 2 % len(PRIORITIES)],
            "due_date": f"2027-{n % 6 + 1:02}-{n % 27 + 1:02}",
            "estimate": n * 37 % 3000 + 1000.5,
        }

    @property
    def truth(self) -> dict[str, Any] | None:
        """Its values; None if its page says nothing of it, or contradicts itself."""
        is_contradicted = self.kind == "second_table" and self.form == 1
        return None if self.is_gone or is_contradicted else self.values

    @property
    def is_gone(self) -> bool:
        """Whether its address shows another ticket."""
        return self.kind in ("redirected", "merged")

    def page(self) -> str:
        shown = Ticket(self.number + 1) if self.kind == "merged" else self
        own = shown.values
        return PAGE.format(
            language="de" if self.kind == "other_locale" else "en",
            banner=BANNERS[self.form] if self.kind == "banner" else "",
            number=shown.name,
            title=own["title"],
            body=shown.body() if shown is self else f"<p>{self._merged}</p>{shown.body()}",
            author=PEOPLE[self.number % 5],
            other=PRIORITIES[self.number % 4],
            script=LATE[self.form] if self.kind == "late" else "",
        )

    @property
    def _merged(self) -> str:
        return "" if self.form else f"{self.name} was merged into this ticket."

    def body(self) -> str:
        rows = self._rows()
        if self.kind == "other_layout":
            return f"<h2>Facts</h2>{_table(rows)}" if self.form else _table(rows)
        moved = {"Due date": rows.pop("Due date")} if self.kind == "moved_tab" else {}
        body = _list(rows)
        if moved:
            body += PLANNING.format(
                _list(moved) if self.form else f"<p>Due date: {moved.popitem()[1]}</p>"
            )
        if self.kind == "second_table":
            other = Ticket(self.number + 1)._rows()
            body += (
                _list(other)
                if self.form
                else f"<h2>Parent TRK-{self.number + 1}</h2>{_list(other)}"
            )
        return body

    @property
    def estimate(self) -> str:
        return f"{self.values['estimate']:,} h"

    @property
    def shown(self) -> dict[str, tuple[str, str]]:
        """Under which label its page has each value, and as which text."""
        (assignee, *others), title = self._rows().items(), self.values["title"]
        texts = {name.lower().replace(" ", "_"): (name, text) for name, text in others}
        shown = {"title": (title, title), "assignee": assignee, **texts}
        return {name: shown[name] for name in self.values if shown[name][1]}

    def _rows(self) -> dict[str, str]:
        """The labels and texts of its page."""
        own = self.values
        year, month, day = own["due_date"].split("-")
        due, estimate = f"{MONTHS[int(month) - 1]} {int(day)}, {year}", self.estimate
        if self.kind == "other_locale":
            due = f"{day}.{month}.{year}" if self.form else f"{int(day)}.{int(month)}.{year}"
            estimate = estimate.translate(str.maketrans(",.", ".,"))
        label = "Assignee"
        if self.kind == "renamed_label":
            label = ("Responsible", "Assigned to")[self.form]
        return {
            label: own["assignee"] or ("Nobody yet", "")[self.form],
            "Priority": own["priority"],
            "Reporter": PEOPLE[self.number // 3 % len(PEOPLE)],
            "Due date": due,
            "Estimate": estimate,
        }


def _list(rows: Mapping[str, str]) -> str:
    return "<dl>" + "".join(f"<dt>{k}</dt><dd>{v}</dd>" for k, v in rows.items()) + "</dl>"


def _table(rows: Mapping[str, str]) -> str:
    lines = "".join(f"<tr><th>{k}</th><td>{v}</td></tr>" for k, v in rows.items())
    return f"<table>{lines}</table>"


def tickets(number: int, share: float = 0.06, seed: int = 13) -> list[Ticket]:
    """So many tickets, of which a share is odd at random places: each kind as often as the others,
    and each form in turn."""
    places = sorted(random.Random(seed).sample(range(number), round(number * share)))
    order = random.Random(seed).sample(range(len(places)), len(places))
    odd = {
        place: (KINDS[n % len(KINDS)], n // len(KINDS) % 2)
        for place, n in zip(places, order, strict=True)
    }
    return [Ticket(101 + n, *odd.get(n, ("", 0))) for n in range(number)]


def tickets_with(number: int, odd: Mapping[int, tuple[str, int]]) -> list[Ticket]:
    """So many tickets, of which those at some positions are of a kind and a form."""
    return [Ticket(101 + n, *odd.get(n, ("", 0))) for n in range(number)]


def publish(site: Site, all_tickets: Sequence[Ticket]) -> None:
    for ticket in all_tickets:
        path = f"/tickets/{ticket.name}"
        if ticket.kind == "redirected":
            other = f"/tickets/TRK-{ticket.number + 1}"
            status = 302 if ticket.form == 0 else 307
            site.pages[path] = (status, {"Location": other}, b"")
        else:
            site.pages[path] = ticket.page()


def model_of(
    all_tickets: Sequence[Ticket], wrong: Mapping[str, Mapping[str, Any]] | None = None
) -> Callable[[Request], Answer]:
    """A model that is always right, except for the values that ``wrong`` has for a ticket."""
    known = {ticket.name: ticket for ticket in all_tickets}

    def answer(request: Request) -> Answer:
        if isinstance(request.body["system"], str):  # what other samples should know
            return text_only("")
        match = re.search(r'the sample "([\w-]+)"', request.body["system"][1]["text"])
        assert match
        ticket = known[match[1]]
        if ticket.is_gone:
            return tool_use("fail", note="its address shows another ticket", kind="not_found")
        if ticket.truth is None:
            return tool_use("fail", note="two tables contradict each other", kind="other")
        if ticket.kind == "late" and ticket.estimate not in request.prompt:
            return tool_use("wait", selector=ticket.estimate)
        tab = re.search(r'\[(\d+)\] \[button\] "Planning"', request.prompt)
        if tab and "Due date" not in request.prompt.split("## ")[1]:
            return tool_use("click", selector=tab[1])
        fields = {**ticket.truth, **((wrong or {}).get(ticket.name) or {})}
        sources = sources_in(request.prompt, ticket.shown)
        return tool_use("done", extracted=fields, sources=sources, screenshot_label="ticket")

    return answer


def wrong_values(
    all_tickets: Sequence[Ticket], result_of: Callable[[str], Mapping[str, Any]]
) -> Iterator[str]:
    """What results say and what is not so: one line for each ticket."""
    for ticket in all_tickets:
        result = result_of(ticket.name)
        if result["outcome"] == "not_found" and not ticket.is_gone:
            yield f"{ticket.name} ({ticket.kind} {ticket.form}): it does exist"
        if result["status"] != "done":
            continue
        given, truth = result["extracted"], ticket.truth
        if truth is None:
            yield f"{ticket.name} ({ticket.kind} {ticket.form}): nothing can be said of it"
        elif given != truth:
            different = {n: (given.get(n), truth[n]) for n in truth if given.get(n) != truth[n]}
            yield f"{ticket.name} ({ticket.kind} {ticket.form}): {different}"
