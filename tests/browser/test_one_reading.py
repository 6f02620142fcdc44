"""What the readers ask of a page while they read it at one go."""

from __future__ import annotations

import json

from pytest_bwa.page.readers import CHANNEL, READERS_SCRIPT

PAGE = """<!doctype html><title>Page</title><h1>Ticket 7</h1><main><p><b>Owner:</b> Ada</p>
<table><tr><th>Due</th><th>State</th></tr><tr><td>2024-05-06</td><td>Open</td></tr></table>
<dl><dt>Cost</dt><dd><span>12</span><span>34</span></dd></dl>
<label>City <input value=Bergen></label><a href=/next>Next <i>page</i></a></main>"""
COUNT = """() => {
  window.asked = new Map();
  for (const name of ["getBoundingClientRect", "checkVisibility"]) {
    const ask = Element.prototype[name];
    Element.prototype[name] = function (how) {
      const whole = `${name} ${JSON.stringify(how)}`;
      const times = asked.get(this) ?? {};
      asked.set(this, { ...times, [whole]: (times[whole] ?? 0) + 1 });
      return ask.call(this, how);
    };
  }
}"""
READ = """() => window[Symbol.for('bwa.readers')]
  .run('readPage', { maxNodes: 100, maxValues: 100 }).found"""


def _read(page):
    return json.loads(page.evaluate(READ))


def test_a_reading_asks_an_element_for_its_box_and_its_visibility_once(page):
    page.set_content(PAGE)
    page.evaluate(COUNT)  # this world's readers take the functions that they find when they begin
    page.evaluate(READERS_SCRIPT, CHANNEL)
    page.evaluate(READ)  # Once, because the world of the page does not answer
    page.evaluate("asked.clear()")
    assert [value["value"] for value in _read(page)["labelled"] if value["kind"] == "table"] == [
        "2024-05-06",
        "Open",
    ]
    times = page.evaluate("[...asked.values()].flatMap((times) => Object.values(times))")
    assert len(times) > 20
    assert max(times) == 1


def test_what_one_reading_found_is_asked_anew_by_the_next(page):
    page.set_content(PAGE)
    page.evaluate(READERS_SCRIPT, CHANNEL)
    page.evaluate(READ)
    before = _read(page)
    page.evaluate("""() => {
      document.head.append(document.createElement("style"));
      document.styleSheets[0].insertRule("p { display: none }");
      document.styleSheets[0].insertRule("a { margin-left: 50px }");
      document.querySelector("dt").textContent = "Price";
    }""")
    after = _read(page)
    lefts = [next(n["box"][0] for n in x["nodes"] if n["role"] == "link") for x in (before, after)]
    assert lefts[1] == lefts[0] + 50
    assert {"Owner", "Cost"} <= {value["label"] for value in before["labelled"]}
    labels = {value["label"] for value in after["labelled"]}
    assert "Price" in labels
    assert not {"Owner", "Cost"} & labels
