"""Members of an Italian association, in an edit form: values of fields, chosen options, boxes that
are ticked or not, a second address that is folded away, and a banner of an unsaved draft."""

from __future__ import annotations

from bench.truth.corpus import Page, Play, Sample, Wrong, at

ROWS = [
    # number, name, born, city, category, fee, newsletter, paid, draft city
    ("S-0881", "Ginevra Bellandi", "03/05/1984", "Ravenna", "Ordinario", "1.250,00", True, False, "Forlì"),
    ("S-0882", "Ottavio Marchesin", "17/11/1971", "Treviso", "Sostenitore", "2.400,50", False, True, "Padova"),
    ("S-0883", "Loredana Quaglia", "29/02/1992", "Asti", "Junior", "75,00", True, True, "Alba"),
    ("S-0884", "Ruggero Santambrogio", "08/09/1958", "Monza", "Onorario", "0,00", False, False, "Lecco"),
    ("S-0885", "Ylenia Puddu", "21/06/1999", "Nuoro", "Ordinario", "1.250,00", True, True, "Olbia"),
]  # fmt: skip


def _number(text: str) -> float:
    return float(text.replace(".", "").replace(",", "."))


def _record(row: tuple) -> str:
    number, name, born, city, category, fee, news, paid, draft = row
    options = "".join(
        f"<option{' selected' if o == category else ''}>{o}</option>"
        for o in ("Ordinario", "Sostenitore", "Junior", "Onorario")
    )
    box = lambda key, text, on: (
        f"<p><input type=checkbox id={key}{' checked' if on else ''}><label for={key}>{text}</label></p>"
    )
    return (
        f"<!doctype html><html lang=it><head><meta charset=utf-8><title>Modifica socio | {number}</title></head><body><div id=header><a href=/admin/>Amministrazione</a> › <a href=/admin/soci/>Soci</a> › {name}</div><main>"
        f"<p role=status>Bozza non salvata del 2 ottobre: Città {draft}</p><h1>Modifica socio</h1><h2>{name} ({number})</h2><form>"
        f"<p><label for=n>Cognome e nome:</label> <input id=n value='{name}'></p><p><label for=b>Data di nascita:</label> <input id=b value='{born}'></p>"
        f"<p><label for=c>Città:</label> <input id=c value='{city}'></p><p><label for=k>Categoria:</label> <select id=k>{options}</select></p><p><label for=q>Quota annua (€):</label> <input id=q value='{fee}'></p>"
        + box("w", "Riceve il bollettino", news) + box("p", "Quota versata", paid)
        + "<details><summary>Recapito secondario</summary><p><label for=d>Città:</label> <input id=d value='Mestre'></p></details><input type=button value=Salva></form></main></body></html>"
    )  # fmt: skip


def _sample(place: int, row: tuple) -> Sample:
    number, name, born, city, category, fee, news, paid, draft = row
    truth = {
        "full_name": name,
        "birth_date": "-".join(reversed(born.split("/"))),
        "city": city,
        "category": category,
        "annual_fee": _number(fee),
        "gets_newsletter": news,
        "has_paid": paid,
    }
    cites = {
        "full_name": at("Cognome"),
        "birth_date": at("Data di nascita", role="textbox"),
        "city": at("Città", city),
        "category": at("Categoria", role="combobox"),
        "annual_fee": at("Quota annua", role="textbox"),
        "gets_newsletter": at("bollettino", role="checkbox"),
        "has_paid": at("Quota versata", role="checkbox"),
    }
    wrong = [
        Wrong("older", {"city": draft}, {"city": at("Bozza")} if place % 2 else {}),
        Wrong("hidden", {"city": "Mestre"}),
        Wrong("miscited", {"has_paid": not paid}, {"has_paid": at("Quota versata", role="checkbox")}, name="a box read the wrong way"),
        Wrong("miscited", {"category": "Benemerito"}, {"category": at("Categoria", role="combobox")}, name="an option that is not there"),
        Wrong("miscited", {"category": "Sostenitore" if category != "Sostenitore" else "Junior"}, {"category": at("Categoria", role="combobox")}, name="an option that is not chosen"),
    ]  # fmt: skip
    return Sample(number, f"/admin/soci/{number}/change/", truth, cites, (), wrong)


SPEC = {
    "goal": "Read the member's record from the form. Change nothing.",
    "read_only": True,
    "locale": "it",
    "output_schema": {
        "full_name": "string",
        "birth_date": "date",
        "city": "string | null",
        "category": "string",
        "annual_fee": "number | null",
        "gets_newsletter": "boolean",
        "has_paid": "boolean",
    },
}
PAGES: dict[str, Page] = {f"/admin/soci/{row[0]}/change/": _record(row) for row in ROWS}
PLAY = Play("italian_registry", SPEC, PAGES, [_sample(n, row) for n, row in enumerate(ROWS)])
