"""Texts of a form that can be checked."""

from __future__ import annotations

import json
from xml.parsers import expat


def is_json_object(text: str) -> bool:
    return text.lstrip().startswith("{") and not json_problem(text)


def json_problem(text: str) -> str:
    """Why a text is no JSON; one value on each line is some, too."""
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        is_first_whole = "Extra data" in str(error)
        lines = filter(str.strip, text.splitlines())
        if is_first_whole and all(_is_json(line) for line in lines):
            return ""
        return str(error).partition(":")[0].lower()
    return ""


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def xml_problem(text: str) -> str:
    """Why a text is no XML. It is decoded already, whatever encoding it says it has."""
    parser = expat.ParserCreate("utf-8")
    try:
        parser.Parse(text.lstrip().encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        return expat.ErrorString(error.code)
    return ""
