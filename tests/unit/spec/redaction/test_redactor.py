"""The redactor: secrets in each encoding, tokens of addresses, patterns, and what it must leave."""

from __future__ import annotations

import base64
import html
import json
import time
from unicodedata import normalize
from urllib.parse import quote, quote_plus

import pytest

from pytest_bwa.spec.redaction import Redactor, redact_addresses
from pytest_bwa.steps.step import Step

VALUE = 'p"ss & wörd/1'
NAME = "<secret:password>"
ENCODED = {
    "raw": VALUE,
    "percent": quote(VALUE, safe=""),
    "percent, small letters": quote(VALUE, safe="").lower(),
    "encodeURIComponent": quote(VALUE, safe="!'()*"),
    "percent in percent": quote(quote(VALUE, safe=""), safe=""),
    "percent in percent, small letters": quote(quote(VALUE, safe="").lower(), safe="").lower(),
    "plus": quote_plus(VALUE),
    "JSON": json.dumps(VALUE),
    "JSON in UTF-8": json.dumps(VALUE, ensure_ascii=False),
    "JSON in JSON": json.dumps(json.dumps(VALUE)),
    "JSON in JSON, in UTF-8": json.dumps(json.dumps(VALUE, ensure_ascii=False), ensure_ascii=False),
    "JSON of HTML": json.dumps(html.escape(VALUE)),
    "HTML": html.escape(VALUE),
    "HTML, numbers": VALUE.replace("&", "&amp;").replace('"', "&#34;"),
    "HTML, numbers of letters": html.escape(VALUE).replace("ö", "&#246;"),
    "HTML, hexadecimal": html.escape(VALUE).replace("ö", "&#xF6;"),
    "HTML, names": html.escape(VALUE).replace("ö", "&ouml;"),
    "HTML text": html.escape(VALUE, quote=False),
    "hex": VALUE.encode().hex(),
    "HEX": VALUE.encode().hex().upper(),
    "cut": VALUE[:9] + "…",
    "percent, cut": quote(VALUE, safe="")[:14] + "…",
    "hex, cut": VALUE.encode().hex()[:13] + "…",
    "base64, cut": base64.b64encode(VALUE.encode()).decode()[:9] + "…",
    "decomposed": normalize("NFD", VALUE),
    "decomposed, percent": quote(normalize("NFD", VALUE)),
    "Python": repr([VALUE]),
}


@pytest.mark.parametrize("form", ENCODED)
def test_a_secret_is_replaced_by_its_name_in_each_encoding(form):
    redacted = Redactor({"password": VALUE})(f"before {ENCODED[form]} after")
    assert NAME in redacted
    assert "rd" not in redacted.replace(NAME, "")
    assert redacted.startswith("before ")
    assert redacted.endswith(" after")


@pytest.mark.parametrize("shift", range(4))
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_base64_tells_no_secret_at_any_alignment(shift, encode):
    for secret in (VALUE, "tr0ub4dor"):
        text = encode(f"{'u' * shift}:{secret}:end".encode()).decode()
        redacted = Redactor({"password": secret})(f"Authorization: Basic {text}")
        assert NAME in redacted
        left = redacted.removeprefix("Authorization: Basic ").replace(NAME, "")
        neighbours = (f"{'u' * shift}:".encode(), b":end")
        assert len(left) <= sum(len(encode(text)) for text in neighbours)


def test_short_secrets_are_whole_words_and_long_ones_stand_anywhere():
    redactor = Redactor({"pin": "42", "long": "4711"})
    assert redactor("42, 142, 4742 x4711x") == "<secret:pin>, 142, 4742 x<secret:long>x"


def test_redacting_twice_changes_nothing_and_names_are_no_secrets():
    redactor = Redactor({"password": "password", "other": "secret"})
    once = redactor("the password is secret")
    assert once == "the <secret:password> is <secret:other>"
    assert redactor(once) == once


def test_a_secret_in_another_one_does_not_uncover_it():
    redactor = Redactor({"a": "horse", "b": "horse battery"})
    assert redactor("horse battery, horse") == "<secret:b>, <secret:a>"


def test_a_model_keeps_its_form_its_hashes_and_its_numbers():
    digest, moment = "4711" * 16, "2026-11-22T08:47:11.471Z"
    step = Step(
        step=4711,
        action="type",
        params={"text": "4711", "pin": 4711, "extracted": {"pin": 4711, "other": 1, "ok": True}},
        result="shows 4711",
        success=True,
        url="https://u:pw@a.example/?token=abc",
        page_hash=digest,
        started_at=moment,
        timestamp=moment,
    )
    redacted = Redactor({"pin": "4711"}).model(step)
    name = "<secret:pin>"
    assert redacted.params["extracted"] == {"pin": name, "other": 1, "ok": True}
    assert (redacted.params["text"], redacted.params["pin"]) == (name, name)
    assert (redacted.step, redacted.page_hash, redacted.timestamp) == (4711, digest, moment)
    assert redacted.result == f"shows {name}"
    assert redacted.url == "https://***@a.example/?token=***"
    assert Redactor({"key": digest}).model(step).page_hash == "<secret:key>"


def test_what_was_typed_into_a_password_field_stays_in_what_pages_showed():
    """It may be any word: a role "admin" is evidence."""
    redactor = Redactor()
    assert redactor.learn_typed("admin")
    assert not redactor.learn_typed("admin")
    content = {"reason": "no admin here", "extracted": {"role": "admin"}}
    assert redactor.content(content) == {"reason": "no *** here", "extracted": {"role": "admin"}}


@pytest.mark.parametrize(
    ("address", "written"),
    [
        ("https://a:b@h.example/x", "https://***@h.example/x"),
        ("see https://h/?access_token=e.f&page=2", "see https://h/?access_token=***&page=2"),
        ("https://h/#id_token=ey.J&x=1", "https://h/#id_token=***&x=1"),
        ("https://s3/o?X-Amz-Signature=f&X-Amz-Date=2", "https://s3/o?X-Amz-Signature=***&X-Amz-Date=***"),
        ("https://h/?sv=2&sig=a%2Fb", "https://h/?sv=2&sig=***"),
        ('<a href="/x?a=1&amp;apiKey=q">', '<a href="/x?a=1&amp;apiKey=***">'),
        ("https://h/?resetPassword=x;user_token=y", "https://h/?resetPassword=***;user_token=***"),
        ("https://h/cb?code=4/0AY0e-g7x", "https://h/cb?code=***"),
        ("https://h/?key=AIzaSyA1b2c3", "https://h/?key=***"),
        ("https://h/?code=US&key=summary", "https://h/?code=US&key=summary"),
        ("https://h/?q=token&sort=name", "https://h/?q=token&sort=name"),
        ("mail ann@h.example or https://h/@ann", "mail ann@h.example or https://h/@ann"),
    ],
)  # fmt: skip
def test_addresses_lose_their_tokens_and_nothing_else(address, written):
    assert redact_addresses(address) == written
    assert redact_addresses(written) == written


def test_patterns_of_a_spec_are_bounded_in_time():
    assert Redactor(patterns=[r"ACME-\d+"])("of ACME-123.") == "of ***."
    begun = time.process_time()  # which does not run on while others use the processor
    assert Redactor(patterns=[r"(a|aa)+$"])("a" * 200 + "!") == "***", "rather all than nothing"
    assert time.process_time() - begun < 3
