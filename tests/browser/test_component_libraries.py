"""Screens made with real component libraries: what a person sees is listed, and can be used."""

from __future__ import annotations

import hashlib
import re
import time

import pytest
from component_screens import FOLDER, serve_screens
from relative_time import PLENTY
from screen_facts import FACTS

_NUMBER = re.compile(r"\[\d+\] ?")


def plain(lines):
    """The lines without the numbers of elements."""
    return [re.sub(" +", " ", _NUMBER.sub("", line)) if "[row]" in line else
            _NUMBER.sub("", line) for line in lines]  # fmt: skip


class Screen:
    """One screen, opened as the agent opens a page."""

    def __init__(self, agent, url):
        self.agent = agent
        self.opened = agent.act("goto", url=url)

    @property
    def lines(self):
        return plain(self.agent.element_lines())

    def number(self, line):
        """The number of the first element whose line begins like that."""
        elements = self.agent.observation.elements
        return next(str(e.index) for e in elements if plain([e.line()])[0].startswith(line))

    def slow_down(self, rate):
        """Let the page take so many times as long for whatever it does."""
        session = self.agent.page.context.new_cdp_session(self.agent.page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": rate})

    def act(self, name, line, **params):
        result = self.agent.act(name, selector=self.number(line), **params)
        assert result.success, result.error
        return result

    def comes(self, is_there):
        """Whether it is there in the end; some libraries measure the page before they paint."""
        until = time.monotonic() + PLENTY
        while not (found := is_there()) and time.monotonic() < until:
            self.agent.page.wait_for_timeout(50)
            self.agent.observation = self.agent.observer.observe()
        return found

    def shows(self, *lines):
        """The lines are there, in this order."""
        is_whole = self.comes(lambda: not self._missing(lines))
        assert is_whole, "\n".join([*self._missing(lines), "in", *self.lines])

    def _missing(self, lines):
        there = iter(self.lines)
        return [line for line in lines if line not in there]


@pytest.fixture
def open_screen(agent, site):
    serve_screens(site)
    return lambda name: _open(agent, f"{site.url}/{name}", FACTS[name])


def _open(agent, url, facts):
    screen = Screen(agent, url)
    assert screen.opened.success
    indexes = [element.index for element in agent.observation.elements]
    assert len(indexes) == len(set(indexes))
    assert not agent.observation.busy
    screen.shows(*facts.strip().split("\n"))
    return screen


def test_the_bundles_are_made_of_the_sources():
    """After a change of a screen: ``npm ci && npm run build`` in tests/component_libraries."""
    names = [f"screens/{path.name}" for path in sorted((FOLDER / "screens").iterdir())]
    digest = hashlib.sha256()
    for name in [*names, "build.mjs", "package-lock.json"]:
        digest.update((FOLDER / name).read_bytes().replace(b"\r\n", b"\n"))
    assert (FOLDER / "SOURCE_HASH").read_text("utf-8").strip() == digest.hexdigest()


def test_mui(open_screen):
    screen = open_screen("mui")
    screen.act("select_option", '[combobox] "City"', value="Bergen")
    screen.act("select_option", '[combobox] "Rush"', value="A week")
    screen.act("click", '[switch] "Fragile"')
    screen.act("click", '[clickable] "" (icon')  # the cross of the chip "Bergen"
    screen.shows(
        '[combobox] "City" (value="Bergen", expanded=false)',
        '[combobox] "Rush" (value="A week", expanded=false)',
        '[switch] "Fragile" (checked=true)',
    )
    assert screen.comes(lambda: '[button] "Bergen"' not in screen.lines)
    screen.act("click", '[button] "CANCEL ORDER"')
    screen.shows('[text] "The fee is 12.50 €."', '[button] "CANCEL IT"')
    screen.act("click", '[button] "CANCEL IT"')
    screen.shows('[alert] "Order 4711 was cancelled"')


def test_mui_x(open_screen):
    screen = open_screen("mui_x")
    jon = '[row] "| ☐ | 1 | Jon'
    ticks = [e for e in screen.agent.observation.elements if e.name == "Select row"]
    assert len(ticks) == 5
    at = [line.startswith(jon) for line in screen.lines].index(True)
    tick = screen.agent.observation.elements[at + 1]
    assert tick.name == "Select row"
    assert screen.agent.act("click", selector=str(tick.index)).success
    screen.shows('[row] "| ☑ | 1 | Jon | Snow | 35 | yes |" (selected=true, clickable)')
    screen.act("click", '[clickable] "14"')
    screen.shows('[clickable] "14" (selected=true)')
    screen.act("click", '[button] "Go to next page"')
    screen.shows('[row] "| ☐ | 4 | Arya | Stark | 16 | no |" (selected=false, clickable)')


def test_ant_design(open_screen):
    screen = open_screen("antd")
    screen.act("select_option", '[combobox] "Favourite colour"', value="Blue")
    screen.act("click", '[checkbox] "" (checked=false)')
    screen.act("click", '[switch] "on off"')
    screen.shows(
        '[combobox] "Favourite colour" (expanded=false, readonly, shows "Blue")',
        '[switch] "on off" (checked=false)',
        '[row] "☑ | Joe Black | 17 | | Invite Joe Black" (clickable)',
    )
    screen.act("click", '[button] "Close account"')
    screen.shows('[dialog] "Close the account?"', '[text] "All data of 3 seats is deleted."')
    screen.act("click", '[button] "OK"')
    assert screen.comes(lambda: any("Account closed" in line for line in screen.lines))


def test_ag_grid(open_screen):
    screen = open_screen("ag_grid")
    screen.act("click", '[checkbox] "Press Space')
    screen.shows('[row] "Model 1 | ☑ | Tesla | € 20,000 | ☑" (selected=true)')
    screen.act("scroll", "[scroller]", direction="down")
    # What was scrolled out of the view, and is still in the document, is what it was.
    screen.shows('[row] "Model 80 | ☐ | Ford | € 20,100 | ☐" (selected=false)')
    screen.act("click", '[button] "Most expensive first"')
    screen.act("scroll", "[scroller]", direction="top")
    screen.shows('[clickable] "Price" (sort=descending)')

    def prices():
        return re.findall(r"\[row\].*€ ([0-9,]+)", "\n".join(screen.lines))

    assert screen.comes(lambda: len(prices()) > 10 and prices() == sorted(prices(), reverse=True))
    screen.act("click", '[clickable] "Make"')

    def makes():
        return [line.split(" | ")[2] for line in screen.lines if '[row] "Model ' in line][1:]

    assert screen.comes(lambda: makes()[:1] == ["Fiat"])


def test_shoelace(open_screen):
    screen = open_screen("shoelace")
    screen.act("select_option", '[combobox] "Room"', value="Attic")
    screen.act("click", '[checkbox] "Dimmable"')
    screen.shows(
        '[combobox] "Room" (value="Attic", expanded=false, readonly)',
        '[checkbox] "Dimmable" (checked=false)',
    )
    screen.act("click", '[button] "Reset device"')
    screen.shows('[dialog] "Reset the device?"', '[text] "All 12 schedules are lost."')
    screen.act("click", '[button] "Reset"')
    screen.shows('[alert] "The device was reset"')


def test_fluent(open_screen):
    screen = open_screen("fluent")
    screen.act("select_option", '[combobox] "Owner"', value="Max")
    screen.act("select_option", '[combobox] "Reader"', value="Ben")
    screen.shows(
        '[combobox] "Owner" (value="Max", expanded=false)',
        '[combobox] "Reader" (value="Ben", expanded=false, focused)',
    )
    screen.act("click", '[button] "View"')
    screen.shows('[menuitemcheckbox] "Show size" (checked=true)')
    screen.act("click", '[button] "Empty the bin"')
    screen.shows('[dialog] "Empty the bin?"', '[text] "18 files are deleted."')
    screen.act("click", '[button] "Delete"')
    screen.shows('[text] "Bin: empty"')


def test_react_select(open_screen):
    screen = open_screen("react_select")
    screen.act("select_option", '[combobox] "Flavour"', value="Chocolate")
    screen.act("select_option", '[combobox] "Toppings"', value="Vanilla")
    screen.act("click", '[button] "Remove Strawberry"')
    screen.act("select_option", '[combobox] "Cup"', value="Large")
    screen.shows('[combobox] "Flavour" (expanded=false, shows "Chocolate")')
    both = 'shows "Salted caramel, Vanilla"'
    assert screen.comes(lambda: any('"Toppings"' in x and both in x for x in screen.lines))
    assert screen.comes(lambda: any('"Cup"' in x and 'shows "Large"' in x for x in screen.lines))
    screen.shows('[text] "Chosen: Chocolate"')


def test_editors(open_screen):
    screen = open_screen("editors")
    screen.act("click", '[button] "Bold"')
    screen.shows('[button] "Bold" (pressed=true)')
    screen.act("type", '[textbox] "" (value="Release', text="Hello world")
    screen.act("type", '[textbox] "" (value="function', text="let x = 1;")
    screen.shows(
        '[textbox] "" (value="Hello world", multi-line)',
        '[textbox] "" (value="let x = 1;", multi-line, focused)',
    )


def test_virtuoso(open_screen):
    screen = open_screen("virtuoso")
    screen.act("press", '[scroller] "Members"', key="PageDown*56")
    wanted = '[text] "User 500 joined in 1500"'
    for _ in range(12):
        users = screen.comes(lambda: re.findall(r'"User (\d+) joined', "\n".join(screen.lines)))
        first = int(users[0])
        if wanted in screen.lines:
            break
        screen.act("scroll", '[scroller] "Members"', direction="up" if first > 500 else "down")
    screen.shows(wanted)
    screen.act("scroll", '[scroller] "Members"', direction="bottom")
    screen.shows('[text] "User 999 joined in 1999"')


def test_dnd_kit(open_screen):
    screen = open_screen("dnd_kit")
    screen.act("press", '[button] "Write"', key="Space ArrowDown Space")
    screen.shows('[text] "Order: Test, Write, Ship"')
    assert [line.split('"')[1] for line in screen.lines][1:4] == ["Test", "Write", "Ship"]
    screen.slow_down(10)  # the library measures after it began to draw, and does so late here
    screen.act("drag", '[button] "Move Ada"', target=screen.number('[button] "Move Cyd"'))
    screen.shows('[text] "⠿ Bob"', '[text] "⠿ Ada"', '[text] "Order: Bob, Cyd, Ada"')
