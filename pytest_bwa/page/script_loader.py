"""Loads the scripts that run inside pages and puts them together.

Every ``.js`` file below ``scripts/`` is a plain script of top-level functions and constants. There
is no bundler: an entry file names the folders and files that it is made of in comment lines at its
top,

    // Uses: prelude/

and ``load_script`` joins these, each file once, into one function expression that a browser can
evaluate. Functions may be called from any file; a file whose constants are made of those of a later
one names that file in such a line, too. Full-line comments and indentation are removed, because
each new document gets the scripts.

- ``prelude/`` is what both worlds share: folding text, tag names, visibility, changes, the rule for
  secret fields.
- ``readers.js`` is everything that reads a page: Python asks for each reader by its name
  (``page/readers.py``), and the scripts are installed once per document, in a world of their own.
- ``main_world.js`` is what must live in the page's own world: ``settle/``, which waits, and
  ``bridge/announced.js``, which tells the readers what only that world knows.
- An entry file, such as these two, defines a function that has the file's name in camel case, gets
  the arguments of the call, and whose result is the result of the script.

To add a reader, write a file in ``scripts/actions/`` whose function gets the element and an
argument, add it to the table in ``readers.js``, and run ``npm ci`` and ``npm run check`` in
``tests/page_scripts`` (``npm run fix`` formats it). The type check sees all files in one global
scope, so a top-level name may exist only once in the whole folder. tests/unit/page checks these
rules; tests/browser/test_saved_pages.py checks what is read from saved pages.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

from pytest_bwa.steps.text import has_unseen, visible_text

_FOLDER = files("pytest_bwa.page").joinpath("scripts")
_USES = re.compile(r"^// Uses: (\S+)$", re.M)
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*[\s\S]*?\*/[ \t]*)\n", re.M)
"""Comments that fill whole lines."""
_INDENT = re.compile(r"^[ \t]+", re.M)
_HALF = "\\ud"
"""JavaScript writes half characters as escapes, and whole ones as they are."""


def load_script(name: str) -> str:
    """The entry ``scripts/<name>.js`` with everything that it uses: one function expression."""
    sources = [_FOLDER.joinpath(part).read_text("utf-8") for part in list_parts(f"{name}.js")]
    body = "".join(_INDENT.sub("", _COMMENT.sub("", source)) for source in sources)
    first, *rest = name.rsplit("/", 1)[-1].split("_")
    main = first + "".join(word.capitalize() for word in rest)
    return f"(...args) => {{\n{body}return {main}(...args);\n}}"


def read_json(text: str) -> Any:
    """What a page script returned as JSON text, with what can be seen of all texts."""
    content = json.loads(text)
    return _visible(content) if _HALF in text or has_unseen(text) else content


def _visible(content: Any) -> Any:
    if isinstance(content, str):
        return visible_text(content)
    if isinstance(content, list):
        return [_visible(item) for item in content]
    if isinstance(content, dict):
        return {key: _visible(item) for key, item in content.items()}
    return content


def list_parts(path: str) -> list[str]:
    """The files that the script at ``path`` is made of, in the order in which they are joined."""
    parts: dict[str, None] = {}
    _add_parts(path, parts)
    return list(parts)


def _add_parts(path: str, parts: dict[str, None]) -> None:
    if path.endswith("/"):
        for name in sorted(file.name for file in _FOLDER.joinpath(path).iterdir()):
            _add_parts(path + name, parts)
    elif path not in parts:
        for used in _USES.findall(_FOLDER.joinpath(path).read_text("utf-8")):
            _add_parts(used, parts)
        parts[path] = None
