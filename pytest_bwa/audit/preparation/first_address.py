"""Whether a planned address exists: it is asked for once, before a model is paid for every sample.

Only "there is no such page" counts. Sites that want a login, a browser or patience answer in other
ways, and say nothing about the address.
"""

from __future__ import annotations

import urllib.request
from http import HTTPStatus
from urllib.error import HTTPError

SECONDS = 10.0
_GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})


def status_if_gone(url: str) -> int | None:
    """The HTTP status of an address that does not exist; None if it does, or if that is not
    known."""
    if not url.startswith(("http://", "https://")):
        return None
    request = urllib.request.Request(url, headers={"User-Agent": "Mozilla/5.0 (pytest-bwa)"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS):
            return None
    except HTTPError as answer:
        answer.close()
        return answer.code if answer.code in _GONE else None
    except (OSError, ValueError):  # refused, no such host, TLS, no address at all: the run says it
        return None
