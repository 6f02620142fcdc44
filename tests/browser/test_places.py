"""Where on a page an element stands: frame, regions, headings and record."""

from __future__ import annotations


def _place(agent, name):
    observation = agent.observation
    return next(e.place for e in observation.all_elements if e.name == name)


def test_regions_are_the_outermost_first(agent):
    agent.load_html(
        """<header><p>Top</p></header><nav><a href=/>Home</a></nav><main><p>Own</p>
        <article><header><p>By Ann</p></header><div role=comment><p>Hm</p></div></article>
        <form><p>Filter</p></form><dialog open><p>Sure?</p></dialog></main>
        <aside><p>Related</p></aside><footer><p>Imprint</p></footer>"""
    )
    regions = {e.name: e.place.regions for e in agent.observation.elements}
    regions |= {e.name: e.place.regions for e in agent.observation.unlisted}
    assert regions == {
        "Top": ("banner",),
        "Home": ("navigation",),
        "Own": ("main",),
        "By Ann": ("main", "article"),
        "Hm": ("main", "article", "comment"),
        "Filter": ("main", "form"),
        "Sure?": ("main", "dialog"),
        "Related": ("complementary",),
        "Imprint": ("contentinfo",),
    }
    assert _place(agent, "Hm").regions[-1] == "comment"
    assert _place(agent, "Own").frame == ""


HEADINGS = {
    "levels": ("<h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2><p>x</p>", ("A", "D")),
    "role": ("<div role=heading aria-level=2>B</div><p>x</p>", ("B",)),
    "own block": ("<div><h1>A</h1></div><div><h2>B</h2></div><p>x</p>", ("A", "B")),
    "title with a subtitle": ("<div><h1>A</h1><p>sub</p></div><p>x</p>", ("A",)),
    "card before": ("<h1>A</h1><div><h2>Related</h2><p>r</p></div><p>x</p>", ("A",)),
    "card between": ("<h2>A</h2><div><h2>Related</h2><p>r</p></div><p>x</p>", ("A",)),
    "section before": ("<h1>A</h1><section><h2>B</h2></section><p>x</p>", ("A",)),
    "aside before": ("<h1>A</h1><aside><h2>B</h2><p>y</p></aside><p>x</p>", ("A",)),
    "header of an article": (
        "<article><header><h2>B</h2><p>by</p></header><p>x</p></article>",
        None,
    ),
    "legend": ("<fieldset><legend>Shipping</legend><p>x</p></fieldset>", ("Shipping",)),
    "caption": ("<table><caption>Sums</caption><tr><td><p>y<td><a href=/>x</a></table>", ("Sums",)),
    "details": ("<details open><summary>More</summary><p>x</p></details>", ("More",)),
    "label": (
        "<h1>A</h1><section aria-label=Notes><h3>C</h3><p>x</p></section>",
        ("A", "Notes", "C"),
    ),
    "labelled by its heading": (
        "<section aria-labelledby=h><h2 id=h>Notes</h2><p>x</p></section>",
        ("Notes",),
    ),
    "group": ("<div role=group aria-label=Owner><p>x</p></div>", ("Owner",)),
    "after a group": ("<div role=group aria-label=Owner><p>y</p></div><p>x</p>", ()),
    "in a shadow root": (
        "<h1>A</h1><div><template shadowrootmode=open><h2>B</h2><slot></slot></template>"
        "<p>x</p></div>",
        ("A", "B"),
    ),
}


def test_headings_are_the_path_above_an_element(agent):
    found = {}
    for name, (html, _) in HEADINGS.items():
        agent.load_html(html)
        found[name] = _place(agent, "x").headings
    assert found == {name: ("B",) if path is None else path for name, (_, path) in HEADINGS.items()}


def test_a_heading_stands_below_those_above_it_and_not_below_its_sibling(agent):
    agent.load_html("<h1>A</h1><h2>B</h2><p>b</p><h2>C</h2>")
    assert _place(agent, "C").headings == ("A",)


def test_the_record_is_the_innermost_of_several_rows_items_or_articles(agent):
    agent.load_html(
        """<table><tr><td>Ann<td><a href=/1>Open 1</a><tr><td>Bob<td><a href=/2>Open 2</a></table>
        <ul><li><p>One</p><li><p>Two</p></ul><ul><li><p>Only</p></ul>
        <article><p>First</p><p>post</p></article><article><p>Second</p></article><p>Free</p>"""
    )
    records = {
        name: _place(agent, name).record
        for name in ("Open 1", "Open 2", "Two", "Only", "post", "Second", "Free")
    }
    assert records == {
        "Open 1": "Ann | Open 1",
        "Open 2": "Bob | Open 2",
        "Two": "Two",
        "Only": "",
        "post": "First post",
        "Second": "Second",
        "Free": "",
    }


def test_the_frame_is_its_address(agent, site):
    site.pages |= {"/": "<p>Main</p><iframe src=/in></iframe>", "/in": "<main><p>In</p></main>"}
    agent.act("goto", url=site.url + "/")
    assert _place(agent, "Main").frame == ""
    assert _place(agent, "In").frame == site.url + "/in"
    assert _place(agent, "In").regions[-1] == "main"
