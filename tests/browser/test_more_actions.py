"""The actions beyond the twelve, tabs, dialogs, and what an action says of its effect."""

from __future__ import annotations

import re

import pytest
from audit_folder import wait_until

from pytest_bwa.agent.verification import verify

PASSWORD = "correct horse"


# -- keys, pointer, history --------------------------------------------------------------------


def test_a_key_is_pressed_in_an_element_or_on_the_page(agent):
    agent.load_html(
        """<input aria-label=Search onkeydown="if (event.key === 'Enter') document.title = 'sent'">
        <script>onkeydown = e => { if (e.key === 'Escape') document.title = 'shut' }
        </script>"""
    )
    assert agent.act("press", selector="0", key="Enter").success
    assert agent.observation.title == "sent"
    assert agent.act("press", key="Escape").success
    assert agent.observation.title == "shut"
    assert 'no key "Entrée"' in (agent.act("press", key="Entrée").error or "")


def test_a_look_says_what_it_does_not_show(agent):
    """A model asked about a box below the fold, and nothing told it that the picture had none."""
    rows = "".join(f"<p style='height:60px'><button>Row {n}</button></p>" for n in range(30))
    agent.load_html(f"<div style='height:300px;overflow:auto'>{rows}</div><button>Last</button>")
    said = agent.act("look", question="Is it on?").description
    first_hidden = re.search(r"without \[(\d+)\]–\[(\d+)\]: scroll", said)
    assert first_hidden, said
    names = {e.index: e.name for e in agent.observation.elements}
    assert names[int(first_hidden[2])] == "Row 29"
    agent.load_html("<button>Only</button>")
    looked = agent.act("look")
    (picture,) = looked.lines
    assert (picture.source, picture.text) == ("look", "")
    assert looked.description == f"the next message had the picture, [{picture.index}]"
    assert agent.act("look").lines[0].index > picture.index


def test_what_is_readonly_says_so(agent):
    agent.wait_for_elements(0.5)
    agent.load_html("<input aria-label=Until readonly value=2027>")
    assert "it is readonly" in (agent.act("type", selector="0", text="2028").error or "")


def test_hovering_shows_hover_content(agent):
    agent.load_html(
        """<style>ul { display: none } div:hover ul { display: block }</style>
        <div><button>More</button><ul><li><a href=/x>Hidden until then</a></ul></div>"""
    )
    assert "Hidden until then" not in str(agent.lines())
    assert agent.act("hover", selector="More").success
    assert "Hidden until then" in str(agent.lines())


def test_back_opens_the_previous_page_and_fails_if_there_is_none(agent, site):
    site.pages |= {"/a": "<h1>A</h1><a href=/b>on</a>", "/b": "<h1>B</h1>"}
    agent.act("goto", url=site.url + "/a")
    result = agent.act("back")
    assert "no earlier page" in (result.error or "")
    assert agent.observation.url.endswith("/a")
    agent.act("click", selector="on")
    assert agent.observation.url.endswith("/b")
    assert agent.act("back").success
    assert agent.observation.url.endswith("/a")


def test_dragging_works_with_html5_events_and_with_mouse_events(agent):
    agent.load_html(
        """<div id=a draggable=true style="width:90px;height:40px;background:#ccc">Card</div>
        <div id=b style="width:200px;height:90px;background:#eee"
          ondragover="event.preventDefault()" ondrop="this.append(a)">Done column</div>
        <div id=c style="width:90px;height:40px;background:#abc">Slider</div>
        <div id=d style="width:90px;height:40px;background:#def">Stop</div>
        <script>let down = false; c.onmousedown = () => down = true;
        d.onmouseup = () => { if (down) document.title = 'slid' }</script>"""
    )
    assert agent.act("drag", selector="#a", target="#b").success
    assert agent.page.evaluate("b.contains(a)")
    assert agent.act("drag", selector="#c", target="#d").success
    assert agent.observation.title == "slid"


