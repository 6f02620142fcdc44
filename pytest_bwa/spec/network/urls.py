"""Checks addresses: http(s) URLs, and relative paths that the base URL completes."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

UNREACHED = "chrome-error:"
"""Where Chromium shows its own page in place of one that it could not reach."""
BROWSERS_OWN = (UNREACHED, "chrome:", "about:neterror")
"""Pages that the browser itself writes; they quote addresses, and say nothing of a sample."""
NO_PAGE_URLS = ("about:blank", UNREACHED)
"""How the addresses begin that the browser itself shows where it has no page."""
_SPACE_OR_CONTROL = re.compile(r"[\s\x00-\x1f\x7f]")
_HOST_LIKE = re.compile(r"(?:[\w-]+\.)+(?P<last>[A-Za-z]{2,})(?=[/?#:]|$)|[\w.-]+:\d+(?=[/?#]|$)")
_FILE_ENDINGS = frozenset(
    ("asp", "aspx", "cgi", "csv", "htm", "html", "json", "jsp", "md", "pdf", "php", "txt", "xml")
)


def host_of(url: str) -> str:
    """The host of an address in lower case; empty if it has none."""
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def is_within(host: str, domain: str) -> bool:
    """Whether the host is the domain or one of its subdomains."""
    return host == domain or host.endswith(f".{domain}")


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
