"""Screens made with real component libraries, on a local site."""

from __future__ import annotations

import gzip
from pathlib import Path

from local_site import Site

FOLDER = Path(__file__).parent / "component_libraries"
_TYPES = {".js": "text/javascript", ".css": "text/css"}
_PAGE = """<!doctype html><html lang=en><meta charset=utf-8><title>{name}</title>
{style}<div id=root></div><script type=module src=/{name}.js></script>"""


def serve_screens(site: Site) -> None:
    """Each screen at the address of its name: ``/mui``."""
    for path in (FOLDER / "bundles").glob("*.gz"):
        file = path.name.removesuffix(".gz")
        if content_type := _TYPES.get(Path(file).suffix):
            site.pages[f"/{file}"] = (
                200, {"Content-Type": content_type}, gzip.decompress(path.read_bytes()),
            )  # fmt: skip
    for path in (FOLDER / "screens").iterdir():
        style = f"<link rel=stylesheet href=/{path.stem}.css>"
        has_style = f"/{path.stem}.css" in site.pages
        site.pages[f"/{path.stem}"] = _PAGE.format(name=path.stem, style=style if has_style else "")