def test_a_target_that_makes_room_is_dropped_on_where_it_was(agent):
    """As sortable lists do with the first movement; a drag ended one row too early by that."""
    agent.load_html(
        """<style>p { position: absolute; left: 0; margin: 0; width: 90px; height: 40px }</style>
        <p id=a style="top: 100px">Ada</p><p id=b style="top: 140px">Bob</p>
        <p id=c style="top: 180px">Cyd</p>
        <script>let down = false; a.onmousedown = () => down = true;
        document.onmousemove = () => { if (down) [b, c].forEach((p, n) => {
          p.style.top = `${100 + 40 * n}px` }) };
        document.onmouseup = (event) => document.title = Math.floor(event.clientY / 20) * 20;
        </script>"""
    )
    assert agent.act("drag", selector="#a", target="#c").success
    assert agent.observation.title == "200"  # the middle of Cyd's row


# -- find --------------------------------------------------------------------------------------


def test_find_reaches_elements_that_were_cut_or_are_out_of_view(agent):
    links = "".join(f"<p><a href='#{n}'>Invoice {n}</a></p>" for n in range(400))
    agent.load_html(f"{links}<p>Paid by <b>Ann</b> in <i>May</i></p>")
    assert "Invoice 399" not in str(agent.lines())
    assert "find" in agent.observation.cut
    result = agent.act("find", text="invoice 399")
    ref = re.search(r"\[\d+\]", result.description)
    assert ref, result.description
    assert "(out of view)" in result.description
    agent.act("click", selector=ref[0])
    assert agent.observation.url.endswith("#399")
    # A phrase that is spread over several elements is found too.
    assert "Paid by Ann in May" in agent.act("find", text="by Ann in").description
    assert agent.act("find", text="Invoice 4000").description.startswith("0 hits on the whole page")


def test_find_searches_shadow_roots_and_frames_but_never_passwords(agent):
    agent.load_html(
        f"""<div id=host></div><iframe srcdoc="<p>inside a frame</p>"></iframe>
        <input type=password value="{PASSWORD}" aria-label=Password>
        <script>host.attachShadow({{mode: 'open'}}).innerHTML = '<p>in the shade</p>'</script>"""
    )
    agent.page.frames[1].wait_for_selector("p")
    assert "in the shade" in agent.act("find", text="the shade").description
    assert re.search(r"\[\d+\]", agent.act("find", text="inside a frame").description)
    assert agent.act("find", text=PASSWORD[:7]).found == ()


# -- tabs and dialogs --------------------------------------------------------------------------


def test_popups_are_reported_listed_and_can_be_switched_to(agent, site):
    site.pages["/"] = """<title>First</title><button onclick="window.open('/pop')">Pop</button>
        <a href=/new target=_blank>Open</a>"""
    site.pages |= {"/pop": "<title>Pop</title><h1>Popped</h1>", "/new": "<h1>New</h1>"}
    agent.act("goto", url=site.url + "/")
    assert agent.observation.tabs == ()
    assert "opened tab 1 at" in agent.act("click", selector="Pop").description
    assert "opened tab 2 at" in agent.act("click", selector="Open").description
    assert agent.observation.url == site.url + "/"  # the agent stays where it is
    lines = agent.lines()
    assert lines[0] == f'[tab 0] "First" → {site.url}/ (current)'
    assert lines[1] == f'[tab 1] "Pop" → {site.url}/pop'
    assert agent.act("switch_tab", tab=1).success
    assert '[heading] "Popped"' in str(agent.lines())
    assert "there is no tab 7; there are: 0" in (agent.act("switch_tab", tab=7).error or "")


def test_of_many_popups_the_first_are_reported_and_the_newest_are_listed(agent, site):
    site.pages["/"] = """<title>First</title>
        <button onclick="for (let n = 1; n < 13; n++) window.open('/pop?' + n)">Pop</button>"""
    site.pages["/pop"] = "<h1>Popped</h1>"
    agent.act("goto", url=site.url + "/")
    description = agent.act("click", selector="Pop").description
    assert description.count("it opened tab") == 3
    assert "9 more tabs opened" in description
    assert [tab.number for tab in agent.observation.tabs] == [0, *range(4, 13)]
    agent.act("switch_tab", tab=9)
    assert [tab.number for tab in agent.observation.tabs] == [*range(3, 13)]


