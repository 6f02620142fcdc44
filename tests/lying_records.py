"""Records whose known rows could teach the wrong place: on their pages two places say the same, and
on another record's page the two differ. More of a record is behind a tab, folded and in a frame."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from audit_folder import AuditFolder

NAMES = ("Ann Lee", "Bob Hill", "Cleo Ray", "Dan Fox", "Eve Ward", "Fay Orr", "Gus Pym", "Ida Moe")
KNOWN = 5
"""The first records. The next one is like them, and on the page of each further one the two places
of one field differ."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A field, what is true of the n-th record, and how its page shows it; a lie shows it twice,
    and then ``other`` is what the second place says where the two differ."""

    name: str
    type: str
    truth: Callable[[int], Any]
    html: str
    other: Callable[[int], Any] | None = None


def _people(step: int) -> Callable[[int], str]:
    return lambda n: NAMES[n * step % 8]


def _shifted(step: int) -> Callable[[int], str]:
    return lambda n: NAMES[(n * step + 3) % 8]


LIES = (
    Shown("twins", "string", _people(1),
          "<h2>Erfassung</h2><dl><dt>Kraft<dd>{}</dl><h2>Ablage</h2><dl><dt>Kraft<dd>{}</dl>",
          _shifted(1)),
    Shown("copy", "string", _people(3),
          "<h2>Heute</h2><dl><dt>Dienst<dd>{}</dl>"
          "<aside><h2>Gestern</h2><dl><dt>Dienst<dd>{}</dl></aside>", _shifted(3)),
    Shown("gross", "number", lambda n: 1037.5 + 113 * n,
          "<h2>Rechnung</h2><table><tr><th>Endwert<td>{}<tr><th>Posten<td>{}</table>",
          lambda n: 900.5 + n),
    Shown("newest", "string", _people(5),
          "<h2>Freigabe</h2><dl><dt>Freigegeben durch<dd>{}</dl><h2>Verlauf</h2><table><tr><th>Wer"
          "<th>Was<tr><td>{}<td>Freigabe<tr><td>Zoe Zander<td>Eingang</table>", _shifted(5)),
    Shown("flag", "boolean", lambda n: n % 2 == 0,
          "<h2>Lage</h2><dl><dt>Wach<dd>{}<dt>Bereit<dd>{}</dl>", lambda n: n % 2 != 0),
    Shown("ends_on", "date", lambda n: "2026-11-01",
          "<h2>Termine</h2><dl><dt>Stand<dd>{}<dt>Frist<dd>{}</dl>", lambda n: "2027-05-03"),
    Shown("town", "string", lambda n: "Lyon",
          "<h2>Sitz</h2><dl><dt>Ort<dd>{}<dt>Filiale<dd>{}</dl>", lambda n: "Oslo"),
)  # fmt: skip
UNTAUGHT = ("ends_on", "town")
"""What is equal in all known rows may stand anywhere by chance."""
HIDDEN = (
    Shown("behind_tab", "string", lambda n: f"Halle {n}",
          "<div role=tablist><button role=tab aria-selected=true aria-controls=p0>Allgemein"
          "</button><button role=tab aria-selected=false aria-controls=p1 onclick=\""
          "p0.hidden = true; p1.hidden = false; this.setAttribute('aria-selected', true);"
          "this.previousSibling.setAttribute('aria-selected', false)\">Lager</button></div><div "
          "role=tabpanel id=p0><p>Seit 2019.</div><div role=tabpanel id=p1 hidden><dl><dt>Halle"
          "<dd>{}</dl></div>"),
    Shown("folded", "number", lambda n: 100 + 7 * n,
          "<details><summary>Mehr</summary><dl><dt>Gewicht<dd>{}</dl></details>"),
    Shown("in_frame", "string", lambda n: f"AX-{100 + n}",
          "<h2>Anlage</h2><iframe srcdoc='<dl><dt>Nummer<dd>{}</dl>'></iframe>"),
)  # fmt: skip
FIELDS = (*LIES, *HIDDEN)
RECORDS = [f"L-{n}" for n in range(KNOWN + 2 + len(LIES))]


def truth(n: int) -> dict[str, Any]:
    return {one.name: one.truth(n) for one in FIELDS}


def _page(n: int) -> str:
    name, parts = RECORDS[n], []
    for number, one in enumerate(FIELDS, start=KNOWN + 1):
        differs = one.other is not None and n == number
        values = (one.truth(n), one.other(n) if one.other and differs else one.truth(n))
        texts = (("nein", "ja")[value] if one.type == "boolean" else value for value in values)
        parts.append(one.html.format(*texts))
    return f"<!doctype html><title>{name}</title><main><h1>Akte {name}</h1>{''.join(parts)}</main>"


def run_lying_records(audit: AuditFolder) -> list[dict[str, Any]]:
    """The results of all records, read by what the known ones teach, without a model."""
    schema = {one.name: f"{one.type} | null" for one in FIELDS}
    audit.spec(output_schema=schema, required_fields=[], required_artifacts=[], locale="en")
    with (audit.path / "samples.csv").open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["sample_id", "url", *(f"expected.{name}" for name in schema)])
        for n, name in enumerate(RECORDS):
            audit.site.pages[f"/{name}"] = _page(n)
            known = truth(n).values() if n < KNOWN else [""] * len(schema)
            rows.writerow([name, f"{audit.site.url}/{name}", *known])
    audit.audit("--recipe=learn", "--expected=report", "-n0")
    return [audit.result(name) for name in RECORDS]


def wrong_values(results: list[dict[str, Any]]) -> list[str]:
    """What was read that is not true, in words."""
    return [
        f"{RECORDS[n]}: {name} was {value!r}, and not {truth(n)[name]!r}"
        for n, result in enumerate(results)
        for name, value in result["extracted"].items()
        if value is not None and value != truth(n)[name]
    ]
