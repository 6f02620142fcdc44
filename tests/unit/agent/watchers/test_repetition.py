"""Repeated actions and repeated failures."""

from __future__ import annotations

from unit.agent.transitions import page, transition

from pytest_bwa.agent.watchers import RepetitionWatcher
from pytest_bwa.steps.step import Action


def test_the_third_repeat_gives_a_notice_and_the_fourth_is_refused():
    repetition = RepetitionWatcher()
    click = Action(action="click", selector="0")
    for number in range(1, 4):
        assert repetition.refusal(click, page()) == ""
        notices = repetition.notices_after(transition())
        assert bool(notices) == (number == 3)
    assert "click [0] 3 times" in notices[0]
    assert "the same result 3 times on this page" in repetition.refusal(click, page())
    # Another element or another page is not a repeat.
    assert repetition.refusal(Action(action="click", selector="1"), page()) == ""
    assert repetition.refusal(click, page(url="http://site.test/other")) == ""


CLICK = Action(action="click", selector="0")


def after_three_clicks() -> RepetitionWatcher:
    repetition = RepetitionWatcher()
    for _ in range(3):
        repetition.notices_after(transition())
    return repetition


def refuse(repetition: RepetitionWatcher) -> list[str]:
    """Let the loop refuse the click; the notices that the refusal gives."""
    refusal = repetition.refusal(CLICK, page())
    assert refusal
    return repetition.notices_after(transition(success=False, description=refusal))


def test_a_refused_action_stays_refused_on_the_same_page():
    repetition = after_three_clicks()
    for _ in range(5):
        assert not any("the same result" in notice for notice in refuse(repetition))
    assert "the same result 3 times" in repetition.refusal(CLICK, page())


def test_other_actions_without_effect_do_not_lift_a_refusal():
    repetition = after_three_clicks()
    refuse(repetition)
    repetition.notices_after(transition(selector="1"))
    repetition.notices_after(transition("extract", selector="h1", description="a text"))
    assert repetition.refusal(CLICK, page())


def test_another_page_state_lifts_a_refusal_until_the_action_is_repeated_on_it():
    repetition = after_three_clicks()
    refuse(repetition)
    changed = page("it loaded after all")
    for number in range(1, 4):
        assert repetition.refusal(CLICK, changed) == ""
        notices = repetition.notices_after(transition(before=changed))
        assert bool(notices) == (number == 3)
    assert repetition.refusal(CLICK, changed)


def test_a_change_by_another_action_lifts_a_refusal_even_if_the_page_looks_the_same_again():
    repetition = after_three_clicks()
    refuse(repetition)
    opened = page("a menu is open")
    repetition.notices_after(transition(selector="1", after=opened))
    repetition.notices_after(transition(selector="1", before=opened, after=page()))
    assert repetition.refusal(CLICK, page()) == ""


def test_a_change_on_another_url_does_not_lift_a_refusal():
    repetition = after_three_clicks()
    other = page(url="http://site.test/other")
    repetition.notices_after(transition(before=other, after=page("new", url=other.url)))
    assert repetition.refusal(CLICK, page())


def test_an_action_with_a_new_result_is_not_a_repeat():
    repetition = RepetitionWatcher()
    for number in range(10):
        assert not repetition.notices_after(
            transition("scroll", direction="down", description=f"scrolled to {number}00")
        )
        more = page(f"{number} rows")
        assert not repetition.notices_after(
            transition(selector="Load more", before=page(), after=more)
        )
    assert repetition.refusal(Action(action="scroll", direction="down"), page()) == ""


def test_a_parameter_that_only_a_new_action_has_tells_its_calls_apart():
    repetition = RepetitionWatcher()
    for factor in range(10):
        zoom = Action(action="screenshot", label="x", factor=factor)  # type: ignore[call-arg]
        assert repetition.refusal(zoom, page()) == ""
        assert not repetition.notices_after(transition("screenshot", label="x", factor=factor))


def test_save_progress_and_done_are_never_refused():
    repetition = RepetitionWatcher()
    for _ in range(6):
        repetition.notices_after(transition("save_progress", extracted={"a": 1}))
        repetition.notices_after(
            transition("done", extracted={}, success=False, description="refused")
        )
    assert repetition.refusal(Action(action="save_progress", extracted={"a": 1}), page()) == ""
    assert repetition.refusal(Action(action="done", extracted={}), page()) == ""


def test_three_failures_in_a_row_list_the_elements_of_the_page():
    repetition = RepetitionWatcher()
    notices = [
        repetition.notices_after(transition(selector=f"{n}", success=False, description="x"))
        for n in range(7, 10)
    ]
    assert notices[:2] == [[], []]
    assert '[0] button "Save"' in notices[2][0]
    repetition.notices_after(transition(selector="4"))
    failure = transition(selector="5", success=False, description="x")
    assert repetition.notices_after(failure) == []