def test_after_a_tab_closes_itself_the_opener_is_current(agent, site):
    site.pages["/"] = "<h1>Opener</h1><a href=/pop target=_blank rel=opener>Open</a>"
    site.pages["/pop"] = "<button onclick='window.close()'>Shut</button>"
    agent.act("goto", url=site.url + "/")
    agent.act("click", selector="Open")
    agent.act("switch_tab", tab=1)
    agent.act("click", selector="Shut")
    assert '"Opener"' in str(agent.lines())
    assert agent.observation.tabs == ()


def test_an_index_is_valid_only_in_its_own_tab(agent, site):
    site.pages["/"] = "<a href=/pop target=_blank>Open</a><button>Here</button>"
    site.pages["/pop"] = (
        "<p>One</p><p>Two</p><button onclick=\"document.title='yes'\">There</button>"
    )
    agent.act("goto", url=site.url + "/")
    agent.act("click", selector="Open")
    agent.act("switch_tab", tab=1)
    agent.act("click", selector=agent.index("There"))
    assert agent.observation.title == "yes"
    agent.act("switch_tab", tab=0)
    assert [e.name for e in agent.observation.elements] == ["Open", "Here"]


@pytest.mark.parametrize(("answer", "word", "title"), [("dismiss", "dismissed", "no"),
                                                      ("accept", "accepted", "yes")])  # fmt: skip
def test_dialogs_are_answered_as_the_task_says_and_reported(agent_with, answer, word, title):
    agent = agent_with(dialogs=answer)
    agent.load_html(
        "<button onclick=\"document.title = confirm('Delete it?') ? 'yes' : 'no'\">X</button>"
    )
    result = agent.act("click", selector="X")
    assert f'a dialog opened: confirm "Delete it?" ({word})' in result.description
    assert agent.observation.title == title
    (line,) = agent.observation.other_lines
    assert f'[{line.index}] [dialog] confirm "Delete it?" ({word})' in agent.lines()
    assert agent.observation.element(line.index) is None
    agent.act("hover", selector="X")
    assert agent.observation.dialogs == ()  # it is shown only once


def test_a_dialog_between_two_actions_does_not_block(agent, site):
    site.pages["/"] = """<h1>Still here</h1><script>setTimeout(() => {
        const ask = new XMLHttpRequest(); ask.open('GET', '/ends', false); ask.send();
        alert('Session ends') }, 50)</script>"""
    agent.page.goto(site.url)
    # As while a model answers: Python waits and processes no events. From the request on the page
    # answers nobody until its dialog is answered.
    wait_until(lambda: "/ends" in site.requests, "the page asked for nothing")
    observation = agent.observer.observe()  # which has no time limit here
    assert '[0] [dialog] alert "Session ends" (dismissed)' in observation.lines()
    # Later observations still show it until the next action.
    assert agent.observer.observe().other_lines == observation.other_lines


def test_a_page_cannot_keep_the_agent_from_leaving(agent, site):
    site.pages |= {"/": "<button>Stay</button><script>onbeforeunload = e => e.preventDefault()"
                        "</script>", "/b": "<h1>B</h1>"}  # fmt: skip
    agent.act("goto", url=site.url + "/")
    agent.act("click", selector="Stay")
    assert agent.act("goto", url=site.url + "/b").success


# -- files -------------------------------------------------------------------------------------


