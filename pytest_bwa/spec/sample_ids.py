"""Ids of samples: what one may be, and ids for samples that were found on pages."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from urllib.parse import parse_qsl, unquote, urlsplit

from pytest_bwa.spec.messages import quote_value

MAX_ID_CHARACTERS, MAX_CHARACTERS = 100, 60
"""Of any id, and of one that is made."""
_SAFE_ID = re.compile(r"[A-Za-z0-9_-](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?")
_WINDOWS_DEVICES = {"con", "prn", "aux", "nul"} | {
    f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10)
}
_RUN_FOLDER_NAMES = {
    "memory", "run.json", "task_spec.json", "generated_task_spec.json", "samples.csv",
    "population.csv", "discovered_samples.csv", "trajectory.db", "memory_events.jsonl",
    "_discovery", "index.html", "readme.txt", "packages.txt",
    "reviews.jsonl", "manifest-sha256.txt", "recipe.yaml", "recipe_checks", "shards",
}  # fmt: skip


def new_id(url: str, text: str, taken: Container[str]) -> str:
    """An id made from the end of the address, else from the text; with ``_2``, ``_3``, … if it is
    taken. ``taken`` has ids in lower case, as some disks know no capitals."""
    return unique_id(_from_address(url) or _safe(text) or "sample", taken)


def ids_of_addresses(urls: Sequence[str]) -> list[str]:
    """Ids made of what differs between the addresses of alike records; of one address, of its last
    part with a digit."""
    parts = [[part for some in _parts(url) for part in some] for url in urls]
    if len(urls) > 1 and len(set(map(len, parts))) == 1:
        wanted = [
            "_".join(p for p, *others in zip(own, *parts, strict=True) if len(set(others)) > 1)
            for own in parts
        ]
    else:
        wanted = [next((p for p in reversed(own) if re.search(r"\d", p)), "") for own in parts]
    ids: list[str] = []
    for url, text in zip(urls, wanted, strict=True):
        taken = {name.casefold() for name in ids}
        ids.append(unique_id(text, taken) if text else new_id(url, "", taken))
    return ids


def unique_id(wanted: str, taken: Container[str]) -> str:
    """The id that is wanted, in the letters that a folder's name may have, and not taken."""
    base = _safe(wanted) or "sample"
    base = f"sample_{base}" if id_problem(base) else base
    number, name = 2, base
    while name.casefold() in taken:
        number, name = number + 1, f"{base}_{number}"
    return name


def _from_address(url: str) -> str:
    """The last value of the query, else the last part of the path that is no ending such as
    ``index.html``."""
    names, values = _parts(url)
    return _safe((names or [""])[-1] if not values else "_".join([*names[-1:], *values]))


def _parts(url: str) -> tuple[list[str], list[str]]:
    """The parts of the path without such endings, and the values of the query."""
    parts = urlsplit(url)
    segments = [unquote(part) for part in parts.path.split("/") if part]
    names = [re.sub(r"\.(?:html?|php|aspx?)$", "", part) for part in segments]
    return [n for n in names if n != "index"], [value for _, value in parse_qsl(parts.query)]


def _safe(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", text).strip("._")[:MAX_CHARACTERS].rstrip("._")


def id_problem(name: str) -> str:
    """Return why ``name`` cannot be a folder name in the run folder, or an empty string."""
    if not name.strip():
        return "is empty: every sample needs an id"
    if len(name) > MAX_ID_CHARACTERS:
        return f"has {len(name)} characters; at most {MAX_ID_CHARACTERS} are allowed"
    if not _SAFE_ID.fullmatch(name):
        return (
            f'{quote_value(name)} is not a safe folder name: use letters, digits, ".", "_" and '
            '"-", with no dot at the start or end'
        )
    folded = name.casefold()
    is_device = folded.split(".")[0] in _WINDOWS_DEVICES
    if is_device or folded in _RUN_FOLDER_NAMES or folded.startswith("combined."):
        return f'"{name}" is a name that the run folder or Windows reserves'
    return ""
