"""A secret is typed by its name, and what the page does with it reaches no report."""

from __future__ import annotations

import pytest

from pytest_bwa.spec.typed_secrets import SecretSource, TypedSecrets

VALUE = "correct horse battery"
ECHO = """<title>Login</title><label>PIN <input id="pin"
 oninput="this.title = this.value; this.className = this.value.replaceAll(' ', '-');
 document.title = this.value"></label><p id="out"></p>
<label>Short <input maxlength="7"></label>"""


@pytest.fixture
def login(agent_with, site, monkeypatch):
    monkeypatch.setenv("BWA_TEST_PIN", VALUE)
    secrets = TypedSecrets({"pin": SecretSource(env="BWA_TEST_PIN")}, [site.url])
    site.pages["/"] = ECHO
    agent = agent_with(secrets=secrets)
    agent.act("goto", url=site.url + "/")
    return agent


def test_the_value_is_typed_and_reported_nowhere(login):
    result = login.act("type", selector=login.index("PIN"), text="<secret:pin>")
    assert result.success, result
    assert login.page.input_value("#pin") == VALUE
    assert VALUE not in repr(result)
    assert login.page.title() == VALUE


def test_a_field_that_keeps_a_part_shows_no_part_of_it(login):
    result = login.act("type", selector=login.index("Short"), text="<secret:pin>")
    assert not result.success
    assert "correct" not in repr(result)


def test_a_host_that_the_secret_is_not_bound_to_gets_nothing(login, site):
    login.act("goto", url=site.url.replace("127.0.0.1", "localhost") + "/")
    result = login.act("type", selector=login.index("PIN"), text="<secret:pin>")
    assert not result.success
    assert "<secret:pin> may not be typed on localhost: it is bound to 127.0.0.1" in str(
        result.error
    )
    assert login.page.input_value("#pin") == ""


def test_a_frame_of_another_host_gets_nothing(login, site):
    other = site.url.replace("127.0.0.1", "localhost")
    site.pages["/frame"] = f'<iframe src="{other}/" width=900 height=700></iframe>'
    login.act("goto", url=site.url + "/frame")
    result = login.act("type", selector=login.index("PIN"), text="<secret:pin>")
    assert "may not be typed on localhost" in str(result.error)