def test_only_files_of_the_sample_are_uploaded(agent_with, tmp_path):
    receipt = tmp_path / "receipt.txt"
    receipt.write_text("42")
    agent = agent_with(files={"receipt.txt": receipt})
    agent.load_html(
        """<label>Receipt <input type=file onchange="document.title = this.files[0].name"></label>
        <button onclick="document.querySelector('input').click()">Choose</button>"""
    )
    result = agent.act("upload", selector="0", file="receipt.txt")
    assert result.description.startswith("put receipt.txt (2 bytes) into")
    assert agent.observation.title == "receipt.txt"
    for name in ("/etc/passwd", "../receipt.txt", "other.txt"):
        refused = agent.act("upload", selector="0", file=name)
        assert "not a file of this sample, which may upload: receipt.txt" in refused.error
    assert agent.act("upload", selector="Choose", file="receipt.txt").success


# What a page does with the files: it leaves them in the field, lists them beside it, has a list of
# its own, sends each at once, or opens a chooser of a field that is in no page.
SEND = '<button id=s onclick="document.title = %s">Send</button>'
IN_FIELD = "[...document.querySelector('input').files].map((f) => f.name).join()"
UPLOADS = {
    "in the field": "<label>Documents <input type=file multiple></label>" + SEND % IN_FIELD,
    "named in the goal": "<p>Attach form.txt and receipt.txt</p><label>Documents <input type=file "
    "multiple></label>" + SEND % IN_FIELD,
    "shown beside it": '<label>Documents <input type=file multiple onchange="o.textContent = '
    '[...this.files].map((f) => f.name)"></label><output id=o></output>' + SEND % IN_FIELD,
    "a list of the page": '<label>Documents <input type=file multiple onchange="for (const f of '
    "this.files) o.innerHTML += '<li>' + f.name\"></label><ul id=o></ul>"
    + SEND
    % "[...document.querySelectorAll('li')].map((l) => l.textContent).join()",
    "an emptied field": '<label>Documents <input type=file multiple onchange="for (const f of '
    "this.files) o.innerHTML += '<li>' + f.name; this.value = ''\"></label><ul id=o></ul>"
    + SEND
    % "[...document.querySelectorAll('li')].map((l) => l.textContent).join()",
    "a chooser": "<button onclick='field.click()'>Documents</button><script>"
    "const field = document.createElement('input'); field.type = 'file'; field.multiple = true;"
    "</script>" + SEND % "[...field.files].map((f) => f.name).join()",
}


@pytest.fixture
def two_files(tmp_path):
    names = ("form.txt", "receipt.txt")
    for name in names:
        (tmp_path / name).write_text(name)
    return {name: tmp_path / name for name in names}


@pytest.mark.parametrize("html", UPLOADS.values(), ids=UPLOADS)
def test_a_second_upload_keeps_the_first(agent_with, two_files, html):
    agent = agent_with(files=two_files)
    agent.load_html(html)
    documents = agent.index("Documents")
    assert agent.act("upload", selector=documents, file="form.txt").success
    result = agent.act("upload", selector=documents, file="receipt.txt")
    assert result.success, result.error
    assert result.description.endswith("alongside form.txt")
    agent.act("click", selector="Send")
    assert agent.observation.title == "form.txt,receipt.txt"


def test_several_files_are_uploaded_at_once_and_the_list_names_them(agent_with, two_files):
    agent = agent_with(files=two_files)
    agent.load_html(UPLOADS["in the field"] + "<label>Photo <input type=file></label>")
    documents, photo = agent.index("Documents"), agent.index("Photo")
    line = lambda name: next(one for one in agent.element_lines() if name in one)  # noqa: E731
    assert "(file, multiple, empty)" in line("Documents")
    assert agent.act("upload", selector=documents, file="form.txt, receipt.txt").success
    assert '(file, multiple, holds "form.txt", "receipt.txt")' in line("Documents")
    result = agent.act("upload", selector=photo, file="form.txt, receipt.txt")
    assert "takes one file only: nothing was put into it" in result.error
    assert "(file, empty)" in line("Photo")
    agent.act("upload", selector=photo, file="form.txt")
    replaced = agent.act("upload", selector=photo, file="receipt.txt")
    assert replaced.description.endswith("; no longer there: form.txt")
    assert '(file, holds "receipt.txt")' in line("Photo")
    refused = agent.act("upload", selector=photo, file="form.txt, other.txt")
    assert "not a file of this sample" in refused.error


