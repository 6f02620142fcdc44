"""What is typed into a secret field leaves the page by no way, even when the page shows it."""

from __future__ import annotations

import pytest

FIELDS = """<label>Password <input id=field {attributes}></label>
<div><span>Other</span><input id=other {attributes}></div>"""


@pytest.mark.parametrize(
    ("attributes", "then"),
    [
        ("type=password", ""),
        ("autocomplete=current-password", ""),
        ("type=password", "field.type = other.type = 'text'"),
    ],
    ids=["password", "autocomplete", "shown by the page"],
)
def test_no_script_tells_a_secret(agent, attributes, then):
    agent.load_html(FIELDS.format(attributes=attributes))
    agent.page.fill("#field", "swordfish")
    agent.page.fill("#other", "swordfish")
    agent.page.evaluate(then or "1")
    agent.observation = agent.observer.observe()
    index = agent.index("Password")
    assert "swordfish" not in repr(agent.observation)
    assert "password, filled" in repr(agent.observation)
    assert "swordfish" not in repr(agent.observation.labelled)
    assert "swordfish" not in repr(agent.act("extract", selector=index))
    assert agent.act("find", text="swordfish").data == {"found": []}


def test_a_secret_that_the_page_formats_is_not_in_the_result(agent):
    agent.load_html("<label>Password <input type=password></label>")
    agent.page.evaluate(
        """const field = document.querySelector("input"); field.type = "text";
        field.oninput = () => { field.value = field.value.toUpperCase(); }"""
    )
    result = agent.act("type", selector=agent.index("Password"), text="sword-fish")
    assert result.success
    assert result.data == {"secret": True}
    assert "SWORD" not in repr(result)
