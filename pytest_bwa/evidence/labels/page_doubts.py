"""What the page scripts doubt of a labelled value, in their words (page/scripts/labelled), and what
each kind of doubt means for an answer."""

from __future__ import annotations

IN_ITALICS = "it is in italics, unlike the values around it"
IS_WEAK = "it is painted weaker than the values around it"
LINK_BESIDE = "a link stands beside the text"
UNSAVED = "it was changed after the page was loaded"
STANDS_APART = "what stands beside it may say whose it is"

STATED_ALL_THE_SAME = frozenset({"", IN_ITALICS, IS_WEAK, LINK_BESIDE, UNSAVED, STANDS_APART})
"""The place of the field says this, and no other place does: words such as “Not set”, a draft in a
form, a text with a link, or a value in a group of its own."""
MORE_IS_SAID = frozenset(
    {
        LINK_BESIDE,
        "a picture or a box stands in the text",
        "a picture beside it says more",
        "words for screen readers say more",
        "a style sheet adds to the text",
        "a part of it is painted otherwise",
        "its name, its tooltip or its data differ",
    }
)
"""A person sees the text all the same, perhaps with more."""
PAINTED_OTHERWISE = frozenset(
    {
        "something is painted over it",
        "a style sheet adds to the text",
        "it is painted in another order",
        "it is still loading",
    }
)
"""A person sees something else than the text."""
