"""Leases in a German property management: a list with everybody's deposits on the way, then a
record of key/value tables. Ten alike samples."""

from __future__ import annotations

from bench.truth.corpus import Do, Play, Sample, Wrong, at, click

STYLE = (
    "table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:3px 8px;text-align:left}"
)
ROWS = [
    # number, tenant, flat, rent, service charges, deposit, deposit paid back, begin, notice, keys
    ("MV-20411", "Ilse Brandstetter", "WE 03", "612,40", "148,00", "1.837,20", "0,00", "01.03.2019", "–", 3),
    ("MV-20412", "Cem Aydoğan", "WE 07", "750,00", "165,50", "750,00", "0,00", "15.07.2021", "31.01.2027", 2),
    ("MV-20413", "Henrike Voß", "WE 11", "1.084,90", "231,00", "3.254,70", "0,00", "01.11.2016", "–", 5),
    ("MV-20414", "Paweł Sikora", "WE 12", "498,75", "120,00", "1.496,25", "400,00", "01.04.2023", "28.02.2027", 2),
    ("MV-20415", "Aurelia Timm", "WE 15", "835,00", "190,00", "2.505,00", "0,00", "16.09.2020", "–", 4),
    ("MV-20416", "Rüdiger Haack", "WE 18", "920,10", "204,30", "2.760,30", "0,00", "01.02.2018", "–", 3),
    ("MV-20417", "Nadja Petrović", "WE 21", "577,00", "131,90", "1.731,00", "0,00", "01.12.2022", "–", 2),
    ("MV-20418", "Gregor Leitner", "WE 22", "1.310,00", "275,00", "3.930,00", "930,00", "01.06.2015", "30.04.2027", 6),
    ("MV-20419", "Solveig Matthes", "WE 26", "689,00", "158,20", "2.067,00", "0,00", "15.01.2024", "–", 3),
    ("MV-20420", "Thilo Kamphausen", "WE 30", "741,60", "162,00", "2.224,80", "0,00", "01.10.2017", "–", 3),
]  # fmt: skip
HEAD = (
    f"<!doctype html><html lang=de><head><meta charset=utf-8><style>{STYLE}</style><title>%s</title>"
    "</head><body><header><b>Hausverwaltung Nord</b><nav><a href=/>Start</a> "
    "<a href=/vertraege>Mietverträge</a> <a href=/objekte>Objekte</a> <a href=/zahlungen>"
    "Zahlungseingänge</a></nav></header><main>"
)


def _list() -> str:
    rows = "".join(
        f"<tr><td><a href=/vertraege/{n}>{n}</a></td><td>{who}</td><td>{flat}</td>"
        f"<td>{rent} €</td><td>{deposit} €</td></tr>"
        for n, who, flat, rent, _, deposit, *_ in ROWS
    )
    return (
        HEAD
        % "Mietverträge"
        + "<h1>Mietverträge</h1><p>10 von 10 Verträgen</p><table><thead><tr><th>Vertrag</th><th>"
        "Mieter</th><th>Einheit</th><th>Grundmiete</th><th>Kaution</th></tr></thead><tbody>"
        f"{rows}</tbody></table></main></body></html>"
    )


def _record(row: tuple) -> str:
    number, who, flat, rent, charges, deposit, back, begin, notice, keys = row
    handed = "".join(
        f"<tr><td>{n + 1}</td><td>Schlüssel {flat[-2:]}-{chr(65 + n)}</td><td>{begin}</td></tr>"
        for n in range(keys)
    )
    old = f"{float(rent.replace('.', '').replace(',', '.')) * 0.94:.2f}".replace(".", ",")
    return (
        HEAD
        % f"{number} – {who}"
        + f"<h1>Mietvertrag {number}</h1><h2>Vertragspartner</h2><table><tr><th>Merkmal</th><th>"
        f"Wert</th></tr><tr><td>Mieter</td><td>{who}</td></tr><tr><td>Mieteinheit</td><td>{flat}"
        f"</td></tr><tr><td>Sachbearbeitung</td><td>Frau Dörte Engelking</td></tr></table>"
        f"<h2>Konditionen</h2><table><tr><th>Merkmal</th><th>Wert</th></tr>"
        f"<tr><td>Grundmiete</td><td>{rent} €</td></tr>"
        f"<tr><td>Nebenkostenvorauszahlung</td><td>{charges} €</td></tr>"
        f"<tr><td>Kaution</td><td>{deposit} €</td></tr>"
        f"<tr><td>Kaution bereits erstattet</td><td>{back} €</td></tr>"
        f"<tr><td>Mietbeginn</td><td>{begin}</td></tr>"
        f"<tr><td>Gekündigt zum</td><td>{notice}</td></tr></table>"
        f"<h2>Ausgegebene Schlüssel</h2><table><thead><tr><th>Pos.</th><th>Schlüssel</th><th>Am</th>"
        f"</tr></thead><tbody>{handed}</tbody></table>"
        f"<h2>Frühere Konditionen</h2><table><tr><th>Gültig bis</th><th>Grundmiete</th></tr>"
        f"<tr><td>31.12.2025</td><td>{old} €</td></tr></table></main></body></html>"
    )


