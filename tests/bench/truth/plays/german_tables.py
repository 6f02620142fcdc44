"""A German database tool with one long table that renders only the rows in view: the sample's row is
found by scrolling or by search, and its neighbours look alike."""

from __future__ import annotations

import json

from bench.truth.corpus import Do, Page, Play, Sample, Wrong, at

FIRST = ("Anton", "Birte", "Carl", "Dagny", "Emil", "Frauke", "Gesa", "Hinnerk", "Imke", "Jasper")
LAST = ("Ahlers", "Behrens", "Claussen", "Dethlefs", "Eggers", "Feddersen", "Gerken")
PLACES = ("Husum", "Leer", "Jever", "Emden", "Norden", "Aurich")
ROWS = [
    [str(7000 + n), f"{FIRST[n % 10]} {LAST[n % 7]}", PLACES[n % 6], f"{1000 + n * 37 % 900},{n % 10}0", f"{n % 28 + 1:02}.{n % 12 + 1:02}.2026", "NULL" if n % 9 == 0 else f"Tarif {n % 4}"]
    for n in range(260)
]  # fmt: skip
WANTED = (112, 63, 207, 251, 140)
SCRIPT = (
    "const v=document.getElementById('v'),b=document.getElementById('b'),H=28;let at=-1;function draw(){const f=Math.max(0,Math.floor(v.scrollTop/H)-3);if(f===at)return;at=f;const e=Math.min(rows.length,f+22);"
    "b.innerHTML=`<tr style='height:${f*H}px'></tr>`+rows.slice(f,e).map(r=>`<tr style='height:${H}px'>`+r.map(c=>`<td>${c==='NULL'?'<i>NULL</i>':c}</td>`).join('')+'</tr>').join('')+`<tr style='height:${(rows.length-e)*H}px'></tr>`}"
    "v.addEventListener('scroll',draw);draw()"
)
PAGE = (
    "<!doctype html><html lang=de><head><meta charset=utf-8><title>tarife.kunden | phpMyAdmin</title><style>#v{height:480px;overflow-y:auto;width:820px}td,th{padding:2px 10px;text-align:left;white-space:nowrap}table{border-collapse:collapse}</style></head><body><nav><a href=/db>Datenbank: tarife</a> <a href=/struktur>Struktur</a> <a href=/sql>SQL</a></nav><main><h1>Tabelle: kunden</h1>"
    f"<p>Zeige Datensätze 0 - {len(ROWS) - 1} ({len(ROWS)} insgesamt)</p><div id=v tabindex=0 aria-label=Ergebnis><table><thead><tr><th>id</th><th>name</th><th>ort</th><th>saldo</th><th>seit</th><th>tarif</th></tr></thead><tbody id=b></tbody></table></div></main>"
    f"<script>const rows={json.dumps(ROWS, ensure_ascii=False)};{SCRIPT}</script></body></html>"
)


def _sample(place: int, number: int) -> Sample:
    row, near = ROWS[number], ROWS[number + 1]
    value = lambda text: float(text.replace(",", "."))
    truth = {
        "name": row[1],
        "city": row[2],
        "balance": value(row[3]),
        "customer_since": "-".join(reversed(row[4].split("."))),
        "tariff": None if row[5] == "NULL" else row[5],
    }
    own = at(f"{row[0]} | {row[1]}")
    cites = dict.fromkeys(truth, own)
    beside = at(f"{near[0]} | {near[1]}")
    wrong = [
        Wrong(
            "other record",
            {"balance": value(near[3])},
            {"balance": beside} if place % 2 else {},
            name="the next row’s balance",
        ),
        Wrong(
            "other record",
            {"name": near[1], "city": near[2]},
            {"name": beside, "city": beside} if place != 3 else {},
            name="the next row’s name and place",
        ),
    ]
    if place % 2:  # a model that takes the first row that it sees
        first = ROWS[0]
        seen = at(f"{first[0]} | {first[1]}")
        values = {
            "name": first[1],
            "city": first[2],
            "balance": value(first[3]),
            "customer_since": "-".join(reversed(first[4].split("."))),
            "tariff": None,
        }
        wrong.append(
            Wrong("other record", values, dict.fromkeys(values, seen), name="the first row")
        )
    way = [Do("scroll", at("Ergebnis"), {"direction": "down"}, until=own)]
    if number > 200:  # the end is nearer
        way = [
            Do("scroll", at("Ergebnis"), {"direction": "bottom"}),
            Do("scroll", at("Ergebnis"), {"direction": "up"}, until=own),
        ]
    return Sample(row[0], "/kunden", truth, cites, way, wrong)


SPEC = {
    "goal": "Find the row with the id {sample_id} in the table and report it.",
    "read_only": True,
    "locale": "de",
    "output_schema": {
        "name": "string",
        "city": "string",
        "balance": "number",
        "customer_since": "date",
        "tariff": "string | null",
    },
}
PAGES: dict[str, Page] = {"/kunden": PAGE}
PLAY = Play("german_tables", SPEC, PAGES, [_sample(n, number) for n, number in enumerate(WANTED)])
