"""What a downloaded file is: its bytes are compared with its name and its header."""

from __future__ import annotations

import bz2
import gzip
import io
import tarfile
import zipfile

import pytest
from files_sent import EXPIRED, pdf_of
from openpyxl import Workbook
from PIL import Image
from pypdf import PdfWriter

from pytest_bwa.actions.file_content import fault_of

SENT = "the site sent a page: “Your session has expired”"
DAMAGED = "it is damaged, or breaks off"


def picture(form):
    stream = io.BytesIO()
    Image.effect_noise((60, 60), 90).convert("RGB").save(stream, form)
    return stream.getvalue()


def zipped(*names):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, "text " * 99)
    return stream.getvalue()


def workbook():
    stream = io.BytesIO()
    Workbook().save(stream)
    return stream.getvalue()


def tar():
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        entry = tarfile.TarInfo("a.txt")
        entry.size = 3000
        archive.addfile(entry, io.BytesIO(b"a" * 3000))
    return stream.getvalue()


def locked_pdf():
    writer, stream = PdfWriter(), io.BytesIO()
    writer.add_blank_page(99, 99)
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(stream)
    return stream.getvalue()


PDF, XLSX, DOCX = pdf_of(["Total 12.50"]), workbook(), zipped("[Content_Types].xml", "word/a.xml")
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
SOUND = {
    "a.pdf": PDF, "A.PDF": PDF, "locked.pdf": locked_pdf(), "stamped.pdf": PDF + b"\r\n\0\0",
    "warned.pdf": b"<br /><b>Notice</b>\n" + PDF,
    "a.xlsx": XLSX, "a.docx": DOCX, "a.zip": zipped("a"), "backslash.docx": zipped("word\\a.xml"),
    "locked.xlsx": OLE + "EncryptedPackage".encode("utf-16-le"), "a.xls": OLE, "a.doc": OLE,
    "excel.xls": b'<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table>',
    "a.png": picture("PNG"), "a.jpg": picture("JPEG"), "a.jpeg": picture("JPEG"),
    "a.gif": picture("GIF"), "a.webp": picture("WEBP"), "a.tif": picture("TIFF"),
    "a.csv.gz": gzip.compress(b"a,b\n"), "a.bz2": bz2.compress(b"a"), "a.tar": tar(),
    "a.csv": b"a,b\n1,2\n", "utf16.csv": "a;b\n".encode("utf-16"), "latin.csv": b"a;\xe9\n",
    "one.csv": b"name\n", "a.txt": b"Dear all", "tag.txt": b"1 < 2",
    "a.json": b'{"a": [1]}', "lines.json": b'{"a": 1}\n{"a": 2}\n', "bom.json": b"\xef\xbb\xbf[1]",
    "a.xml": b'<?xml version="1.0" encoding="iso-8859-1"?><table><a>\xe9</a></table>',
    "a.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>", "a.html": EXPIRED, "README.md": b"<p>",
    "a.bin": b"\0\1\2", "a.dwg": b"AC1032\0", "report": b"a\tb\n", "a.rtf": b"{\\rtf1 a}",
    "v1.2": b"text",
}  # fmt: skip
BROKEN = {
    "invoice.pdf": (EXPIRED, SENT),
    "INVOICE.PDF": (EXPIRED, SENT),
    "report.csv": (b"\xef\xbb\xbf\r\n<!-- x -->" + EXPIRED, SENT),
    "wide.csv": (EXPIRED.decode().encode("utf-16"), SENT),
    "data.json": (EXPIRED, SENT),
    "data.xml": (b"<!DOCTYPE html>" + EXPIRED, SENT),
    "notes.txt": (EXPIRED, SENT),
    "scan.png": (EXPIRED, SENT),
    "export.xls": (EXPIRED, SENT),
    "book.xlsx": (EXPIRED, SENT),
    "all.zip": (EXPIRED, SENT),
    "rows.csv.gz": (EXPIRED, SENT),
    "plan.dwg": (EXPIRED, SENT),
    "export.php": (EXPIRED, SENT),
    "download": (EXPIRED, SENT),
    "empty.pdf": (b"", "it is empty"),
    "cut.pdf": (PDF[:300], "it is a PDF that cannot be read: it breaks off"),
    "end.pdf": (PDF[:-6], "it is a PDF that cannot be read: it breaks off"),
    "pages.pdf": (b"%PDF-1.4\n%%EOF", "it is a PDF that cannot be read: it is damaged"),
    "error.pdf": (b"403 Forbidden", "it is no PDF: “403 Forbidden”"),
    "other.pdf": (picture("PNG"), "it is no PDF: it is PNG"),
    "other.png": (picture("JPEG"), "it is no PNG: it is JPG"),
    "noise.pdf": (b"\0\1\2\3" * 99, "it is no PDF"),
    "cut.png": (picture("PNG")[:900], DAMAGED),
    "cut.jpg": (picture("JPEG")[:900], DAMAGED),
    "cut.zip": (zipped("a", "b")[:-40], DAMAGED),
    "cut.xlsx": (XLSX[: len(XLSX) // 2], DAMAGED),
    "flipped.zip": (zipped("a").replace(b"text ", b"tax  ", 1), "it is damaged (a)"),
    "word.xlsx": (DOCX, "it is a ZIP archive, not XLSX"),
    "archive.docx": (zipped("a"), "it is a ZIP archive, not DOCX"),
    "cut.gz": (gzip.compress(bytes(range(256)))[:-9], DAMAGED),
    "cut.bz2": (bz2.compress(b"a" * 99)[:-5], DAMAGED),
    "cut.tar": (tar()[:2000], DAMAGED),
    "error.csv": (b'{"error": "no"}', "it is not a table: “{\"error\": \"no\"}”"),
    "s3.csv": (b"<?xml version='1.0'?><E/>", "it is not a table: “<?xml version='1.0'?><E/>”"),
    "cut.json": (b'{"a": [1,', "it is not a complete JSON (expecting value): “{\"a\": [1,”"),
    "cut.xml": (b"<a><b>", "it is not a complete XML (no element found): “<a><b>”"),
    "binary.csv": (XLSX, "it is no CSV: it is ZIP"),
    "clip.mp4": (b"Forbidden", "it is no MP4: “Forbidden”"),
}  # fmt: skip


@pytest.fixture
def fault(tmp_path):
    def check(name, data, content_type=""):
        path = tmp_path / "temporary"
        path.write_bytes(data)
        return fault_of(path, name, content_type)

    return check


@pytest.mark.parametrize("name", SOUND)
def test_a_file_that_is_what_its_name_says_has_no_fault(fault, name):
    assert fault(name, SOUND[name]) == ""


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_something_else_or_not_whole_has_one(fault, name):
    assert fault(name, BROKEN[name][0]) == BROKEN[name][1]


def test_where_the_name_says_nothing_the_header_does(fault):
    assert fault("view", b"no rights", "application/pdf; charset=x") == "it is no PDF: “no rights”"
    assert fault("export.aspx", PDF[:300], "application/pdf").endswith("it breaks off")
    assert fault("view", PDF, "application/pdf") == ""
    # Many servers call every text HTML; one without any separator is hardly a table then.
    assert fault("a.csv", b"a,b\n", "text/html") == ""
    sent = fault("a.csv", b"Please log in.", "text/html; charset=utf-8")
    assert sent == "the site sent a page: “Please log in.”"


@pytest.mark.parametrize(
    ("page", "quote"),
    [
        ("<title>Portal</title><form><h1>Log in</h1></form>", "“Portal”"),
        ("<form><b>Log</b> in<br>now<button>Go</button></form>", "“Log in now Go”"),
        ("<html><style>p {}</style><script>x</script><nav>Home</nav><p>Not\n yours", "“Not yours”"),
        ("<p>" + "word " * 99, f"“{'word ' * 24}".rstrip() + "…”"),
        ("<p>A\u200bB\u202e", "“AB”"),
    ],
)
def test_of_a_page_is_quoted_what_it_says(fault, page, quote):
    assert fault("a.pdf", page.encode()) == f"the site sent a page: {quote}"
