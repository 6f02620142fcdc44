"""Files that test sites send."""

from __future__ import annotations

from collections.abc import Sequence

EXPIRED = b"<h1>Your session has expired</h1><form>User<input>Password<input></form>"


def pdf_of(lines: Sequence[str]) -> bytes:
    """A PDF of one page with a line of text for each."""
    text = " ".join(
        f"BT /F1 12 Tf 50 {700 - 20 * n} Td ({line}) Tj ET" for n, line in enumerate(lines)
    )
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources "
        "<< /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body, offsets = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    start = len(body)
    body += f"xref\n0 6\n0000000000 65535 f \n{table}"
    body += f"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF"
    return body.encode()
