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
# A sandboxed frame in a process of its own runs the scripts of its srcdoc before Playwright's rules
# are set there: what it sends is not asked about (seen with Chromium 156 and Playwright 1.65).
CONFINING_FEATURES = ("IsolateSandboxedIframes",)
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
    more = () if found.is_default else WINDOW_FEATURES
    arguments: dict[str, Any] = {
        "args": [*QUIET_ARGUMENTS, *confining_arguments(more)],
        "chromium_sandbox": uses_sandbox(),
    }
    if not found.is_default:
        arguments["executable_path"] = str(found.path)
    return arguments


def confining_arguments(more_disabled: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What any Chromium needs so that a page cannot go past the proxy or the rules within the
    browser, and other features to turn off by the same argument."""
    return (*CONFINING_ARGUMENTS, *_disabled((*CONFINING_FEATURES, *more_disabled)))


def uses_sandbox() -> bool:
    return not is_root()


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _disabled(features: tuple[str, ...]) -> tuple[str, ...]:
    """The argument that turns off these features, or none.

    Chromium obeys only the last --disable-features, so this one repeats what Playwright turns off.
    If Playwright's list is not found in its driver, the argument is left out.
    """
    try:
        driver = (driver_package() / "lib" / "coreBundle.js").read_text("utf-8")
    except (OSError, ValueError):  # a layout that we do not know: windows are slower
        return ()
    listed = re.search(r"\bdisabledFeatures = \[(.*?)\]", driver, re.DOTALL)
    disabled = re.findall(r'^\s*"(\w+)",?$', listed[1], re.MULTILINE) if listed else []
    if not disabled:
        return ()
    return (f"--disable-features={','.join((*disabled, *features))}",)
