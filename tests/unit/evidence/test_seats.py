"""How many processes may do something at once."""

from __future__ import annotations

import threading

from pytest_bwa.evidence.file_lock import seated


def test_who_finds_no_free_seat_waits_for_one(tmp_path):
    has_seat = threading.Event()

    def take() -> None:
        with seated(tmp_path / "seats", 2):
            has_seat.set()

    third = threading.Thread(target=take)
    with seated(tmp_path / "seats", 2):
        with seated(tmp_path / "seats", 2):
            third.start()
            assert not has_seat.wait(1)
        assert has_seat.wait(30)
    third.join(30)
