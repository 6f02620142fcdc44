"""How each page is played: the calls of one decision after another.

A play is a generator: it is sent the prompt and yields the calls of a decision. The page itself
says whether its goal was reached: it asks for /reward/NAME. Plays that only read are right if their
answer is.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from wire.messages_server import call

from ideal_model.prompt import Call, Prompt, click, done, type_text

Decisions = Generator[list[Call], Prompt, None]


@dataclass(frozen=True)
class Play:
    """One page: what is asked for, the right answer, and how it is found."""

    goal: str
    answer: dict[str, Any]
    decide: Callable[[Prompt], Decisions]
    acts: bool
    """Whether something is to be done, and not only read."""


PLAYS: dict[str, Play] = {}
Decide = Callable[[Prompt], Decisions]


def play(goal: str, *, acts: bool = False, **answer: Any) -> Callable[[Decide], Decide]:
    """The decorated function plays the page of its name."""

    def add(decide: Decide) -> Decide:
        PLAYS[decide.__name__] = Play(goal, answer, decide, acts)
        return decide

    return add


# -- controls without text ----------------------------------------------------------------------


@play("Move the mail of Ann Quist to the trash.", acts=True, result="Moved to trash: Ann Quist")
def mail(seen: Prompt) -> Decisions:
    seen = yield [click(seen.number(r'\[\w+\] "[^"]*" \(.*trash', after=r"Ann Quist(?!gaard)"))]
    yield [done(result=seen.read(r"(Moved to trash: [A-Z]\w+ [A-Z]\w+)"))]


@play("Like all posts of Ada. The result is how many posts are liked.", acts=True, result="4")
def feed(seen: Prompt) -> Decisions:
    authors = seen.numbers(r'\[heading\] "\w+"')
    names = [seen.read(rf'\[{number}\] \[heading\] "(\w+)"') for number in authors[1:]]
    likes = seen.numbers(r"\[clickable\] .*like")
    seen = yield [click(like) for like, name in zip(likes, names, strict=True) if name == "Ada"]
    yield [done(result=seen.read(r"Liked: (\d+) posts"))]


@play("Save the note “Call the bank on Monday.”", acts=True, result="Saved 24 characters")
def editor(seen: Prompt) -> Decisions:
    note = seen.number(r'\[textbox\] "Note"')
    save = seen.number(r'\[\w+\] "" \(.*save')
    seen = yield [type_text(note, "Call the bank on Monday."), click(save)]
    yield [done(result=seen.read(r"(Saved \d+ characters)"))]


@play("What is the state of the check lint?", result="failed")
def checks(seen: Prompt) -> Decisions:
    yield [done(result=seen.read(r"lint \| (\w+) \| 12s"))]


@play("Who leads on Tuesday (full name)?", result="Piet Janssen")
def tooltips(seen: Prompt) -> Decisions:
    yield [done(result=seen.read(r"Tuesday.*(Piet Janssen)"))]


# -- what unfolds, scrolls and turns ------------------------------------------------------------


@play("How large is june.pdf in reports of 2025?", result="204 kB")
def files(seen: Prompt) -> Decisions:
    seen = yield [click(seen.number(r'\[clickable\] "reports"'))]
    seen = yield [click(seen.number(r'\[clickable\] "2025"', after='"reports"'))]
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
    result="S-90",
)
def form(seen: Prompt) -> Decisions:
    country = {"selector": seen.number(r'\[combobox\] "Country"'), "value": "Denmark"}
    seen = yield [
        type_text(seen.number(r'\[textbox\] "Name"'), "Nordlys"),
        type_text(seen.number(r'\[textbox\] "City"'), "Aarhus"),
        call("select_option", country),
        type_text(seen.number(r'\[textbox\] "Founded"'), "2011-02-28"),
        click(seen.number(r'\[button\] "Send"')),
    ]
    yield [done(result=seen.read(r"number (S-\d+)"))]


@play("Set the certificate valid until 24 December 2027.", acts=True, result="24.12.2027")
def masked(seen: Prompt) -> Decisions:
    field = seen.number(r'\[textbox\] "Valid until"')
    seen = yield [type_text(field, "24122027"), click(seen.number(r'\[button\] "Save"'))]
    yield [done(result=seen.read(r"Saved: valid until ([\d.]+)"))]


@play("Set Nut to 15 and Washer to 9, and save both.", acts=True, result="Nut 15, Washer 9")
def inline(seen: Prompt) -> Decisions:
    calls = []
    for part, count in (("Nut", "15"), ("Washer", "9")):
        calls.append(type_text(seen.number(r"\[(?:textbox)\]", after=part), count))
        calls.append(click(seen.number("Save", after=part)))
    seen = yield calls
    yield [done(result=seen.read(r"Saved: (Nut 15, Washer 9)"))]


@play("Grant all ten rights.", acts=True, result="10 of 10")
def boxes(seen: Prompt) -> Decisions:
    numbers = seen.numbers(r"\[checkbox\]")
    assert len(numbers) == 10
    seen = yield [click(number) for number in numbers[:5]]
    seen = yield [click(number) for number in numbers[5:]]
    seen = yield [click(seen.number(r'\[button\] "Grant"'))]
    yield [done(result=seen.read(r"Granted: (10 of 10)"))]


@play("Assign the case to Norman Cole.", acts=True, result="Assigned to Norman Cole")
def suggest(seen: Prompt) -> Decisions:
    seen = yield [type_text(seen.number(r'\[combobox\] "Assignee"'), "Norm")]
    seen = yield [click(seen.number(r'\[option\] "Norman Cole"'))]
    yield [done(result=seen.read(r"(Assigned to Norman Cole)"))]


@play("Book the arrival on 17 April 2026.", acts=True, result="Arrival on 17 April 2026")
def calendar(seen: Prompt) -> Decisions:
    seen = yield [click(seen.number(r'\[textbox\] "Arrival"'))]
    onward = seen.number(r'\[clickable\] "›"')
    seen = yield [click(onward)] * 3
    seen.read("April 2026")
    seen = yield [click(seen.number('"17"'))]
    yield [done(result=seen.read(r"(Arrival on 17 April 2026)"))]


@play("Close the project as finished.", acts=True, result="Closed: Finished")
def dialog(seen: Prompt) -> Decisions:
    seen = yield [click(seen.number(r'\[button\] "Close project"'))]
    why = {"selector": seen.number(r'\[combobox\] "'), "value": "Finished"}
    confirm = seen.number(r'\[button\] "Confirm"')
    seen = yield [call("select_option", why), click(confirm)]
    yield [done(result=seen.read(r"(Closed: Finished)"))]


@play("Which code stands in notes.txt?", acts=True, result="7731")
def terminal(seen: Prompt) -> Decisions:
    screen = seen.number(r"\[\w+\] .*Type help")
    seen = yield [type_text(screen, "cat notes.txt", enter=True)]
    yield [done(result=seen.read(r"The code is (\d+)"))]
