"""Practice site of tickets in German: what their fields are called, no English word says."""

from __future__ import annotations

from tasks.practice.tickets import SHELL
from tasks.practice.web import Reply, Request, as_json, not_found, page

SITE = "Vorgangsliste"
PEOPLE = (
    "Anna Kühn",
    "Bernd Oster",
    "Clara Weiß",
    "Deniz Aydin",
    "Emil Lang",
    "Frieda Roth",
    "Georg Maas",
)
WHAT = (
    "Rechnung prüfen",
    "Zugang sperren",
    "Vertrag erneuern",
    "Beleg nachreichen",
    "Konto abstimmen",
)
STATES = ("Offen", "In Arbeit", "Erledigt")
COUNT = 65


def number_of(n: int) -> str:
    return f"V-{1000 + 7 * n}"


def fields_of(n: int) -> dict[str, str]:
    """What the page of the n-th ticket says. Whoever reported it is now and then who works on it,
    and every fourth one was due on the day on which it was changed last."""
    day = f"{1 + n * 5 % 28:02}.{1 + n % 12:02}.2027"
    return {
        "Vorgang": number_of(n),
        "Status": STATES[n % 3],
        "Gemeldet von": PEOPLE[n * 3 % 7],
        "Bearbeitung": PEOPLE[(n * n + 2) % 7] if n % 9 else "Nicht zugewiesen",
        "Geändert": day if n % 4 == 0 else f"{1 + n * 3 % 28:02}.11.2026",
        "Frist": day,
        "Betrag": f"{1 + n * 37 % 9},{n * 113 % 1000:03}.{n * 7 % 100:02} €".translate(_GERMAN),
    }


_GERMAN = str.maketrans(",.", ".,")


def respond(request: Request) -> Reply | None:
    numbers = {number_of(n): n for n in range(1, COUNT + 1)}
    path, _, number = request.path.rpartition("/")
    if request.path == "/vorgaenge":
        rows = "".join(f'<li><a href="/vorgaenge/{n}">{n}</a></li>' for n in numbers)
        return page("Vorgänge", f"<h1>Alle Vorgänge</h1><ul>{rows}</ul>", site=SITE, language="de")
    if path not in ("/vorgaenge", "/api/vorgaenge"):
        return None
    if number not in numbers:
        return not_found(SITE, f"Vorgang {number}")
    if path == "/vorgaenge":
        shell = SHELL % (number, "/api/vorgaenge/")
        return page(f"{number} …", shell, site=SITE, language="de")
    n = numbers[number]
    title = f"{WHAT[n % 5]} ({WHAT[(n + 2) % 5]} folgt)"
    comments = [f"{PEOPLE[n % 7]}: Frist bitte halten."]
    content = {"title": title, "fields": fields_of(n), "layout": "list", "comments": comments}
    return as_json({**content, "text": f"{title}."}, delay=0.05)
