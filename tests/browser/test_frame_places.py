"""What is in a frame is listed where the frame stands."""

from __future__ import annotations

import re

CARD = """<section><h2>{name}</h2><iframe srcdoc="<p>Level {level}</p>"></iframe><p>{name} ends</p>
</section>"""


def listed(agent) -> list[str]:
    return re.findall(r'"([^"]*)"', "\n".join(agent.lines()))


def test_frames_are_listed_between_what_stands_around_them(agent):
    agent.load_html("".join(CARD.format(name=n, level=i) for i, n in enumerate("ABC")))
    assert listed(agent) == [
        *("A", "Level 0", "A ends", "B", "Level 1", "B ends", "C", "Level 2", "C ends"),
    ]
    assert [e.name for e in agent.observation.elements][-3:] == ["Level 0", "Level 1", "Level 2"]


def test_a_frame_in_a_shadow_root_and_a_frame_in_a_frame_have_their_places(agent):
    agent.load_html(
        """<iframe srcdoc="<p>First</p><iframe srcdoc='<p>Inner</p>'></iframe><p>Last</p>"></iframe>
        <h1>Plant</h1><div id=host></div><p>End</p><script>
        host.attachShadow({mode: 'open'}).innerHTML =
          '<b>Pump</b><iframe srcdoc="<p>41 °C</p>"></iframe><i>Boiler</i>'</script>"""
    )
    assert listed(agent) == [
        *("First", "Inner", "Last", "Plant", "Pump", "41 °C", "Boiler", "End"),
    ]


EDITOR = """<!doctype html><h1>Reply</h1><input aria-label=Subject autofocus>
<iframe id=f title="Rich Text Editor, Message"></iframe><script>
const d = f.contentDocument; d.open();
d.write("<body contenteditable=true>Type here</body>"); d.close();</script>"""


def test_an_editor_that_a_script_has_written_into_a_frame_is_read_and_typed_into(agent, site):
    """The message box of a ticket system was nowhere in the list: its frame has two addresses."""
    site.pages["/reply"] = EDITOR
    agent.act("goto", url=f"{site.url}/reply")
    editor = '[textbox] "Rich Text Editor, Message" (value="{}", multi-line'
    assert editor.format("Type here") + ")" in "\n".join(agent.lines())
    number = next(e.index for e in agent.observation.elements if "Editor" in e.name)
    assert agent.act("type", selector=str(number), text="Dear Ann").success
    assert editor.format("Dear Ann") in "\n".join(agent.lines())
    site.close()
