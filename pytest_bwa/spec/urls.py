"""Which texts can be opened as a page: http(s) URLs, and paths that the base URL completes."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_BLANK = re.compile(r"[\s\x00-\x1f\x7f]")
_HOST_LIKE = re.compile(r"(?:[\w-]+\.)+(?P<last>[A-Za-z]{2,})(?=[/?#:]|$)|[\w.-]+:\d+(?=[/?#]|$)")
_FILE_ENDINGS = frozenset(
    ("asp", "aspx", "cgi", "csv", "htm", "html", "json", "jsp", "md", "pdf", "php", "txt", "xml")
)


def url_problem(url: str) -> str:
    """Why this is neither an http(s) URL nor a relative path; empty if it is one."""
    if not url:
        return "is empty"
    if _BLANK.search(url):
        return "has a blank or a control character in it; write a blank as %20"
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where the port is no number
    except ValueError as error:
        return f"is no web address ({error})"
    if parts.scheme in ("http", "https"):
        return "" if parts.hostname else "is no web address: it names no host"
    host = _HOST_LIKE.match(url)
    if host and (host["last"] or "").lower() not in _FILE_ENDINGS:
        return f"has no scheme; write https://{url[:60]} (or ./{url[:60]} for a relative path)"
    if parts.scheme:
        return f"is no web address: only http and https can be opened, not {parts.scheme}"
    return f"has no scheme; write https:{url[:60]}" if parts.netloc else ""
