"""Every doubt: a code, with its message and what to do about it apart.

The page scripts, the policies and the proof pass codes, each with at most one detail that the page
or the answer has; the words are made where a person or a model reads them. A new doubt is a line
here and the rule that finds it.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

MAX_NAMED = 8
"""Values that one sentence names."""


class Doubt(StrEnum):
    """What may speak against a text or a value."""

    _sort: str
    message: str
    """A part of a sentence about the value; ``{}`` is the detail."""
    advice: str
    general: str
    """The message where there is no detail, or not the same one for all."""

    def __new__(
        cls, code: str, sort: str = "", message: str = "", advice: str = "", general: str = ""
    ) -> Doubt:
        member = str.__new__(cls, code)
        member._value_ = code
        member._sort, member.message, member.advice = sort, message, advice
        member.general = general or message
        return member

    # -- the doubts that result.json lists: whoever finds nothing closer says one of these ---------
    OTHER_VALUE = (
        "other_value",
        "other_value",
        "the page also says “{}”",
        "compare both in the picture, and name the section of the right one in an alias",
        "the page says something else there, too",
    )
    HIDDEN = (
        "hidden",
        "hidden",
        "nobody can see the text that has it: “{}”",
        "open the page: is it what a person finds there?",
        "nobody can see the text that has it",
    )
    OTHER_RECORD = (
        "other_record",
        "other_record",
        "it stands with another record, “{}”",
        "reject it, unless the record is the sample under another name",
        "it stands with another record",
    )
    TWO_READINGS = (
        "two_readings",
        "two_readings",
        "it may also mean {}",
        "say which; the spec's `locale`, or the field's `minimum` and `maximum`, tell the next run",
        "its text may also mean another value",
    )
    PAINTED = (
        "painted",
        "painted",
        "a person sees it otherwise: {}",
        "look at the picture: it shows what a person sees",
        "a person sees it otherwise",
    )
    OWN_LOOK = (
        "own_look",
        "own_look",
        "only the agent's own look at a picture has it",
        "read it in the picture",
    )
    ODD = (
        "odd",
        "odd",
        "it stands elsewhere than in most samples: {}",
        "compare with a sample that has it elsewhere",
        "it stands elsewhere than in most samples",
    )
    SAME_CELL = (
        "same_cell",
        "same_cell",
        "{} was read from the same text",
        "which of them does the text mean? Give each field an alias of its own",
        "another field was read from the same text",
    )
    UNREAD = (
        "unread",
        "unread",
        "nobody has read what stands beside it: “{}”",
        "read it: does it change the value?",
        "nobody has read what stands beside it",
    )

    # -- another value ---------------------------------------------------------------------------
    OTHER_PAGE = (
        "other_page",
        "other_value",
        "another page says “{}”",
        "name the section of the right one in an alias",
        "another page says something else",
    )

    # -- another record --------------------------------------------------------------------------
    UNDER_HEADING = (
        "under_heading",
        "other_record",
        "it stands under “{}”",
        "if it is the sample's, name the heading in an alias: `Billing > City`",
        "it stands under a heading that may be somebody else's",
    )
    BESIDE_CONTENT = (
        "beside_content",
        "other_record",
        "it stands beside the page's content",
        "if it is the sample's, name its heading in an alias: `Billing > City`",
    )
    SHARED_CELL = (
        "shared_cell",
        "other_record",
        "several rows share its cell",
        "look at one sample: is it said of this row, too?",
    )
    ABOVE_HEADING = (
        "above_heading",
        "other_record",
        "it stands above the page's heading",
        "look at one sample: is it the sample's?",
    )
    LINE_OF_TEXT = (
        "line_of_text",
        "other_record",
        "it is only a line of running text",
        "look at one sample: is it the sample's?",
    )

    # -- another reading -------------------------------------------------------------------------
    UNCLEAR = (
        "unclear",
        "two_readings",
        "its text {}",
        "read the text: is all of it the value?",
        "its text is not clear",
    )
    EMPTY_DATE = (
        "empty_date",
        "two_readings",
        "it is the date that systems write where there is none",
        "give the field a `minimum` or a `maximum`, or reject it",
    )
    SEVERAL_VALUES = (
        "several_values",
        "two_readings",
        "its text has more than one value",
        "say which one is meant",
    )
    ONLY_LABEL = (
        "only_label",
        "two_readings",
        "its text may be only a label",
        "look at one sample",
    )
    CHANGING_LINK = (
        "changing_link",
        "two_readings",
        "it is a link that may change the value",
        "look at one sample",
    )
    SAYS_NOTHING = (
        "says_nothing",
        "two_readings",
        "it may say that there is nothing",
        "if such words are values: `enum` or `pattern` in the schema, or no `null`",
    )

    # -- not all of it was read ------------------------------------------------------------------
    NOTE_BESIDE = (
        "note_beside",
        "unread",
        "the page says beside it: “{}”",
        "if it changes nothing, clear the doubt for all samples",
        "the page says something beside it that nobody has read",
    )
    FILE_UNREAD = (
        "file_unread",
        "unread",
        "only the name of a file has it, which nobody has read: “{}”",
        "open the file: does it say the same?",
        "only the name of a file has it, which nobody has read",
    )
    CUT = (
        "cut",
        "unread",
        "the page shows only the beginning of it",
        "give the `url` of a page that shows all of it",
    )
    GOES_ON = (
        "goes_on",
        "unread",
        "the page may list more than it shows",
        "give the `url` of a page that shows all of it",
    )
    LINK_BESIDE = (
        "link_beside",
        "unread",
        "a link stands beside the text",
        "look at the picture: does the link belong to the value?",
    )
    COLUMN_HEAD = (
        "column_head",
        "unread",
        "it may be the head of a column",
        "look at one sample: is it a value, or what the cells below it are called?",
    )
    CHANGED_FIELD = (
        "changed_field",
        "unread",
        "the field was changed after the page was loaded",
        "open the page anew: was it saved?",
    )

    # -- a person sees something else ------------------------------------------------------------
    PARTLY_UNSEEN = (
        "partly_unseen",
        "hidden",
        "not all of it can be seen",
        "look at the picture: it shows what a person sees",
    )
    PAINTED_OVER = (
        "painted_over",
        "painted",
        "something is painted over it",
        "look at the picture: it shows what a person sees",
    )
    STRUCK_OUT = (
        "struck_out",
        "painted",
        "it is struck out",
        "look for what holds in its place",
    )
    ADDED_BY_STYLE = (
        "added_by_style",
        "painted",
        "a style sheet adds to the text",
        "look at the picture: it shows what a person sees",
    )
    OTHER_ORDER = (
        "other_order",
        "painted",
        "it is painted in another order",
        "look at the picture: it shows what a person sees",
    )
    STILL_LOADING = (
        "still_loading",
        "painted",
        "it is still loading",
        "run the sample again; say in the goal what to wait for",
    )
    PICTURE_INSIDE = (
        "picture_inside",
        "painted",
        "a picture or a box stands in the text",
        "look at the picture: does it change the value?",
    )
    MIXED_LOOK = (
        "mixed_look",
        "painted",
        "a part of it is painted otherwise",
        "look at the picture: which part is the value?",
    )
    UNDECIDED_BOX = (
        "undecided_box",
        "painted",
        "the box is neither on nor off",
        "look at the picture: what does the box say?",
    )

    # -- no value --------------------------------------------------------------------------------
    NOT_FOUND = (
        "not_found",
        "",
        "not found",
        "name its label in an alias: `aliases: {due_date: [Due]}`",
    )
    OTHER_LABELS = (
        "other_labels",
        "",
        "not found; the page has {}",
        "if one of them is meant, name it in an alias: `aliases: {due_date: [Due]}`",
        "not found; the page has other labels",
    )
    ELSEWHERE = (
        "elsewhere",
        "",
        "not found; “{}” stands outside of this sample's record",
        "if it is the sample's, take it as an alias, with its heading: `Billing > City`",
        "not found; its label stands outside of this sample's record",
    )
    ONLY_ASKED = (
        "only_asked",
        "",
        "not found; “{}” is only a field to fill in, beside values of the page's own",
        "if it is the sample's, take it as an alias, with its heading: `Billing > City`",
        "not found; its label is only that of a field to fill in",
    )
    WITHOUT_VALUE = (
        "without_value",
        "",
        "not found; its label is on the page, and nothing that is read as its value",
        "let a model read this task",
    )
    UNREADABLE = (
        "unreadable",
        "",
        "the page says {}",
        "another type in the schema, an alias for another place, or `locale`",
        "its text cannot be read as the field's type",
    )
    NO_LINK = (
        "no_link",
        "",
        "“{}” is not exactly one link",
        "an alias for the place of the link",
        "its text is not exactly one link",
    )
    NO_TEXT = (
        "no_text",
        "",
        "the page has no text there",
        "if the value is a picture, let a model read it",
    )
    SIGN_ONLY = (
        "sign_only",
        "",
        "a sign is painted there, and no text",
        "let a model read it",
    )

    @property
    def sort(self) -> Doubt | None:
        """The doubt that result.json lists for it; None for what leaves a field without a value."""
        return Doubt(self._sort) if self._sort else None

    def in_words(self, detail: str = "") -> str:
        """The doubt as a part of a sentence."""
        if "{}" in self.message:
            return self.message.replace("{}", detail) if detail else self.general
        return f"{self.message}: {detail}" if detail else self.message


def said_once(found: Iterable[tuple[str, Doubt, str]]) -> list[str]:
    """A sentence for each doubt and detail, with the values that it is about."""
    sentences: dict[tuple[Doubt, str], list[str]] = {}
    for value, doubt, detail in found:
        sentences.setdefault((doubt, detail), []).append(value)
    return [
        f"{few(values)}: {doubt.in_words(detail)}" for (doubt, detail), values in sentences.items()
    ]


def few(names: list[str]) -> str:
    """Names in a row, each once, and how many more there are."""
    more = f" and {len(names) - MAX_NAMED} more values" if len(names) > MAX_NAMED else ""
    return ", ".join(dict.fromkeys(names[:MAX_NAMED])) + more