def _number(text: str) -> float:
    return float(text.replace(".", "").replace(",", "."))


def _date(text: str) -> str | None:
    return None if text == "–" else "-".join(reversed(text.split(".")))


def _sample(place: int, row: tuple) -> Sample:
    number, who, _, rent, charges, deposit, back, begin, notice, keys = row
    on = f"/{number}"
    other = ROWS[(place + 3) % len(ROWS)]
    old = f"{_number(rent) * 0.94:.2f}"
    truth = {
        "tenant": who,
        "deposit": _number(deposit),
        "monthly_rent": _number(rent),
        "start_date": _date(begin),
        "notice_date": _date(notice),
        "key_count": keys,
    }
    cites = {
        "tenant": at("Mieter |", who, on=on),
        "deposit": at("Kaution |", deposit, on=on),
        "monthly_rent": at("Grundmiete |", rent, on=on),
        "start_date": at("Mietbeginn", on=on),
        "notice_date": at("Gekündigt zum", on=on),
        "key_count": [at(f"Schlüssel {row[2][-2:]}-{chr(65 + n)}", on=on) for n in range(keys)],
    }
    wrong = [
        Wrong("neighbour", {"deposit": _number(back)}, {"deposit": at("Kaution bereits", on=on)}),
        Wrong(
            "other record",
            {"deposit": _number(other[5])},
            {"deposit": at(other[0], other[5], on="/vertraege")} if place % 2 else {},
            name="other record in the list",
        ),
        Wrong(
            "older", {"monthly_rent": float(old)},
            {"monthly_rent": at("31.12.2025", on=on)} if place % 2 else {},
        ),
    ]  # fmt: skip
    if place % 3 == 0:
        wrong.append(
            Wrong(
                "neighbour",
                {"monthly_rent": _number(charges)},
                {"monthly_rent": at("Nebenkosten", on=on)},
                name="neighbour’s label: service charges",
            )
        )
    if place in (2, 5):
        values = {"tenant": other[1], "deposit": _number(other[5])}
        wrong.append(
            Wrong(
                "other record",
                values,
                {"tenant": at("Mieter |", on=other[0]), "deposit": at("Kaution |", on=other[0])},
                walk=[Do("goto", params={"url": f"/vertraege/{n}"}) for n in (other[0], number)],
                name="other record’s page",
            )
        )
    way = (click(number, role="link"),) if place % 2 else ()
    url = "/vertraege" if place % 2 else f"/vertraege/{number}"
    if place % 2 == 0:  # the own page; the list only where the wrong way leads over it
        wrong = [w for w in wrong if w.name != "other record in the list"]
    return Sample(number, url, truth, cites, way, wrong)


SPEC = {
    "goal": "Open the lease {sample_id} and read its conditions. Count the keys that were handed out.",
    "read_only": True,
    "output_schema": {
        "tenant": "string",
        "deposit": "number",
        "monthly_rent": "number",
        "start_date": "date",
        "notice_date": "date | null",
        "key_count": "integer",
    },
}
PAGES = {"/vertraege": _list()} | {f"/vertraege/{row[0]}": _record(row) for row in ROWS}
PLAY = Play(
    "german_leases", SPEC, PAGES, [_sample(n, row) for n, row in enumerate(ROWS)], is_alike=True
)
