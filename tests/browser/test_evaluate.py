"""The action that evaluates a model's script: it reads the page, and nothing else comes of it."""

from __future__ import annotations

import pytest

from pytest_bwa.actions.evaluate import NEXT_TO_SECRET
from pytest_bwa.page.evaluation import NO_EFFECTS, RESULT_CHARACTERS
from pytest_bwa.spec.typed_secrets import SecretSource, TypedSecrets

PAGE = """<title>Orders</title>
<style>.late::before { content: "Late" } #gone { display: none }</style>
<table id=orders><tr><td>OR-1<td class=late>12.50<tr><td>OR-2<td>7.00</table>
<p id=note>For Ada <span id=gone>nobody</span></p>
<label>Quantity <input value=3></label><button onclick="document.title = 'pressed'">Go</button>
<form action="/sent"><input name=q value=1></form>
<script>
  window.reads = 0;
  Object.defineProperty(window, "counted", { get: () => ++window.reads });
  Object.defineProperty(HTMLTableElement.prototype, "spy", { get: () => fetch("/spied") });
  document.cookie = "session=8f2e6b1c9d";
  localStorage.setItem("token", "8f2e6b1c9d");
</script>
<iframe srcdoc="<p>framed</p>"></iframe>"""


@pytest.fixture
def orders(agent, site):
    site.pages["/"] = PAGE
    agent.act("goto", url=f"{site.url}/")
    site.requests.clear()
    return agent


def evaluated(agent, script: str) -> str:
    result = agent.act("evaluate", script=script)
    assert result.success, result.error
    assert result.lines[0].source == "evaluate"
    return result.lines[0].text


READING = [
    (
        "[...document.querySelectorAll('tr')].map(r => r.cells[0].textContent)",
        '["OR-1","OR-2"]',
    ),
    (
        "[...document.querySelectorAll('tr')].map(r => ({id: r.cells[0].innerText}))",
        '[{"id":"OR-1"},{"id":"OR-2"}]',
    ),
    ("document.querySelector('#note').innerText;", "For Ada"),
    ("document.querySelectorAll('td.late')", '["12.50"]'),
    ("getComputedStyle(document.querySelector('.late'), '::before').content", '"Late"'),
    ("document.querySelector('input').value", "3"),
    ("() => document.title", "Orders"),
    (
        """let sum = 0;
            for (const cell of document.querySelectorAll('td:last-child')) {
              sum += Number(cell.textContent);
            }
            return sum.toFixed(2); // all of it""",
        "19.50",
    ),
    ("new Set(['a', 'a', 'b'])", '["a","b"]'),
    ("document.querySelector('iframe').contentDocument.body.textContent", "framed"),
    ("document.querySelector('#orders').spy === undefined", "true"),
    ("typeof reads", "undefined"),
    ("null", "null"),
]


def test_a_script_reads_the_page(orders, site):
    scripts = [script for script, _ in READING]
    assert [evaluated(orders, script) for script in scripts] == [found for _, found in READING]
    assert orders.page.evaluate("reads") == 0, "no getter of the page was asked"
    assert site.requests == []


REACHING = [
    "fetch('URL')",
    "new Image().src = 'URL'",
    "document.createElement('img').src = 'URL'",
    "const x = new XMLHttpRequest(); x.open('GET', 'URL'); x.send(); return 1",
    "new WebSocket('WS')",
    "new EventSource('URL')",
    "navigator.sendBeacon('URL', 'x')",
    "import('URL')",
    "new Worker('URL')",
    "new FontFace('f', 'url(URL)').load()",
    "window.open('URL')",
    "location = 'URL'",
    "location.assign('URL')",
    "window[0].location = 'URL'",
    "document.querySelector('iframe').contentWindow.fetch('URL')",
    "document.querySelector('form').submit()",
    "document.body.style.background = 'url(URL)'",
    "document.styleSheets[0].insertRule('p { background: url(URL) }')",
    "document.body.insertAdjacentHTML('beforeend', '<img src=URL>')",
    "setTimeout(() => fetch('URL'))",
    "Promise.resolve().then(() => fetch('URL'))",
    "(async () => { await 1; fetch('URL') })()",
    "new MutationObserver(() => fetch('URL')).observe(document.body, {childList: true})",
    "eval(\"fetch('URL')\")",
    "(() => {}).constructor(\"fetch('URL')\")()",
    "['URL'].map(fetch)",
    "'x'.replace('x', () => fetch('URL'))",
    "({toJSON() { return fetch('URL') }})",
    "({then(done) { fetch('URL'); done(1) }}).then(() => 1)",
    "new Proxy({}, {ownKeys() { fetch('URL'); return [] }})",
    "try { fetch('URL') } catch (error) { return 'caught' }",
    "try { fetch('URL') } finally { return 'finally' }",
    "const e = new Error('x'); e.toString = () => fetch('URL'); throw e + ''",
    # out of the brackets that are put around a script
    "1)}, 9); fetch('URL'); (() => { (1",
    "return 1}, 9); ({get a() { return fetch('URL') }}); (() => {return (1)",
    "return 1}, 9); ({toJSON() { fetch('URL') }, toString() { fetch('URL') }}); (() => {1",
]


