"""Whether a downloaded file is what its name, or else its header, says: its bytes decide."""

from __future__ import annotations

import bz2
import codecs
import gzip
import json
import lzma
import mimetypes
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.parsers import expat

from pytest_bwa.actions.pdf import is_pdf, pdf_fault
from pytest_bwa.steps.text import one_line, visible_text

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
PACKED: dict[str, Callable[[Path], Any]] = {
    "gz": gzip.open, "bz2": bz2.open, "xz": lzma.open,
}  # fmt: skip
PICTURES = frozenset({"png", "jpg", "gif", "bmp", "tif", "webp"})
ZIPPED = {
    "zip": "", "jar": "", "kmz": "", "docx": "word/", "docm": "word/", "dotx": "word/",
    "xlsx": "xl/", "xlsm": "xl/", "xltx": "xl/", "xlsb": "xl/", "pptx": "ppt/", "pptm": "ppt/",
    "odt": "content.xml", "ods": "content.xml", "odp": "content.xml", "epub": "meta-inf/",
}  # fmt: skip
"""The endings of what is a ZIP archive, each with how the name of one of its files begins."""
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
        return f"it is not a table: {quoted(text)}" if ending in _TABLES else _no(file, "")
    is_called_page = file.content_type.startswith("text/html")
    if ending in _TABLES and is_called_page and not set(",;\t|") & set(text):
        return f"the site sent a page: {quoted_page(text)}"
    for form, endings, problem_of in (("JSON", _JSON, json_problem), ("XML", _XML, xml_problem)):
        if file.is_whole and ending in endings and (problem := problem_of(text)):
            return f"it is not a complete {form} ({problem}): {quoted(text)}"
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


MAX_QUOTED = 120
"""Characters that are quoted of a page or of another text."""
_BEFORE = r"(?:\s|<!--.*?-->|<\?xml[^>]*\?>)*"
_DOCUMENT = re.compile(_BEFORE + r"<(?:!doctype\s+html\b|(?:\w+:)?html(?=[\s/>]))", re.I | re.S)
_FRAGMENT = re.compile(
    _BEFORE + r"<(?:head|body|title|meta|link|base|style|script|noscript|iframe|h[1-6]|p|br|hr|div|"
    r"span|main|section|article|header|nav|form|table|center|font|a|b|strong|em|i|img|ul|ol|dl|pre)"
    r"(?=[\s/>])",
    re.I | re.S,
)
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
"""What tells other bytes from the texts of older encodings."""
_UNREAD = frozenset({"script", "style", "template", "noscript", "svg", "title"})
_CONTROLS = frozenset({"form", "nav", "button", "select"})


def decoded(data: bytes) -> str | None:
    """The text of bytes, which may be cut within a character; None if they are no text."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if b"\0" in data:
        return None
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return None if _CONTROL.search(data) else data.decode("latin-1")


def is_page(text: str, *, may_be_xml: bool = False) -> bool:
    """Whether a text begins as a web page does; as a whole one, if it may be other XML."""
    if _DOCUMENT.match(text):
        return True
    return not may_be_xml and _FRAGMENT.match(text) is not None


def quoted(text: str) -> str:
    """The beginning of a text in quotation marks, on one line."""
    words = " ".join(visible_text(one_line(text)).split())
    return f"“{words[:MAX_QUOTED].rstrip()}…”" if len(words) > MAX_QUOTED else f"“{words}”"


def quoted_page(html: str) -> str:
    """What a page says: its text without forms, else its title, else all of its text."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    parts = (reader.content, reader.title, reader.in_controls)
    words = (" ".join(" ".join(part).split()) for part in parts)
    return quoted(next(filter(None, words), ""))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.content: list[str] = []
        self.title: list[str] = []
        self.in_controls: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if "title" in self._open and "svg" not in self._open:
            self.title.append(data)
        elif not _UNREAD.intersection(self._open):
            is_control = _CONTROLS.intersection(self._open)
            (self.in_controls if is_control else self.content).append(data)


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


_ERRORS = (
    OSError, EOFError, ValueError, SyntaxError, zlib.error, lzma.LZMAError, tarfile.TarError,
    zipfile.BadZipFile,
)  # fmt: skip


def damage(path: Path, ending: str, max_unpacked: int) -> str:
    """What is missing or broken; empty for a type of which nobody here knows more than its
    beginning. At most so many bytes are unpacked."""
    try:
        if ending in ZIPPED:
            return _zip_fault(path, ending, max_unpacked)
        if ending in PICTURES:
            _load_picture(path)
        elif ending in PACKED:
            _unpack(path, PACKED[ending], max_unpacked)
        elif ending == "tar":
            with tarfile.open(path) as archive:
                archive.getmembers()
    except _ERRORS:
        return "it is damaged, or breaks off"
    return ""


def _zip_fault(path: Path, ending: str, max_unpacked: int) -> str:
    with zipfile.ZipFile(path) as archive:
        names = [name.replace("\\", "/").lower() for name in archive.namelist()]
        if ZIPPED[ending] and not any(name.startswith(ZIPPED[ending]) for name in names):
            return f"it is a ZIP archive, not {ending.upper()}"
        if sum(info.file_size for info in archive.infolist()) > max_unpacked:
            return ""
        try:
            broken = archive.testzip()
        except (RuntimeError, NotImplementedError):  # a password, or a rare way of packing
            return ""
    return f"it is damaged ({broken})" if broken else ""


def _load_picture(path: Path) -> None:
    from PIL import Image  # takes long to load: few samples download a picture

    try:
        with Image.open(path) as picture:
            picture.load()
    except Image.DecompressionBombError:  # larger than Pillow reads
        return


def _unpack(path: Path, opened: Callable[[Path], Any], max_unpacked: int) -> None:
    with opened(path) as stream:
        left = max_unpacked
        while left > 0 and (block := stream.read(1 << 20)):
            left -= len(block)
