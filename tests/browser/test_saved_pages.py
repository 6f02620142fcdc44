"""Pages that were saved from real sites are still read as they were.

To save another page, or to write the expected lines anew after an intended change, see
save_page.py.
"""

from __future__ import annotations

import pytest
from saved_pages import PAGES, read_saved, save_page, saved_html

from pytest_bwa.page.readers import CHANNEL, READERS_SCRIPT


@pytest.mark.parametrize("name", sorted(path.stem for path in PAGES.glob("*.html")))
def test_a_saved_page_is_read_as_before(page, name):
    for ending, lines in read_saved(page, (PAGES / f"{name}.html").read_text("utf-8")).items():
        assert lines == (PAGES / f"{name}{ending}").read_text("utf-8").splitlines()


PAGE = """<!doctype html><title>Page</title><link rel=stylesheet href=/style.css>
<meta http-equiv=refresh content=99><h1 onclick="alert(1)">Head</h1>
<label>City <input id=city></label><label>Password <input id=password type=password></label>
<label>Text <textarea id=text></textarea></label><label><input id=box type=checkbox> Box</label>
<select id=size aria-label=Size><option>S<option>M</select><input type=hidden value=token>
<input id=shown aria-label=Shown type=password><p class=gone>Gone</p><a href=/next>Next</a>
<div id=host><b slot=one>Slotted</b></div>
<script>
const root = host.attachShadow({mode: "open"});
root.innerHTML = "<button>In shadow</button><slot name=one></slot>";
const sheet = new CSSStyleSheet(); sheet.replaceSync("button { letter-spacing: 3px }");
root.adoptedStyleSheets = [sheet];
</script>"""
LINES = [
    '[0] [heading] "Head" (level=1)',
    '[1] [textbox] "City" (value="Bergen")',
    '[2] [textbox] "Password" (password, empty)',
    '[3] [textbox] "Text" (value="a text", multi-line)',
    '[4] [checkbox] "Box" (checked=true)',
    '[5] [combobox] "Size" (value="M", options: S | M)',
    '[6] [textbox] "Shown" (empty)',
    '[7] [link] "Next" → {origin}/next',
    '[8] [button] "In shadow"',
    '[9] [text] "Slotted"',
]


def test_a_page_is_saved_with_what_it_shows_but_without_its_secrets(context, site):
    site.pages["/"] = PAGE
    site.pages["/style.css"] = (200, {"Content-Type": "text/css"}, b".gone { display: none }")
    page = context.new_page()
    save_page(page, site.url + "/")
    page.fill("#city", "Bergen")
    page.fill("#password", "hunter2")
    page.fill("#shown", "swordfish")
    page.fill("#text", "a text")
    page.check("#box")
    page.select_option("#size", "M")
    page.evaluate(READERS_SCRIPT, CHANNEL)
    page.evaluate("window[Symbol.for('bwa.readers')].run('readState'); shown.type = 'text'")
    html = saved_html(page)
    for dropped in ("hunter2", "swordfish", "token", "<script", "alert", "refresh", "style.css"):
        assert dropped not in html
    assert "letter-spacing" in html
    lines = [line.format(origin=site.url) for line in LINES]
    site.close()
    assert read_saved(context.new_page(), html)[".txt"] == [*lines, "10 elements, all."]
    assert "https://example.test/next" not in html
    assert f'href="{"https://example.test"}' in saved_html(page, "https://example.test")
