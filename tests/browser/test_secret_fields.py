"""What is typed into a secret field leaves the page by no way, even when the page shows it."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageColor

from pytest_bwa.page.covered_secrets import COLOUR
from pytest_bwa.spec.redaction import Redactor

GREY = ImageColor.getrgb(COLOUR)

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
    assert agent.act("find", text="swordfish").found == ()


def test_a_secret_that_the_page_formats_is_not_in_the_result(agent):
    agent.load_html("<label>Password <input type=password></label>")
    agent.page.evaluate(
        """const field = document.querySelector("input"); field.type = "text";
        field.oninput = () => { field.value = field.value.toUpperCase(); }"""
    )
    result = agent.act("type", selector=agent.index("Password"), text="sword-fish")
    assert result.success
    assert result.is_secret
    assert "SWORD" not in repr(result)


def covered(picture, page, selector: str) -> bool:
    """Whether the picture has one colour where the element is."""
    image = Image.open(io.BytesIO(picture.png)).convert("RGB")
    box = page.locator(selector).bounding_box()
    corners = (box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"])
    return image.crop(corners).getcolors() == [(round(box["width"]) * round(box["height"]), GREY)]


def test_pictures_cover_secret_fields_and_every_place_that_says_a_secret(agent, site):
    site.pages["/inner"] = "<p id=inner>sword-fish</p><input type=password id=deep value=abc>"
    site.pages[
        "/"
    ] = f"""<style>input, p, b {{ width: 200px; height: 20px; display: block }}</style>
    <input type=password id=password value=hidden-one> <input id=shown type=password value=two>
    <input id=plain value=three> <input id=typed value="my sword-fish">
    <b id=other>nothing</b> <b id=split>sword<i>-fi</i>sh</b>
    <div id=host></div>
    <iframe src="{site.url.replace("127.0.0.1", "localhost")}/inner" style="border: 7px solid red;
      padding: 5px" width=400 height=150></iframe>
    <script>document.getElementById("host").attachShadow({{mode: "open"}}).innerHTML =
      "<p id=shadow>the sword-fish</p>"</script>"""
    agent.tabs.secrets_in = Redactor({"word": "sword-fish"}).secrets_in
    agent.act("goto", url=site.url + "/")
    agent.page.evaluate("shown.type = 'text'")
    picture = agent.executor.take_picture()
    assert {name: covered(picture, agent.page, f"#{name}") for name in ("password", "shown")} == {
        "password": True, "shown": True,
    }  # fmt: skip
    assert covered(picture, agent.page, "#typed")
    assert not covered(picture, agent.page, "#plain")
    assert not covered(picture, agent.page, "#other")
    image = Image.open(io.BytesIO(picture.png)).convert("RGB")
    for selector in ("#split", "#host p"):
        box = agent.page.locator(selector).bounding_box()
        assert image.getpixel((box["x"] + 40, box["y"] + 8)) == GREY, selector
    frame = agent.page.locator("iframe").bounding_box()
    for y in (
        12 + 8 + 8,
        12 + 8 + 19 + 16 + 10,
    ):  # the text and the field, below border and margins
        assert image.getpixel((frame["x"] + 12 + 8 + 30, frame["y"] + y)) == GREY


@pytest.mark.parametrize("in_frame", [False, True])
def test_a_password_that_the_page_refuses_is_marked_as_secret(agent, site, in_frame):
    """The field vanishes while it is typed into, so that the action fails."""
    site.pages["/form"] = """<label>Password <input type=password></label><script>
    document.querySelector("input").oninput = event => event.target.remove()</script>"""
    site.pages["/"] = '<iframe src="/form"></iframe>'
    agent.act("goto", url=site.url + ("/" if in_frame else "/form"))
    result = agent.act("type", selector=agent.index("Password"), text="sword-fish")
    assert not result.success
    assert result.is_secret
    assert "fish" not in repr(result)


def test_keys_into_a_password_field_are_secret_and_others_are_not(agent):
    agent.load_html("<label>Password <input type=password></label><label>Name <input></label>")
    result = agent.act("press", selector=agent.index("Password"), key='"sword-fish" Enter')
    assert (result.is_secret, "fish" in repr(result)) == (True, False)
    result = agent.act("press", selector=agent.index("Password"), key="Enter")
    assert not result.is_secret
    result = agent.act("press", selector=agent.index("Name"), key='"sword-fish"')
    assert not result.is_secret
