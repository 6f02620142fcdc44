"""Which links are taken for the entries of a list, on pages of the kinds that sites have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from label_reading import read_labelled

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.discovery.link_forms import form_of, plausible_forms, targets_of
from pytest_bwa.policy.rules.search import next_page
from pytest_bwa.spec.address_pattern import AddressPattern
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Observation

NAMES = ("ada", "bo", "cy", "dan", "eve")
LIST = "http://x.org/list"


def each(entry: Callable[[str], str]) -> str:
    return "".join(map(entry, NAMES))


# The page, and the form of the links to its entries.
SHAPES = {
    "people with a picture, a name and a button": (
        "<main><h1>People</h1><ul>" + each(lambda n: f"""<li><a href="/u/{n}"><img
        alt="@{n}" src="data:,"></a><div><a href="/u/{n}">{n} Quist</a> <a href="/u/{n}">{n}</a>
        </div><form><button>Follow</button></form></li>""") + "</ul></main>",
        "/u/*",
    ),
    "a table with two columns of links and a pager": (
        "<main><h1>Orders</h1><table><tr><th>No<th>Customer<th>Total" + each(
            lambda n: f"<tr><td><a href='/orders/{n}'>#{n}</a><td><a href='/who/{n}'>{n}</a><td>9"
        ) + "</table><a href='?p=2'>2</a> <a href='?p=3'>3</a> <a href='?p=9'>9</a></main>",
        "/orders/*",
    ),
    "cards of products": (
        "<main><h1>Products</h1><div>" + each(lambda n: f"""<div class=card><a href="/p/{n}.html">
        <img alt="{n}" src="data:,"></a><h3><a href="/p/{n}.html">{n}</a></h3><p>£3.00</p></div>""")
        + "</div></main>",
        "/p/*",
    ),
    "rows below the title of a page without landmarks": (
        """<div><a href=/a>Home</a><a href=/b>About</a><a href=/c>Contact</a></div><h1>List</h1>
        <div>""" + each(lambda n: f"<div><a href='/item?id={n}'>{n}</a> text</div>") + """</div>
        <footer><a href=/x>Imprint</a><a href=/y>Privacy</a><a href=/z>Jobs</a></footer>""",
        "/item?id=*",
    ),
    "articles with tags of their own": (
        "<main>" + each(lambda n: f"""<article><h2><a href="/posts/{n}">{n} wins</a></h2>
        <p><a href="/tags/{n}1">one</a> <a href="/tags/{n}2">two</a></p></article>""") + "</main>",
        "/posts/*",
    ),
    "issues with labels, authors and numbers of comments": (
        "<main><div role=list>" + each(lambda n: f"""<div role=listitem><a href="/i/{n}">Bug in {n}
        </a> <a href="/labels/bug">bug</a> by <a href="/u/{n}">{n}</a> <a href="/i/{n}#c">3</a>
        </div>""") + "</div></main>",
        "/i/*",
    ),
    "rows that are links": (
        "<main><div>" + each(lambda n: f"<a href='/t/{n}'><b>{n}</b> <i>Open</i></a>") + "</div>",
        "/t/*",
    ),
    "two lists, one below the other": (
        "<main><h2>Members</h2><ul>" + each(lambda n: f"<li><a href='/m/{n}'>{n}</a></li>")
        + "</ul><h2>Teams</h2><ul>" + each(lambda n: f"<li><a href='/t/{n}'>{n}</a></li>")
        + "</ul></main>",
        None,
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def shown(browser: Any) -> Iterator[Callable[[str], Turn]]:
    """The turn on a page with this content, at one address."""
    context = browser.new_context()
    page = context.new_page()
    content = [""]
    page.route("http://x.org/**", lambda r: r.fulfill(content_type="text/html", body=content[0]))

    def show(html: str) -> Turn:
        content[0] = f"<!doctype html><meta charset=utf-8><title>x</title>{html}"
        page.goto(LIST)
        seen = Observation(url=LIST, title="x", labelled=read_labelled(page))
        task = TaskSpec(task_id="t", goal="g", phase="discovery")  # type: ignore[call-arg]
        return Turn(seen, task, Sample("s"), 1, 9)

    yield show
    context.close()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_entries_of_a_list_are_known_by_the_form_of_their_addresses(shown, shape):
    html, form = SHAPES[shape]
    turn = shown(html)
    forms = list(plausible_forms(turn))
    if form is None:
        assert len(forms) == 2
        return
    assert forms == [form]
    found = targets_of(turn, AddressPattern(form))
    assert [key[0].removesuffix(".html") for key in found] == list(NAMES)
    assert form_of(next(iter(found.values())).url or "").text == form


@pytest.mark.parametrize(
    ("pager", "address"),
    [
        ("<a href=/list?p=2>Next »</a>", "/list?p=2"),
        ("<a rel=next href=/blog/page/2>Weiter</a>", "/blog/page/2"),
        ("<ul><li><a href=/catalogue/page-2.html>next</a></li></ul>", None),
        ("<a href=/list?take=1>Next</a>", None),
        ("<nav><a href=?p=9>»</a> <a href=?p=2>›</a></nav>", "/list?p=2"),
        ("<nav><b>1</b> <a href=?p=2>2</a> <a href=?p=3>3</a></nav>", "/list?p=2"),
        ("<a href=/other/2>2</a><a href=/guide>›</a>", None),
    ],
)
def test_the_next_page_of_a_list(shown, pager, address):
    onward = next_page(shown(f"<main><h1>List</h1></main>{pager}"), 0, elsewhere=True)
    assert (onward.action.url if onward else None) == (
        f"http://x.org{address}" if address else None
    )
