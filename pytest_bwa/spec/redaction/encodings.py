"""The forms in which a secret may stand in a text."""

from __future__ import annotations

import base64
import html
import html.entities
import json
import re
from collections.abc import Collection, Iterator
from unicodedata import normalize
from urllib.parse import quote, quote_plus

from pytest_bwa.steps.text import whole_words

MIN_CHARACTERS_INSIDE_WORDS = 4
"""Shorter secrets are found only as whole words: a one-letter secret would mask half of a page."""
MIN_BEGINNING = 6
"""Characters of a secret that count as its beginning where a text was cut."""
MAX_BEGINNING = 60
MIN_LINE = 8
"""Characters of a line that says enough of a secret with several lines, such as a key."""
_LIKE_A_SCRIPT = "!'()*~"
"""What JavaScript's encodeURIComponent leaves as it is, and Python's quote does not."""
_NAMES = html.entities.codepoint2name
_WHOLE_ADDRESS = ";,/?:@&=+$#" + _LIKE_A_SCRIPT


def pattern_of(secret: str) -> str:
    """A regular expression that finds the secret in each of its encodings."""
    texts = sorted(texts_of(secret), key=len, reverse=True)
    if len(secret) < MIN_CHARACTERS_INSIDE_WORDS:
        return whole_words(texts).pattern
    hexadecimal = secret.encode().hex()
    codes = [f"(?i:{hexadecimal})", *dict.fromkeys(_base64_patterns(secret))]
    cut = {secret, quote(secret, safe=""), quote_plus(secret), hexadecimal}
    cut |= {own for _, own in _base64_parts(secret)}
    return "|".join(
        [*map(re.escape, texts), *codes, *(p for text in cut for p in _beginning(text))]
    )


def texts_of(secret: str) -> set[str]:
    """The secret as it is, and as addresses, HTML and JSON write it."""
    lines = {line.strip() for line in secret.splitlines() if len(line) >= MIN_LINE}
    written = {secret, secret.strip(), " ".join(secret.split()), *lines} - {""}
    written |= {normalize(form, text) for text in written for form in ("NFC", "NFD")}
    forms = set(written)
    for text in written:
        percent = {quote(text, safe=safe) for safe in ("", "/", _LIKE_A_SCRIPT, _WHOLE_ADDRESS)}
        percent |= {quote_plus(text), quote_plus(text, safe=_LIKE_A_SCRIPT)}
        percent |= {re.sub("%..", lambda m: m[0].lower(), form) for form in percent}
        forms |= percent | {form.replace("%", "%25") for form in percent}  # an address in another
        forms |= set(_html(text))
    for form in list(forms):
        as_json = {json.dumps(form)[1:-1], json.dumps(form, ensure_ascii=False)[1:-1]}
        for inner in list(as_json):  # JSON in a text of JSON
            as_json |= {json.dumps(inner)[1:-1], json.dumps(inner, ensure_ascii=False)[1:-1]}
        forms |= as_json | {form.replace("/", r"\/") for form in as_json} | {repr(form)[1:-1]}
    return forms


def _html(text: str) -> Iterator[str]:
    yield html.escape(text, quote=False)
    whole = html.escape(text)
    for quotes in (("&quot;", "&#x27;"), ("&#34;", "&#39;"), ("&quot;", "&apos;"), ('"', "&#39;")):
        yield whole.replace("&quot;", quotes[0]).replace("&#x27;", quotes[1])
    yield whole.replace("&#x27;", "'")
    for reference in ("&#{:d};", "&#x{:x};", "&#x{:X};"):
        yield "".join(c if c.isascii() else reference.format(ord(c)) for c in whole)
    yield "".join(
        f"&{_NAMES[ord(c)]};" if ord(c) in _NAMES and not c.isascii() else c for c in whole
    )


def may_be_in(secret: str, texts: Collection[str]) -> bool:
    """Whether one of the texts may say the secret, without making a pattern of it: a list may have
    a secret in each of its rows."""
    code = secret.encode().hex()
    forms = {*texts_of(secret), code, code.upper(), *(own for _, own in _base64_parts(secret))}
    return any(form in text for form in forms if form for text in texts)


def _base64_parts(secret: str) -> Iterator[tuple[int, str]]:
    """The secret may begin at each of three places in a group of base64, as in ``user:secret``: its
    place, and the characters that say nothing of its neighbours, in both alphabets."""
    content = secret.encode()
    for place in range(3):
        encoded = base64.b64encode(bytes(place) + content).decode()
        own = encoded[(place * 8 + 5) // 6 : (place + len(content)) * 8 // 6]
        yield place, own
        yield place, own.replace("+", "-").replace("/", "_")


def _base64_patterns(secret: str) -> Iterator[str]:
    """The characters that the secret shares with its neighbours are taken with it."""
    for place, own in _base64_parts(secret):
        before = "" if place == 0 else "[A-Za-z0-9+/_-]?"
        if len(own) >= MIN_CHARACTERS_INSIDE_WORDS:
            yield f"{before}{re.escape(own)}[A-Za-z0-9+/_-]?=*"


def _beginning(form: str) -> Iterator[str]:
    """The beginning of a secret, in one of its forms, where a text was cut."""
    if len(form) > MIN_BEGINNING:
        rest = ""
        for character in reversed(form[MIN_BEGINNING:MAX_BEGINNING]):
            rest = f"(?:{re.escape(character)}{rest})?"
        yield f"{re.escape(form[:MIN_BEGINNING])}{rest}(?=…)"
