"""The Alpha protocol: known answers from its document, and what no sign may be sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.visors import playing

from firmware_sim.signs.alpha import AlphaSign
from jackpot.invariant import InvariantBroken
from jackpot.law.words import Language
from jackpot.visor import alpha
from jackpot.visor.alpha import AlphaFrames, File
from jackpot.visor.sign_text import SAFE, Shape, sign_pages

SETUP_9_COLUMNS = (
    b"E$",
    b"E$AAU0040FF00aBL000A0000",
    b"A0",
    b"E.SUA",
    b"AA\x1b b\x1e1\x10a",
)


def test_the_memory_of_the_documents_own_example_table_34() -> None:
    files = (File(b"A", 0x400, is_string=False), File(b"1", 0x20, is_string=True))
    assert alpha.memory(files) == b"E$AAU0400FF001BL00200000"


def test_the_string_of_the_documents_own_example_table_36() -> None:
    assert alpha.write_string(b"1", b"364", 0x20) == b"G1364"


def test_the_checksum_that_a_real_sign_answered_with() -> None:
    assert alpha.checksum_text(b"GaREAD ME") == b"027B"


def test_a_whole_packet_section_5_1() -> None:
    expected = bytes.fromhex("0000000000 01 5a 3030 02") + b"GaREAD ME" + b"\x03027B\x04"
    assert alpha.packet(b"GaREAD ME") == expected
    bare = bytes.fromhex("0000000000 01 5a 3130 02") + b"A0" + b"\x04"
    assert alpha.packet(b"A0", address="10", checksum=False) == bare


@pytest.mark.parametrize("label", [b"0", b"?"])
def test_no_string_is_labelled_with_a_forbidden_label_appendix_a(label: bytes) -> None:
    with pytest.raises(InvariantBroken):
        alpha.memory((File(label, 32, is_string=True),))


def test_a_string_is_cut_at_its_size_for_the_sign_would_empty_it() -> None:
    assert alpha.write_string(b"a", b"123456789", 4) == b"Ga1234"


def test_what_no_sign_can_show_becomes_a_space() -> None:
    assert alpha.shown_bytes("5 € ~ \x7f \x1b á") == b"5" + 10 * b" "


def test_the_setup_clears_first_and_lets_go_of_a_priority_message() -> None:
    frames = AlphaFrames(1, 9, checksums=False).setup()
    head = bytes.fromhex("0000000000 01 5a 3030 02")
    assert [frame.data for frame in frames] == [head + c + b"\x04" for c in SETUP_9_COLUMNS]
    assert [frame.pause_ms for frame in frames] == [2_000, 250, 250, 250, 250]


def test_two_rows_fill_the_sign_and_stand_in_one_string() -> None:
    frames = AlphaFrames(2, 9, checksums=False)
    assert b"AA\x1b0b\x1e1\x10a" in frames.setup()[4].data
    assert b"Ga JACKPOT \r  12,00  \x04" in frames.write((" JACKPOT ", "  12,00  ")).data


texts = st.text(st.sampled_from(sorted(SAFE)), max_size=60) | st.text(max_size=60)


@given(st.integers(1, 2), st.integers(9, 40), st.lists(texts, min_size=2, max_size=2))
def test_a_strict_sign_takes_every_frame_and_no_forbidden_byte_is_in_it(
    rows: int, columns: int, lines: list[str]
) -> None:
    frames = AlphaFrames(rows, columns)
    sign = AlphaSign(rows, columns)
    sent = [*frames.setup(), frames.write(tuple(lines[:rows]))]
    for frame in sent:
        assert all(byte < 0x80 for byte in frame.data), "FF is no delay marker here"
        sign.feed(frame.data, 0)
    assert sign.tally.report() == {"good": 6, "bad": 0, "reasons": {}}


@given(st.integers(1, 2), st.integers(9, 40), st.integers(0, 10**12))
def test_a_strict_sign_draws_exactly_the_page(rows: int, columns: int, cents: int) -> None:
    frames = AlphaFrames(rows, columns)
    sign = AlphaSign(rows, columns)
    visor = playing(cents)
    for frame in frames.setup():
        sign.feed(frame.data, 0)
    for page in sign_pages(visor, Shape(rows, columns, Language.ES)):
        sign.feed(frames.write(page).data, 0)
        assert tuple(sign.picture()) == page
