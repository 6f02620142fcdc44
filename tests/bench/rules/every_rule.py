"""The table of rules that ``bench --rules`` turns off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bench.rules.switches import Off, Rule

from pytest_bwa.policy.rules.fields import Answer
from pytest_bwa.steps.doubts import Doubt


def gives(value: Any) -> Off:
    """What the function returns where it has found nothing."""
    return lambda result, *_: value


def without(doubt: Doubt) -> Off:
    """The same without one doubt: of an answer, of several doubts, or of one."""

    def off(result: Any, *_: Any) -> Any:
        if isinstance(result, Mapping):
            return {known: detail for known, detail in result.items() if known is not doubt}
        if isinstance(result, list):
            return [known for known in result if known is not doubt]
        if isinstance(result, Answer):
            return replace(result, doubts=off(result.doubts))
        return None if result is doubt else result

    return off


def _policy(name: str, at: str, off: Off) -> Rule:
    return Rule("policy/rules", name, f"policy.rules.{at}", off)


def _proof(name: str, at: str, off: Off) -> Rule:
    return Rule("proof", name, f"proof.{at}", off)


_AGAINST, _DOUBTS = "own_record:OwnRecord._against", "readings:Readings._doubts"
_MEANS = "readings:Readings._other_meaning"
RULES = (
    # Whose page it is.
    _policy("the address led elsewhere", "subject:_is_redirected", gives(False)),
    Rule("policy/rules", "the page asks for a password", "facts.page:asks_for_password",
         gives(False)),
    _policy("the page names another of its kind", "identity:other_name", gives("")),
    # Which record of the page.
    _policy("above the page's heading", _AGAINST, without(Doubt.ABOVE_HEADING)),
    _policy("only a line of the text", _AGAINST, without(Doubt.LINE_OF_TEXT)),
    _policy("under another section", _AGAINST, without(Doubt.UNDER_HEADING)),
    _policy("beside the content", "own_record:_is_beside", gives(False)),
    _policy("an alias may name a section", "own_record:OwnRecord._is_in_section", gives(False)),
    _policy("an entry that has no link", "search:_in_entry", gives(None)),
    _policy("a row that was not read", "search:_in_row", gives(None)),
    _policy("a search that led elsewhere", "search:_led_back", gives(False)),
    # What the list says.
    _policy("the page says another value", "fields:_answer", without(Doubt.OTHER_VALUE)),
    # What stands beside it.
    _policy("unread", "unread:Unread.beside", gives({})),
    _policy("unread: a sentence", "unread:Unread._note", gives("")),
    _policy("unread: above the title", "unread:_is_above", gives(False)),
    _policy("unread: a byline says nothing", "unread:Unread._is_byline", gives(False)),
    _policy("unread: a part of the record says nothing", "unread:Unread._is_of_record",
            gives(False)),
    # What it means.
    _policy("cut", _DOUBTS, without(Doubt.CUT)),
    _policy("the rest of a list", _DOUBTS, without(Doubt.GOES_ON)),
    _policy("a day that stands for none", _DOUBTS, without(Doubt.EMPTY_DATE)),
    _policy("not one value", _MEANS, without(Doubt.SEVERAL_VALUES)),
    _policy("only a label", _MEANS, without(Doubt.ONLY_LABEL)),
    _policy("a link that may change it", _MEANS, without(Doubt.CHANGING_LINK)),
    _policy("one word and its label are none", "readings:_says_none_of", gives(False)),
    _policy("it may say that there is nothing", "readings:_may_say_nothing", gives(False)),
    # Grounding: refusals.
    _proof("an answer's own entry", "only_entered:is_only_entered", gives(False)),
    _proof("only the beginning", "texts.reading:Reader.is_cut", gives(False)),
    _proof("goes on elsewhere", "checking:Checker._is_cut_anywhere", gives(False)),
    _proof("too common to be looked up", "checking:_is_weak", gives(False)),
    _proof("another choice of the field", "checking:Checker._has_other", gives(False)),
    Rule("proof", "a choice that is not chosen", "facts.fact:_of_element",
         lambda result, *_: [replace(fact, is_off=False) for fact in result]),
    # Grounding: doubts.
    _proof("own look", "doubts.on_page:DoubtsOnPage._is_own_look", gives(False)),
    _proof("hidden", "doubts.on_page:DoubtsOnPage._is_hidden", gives(False)),
    _proof("painted", "doubts.on_page:DoubtsOnPage._painted", gives(None)),
    _proof("painted: struck out", "doubts.on_page:DoubtsOnPage._painted",
           without(Doubt.STRUCK_OUT)),
    _proof("unread file", "doubts.on_page:DoubtsOnPage._file_unread", gives(None)),
    _proof("other record", "doubts.other_record:OtherRecord.of", gives(None)),
    _proof("other record: a row names another", "doubts.other_record:OtherRecord._other_in",
           gives("")),
    _proof("other record: beside the own row", "doubts.other_record:OtherRecord._beside_own",
           gives("")),
    _proof("other record: the page of another", "doubts.other_record:OtherRecord._page_of",
           gives("")),
    _proof("other record: what lists call others", "doubts.other_record:_others_listed",
           gives([])),
    _proof("two readings: days", "doubts.two_readings:OtherDays.other_days",
           lambda result, *_: result[:0]),
    _proof("two readings: numbers", "doubts.two_readings:NumberMarks.other_number", gives(None)),
    _proof("other value: newer text", "doubts.other_value:newer_text", gives(None)),
    _proof("other value: the same label", "doubts.other_value:other_values", gives(None)),
    _proof("same cell", "grounding:_Grounding.with_same_cell",
           lambda result, self, name, tree: tree),
    _proof("odd: place", "doubts.odd:UsualPlaces.of", gives({})),
    _proof("odd: row", "doubts.odd:UsualPlaces._is_usual_row", gives(True)),
    _proof("odd: no heading names it", "doubts.odd:UsualPlaces.notes", gives([])),
)  # fmt: skip
ROOMS = ("policy/rules", "proof", "page/scripts")
