"""Practice site of projects: merged pull requests on several pages, each with a tab of files."""

from __future__ import annotations

from dataclasses import dataclass

from tasks.practice.web import Reply, Request, definitions, items, not_found, page

SITE = "Forgeyard projects"
PULLS_PER_PAGE = 4


@dataclass(frozen=True)
class Pull:
    number: int
    title: str
    author: str
    merged: str
    reviewers: tuple[str, ...]
    failed: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def checks(self) -> str:
        return f"{', '.join(self.failed)} failed" if self.failed else "All checks passed"


def _pulls(project: str, first: int, count: int) -> tuple[Pull, ...]:
    """Make pull requests, newest first, from their numbers, so that every run has the same ones."""
    people = ("priya-n", "tomas-b", "ines-a", "omar-h", "yuki-m", "lena-v")
    work = (
        "Guard totals",
        "Speed up the export",
        "Bump the parser",
        "Drop the old queue",
        "Round half cents",
    )
    return tuple(
        Pull(
            number=n,
            title=f"{work[n % 5]} in {project}",
            author=people[n % 6],
            merged=f"2026-11-{1 + n % 19:02d}",
            reviewers=() if n % 7 == 3 else tuple(sorted({people[(n + 2) % 6], people[(n * 3 + 1) % 6]} - {people[n % 6]})),
            failed=("lint",) if n % 5 == 2 else (),
            files=tuple(f"{project}/part_{k}.py" for k in range(1, 2 + n % 4)),
        )
        for n in range(first, first - count, -1)
    )  # fmt: skip


PROJECTS = {
    "ledger": _pulls("ledger", 431, 14),
    "portal": _pulls("portal", 212, 12),
    "mailer": _pulls("mailer", 38, 3),
}


def respond(request: Request) -> Reply | None:
    match request.path.strip("/").split("/"):
        case ["projects", project, *rest]:
            if project not in PROJECTS:
                return not_found(SITE, f"Project {project}")
            return _project(project, rest, request)
    return None


def _project(project: str, rest: list[str], request: Request) -> Reply | None:
    pulls = {str(pull.number): pull for pull in PROJECTS[project]}
    match rest:
        case ["merged"]:
            return _list(project, int(request.query.get("page", "1")))
        case ["merged", number] if number in pulls:
            return _pull(project, pulls[number])
        case ["merged", number, "files"] if number in pulls:
            return _files(project, pulls[number])
    return None


def _list(project: str, page_number: int) -> Reply:
    pulls, begin = PROJECTS[project], (page_number - 1) * PULLS_PER_PAGE
    rows = "".join(
        f'<tr><td>#{p.number}</td><td><a href="/projects/{project}/merged/{p.number}">{p.title}</a></td><td>{p.author}</td><td>{p.merged}</td></tr>'
        for p in pulls[begin : begin + PULLS_PER_PAGE]
    )
    links = f'<a href="?page={page_number - 1}">Previous</a> ' if page_number > 1 else ""
    links += (
        f'<a href="?page={page_number + 1}">Next</a>' if begin + PULLS_PER_PAGE < len(pulls) else ""
    )
    body = f"<h1>Merged pull requests of {project}</h1><p>{len(pulls)} in all, newest first</p><table><tr><th>Number</th><th>Title</th><th>Author</th><th>Merged</th></tr>{rows}</table><nav aria-label=Pages>{links}</nav>"
    return page(f"Merged pull requests · {project}", body, site=SITE)


def _tabs(project: str, pull: Pull) -> str:
    here = f"/projects/{project}/merged/{pull.number}"
    return f'<p><a href="{here}">Conversation</a> · <a href="{here}/files">Changed files ({len(pull.files)})</a> · <a href="/projects/{project}/merged">All merged</a></p>'


def _pull(project: str, pull: Pull) -> Reply:
    fields = {
        "Pull request": f"#{pull.number}",
        "Author": pull.author,
        "Reviewers": items(pull.reviewers),
        "Checks": pull.checks,
        "Merged on": pull.merged,
    }
    body = f"<h1>{pull.title}</h1><span class=pill>Merged</span>{_tabs(project, pull)}{definitions(fields)}"
    return page(f"{pull.title} · Pull request {pull.number}", body, site=SITE)


def _files(project: str, pull: Pull) -> Reply:
    rows = "".join(
        f"<tr><td>{name}</td><td>+{3 + n} −{n}</td></tr>" for n, name in enumerate(pull.files)
    )
    fields = {"Pull request": f"#{pull.number}", "Changed files": str(len(pull.files))}
    body = f"<h1>{pull.title}</h1>{_tabs(project, pull)}{definitions(fields)}<table><tr><th>Name</th><th>Lines</th></tr>{rows}</table>"
    return page(f"Files · Pull request {pull.number}", body, site=SITE)
