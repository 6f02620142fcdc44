"""Whether a downloaded file is what its name, or else its header, says: its bytes decide.

The library ``filetype`` knows them by their beginning. What has an end, checksums or a directory is
read to its end, unless that would take long.
"""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from pathlib import Path

from pytest_bwa.actions.files.sent_page import decoded, is_page, quoted, quoted_page
from pytest_bwa.actions.files.texts import is_json_object, json_problem, xml_problem
from pytest_bwa.actions.files.whole import PACKED, PICTURES, ZIPPED, damage
from pytest_bwa.actions.pdf import is_pdf, pdf_fault

HEAD = 8192
"""Bytes by which a type is known."""
MAX_READ = 50_000_000
"""Bytes of the largest file that is read to its end."""
_PAGES = frozenset({"html", "htm", "xhtml", "xht", "mht", "mhtml", "eml", "md"})
"""Endings of texts that may be, or begin as, a web page."""
_TABLES = frozenset({"csv", "tsv", "tab"})
_JSON = frozenset({"json", "geojson"})
_XML = frozenset({"xml", "svg", "rss", "atom", "gpx", "kml"})
_TEXTS = (
    _TABLES | _JSON | _XML
    | {"txt", "jsonl", "ndjson", "yaml", "yml", "log", "ics", "vcf", "sql", "ini"}
)  # fmt: skip
_OLD_OFFICE = frozenset({"doc", "xls", "ppt"})
_OFFICE_PAGE = "schemas-microsoft-com:office"
"""What pages declare that are made for Excel and Word."""
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LOCKED = "EncryptedPackage".encode("utf-16-le")
_SAME = {
    "jpeg": "jpg", "jpe": "jpg", "jfif": "jpg", "tiff": "tif", "tgz": "gz", "svgz": "gz",
    "tbz2": "bz2", "txz": "xz",
}  # fmt: skip
_KNOWN_BY_START = frozenset({"pdf", "7z", "rar", "rtf", *PICTURES, *PACKED, *ZIPPED})
_MEDIA = ("audio", "video", "image", "font")
_TYPES = mimetypes.MimeTypes()  # without the tables of this machine


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    ending: str
    """In lower case, without the dot."""
    content_type: str
    data: bytes
    """All of it, or the beginning of a large file."""
    text: str | None
    """What it says, if it is a text."""
    is_whole: bool
    """Whether ``data`` is all of it."""


def fault_of(path: Path, name: str, content_type: str = "") -> str:
    """What is wrong with a file that was sent under this name; empty if nothing is known to be."""
    size = path.stat().st_size
    if not size:
        return "it is empty"
    with path.open("rb") as stream:
        data = stream.read(size if size <= MAX_READ else HEAD)
    ending = _ending(name, content_type)
    file = _File(path, ending, content_type, data, decoded(data), len(data) == size)
    if ending == "pdf" and is_pdf(data):
        return pdf_fault(path)
    if _is_office_page(file) or _is_locked(file):
        return ""
    return _text_fault(file) or _type_fault(file) or _inner_fault(file)


def _ending(name: str, content_type: str) -> str:
    """By the name; by the header where the name has no ending that says anything."""
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    ending = _SAME.get(ending, ending)
    if ending in _KNOWN_BY_START | _TEXTS or _type_of(ending):
        return ending
    by_header = _TYPES.guess_extension(content_type.partition(";")[0].strip()) or ""
    by_header = by_header.removeprefix(".")
    if by_header in ("", "bin", *_PAGES):  # these say nothing: many servers call every text HTML
        return ending
    return _SAME.get(by_header, by_header)


def _type_of(ending: str) -> str:
    return _TYPES.guess_type(f"a.{ending}")[0] or "" if ending else ""


def _is_office_page(file: _File) -> bool:
    return file.ending in _OLD_OFFICE and _OFFICE_PAGE in (file.text or "")[:HEAD]


def _is_locked(file: _File) -> bool:
    """Whether it is a document of today's Office with a password, which is no ZIP archive."""
    return file.ending in ZIPPED and file.data.startswith(_OLE) and _LOCKED in file.data


def _text_fault(file: _File) -> str:
    """What is wrong with a text."""
    text, ending = file.text, file.ending
    if text is None:
        return ""
    if ending not in _PAGES and is_page(text, may_be_xml=ending in _XML):
        return f"the site sent a page: {quoted_page(text)}"
    if ending in _TABLES | _OLD_OFFICE and (is_json_object(text) or text.startswith("<?xml")):
        return f"it is no table: {quoted(text)}" if ending in _TABLES else _no(file, "")
    is_called_page = file.content_type.startswith("text/html")
    if ending in _TABLES and is_called_page and not set(",;\t|") & set(text):
        return f"the site sent a page: {quoted_page(text)}"
    for form, endings, problem_of in (("JSON", _JSON, json_problem), ("XML", _XML, xml_problem)):
        if file.is_whole and ending in endings and (problem := problem_of(text)):
            return f"it is no whole {form} ({problem}): {quoted(text)}"
    return ""


def _type_fault(file: _File) -> str:
    """What is wrong with the type, as far as the beginning of the bytes tells it."""
    import filetype  # few samples download a file

    guessed = filetype.guess(file.data[:HEAD])
    found = _SAME.get(guessed.extension, guessed.extension) if guessed else ""
    found = "zip" if found in ZIPPED else found
    ending = file.ending
    if ending in _TEXTS:
        return _no(file, found) if file.text is None or found in _KNOWN_BY_START else ""
    if ending in _KNOWN_BY_START:
        return "" if found == ("zip" if ending in ZIPPED else ending) else _no(file, found)
    is_media = _type_of(ending).startswith(_MEDIA)
    return _no(file, "") if is_media and file.text is not None else ""


def _no(file: _File, found: str) -> str:
    """``it is no PDF: it is PNG``, or what a text says in its place."""
    what = f"it is {found.upper()}" if found else quoted(file.text) if file.text else ""
    return ": ".join(filter(None, (f"it is no {file.ending.upper()}", what)))


def _inner_fault(file: _File) -> str:
    """What is wrong with a file that begins as it should."""
    is_read = file.is_whole or file.ending in ZIPPED
    return damage(file.path, file.ending, MAX_READ) if is_read else ""
