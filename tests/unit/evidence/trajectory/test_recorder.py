"""What a worker writes while a sample runs, and what it must not write."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest
from unit.evidence.trajectory.recorded import (
    CHANGED,
    TASK,
    USAGE,
    call,
    everything_in,
    exchange,
    page,
    read,
    record_sample,
    recorder,
    result,
    step,
)

from pytest_bwa.spec.redaction import Redactor
from pytest_bwa.steps.step import Action, LabelledValue, Place


def test_a_sample_can_be_read_while_its_worker_still_runs(tmp_path):
    sample = recorder(tmp_path / ".live")
    first, second = page("Staff"), page("Record \ud800")
    sample.add_step(step(0, "goto", intent="open_sample"), first, first, None)
    sample.add_call(exchange(call("click", selector="0")), USAGE, step=1, page=first)
    sample.add_step(step(1, "click"), first, second, CHANGED)
    # Nothing is closed or finished: the worker may be killed now.
    (recorded,) = read(tmp_path).samples()
    assert (recorded.sample_id, recorded.status, recorded.task_id) == ("ann", "", "hr")
    opened, clicked = read(tmp_path).steps(recorded)
    assert opened.decision is None
    assert clicked.decision is not None
    assert clicked.decision.system == ["You work through one sample.", "Today is Sunday."]
    assert clicked.decision.messages == [{"role": "user", "content": "## Goal"}]
    assert clicked.decision.reply == [call("click", selector="0")]
    assert clicked.decision.usage["cost_usd"] == 0.002
    assert clicked.before.lines.splitlines()[0] == '[0] [heading] "Staff"'
    assert (clicked.before.state, clicked.after.title) == ("state of Staff", "Record \ufffd")
    assert clicked.verdict is not None
    assert clicked.verdict["changed"] is True
    assert clicked.record["seconds"] == {"EXECUTING": 0.5}


def test_answers_that_were_no_good_and_helpers_stand_with_the_step_they_were_made_for(tmp_path):
    sample = recorder(tmp_path / ".live")
    here = page("Staff")
    sample.add_call(exchange(purpose="vision"), USAGE)
    sample.add_call(exchange(), USAGE, step=0, page=here, error="no tool call")
    sample.add_call(exchange(call("done")), USAGE, step=0, page=here)
    sample.add_step(step(0, "done"), here, here, None)
    sample.add_call(exchange(), USAGE, step=1, page=page("Later"), error="no answer in time")
    (only,) = read(tmp_path).steps(read(tmp_path).sample("ann"))
    assert [(c.purpose, c.error) for c in only.other_calls] == [
        ("vision", None),
        ("decision", "no tool call"),
        ("decision", "no answer in time"),
    ]


def test_texts_and_pages_are_stored_once(tmp_path):
    here, sample = page("x" * 5000), recorder(tmp_path / ".live")
    for number in range(20):
        sample.add_call(exchange(call("wait")), USAGE, step=number, page=here)
        sample.add_step(step(number, "wait"), here, here, None)
    connection = sqlite3.connect(tmp_path / ".live/trajectory-gw0.db")
    assert connection.execute("SELECT count(*) FROM observations").fetchone() == (1,)
    sizes = [len(body) for (body,) in connection.execute("SELECT body FROM texts")]
    assert len(sizes) < 30
    assert max(sizes) < 2000, "a long text is compressed"


@pytest.mark.parametrize("model", ["", "claude-test"])
def test_the_labelled_values_are_kept_for_a_policy_without_a_model(tmp_path, model):
    value = LabelledValue("City", "Oslo", "pair", place=Place(headings=("Billing",)))
    here = replace(page("Staff"), labelled=(value,))
    sample = recorder(tmp_path / ".live", model=model)
    sample.add_step(step(0, "goto"), here, here, None)
    (opened,) = read(tmp_path).steps(read(tmp_path).sample("ann"))
    assert opened.before.labelled == ("" if model else "pair | City | Oslo (under: Billing)")


def test_a_sample_that_is_run_again_in_the_same_file_replaces_its_rows(tmp_path):
    record_sample(tmp_path / ".live")
    recorder(tmp_path / ".live").finish(result(status="failed"))
    (recorded,) = read(tmp_path).samples()
    assert recorded.status == "failed"
    assert read(tmp_path).steps(recorded) == []


def test_secret_columns_are_nowhere(tmp_path):
    task = TASK.model_copy(update={"goal": "Sign in with 48151623."})
    sample = recorder(tmp_path / ".live", task=task, redactor=Redactor({"pin": "48151623"}))
    here = page("Your PIN is 48151623", url="https://hr.example/?pin=48151623")
    reply = {"type": "text", "text": "I use 48151623"}
    sample.add_call(exchange(reply, message='"48151623"'), USAGE, step=1, page=here, error="")
    sample.add_step(step(1, "click", params={"text": "48151623"}), here, here, CHANGED)
    sample.finish(result(reason="48151623 was refused", extracted={"pin": "48151623"}))
    text = everything_in(tmp_path)
    assert "48151623" not in text
    assert "Your PIN is <secret:pin>" in text


class TestWhatIsTypedIntoPasswordFields:
    GOAL = TASK.model_copy(update={"goal": "Sign in with hunter2secret."})
    PAGE = page("Sign in")

    def _sample(self, tmp_path, *typed: str):
        sample = recorder(tmp_path / ".live", task=self.GOAL)
        calls = [call("type", selector="1", text=text) for text in typed]
        thought = {"type": "thinking", "thinking": f"I type {typed[0]}"}
        message = "## Goal\nSign in with hunter2secret."
        sample.add_call(exchange(thought, *calls, message=message), USAGE, step=1, page=self.PAGE)
        return sample

    def _step(self, sample, number: int, text: str, *, secret: bool) -> None:
        params = Action(action="type", selector="1", text="***" if secret else text).params()
        typed = step(number, "type", params=params, thinking=f"I type {text}")
        sample.add_step(typed, self.PAGE, self.PAGE, None, secret=text if secret else "")

    def test_are_masked_in_the_answer_the_prompt_and_the_log(self, tmp_path):
        sample = self._sample(tmp_path, "ann@hr.example", "hunter2secret")
        self._step(sample, 1, "ann@hr.example", secret=False)
        self._step(sample, 2, "hunter2secret", secret=True)
        sample.add_call(exchange(message="hunter2secret again"), USAGE, step=3, page=self.PAGE)
        sample.finish(result())
        text = everything_in(tmp_path)
        assert "hunter2secret" not in text
        assert "ann@hr.example" in text, "what is typed into other fields is kept"

    def test_are_masked_before_anybody_knows_what_the_field_is(self, tmp_path):
        """The worker may be killed while it types, or the action may never be carried out."""
        self._sample(tmp_path, "open sesame please")
        assert "sesame" not in everything_in(tmp_path)


@pytest.mark.parametrize("obstacle", ["corrupt", "locked", "in the way"])
def test_a_file_that_cannot_be_written_is_noted_and_raises_nothing(tmp_path, obstacle):
    live = tmp_path / ".live"
    live.mkdir()
    path, lock = live / "trajectory-gw0.db", None
    if obstacle == "corrupt":
        path.write_bytes(b"no database " * 500)
    elif obstacle == "locked":
        record_sample(live)
        lock = sqlite3.connect(path)
        lock.execute("BEGIN EXCLUSIVE")
    else:
        path.mkdir()
    record_sample(live, "bob")
    note = (live / "trajectory-gw0.problem").read_text()
    assert note.startswith("bob: ")
    assert "\n" not in note
    del lock


def test_an_error_in_the_middle_of_a_sample_is_noted_and_raises_nothing(tmp_path):
    sample, here = recorder(tmp_path / ".live"), page("Staff")
    sample.add_step(step(0, "goto"), here, here, None)
    sqlite3.connect(tmp_path / ".live/trajectory-gw0.db").execute("DROP TABLE steps")
    sample.add_step(step(1, "click"), here, here, None)
    sample.add_step(step(2, "done"), here, here, None)
    sample.finish(result())
    assert "no such table" in (tmp_path / ".live/trajectory-gw0.problem").read_text()


def test_a_secret_that_is_typed_by_name_keeps_its_name_and_hides_its_value(tmp_path):
    redactor = Redactor({"password": "correct horse & co"})
    sample = recorder(tmp_path / ".live", redactor=redactor)
    named, here = "<secret:password>", page("correct horse &amp; co")
    sample.add_call(exchange(call("type", selector="1", text=named)), USAGE, step=1, page=here)
    typed = step(1, "type", params={"selector": "1", "text": named})
    sample.add_step(typed, here, here, None, secret=named)
    sample.finish(result())
    text = everything_in(tmp_path)
    assert "correct horse" not in text
    assert text.count(named) >= 2, "in the answer and in the step"
