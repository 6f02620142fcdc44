"""What an action changed at its element, beside what the page's list shows."""

from __future__ import annotations

import pytest

from pytest_bwa.agent.verification import verify


def summary_after(agent, name, **params):
    before = agent.observation
    result = agent.act(name, **params)
    target = before.element_for(params.get("selector") or "")
    return verify(before, agent.observation, result.effects, target).summary


def test_a_class_that_a_click_sets_is_told_by_number_and_by_css(agent):
    agent.load_html(
        """<ul><li>Post <button id=b onclick="this.classList.toggle('liked')">Like</button></ul>"""
    )
    assert summary_after(agent, "click", selector=agent.index("Like")) == "class now “liked”"
    assert summary_after(agent, "click", selector="#b") == "class no longer “liked”"


def test_the_icon_inside_and_the_row_around_are_told(agent):
    agent.load_html(
        """<ul><li><button onclick="this.innerHTML = '<i class=full></i>Like';
        this.closest('li').className = 'mine'"><i class=empty></i>Like</button></ul>"""
    )
    assert summary_after(agent, "click", selector=agent.index("Like")) == (
        "i of class “full” appeared inside it; class of li around it now “mine”"
    )


@pytest.mark.parametrize(
    ("classes", "script", "expected"),
    [
        ("btn", "this.classList.add('liked', 'btn-active')", "class now “liked active”"),
        ("MuiTab-root css-1x2y3z", "this.classList.add('Mui-checked', 'Mui-focusVisible')",
         "class now “checked”"),
        ("ant-menu-item", "this.classList.add('ant-menu-item-open')", "class now “open”"),
        ("Like_button__a1B2c", "this.classList.add('Like_pressed__9Zx1y')", "class now “pressed”"),
        ("card is-open", "this.classList.remove('is-open')", "class no longer “is open”"),
        ("css-1x2y3z", "this.className = 'css-9f8e7d'", "only its style changed"),
        ("p-2 text-gray-400", "this.classList.add('text-red-500')", "only its style changed"),
        ("b", "this.style.paddingTop = '30px'", "only its look changed: box now"),
        ("ant-btn", "this.setAttribute('ant-click-animating-without-extra-node', 'true')",
         "nothing that the page shows changed, only its code"),
        ("MuiButtonBase-root", "this.classList.add('Mui-focusVisible')",
         "nothing that the page shows changed, only its code"),
        ("b", "this.insertAdjacentHTML('beforeend', '<i class=MuiTouchRipple-ripple></i>')",
         "nothing that the page shows changed, only its code"),
        ("b", "this.setAttribute('aria-describedby', 'tip-7')",
         "nothing that the page shows changed, only its code"),
    ],
)  # fmt: skip
def test_the_classes_of_libraries_are_no_effect_unless_they_say_something(
    agent, classes, script, expected
):
    agent.load_html(f"<style>*:focus {{ outline: 0 }}</style><button class='{classes}'>Go</button>")
    agent.act("click", selector="0")  # the pointer is there
    agent.page.evaluate(
        "script => document.querySelector('button').onclick = new Function(script)", script
    )
    assert summary_after(agent, "click", selector="0").startswith(expected)


def test_a_style_is_not_spoken_of_where_a_text_or_a_state_changed(agent):
    agent.load_html(
        """<button class=css-1 aria-pressed=false onclick="this.className = 'css-2';
        this.setAttribute('aria-pressed', 'true'); n.textContent = '1 like'">Like</button>
        <p id=n>0 likes</p>"""
    )
    assert summary_after(agent, "click", selector="0") == (
        'button "Like" is now pressed=true; text "0 likes" is now “1 like”'
    )


def test_a_state_that_the_list_shows_is_told_once(agent):
    agent.load_html(
        """<button aria-expanded=false onclick="this.setAttribute('aria-expanded', 'true')">More
        </button>"""
    )
    assert summary_after(agent, "click", selector="0") == 'button "More" is now expanded=true'


