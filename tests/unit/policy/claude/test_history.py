"""The token budget of a prompt, the action history in it, and the reflection."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from unit.policy.claude.long_run import step, turns

from pytest_bwa.policy.claude.cost import fit_lines, prompt_budget, tokens
from pytest_bwa.policy.claude.history import extract_lines, history_lines
from pytest_bwa.policy.claude.prompt import user_message
from pytest_bwa.policy.claude.reflection import read_reflection, take_reflection
from pytest_bwa.steps.step import Step
from pytest_bwa.steps.text import one_line


@pytest.mark.parametrize(
    ("window", "budget"),
    [(8_000, 8_000), (100_000, 8_000), (200_000, 16_000), (300_000, 24_000), (10**6, 24_000)],
)
def test_the_budget_is_a_share_of_the_window_within_limits(window, budget):
    assert prompt_budget(window) == budget


def test_tokens_are_not_underestimated_in_any_script():
    assert tokens("a" * 400) >= 100  # about four characters per token
    assert tokens("漢" * 100) >= 90  # nearly one token per character
    assert tokens("") == 0


def test_lines_are_cut_to_the_budget_and_the_last_line_says_so():
    lines = tuple(f"line {n}" for n in range(100))
    kept = fit_lines(lines, 60, "… {n} more")
    assert sum(tokens(line + "\n") for line in kept) <= 60
    assert kept[-1] == f"… {100 - len(kept) + 1} more"
    assert fit_lines(lines, 10_000, "x") == lines


# -- the history -------------------------------------------------------------------------------


def short(number: int, action: str = "click", **more) -> Step:
    return Step(
        step=number, action=action, params={}, result=more.pop("result", "ok"), success=True,
        url="u", started_at="", timestamp="", **more,
    )  # fmt: skip


def numbers(lines: list[str]) -> list[int]:
    return [int(match[1]) for line in lines if (match := re.match(r"Step (\d+):", line))]


def test_at_most_25_steps_are_shown_in_their_order():
    lines = history_lines([short(n) for n in range(1, 41)])
    assert numbers(lines) == list(range(16, 41))
    assert lines[0] == "(15 earlier steps are not shown)"


def test_saving_steps_are_preferred_to_scrolling():
    steps = [short(n, "save_progress" if n in (2, 4) else "scroll") for n in range(1, 41)]
    budget = sum(tokens(line) for line in history_lines(steps[-5:])) + 3 * tokens("Step 9: x → ok")
    kept = numbers(history_lines(steps, budget + 10))
    assert {2, 4} <= set(kept)
    assert kept[-5:] == [36, 37, 38, 39, 40]  # at least five, the newest
    assert len(kept) < 12


def test_long_entries_are_left_out_first():
    steps = [short(n, "extract", result="x" * (4000 if n % 2 else 10)) for n in range(1, 31)]
    kept = numbers(history_lines(steps, 1500))
    assert set(kept[-5:]) == set(range(26, 31))


def extract(number: int, words: int = 100, url: str = "u") -> Step:
    text = " ".join(f"w{number}" for _ in range(words))
    return short(number, "extract", result=f"read it: [{number}] {text}").model_copy(
        update={"url": url}
    )


def test_extracted_texts_stay_whole_with_their_numbers_as_long_as_there_is_room():
    extracts = [extract(n) for n in range(1, 9)]
    shown = history_lines(extracts[3:])  # the first three are summarized, the rest is shown
    lines = extract_lines(extracts, shown, 10_000)
    assert [line.partition(": ")[0] for line in lines] == [
        f"Extracted in step {n} on u" for n in (1, 2, 3)
    ]
    assert lines[1].endswith(extracts[1].result)
    one = tokens(lines[0])
    few = extract_lines(extracts, shown, 2 * one + one // 2)
    assert few == ["(1 more extracted text does not fit)", *lines[1:]]
    again = extract(2).model_copy(update={"step": 9, "result": extract(2).result})
    assert len(extract_lines([*extracts, again], shown, 10_000)) == 3


def test_what_find_found_can_be_cited_after_its_line_was_cut():
    hits = "2 hits: [31] text “Due 3 May”; [44] row “Due 9 May | Ann”" + " | more" * 40
    steps = [short(1, "find", result=hits), *(short(n) for n in range(2, 9))]
    nothing = short(9, "find", result="0 hits in the whole page for “x”" + " y" * 90)
    history = history_lines([*steps, nothing])
    assert hits not in str(history)
    assert extract_lines([steps[0], nothing], history, 10_000) == [f"Found in step 1 on u: {hits}"]


def test_extracted_texts_that_were_condensed_are_in_the_run_state():
    old, new = extract(1), [short(n) for n in range(20, 30)]
    turn = replace(next(turns(1)), history=new, extracts=[old])
    message = user_message(turn, 6000)
    state = message.partition("## Run state")[2].partition("## ")[0]
    assert old.result in state
    assert user_message(turn, 6000).count(old.result) == 1


def test_results_of_all_but_the_last_five_steps_are_cut():
    lines = history_lines([short(n, "extract", result="w" * 3000) for n in range(1, 11)])
    lengths = dict(zip(numbers(lines), map(len, lines), strict=True))
    assert all(lengths[n] < 200 for n in range(1, 6))
    assert all(lengths[n] > 3000 for n in range(6, 11))
    assert "(2880 more characters)" in lines[0]


def test_only_the_last_three_notices_are_shown_before_their_steps():
    steps = [short(n, notices=[f"notice {n}"]) for n in range(1, 7)]
    lines = history_lines(steps)
    assert [line for line in lines if "notice" in line] == [
        "(notice: notice 4)", "(notice: notice 5)", "(notice: notice 6)",
    ]  # fmt: skip
    assert lines.index("(notice: notice 5)") + 1 == next(
        n for n, line in enumerate(lines) if line.startswith("Step 5")
    )


def test_parameters_that_only_a_new_action_has_are_shown_by_name():
    zoomed = short(1, "zoom").model_copy(update={"params": {"selector": "7", "factor": 150}})
    assert history_lines([zoomed]) == ["Step 1: zoom [7] factor=150 → ok"]


def test_the_question_of_a_look_is_shown_again():
    look = short(1, "look").model_copy(update={"params": {"question": "Which icon?"}})
    assert history_lines([look]) == ['Step 1: look "Which icon?" → ok']


def test_full_reflection_shows_more_than_light():
    light, full = (
        "\n".join(history_lines([step(3)])),
        "\n".join(history_lines([step(3)], full_reflection=True)),
    )
    assert "(memory: remember 3)" in light
    assert "go on from 3" not in light
    assert "(next: go on from 3)" in full
    assert "(judged: it worked)" in full


def test_a_secret_is_masked_before_a_text_is_cut():
    secret = "correct-horse-battery"
    long = "x" * 110 + secret + "y" * 4000  # the result is cut in the middle of the secret
    steps = [short(1, "extract", result=long), *(short(n) for n in range(2, 9))]
    steps[0].params["text"] = "z" * 290 + secret
    shown = "\n".join(history_lines(steps, hide=lambda text: text.replace(secret, "***")))
    assert "correct" not in shown
    assert "***" in shown


# -- reflection --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "evaluation_previous_step: it opened\nmemory_update: 3 of 5\nnext_goal: the fourth",
        "I go on.\n- **Evaluation previous step:** it opened\n- **Memory_update**: 3 of 5\n"
        "`next_goal`： the fourth",
        "memory_update:\n  3 of 5\n\nNEXT_GOAL: the fourth\nevaluation_previous_step: it opened",
    ],
    ids=["plain", "marked up", "other order"],
)
def test_the_reflection_is_read_from_the_text_before_the_call(text):
    assert read_reflection(text) == {
        "evaluation_previous_step": "it opened",
        "memory_update": "3 of 5",
        "next_goal": "the fourth",
    }


def test_other_text_is_no_reflection():
    assert read_reflection("The memory_update: field is no line of its own.") == {}
    assert read_reflection("memory_update:") == {}


def test_a_reflection_comes_back_whole_or_marked_as_cut():
    assert read_reflection("memory_update: " + "m" * 170)["memory_update"] == "m" * 170
    cut = read_reflection("memory_update: " + "m" * 500)["memory_update"]
    assert cut == "m" * 160 + "… (340 more characters)"


def test_reflection_in_the_parameters_is_taken_and_never_refused():
    params = {"selector": "1", "memory_update": "a" * 9, "next_goal": 7}
    assert take_reflection(params) == {"memory_update": "a" * 9, "next_goal": "7"}
    assert params == {"selector": "1"}


# -- cuts --------------------------------------------------------------------------------------


def test_the_latest_results_are_cut_to_the_budget_and_the_newest_last():
    steps = [short(n, "extract", result=f"{n}" * 4000) for n in range(1, 9)]
    lines = history_lines(steps, 2500)
    assert sum(tokens(line) for line in lines) <= 2500
    assert numbers(lines)[-5:] == [4, 5, 6, 7, 8]
    assert "8" * 4000 in lines[-1]
    assert sum(tokens(line) for line in history_lines(steps, 600)) <= 600


def test_nothing_is_cut_that_is_shorter_than_the_words_that_say_so():
    assert one_line("x" * 110, 100) == "x" * 110
    note = "… {n} more lines do not fit into this budget"
    assert fit_lines(("a" * 300, "b" * 30), 118, note) == ("a" * 300, "b" * 30)
    assert fit_lines(("a" * 300, "b" * 90), 118, note) == ("a" * 300, note.format(n=1))
