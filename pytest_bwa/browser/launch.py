"""How a browser that was found is started."""

from __future__ import annotations

import os
import re
from typing import Any

from pytest_bwa.browser.find import FoundBrowser, driver_package

# Playwright passes most of what keeps a browser to itself (--disable-background-networking,
# --disable-sync, …, and --disable-dev-shm-usage for small containers); these it does not. The
# component updater asks its server in spite of --disable-component-update (seen with Chromium
# 156), so it is given a server that refuses at once. Never --host-resolver-rules here: the last
# one wins, and would undo a user's own.
QUIET_ARGUMENTS = (
    "--component-updater=url-source=http://127.0.0.1:9/",
    "--disable-domain-reliability",
    "--disable-quic",
    "--no-pings",
)
# A whole Chromium makes a window for every context, headless too, and in it, each with a renderer
# of its own, the pages of its address bar's popups, and a spare one. Nobody sees them. Without
# them a new page takes half the time (0.19 to 0.11 s, Chromium 156 on two cores).
UNSEEN_FEATURES = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "PreloadTopChromeWebUI",
    "SpareRendererForSitePerProcess",
)


def launch_arguments(found: FoundBrowser) -> dict[str, Any]:
    """For Playwright's launch of Chromium. The sandbox is on unless we are root, where it cannot
    work."""
    arguments: dict[str, Any] = {"args": list(QUIET_ARGUMENTS), "chromium_sandbox": sandboxed()}
    if not found.own:
        arguments["args"] += _without_the_unseen()
        arguments["executable_path"] = str(found.path)
    return arguments


def sandboxed() -> bool:
    return not is_root()


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _without_the_unseen() -> tuple[str, ...]:
    """Chromium heeds the last --disable-features only, so ours repeats what Playwright turns off;
    where its driver does not say that in the way we know, ours is left out."""
    try:
        driver = (driver_package() / "lib" / "coreBundle.js").read_text("utf-8")
    except (OSError, ValueError):  # another layout than we know: everything works, only slower
        return ()
    listed = re.search(r"\bdisabledFeatures = \[(.*?)\]", driver, re.DOTALL)
    playwrights = re.findall(r'^\s*"(\w+)",?$', listed[1], re.MULTILINE) if listed else []
    if not playwrights:
        return ()
    return (f"--disable-features={','.join((*playwrights, *UNSEEN_FEATURES))}",)