def test_a_line_that_is_crossed_out_or_no_more_is_named(agent):
    agent.load_html(
        """<style>.void { text-decoration: line-through }</style><ul><li id=m>Milk</li></ul>
        <button onclick="m.classList.toggle('void')">Mark</button>
        <button onclick="m.innerHTML = '<s><b>Milk</b></s>'">Replace</button>"""
    )
    mark, replace = agent.index("Mark"), agent.index("Replace")
    struck = 'struck out="Milk"'
    assert f'text "Milk" is now {struck}' in summary_after(agent, "click", selector=mark)
    again = summary_after(agent, "click", selector=mark)
    assert f"text {struck} is now “Milk” and is no longer {struck}" in again
    assert f"appeared: text {struck}" in summary_after(agent, "click", selector=replace)


def test_a_look_that_only_the_pointer_changes_is_no_change(agent):
    agent.load_html("<style>button:hover { color: rgb(0, 0, 255) }</style><button>Idle</button>")
    before = agent.observation
    result = agent.act("click", selector="0")
    verdict = verify(before, agent.observation, result.effects)
    assert not verdict.changed
    assert verdict.summary.startswith("only its look changed: color now rgb(0, 0, 255)")


def test_a_hidden_change_is_not_called_nothing(agent):
    agent.load_html("<button onclick=\"document.head.append('x')\">Send</button>")
    assert summary_after(agent, "click", selector="0") == (
        "nothing that the page shows changed, only its code"
    )
    agent.load_html("<button>Idle</button>")
    agent.act("click", selector="0")
    assert summary_after(agent, "click", selector="0") == "nothing changed on the page"


def test_where_a_list_scrolled_by_a_key_stands_is_told(agent):
    agent.load_html(
        """<div tabindex=0 id=d style="height: 100px; overflow: auto">
        <div style="height: 500px">Tall</div></div>"""
    )
    agent.page.focus("#d")
    assert "div “d” is scrolled to 400 of 400 pixels" in summary_after(agent, "press", key="End")


def test_the_effect_in_a_frame_and_in_a_shadow_root_is_told(agent):
    button = """<button onclick='this.className = "on"'>NAME</button>"""
    agent.load_html(
        f"""<iframe srcdoc="{button.replace('"', "&quot;").replace("NAME", "Framed")}"></iframe>
        <div id=host></div>
        <script>host.attachShadow({{mode: 'open'}}).innerHTML = `{button}`</script>"""
    )
    agent.page.frames[1].wait_for_selector("button")
    agent.observation = agent.observer.observe()
    for name in ("Framed", "NAME"):
        told = summary_after(agent, "click", selector=agent.index(name))
        assert told == "class now “on”", name


def test_a_key_that_a_program_made_is_no_effect(agent):
    agent.load_html("<button onclick='this.dataset.tip = VALUE'>Tip</button><p>One</p>")
    for value, told in (
        ("Y_0PMpJnsQTExY4JckfGJ", ""),
        ("cSjVYjxT-fNFhIHkheDJd", ""),
        ("Saved at 10:30", "Saved at 10:30"),
    ):
        agent.page.evaluate("(value) => { window.VALUE = value }", value)
        summary = summary_after(agent, "click", selector=agent.index("Tip"))
        assert ("data-tip" in summary) is bool(told)
        assert told in summary


def test_a_secret_is_in_no_effect(agent):
    agent.load_html(
        """<input type=password aria-label=Secret
        oninput="this.setAttribute('data-copy', this.value)">"""
    )
    result = agent.act("type", selector="0", text="correct horse")
    assert "correct" not in repr(result)


def test_a_long_text_in_a_field_of_one_line_is_no_scrolling(agent):
    agent.load_html("<input aria-label=Title style='width:40px'>")
    summary = summary_after(agent, "type", selector="0", text="Deepfake calls to the treasury")
    assert "scrolled" not in summary
