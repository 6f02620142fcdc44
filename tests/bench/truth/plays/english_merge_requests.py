"""Merge requests of a code host: the project was renamed, so that every address is redirected; the
pipeline's state is an icon with a name, commits and approvals are counted, titles are cut by the
page, and the discussion is in another tab."""

from __future__ import annotations

from bench.truth.corpus import Page, Play, Sample, Wrong, at, click, redirect

ROWS = [
    # number, title, author, merged by, branch, commits (title, passed), approvals, merged at, former pipeline
    (412, "Retry the ledger export when the bank answers with 503", "Priya Raghavan", "Tomasz Wilk", "fix/ledger-503", [("Retry on 503", "passed"), ("Cap the number of retries", "passed"), ("Log the last answer", "failed")], 2, "2026-05-03", "failed"),
    (415, "Replace the hand-written CSV parser of statements", "Joel Ferreira", "Priya Raghavan", "csv-parser", [("Use the library's reader", "passed")], 1, "2026-05-07", "failed"),
    (419, "Let auditors download the monthly totals as a spreadsheet", "Tomasz Wilk", None, "monthly-totals", [("Add the endpoint", "failed"), ("Add the button", "running")], 0, None, "passed"),
    (423, "Do not round cents twice in the summary of fees", "Anneke Bosch", "Joel Ferreira", "cents", [("Round once", "passed"), ("Test the summary", "passed"), ("Describe it in the changelog", "passed"), ("Fix a typo", "passed")], 3, "2026-06-02", "canceled"),
    (430, "Move settlement jobs to the new queue and drop the old", "Joel Ferreira", "Anneke Bosch", "queue", [("Move the jobs", "failed"), ("Drop the old queue", "passed")], 2, "2026-06-18", "failed"),
    (437, "Show who changed a standing order and when in its history", "Priya Raghavan", None, "so-history", [("Read the log", "passed"), ("Show it", "skipped"), ("Sort by day", "passed")], 1, None, "failed"),
]  # fmt: skip
MONTHS = ("", "January", "February", "March", "April", "May", "June", "July")


def _day(iso: str) -> str:
    return f"{MONTHS[int(iso[5:7])]} {int(iso[8:])}, {iso[:4]}"


def _icon(state: str) -> str:
    return f'<svg width=16 height=16 role=img aria-label="Pipeline: {state}"><title>Pipeline: {state}</title><circle cx=8 cy=8 r=7 /></svg>'


def _record(row: tuple) -> str:
    number, title, author, merger, branch, commits, approvals, merged, former = row
    state = "Merged" if merger else "Open"
    merged_by = (
        f"<p>Merged by <a href=/u/1>{merger}</a> on {_day(merged)}</p>"
        if merger
        else "<p>Ready to merge by members who can write to the target branch.</p>"
    )
    listed = "".join(
        f"<li class=commit><a href=/c/{n}>{name}</a> <span>{author} authored</span> {_icon(state_)}</li>"
        for n, (name, state_) in enumerate(commits)
    )
    approvers = "".join(
        f"<li>{name}</li>" for name in ("Tomasz Wilk", "Ursula Behn", "Dan Oyelaran")[:approvals]
    )
    near = ROWS[(ROWS.index(row) + 1) % len(ROWS)]
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{title} (!{number}) · Merge requests · payments / ledger-core</title><style>aside{{float:right;width:260px}}.cut{{width:240px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}}[hidden]{{display:none}}</style></head><body>"
        f"<nav><a href=/>Projects</a> <a href=/payments/ledger-core/-/merge_requests>Merge requests</a></nav><aside><h3>Reviewer</h3><p>Ursula Behn</p><h3>Assignee</h3><p>{near[2]}</p><h3>Milestone</h3><p>None</p></aside>"
        f"<main><p>Merge request !{number}</p><h1>{title[:40]}…</h1><p><span>{state}</span> <b>{author}</b> requested to merge <code>{branch}</code> into <code>main</code></p>"
        f'<div role=tablist><button role=tab onclick="show(0)" aria-selected=true>Overview</button><button role=tab onclick="show(1)" aria-selected=false>Commits</button></div>'
        f"<section id=p0><h2>Merge details</h2>{merged_by}<h2>Approved by</h2><ul>{approvers or '<li>Nobody yet</li>'}</ul><p>{_icon(commits[-1][1])} Merge request pipeline for {branch}</p><h2>Activity</h2><ul><li>{author} changed the branch from <code>wip-{branch}</code> to <code>{branch}</code></li><li>Earlier pipeline {_icon(former)} superseded</li></ul></section>"
        f"<section id=p1 hidden><ul>{listed}</ul></section><h2>Related merge requests</h2><ul><li><a href=/payments/ledger-core/-/merge_requests/{near[0]}>!{near[0]}</a> by {near[2]} · {near[4]}</li></ul></main>"
        "<script>function show(n){for(const i of [0,1])document.getElementById('p'+i).hidden=i!==n}</script></body></html>"
    )


def _sample(place: int, row: tuple) -> Sample:
    number, title, author, merger, branch, commits, approvals, merged, former = row
    near = ROWS[(place + 1) % len(ROWS)]
    truth = {
        "author": author,
        "source_branch": branch,
        "pipeline": commits[-1][1],
        "merged_on": merged,
        "commit_count": len(commits),
        "first_commit_pipeline": commits[0][1],
    }
    cites = {
        "author": at(author, "requested to merge"),
        "source_branch": at("requested to merge", branch),
        "pipeline": at(f"Pipeline: {commits[-1][1]}", after="Merge request pipeline"),
        "merged_on": at("Merged by" if merged is None else _day(merged)),
        "commit_count": [at(name) for name, _ in commits],
        "first_commit_pipeline": at(f"Pipeline: {commits[0][1]}", after=commits[0][0]),
    }
    if merged is None:
        cites["merged_on"] = at("Ready to merge")
    wrong = [
        Wrong("other record", {"author": near[2]}, {"author": at(f"by {near[2]}")} if place % 2 else {}),
        Wrong("other record", {"source_branch": near[4]}, {"source_branch": at(near[4])} if place % 2 else {}, name="related request’s branch"),
        Wrong("older", {"source_branch": f"wip-{branch}"}, {"source_branch": at(f"wip-{branch}")} if place % 2 else {}),
    ]  # fmt: skip
    if former != commits[-1][1]:
        wrong.append(
            Wrong(
                "older",
                {"pipeline": former},
                {"pipeline": at(f"Pipeline: {former}", after="Earlier")},
                name="earlier pipeline",
            )
        )
    return Sample(
        f"mr-{number}",
        f"/payments/ledger/-/merge_requests/{number}",
        truth,
        cites,
        (click("Commits", role="tab"),),
        wrong,
    )


SPEC = {
    "goal": "Read the merge request: author, branch, the state of its pipeline, when it was merged, the number of its commits, and the pipeline of the first commit.",
    "read_only": True,
    "output_schema": {
        "author": "string",
        "source_branch": "string",
        "pipeline": "string | null",
        "merged_on": "date | null",
        "commit_count": "integer",
        "first_commit_pipeline": "string",
    },
}
PAGES: dict[str, Page] = {}
for _row in ROWS:
    PAGES[f"/payments/ledger/-/merge_requests/{_row[0]}"] = redirect(
        f"/payments/ledger-core/-/merge_requests/{_row[0]}"
    )
    PAGES[f"/payments/ledger-core/-/merge_requests/{_row[0]}"] = _record(_row)
PLAY = Play("english_merge_requests", SPEC, PAGES, [_sample(n, row) for n, row in enumerate(ROWS)])
