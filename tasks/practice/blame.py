"""Practice site of a code host: search, files, blame, and the commit that last changed a line."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from tasks.practice.web import Reply, Request, definitions, not_found, page

SITE = "Forgeyard · acme/fx"


@dataclass(frozen=True)
class Line:
    code: str
    author: str
    date: str
    commit: str
    diff: str
    """How the commit changed the line."""


FILES: dict[str, tuple[Line, ...]] = {
    "src/fx/rates.py": (
        Line("class ExchangeRate:", "priya-n", "2026-03-14", "1f0c", "+class ExchangeRate:"),
        Line("def convert(amount, rate):", "tomas-b", "2026-09-30", "2a9d", "-    return amount * rate\n+    return round(amount * rate, 2)"),
        Line("SPREAD = 0.0025", "ines-a", "2026-10-21", "3b77", "-SPREAD = 0.0020\n+SPREAD = 0.0025"),
    ),
    "src/fx/fees.py": (
        Line("def fee_for(volume):", "omar-h", "2026-08-02", "4c10", "-# fees\n+# Fees by volume"),
        Line("MINIMUM_FEE = 1.50", "omar-h", "2026-11-01", "5d2e", "-MINIMUM_FEE = 1.00\n+MINIMUM_FEE = 1.50"),
    ),
    "src/fx/report.py": (
        Line("def monthly_total(entries):", "yuki-m", "2026-07-19", "6e90", "-    total = 0\n+    total = Decimal(0)"),
        Line("HEADER = 'Date;Amount'", "lena-v", "2026-05-05", "7fa1", "-HEADER = 'date;amount'\n+HEADER = 'Date;Amount'"),
        Line("def is_business_day(day):", "yuki-m", "2026-10-08", "8b3c", "-    return day.weekday() < 5\n+    return day.weekday() < 5 and day not in HOLIDAYS"),
    ),
}  # fmt: skip


def respond(request: Request) -> Reply | None:
    path = request.path.removeprefix("/")
    if path == "code":
        return _search(request.query.get("q", ""))
    kind, _, rest = path.partition("/")
    if kind in ("file", "blame"):
        if rest not in FILES:
            return not_found(SITE, rest)
        return _file(rest) if kind == "file" else _blame(rest)
    if kind == "change":
        return _change(rest)
    return None


def _search(query: str) -> Reply:
    body = '<h1>Search code</h1><form action="/code"><label for="q">Search code</label>'
    body += f'<input id="q" name="q" type="search" value="{escape(query, quote=True)}"> <button>Search</button></form>'
    hits = [(n, x) for n, lines in FILES.items() for x in lines if query and query in x.code]
    for name, line in hits:
        match = f'<a href="/blame/{name}"><code>{escape(line.code)}</code></a>'
        body += definitions({"File": f'<a href="/file/{name}">{name}</a>', "Match": match})
    return page(
        "Code search", body + ("" if hits or not query else "<p>No file matches.</p>"), site=SITE
    )


def _file(name: str) -> Reply:
    code = escape("\n".join(line.code for line in FILES[name]))
    body = f'<h1>{name}</h1><p><a href="/blame/{name}">Blame</a></p><pre>{code}</pre>'
    return page(name, body, site=SITE)


def _blame(name: str) -> Reply:
    rows = "".join(
        f"<tr><td><code>{escape(line.code)}</code></td><td>{name}</td><td>{line.author}</td>"
        f"<td>{line.date}</td>"
        f'<td><a href="/change/{line.commit}">{line.commit}</a></td></tr>'
        for line in FILES[name]
    )
    head = "<tr><th>Code</th><th>File</th><th>Author</th><th>Last modified</th><th>Commit</th></tr>"
    return page(f"Blame {name}", f"<h1>Blame of {name}</h1><table>{head}{rows}</table>", site=SITE)


def _change(commit: str) -> Reply:
    for name, lines in FILES.items():
        for line in lines:
            if line.commit == commit:
                fields = {"Changed file": name, "Changed by": line.author, "Changed on": line.date}
                body = (
                    f"<h1>Change {commit}</h1>{definitions(fields)}<pre>{escape(line.diff)}</pre>"
                )
                return page(f"Change {commit}", body, site=SITE)
    return not_found(SITE, f"Change {commit}")
