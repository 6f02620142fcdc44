"""A Dutch facility desk, where a room is to be given a new capacity: the form is filled, saved, and
the record opened anew and read back. What was only entered is no answer."""

from __future__ import annotations

from bench.truth.corpus import Do, Page, Play, Sample, Wrong, at, click

ROWS = [
    # number, name, floor, old capacity, new capacity, manager
    ("R-101", "Zuiderzaal", "1e verdieping", 24, 32, "Fenna Hoekstra"),
    ("R-204", "Kamer Amstel", "2e verdieping", 8, 10, "Joris van Dongen"),
    ("R-215", "Werkplaats", "2e verdieping", 12, 16, "Fenna Hoekstra"),
    ("R-309", "Bestuurskamer", "3e verdieping", 14, 18, "Sanne Blok"),
]
HEAD = "<!doctype html><html lang=nl><head><meta charset=utf-8><title>{0}</title></head><body><nav><a href=/ruimtes>Ruimtes</a> <a href=/meldingen>Meldingen</a></nav><main><h1>{0}</h1>"
SAVED = "const saved=sessionStorage.getItem('cap')"


def _record(row: tuple) -> str:
    number, name, floor, old, _, manager = row
    return (
        HEAD.format(f"{name} ({number})")
        + f"<dl><dt>Verdieping</dt><dd>{floor}</dd><dt>Capaciteit</dt><dd id=cap>{old} personen</dd><dt>Beheerder</dt><dd>{manager}</dd><dt>Laatst gewijzigd</dt><dd>3 mei 2026</dd></dl><a href=/ruimtes/{number}/bewerken>Bewerken</a>"
        f"<script>{SAVED}; if(saved) document.getElementById('cap').textContent=saved+' personen'</script></main></body></html>"
    )


def _form(row: tuple) -> str:
    number, name, _, old, _, _ = row
    return (
        HEAD.format(f"{name} bewerken")
        + f"<form onsubmit=\"sessionStorage.setItem('cap',document.getElementById('c').value);document.getElementById('m').textContent='De wijzigingen zijn opgeslagen.';return false\"><p><label for=c>Capaciteit</label> <input id=c value='{old}'></p><button>Opslaan</button></form><p id=m role=status></p><a href=/ruimtes/{number}>Terug naar de ruimte</a></main></body></html>"
    )


def _sample(place: int, row: tuple) -> Sample:
    number, name, floor, old, new, manager = row
    own = f"/ruimtes/{number}"
    way = (
        click("Bewerken", role="link"),
        Do("type", at("Capaciteit", role="textbox"), {"text": str(new)}),
        click("Opslaan", role="button"),
        click("Terug naar", role="link"),
    )
    truth = {"floor": floor, "capacity": new, "manager": manager}
    cites = {
        "floor": at(floor),
        "capacity": at(f"{new} personen"),
        "manager": at(manager),
    }
    entered = {"capacity": at("Capaciteit", role="textbox", on="/bewerken")}
    wrong = [
        Wrong("miscited", {"capacity": new}, entered, walk=way[:2], name="only entered, not saved"),
        Wrong(
            "older",
            {"capacity": old},
            {"capacity": at(f"{old} personen")},
            name="before the change",
        ),
    ]
    return Sample(number, own, truth, cites, way, wrong, columns={"capacity_wanted": str(new)})


SPEC = {
    "goal": "Give the room {sample_id} the capacity {capacity_wanted}, save it, open the room anew and report what it says.",
    "read_only": False,
    "input_schema": {"capacity_wanted": "integer"},
    "output_schema": {
        "floor": "string",
        "capacity": "integer",
        "manager": "string | null",
    },
}
PAGES: dict[str, Page] = {f"/ruimtes/{row[0]}": _record(row) for row in ROWS}
PAGES |= {f"/ruimtes/{row[0]}/bewerken": _form(row) for row in ROWS}
PLAY = Play("dutch_forms", SPEC, PAGES, [_sample(n, row) for n, row in enumerate(ROWS)])
