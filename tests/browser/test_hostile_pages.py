"""Pages that change JavaScript's own objects, or hide the members of elements, by name."""

from __future__ import annotations

import pytest
from citing import unnumbered

HIDING_NAMES = (
    *("getAttribute", "hasAttribute", "closest", "matches", "children", "childNodes", "innerText"),
    *("textContent", "parentElement", "shadowRoot", "localName", "nodeType", "style", "contains"),
    *("checkVisibility", "getBoundingClientRect", "querySelector", "querySelectorAll", "value"),
    *("isConnected", "getRootNode", "isContentEditable", "ownerDocument", "getClientRects"),
    *("scrollIntoView", "disabled", "required", "readOnly", "firstChild", "checked", "href"),
)
FIELDS = "".join(f"<input name={name} aria-label='{name} field'>" for name in HIDING_NAMES)
FORM = f"""<h1>Order</h1><form {{}}>Quantity of items<div>Amount due</div><canvas></canvas>{FIELDS}
<img src=x width=20 height=20><button type=button onclick="document.title = 'sent'">Send</button>
</form>"""


@pytest.mark.parametrize(
    "attributes",
    [
        "",
        "role=dialog",
        "role=row",
        "role=combobox",
        "role=checkbox",
        "role=link",
        "role=table",
        "aria-label=Order",
        "style='cursor:pointer'",
    ],
)
def test_fields_named_like_members_of_elements_do_not_hide_their_form(agent, attributes):
    agent.load_html(FORM.format(attributes))
    names = [e.name for e in agent.observation.elements]
    assert "Order" in names
    assert "getAttribute field" in names
    assert names[-1] == "Send"
    assert agent.act("find", text="Amount due").success
    assert agent.act("find", text="Quantity of items").success
    assert agent.act("click", selector=agent.index("Send")).success
    assert agent.observation.title == "sent"
    again = agent.observer.observe()
    assert again.elements == agent.observation.elements


def test_a_form_itself_can_be_read_and_clicked(agent):
    agent.load_html(FORM.format("role=dialog aria-label=Form"))
    form = agent.index("Form")
    assert "Amount due" in agent.act("extract", selector=form).description
    assert agent.act("click", selector=form).success


def test_pictures_and_forms_named_like_members_of_the_document_do_not_hide_them(agent):
    names = ("body", "title", "querySelector", "querySelectorAll", "createTreeWalker")
    names += ("readyState", "getAnimations", "elementFromPoint", "addEventListener")
    hiding = "".join(f"<img name={name} alt='{name} picture'>" for name in names)
    agent.load_html(f"<title>Real title</title>{hiding}<h1>Order</h1><button>Send</button>")
    assert agent.observation.title == "Real title"
    assert "Order" in agent.observation.text
    assert {"body picture", "Order", "Send"} <= {e.name for e in agent.observation.elements}
    assert agent.act("click", selector=agent.index("Send")).success
    assert agent.act("find", text="Order").success


@pytest.mark.parametrize("owner", ["Array", "Object", "String", "Number"])
def test_a_page_that_defines_to_json_is_read_as_any_other(agent, site, owner):
    body = """<h1>List</h1><p>Owner: Ann</p><label>Name <input value=Bob disabled></label>
        <canvas></canvas><p>With a canvas</p>"""
    script = f"<script>{owner}.prototype.toJSON = function () {{ return 'mine' }}</script>"
    site.pages |= {"/plain": body, "/own": script + body}
    agent.act("goto", url=site.url + "/plain")
    plain, found = agent.observation, agent.act("find", text="Owner").description
    agent.act("goto", url=site.url + "/own")
    assert unnumbered(agent.lines()) == unnumbered(plain.lines())
    assert agent.observation.unnamed_pictures == plain.unnamed_pictures
    assert unnumbered([agent.act("find", text="Owner").description]) == unnumbered([found])
    assert agent.page.evaluate("'toJSON' in Object({})") == (owner == "Object")


@pytest.mark.parametrize("owner", ["Array", "Object", "String"])
def test_labelled_values_and_the_accessibility_tree_survive_to_json(agent_with, owner):
    agent = agent_with()
    agent.load_html(
        f"""<dl><dt>Owner<dd>Ann</dl><div id=host></div>
        <script>{owner}.prototype.toJSON = function () {{ return 'mine' }}
        host.attachShadow({{mode: 'closed'}}).innerHTML = '<button>In the dark</button>'</script>"""
    )
    assert ("Owner", "Ann") in {(v.label, v.value) for v in agent.observation.labelled}
    assert "In the dark" in {e.name for e in agent.observation.elements}
