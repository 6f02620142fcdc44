"""Checks addresses: http(s) URLs, and relative paths that the base URL completes."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_SPACE_OR_CONTROL = re.compile(r"[\s\x00-\x1f\x7f]")
_HOST_LIKE = re.compile(r"(?:[\w-]+\.)+(?P<last>[A-Za-z]{2,})(?=[/?#:]|$)|[\w.-]+:\d+(?=[/?#]|$)")
_FILE_ENDINGS = frozenset(
    ("asp", "aspx", "cgi", "csv", "htm", "html", "json", "jsp", "md", "pdf", "php", "txt", "xml")
)


def url_problem(url: str) -> str:
    """Return why this is neither an http(s) URL nor a relative path, or an empty string."""
    if not url:
        return "is empty"
    if _SPACE_OR_CONTROL.search(url):
        return "contains a space or a control character; write a space as %20"
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises ValueError if the port is not a number
    except ValueError as error:
        return f"is not a web address ({error})"
    if parts.scheme in ("http", "https"):
        return "" if parts.hostname else "is not a web address: it has no host"
    host = _HOST_LIKE.match(url)
    if host and (host["last"] or "").lower() not in _FILE_ENDINGS:
        return f"has no scheme; write https://{url[:60]} (or ./{url[:60]} for a relative path)"
    if parts.scheme:
        return f"is not a web address: only http and https can be opened, not {parts.scheme}"
    return f"has no scheme; write https:{url[:60]}" if parts.netloc else ""
