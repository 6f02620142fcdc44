"""Pages of many shapes, each with the true answer, what shows it on the page, and a lie about one
of its fields.

A page is made by a function from a random generator, so that there are as many as a test wants.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

PEOPLE = ["Ann Smith", "Maria Garcia", "Jean-Luc Picard", "Li Wei", "Olu Adeyemi", "Zoë Brûlé"]
STRANGERS = ["Peter Miller", "Ingrid Larsen", "Tom O'Neill", "Carla Bruni", "Hugo Boss"]
DEPARTMENTS = ["Finance", "Human Resources", "R&D", "Legal"]
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
GERMAN_MONTHS = (
    *("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September"),
    *("Oktober", "November", "Dezember"),
)


@dataclass(frozen=True)
class AuditedPage:
    """One page, what a truthful model reports of it, and what a liar does."""

    shape: str
    html: str
    truth: dict[str, Any]
    lie: dict[str, Any]
    """One field of the truth with an invented value."""
    written: dict[str, Any]
    """By field the texts that its line has; a list has those of several lines."""
    schema: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Day:
    year: int
    month: int
    day: int

    @property
    def iso(self) -> str:
        return f"{self.year}-{self.month:02}-{self.day:02}"

    @property
    def english(self) -> str:
        return f"{self.day} {MONTHS[self.month - 1]} {self.year}"

    @property
    def american(self) -> str:
        return f"{MONTHS[self.month - 1]} {self.day}, {self.year}"

    @property
    def german(self) -> str:
        return f"{self.day}. {GERMAN_MONTHS[self.month - 1]} {self.year}"


def a_day(rng: random.Random) -> Day:
    return Day(rng.randint(2019, 2027), rng.randint(1, 12), rng.randint(1, 28))


Made = tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]
"""The page, the truth, the lie, and what is written for each field."""


def definition_list(rng: random.Random) -> Made:
    person, stranger, day = rng.choice(PEOPLE), rng.choice(STRANGERS), a_day(rng)
    salary = rng.randint(11, 99) * 100 + 50
    html = f"""<h1>Record</h1><dl><dt>Department</dt><dd>{rng.choice(DEPARTMENTS[:2])}</dd>
    <dt>Start date</dt><dd>{day.english}</dd><dt>Salary</dt><dd>€ {salary:,}</dd>
    <dt>Manager</dt><dd>{person}</dd></dl>"""
    truth = {"start_date": day.iso, "salary": salary, "manager": person}
    written = {"start_date": (day.english,), "salary": (f"{salary:,}",), "manager": (person,)}
    return html, truth, {"manager": stranger}, written


def two_column_table(rng: random.Random) -> Made:
    approvals, comments = rng.sample(range(2, 40), 2)
    html = f"""<h1>Change</h1><table><tr><th>Approvals</th><td>{approvals}</td></tr>
    <tr><th>Comments</th><td>{comments}</td></tr><tr><th>Owner</th><td>{rng.choice(PEOPLE)}</td>
    </tr></table>"""
    truth = {"approvals": approvals, "comments": comments}
    return html, truth, {"approvals": comments}, _each(truth)


def table_with_head(rng: random.Random) -> Made:
    names = rng.sample(PEOPLE, 4)
    rows = [(name, *rng.sample(range(2, 90), 2)) for name in names]
    body = "".join(f"<tr><td>{n}</td><td>{a}</td><td>{c}</td></tr>" for n, a, c in rows)
    html = f"""<h1>Reviewers</h1><table><thead><tr><th>Name</th><th>Approvals</th>
    <th>Open comments</th></tr></thead><tbody>{body}</tbody></table>"""
    name, approvals, comments = rows[rng.randrange(4)]
    truth = {"name": name, "approvals": approvals, "open_comments": comments}
    free = next(n for n in range(2, 90) if n not in {r[1] for r in rows})
    written = {field: (name, str(value)) for field, value in truth.items()}
    return html, truth, {"approvals": free}, written


def prose(rng: random.Random) -> Made:
    person, day = rng.choice(PEOPLE), a_day(rng)
    approvals, comments = rng.sample(range(2, 12), 2)
    html = f"""<h1>Add a cache</h1><p>This change was opened by <a href="/p">{person}</a> on
    {day.american} and has {approvals} approvals, {comments} comments and {approvals + 20} files.
    </p>"""
    truth = {"author": person, "opened_at": day.iso, "approvals": approvals, "comments": comments}
    written = {
        "author": (person,), "opened_at": (day.american,), "approvals": (f"{approvals} approvals",),
        "comments": (f"{comments} comments",),
    }  # fmt: skip
    return html, truth, {"approvals": comments}, written


def number_above_label(rng: random.Random) -> Made:
    followers, repositories = rng.sample(range(2, 900), 2)
    html = f"""<h1>Profile</h1><div style="display:flex;gap:40px">
    <div><div>{followers}</div><div>Followers</div></div>
    <div><div>{repositories}</div><div>Repositories</div></div></div>"""
    truth = {"followers": followers, "repositories": repositories}
    return html, truth, {"followers": repositories}, _each(truth)


def label_above_number(rng: random.Random) -> Made:
    open_, closed = rng.sample(range(2, 900), 2)
    html = f"""<h1>Issues</h1><div style="display:flex;gap:40px">
    <div><div>Open issues</div><div>{open_}</div></div>
    <div><div>Merged changes</div><div>{closed}</div></div></div>"""
    truth = {"open_issues": open_, "merged": closed}
    return html, truth, {"merged": open_}, _each(truth)


def german(rng: random.Random) -> Made:
    day, euros = a_day(rng), rng.randint(1000, 9999)
    written = f"{euros:,}".replace(",", ".")
    html = f"""<html lang="de"><h1>Rechnung</h1><table><tr><th>Betrag</th><td>{written},00 €</td>
    </tr><tr><th>Datum</th><td>{day.german}</td></tr></table></html>"""
    lie = {"amount": euros + rng.randint(1, 99)}
    shown = {"amount": (f"{written},00",), "invoice_date": (day.german,)}
    return html, {"amount": euros, "invoice_date": day.iso}, lie, shown


def thousands_with_k(rng: random.Random) -> Made:
    tenths = rng.randint(11, 99)
    html = f"""<h1>linux</h1><p><a href="/stargazers">{tenths / 10}k stars</a>
    <a href="/forks">{rng.randint(100, 999)} forks</a></p>"""
    written = {"stars": (f"{tenths / 10}k stars",)}
    return html, {"stars": tenths * 100}, {"stars": tenths * 100 + 37}, written


def tooltip(rng: random.Random) -> Made:
    day, other = a_day(rng), a_day(rng)
    html = f"""<h1>Ticket</h1><div>Opened</div><div><time title="{day.english}">2 days ago</time>
    </div><a href="/u" title="{rng.choice(PEOPLE)}">AS</a>"""
    lie = {"opened": Day(other.year + 9, other.month, other.day).iso}
    return html, {"opened": day.iso}, lie, {"opened": (day.english,)}


def frames(rng: random.Random) -> Made:
    person, points = rng.choice(PEOPLE), rng.randint(2, 99)
    html = f"""<h1>Board</h1>
    <iframe srcdoc="<dl><dt>Assignee</dt><dd>{person}</dd></dl>"></iframe>
    <iframe srcdoc="<dl><dt>Story points</dt><dd>{points}</dd></dl>"></iframe>"""
    truth = {"assignee": person, "story_points": points}
    return html, truth, {"story_points": points + 1}, _each(truth)


def several_lines(rng: random.Random) -> Made:
    street, city = f"{rng.randint(1, 99)} Main Street", rng.choice(["Springfield", "Łódź"])
    code = rng.randint(10000, 99999)
    html = f"""<h1>Supplier</h1><dl><dt>Address</dt><dd>{street}<br>{code} {city}<br>Utopia</dd>
    <dt>Notes</dt><dd><div>Pays late.</div><div>Ask {rng.choice(PEOPLE)}.</div></dd></dl>"""
    truth = {"address": f"{street}\n{code} {city}\nUtopia"}
    written = {"address": [(street,), (f"{code} {city}",), ("Utopia",)]}
    return html, truth, {"address": f"{street}\n{code + 1} {city}\nUtopia"}, written


def two_cells(rng: random.Random) -> Made:
    pairs = [p.split(" ", 1) for p in rng.sample(PEOPLE, 4)]
    body = "".join(f"<tr><td>{a}</td><td>{b}</td><td>yes</td></tr>" for a, b in pairs)
    html = f"""<h1>People</h1><table><tr><th>First name</th><th>Last name</th><th>Active</th></tr>
    {body}</table>"""
    first, last = pairs[rng.randrange(4)]
    stranger = rng.choice(STRANGERS).split()[1]
    lie = {"full_name": f"{first} {stranger}"}
    return html, {"full_name": f"{first} {last}"}, lie, {"full_name": (first, last)}


def array_of_words(rng: random.Random) -> Made:
    labels = rng.sample(["bug", "ui", "needs triage", "backend", "v2", "good first issue"], 3)
    items = "".join(f"<li>{label}</li>" for label in labels)
    html = f"<h1>Crash on start</h1><h2>Labels</h2><ul>{items}</ul>"
    written = {"labels": [(label,) for label in labels]}
    return html, {"labels": labels}, {"labels": [*labels[:2], "security"]}, written


def array_of_rows(rng: random.Random) -> Made:
    names = rng.sample(["lint", "build", "unit tests", "e2e", "docs", "coverage"], 4)
    rows = [(n, rng.choice(["passed", "failed"]), rng.randint(3, 59)) for n in names]
    body = "".join(f"<tr><td>{n}</td><td>{s}</td><td>{m} min</td></tr>" for n, s, m in rows)
    html = f"""<h1>Checks</h1><table><tr><th>Check</th><th>Result</th><th>Duration</th></tr>{body}
    </table>"""
    checks = [{"name": n, "result": s, "minutes": m} for n, s, m in rows]
    lie = [*checks[:3], {**checks[3], "name": "security scan"}]
    lines = [(n, s, f"{m} min") for n, s, m in rows]
    failed = [line for line in lines if line[1] == "failed"]
    truth = {"checks": checks, "checks_total": len(rows), "checks_failed": len(failed)}
    written = {"checks": lines, "checks_total": lines, "checks_failed": failed or ("Checks",)}
    return html, truth, {"checks": lie}, written


def yes_and_no(rng: random.Random) -> Made:
    archived, person = rng.random() < 0.5, rng.choice(PEOPLE)
    html = f"""<h1>Settings</h1><dl><dt>Archived</dt><dd>{"yes" if archived else "no"}</dd>
    <dt>Owner</dt><dd>{person}</dd></dl>
    <label><input type="checkbox" checked> Public</label>"""
    truth = {"archived": archived, "public": True, "owner": person}
    written = {
        "archived": ("yes" if archived else "no",),
        "public": ("Public",),
        "owner": (person,),
    }
    return html, truth, {"owner": rng.choice(STRANGERS)}, written


def counted_rows(rng: random.Random) -> Made:
    number = rng.randint(4, 9)
    hashes = [f"{h:07x}" for h in rng.sample(range(2**24, 2**28), number)]
    rows = "".join(f"<tr><td>{h}</td><td>Fix a bug</td></tr>" for h in hashes)
    html = f"<h1>Commits</h1><table>{rows}</table><p>{number + 11} watchers</p>"
    written = {"commit_count": [(h, "Fix a bug") for h in hashes]}
    return html, {"commit_count": number}, {"commit_count": number + 11}, written


def addresses(rng: random.Random) -> Made:
    number = rng.randint(100, 9999)
    html = f"""<h1>Change</h1><p>Pull request: <a href="https://git.test/o/r/pull/{number}/">
    #{number}</a></p><p><a href="mailto:ann@corp.test">Write</a></p>"""
    truth = {"pull_request": f"https://git.test/o/r/pull/{number}", "email": "ann@corp.test"}
    lie = {"pull_request": f"https://git.test/o/r/pull/{number + 1}"}
    return html, truth, lie, {"pull_request": (f"#{number}",), "email": ("Write",)}


