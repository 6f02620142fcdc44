"""Invoices of a Polish ERP: a list with an invoice of another month's same amount, a ribbon for the
state, line items as an array, a former version of the invoice in the chatter, a cut note."""

from __future__ import annotations

from bench.truth.corpus import Page, Play, Sample, Wrong, at, click

ROWS = [
    # number, partner, date, due, net, tax, total, state, items, draft total
    ("FV/2026/0418", "Stalmex Sp. z o.o.", "2026-05-03", "2026-05-17", "10 163,01", "2 337,49", "12 500,50", "Zapłacono", ["Blacha 2 mm", "Transport"], "11 900,00"),
    ("FV/2026/0419", "Drewex S.A.", "2026-05-04", "2026-06-03", "2 950,00", "678,50", "3 628,50", "Nieopłacone", ["Płyta OSB", "Wkręty 4×50", "Rozładunek"], "3 500,00"),
    ("FV/2026/0420", "Biuro Rachunkowe Żuk", "2026-05-04", "2026-05-18", "1 200,00", "276,00", "1 476,00", "Częściowo opłacone", ["Usługa księgowa – kwiecień"], "1 400,00"),
    ("FV/2026/0421", "Młyn Górny Sp.k.", "2026-05-06", "2026-05-20", "8 430,00", "421,50", "8 851,50", "Zapłacono", ["Mąka typ 550", "Mąka typ 750"], "8 500,00"),
    ("FV/2026/0422", "Elektro-Śląsk Sp. z o.o.", "2026-05-07", "2026-06-06", "640,65", "147,35", "788,00", "Nieopłacone", ["Przewód YDY", "Gniazdo podwójne", "Puszka", "Dostawa"], "700,00"),
    ("FV/2026/0423", "Ogrody Wrzos", "2026-05-11", "2026-05-25", "4 878,05", "1 121,95", "6 000,00", "Zapłacono", ["Trawnik z rolki", "Robocizna"], "5 600,00"),
]  # fmt: skip
CUT = "Prosimy o podanie numeru zamówienia na przelewie. W razie pytań kontakt z działem…"
HEAD = "<!doctype html><html lang=pl><head><meta charset=utf-8><title>{}</title><style>.ribbon{{position:absolute;right:30px;top:40px;background:#28a745;color:#fff;padding:4px 20px}}.o_group{{display:grid;grid-template-columns:160px 260px}}</style></head><body><header><a href=/web>Fakturowanie</a> <a href=/invoices>Klienci</a> <a href=/bills>Dostawcy</a></header><main>"


def _number(text: str) -> float:
    return float(text.replace(" ", "").replace(",", "."))


def _day(iso: str) -> str:
    return ".".join(reversed(iso.split("-")))


def _path(number: str) -> str:
    return "/invoices/" + number[-4:]


def _list() -> str:
    body = "".join(
        f"<tr><td><a href={_path(r[0])}>{r[0]}</a></td><td>{r[1]}</td><td>{_day(r[2])}</td><td>{r[6]} zł</td><td>{r[7]}</td></tr>"
        for r in ROWS
    )
    return (
        HEAD.format("Faktury") + "<h1>Faktury</h1><p>1-6 / 6</p><table><thead><tr><th>Numer</th><th>Partner</th><th>Data</th><th>Razem</th><th>Status</th></tr></thead><tbody>"
        + body + "</tbody></table></main></body></html>"
    )  # fmt: skip


def _record(row: tuple) -> str:
    number, partner, day, due, net, tax, total, state, items, draft = row
    lines = "".join(
        f"<tr><td>{name}</td><td>{n + 1},00</td><td>{100 + n * 7},00</td></tr>"
        for n, name in enumerate(items)
    )
    return (
        HEAD.format(number)
        + f"<div class=ribbon>{state}</div><h1>{number}</h1><div class=o_group><label>Klient</label><span>{partner}</span><label>Data faktury</label><span>{_day(day)}</span><label>Termin płatności</label><span>{_day(due)}</span><label>Handlowiec</label><span>Kinga Wrona</span></div>"
        f"<table><thead><tr><th>Produkt</th><th>Ilość</th><th>Cena</th></tr></thead><tbody>{lines}</tbody></table>"
        f"<div class=o_group><span>Kwota bez podatku:</span><span>{net} zł</span><span>VAT:</span><span>{tax} zł</span><span>Razem:</span><span>{total} zł</span></div>"
        f"<p>{CUT}</p>"
        f"<section><h3>Historia</h3><ul><li>Kinga Wrona utworzyła szkic: Razem {draft} zł</li><li>Kinga Wrona zatwierdziła fakturę</li></ul></section></main></body></html>"
    )


def _sample(place: int, row: tuple) -> Sample:
    number, partner, day, due, net, tax, total, state, items, draft = row
    on = _path(number)
    other = ROWS[(place + 2) % len(ROWS)]
    truth = {
        "customer": partner,
        "invoice_date": day,
        "due_date": due,
        "total": _number(total),
        "tax": _number(tax),
        "payment_state": state,
        "items": items,
    }
    cites = {
        "customer": at(partner, on=on),
        "invoice_date": at(_day(day), after="Data faktury", on=on),
        "due_date": at(_day(due), after="Termin", on=on),
        "total": at(total, after="Razem:", on=on),
        "tax": at(tax, after="VAT:", on=on),
        "payment_state": at(state, on=on),
        "items": [at(name, role="row", on=on) for name in items],
    }
    source = {"total": at(other[0], other[6], on="/invoices")} if place % 2 else {}
    wrong = [
        Wrong("older", {"total": _number(draft)}, {"total": at(draft)} if place % 2 == 0 else {}),
        Wrong("other record", {"total": _number(other[6])}, source, name="other row of the list"),
    ]
    if other[7] != state:
        wrong.append(
            Wrong(
                "other record", {"payment_state": other[7]},
                {"payment_state": at(other[0], other[7], on="/invoices")}, name="other row’s state",
            )
        )  # fmt: skip
    return Sample(
        number.replace("/", "-"), "/invoices", truth, cites, (click(number, role="link"),), wrong
    )


SPEC = {
    "goal": "Open the invoice {sample_id} from the list and report it, with the names of its lines.",
    "read_only": True,
    "locale": "pl",
    "output_schema": {
        "customer": "string",
        "invoice_date": "date",
        "due_date": "date | null",
        "total": "number",
        "tax": "number",
        "payment_state": "string | null",
        "items": "array",
    },
}
PAGES: dict[str, Page] = {"/invoices": _list()} | {_path(row[0]): _record(row) for row in ROWS}
PLAY = Play("polish_invoices", SPEC, PAGES, [_sample(n, row) for n, row in enumerate(ROWS)])
