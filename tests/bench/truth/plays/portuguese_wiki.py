"""Articles of a Portuguese encyclopedia: an infobox, prose that says more, a note in the margin on
an older census, a neighbouring municipality in a box of its own."""

from __future__ import annotations

from urllib.parse import quote

from bench.truth.corpus import Page, Play, Sample, Wrong, at

ROWS = [
    # name, region, inhabitants, census year, old inhabitants, area, founded, mayor, twin towns
    ("Vale de Ourém", "Beira Litoral", "12 418", 2021, "13 907", "164,30", "14 de agosto de 1512", "Leonor Camacho", ["Plouha", "Kautzen"]),
    ("Almoster do Campo", "Ribatejo", "8 732", 2021, "9 114", "98,75", "3 de maio de 1285", "Duarte Figueira", ["Sant Feliu"]),
    ("Penacova Velha", "Beira Alta", "3 061", 2021, "3 559", "216,00", "24 de junho de 1192", "Graça Monteiro", []),
    ("São Brás do Mar", "Algarve", "21 940", 2021, "19 022", "77,18", "1 de outubro de 1773", "Telmo Barradas", ["Gourin", "Lesneven", "Ribe"]),
    ("Torre de Montanha", "Trás-os-Montes", "1 204", 2021, "1 688", "301,42", "19 de abril de 1289", "Otília Frazão", ["Zamora"]),
]  # fmt: skip
MONTHS = "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split()


def _date(text: str) -> str:
    day, month, year = text.split(" de ")
    return f"{year}-{MONTHS.index(month) + 1:02}-{int(day):02}"


def _slug(name: str) -> str:
    return "/wiki/" + quote(name.replace(" ", "_"))


def _record(row: tuple) -> str:
    name, region, people, year, old, area, founded, mayor, twins = row
    near = ROWS[(ROWS.index(row) + 1) % len(ROWS)]
    towns = "".join(f"<li>{t}</li>" for t in twins)
    line = "<tr><th scope=row>{}</th><td>{}</td></tr>".format
    return (
        f"<!doctype html><html lang=pt><head><meta charset=utf-8><title>{name} – Enciclopédia</title><style>.infobox{{float:right;width:280px;border:1px solid #aaa}}sup{{font-size:70%}}</style></head><body><nav><a href=/wiki/Principal>Página principal</a> <a href=/wiki/Especial:Aleatória>Página aleatória</a></nav><main><h1>{name}</h1>"
        f"<table class=infobox><caption>{name}</caption>" + line("Região", region) + line("População", f"{people} hab. ({year})<sup>[1]</sup>")
        + line("Área", f"{area} km²") + line("Presidente da Câmara", mayor) + line("Código postal", "3200-0" + str(len(name))) + "</table>"
        f"<p><b>{name}</b> é uma vila portuguesa da região de {region}. Recebeu foral em {founded}, concedido por carta régia.</p>"
        f"<h2>Demografia</h2><p>No recenseamento de 2011 a vila contava {old} habitantes; desde então a população mudou.</p>"
        + (f"<h2>Cidades-irmãs</h2><ul>{towns}</ul>" if twins else "")
        + "<aside><h3>Município vizinho</h3><table>" + line("Nome", f"<a href={_slug(near[0])}>{near[0]}</a>") + line("Presidente da Câmara", near[7]) + line("Área", f"{near[5]} km²") + "</table></aside></main></body></html>"
    )  # fmt: skip


def _sample(place: int, row: tuple) -> Sample:
    name, region, people, year, old, area, founded, mayor, twins = row
    near = ROWS[(place + 1) % len(ROWS)]
    whole = lambda text: int(text.replace(" ", ""))
    number = lambda text: float(text.replace(",", "."))
    truth = {
        "region": region,
        "population": whole(people),
        "area_km2": number(area),
        "charter_date": _date(founded),
        "mayor": mayor,
        "twin_towns": twins,
    }
    cites = {
        "region": at("Região", region),
        "population": at("População", people),
        "area_km2": at("Área", area),
        "charter_date": at(founded),
        "mayor": at("Presidente", mayor),
        "twin_towns": [at(f'"{t}"') for t in twins],
    }
    if not twins:  # what a page lacks altogether has no line
        del truth["twin_towns"], cites["twin_towns"]
        truth["twin_towns"] = []
    wrong = [
        Wrong("older", {"population": whole(old)}, {"population": at("2011")}),
        Wrong("other record", {"mayor": near[7]}, {"mayor": at("Presidente", near[7])} if place % 2 else {}),
        Wrong("other record", {"area_km2": number(near[5])}, {"area_km2": at("Área", near[5])} if place % 2 == 0 else {}, name="neighbouring area"),
    ]  # fmt: skip
    return Sample(f"pt-{place + 1}", _slug(name), truth, cites, (), wrong, columns={"town": name})


SPEC = {
    "goal": "Read the article on {town}.",
    "read_only": True,
    "input_schema": {"town": "string"},
    "output_schema": {
        "region": "string",
        "population": "integer",
        "area_km2": "number",
        "charter_date": "date | null",
        "mayor": "string",
        "twin_towns": "array",
    },
}
PAGES: dict[str, Page] = {_slug(row[0]): _record(row) for row in ROWS}
PLAY = Play("portuguese_wiki", SPEC, PAGES, [_sample(n, row) for n, row in enumerate(ROWS)])