def form_values(rng: random.Random) -> Made:
    cost = rng.randint(1000, 9999)
    html = f"""<h1>Edit</h1><label>Cost centre <input value="{cost}"></label>
    <label>State <select><option>Draft</option><option selected>In review</option></select></label>
    """
    truth = {"cost_centre": str(cost), "state": "In review"}
    return html, truth, {"cost_centre": str(cost + 1)}, _each(truth)


def badge_and_heading(rng: random.Random) -> Made:
    number, status = rng.randint(100, 999), rng.choice(["Open", "Merged", "Closed"])
    html = f"""<h1>Add a cache for icons <span>#{number}</span></h1><span>{status}</span>
    <p>{number - 50} views</p>"""
    truth = {"title": "Add a cache for icons", "status": status}
    return html, truth, {"title": "Add a cache for pictures"}, _each(truth)


def percent_and_minus(rng: random.Random) -> Made:
    share, balance = rng.randint(101, 999) / 10, rng.randint(1000, 99999) / 100
    html = f"""<h1>Account</h1><dl><dt>Coverage</dt><dd>{share} %</dd>
    <dt>Balance</dt><dd>-{balance}</dd></dl>"""
    truth = {"coverage": share, "balance": -balance}
    return html, truth, {"balance": balance}, _each(truth)


