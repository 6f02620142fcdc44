"""Staff of a Norwegian hospital: half of the record stands on its first page, the other half on the
contract's page behind a link, where former contracts stand too; a card tells of the manager."""

from __future__ import annotations

from bench.truth.corpus import Cite, Page, Play, Sample, Wrong, at, click

ROWS = [
    # number, name, unit, manager, manager's unit, courses, type, percent, from, to, former percent, former type, hidden unit
    ("A-70311", "Sunniva Bakke", "Akuttmottak", "Trond Eide", "Klinikk for medisin", ["Brannvern", "Hygiene"], "Fast", "80", "3. mai 2021", None, "50", "Vikariat", "Dagkirurgi"),
    ("A-70318", "Jørgen Moe Lien", "Radiologi", "Astrid Haugland", "Bildediagnostikk", ["Strålevern"], "Vikariat", "100", "1. februar 2026", "31. januar 2027", "60", "Ekstravakt", "Patologi"),
    ("A-70325", "Mehmet Yıldız", "Sengepost 4", "Trond Eide", "Klinikk for medisin", ["Brannvern", "Hygiene", "Legemiddelhåndtering"], "Fast", "75", "15. august 2018", None, "37,5", "Vikariat", "Sengepost 2"),
    ("A-70340", "Ragnhild Sætre", "Laboratoriet", "Oddvar Njøs", "Stab", ["Hygiene"], "Engasjement", "40", "10. oktober 2026", "30. juni 2027", "20", "Ekstravakt", "Blodbanken"),
    ("A-70352", "Even Tangen", "Teknisk drift", "Oddvar Njøs", "Stab", ["Brannvern", "Høyspenning", "Heis", "Medisinsk gass"], "Fast", "100", "2. januar 2012", None, "80", "Lærling", "Sentrallager"),
]  # fmt: skip
MONTHS = (
    "januar",
    "februar",
    "mars",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
)
HEAD = "<!doctype html><html lang=nb><head><meta charset=utf-8><title>{}</title><style>.r{{display:flex}}.r>b{{width:170px}}[hidden]{{display:none}}</style></head><body><nav><a href=/ansatte>Ansatte</a> <a href=/enheter>Enheter</a></nav><main>"
ROW = "<div class=r><b>{}</b><span>{}</span></div>"


def _date(text: str | None) -> str | None:
    if text is None:
        return None
    day, month, year = text.split()
    return f"{year}-{MONTHS.index(month) + 1:02}-{int(day[:-1]):02}"


def _person(row: tuple) -> str:
    number, name, unit, boss, boss_unit, courses, *_, hidden = row
    listed = "".join(f"<li>{course}</li>" for course in courses)
    return (
        HEAD.format(name)
        + f"<h1>{name}</h1>"
        + ROW.format("Ansattnummer", number)
        + ROW.format("Enhet", unit)
        + f"<div hidden>{ROW.format('Enhet', hidden)}</div>"
        + ROW.format("Nærmeste leder", boss)
        + f"<h2>Gjennomførte kurs</h2><ul>{listed}</ul><p><a href=/ansatte/{number}/kontrakt>Arbeidskontrakt</a></p></main>"
        f"<aside><h3>{boss}</h3>{ROW.format('Enhet', boss_unit)}{ROW.format('Telefon', '55 01 20 00')}</aside></body></html>"
    )


def _contract(row: tuple) -> str:
    number, name, *_, kind, percent, begin, end, old_percent, old_kind, _ = row
    return (
        HEAD.format(f"Kontrakt {number}")
        + f"<h1>Arbeidskontrakt</h1><p>{name} ({number})</p><h2>Gjeldende</h2>"
        + ROW.format("Ansettelsesform", kind)
        + ROW.format("Stillingsprosent", f"{percent} %")
        + ROW.format("Fra", begin)
        + ROW.format("Til", end or "–")
        + f"<h2>Tidligere</h2><table><thead><tr><th>Ansettelsesform</th><th>Stillingsprosent</th></tr></thead><tbody><tr><td>{old_kind}</td><td>{old_percent} %</td></tr></tbody></table></main></body></html>"
    )


def _sample(place: int, row: tuple) -> Sample:
    number, _, unit, boss, boss_unit, courses, kind, percent, begin, end, old, old_kind, hidden = (
        row
    )
    first, second = f"/{number}", f"/{number}/kontrakt"
    number_of = lambda text: float(text.replace(",", "."))
    truth = {
        "unit": unit,
        "manager": boss,
        "course_count": len(courses),
        "contract_type": kind,
        "percentage": number_of(percent),
        "start_date": _date(begin),
        "end_date": _date(end),
    }
    cites: dict[str, Cite] = {
        "unit": at(unit, on=first),
        "manager": at(boss, after="Nærmeste leder", on=first),
        "course_count": [at(course, on=first) for course in courses],
        "contract_type": at(kind, after="Ansettelsesform", on=second),
        "percentage": at(f"{percent} %", on=second),
        "start_date": at(begin, on=second),
        "end_date": at(end or "–", after="Til", on=second),
    }
    wrong = [
        Wrong("older", {"percentage": number_of(old)}, {"percentage": at(f"{old} %")} if place % 2 else {}),
        Wrong("other record", {"unit": boss_unit}, {"unit": at(boss_unit, on=first)}, name="the manager’s unit"),
        Wrong("hidden", {"unit": hidden}),
        Wrong("older", {"contract_type": old_kind}, {"contract_type": at(old_kind, on=second)}, name="former contract"),
    ]  # fmt: skip
    way = (click("Arbeidskontrakt", role="link"),)
    return Sample(number, f"/ansatte/{number}", truth, cites, way, wrong)


SPEC = {
    "goal": "Read the employee's record and the current contract; count the courses.",
    "read_only": True,
    "locale": "nb",
    "output_schema": {
        "unit": "string | null",
        "manager": "string",
        "course_count": "integer",
        "contract_type": "string",
        "percentage": "number",
        "start_date": "date",
        "end_date": "date | null",
    },
}
PAGES: dict[str, Page] = {f"/ansatte/{row[0]}": _person(row) for row in ROWS}
PAGES |= {f"/ansatte/{row[0]}/kontrakt": _contract(row) for row in ROWS}
PLAY = Play("norwegian_staff", SPEC, PAGES, [_sample(n, row) for n, row in enumerate(ROWS)])
