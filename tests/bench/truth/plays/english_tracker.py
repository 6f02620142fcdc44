"""Issues of a team's tracker: the short address leads to the board, exact days are tooltips of
relative ones, subtasks with states are counted, a summary is cut in the list, and a hover card and a
template hold what nobody sees."""

from __future__ import annotations

from bench.truth.corpus import Page, Play, Sample, Wrong, at, redirect

ROWS = [
    # key, summary, assignee, reporter, points, component, created, resolved, subtasks, hidden assignee
    ("OPS-771", "Rotate the certificates of the payment gateway before they expire in June", "Lucía Ferrán", "Sam Whitlock", 5, "Gateway", "2026-04-12", "2026-05-03", [("Inventory", "Done"), ("Renew", "Done"), ("Deploy", "In Progress")], "Default Owner"),
    ("OPS-774", "Alert when the nightly reconciliation takes longer than two hours", "Sam Whitlock", "Ngozi Adeyemi", 3, "Batch", "2026-04-15", None, [("Measure", "Done"), ("Alert", "To Do")], "Default Owner"),
    ("OPS-780", "Give the support team read access to the archive of statements", None, "Lucía Ferrán", 2, "Archive", "2026-04-21", None, [("Ask security", "Done")], "Default Owner"),
    ("OPS-786", "Remove the second proxy that nobody has used since the move", "Ngozi Adeyemi", "Sam Whitlock", 8, "Network", "2026-05-02", "2026-06-11", [("List callers", "Done"), ("Redirect", "Done"), ("Stop", "Done"), ("Delete", "Done")], "Default Owner"),
    ("OPS-792", "Describe how to restore a single ledger from the weekly backup", "Henrik Dahl", "Ngozi Adeyemi", 1, "Backup", "2026-05-09", "2026-05-30", [("Draft", "Done"), ("Review", "In Progress"), ("Publish", "To Do")], "Default Owner"),
]  # fmt: skip
MONTHS = ("", "Jan", "Feb", "Mar", "Apr", "May", "Jun")


def _day(iso: str) -> str:
    return f"{int(iso[8:])}/{MONTHS[int(iso[5:7])]}/{iso[2:4]}"


def _record(row: tuple) -> str:
    key, summary, who, asks, points, component, created, resolved, subtasks, hidden = row
    field = "<div class=field><div class=k>{}</div><div class=v>{}</div></div>".format
    time = "<time title='{} 9:1{} AM'>{}</time>".format
    near = ROWS[(ROWS.index(row) + 2) % len(ROWS)]
    board = "".join(f"<li><a href=/browse/{r[0]}>{r[0]}</a> {r[1][:32]}…</li>" for r in ROWS)
    subs = "".join(
        f"<li><a href=/browse/{key}-{n}>{name}</a> <span>{state}</span></li>"
        for n, (name, state) in enumerate(subtasks)
    )
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>[{key}] {summary} - Jira</title><style>.field{{display:flex;gap:20px}}.k{{width:110px;color:#555}}[hidden]{{display:none}}.card{{opacity:0;position:absolute;pointer-events:none}}</style></head><body>"
        f"<header><a href=/your-work>Your work</a> <a href=/projects>Projects</a></header><section aria-label=Board><h2>In progress</h2><ul>{board}</ul></section><main><nav aria-label=Breadcrumbs><a href=/projects/OPS>Operations</a> / <a href=/browse/{key}>{key}</a></nav><h1>{summary}</h1>"
        f"<h2>Details</h2>" + field("Assignee", who or "Unassigned") + field("Reporter", asks) + field("Story points", points)
        + field("Components", component)
        + field("Created", time(_day(created), 3, "6 months ago"))
        + field("Resolved", time(_day(resolved), 7, "5 months ago") if resolved else "—") +
        f"<div class=card><b>Assignee</b> <span>{hidden}</span></div><template><b>Assignee</b> <span>Template Person</span></template>"
        f"<h2>Subtasks</h2><ul>{subs}</ul><h2>Linked work items</h2><ul><li>relates to <a href=/browse/{near[0]}>{near[0]}</a> {near[1][:24]}… <span>{near[2] or 'Unassigned'}</span> <span>{near[4]}</span></li></ul>"
        f"<h2>History</h2><p>{asks} changed the Story points from {points + 8} to {points}</p></main></body></html>"
    )  # fmt: skip


def _sample(place: int, row: tuple) -> Sample:
    key, summary, who, asks, points, component, created, resolved, subtasks, hidden = row
    near = ROWS[(place + 2) % len(ROWS)]
    done = [name for name, state in subtasks if state == "Done"]
    truth = {
        "summary": summary,
        "assignee": who,
        "story_points": points,
        "component": component,
        "created_on": created,
        "resolved_on": resolved,
        "subtask_count": len(subtasks),
        "subtasks_done": len(done),
    }
    cites = {
        "summary": at(summary, role="heading"),
        "assignee": at(who or "Unassigned", after="Assignee"),
        "story_points": at(str(points), after="Story points"),
        "component": at(component, after="Components"),
        "created_on": at(_day(created)),
        "resolved_on": at(_day(resolved)) if resolved else at("—", after="Resolved"),
        "subtask_count": [at(name, role="link") for name, _ in subtasks],
        "subtasks_done": [at("Done", after=f'"{name}"') for name in done],
    }
    wrong = [
        Wrong("hidden", {"assignee": hidden}),
        Wrong("hidden", {"assignee": "Template Person"}, name="hidden in a template"),
        Wrong(
            "older",
            {"story_points": points + 8},
            {"story_points": at("changed the Story")} if place % 2 else {},
        ),
        Wrong(
            "cut",
            {"summary": summary[:32] + ("…" if place % 2 else "")},
            {"summary": at(key, "…")} if place % 3 else {},
        ),
    ]
    if near[2] and near[2] not in (who, asks):
        wrong.append(
            Wrong(
                "other record", {"assignee": near[2]}, {"assignee": at(near[2])}, name="linked item"
            )
        )
    return Sample(key, f"/browse/{key}", truth, cites, (), wrong)


SPEC = {
    "goal": "Read the work item; count its subtasks and those that are done.",
    "read_only": True,
    "output_schema": {
        "summary": "string",
        "assignee": "string | null",
        "story_points": "integer",
        "component": "string",
        "created_on": {"type": "date", "minimum": "2000-01-01"},
        "resolved_on": {"type": "date | null", "minimum": "2000-01-01"},
        "subtask_count": "integer",
        "subtasks_done": "integer",
    },
}
PAGES: dict[str, Page] = {}
for _row in ROWS:
    PAGES[f"/browse/{_row[0]}"] = redirect(
        f"/jira/software/projects/OPS/boards/4?selectedIssue={_row[0]}"
    )
    PAGES[f"/jira/software/projects/OPS/boards/4?selectedIssue={_row[0]}"] = _record(_row)
PLAY = Play("english_tracker", SPEC, PAGES, [_sample(n, row) for n, row in enumerate(ROWS)])