def under_headings(rng: random.Random) -> Made:
    approvals, tasks = rng.sample(range(2, 90), 2)
    html = f"""<section><h2>Approvals</h2><p>{approvals}</p></section>
    <section><h2>Open tasks</h2><p>{tasks}</p></section>"""
    truth = {"approvals": approvals, "tasks": tasks}
    return html, truth, {"approvals": tasks}, _each(truth)


def grid_of_boxes(rng: random.Random) -> Made:
    person, hours = rng.choice(PEOPLE), rng.randint(2, 60)
    html = f"""<h1>Request</h1><div style="display:grid;grid-template-columns:100px 200px">
    <div>Hours</div><div>{hours}</div><div>Approver</div><div>{person}</div>
    <div>Days</div><div>{hours + 3}</div></div>"""
    truth = {"hours": hours, "approver": person}
    return html, truth, {"hours": hours + 3}, _each(truth)


def unspaced_script(rng: random.Random) -> Made:
    people = rng.randint(12, 99)
    html = f"""<html lang="ja"><h1>部門</h1><dl><dt>部門名</dt><dd>財務部</dd><dt>人数</dt>
    <dd>{people}名</dd></dl></html>"""
    written = {"department": ("財務部",), "人数": (f"{people}名",)}
    return html, {"department": "財務部", "人数": people}, {"department": "人事部"}, written


def _each(truth: dict[str, Any]) -> dict[str, Any]:
    """Each value is written as it is reported."""
    return {name: (str(value),) for name, value in truth.items()}


SHAPES: tuple[Callable[[random.Random], Made], ...] = (
    definition_list, two_column_table, table_with_head, prose, number_above_label,
    label_above_number, german, thousands_with_k, tooltip, frames, several_lines, two_cells,
    array_of_words, array_of_rows, yes_and_no, counted_rows, addresses, form_values,
    badge_and_heading, percent_and_minus, under_headings, grid_of_boxes, unspaced_script,
)  # fmt: skip


def audited_pages(number: int) -> Iterator[AuditedPage]:
    """So many pages, of all shapes in turn; the same ones each time."""
    for n in range(number):
        shape = SHAPES[n % len(SHAPES)]
        html, truth, lie, written = shape(random.Random(n))
        yield AuditedPage(shape.__name__, html, truth, {**truth, **lie}, written)
