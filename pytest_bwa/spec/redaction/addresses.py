"""Tokens in addresses: parameters that open something, and the user of an address."""

from __future__ import annotations

import re

MASK = "***"
"""Replaces what is secret and has no name."""

_PARAMETER = re.compile(
    r"""(?P<name>(?:[?&;\#]|&amp;)
        (?: [\w.\[\]-]*
            (?:token|secret|passw|pwd|signature|credential|api_?-?key|session_?id)[\w.\[\]-]*
          | (?:sig|sign|jwt|auth|otp|ticket|saml\w*|x-(?:amz|goog|oss|ms)-[\w-]+)
          | (?P<unsure>code|key|sid|assertion) )
        =)(?P<value>[^&;\#\s"'<>\\()|]+)""",
    re.I | re.X,
)
_USER = re.compile(r"(?P<scheme>\b[a-z][a-z0-9+.-]{0,30}://)[^/\s@\"'<>?\#]{1,200}@", re.I)
_MIN_RANDOM, _MIN_LONG = 6, 24


def redact_addresses(text: str) -> str:
    """The text without the tokens of its addresses. What is called a token goes always; of names
    that also mean something else (``key``, ``code``), only values that look made by a machine."""
    if "=" in text:
        text = _PARAMETER.sub(_without_value, text)
    return _USER.sub(rf"\g<scheme>{MASK}@", text) if "@" in text else text


def _without_value(parameter: re.Match[str]) -> str:
    value = parameter["value"]
    if parameter["unsure"] and not _looks_random(value):
        return parameter[0]
    return parameter["name"] + MASK


def _looks_random(value: str) -> bool:
    is_mixed = any(c.isdigit() for c in value) and len(value) >= _MIN_RANDOM
    return is_mixed or len(value) >= _MIN_LONG