def test_a_page_that_replaces_the_files_it_lists_is_not_believed(agent_with, two_files):
    agent = agent_with(files=two_files)
    agent.load_html(
        """<label>Documents <input type=file multiple onchange="o.textContent = this.files[0].name;
        this.value = ''"></label><output id=o></output><label>None <input type=file
        onchange="this.value = ''"></label>"""
    )
    documents = agent.index("Documents")
    assert agent.act("upload", selector=documents, file="form.txt").success
    result = agent.act("upload", selector=documents, file="receipt.txt")
    assert result.description.endswith("; no longer there: form.txt")
    rejected = agent.act("upload", selector=agent.index("None"), file="form.txt")
    assert "did not keep form.txt: the field is empty" in rejected.error


def test_a_file_sent_by_a_click_is_saved_and_reported(agent, site):
    site.pages["/r"] = (200, {"Content-Disposition": 'attachment; filename="r.csv"'}, b"a,b\n")
    site.pages["/none"] = (200, {"Content-Disposition": 'attachment; filename="e.csv"'}, b"")
    site.pages["/"] = "<a href=/r>Report</a><a href=/none>Empty</a>"
    agent.act("goto", url=site.url + "/")
    result = agent.act("click", selector="Report")
    assert "it sent a file: downloads/r.csv (4 bytes, sha256 " in result.description
    assert result.artifact is not None
    assert (agent.writer.folder / "downloads/r.csv").read_bytes() == b"a,b\n"
    assert "empty" in (agent.act("download", selector="Empty").error or "")


def test_a_file_that_breaks_off_is_reported_and_ends_nothing(agent, site):
    site.pages["/r"] = (200, {"Content-Disposition": 'attachment; filename="r.csv"'}, b"a,b\n")
    site.lengths["/r"] = 99
    site.pages["/"] = "<a href=/r>Report</a><button>Go on</button>"
    agent.act("goto", url=site.url + "/")
    result = agent.act("click", selector="Report")
    assert result.success
    assert "; it sent a file that did not arrive whole: " in result.description
    assert result.artifact is None
    assert agent.act("click", selector="Go on").success


def test_of_many_dialogs_only_the_first_are_reported(agent, site):
    site.pages["/"] = "<button onclick='for (let n = 0; n < 9; n++) alert(n)'>Go</button>"
    agent.act("goto", url=site.url + "/")
    description = agent.act("click", selector="Go").description
    assert description.count("a dialog opened") == 3
    assert "6 more dialogs opened" in description
    assert len(agent.observation.dialogs) == 3


# -- checked effects ---------------------------------------------------------------------------


def test_a_checkbox_that_does_not_change_is_a_failure(agent):
    agent.load_html(
        """<label><input type=checkbox> Good</label>
        <label><input type=checkbox onclick="event.preventDefault()"> Stubborn</label>
        <div role=switch aria-checked=false tabindex=0
          onclick="this.setAttribute('aria-checked', 'true')">Notify</div>"""
    )
    assert "it is on now" in agent.act("click", selector=agent.index("Good")).description
    assert "it is off now" in agent.act("click", selector=agent.index("Good")).description
    assert "it is still off" in (agent.act("click", selector=agent.index("Stubborn")).error or "")
    assert "it is on now" in agent.act("click", selector=agent.index("Notify")).description


def test_a_field_that_reformats_the_text_is_reported(agent):
    agent.load_html(
        """<input aria-label=Amount oninput="this.value =
          this.value.replace(/\\D/g, '').replace(/(\\d)(?=(\\d{3})+$)/g, '$1,')">"""
    )
    result = agent.act("type", selector="0", text="1234567")
    assert result.success
    assert "the field shows it as “1,234,567”" in result.description


def test_a_field_that_changes_the_number_is_a_failure_that_says_what_it_contains(agent):
    agent.load_html("<input aria-label=Amount oninput=\"value = value.replace('.', '')\">")
    result = agent.act("type", selector="0", text="12.50")
    assert not result.success
    assert "it contains “1250”" in result.description


