"""Decisions of a Swedish municipality: prose with amounts and dates, an appendix behind a tab, a
draft that was superseded, a text that only a screen reader is told."""

from __future__ import annotations

from bench.truth.corpus import Page, Play, Sample, Wrong, at, click

ROWS = [
    # number, applicant, property, fee, decided, officer, area, draft fee, hidden fee
    ("BN-2026-0112", "Karin Östlund", "Björken 4", "12 500,50", "3 maj 2026", "Elin Sjögren", "84,5", "9 800,00", "1 200,00"),
    ("BN-2026-0117", "Håkan Åberg", "Granen 17", "8 240,00", "12 juni 2026", "Mats Lindvall", "31", "8 900,00", "1 300,00"),
    ("BN-2026-0121", "Yosef Haile", "Rönnen 2", "21 075,00", "28 augusti 2026", "Elin Sjögren", "142", "19 450,00", "1 450,00"),
    ("BN-2026-0130", "Britt-Marie Ekdahl", "Almen 9", "4 310,25", "1 september 2026", "Tove Rask", "12,8", "5 000,00", "1 550,00"),
    ("BN-2026-0138", "Fastighets AB Vingen", "Hamnen 1:3", "97 600,00", "19 oktober 2026", "Mats Lindvall", "1 240", "88 000,00", "1 650,00"),
]  # fmt: skip
MONTHS = (
    "januari februari mars april maj juni juli augusti september oktober november december".split()
)


def _date(text: str) -> str:
    day, month, year = text.split()
    return f"{year}-{MONTHS.index(month) + 1:02}-{int(day):02}"


def _number(text: str) -> float:
    return float(text.replace(" ", "").replace(",", "."))


def _record(row: tuple) -> str:
    number, who, place, fee, day, officer, area, draft, hidden = row
    return (
        f"<!doctype html><html lang=sv><head><meta charset=utf-8><title>{number} | Bygglov | Ekeby kommun</title>"
        "<style>.fold{position:absolute;left:-9999px}[hidden]{display:none}</style></head><body><header><a href=/>Ekeby kommun</a> <a href=/bygga>Bygga och bo</a> <a href=/diarium>Diarium</a></header><main>"
        f'<h1>Beslut om bygglov {number}</h1><div role=tablist><button role=tab aria-selected=true onclick="show(0)">Beslut</button><button role=tab aria-selected=false onclick="show(1)">Handläggning</button></div>'
        f"<div role=tabpanel id=p0><p>Byggnadsnämnden beviljar {who} bygglov för tillbyggnad på fastigheten {place}. Beslutet fattades den {day} och vinner laga kraft fyra veckor efter kungörelsen.</p>"
        f"<p>Avgiften för lovet är {fee} kr enligt nämndens taxa. I utkastet angavs avgiften till {draft} kr.</p><p>Tillbyggnaden omfattar {area} m² bruttoarea.</p>"
        f"<p class=fold>Avgiften för lovet är {hidden} kr</p></div>"
        f"<div role=tabpanel id=p1 hidden><dl><dt>Handläggare</dt><dd>{officer}</dd><dt>Granskare</dt><dd>Ulla Brink</dd></dl></div></main>"
        "<script>function show(n){for(const i of [0,1]){document.getElementById('p'+i).hidden=i!==n;document.querySelectorAll('[role=tab]')[i].setAttribute('aria-selected',i===n)}}</script></body></html>"
    )


def _sample(place: int, row: tuple) -> Sample:
    number, who, estate, fee, day, officer, area, draft, hidden = row
    on = f"/{number}"
    truth = {
        "applicant": who,
        "property": estate,
        "fee": _number(fee),
        "decided_on": _date(day),
        "area": _number(area),
        "officer": officer,
    }
    cites = {
        "applicant": at("beviljar", on=on),
        "property": at("beviljar", on=on),
        "fee": at(fee, on=on),
        "decided_on": at(day, on=on),
        "area": at("bruttoarea", on=on),
        "officer": at(officer, on=on),
    }
    wrong = [
        Wrong("hidden", {"fee": _number(hidden)}),
        Wrong("older", {"fee": _number(draft)}, {"fee": at("utkastet", on=on)}),
    ]
    return Sample(
        number, f"/diarium/{number}", truth, cites, (click("Handläggning", role="tab"),), wrong
    )


SPEC = {
    "goal": "Read the decision and who handled the case.",
    "read_only": True,
    "output_schema": {
        "applicant": "string",
        "property": "string",
        "fee": "number",
        "decided_on": "date",
        "area": "number | null",
        "officer": "string | null",
    },
}
PAGES: dict[str, Page] = {f"/diarium/{row[0]}": _record(row) for row in ROWS}
PLAY = Play("swedish_permits", SPEC, PAGES, [_sample(n, row) for n, row in enumerate(ROWS)])
