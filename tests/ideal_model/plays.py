"""How each page is played: the calls of one decision after another.

A play is a generator: it is sent the prompt and yields the calls of a decision. The page itself
says whether its goal was reached: it asks for /reward/NAME. Plays that only read are right if their
answer is.

The model knows nothing of what a page will show after an action. It names what a prompt has shown,
and texts that the goal names; where the goal asks for nothing but an action, its answer is that it
was done.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from wire.messages_server import call

from ideal_model.prompt import Call, Cited, Prompt, choose, click, done, read, type_text

Decisions = Generator[list[Call], Prompt, None]


@dataclass(frozen=True)
class Play:
    """One page: what is asked for, the right answer, and how it is found."""

    goal: str
    answer: dict[str, Any]
    decide: Callable[[Prompt], Decisions]
    acts: bool
    """Whether something is to be done, and not only read."""
    levels: bool
    """Whether the way leads over several pages."""


PLAYS: dict[str, Play] = {}
Decide = Callable[[Prompt], Decisions]


def play(
    goal: str, *, acts: bool = False, levels: bool = False, **answer: Any
) -> Callable[[Decide], Decide]:
    """The decorated function plays the page of its name."""

    def add(decide: Decide) -> Decide:
        PLAYS[decide.__name__] = Play(goal, answer, decide, acts, levels)
        return decide

    return add


# -- controls without text ----------------------------------------------------------------------


@play("Move the mail of Ann Quist to the trash.", acts=True)
def mail(seen: Prompt) -> Decisions:
    trash = seen.number(r'\[\w+\] "[^"]*" \(.*trash', after=r"Ann Quist(?!gaard)")
    yield [click(trash), done()]


@play("Like all posts of Ada. The result is how many posts are liked.", acts=True, result="4")
def feed(seen: Prompt) -> Decisions:
    authors = seen.numbers(r'\[heading\] "\w+"')
    names = [seen.read(rf'\[{number}\] \[heading\] "(\w+)"') for number in authors[1:]]
    likes = seen.numbers(r"\[clickable\] .*like")
    own = [click(like) for like, name in zip(likes, names, strict=True) if name == "Ada"]
    liked = int(seen.read(r"Liked: (\d+) posts"))
    yield [*own, done(result=str(liked + len(own)))]


@play("Save the note “Call the bank on Monday.”", acts=True)
def editor(seen: Prompt) -> Decisions:
    note = seen.number(r'\[textbox\] "Note"')
    save = seen.number(r'\[\w+\] "" \(.*save')
    yield [type_text(note, "Call the bank on Monday."), click(save), done()]


@play("What is the state of the check lint?", result="failed")
def checks(seen: Prompt) -> Decisions:
    yield [done(result=seen.read(r"lint \| (\w+) \| 12s"))]


@play("Who leads on Tuesday (full name)?", result="Piet Janssen")
def tooltips(seen: Prompt) -> Decisions:
    yield [done(result=seen.read(r"Tuesday.*(Piet Janssen)"))]


# -- what unfolds, scrolls and turns ------------------------------------------------------------


@play("How large is june.pdf in reports of 2025?", result="204 kB")
def files(seen: Prompt) -> Decisions:
    seen = yield [click(seen.number(r'\[clickable\] "reports"')), click('"2025"')]
    yield [done(result=seen.value(r"june\.pdf", "204 kB"))]


@play("What is the job number at the end of the log?", acts=True, result="J-5523")
def log(seen: Prompt) -> Decisions:
    seen = yield [call("scroll", {"direction": "bottom"})]
    yield [done(result=seen.read(r"Job number: (J-\d+)"))]


@play("Which seat has member 57?", result="E399")
def endless(seen: Prompt) -> Decisions:
    down = call("scroll", {"direction": "bottom"})
    seen = yield [down, down, call("find", {"text": "Member 57"})]
    yield [done(result=seen.read(r"Member 57: seat (\w+)"))]


@play("What is the total of order O-23?", result="239 EUR")
def paging(seen: Prompt) -> Decisions:
    seen = yield [click(seen.number(r'\[clickable\] "2"'))]
    yield [done(result=seen.read(r"O-23 \| (239 EUR)"))]


@play("What is the vendor's bank account?", result="NO93 8601 1117 947")
def tabs(seen: Prompt) -> Decisions:
    seen = yield [click(seen.number(r'\[tab\] "Bank"'))]
    yield [done(result=seen.read(r"Account: (NO93 8601 1117 947)"))]


# -- records ------------------------------------------------------------------------------------

FIRST = {"department": r"\w+", "manager": r"\w+ \w+"}
REST = {"office": r"\w+", "result": r"\w+"}


def _values(seen: Prompt, fields: dict[str, str]) -> dict[str, str]:
    return {name: seen.value(name.capitalize(), pattern) for name, pattern in fields.items()}


@play(
    "Read the record.",
    **{"department": "Treasury", "manager": "Omar Haddad", "office": "Malmö"},
    **{"start_date": "2021-05-03", "result": "Confirmed"},
)
def record(seen: Prompt) -> Decisions:
    seen.value("Start date", "3 May 2021")
    yield [done(**_values(seen, {**FIRST, **REST}), start_date="2021-05-03")]


@play(
    "Read the record; its contract says the rest.",
    **{"department": "Logistics", "manager": "Bea Thorn", "office": "Porto"},
    **{"start_date": "2019-10-11", "result": "Unlimited"},
)
def linked(seen: Prompt) -> Decisions:
    first = _values(seen, FIRST)
    seen = yield [click(seen.number(r'\[link\] "Contract"'))]
    for value in first.values():  # what it has seen must still be before it
        seen.read(value)
    seen.value("Start date", "11 October 2019")
    yield [done(**first, **_values(seen, REST), start_date="2019-10-11")]


# -- fields -------------------------------------------------------------------------------------


@play(
    "Enter the supplier Nordlys in Aarhus, Denmark, founded on 28 February 2011.",
    acts=True,
)
def form(seen: Prompt) -> Decisions:
    yield [
        type_text(seen.number(r'\[textbox\] "Name"'), "Nordlys"),
        type_text(seen.number(r'\[textbox\] "City"'), "Aarhus"),
        choose(seen.number(r'\[combobox\] "Country"'), "Denmark"),
        type_text(seen.number(r'\[textbox\] "Founded"'), "2011-02-28"),
        click(seen.number(r'\[button\] "Send"')),
        done(),
    ]


@play("Set the certificate valid until 24 December 2027.", acts=True)
def masked(seen: Prompt) -> Decisions:
    field = seen.number(r'\[textbox\] "Valid until"')
    save = click(seen.number(r'\[button\] "Save"'))
    yield [type_text(field, "24122027"), save, done()]


@play("Set Nut to 15 and Washer to 9, and save both.", acts=True)
def inline(seen: Prompt) -> Decisions:
    calls = []
    for part, count in (("Nut", "15"), ("Washer", "9")):
        calls.append(type_text(seen.number(r"\[(?:textbox)\]", after=part), count))
        calls.append(click(seen.number("Save", after=part)))
    yield [*calls, done()]


@play("Grant all ten rights.", acts=True)
def boxes(seen: Prompt) -> Decisions:
    numbers = seen.numbers(r"\[checkbox\]")
    assert len(numbers) == 10
    grant = seen.number(r'\[button\] "Grant"')
    calls = [click(number) for number in (*numbers, grant)]
    yield calls[:8]
    yield [*calls[8:], done()]


@play("Assign the case to Norman Cole.", acts=True)
def suggest(seen: Prompt) -> Decisions:
    field = seen.number(r'\[combobox\] "Assignee"')
    yield [type_text(field, "Norman"), click("Norman Cole"), done()]


@play("Book the arrival on 17 April 2026.", acts=True)
def calendar(seen: Prompt) -> Decisions:
    seen = yield [click(seen.number(r'\[textbox\] "Arrival"'))]
    onward = seen.number(r'\[clickable\] "›"')
    seen.read("January 2026")
    yield [*[click(onward)] * 3, click('"17"'), done()]


@play("Close the project as finished.", acts=True)
def dialog(seen: Prompt) -> Decisions:
    seen = yield [click(seen.number(r'\[button\] "Close project"'))]
    why, confirm = seen.number(r'\[combobox\] "'), seen.number(r'\[button\] "Confirm"')
    yield [choose(why, "Finished"), click(confirm), done()]


@play("Which code stands in notes.txt?", acts=True, result="7731")
def terminal(seen: Prompt) -> Decisions:
    screen = seen.number(r"\[\w+\] .*Type help")
    seen = yield [type_text(screen, "cat notes.txt", enter=True)]
    yield [done(result=seen.read(r"The code is (\d+)"))]


# -- several pages ------------------------------------------------------------------------------


@play(
    "Who closed the ticket (manager), and within which time has a ticket of its priority to be "
    "closed by the rules (result)?",
    levels=True,
    manager="Rosa Lind",
    result="4 days",
)
def ticket(seen: Prompt) -> Decisions:
    priority = seen.value("Priority", r"P\d")
    seen = yield [read(seen.number(r'\[link\] "History"'), seen.number(r'\[link\] "Rules'))]
    closer = seen.read(r"(\w+ \w+) \| closed the ticket")
    yield [done(manager=closer, result=seen.read(rf"{priority} \| (\d+ days?)"))]


@play(
    "Who of the list was the last to start (manager), on which day (start_date), and in which "
    "office?",
    levels=True,
    **{"manager": "Eva Brandt", "start_date": "2025-05-02", "office": "Malmö"},
)
def staff(seen: Prompt) -> Decisions:
    names = seen.all(r'\[link\] "(\w+ \w+)"')
    seen = yield [read(*(seen.number(rf'\[link\] "{name}"') for name in names))]
    days = {}
    for name in names:
        place = rf'\[heading\] "{name}"[\s\S]*?'
        day = seen.read(place + r"Start date\W[^A-Z]*?(\d+ \w+ \d{4})")
        days[datetime.strptime(day, "%d %B %Y")] = name, day, place
    start = max(days)
    name, day, place = days[start]
    office = seen.read(place + r"Office\W[^A-Z]*?([A-Z]\w+)")
    date = Cited(f"{start:%Y-%m-%d}", day.line)
    yield [done(manager=seen.read(f'\\[heading\\] "({name})'), start_date=date, office=office)]


@play(
    "Sign in as ann with the password hill-7, and set the telephone to 555 0142, the town to "
    "Bergen, and the language to Norwegian.",
    acts=True,
    levels=True,
)
def account(seen: Prompt) -> Decisions:
    seen = yield [
        type_text(seen.number(r'\[textbox\] "User"'), "ann"),
        type_text(seen.number(r'\[textbox\] "Password"'), "hill-7"),
        click(seen.number(r'\[button\] "Sign in"')),
    ]
    yield [
        type_text(seen.number(r'\[textbox\] "Telephone"'), "555 0142"),
        type_text(seen.number(r'\[textbox\] "Town"'), "Bergen"),
        choose(seen.number(r'\[combobox\] "Language"'), "Norwegian"),
        click(seen.number(r'\[button\] "Save"')),
        done(),
    ]


@play("Set the status of the supplier Orvik Ltd to blocked.", acts=True, levels=True)
def stock(seen: Prompt) -> Decisions:
    search = seen.number(r'\[searchbox\] "Search suppliers"')
    seen = yield [type_text(search, "Orvik Ltd", enter=True), click("Orvik Ltd")]
    status = choose(seen.number(r'\[combobox\] "Status"'), "blocked")
    yield [status, click(seen.number(r'\[button\] "Save"')), done()]
