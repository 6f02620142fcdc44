"""Practice site of commits, with pull requests, checks, jobs, and tickets on the other origin.

The state of a check is only an SVG icon.
"""

from __future__ import annotations

from dataclasses import dataclass

from tasks.practice.web import Reply, Request, definitions, items, not_found, page

SITE = "Forgeyard · acme/ledger"
CHECK_NAMES = ("build / test", "lint", "security scan")
# Deliberately without a text alternative: only the picture shows the state.
ICONS = {
    True: '<svg class="icon" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="#1a7f37"/>'
    '<path d="M4 8l3 3 5-6" stroke="#fff" stroke-width="2" fill="none"/></svg>',
    False: '<svg class="icon" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="#cf222e"/>'
    '<path d="M5 5l6 6M11 5l-6 6" stroke="#fff" stroke-width="2"/></svg>',
}


@dataclass(frozen=True)
class Commit:
    sha: str
    message: str
    author: str
    date: str
    pull: int | None = None
    creator: str = ""
    approvers: tuple[str, ...] = ()
    merger: str = ""
    failed: tuple[int, ...] = ()
    """Indexes in CHECK_NAMES of the checks that failed."""
    ticket: str = ""


COMMITS = {
    c.sha: c
    for c in (
        Commit("3f9a1c2", "Guard totals against retries", "priya-n", "2026-11-02", 412, "priya-n", ("tomas-b", "ines-a"), "ines-a", (), "LED-77"),
        Commit("8b20de4", "Speed up the export", "tomas-b", "2026-11-03", 413, "tomas-b", ("priya-n",), "tomas-b", (0,), "LED-81"),
        Commit("c41e77a", "Bump the parser", "renovate-bot", "2026-11-03", 414, "renovate-bot", (), "ines-a", (2,), ""),
        Commit("0d5f6b9", "Hotfix: stop the mail loop", "omar-h", "2026-11-04"),
        Commit("a97c310", "Round half cents to even", "yuki-m", "2026-11-05", 415, "yuki-m", ("priya-n",), "priya-n", (), "LED-90"),
        Commit("5e8842f", "Drop the old queue", "omar-h", "2026-11-06", 417, "omar-h", ("tomas-b",), "omar-h", (0, 1), "LED-93"),
        Commit("e6630ab", "Typo in the runbook", "lena-v", "2026-11-06"),
        Commit("77d1c05", "Sign exports", "priya-n", "2026-11-09", 420, "priya-n", ("ines-a", "yuki-m"), "yuki-m", (1,), "LED-95"),
    )
}  # fmt: skip
PULLS = {c.pull: c for c in COMMITS.values() if c.pull}


def respond(request: Request) -> Reply | None:
    parts = request.path.strip("/").split("/")
    match parts:
        case ["ledger", "commits"]:
            rows = "".join(f'<li><a href="/ledger/commit/{c.sha}">{c.sha}</a> {c.message}</li>' for c in reversed(COMMITS.values()))  # fmt: skip
            return page("Commits", f"<h1>Commits on main</h1><ul>{rows}</ul>", site=SITE)
        case ["ledger", "commit", sha]:
            return _commit(COMMITS[sha]) if sha in COMMITS else not_found(SITE, f"Commit {sha}")
        case ["ledger", "pull", number] if number.isdigit() and int(number) in PULLS:
            return _pull(PULLS[int(number)], request.other_origin)
        case ["ledger", "pull", number, "checks"] if number.isdigit() and int(number) in PULLS:
            return _checks(PULLS[int(number)])
        case ["ledger", "pull", number, "job", index] if number.isdigit() and index.isdigit():
            return _job(PULLS[int(number)], int(index))
        case ["browse", ticket]:
            return _ticket(ticket)
    return None


def _commit(commit: Commit) -> Reply:
    fields = {"Commit": f"<code>{commit.sha}</code>", "Author": commit.author, "Date": commit.date}
    if commit.pull:
        fields["Pull request"] = f'<a href="/ledger/pull/{commit.pull}">#{commit.pull}</a>'
    body = f"<h1>{commit.message}</h1>{definitions(fields)}"
    body += "" if commit.pull else "<h2>History</h2><p>Pushed directly to main.</p>"
    body += "<h2>Changed files</h2><table><tr><th>File</th><th>Lines</th></tr><tr><td>ledger/core.py</td><td>+12 −4</td></tr></table>"
    return page(f"{commit.message} · {commit.sha}", body, site=SITE)


def _pull(commit: Commit, other_origin: str) -> Reply:
    fields = {
        "Pull request": f"#{commit.pull}",
        "Head commit": f"<code>{commit.sha}</code>",
        "Opened by": commit.creator,
        "Approved by": items(commit.approvers),
        "Merged by": commit.merger,
    }
    if commit.ticket:
        fields["Ticket"] = f'<a href="{other_origin}/browse/{commit.ticket}">{commit.ticket}</a>'
    tabs = f'<p><a href="/ledger/pull/{commit.pull}/checks">Checks ({len(CHECK_NAMES)})</a></p>'
    body = f"<h1>{commit.message} #{commit.pull}</h1><span class=pill>Merged</span>{definitions(fields)}{tabs}"
    return page(f"Pull request #{commit.pull} {commit.message}", body, site=SITE)


def _checks(commit: Commit) -> Reply:
    rows = "".join(
        f"<tr><td>{ICONS[n not in commit.failed]}</td><td>{name}</td>"
        f'<td><a href="/ledger/pull/{commit.pull}/job/{n}">Details</a></td></tr>'
        for n, name in enumerate(CHECK_NAMES)
    )
    body = f"<h1>Checks of pull request #{commit.pull}</h1><table>{rows}</table>"
    return page(f"Checks #{commit.pull}", body, site=SITE)


def _job(commit: Commit, index: int) -> Reply:
    name = CHECK_NAMES[index] if index < len(CHECK_NAMES) else "?"
    log = "exit code 0"
    if index in commit.failed:
        log = f"FAILED tests/test_{name.split()[0]}.py::test_totals\nexit code 1"
    return page(f"Job {name}", f"<h1>Job {name}</h1><pre>{log}</pre>", site=SITE)


def _ticket(ticket: str) -> Reply:
    known = {c.ticket: c for c in COMMITS.values() if c.ticket}
    if ticket not in known:
        return not_found("Planboard", f"Ticket {ticket}")
    fields = {"Key": ticket, "Summary": known[ticket].message, "Reporter": known[ticket].author}
    return page(f"[{ticket}]", f"<h1>{ticket}</h1>{definitions(fields)}", site="Planboard")
