"""What a page says of a field that is yes or no, without knowing the words of its language."""

from __future__ import annotations

import pytest

from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.proof.answers import answer_of


@pytest.mark.parametrize(
    ("label", "text", "answer"),
    [
        ("Approved", "yes", True),
        ("Approved", "✗", False),
        ("Approved", "Approved", True),
        ("Approved", "✓ Approved", True),
        ("Approved", "❌ Approved", False),
        ("Approved", "Yes, approved", True),
        ("Approved", "Yes – by Ann Lee", True),
        ("Approved", "No (waiting for Ann)", False),
        ("Approved", "No: rejected", False),
        ("Approved", "Not approved yet", False),
        ("Approved", "not-approved", False),
        ("Approved", "Unapproved", False),
        ("Approval", "Not approved", False),
        ("Genehmigt", "Noch nicht genehmigt", False),
        ("承認", "未承認", False),
        ("承認", "承認", True),
        # What follows the name may say no, and a text without the name anything.
        ("Approved", "Approved by nobody", None),
        ("承認", "承認されていない", None),
        ("Approved", "2 of 2 approved", None),
        ("Approved", "by Ann Lee", None),
        ("Approved", "Ann Lee and Ben Okoro have approved", None),
        ("PO", "Repo", None),
    ],
)
def test_the_name_alone_is_a_yes_and_what_stands_before_it_qualifies_it(label, text, answer):
    assert answer_of(text, label, FieldWords(["is_approved"])) is answer
