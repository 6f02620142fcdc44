"""Devices in a Danish asset register: two columns of definition lists, each number beside one that
looks like it, a history of who had the device, licences that are counted. Ten alike samples."""

from __future__ import annotations

from bench.truth.corpus import Page, Play, Sample, Wrong, at

ROWS = [
    # tag, model, serial, bought, warranty, price, residual, holder, former holder, place, licences, ordered
    ("IT-00512", "ThinkPad T16", "PF4X9K21", "03-05-2024", "03-05-2027", "9.499,00", "3.166,00", "Freja Mikkelsen", "Aksel Toft", "Aarhus", 2, "21-04-2024"),
    ("IT-00513", "ThinkPad T16", "PF4X9K57", "03-05-2024", "03-05-2027", "9.499,00", "3.166,00", "Villads Krogh", "Rosa Bech", "Odense", 3, "21-04-2024"),
    ("IT-00519", "MacBook Air 13", "C02ZT1Q8", "17-06-2024", "17-06-2025", "8.999,50", "4.050,00", "Rosa Bech", "Freja Mikkelsen", "Aarhus", 1, "02-06-2024"),
    ("IT-00524", "Latitude 5540", "7HQ2WX3", "09-09-2024", "09-09-2027", "10.250,00", "5.125,00", "Laust Pilegaard", "Villads Krogh", "Vejle", 4, "30-08-2024"),
    ("IT-00530", "Latitude 5540", "7HQ2WZ9", "09-09-2024", "09-09-2027", "10.250,00", "5.125,00", "Aksel Toft", "Karla Vind", "Aarhus", 2, "30-08-2024"),
    ("IT-00537", "EliteBook 840", "5CG4411MN", "12-11-2024", "12-11-2026", "11.875,00", "7.420,00", "Karla Vind", "Laust Pilegaard", "Esbjerg", 3, "01-11-2024"),
    ("IT-00541", "ThinkPad X1", "PF5A0B13", "20-01-2025", "20-01-2028", "15.340,00", "11.200,00", "Storm Hedegaard", "Aksel Toft", "Odense", 2, "06-01-2025"),
    ("IT-00546", "MacBook Pro 14", "H7K0P92L", "14-03-2025", "14-03-2026", "17.999,00", "13.800,00", "Ida Lunding", "Rosa Bech", "Aarhus", 5, "27-02-2025"),
    ("IT-00552", "Latitude 7450", "9JD7TT1", "02-06-2025", "02-06-2028", "12.630,00", "10.300,00", "Malthe Brandt", "Ida Lunding", "Vejle", 1, "19-05-2025"),
    ("IT-00558", "ThinkPad T14", "PF5B7C40", "25-08-2025", "25-08-2028", "9.120,00", "8.010,00", "Nikoline Søby", "Storm Hedegaard", "Esbjerg", 2, "11-08-2025"),
]  # fmt: skip
LICENCES = ("Office 365 E3", "Adobe Acrobat", "AutoCAD LT", "Visio Plan 2", "Project Plan 1")
STYLE = ".cols{display:flex;gap:40px}dl{display:grid;grid-template-columns:150px 200px}dd{margin:0}"


def _record(row: tuple) -> str:
    (
        tag,
        model,
        serial,
        bought,
        warranty,
        price,
        residual,
        holder,
        former,
        place,
        licences,
        ordered,
    ) = row
    pair = "<dt>{}</dt><dd>{}</dd>".format
    used = "".join(f"<tr><td>{name}</td><td>1 plads</td></tr>" for name in LICENCES[:licences])
    near = ROWS[(ROWS.index(row) + 1) % len(ROWS)]
    return (
        f"<!doctype html><html lang=da><head><meta charset=utf-8><style>{STYLE}</style><title>Vis aktiv {tag} :: Snipe-IT</title></head><body><nav><a href=/>Oversigt</a> <a href=/aktiver>Aktiver</a> <a href=/licenser>Licenser</a></nav><main><h1>Vis aktiv {tag}</h1><div class=cols><dl>"
        + pair("Model", model) + pair("Serienummer", serial) + pair("Aktivmærke", tag) + pair("Udleveret til", f"<a href=/u/3>{holder}</a>")
        + pair("Placering", place) + "</dl><dl>" + pair("Bestilt den", ordered) + pair("Indkøbsdato", bought) + pair("Garanti udløber", warranty)
        + pair("Indkøbspris", f"{price} kr.") + pair("Restværdi", f"{residual} kr.") + f"</dl></div><h2>Licenser</h2><table><thead><tr><th>Licens</th><th>Antal</th></tr></thead><tbody>{used}</tbody></table>"
        f"<h2>Historik</h2><table><thead><tr><th>Dato</th><th>Handling</th><th>Til</th></tr></thead><tbody><tr><td>{bought}</td><td>udleveret</td><td>{former}</td></tr><tr><td>01-02-2026</td><td>udleveret</td><td>{holder}</td></tr></tbody></table>"
        f"<aside><h3>Lignende aktiver</h3><ul><li><a href=/aktiver/{near[0]}>{near[0]}</a> {near[1]}, {near[2]}, {near[7]}</li></ul></aside></main></body></html>"
    )  # fmt: skip


def _sample(place: int, row: tuple) -> Sample:
    (
        tag,
        model,
        serial,
        bought,
        warranty,
        price,
        residual,
        holder,
        former,
        where,
        licences,
        ordered,
    ) = row
    near = ROWS[(place + 1) % len(ROWS)]
    day = lambda text: "-".join(reversed(text.split("-")))
    value = lambda text: float(text.replace(".", "").replace(",", "."))
    truth = {
        "model": model,
        "serial": serial,
        "assigned_to": holder,
        "purchase_date": day(bought),
        "purchase_price": value(price),
        "location": where,
        "licence_count": licences,
    }
    cites = {
        "model": at(model),
        "serial": at(serial),
        "assigned_to": at(holder, after="Udleveret til"),
        "purchase_date": at(bought, after="Indkøbsdato"),
        "purchase_price": at(price),
        "location": at(where, after="Placering"),
        "licence_count": [at(name) for name in LICENCES[:licences]],
    }
    wrong = [
        Wrong("neighbour", {"purchase_price": value(residual)}, {"purchase_price": at(residual)}),
        Wrong("neighbour", {"purchase_date": day(ordered)}, {"purchase_date": at(ordered)}, name="neighbour’s label: ordered on"),
        Wrong("older", {"assigned_to": former}, {"assigned_to": at("udleveret", former)} if place % 2 else {}),
        Wrong("other record", {"serial": near[2]}, {"serial": at(near[2])} if place % 2 == 0 else {}),
    ]  # fmt: skip
    return Sample(tag, f"/aktiver/{tag}", truth, cites, (), wrong)


SPEC = {
    "goal": "Read the device's record and count the licences that are used on it.",
    "read_only": True,
    "locale": "da",
    "output_schema": {
        "model": "string",
        "serial": "string",
        "assigned_to": "string | null",
        "purchase_date": "date",
        "purchase_price": "number | null",
        "location": "string",
        "licence_count": "integer",
    },
}
PAGES: dict[str, Page] = {f"/aktiver/{row[0]}": _record(row) for row in ROWS}
PLAY = Play(
    "danish_assets", SPEC, PAGES, [_sample(n, row) for n, row in enumerate(ROWS)], is_alike=True
)
