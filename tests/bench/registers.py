"""Five registers of different make, each with a model that is always right.

A register is a list of records, of which each has a page, and may have more behind a tab and in a
frame. What is true of a record is known, and how its page writes it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from citing import sources_in
from local_site import Site
from wire.messages_server import Answer, Request, text_only, tool_use

NAMES = (
    "O'Neil & Sons", "ACME 7", "de Boer Logistics B.V.", "IBM", "Müller-Lüdenscheidt GmbH & Co. KG",
    "Blue Yonder", "3M", "eBay Deutschland", "Ångström AB", "J. P. Smith, Inc.", "La Poste", "Zoë",
)  # fmt: skip
PLACES = ("Lyon", "Rotterdam", "St. Gallen", "Aix-en-Provence", "Oslo", "New York")
RATINGS = ("low", "medium", "high")
CLERKS = ("Ann Lee", "Bob Hill", "Cleo Ray")
FIRST = 101


@dataclass(frozen=True)
class Shown:
    """A value that is true of a record, the label on its page, and how it is written there."""

    value: Any
    label: str
    text: str


@dataclass(frozen=True)
class Register:
    """``record`` says what is true of the n-th record; ``pages`` makes what is served for it, by
    path, of its name and of its texts by field."""

    name: str
    schema: Mapping[str, str]
    record: Callable[[int], Mapping[str, Shown]]
    pages: Callable[[str, Mapping[str, Shown]], Mapping[str, str]]
    tabs: Sequence[str] = ()
    keys: Mapping[str, Any] = field(default_factory=dict)

    @property
    def spec(self) -> dict[str, Any]:
        goal = f"Read the record {{sample_id}} of the {self.name}."
        return {
            "task_id": self.name, "goal": goal, "output_schema": self.schema,
            "required_fields": [], "required_artifacts": [], **self.keys,
        }  # fmt: skip

    def names(self, number: int) -> list[str]:
        return [f"{self.name[:1].upper()}-{FIRST + n}" for n in range(number)]

    def truth(self, name: str) -> dict[str, Any]:
        shown = self.record(int(name[2:]) - FIRST)
        return {one: shown[one].value for one in self.schema}

    def publish(self, site: Site, number: int) -> dict[str, str]:
        """The path of each record, by its name."""
        paths = {}
        for n, name in enumerate(self.names(number)):
            pages = self.pages(name, self.record(n))
            site.pages |= pages
            paths[name] = next(iter(pages))
        return paths

    def model(self) -> Callable[[Request], Answer]:
        """It saves what a page shows, opens the tabs one after the other, and answers."""
        opened: Counter[str] = Counter()
        saved: dict[str, set[str]] = {}

        def answer(request: Request) -> Answer:
            if isinstance(request.body["system"], str):  # what other samples should know
                return text_only("")
            match = re.search(r'the sample "([\w-]+)"', request.body["system"][1]["text"])
            assert match
            name = match[1]
            shown = self.record(int(name[2:]) - FIRST)
            cited = sources_in(request.prompt, {f: (s.label, s.text) for f, s in shown.items()})
            new = {f: shown[f].value for f in cited if f not in saved.setdefault(name, set())}
            closed = [
                number
                for tab in self.tabs
                if (number := _closed(tab, request.prompt)) and not opened[name, tab]
            ]
            if len(saved[name]) + len(new) < len(shown) and closed:
                if new:
                    saved[name] |= new.keys()
                    sources = {f: cited[f] for f in new}
                    return tool_use("save_progress", extracted=new, sources=sources)
                tab = next(t for t in self.tabs if _closed(t, request.prompt) == closed[0])
                opened[name, tab] += 1
                return tool_use("click", selector=closed[0])
            opened.update({key: -opened[key] for key in [*opened] if key[0] == name})
            values = {f: shown[f].value for f in shown if f not in saved[name] or f in new}
            saved[name] = set()
            return tool_use("done", extracted=values, sources={f: cited[f] for f in new})

        return answer


def _closed(tab: str, prompt: str) -> str:
    """The number of a tab that can be opened."""
    found = re.search(rf'\[(\d+)\] \[(?:tab|button)\] "{re.escape(tab)}"', prompt)
    return found[1] if found else ""


def _tabs(names: Sequence[str], panels: Sequence[str]) -> str:
    """Tabs of which the first is open."""
    buttons = "".join(
        f'<button role=tab aria-selected={"true" if n == 0 else "false"} onclick="'
        "document.querySelectorAll('[role=tabpanel]').forEach((e, i) => e.hidden = i !== "
        f"{n}); document.querySelectorAll('[role=tab]').forEach((e, i) => "
        f"e.setAttribute('aria-selected', i === {n}))\">{name}</button>"
        for n, name in enumerate(names)
    )
    shown = "".join(
        f'<div role=tabpanel aria-label="{names[n]}"{" hidden" if n else ""}>{panel}</div>'
        for n, panel in enumerate(panels)
    )
    return f"<div role=tablist>{buttons}</div>{shown}"


def _rows(shown: Sequence[Shown], row: str) -> str:
    return "".join(row.format(label=one.label, text=one.text) for one in shown)


def _log(name: str, rows: int) -> str:
    lines = "".join(
        f"<tr><td>2026-{n % 12 + 1:02}-{n % 28 + 1:02}</td><td>{CLERKS[(n + len(name)) % 3]}</td>"
        f"<td>{('opened', 'reviewed', 'changed', 'rated')[n % 4]}</td><td>entry {n}</td></tr>"
        for n in range(rows)
    )
    return f"<h2>Log</h2><table><tr><th>When<th>Who<th>What<th>Entry</tr>{lines}</table>"


# -- vendors: no lang, a table, a tab with a pair and a frame, a long log --------------------------


def _vendor(n: int) -> dict[str, Shown]:
    spend = 1325 + n * 977 % 9000
    name, place = NAMES[n * 5 % 12], PLACES[n % 6]
    return {
        "legal_name": Shown(name, "Legal name", name),
        "city": Shown(place, "City", place),
        "annual_spend": Shown(spend, "Annual spend", f"€ {spend:,}"),
        "contact": Shown(None if n % 7 == 2 else f"{CLERKS[n % 3]}", "Contact",
                         "" if n % 7 == 2 else CLERKS[n % 3]),
        "certificate": Shown(f"ISO {9001 + n}", "Certificate", f"ISO {9001 + n}"),
        "score": Shown(n * 37 % 100, "Score", str(n * 37 % 100)),
    }  # fmt: skip


def _vendor_pages(name: str, shown: Mapping[str, Shown]) -> dict[str, str]:
    four = [shown[f] for f in ("legal_name", "city", "annual_spend", "contact")]
    pair = f"<dl>{_rows([shown['certificate']], '<dt>{label}</dt><dd>{text}</dd>')}</dl>"
    frame = f'<iframe src="/frames/{name}" title="Rating" width=400 height=80></iframe>'
    panels = _tabs(
        ("Overview", "Compliance"),
        (f"<p>Vendor since 2019.</p>{_log(name, 80)}", pair + frame),
    )
    table = _rows(four, "<tr><th>{label}</th><td>{text}</td></tr>")
    inside = _rows([shown["score"]], "<dl><dt>{label}</dt><dd>{text}</dd></dl>")
    return {
        f"/vendors/{name}": f"<!doctype html><title>Register</title><h1>Vendor {name}</h1>"
        f"<table>{table}</table>{panels}",
        f"/frames/{name}": f"<!doctype html><title>Rating</title>{inside}",
    }


# -- contracts: definition lists in sections, dates with the day first ----------------------------


def _contract(n: int) -> dict[str, Shown]:
    day, month, year = n * 5 % 28 + 1, n * 3 % 12 + 1, 2026 + n % 3
    party = NAMES[n * 7 % 12]
    note = ("Renews by itself", "–", "Ends; see the letter of 3 May")[n % 3]
    return {
        "party": Shown(party, "Counterparty", party),
        "signed": Shown(f"{year}-{month:02}-{day:02}", "Signed", f"{day:02}/{month:02}/{year}"),
        "value": Shown(n * 1250.5 + 900, "Contract value", f"{n * 1250.5 + 900:,.2f} EUR"),
        "renewal": Shown(None if note == "–" else note, "Renewal", note),
        "owner": Shown(CLERKS[n % 3], "Owner", CLERKS[n % 3]),
    }


def _contract_pages(name: str, shown: Mapping[str, Shown]) -> dict[str, str]:
    row = "<dt>{label}</dt><dd>{text}</dd>"
    first = _rows([shown[f] for f in ("party", "signed", "value")], row)
    second = _rows([shown[f] for f in ("renewal", "owner")], row)
    return {
        f"/contracts/{name}": f"<!doctype html><html lang=en><title>{name}</title><main>"
        f"<h1>Contract {name}</h1><section><h2>Terms</h2><dl>{first}</dl></section>"
        f"<section><h2>Handling</h2><dl>{second}</dl></section>{_log(name, 12)}</main>"
    }


# -- accounts: an admin site's table of columns and values ---------------------------------------


def _account(n: int) -> dict[str, Shown]:
    login = ("alee", "b.hill2", "RAY", "x_fox", "Vogt-7", "n.o'neil")[n % 6] + str(n // 6 or "")
    seen = "" if n % 5 == 3 else f"2026-{n % 12 + 1:02}-{n % 28 + 1:02} {n % 24:02}:{n % 60:02}:00"
    return {
        "login": Shown(login, "login", login),
        "email": Shown(f"{login.lower()}@example.org", "email", f"{login.lower()}@example.org"),
        "active": Shown(n % 3 != 0, "is_active", ("yes", "no")[n % 3 == 0]),
        "last_seen": Shown(seen or None, "last_seen", seen),
        "quota": Shown(n * 512 % 5000 + 1, "quota_mb", str(n * 512 % 5000 + 1)),
    }


def _account_pages(name: str, shown: Mapping[str, Shown]) -> dict[str, str]:
    rows = _rows(list(shown.values()), "<tr><td>{label}</td><td>{text}</td></tr>")
    return {
        f"/accounts/{name}": f"<!doctype html><html lang=en><title>Admin</title><nav><a href=/>"
        f"Accounts</a></nav><h1>{name}</h1><table><thead><tr><th>Column</th><th>Value</th></tr>"
        f"</thead><tbody><tr><td>id</td><td>{name}</td></tr>{rows}</tbody></table>"
    }


# -- devices: a grid of divs, some of them without a value -----------------------------------------


def _device(n: int) -> dict[str, Shown]:
    serial = f"{'KLMN'[n % 4]}{n * 7919 % 9000 + 1000}-{'abcx'[n % 4]}{n % 10}"
    model, weight = f"R{n % 4}00 Mk {'I' * (n % 3 + 1)}", n * 13 % 90 / 10 + 1
    place = None if n % 4 == 1 else PLACES[n * 5 % 6]
    return {
        "model": Shown(model, "Model", model),
        "serial": Shown(serial, "Serial number", serial),
        "location": Shown(place, "Location", place or ""),
        "weight": Shown(weight, "Weight", f"{weight:.1f} kg"),
        "risk": Shown(RATINGS[n * 2 % 3], "Risk rating", RATINGS[n * 2 % 3].title()),
    }  # fmt: skip


def _device_pages(name: str, shown: Mapping[str, Shown]) -> dict[str, str]:
    rows = _rows(
        list(shown.values()),
        "<div class=r><div class=k>{label}</div><div class=v>{text}</div></div>",
    )
    style = ".r{{display:grid;grid-template-columns:160px 1fr;gap:8px}}.k{{color:#666}}"
    return {
        f"/devices/{name}": f"<!doctype html><html lang=en><title>{name}</title><style>"
        f"{style.format()}</style><main><h1>Device {name}</h1>{rows}{_log(name, 20)}</main>"
    }


# -- Kunden: a page in German with two tabs --------------------------------------------------------


def _kunde(n: int) -> dict[str, Shown]:
    name, place = NAMES[n * 11 % 12], PLACES[n % 6]
    sales = 1325 + n * 1013.25
    date = f"{n % 28 + 1:02}.{n * 5 % 12 + 1:02}.{2020 + n % 6}"
    iso = "-".join(reversed(date.split(".")))
    text = f"{sales:,.2f}".translate(str.maketrans(",.", ".,"))
    return {
        "name": Shown(name, "Firma", name),
        "sales": Shown(sales, "Jahresumsatz", f"{text} €"),
        "since": Shown(iso, "Kunde seit", date),
        "city": Shown(place, "Ort", place),
        "blocked": Shown(n % 4 == 1, "Gesperrt", ("nein", "ja")[n % 4 == 1]),
    }


def _kunde_pages(name: str, shown: Mapping[str, Shown]) -> dict[str, str]:
    row = "<tr><th>{label}</th><td>{text}</td></tr>"
    first = _rows([shown[f] for f in ("name", "sales")], row)
    second = _rows([shown[f] for f in ("since", "city", "blocked")], row)
    panels = _tabs(
        ("Stammdaten", "Konditionen"), (f"<table>{first}</table>", f"<table>{second}</table>")
    )
    return {
        f"/kunden/{name}": f"<!doctype html><html lang=de><title>Kunde {name}</title><main>"
        f"<h1>Kunde {name}</h1>{panels}{_log(name, 30)}</main>"
    }


REGISTERS = (
    Register(
        "vendors",
        {
            "legal_name": "string", "city": "string", "annual_spend": "number",
            "contact": "string | null", "certificate": "string", "score": "integer",
        },
        _vendor, _vendor_pages, ("Compliance",),
    ),
    Register(
        "contracts",
        {
            "party": "string", "signed": "date", "value": "number", "renewal": "string | null",
            "owner": "string",
        },
        _contract, _contract_pages,
    ),
    Register(
        "accounts",
        {
            "login": "string", "email": "string", "active": "boolean",
            "last_seen": "string | null", "quota": "integer",
        },
        _account, _account_pages,
    ),
    Register(
        "devices",
        {
            "model": "string", "serial": "string", "location": "string | null",
            "weight": "number", "risk": "string",
        },
        _device, _device_pages,
    ),
    Register(
        "kunden",
        {
            "name": "string", "sales": "number", "since": "date", "city": "string",
            "blocked": "boolean",
        },
        _kunde, _kunde_pages, ("Konditionen",),
    ),
)  # fmt: skip