def succeeded(agent, scripts) -> list[str]:
    return [script for script in scripts if agent.act("evaluate", script=script).success]


def test_no_script_reaches_a_server(orders, site):
    before, socket = orders.page.content(), site.url.replace("http", "ws")
    scripts = [
        script.replace("URL", f"{site.url}/stolen").replace("WS", f"{socket}/stolen")
        for script in REACHING
    ]
    assert succeeded(orders, scripts) == []
    orders.page.wait_for_timeout(200)
    assert site.requests == []
    assert orders.page.content() == before
    assert orders.page.url == f"{site.url}/"


CHANGING = [
    "document.querySelector('button').click()",
    "document.querySelector('input').value = 'mine'",
    "document.querySelector('#note').remove()",
    "document.querySelector('#note').textContent = 'x'",
    "document.title = 'x'",
    "document.cookie = 'mine=1'",
    "window.mine = 1",
    "Array.prototype.mine = 1",
    "history.pushState(1, '', '/elsewhere')",
    "document.querySelector('input').focus()",
    "alert('x')",
    "document.write('x')",
    "document.addEventListener('click', () => 1)",
]


def test_what_would_have_an_effect_is_refused(orders):
    before = orders.page.content()
    errors = {orders.act("evaluate", script=script).error for script in CHANGING}
    assert errors == {NO_EFFECTS}
    assert orders.page.content() == before
    assert orders.page.context.cookies()[0]["name"] == "session"
    assert len(orders.page.context.cookies()) == 1


STORED = [
    "document.cookie",
    "localStorage.token",
    "JSON.stringify(sessionStorage)",
    "window[0].localStorage.token",
    "document.querySelector('iframe').contentDocument.cookie",
    "Object.getOwnPropertyDescriptor(Document.prototype, 'cookie').get.call(document)",
]


def test_what_a_login_is_known_by_is_not_readable(orders, site):
    errors = [str(orders.act("evaluate", script=script).error) for script in STORED]
    assert [error for error in errors if "is not readable here" not in error] == []
    orders.act("goto", url=f"{site.url}/?again")
    assert succeeded(orders, STORED) == []
    assert evaluated(orders, "document.title") == "Orders"


FAILING = [
    ("null.x", "the script failed: TypeError: Cannot read properties of null (reading 'x')"),
    ("throw 'no such row'", "the script failed: no such row"),
    ("document.querySelector('tr'", "the script failed: SyntaxError: "),
    ("let x = 3", "the script returned nothing: end it with return, or make it one value"),
    ("while (true) {}", "the script took longer than 5 s"),
]


def test_why_a_script_failed_is_said(orders):
    for script, error in FAILING:
        result = orders.act("evaluate", script=script)
        assert not result.success
        assert str(result.error).startswith(error)


def test_a_long_result_is_cut_and_says_so(orders):
    result = orders.act("evaluate", script="'0123456789'.repeat(20000000)")
    assert len(result.lines[0].text) == RESULT_CHARACTERS
    assert "(the first 4000 of 200000000 characters)" in result.description


def test_the_result_is_shown_with_a_number_of_its_own(orders):
    result = orders.act("evaluate", script="document.title")
    number = result.lines[0].index
    assert result.description == f"the script returned: [{number}] [evaluate] Orders"
    assert number not in [element.index for element in orders.observation.elements]


def test_no_script_runs_beside_a_secret(agent_with, site, monkeypatch):
    monkeypatch.setenv("BWA_TEST_PIN", "correct horse battery")
    secrets = TypedSecrets({"pin": SecretSource(env="BWA_TEST_PIN")}, [site.url])
    agent = agent_with(secrets=secrets)
    agent.tabs.secrets_in = secrets.redactor.secrets_in
    site.pages["/login"] = "<title>Login</title><label>PIN <input type=password></label>"
    agent.act("goto", url=f"{site.url}/login")
    assert evaluated(agent, "document.querySelector('input').value") == ""
    agent.act("type", selector=agent.index("PIN"), text="<secret:pin>")
    spelt = "[...document.querySelector('input').value].reverse().join('-')"
    result = agent.act("evaluate", script=spelt)
    assert result.error == NEXT_TO_SECRET
    assert result.forbidden


def test_a_result_has_no_secret(agent_with, site, monkeypatch):
    monkeypatch.setenv("BWA_TEST_PIN", "correct horse battery")
    secrets = TypedSecrets({"pin": SecretSource(env="BWA_TEST_PIN")}, [site.url])
    agent = agent_with(secrets=secrets)
    site.pages["/"] = "<title>Page</title><p data-pin='correct horse battery'>Hello</p>"
    agent.act("goto", url=f"{site.url}/")
    assert evaluated(agent, "document.querySelector('p').dataset.pin") == "<secret:pin>"
