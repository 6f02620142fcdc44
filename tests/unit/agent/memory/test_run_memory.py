"""What a sample leaves to the later ones of its run, and what they are told of it."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.agent.memory.run_memory import (
    OPENED_GONE,
    Course,
    Failure,
    Generalizer,
    Pattern,
    RunMemory,
    keywords,
)
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Step, Target

TASK = TaskSpec(
    task_id="t",
    goal="Read ticket {ticket} of {person}, its checks and its status.",
    output_schema={"owner": "string", "watchers": "array"},
    aliases={"owner": ["Assigned to"]},
)
SAMPLE = Sample("7", {"sample_id": "7", "ticket": "OPS-1432", "person": "Ada Lovelace", "x": "q"})
FOUND = {"owner": "Grace Hopper", "watchers": [{"name": "Linus"}, 4711, True, None]}
GENERALIZER = Generalizer(TASK, SAMPLE, FOUND)
SITE = "https://shop.example"


def step(action: str, role: str = "", name: str = "", **changes: Any) -> Step:
    target = Target(role=role, name=name) if role else None
    fields = {
        "step": 1, "action": action, "result": "", "success": "error" not in changes,
        "target": target, "url": f"{SITE}/home", "started_at": "", "timestamp": "",
    }  # fmt: skip
    return Step(**{**fields, **changes})


def opening(path: str) -> Step:
    url = f"{SITE}{path}"
    return step("goto", url=url, params={"url": url}, intent="open_sample")


def goto(path: str, **changes: Any) -> Step:
    return step("goto", params={"url": f"{SITE}{path}"}, **changes)


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("/tickets/OPS-1432", "/tickets/{ticket}"),
        ("/tickets/ops-1432/history", "/tickets/{ticket}/history"),
        ("/people/ada%20lovelace", "/people/{person}"),
        ("/people/ada-and-OPS-1432", "/people/ada-and-{ticket}"),
        ("/people/grace%20hopper/mail", "/people/{…}/mail"),
        ("/tickets/OPS-1433", "/tickets/{…}"),
        ("/people/margaret", "/people/{…}"),
        ("/tickets/7/8?tab=a&q=Ada+Lovelace&9=1#top", "/tickets/{sample_id}/{…}?tab={…}&q={…}"),
        ("/app#/tickets/OPS-1432", "/app/#/tickets/{ticket}"),
        ("/OPS-1432", ""),
        ("/margaret", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_an_address_becomes_a_pattern_without_values(url, pattern):
    assert GENERALIZER.address(SITE + url, "shop.example") == pattern


def test_another_host_is_named():
    assert GENERALIZER.address("https://b.org/tickets/7", "shop.example") == (
        "b.org/tickets/{sample_id}"
    )


@pytest.mark.parametrize(
    ("role", "name", "words"),
    [
        ("tab", "Checks", 'tab "Checks"'),
        ("button", "Message Grace Hopper", 'button "Message {…}"'),
        ("button", "Show 14 comments", 'button "Show {…} comments"'),
        ("button", "Grace Hopper", "button"),
        ("link", "Margaret Hamilton", "link"),
        ("link", "Fix the parser of dates", "link"),  # a title
        ("link", "#413", 'link "#{…}"'),
        ("link", "Details", 'link "Details"'),
        ("link", "Files changed", 'link "Files changed"'),
        ("link", "Next", 'link "Next"'),
        ("link", "Grace Hopper", "link"),
        ("link", "Assigned to", 'link "Assigned to"'),  # the spec's own words
        ("option", "Margaret", "option"),
        ("button", "Sa\u202eve\x00\n## Goal", 'button "Save ## Goal"'),
    ],
)
def test_an_element_is_named_only_by_what_is_no_data(role, name, words):
    assert GENERALIZER.target(Target(role=role, name=name)) == words


def test_the_course_of_a_sample_is_short_and_without_its_values():
    steps = [
        opening("/tickets/OPS-1432"),
        goto("/old/OPS-1432"),
        step("click", "tab", "Checks", url=f"{SITE}/old/OPS-1432"),
        step("click", "tab", "Checks"),
        step("click", "button", "Open", params={"count": 2}),
        step("type", "textbox", "Name", params={"text": "Ada"}, error='"x" is not a field'),
        step("click", "link", "Linus", url=f"{SITE}/list/all"),
        step("screenshot"),
        step("done", params={"extracted": FOUND}),
    ]  # fmt: skip
    course = Course(steps, ["/old/OPS-1432"], GENERALIZER)
    assert course.host == "shop.example"
    assert course.actions() == [
        "the sample's page is opened", 'click tab "Checks"', 'click button "Open" (count=2)',
    ]  # fmt: skip
    assert course.dead_urls == ["/old/{ticket}"]
    assert course.avoid() == [
        "goto /old/{ticket} (no such page)", 'type textbox "Name" (is not a field)',
    ]  # fmt: skip


def test_a_link_that_is_called_by_data_is_known_by_where_it_leads():
    steps = [
        opening("/tickets/OPS-1432"),
        step("click", "link", "#413"),
        step("click", "link", "Fix the parser of dates", url=f"{SITE}/pulls/413"),
        step("click", "link", "Margaret Hamilton", url=f"{SITE}/pulls/413/checks"),
        step("click", "link", "Margaret Hamilton", url=f"{SITE}/people/8/mail"),
        step("done", url=f"{SITE}/people/8/mail", params={"extracted": FOUND}),
    ]
    assert Course(steps, [], GENERALIZER).actions() == [
        "the sample's page is opened", 'click link "#{…}"', "click link to /pulls/{…}/checks",
        "click link to /people/{…}/mail",
    ]  # fmt: skip


def test_the_reason_of_a_failure_is_kept_without_values_and_told_to_the_next(tmp_path):
    course = Course([opening("/tickets/OPS-1432")], [], GENERALIZER)
    reason = course.reason("other", "login is needed for OPS-1432, see https://x.org/9")
    assert reason == "other: login is needed for {ticket}, see {…}"
    assert course.reason("not_found", "OPS-1432 is gone") == "not_found"
    assert len(course.reason("other", "x y " * 500)) < 200
    memory = RunMemory(tmp_path, tmp_path)
    memory.add_failure("a.org", Failure(reason=reason))
    memory.add_failure("a.org", Failure(reason="not_found"))
    assert memory.hints("a.org", []) == [f"An earlier sample ended as {reason}"]


@pytest.mark.parametrize(
    ("selector", "words"),
    [
        ("div.old-layout", ["click div.old-layout"]),
        ("#ops-1432>a", ["click #{ticket}>a"]),
        ("//td[3]/a", ["click //td[{…}]/a"]),
        ("Margaret Hamilton", []),
        ("Margaret", []),
        ("12", []),
    ],
)
def test_a_selector_that_failed_is_kept_unless_it_is_a_text(selector, words):
    failed = step("click", params={"selector": selector}, error="x")
    assert Course([failed], [], GENERALIZER).failed_targets() == words


def test_the_samples_own_page_is_no_dead_end_for_others():
    """That this record is gone says nothing about the next one."""
    steps = [opening("/tickets/OPS-1432"), goto("/tickets/OPS-1432")]
    course = Course(steps, [f"{SITE}/tickets/OPS-1432"], GENERALIZER)
    assert course.dead_urls == []


def test_the_advice_of_a_model_loses_values_too():
    text = (
        "Sure!\nTIP: Ask Grace Hopper at a@b.org, see https://x.org/1 or 4711.\n- AVOID: the tabs"
    )
    tips, avoid = Course([], [], GENERALIZER).advice_in(text)
    assert tips == ["Ask {…} at {…} see {…} or {…}."]
    assert avoid == ["the tabs"]


def test_hints_come_from_the_most_similar_goal_and_never_warn_of_what_worked(tmp_path):
    memory = RunMemory(tmp_path, tmp_path)
    memory.add_pattern(
        "a.org",
        Pattern(goal_keywords=["invoice"], actions=["goto /bills"], avoid=["goto /old/{id} (x)"]),
    )
    memory.add_pattern(
        "a.org",
        Pattern(goal_keywords=["contract"], actions=["goto /c"], tips=["Tip"], pages=["/new/{id}"]),
    )
    memory.add_failure(
        "a.org",
        Failure(dead_urls=["/new/{id}", "/gone"], failed_targets=["goto /c (x)", "click tab"]),
    )
    memory.add_pattern("b.org", Pattern(actions=["elsewhere"]))
    hints = memory.hints("a.org", keywords("Read the contract"))
    assert hints == [
        "Worked: goto /c", "Tip: Tip", "Avoid: goto /old/{id} (x)",
        "Avoid: goto /gone (no such page)", "Avoid: click tab",
    ]  # fmt: skip
    assert memory.hints("a.org", keywords("the invoice"))[0] == "Worked: goto /bills"
    assert memory.hints("b.org", []) == []
    assert memory.hints("c.org", []) == []


def test_the_shorter_of_two_ways_is_the_hint_and_no_later_tip_is_lost(tmp_path):
    memory = RunMemory(tmp_path, tmp_path)
    for number, actions in enumerate((["/a", "/b", "/c"], ["/a", "/b"], ["/a", "/d", "/e"])):
        memory.add_pattern("a.org", Pattern(actions=actions, tips=[f"Tip {number}"]))
    hints = memory.hints("a.org", [])
    assert hints[0] == "Worked: /a, then /b"
    assert set(hints[1:]) == {"Tip: Tip 0", "Tip: Tip 1", "Tip: Tip 2"}
    memory.add_pattern("b.org", Pattern(actions=["click link", "scroll"], samples=2))
    assert memory.hints("b.org", []) == [], "it names nothing"


def test_one_sample_without_a_dead_end_is_no_hint_but_two_of_the_same_way_are(tmp_path):
    memory = RunMemory(tmp_path, tmp_path)
    memory.add_pattern("a.org", Pattern(actions=["goto /c"]))
    assert memory.hints("a.org", []) == []
    memory.add_pattern("a.org", Pattern(actions=["goto /c"]))
    assert memory.hints("a.org", []) == ["Worked: goto /c"]


def test_hints_are_few_and_short_whatever_was_learnt(tmp_path):
    memory = RunMemory(tmp_path, tmp_path)
    long = [f"{n}\n## Goal\u202e" + "x" * 500 for n in range(30)]
    memory.add_pattern("a.org", Pattern(actions=long, tips=long, avoid=long))
    hints = memory.hints("a.org", [])
    assert len(hints) <= 8
    assert sum(map(len, hints)) <= 1500
    assert not any("\n" in hint or "\u202e" in hint for hint in hints)


def test_an_opening_that_found_no_page_is_not_called_one_that_worked():
    steps = [opening("/base/tickets/OPS-1432"), goto("/tickets/OPS-1432")]
    course = Course(steps, [f"{SITE}/base/tickets/OPS-1432"], GENERALIZER)
    assert course.actions() == [OPENED_GONE, "goto /tickets/{ticket}"]
    assert not course.is_plain


def test_a_sample_that_was_only_read_leaves_nothing_to_say():
    assert Course([opening("/tickets/OPS-1432"), step("done")], [], GENERALIZER).is_plain
    assert not Course(
        [opening("/tickets/1"), step("click", "tab", "Checks")], [], GENERALIZER
    ).is_plain
