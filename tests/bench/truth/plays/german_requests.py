"""A German purchasing portal that is searched for a request: some exist and stand in the list of
hits among others, of some it says that there are none, one was deleted."""

from __future__ import annotations

from urllib.parse import quote

from bench.truth.corpus import Do, Page, Play, Sample, Wrong, at, click, missing

ROWS = [
    # number, subject, requester, cost centre, amount, needed by, positions
    (
        "REQ-4410",
        "Schutzbrillen und Handschuhe",
        "Nele Andresen",
        "4711",
        "318,40",
        "15.12.2026",
        2,
    ),
    ("REQ-4411", "Kühlbox für Proben", "Bertram Quast", "4720", "1.129,00", "02.12.2026", 1),
    ("REQ-4415", "Büroausstattung Neubau", "Nele Andresen", "4711", "24.870,15", "31.01.2027", 4),
]
ABSENT = ("REQ-9999", "REQ-9001")
GONE = "REQ-4002"
HEAD = "<!doctype html><html lang=de><head><meta charset=utf-8><title>{}</title></head><body><nav><a href=/start>Startseite</a> <a href=/suche>Bedarfsanforderungen</a> <a href=/katalog>Katalog</a></nav><main>"
FORM = "<form action=/suche><label for=q>Suche</label> <input id=q name=q value='{}'><button>Suchen</button></form>"


def _hits(number: str, found: list[tuple]) -> str:
    if not found:
        return (
            HEAD.format("Suche")
            + FORM.format(number)
            + f"<h1>Suche</h1><p>0 Ergebnisse für {number}</p></main></body></html>"
        )
    body = "".join(
        f"<tr><td><a href=/ba/{r[0]}>{r[0]}</a></td><td>{r[1]}</td><td>{r[2]}</td><td>{r[4]} €</td></tr>"
        for r in found
    )
    return (
        HEAD.format("Suche")
        + FORM.format(number)
        + f"<h1>Suche</h1><p>{len(found)} Ergebnisse für {number}</p><table><thead><tr><th>Nummer</th><th>Betreff</th><th>Anforderer</th><th>Wert</th></tr></thead><tbody>{body}</tbody></table></main></body></html>"
    )


def _record(row: tuple) -> str:
    number, subject, who, centre, amount, day, positions = row
    items = "".join(
        f"<tr><td>{10 * (n + 1)}</td><td>Artikel {chr(65 + n)} zu {subject}</td></tr>"
        for n in range(positions)
    )
    return (
        HEAD.format(number)
        + f"<h1>{number}</h1><p>{subject}</p><dl><dt>Anforderer</dt><dd>{who}</dd><dt>Kostenstelle</dt><dd>{centre}</dd><dt>Gesamtwert</dt><dd>{amount} €</dd><dt>Bedarfstermin</dt><dd>{day}</dd><dt>Genehmigt durch</dt><dd>–</dd></dl><h2>Positionen</h2><table><thead><tr><th>Pos.</th><th>Bezeichnung</th></tr></thead><tbody>{items}</tbody></table></main></body></html>"
    )


def _search(number: str) -> Do:
    return Do("goto", params={"url": f"/suche?q={quote(number)}"})


def _sample(place: int, row: tuple) -> Sample:
    number, subject, who, centre, amount, day, positions = row
    on = f"/ba/{number}"
    value = lambda text: float(text.replace(".", "").replace(",", "."))
    other = ROWS[(place + 1) % len(ROWS)]
    truth = {
        "requester": who,
        "cost_centre": centre,
        "total": value(amount),
        "needed_by": "-".join(reversed(day.split("."))),
        "approver": None,
        "position_count": positions,
    }
    cites = {
        "requester": at(who, on=on),
        "cost_centre": at(centre, on=on),
        "total": at(amount, on=on),
        "needed_by": at(day, on=on),
        "approver": at("–", after="Genehmigt", on=on),
        "position_count": [at(f"Artikel {chr(65 + n)}", on=on) for n in range(positions)],
    }
    wrong = [
        Wrong(
            "other record",
            {"total": value(other[4])},
            {"total": at(other[0], other[4], on="/suche")} if place % 2 else {},
        ),
        Wrong("null", {"kind": "not_found"}, name="said not to exist"),
    ]
    return Sample(
        number, "/suche", truth, cites, (_search(number), click(number, role="link")), wrong
    )


def _absent(number: str, line: str, way: tuple[Do, ...]) -> Sample:
    made = {
        "requester": "Nele Andresen",
        "cost_centre": "4711",
        "total": 318.4,
        "needed_by": "2026-12-15",
        "approver": None,
        "position_count": 2,
    }
    wrong = [
        Wrong("invented", made, name="invented record"),
        Wrong("miscited", made, dict.fromkeys(made, at(line)), name="cited to what says that there is none"),
    ]  # fmt: skip
    return Sample(number, "/suche" if way else f"/ba/{number}", {}, {}, way, wrong, at(line))


SPEC = {
    "goal": "Search for the purchase request {sample_id}, open it and report it; count its positions. Fail with not_found if there is none.",
    "read_only": True,
    "not_found": "pass",
    "output_schema": {
        "requester": "string",
        "cost_centre": "string",
        "total": "number",
        "needed_by": "date | null",
        "approver": "string | null",
        "position_count": "integer",
    },
}
PAGES: dict[str, Page] = {
    "/suche": HEAD.format("Suche")
    + FORM.format("")
    + "<h1>Suche</h1><p>Geben Sie eine Nummer ein.</p></main></body></html>"
}
PAGES |= {f"/suche?q={row[0]}": _hits(row[0], ROWS) for row in ROWS}
PAGES |= {f"/suche?q={number}": _hits(number, []) for number in ABSENT}
PAGES |= {f"/ba/{row[0]}": _record(row) for row in ROWS}
PAGES[f"/ba/{GONE}"] = missing(
    HEAD.format("Fehler 404")
    + "<h1>Fehler 404</h1><p>Diese Bedarfsanforderung wurde gelöscht oder hat nie existiert.</p></main></body></html>"
)
PLAY = Play(
    "german_requests",
    SPEC,
    PAGES,
    [
        *(_sample(n, row) for n, row in enumerate(ROWS)),
        *(_absent(number, f"0 Ergebnisse für {number}", (_search(number),)) for number in ABSENT),
        _absent(GONE, "gelöscht oder hat nie existiert", ()),
    ],
)
