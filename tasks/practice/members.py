"""Practice site of an organisation's members on several pages, and of an archive that grows as it is
scrolled. One page answers HTTP 429 at first, and one member is listed twice."""

from __future__ import annotations

from dataclasses import dataclass

from tasks.practice.web import Reply, Request, as_json, definitions, not_found, page

SITE = "Guildhall"
PAGE_SIZE = 16
RECORDS, BATCH = 1000, 100
BUSY_PAGE = 3
GIVEN = ("Ada", "Bram", "Chidi", "Dora", "Emil", "Fatou", "Goran", "Hana", "Ivo", "Jun")
FAMILY = ("Quist", "Okoro", "Rossi", "Levy", "Tanaka", "Novak")
TEAMS = ("ledger", "portal", "mailer")
CITIES = ("Lund", "Lagos", "Milan", "Haifa", "Osaka", "Brno", "Quito")


@dataclass(frozen=True)
class Member:
    login: str
    name: str
    team: str
    city: str
    since: int


MEMBERS = {
    m.login: m
    for n in range(60)
    for m in [
        Member(
            f"{GIVEN[n % 10]}-{FAMILY[n // 10]}".lower(), f"{GIVEN[n % 10]} {FAMILY[n // 10]}",
            TEAMS[n % 3], CITIES[n % 7], 2004 + n % 19,
        )
    ]
}  # fmt: skip
GUESTS = {
    "guest-of-the-city": Member("guest-of-the-city", "Guest Of The City", "portal", "Graz", 2021),
    "guest-of-the-port": Member("guest-of-the-port", "Guest Of The Port", "mailer", "Ystad", 2022),
}
"""They have pages like members, and are suggested beside the list; they belong to no guild."""
LISTED = [*MEMBERS, "ada-quist"]
"""In the order of the pages: one of them stands on the first and on the last page."""
ARCHIVE = """<h1>Archive</h1><p>{total} records</p><ul id="list"></ul><div id="end" style="height:20px"></div>
<script>
const list = document.getElementById("list");
let next = 0, busy = false;
async function more() {{
  if (busy || next >= {records}) return;
  busy = true;
  const rows = await (await fetch("/api/archive?from=" + next)).json();
  for (const row of rows) {{
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = "/archive/" + row.id; link.textContent = row.title;
    item.append(link, " ", row.year); list.append(item);
  }}
  next += rows.length; busy = false;
}}
new IntersectionObserver(entries => {{ if (entries.some(e => e.isIntersecting)) more(); }})
  .observe(document.getElementById("end"));
</script>"""


def respond(request: Request) -> Reply | None:
    match request.path.strip("/").split("/"):
        case ["orgs", "guild", "members"]:
            return _listing(int(request.query.get("page", "1")), request)
        case ["members", login] if login in MEMBERS | GUESTS:
            return _member((MEMBERS | GUESTS)[login])
        case ["members", login, "activity"] if login in MEMBERS:
            name = MEMBERS[login].name
            return page(f"Activity of {name}", f"<h1>Activity of {name}</h1>", site=SITE)
        case ["members", login]:
            return not_found(SITE, f"Member {login}")
        case ["archive"]:
            body = ARCHIVE.format(total=f"{RECORDS:,}", records=RECORDS)
            return page("Archive", body, site=SITE)
        case ["archive", number] if number.removeprefix("R-").isdecimal():
            return page(number, f"<h1>{number}</h1>{definitions({'Record': number})}", site=SITE)
        case ["api", "archive"]:
            return _records(int(request.query.get("from", "0")))
    return None


def _listing(number: int, request: Request) -> Reply:
    if number == BUSY_PAGE and "seen_members" not in request.cookies:
        body = "<h1>Too many requests</h1><p>Please wait a moment.</p>"
        cookie = "seen_members=1; Path=/"
        return page("429", body, site=SITE, status=429, Retry_After="1", Set_Cookie=cookie)
    shown = [MEMBERS[name] for name in LISTED[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]]
    cards = "".join(
        f'<li class="card"><a href="/members/{m.login}">{m.name}</a> '
        f'<a href="/teams/{m.team}">{m.team}</a> <a href="/members/{m.login}/activity">Activity</a></li>'
        for m in shown
    )
    guests = "".join(f'<li><a href="/members/{g}">{m.name}</a></li>' for g, m in GUESTS.items())
    last = -(-len(LISTED) // PAGE_SIZE)
    pager = "".join(
        f"<b>{n}</b> " if n == number else f'<a href="/orgs/guild/members?page={n}">{n}</a> '
        for n in range(1, last + 1)
    )
    if number < last:
        pager += f'<a href="/orgs/guild/members?page={number + 1}">Next</a>'
    body = (
        f"<h1>Members of the guild</h1><p>{len(LISTED)} members</p>"
        f'<p>Founded by <a href="/people/ada-quist">its patron</a></p><ul class="items">{cards}</ul>'
        f"<nav>{pager}</nav>"
        f"<aside><h2>Guests</h2><ul>{guests}</ul></aside>"
    )
    return page("Members", body, site=SITE)


def _member(member: Member) -> Reply:
    fields = {"Name": member.name, "Team": member.team, "City": member.city}
    fields["Member since"] = str(member.since)
    return page(member.name, f"<h1>{member.name}</h1>{definitions(fields)}", site=SITE)


def _records(start: int) -> Reply:
    numbers = range(start, min(start + BATCH, RECORDS))
    rows = [
        {"id": f"R-{n + 1:04}", "title": f"Record {n + 1}", "year": 1900 + n % 100} for n in numbers
    ]
    return as_json(rows, delay=0.02)
