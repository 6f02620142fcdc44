"""The measured page: its 340 elements are added 0.12 s after it has loaded."""

from __future__ import annotations

from local_site import Site

PAGE = """<!doctype html><title>Bench</title><h1>Bench</h1><button>Idle</button><main></main>
<script>
setTimeout(() => { const main = document.querySelector("main");
  for (let i = 0; i < 84; i++) { const row = document.createElement("div");
    row.innerHTML = `<a href="/x${i}">Link ${i}</a><span>Value ${i}</span><b>${i}</b>`;
    main.append(row); } }, 120);
</script>"""


class BenchSite(Site):
    """A site with the measured page; a ``with`` block closes it."""

    def __init__(self) -> None:
        super().__init__()
        self.pages["/"] = PAGE

    def __enter__(self) -> BenchSite:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
