"""Practice site of the contributors to a project: a list sorted by commits, and their profiles."""

from __future__ import annotations

from dataclasses import dataclass

from tasks.practice.web import Reply, Request, definitions, not_found, page

SITE = "Forgeyard contributors"


@dataclass(frozen=True)
class Profile:
    username: str
    name: str
    company: str
    location: str
    followers: int


PROFILES = {
    p.username: p
    for p in (
        Profile("priya-n", "Priya Natarajan", "Northwind Labs", "Chennai", 912),
        Profile("tomas-b", "Tomas Becker", "", "Leipzig", 48),
        Profile("mgarcia", "Maria Garcia", "Harbor Freight Lines", "Bilbao", 230),
        Profile("mgarcia2", "Maria Garcia", "Tidewater Studio", "Quito", 1840),
        Profile("omar-h", "Omar Haddad", "Cedar Systems", "", 77),
        Profile("lena-v", "Lena Vogt", "Northwind Labs", "Graz", 5),
    )
}
TEAMS = {
    "ledger": (
        ("priya-n", 1204),
        ("tomas-b", 871),
        ("mgarcia", 455),
        ("omar-h", 61),
        ("lena-v", 9),
    ),
    "portal": (("mgarcia2", 640), ("mgarcia", 512), ("lena-v", 300), ("priya-n", 12)),
    "mailer": (("omar-h", 88), ("tomas-b", 7)),
}


def respond(request: Request) -> Reply | None:
    match request.path.strip("/").split("/"):
        case ["teams", project] if project in TEAMS:
            return _team(project)
        case ["teams", project]:
            return not_found(SITE, f"Project {project}")
        case ["profiles", username] if username in PROFILES:
            return _profile(PROFILES[username])
    return None


def _team(project: str) -> Reply:
    rows = "".join(
        f'<tr><td><a href="/profiles/{user}">{user}</a></td><td>{count}</td></tr>'
        for user, count in TEAMS[project]
    )
    body = f"<h1>Contributors of {project}</h1><p>By commits, most first</p><table><tr><th>User</th><th>Commits</th></tr>{rows}</table>"
    return page(f"Contributors · {project}", body, site=SITE)


def _profile(profile: Profile) -> Reply:
    fields = {"Username": profile.username, "Name": profile.name}
    fields |= {"Company": profile.company} if profile.company else {}
    fields |= {"Location": profile.location} if profile.location else {}
    fields["Followers"] = f"{profile.followers:,}"
    return page(
        f"{profile.username} · {profile.name}",
        f"<h1>{profile.name}</h1>{definitions(fields)}",
        site=SITE,
    )
