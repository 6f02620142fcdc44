"""What no text may say: secrets in each of their encodings, and the tokens of addresses."""

from __future__ import annotations

import base64
import html
import html.entities
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar
from unicodedata import normalize
from urllib.parse import quote, quote_plus

from pydantic import BaseModel

from pytest_bwa.steps.text import whole_words

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


PATTERN_SECONDS = 0.2
"""What a pattern of a spec may take for one text. If it takes longer, all of the text is masked."""
_NAMED = r"<secret:[^<>]*>"
_FOUND_ON_PAGES = frozenset({"extracted", "accumulated_data"})
_WITH_NUMBERS = frozenset({"extracted", "accumulated_data", "params"})
_MADE_BY_US = re.compile(r"[0-9a-f]{64}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:\d\d)")
"""Hashes and times. A short secret may stand in them by chance, and a changed hash proves
nothing."""
_MAX_BY_CHANCE = 12
_Model = TypeVar("_Model", bound=BaseModel)


class Redactor:
    """Replaces the secrets of one sample by their names in any text, and the tokens of addresses
    and what the patterns of a spec find by ``***``."""

    def __init__(self, secrets: Mapping[str, str] | None = None, patterns: Iterable[str] = ()):
        self._secrets = {(name, value) for name, value in (secrets or {}).items() if value.strip()}
        self._typed: set[str] = set()
        self._on_page: set[str] = set()
        """What was typed although, or because, the page itself says it."""
        self._patterns = [_compiled(pattern) for pattern in patterns]
        self._compile()

    def _compile(self) -> None:
        named = {(value, f"<secret:{name}>") for name, value in self._secrets}
        self._declared = _replacement(frozenset(named))
        self._all = _replacement(frozenset(named | {(value, MASK) for value in self._typed}))
        unseen = {(value, MASK) for value in self._typed - self._on_page}
        self._unseen = _replacement(frozenset(named | unseen))

    def learn(self, name: str, value: str) -> None:
        """Mask one more value of a secret, such as a code that was made just now."""
        if value.strip() and (name, value) not in self._secrets:
            self._secrets.add((name, value))
            self._compile()

    def learn_typed(self, text: str, *, is_shown: bool = False) -> bool:
        """Mask what was typed into a password field; whether that is new. In what was read from
        pages it stays, because it may be any word; so it does for the model if the page itself
        showed it before (``is_shown``)."""
        if not text.strip() or text in self._typed or re.fullmatch(_NAMED, text):
            return False
        self._typed.add(text)
        if is_shown:
            self._on_page.add(text)
        self._compile()
        return True

    def __call__(self, text: str) -> str:
        return self._redacted(text, self._all)

    def for_model(self, text: str) -> str:
        """The same for what a model reads and nobody writes down."""
        return self._redacted(text, self._unseen)

    def content(self, content: Any, key: str = "") -> Any:
        """A text, or a list or mapping with each of its texts redacted."""
        return self._content(content, is_found=False, with_numbers=False, key=key)

    def model(self, model: _Model) -> _Model:
        """The model with all of its texts redacted."""
        return type(model).model_validate(self.content(model.model_dump()))

    def secrets_in(self, text: str) -> set[str]:
        """The parts of a text that say a secret, as they are written there."""
        pattern, _ = self._all
        if pattern is None:
            return set()
        return {m[0] for m in pattern.finditer(text) if m.lastgroup != "named"}

    def _content(self, content: Any, *, is_found: bool, with_numbers: bool, key: str) -> Any:
        is_found, with_numbers = (
            is_found or key in _FOUND_ON_PAGES,
            with_numbers or key in _WITH_NUMBERS,
        )
        if isinstance(content, str):
            return self._redacted(content, self._declared if is_found else self._all)
        if with_numbers and isinstance(content, int | float) and not isinstance(content, bool):
            text = str(content)
            return content if self._redacted(text, self._declared) == text else self(text)
        if isinstance(content, Mapping):
            return {
                self(k) if isinstance(k, str) else k: self._content(
                    v, is_found=is_found, with_numbers=with_numbers, key=str(k)
                )
                for k, v in content.items()
            }
        if isinstance(content, list | tuple):
            entries = (
                self._content(e, is_found=is_found, with_numbers=with_numbers, key="")
                for e in content
            )
            return type(content)(entries)
        return content

    def _redacted(self, text: str, replacement: _Replacement) -> str:
        pattern, names = replacement
        if pattern is not None:
            is_ours = _MADE_BY_US.fullmatch(text) is not None

            def name_of(found: re.Match[str]) -> str:
                by_chance = is_ours and len(found[0]) < min(_MAX_BY_CHANCE, len(text))
                return found[0] if by_chance else names.get(found.lastgroup or "", found[0])

            text = pattern.sub(name_of, text)
        text = redact_addresses(text)
        for own in self._patterns:
            try:
                text = own.sub(MASK, text, timeout=PATTERN_SECONDS)
            except TimeoutError:
                return MASK
        return text


def _compiled(pattern: str) -> Any:
    import regex  # few specs have patterns, and it takes long to load

    return regex.compile(pattern)


_Replacement = tuple[re.Pattern[str] | None, Mapping[str, str]]


@lru_cache(maxsize=64)
def _replacement(secrets: frozenset[tuple[str, str]]) -> _Replacement:
    """The pattern that finds each secret, and what to put in its place, by the group that has
    found it. What has been replaced already stays."""
    if not secrets:
        return None, {}
    longest_first: Sequence[tuple[str, str]] = sorted(secrets, key=lambda s: (-len(s[0]), s))
    groups = [f"(?P<named>{_NAMED})"]
    groups += [f"(?P<s{n}>{pattern_of(value)})" for n, (value, _) in enumerate(longest_first)]
    names = {f"s{n}": name for n, (_, name) in enumerate(longest_first)}
    return re.compile("|".join(groups)), names