def test_a_field_that_changes_the_number_when_enter_is_pressed_is_a_failure(agent):
    agent.load_html("<input aria-label=Amount onchange=\"value = value.replace('.', '')\">")
    result = agent.act("type", selector="0", text="12.50", enter=True)
    assert not result.success
    assert "pressed Enter, but it contains “1250”" in result.description
    assert agent.act("type", selector="0", text="12", enter=True).success


def test_an_option_of_a_custom_listbox_is_selected(agent):
    agent.load_html(
        """<div role=combobox tabindex=0 aria-label=Team id=c onclick="l.hidden = false">None</div>
        <ul role=listbox id=l hidden><li role=option>Finance<li role=option>Legal</ul>
        <script>l.onclick = e => { c.textContent = e.target.textContent; l.hidden = true }
        </script>"""
    )
    assert "selected" in agent.act("select_option", selector="0", value="legal").description
    assert agent.page.inner_text("#c") == "Legal"
    missing = agent.act("select_option", selector="0", value="Sales")
    assert '"Finance", "Legal"' in (missing.error or "")
    agent.load_html("<button>Plain</button>")
    assert "is not a list" in (agent.act("select_option", selector="Plain", value="x").error or "")


def test_a_password_is_in_no_result_even_if_the_page_shows_it(agent):
    agent.load_html(
        """<input type=password id=p aria-label=Secret>
        <button onclick="p.type = 'text'">Show password</button>"""
    )
    result = agent.act("type", selector="0", text=PASSWORD)
    assert result.is_secret
    agent.act("click", selector="Show password")
    text = repr(agent.observation) + result.description
    text += agent.act("extract", selector=agent.index("Secret")).description
    assert PASSWORD not in text
    assert agent.act("find", text=PASSWORD).found == ()


# -- transient faults --------------------------------------------------------------------------


def test_an_element_that_is_replaced_during_a_click_is_found_again(agent, monkeypatch):
    """Each of the first two clicks hits an element that the page has just replaced."""
    from pytest_bwa.actions import interact

    agent.load_html("<div id=d><button onclick=\"document.title='done'\">Save</button></div>")
    original, tries = interact.click_on, []

    def click_replaced(tabs, element, timeout):
        tries.append(1)
        if len(tries) < 3:
            tabs.current.evaluate("d.innerHTML = d.innerHTML")
            element.click(timeout=timeout)
        original(tabs, element, timeout)

    monkeypatch.setattr(interact, "click_on", click_replaced)
    result = agent.act("click", selector="Save")
    assert result.success
    assert "(on the third try)" in result.description
    assert agent.observation.title == "done"


def test_a_lost_connection_is_retried_but_a_wrong_selector_is_not(agent, site):
    site.pages["/"] = "<h1>At last</h1>"
    site.hang_up["/"] = 2
    result = agent.act("goto", url=site.url + "/")
    assert result.success
    assert not site.hang_up["/"]
    before = len(site.requests)
    assert not agent.act("click", selector="Nothing like it").success
    assert len(site.requests) == before


# -- effects -----------------------------------------------------------------------------------


def test_the_changes_of_an_action_are_reported(agent):
    before = agent.load_html(
        """<button onclick="document.body.insertAdjacentHTML('beforeend', '<h2>Saved</h2>');
        gone.remove(); document.title = 'After'">Save</button><p id=gone>Unsaved changes</p>
        <input aria-label=Name><button>Idle</button>"""
    )
    agent.act("click", selector="Save")
    summary = verify(before, agent.observation).summary
    assert summary == (
        'its title is “After”; appeared: heading "Saved"; gone: text "Unsaved changes"'
    )
    before = agent.observation
    agent.act("type", selector=agent.index("Name"), text="Ann")
    assert verify(before, agent.observation).summary.startswith('textbox "Name" shows “Ann”')
    before = agent.observation
    agent.act("click", selector="Idle")
    assert verify(before, agent.observation).summary == "nothing changed on the page"
