"""Practice site of a people directory: search, people with the same name, a sign-in page, HTTP 429."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from tasks.practice.web import Reply, Request, definitions, not_found, page

SITE = "Folkbook"


@dataclass(frozen=True)
class Person:
    name: str
    company: str
    role: str
    school: str
    since: str
    private: bool = False
    busy: bool = False
    """Whether the first request of each visitor gets HTTP 429."""


PEOPLE = {
    "ada-quist": Person("Ada Quist", "Northwind", "Controller", "Lund University", "March 2019"),
    "ben-okoro": Person("Ben Okoro", "Contoso", "Auditor", "University of Lagos", "June 2021", busy=True),
    "carla-rossi": Person("Carla Rossi", "Fabrikam", "Engineer", "Politecnico di Milano", "May 2016"),
    "dan-levy": Person("Dan Levy", "Northwind", "Analyst", "Technion", "January 2023"),
    "maria-garcia-1": Person("Maria Garcia", "Contoso", "Designer", "UPM", "April 2018"),
    "maria-garcia-2": Person("Maria Garcia", "Tailspin", "Lawyer", "University of Seville", "July 2020"),
    "mei-tanaka": Person("Mei Tanaka", "Fabrikam", "Buyer", "Keio University", "October 2022", busy=True),
    "olu-adeyemi": Person("Olu Adeyemi", "Tailspin", "Driver", "", "August 2015", private=True),
    "petra-novak": Person("Petra Novak", "Contoso", "Treasurer", "Charles University", "February 2014"),
}  # fmt: skip
SEARCH = """<form action="/people" role="search"><p><label for="q">Search people</label>
<input id="q" name="q" type="search" value="{value}"> <button>Search</button></p></form>"""


def respond(request: Request) -> Reply | None:
    if request.path == "/people":
        return _search_results(request.query.get("q", ""))
    if request.path.startswith("/people/"):
        handle = request.path.rsplit("/", 1)[1]
        if handle not in PEOPLE:
            return not_found(SITE, "This profile")
        return _profile(handle, PEOPLE[handle], request)
    return None


def _search_results(query: str) -> Reply:
    body = "<h1>Find people</h1>" + SEARCH.format(value=escape(query, quote=True))
    if query:
        words = query.casefold().split()
        matches = {h: p for h, p in PEOPLE.items() if all(w in p.name.casefold() for w in words)}
        body += f"<h2>{len(matches)} results</h2>"
        body += "".join(
            f'<div class="result"><a href="/people/{h}">{p.name}</a><div>{p.role} at {p.company}</div></div>'
            for h, p in matches.items()
        )
    return page("People", body, site=SITE)


def _profile(handle: str, person: Person, request: Request) -> Reply:
    cookie = f"seen_{handle}".replace("-", "_")
    if person.busy and cookie not in request.cookies:
        body = f'<h1>Too many requests</h1><p>Wait a moment, then <a href="/people/{handle}">try again</a>.</p>'
        return page(
            "429", body, site=SITE, status=429, Retry_After="1", Set_Cookie=f"{cookie}=1; Path=/"
        )
    if person.private:
        return page("Sign in", "<h1>Sign in to see this profile</h1>", site=SITE)
    fields = {"Current company": person.company, "Role": person.role, "School": person.school}
    body = f"<h1>{person.name}</h1>{definitions(fields)}<p>At {person.company} since: {person.since}</p>"
    body += (
        f'<div class="prop"><span class="k">Tenure</span><span>since {person.since}</span></div>'
    )
    return page(person.name, body, site=SITE)
