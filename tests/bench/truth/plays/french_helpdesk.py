"""Tickets of a French help desk: labels as small texts above their values, a thread of follow-ups
that is counted, a tooltip with the exact date. Ten alike samples."""

from __future__ import annotations

from bench.truth.corpus import Play, Sample, Wrong, at

ROWS = [
    # number, title, status, requester, technician, group, opened, due, priority, follow-ups
    (4127, "Imprimante du 2e étage hors ligne", "En cours (Attribué)", "Maëlle Guérin", "Baptiste Roux", "Support N1", "2026-10-02 09:14", "2026-10-06", "Moyenne", 3),
    (4131, "Accès VPN refusé", "En attente", "Hugo Lemaître", "Inès Carpentier", "Réseau", "2026-10-03 16:40", "2026-10-05", "Haute", 2),
    (4138, "Écran noir après mise à jour", "Résolu", "Clémence Aubry", "Baptiste Roux", "Support N1", "2026-10-05 08:02", "2026-10-07", "Moyenne", 5),
    (4140, "Nouveau poste pour stagiaire", "Nouveau", "Yanis Belkacem", "Odile Marchetti", "Parc", "2026-10-05 11:27", "2026-10-19", "Basse", 1),
    (4146, "Boîte partagée pleine", "Résolu", "Solène Picard", "Inès Carpentier", "Messagerie", "2026-10-06 14:55", "2026-10-08", "Basse", 2),
    (4152, "Badge d’accès démagnétisé", "Clos", "Amaury Tessier", "Odile Marchetti", "Parc", "2026-10-07 07:48", "2026-10-09", "Haute", 4),
    (4159, "Lenteur de l’ERP le matin", "En cours (Planifié)", "Léna Fontaine", "Rachid Mansouri", "Applications", "2026-10-08 10:31", "2026-10-22", "Très haute", 6),
    (4163, "Mot de passe oublié", "Clos", "Victor Allard", "Baptiste Roux", "Support N1", "2026-10-09 13:05", "2026-10-10", "Moyenne", 1),
    (4170, "Téléphone IP muet", "En attente", "Noémie Barbier", "Rachid Mansouri", "Réseau", "2026-10-12 15:19", "2026-10-14", "Moyenne", 3),
    (4178, "Demande d’un second écran", "Résolu", "Ewen Le Gall", "Odile Marchetti", "Parc", "2026-10-13 09:50", "2026-10-27", "Basse", 2),
]  # fmt: skip
MONTHS = {"10": "octobre"}
STYLE = ".f{display:inline-block;width:220px;margin:6px}.f small{display:block;color:#667}.s{border:1px solid #ccd;margin:6px;padding:6px}"


def _french(day: str) -> str:
    return f"{int(day[8:10])} {MONTHS[day[5:7]]} {day[:4]}"


def _record(row: tuple) -> str:
    number, title, status, asks, works, group, opened, due, priority, count = row
    field = "<div class=f><small>{}</small><span>{}</span></div>".format
    texts = [
        "Bonjour, pouvez-vous redémarrer et me dire si cela change quelque chose ?",
        "Toujours pareil après le redémarrage.",
        f"Transféré au groupe {group}.",
        "Le fournisseur a été relancé ce matin.",
        "Merci, je vérifie et je reviens vers vous.",
        "Intervention planifiée jeudi.",
    ]
    thread = "".join(
        f'<div class=s><div><b>{works if n % 2 == 0 else asks}</b> <span title="{_french(opened)}'
        f' {10 + n}:2{n}">il y a {count - n + 1} jours</span></div><div>{texts[n]}</div></div>'
        for n in range(count)
    )
    history = (
        "<table><thead><tr><th>Champ</th><th>Ancienne valeur</th><th>Nouvelle valeur</th></tr>"
        f"</thead><tbody><tr><td>Technicien</td><td>Fabrice Noblet</td><td>{works}</td></tr>"
        f"<tr><td>Priorité</td><td>Majeure</td><td>{priority}</td></tr></tbody></table>"
    )
    near = ROWS[(ROWS.index(row) + 4) % len(ROWS)]
    return (
        f"<!doctype html><html lang=fr><head><meta charset=utf-8><style>{STYLE}</style><title>"
        f"Ticket {number} - {title}</title></head><body><nav><a href=/>Accueil</a> <a href=/tickets>"
        f"Assistance</a> <a href=/parc>Parc</a></nav><main><h1>{title} (#{number})</h1><section>"
        + field("Statut", status) + field("Priorité", priority) + field("Demandeur", asks)
        + field("Attribué à", works) + field("Groupe technique", group)
        + field("Date d’ouverture", f"{_french(opened)} {opened[11:]}")
        + field("Échéance", _french(due))
        + f"</section><h2>Suivis</h2>{thread}<h2>Historique</h2>{history}</main><aside><h3>Tickets "
        f"liés</h3><div class=s><a href=/tickets/{near[0]}>#{near[0]} {near[1]}</a><div><small>"
        f"Attribué à</small> <span>{near[4]}</span></div></div></aside></body></html>"
    )  # fmt: skip


def _sample(place: int, row: tuple) -> Sample:
    number, _, status, asks, works, group, opened, due, priority, count = row
    truth = {
        "status": status,
        "assignee": works,
        "support_group": group,
        "opened_on": opened[:10],
        "due_date": due,
        "priority": priority,
        "followup_count": count,
    }
    texts = (
        "Bonjour, pouvez",
        "Toujours pareil",
        "Transféré au",
        "Le fournisseur",
        "Merci, je",
        "Intervention",
    )
    cites = {
        "status": at(status),
        "assignee": at(works, after="Attribué à"),
        "support_group": at(group, after="Groupe technique"),
        "opened_on": at("octobre", after="Date d’ouverture"),
        "due_date": at("octobre", after="Échéance"),
        "priority": at(priority, after="Priorité"),
        "followup_count": [at(text) for text in texts[:count]],
    }
    wrong = [
        Wrong("neighbour", {"assignee": asks}, {"assignee": at(asks, after="Demandeur")}),
        Wrong(
            "older",
            {"assignee": "Fabrice Noblet"},
            {"assignee": at("Fabrice Noblet")} if place % 2 else {},
        ),
    ]
    if place % 2:
        wrong.append(
            Wrong("neighbour", {"opened_on": due}, {"opened_on": at("octobre", after="Échéance")},
                  name="neighbour’s label: due date")
        )  # fmt: skip
    near = ROWS[(place + 4) % len(ROWS)]
    if near[4] not in (works, asks):
        cites_of_other = {"assignee": at(near[4], after="Tickets liés")} if place % 3 else {}
        wrong.append(
            Wrong("other record", {"assignee": near[4]}, cites_of_other, name="related ticket")
        )
    return Sample(f"T{number}", f"/tickets/{number}", truth, cites, (), wrong)


SPEC = {
    "goal": "Read the ticket: who works on it, since when, and how many follow-ups it has.",
    "read_only": True,
    "output_schema": {
        "status": "string",
        "assignee": "string | null",
        "support_group": "string | null",
        "opened_on": "date",
        "due_date": "date | null",
        "priority": "string",
        "followup_count": "integer",
    },
}
PAGES = {f"/tickets/{row[0]}": _record(row) for row in ROWS}
PLAY = Play(
    "french_helpdesk", SPEC, PAGES, [_sample(n, row) for n, row in enumerate(ROWS)], is_alike=True
)
