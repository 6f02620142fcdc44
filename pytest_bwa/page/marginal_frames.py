"""Frames that a page does not wait for as long as for itself: advertisements and hidden helpers."""

from __future__ import annotations

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame

from pytest_bwa.spec.network.urls import host_of

MIN_SHARE = 0.25  # of the viewport's area; banners of advertisements cover less
_VIEWPORT = "() => innerWidth * innerHeight"


def is_marginal(frame: Frame) -> bool:
    """Whether a frame of another host is not painted or covers less than a quarter of the viewport.
    A larger one may be the content, such as a viewer or a payment form; a frame of the page's own
    host is always taken as content."""
    if not is_of_another_host(frame):
        return False
    try:
        page = frame.page
        box = frame.frame_element().bounding_box()
        return box is None or box["width"] * box["height"] < MIN_SHARE * page.evaluate(_VIEWPORT)
    except PlaywrightError:  # it was just removed
        return True


def is_of_another_host(frame: Frame) -> bool:
    page = frame.page
    return frame != page.main_frame and host_of(frame.url) not in ("", host_of(page.url))
