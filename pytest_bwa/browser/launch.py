"""The arguments with which a browser is started."""

from __future__ import annotations

import os
import re
from typing import Any

from pytest_bwa.browser.find import FoundBrowser, driver_package

# Arguments against requests of the browser's own. Playwright passes most of them
# (--disable-background-networking, --disable-sync, …, and --disable-dev-shm-usage for small
# containers), but not these. The component updater asks its server in spite of
# --disable-component-update (seen with Chromium 156), so it gets a server that refuses at once.
# Never add --host-resolver-rules: the last one wins, and would undo the user's own.
QUIET_ARGUMENTS = (
    "--component-updater=url-source=http://127.0.0.1:9/",
    "--disable-domain-reliability",
    "--disable-quic",
    "--no-pings",
)
# WebRTC would send UDP past any proxy. Chromium 156 obeys the first one, as a test shows; the
# second has the name that Chromium uses without its own user interface (the headless shell).
CONFINING_ARGUMENTS = (
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
# The full Chromium makes a window for every context, even if it is headless. The window contains
# the popups of the address bar and a spare page, each with its own renderer process. Nobody sees
# them. Without them a new page takes 0.11 s and not 0.19 s (Chromium 156 on two cores).
WINDOW_FEATURES = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "PreloadTopChromeWebUI",
    "SpareRendererForSitePerProcess",
)


def launch_arguments(found: FoundBrowser) -> dict[str, Any]:
    """Arguments for Playwright's ``launch``.

    The sandbox is on unless this process runs as root: Chromium cannot use it then.
    """
    arguments: dict[str, Any] = {
        "args": [*QUIET_ARGUMENTS, *CONFINING_ARGUMENTS],
        "chromium_sandbox": uses_sandbox(),
    }
    if not found.is_default:
        arguments["args"] += _disabled_features()
        arguments["executable_path"] = str(found.path)
    return arguments


def uses_sandbox() -> bool:
    return not is_root()


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _disabled_features() -> tuple[str, ...]:
    """The argument that turns off WINDOW_FEATURES, or none.

    Chromium obeys only the last --disable-features, so this one repeats what Playwright turns off.
    If Playwright's list is not found in its driver, the argument is left out.
    """
    try:
        driver = (driver_package() / "lib" / "coreBundle.js").read_text("utf-8")
    except (OSError, ValueError):  # a layout that we do not know: everything works, but slower
        return ()
    listed = re.search(r"\bdisabledFeatures = \[(.*?)\]", driver, re.DOTALL)
    disabled = re.findall(r'^\s*"(\w+)",?$', listed[1], re.MULTILINE) if listed else []
    if not disabled:
        return ()
    return (f"--disable-features={','.join((*disabled, *WINDOW_FEATURES))}",)
