"""A Spanish library's catalogue: searched by number, hits on the way, copies that are counted, and
records that do not exist."""

from __future__ import annotations

from bench.truth.corpus import Page, Play, Sample, Wrong, at, click

ROWS = [
    # id, title, author, year, pages, shelf marks with state
    ("BIB-1180", "La casa de los cerezos", "Montserrat Arroyo", 1998, "312", [("N ARR cas", "Disponible"), ("N ARR cas 2", "Prestado (12/12/2026)"), ("D 4.118", "Disponible")]),
    ("BIB-1181", "Cartas desde el páramo", "Julián Etxeberria", 2011, "188", [("N ETX car", "Prestado (03/12/2026)")]),
    ("BIB-1182", "Historia mínima del trigo", "Pilar Quintanilla", 2004, "245", [("633 QUI his", "Disponible"), ("633 QUI his 2", "Disponible")]),
    ("BIB-1183", "El faro y la niebla", "Ricardo Salvatierra", 2019, "401", [("N SAL far", "En reparación"), ("N SAL far 2", "Disponible"), ("N SAL far 3", "Disponible"), ("D 5.020", "Prestado (20/12/2026)")]),
    ("BIB-1184", "Manual de apicultura", "Consuelo Barrientos", 1987, "530", [("638 BAR man", "Disponible"), ("638 BAR man 2", "Prestado (08/12/2026)")]),
]  # fmt: skip
HEAD = "<!doctype html><html lang=es><head><meta charset=utf-8><title>{} › Catálogo Koha</title></head><body><nav><a href=/>Inicio</a> <a href=/cart>Carrito</a> <a href=/tags>Nube de etiquetas</a></nav><form role=search action=/buscar><input name=q aria-label='Buscar en el catálogo' value='{}'><button>Ir</button></form><main>"


def _hits(wanted: tuple) -> str:
    others = [wanted, *(row for row in ROWS if row is not wanted)][:3]
    hits = "".join(
        f"<li><h2><a href=/registro/{r[0]}>{r[1]}</a></h2><p>por {r[2]}</p><p>Editor: Ediciones del Sur, {r[3]}</p><p>Disponibilidad: {sum('Disponible' in s for _, s in r[5])} disponibles</p></li>"
        for r in others
    )
    return (
        HEAD.format("Resultados", wanted[0])
        + f"<h1>Su búsqueda devolvió 3 resultados</h1><ol>{hits}</ol></main></body></html>"
    )


def _record(row: tuple) -> str:
    number, title, author, year, pages, copies = row
    held = "".join(
        f"<tr><td>Libro</td><td>Biblioteca Central</td><td>{mark}</td><td>{state}</td></tr>"
        for mark, state in copies
    )
    near = ROWS[(ROWS.index(row) + 1) % len(ROWS)]
    return (
        HEAD.format(title, "")
        + f"<h1>{title} / {author}</h1><p><span>Número de registro: </span><span>{number}</span></p><p><span>Por: </span><a href=/autor>{author}</a></p><p><span>Publicación: </span><span>Madrid : Ediciones del Sur, {year}</span></p><p><span>Descripción: </span><span>{pages} p. ; 21 cm</span></p>"
        f"<h2>Existencias ({len(copies)})</h2><table><thead><tr><th>Tipo de ítem</th><th>Biblioteca actual</th><th>Signatura</th><th>Estado</th></tr></thead><tbody>{held}</tbody></table></main>"
        f"<aside><h3>Quienes leyeron esto también leyeron</h3><ul><li><a href=/registro/{near[0]}>{near[1]}</a> por {near[2]} ({near[3]}), {near[4]} p.</li></ul></aside></body></html>"
    )


def _sample(place: int, row: tuple) -> Sample:
    number, title, author, year, pages, copies = row
    on = f"/registro/{number}"
    free = [mark for mark, state in copies if state == "Disponible"]
    near = ROWS[(place + 1) % len(ROWS)]
    truth = {
        "author": author,
        "published": year,
        "page_count": int(pages),
        "copy_count": len(copies),
        "available_count": len(free),
        "shelf_marks": [mark for mark, _ in copies],
    }
    cites = {
        "author": at(author, after="Por:", on=on),
        "published": at(str(year), after="Publicación", on=on),
        "page_count": at(pages, on=on),
        "copy_count": [at(f"{mark} |", on=on) for mark, _ in copies],
        "available_count": [at(f"{mark} |", on=on) for mark in free]
        or at("Disponibilidad: 0", on="/buscar"),
        "shelf_marks": [at(f"{mark} |", on=on) for mark, _ in copies],
    }
    wrong = [
        Wrong("other record", {"author": near[2]}, {"author": at(near[2], after="también", on=on)},
              name="what others read"),
        Wrong("other record", {"published": near[3]},
              {"published": at(str(near[3]), after="resultados", on="/buscar")}
              if place % 2 and near[3] != year and place < 2 else {}, name="another hit"),
    ]  # fmt: skip
    way = (click(title, role="link"),)
    return Sample(number, f"/buscar?q={number}", truth, cites, way, wrong)


def _absent(number: str) -> Sample:
    on = f"q={number}"
    invented = {"author": "Montserrat Arroyo", "published": 1998, "page_count": 312}
    invented |= {"copy_count": 1, "available_count": 1, "shelf_marks": ["N ARR cas"]}
    cites = {name: at("No se encontraron", on=on) for name in invented}
    return Sample(number, f"/buscar?q={number}", {}, {}, (),
                  [Wrong("invented", invented, name="invented record"), Wrong("miscited", invented, cites, name="cited to what says that there is none")],
                  at("No se encontraron", on=on))  # fmt: skip


SPEC = {
    "goal": "Find the catalogue record {sample_id}; count its copies and those that can be lent now.",
    "read_only": True,
    "not_found": "pass",
    "output_schema": {
        "author": "string",
        "published": "integer",
        "page_count": "integer",
        "copy_count": "integer",
        "available_count": "integer",
        "shelf_marks": "array",
    },
}
ABSENT = ("BIB-9901", "BIB-9902")
PAGES: dict[str, Page] = {f"/buscar?q={row[0]}": _hits(row) for row in ROWS}
PAGES |= {f"/registro/{row[0]}": _record(row) for row in ROWS}
for _number in ABSENT:
    PAGES[f"/buscar?q={_number}"] = HEAD.format("Resultados", _number) + (
        f"<h1>Sin resultados</h1><p>No se encontraron resultados para «{_number}» en el Catálogo Koha.</p><p>Pruebe con otras palabras.</p></main></body></html>"
    )
PLAY = Play(
    "spanish_library",
    SPEC,
    PAGES,
    [*(_sample(n, row) for n, row in enumerate(ROWS)), *map(_absent, ABSENT)],
)
