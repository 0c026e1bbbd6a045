"""One acceptor, against the dialogue of part 3, appendix 11, and the clauses of parts 1 and 2."""

from dataclasses import replace

import pytest

from firmware_sim.acceptor import Acceptor
from firmware_sim.device import Model
from firmware_sim.identity import Identity, coin_table

MS_NS = 1_000_000
S_NS = 1_000_000_000

SR5I = Identity(
    serial=12_345_678,
    maker="Money Controls",
    product="SR5i",
    software="CRS-F1-V1.09",
    comms_revision=(1, 4, 2),
    coin_ids=("GB200A", "GB100A", "GB050B", "GB020A", "Token ", "GB010B"),
)

APPENDIX_11 = [
    ("02 00 01 fe ff", "01 00 02 00 fd"),
    ("02 00 01 f5 08", "01 0d 02 00 43 6f 69 6e 20 41 63 63 65 70 74 6f 72 16"),
    ("02 00 01 f4 09", "01 04 02 00 53 52 35 69 b6"),
    ("02 00 01 c0 3d", "01 08 02 00 53 54 44 30 31 20 20 20 49"),
    ("02 00 01 f6 07", "01 0e 02 00 4d 6f 6e 65 79 20 43 6f 6e 74 72 6f 6c 73 73"),
    ("02 00 01 f2 0b", "01 03 02 00 4e 61 bc 8f"),
    ("02 00 01 f1 0c", "01 0c 02 00 43 52 53 2d 46 31 2d 56 31 2e 30 39 1a"),
    ("02 00 01 04 f9", "01 03 02 00 01 04 02 f3"),
    ("02 01 01 b8 01 43", "01 06 02 00 47 42 32 30 30 41 9b"),
    ("02 01 01 b8 02 42", "01 06 02 00 47 42 31 30 30 41 9c"),
    ("02 01 01 b8 03 41", "01 06 02 00 47 42 30 35 30 42 97"),
    ("02 01 01 b8 04 40", "01 06 02 00 47 42 30 32 30 41 9b"),
    ("02 01 01 b8 05 3f", "01 06 02 00 54 6f 6b 65 6e 20 d6"),
    ("02 01 01 b8 06 3e", "01 06 02 00 47 42 30 31 30 42 9b"),
    ("02 01 01 b8 07 3d", "01 06 02 00 2e 2e 2e 2e 2e 2e e3"),
    ("02 01 01 b8 08 3c", "01 06 02 00 2e 2e 2e 2e 2e 2e e3"),
    ("02 02 01 e7 ff ff 16", "01 00 02 00 fd"),
    ("02 00 01 e5 18", "01 0b 02 00 00 00 00 00 00 00 00 00 00 00 00 f2"),
]

POLL = "02 00 01 e5 18"
MASK_ALL = "02 02 01 e7 ff ff 16"
MASK_COIN_1 = "02 01 01 e7 01 14"
MASTER_ON = "02 01 01 e4 01 17"
MASTER_OFF = "02 01 01 e4 00 18"
ACK = "01 00 02 00 fd"
NAK = "01 00 02 05 f8"
BUSY = "01 00 02 06 f7"
SILENCE = ""


def ask(acceptor: Acceptor, command: str, now_ns: int = 0) -> str:
    answers = acceptor.receive(bytes.fromhex(command), now_ns)
    return " ".join(answer.data.hex(" ") for answer in answers)


def enabled(identity: Identity = SR5I, model: Model | None = None) -> Acceptor:
    acceptor = Acceptor(2, identity, model)
    assert ask(acceptor, MASK_ALL) == ACK
    assert ask(acceptor, MASTER_ON) == ACK
    ask(acceptor, POLL)
    return acceptor


@pytest.mark.parametrize(("command", "reply"), APPENDIX_11)
def test_appendix_11_every_command_gets_the_reply_that_is_printed(command: str, reply: str) -> None:
    assert ask(Acceptor(2, SR5I), command) == reply


def test_appendix_11_the_printed_session_of_credits_and_a_reject() -> None:
    acceptor = enabled()
    for position in (1, 5):  # the printed session sorts both to path 5
        assert ask(acceptor, f"02 02 01 d2 {position:02x} 05 {0x24 - position:02x}") == ACK
    acceptor.insert(1, 0)
    assert ask(acceptor, POLL) == "01 0b 02 00 01 01 05 00 00 00 00 00 00 00 00 eb"
    acceptor.insert(1, 0)
    assert ask(acceptor, POLL) == "01 0b 02 00 02 01 05 01 05 00 00 00 00 00 00 e4"
    acceptor.insert(5, 0)
    assert ask(acceptor, POLL) == "01 0b 02 00 03 05 05 01 05 01 05 00 00 00 00 d9"
    acceptor.insert(9, 0)  # a chip that it does not know: reject, code 1
    assert ask(acceptor, POLL) == "01 0b 02 00 04 00 01 05 05 01 05 01 05 00 00 d7"


@pytest.mark.parametrize(
    "command",
    [
        "02 00 01 fe 00",  # wrong checksum (part 1, 12)
        "02 00 01 a7 56",  # header 167, dispense hopper coins: not for a coin acceptor (13)
        "02 00 01 00 fd",  # a reply's header
        "03 00 01 fe fe",  # somebody else's address
        "02 01 01 fe 00 fe",  # a simple poll with data
        "02 00 01 b8 45",  # a coin id without a position
    ],
)
def test_part_1_12_and_13_what_it_does_not_understand_gets_silence(command: str) -> None:
    acceptor = Acceptor(2, SR5I)
    assert ask(acceptor, command) == SILENCE
    assert ask(acceptor, POLL).startswith("01 0b 02 00 00")


def test_part_1_7_5_1_a_broadcast_is_answered_from_address_0() -> None:
    assert ask(Acceptor(2, SR5I), "00 00 01 fe 01") == "01 00 00 00 ff"


def test_part_1_20_2_1_address_poll_one_raw_byte_after_4_ms_times_the_address() -> None:
    acceptor = Acceptor(13, SR5I)
    (answer,) = acceptor.receive(bytes.fromhex("00 00 01 fd 02"), 0)
    assert answer.data == b"\x0d"
    assert answer.delay_ns == 52 * MS_NS
    assert acceptor.receive(bytes.fromhex("0d 00 01 fe f4"), 1199 * MS_NS) == []
    assert len(acceptor.receive(bytes.fromhex("0d 00 01 fe f4"), 1200 * MS_NS)) == 1


def test_part_1_20_2_2_address_clash_one_raw_byte_after_4_ms_times_a_random_number() -> None:
    (answer,) = Acceptor(2, SR5I, clash_number=100).receive(bytes.fromhex("02 00 01 fc 01"), 0)
    assert answer.data == b"\x02"
    assert answer.delay_ns == 400 * MS_NS


def test_part_1_20_2_3_address_change_is_acknowledged_from_the_old_address() -> None:
    acceptor = Acceptor(2, SR5I)
    assert ask(acceptor, "02 01 01 fb 03 fe") == ACK
    assert ask(acceptor, "02 00 01 fe ff") == SILENCE
    assert ask(acceptor, "03 00 01 fe fe") == "01 00 03 00 fc"
    assert ask(acceptor, "03 01 01 fb 01 ff") == "01 00 03 05 f7"  # 1 is the host: NAK


def test_part_1_20_2_4_address_random_is_acknowledged_from_the_old_address() -> None:
    brothers = [Acceptor(2, replace(SR5I, serial=serial)) for serial in range(1, 40)]
    for acceptor in brothers:
        assert ask(acceptor, "02 00 01 fa 03") == ACK
    addresses = {acceptor.address for acceptor in brothers}
    assert len(addresses) > 20
    assert min(addresses) >= 2


def test_crc_mode_answers_the_host_at_address_1() -> None:
    acceptor = Acceptor(40, SR5I, Model(crc16=True))
    (answer,) = acceptor.receive(bytes((40, 0, 70, 1, 63)), 0)
    assert answer.data == bytes((1, 0, 48, 0, 55))
    assert acceptor.receive(bytes.fromhex("28 00 01 01 d6"), 0) == []  # the simple checksum


def test_3_27_the_counter_goes_from_255_to_1_and_never_to_0() -> None:
    acceptor = enabled()
    for _ in range(255):
        acceptor.insert(1, 0)
    assert ask(acceptor, POLL) == "01 0b 02 00 ff 01 01 01 01 01 01 01 01 01 01 e9"
    assert acceptor.insert(2, 0).counter == 1
    assert ask(acceptor, POLL) == "01 0b 02 00 01 02 01 01 01 01 01 01 01 01 01 e6"


def test_3_27_nine_chips_before_a_poll_leave_the_five_newest() -> None:
    acceptor = enabled()
    for position in (1, 2, 3, 4, 5, 6, 1, 2, 3):
        acceptor.insert(position, 0)
    assert ask(acceptor, POLL) == "01 0b 02 00 09 03 01 02 01 01 01 06 01 05 01 d3"


def test_a_model_may_swap_the_two_bytes_of_an_event() -> None:
    acceptor = enabled(model=Model(swapped_events=True))
    acceptor.insert(3, 0)
    assert ask(acceptor, POLL) == "01 0b 02 00 01 01 03 00 00 00 00 00 00 00 00 ed"


def test_at_power_up_nothing_is_accepted_until_mask_and_master_are_set() -> None:
    acceptor = Acceptor(2, SR5I)
    ask(acceptor, POLL)
    assert acceptor.insert(1, 0).event == (0, 2)
    ask(acceptor, MASTER_ON)
    assert acceptor.insert(1, 0).event == (0, 128)
    ask(acceptor, MASK_ALL)
    assert acceptor.insert(1, 0).accepted


def test_an_accepted_chip_is_shown_though_the_inhibit_comes_in_the_same_instant() -> None:
    acceptor = enabled()
    ask(acceptor, POLL)
    assert acceptor.insert(1, 0).accepted
    assert ask(acceptor, MASTER_OFF) == ACK
    assert not acceptor.insert(1, 0).accepted
    assert ask(acceptor, POLL).split()[4:9] == ["02", "00", "02", "01", "01"], "both, newest first"


def test_table_2_an_inhibited_chip_is_returned_with_128_and_its_type_or_with_2() -> None:
    acceptor = enabled()
    ask(acceptor, "02 02 01 e7 fe ff 17")
    done = acceptor.insert(1, 0)
    assert (done.accepted, done.event) == (False, (0, 128))
    acceptor.model.inhibited_by_type = False
    assert acceptor.insert(1, 0).event == (0, 2)
    ask(acceptor, MASTER_OFF)
    assert acceptor.insert(2, 0).event == (0, 2)


def test_3_25_channels_9_to_16_stay_dead_under_a_mask_of_one_byte() -> None:
    acceptor = Acceptor(2, Identity(serial=1, coin_ids=coin_table(("TK200A",), 12)))
    ask(acceptor, POLL)
    ask(acceptor, MASTER_ON)
    assert ask(acceptor, "02 01 01 e7 ff 16") == ACK
    assert acceptor.insert(12, 0).event == (0, 139)
    assert ask(acceptor, "02 02 01 e7 00 08 0c") == ACK
    assert acceptor.insert(12, 0).event == (12, 1)
    assert ask(acceptor, "02 00 01 e6 17") == "01 02 02 00 00 08 f3"


def test_a_one_byte_model_is_silent_to_two_bytes_or_says_nak() -> None:
    acceptor = Acceptor(2, SR5I, Model(mask_lengths=frozenset({1})))
    assert ask(acceptor, MASK_ALL) == SILENCE
    assert ask(acceptor, MASK_COIN_1) == ACK
    assert ask(acceptor, "02 00 01 e6 17") == "01 01 02 00 01 fb"
    acceptor.model.wrong_mask_gets_nak = True
    assert ask(acceptor, MASK_ALL) == NAK


def test_18_1_without_a_229_for_a_second_it_inhibits_itself_until_the_next() -> None:
    acceptor = enabled()
    assert acceptor.insert(1, S_NS).accepted
    ask(acceptor, "02 00 01 fe ff", S_NS)  # any other command does not feed the watchdog
    assert acceptor.insert(1, S_NS + 1).event == (0, 2)
    ask(acceptor, POLL, 5 * S_NS)
    assert acceptor.insert(1, 5 * S_NS).accepted


def test_3_152_a_reset_loses_counter_events_mask_and_master() -> None:
    acceptor = enabled()
    acceptor.insert(1, 0)
    assert ask(acceptor, "02 00 01 01 fc") == ACK
    assert ask(acceptor, POLL) == "01 0b 02 00 00 00 00 00 00 00 00 00 00 00 00 f2"
    assert ask(acceptor, "02 00 01 e6 17") == "01 02 02 00 00 00 fb"
    assert ask(acceptor, "02 00 01 e3 1a") == "01 01 02 00 00 fc"
    assert acceptor.insert(1, 0).accepted is False
    assert ask(acceptor, "02 00 01 e1 1c") == "01 03 02 00 01 00 00 f9"  # 225 is kept


def test_a_model_that_boots_slowly_is_deaf_meanwhile() -> None:
    acceptor = Acceptor(2, SR5I, Model(boot_ns=200 * MS_NS))
    assert ask(acceptor, "02 00 01 01 fc", 0) == ACK
    assert ask(acceptor, "02 00 01 fe ff", 199 * MS_NS) == SILENCE
    assert ask(acceptor, "02 00 01 fe ff", 200 * MS_NS) == ACK


def test_a_glitch_byte_turns_the_master_command_into_a_broadcast_reset() -> None:
    acceptor = enabled()
    acceptor.insert(1, 0)
    assert ask(acceptor, "00 02 01 01 e4 01 17") == "01 00 00 00 ff"
    assert ask(acceptor, POLL).startswith("01 0b 02 00 00")


@pytest.mark.parametrize(
    ("code", "self_check"),
    [(18, 3), (20, 20), (4, 7), (14, 3), (26, 18), (29, 42), (36, 42), (1, 0), (8, 0), (254, 0)],
)
def test_a_fault_is_an_event_and_what_needs_seeing_to_stands_until_cleared(
    code: int, self_check: int
) -> None:
    acceptor = enabled()
    acceptor.fault(code)
    assert acceptor.buffer.pairs[0] == (0, code)
    assert (
        ask(acceptor, "02 00 01 e8 15") == f"01 01 02 00 {self_check:02x} {0xFC - self_check:02x}"
    )
    assert acceptor.insert(1, 0).accepted is (self_check == 0)
    acceptor.clear()
    assert ask(acceptor, "02 00 01 e8 15") == "01 01 02 00 00 fc"
    assert acceptor.insert(1, 0).accepted


def test_a_jam_blocks_the_first_opto() -> None:
    acceptor = enabled()
    acceptor.jam()
    assert ask(acceptor, "02 00 01 ec 11") == "01 01 02 00 01 fb"
    assert acceptor.buffer.pairs[0] == (0, 14)


def test_the_four_counters_insertion_acceptance_reject_and_fraud() -> None:
    acceptor = enabled()
    for position in (1, 2, 9):
        acceptor.insert(position, 0)
    acceptor.fault(20)
    assert ask(acceptor, "02 00 01 e2 1b") == "01 03 02 00 03 00 00 f7"
    assert ask(acceptor, "02 00 01 e1 1c") == "01 03 02 00 02 00 00 f8"
    assert ask(acceptor, "02 00 01 c2 3b") == "01 03 02 00 01 00 00 f9"
    assert ask(acceptor, "02 00 01 c1 3c") == "01 03 02 00 01 00 00 f9"


def test_busy_and_nak_refuse_a_command_without_doing_it() -> None:
    acceptor = Acceptor(2, SR5I)
    acceptor.refusals.busy = acceptor.refusals.nak = 1
    assert ask(acceptor, MASTER_ON) == BUSY
    assert ask(acceptor, MASTER_ON) == NAK
    assert acceptor.volatile.master_on is False
    assert ask(acceptor, MASTER_ON) == ACK


def test_3_34_an_overridden_sorter_path_goes_to_path_1() -> None:
    acceptor = enabled()
    ask(acceptor, "02 02 01 d2 01 05 23")
    assert ask(acceptor, "02 01 01 d1 01 2a") == "01 01 02 00 05 f7"
    assert acceptor.insert(1, 0).event == (1, 5)
    assert ask(acceptor, "02 01 01 de ef 2f") == ACK  # bit 4 is path 5
    assert ask(acceptor, "02 00 01 dd 20") == "01 01 02 00 ef 0d"
    assert acceptor.insert(1, 0).event == (1, 1)


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("02 00 01 f9 04", "01 02 02 00 01 c8 32"),  # 249: every 200 ms
        ("02 01 01 e9 05 0e", ACK),  # 233: latch outputs
        ("02 00 01 d5 28", "01 01 02 00 00 fc"),  # 213: coin positions
        ("02 00 01 c5 38", "01 04 02 00 5a 17 c0 de ea"),  # 197
        ("02 00 01 c4 39", "01 02 02 00 6f 08 84"),  # 196: 15 March 2024, base 2020
        ("02 00 01 c3 3a", "01 02 02 00 62 0b 8e"),  # 195: 2 November 2025
        ("02 00 01 aa 53", "01 04 02 00 32 30 32 30 35"),  # 170: "2020"
        ("02 00 01 02 fb", "01 03 02 00 00 00 00 fa"),  # 2: nothing wrong yet
        ("02 00 01 03 fa", ACK),  # 3
    ],
)
def test_the_other_headers(command: str, reply: str) -> None:
    assert ask(Acceptor(2, SR5I), command) == reply


def test_3_151_comms_statistics_count_timeouts_and_bad_checksums_until_cleared() -> None:
    acceptor = Acceptor(2, SR5I)
    ask(acceptor, "02 00 01 fe 00")
    ask(acceptor, "02 00", 0)
    assert ask(acceptor, "02 00 01 02 fb", S_NS) == "01 03 02 00 01 00 01 f8"
    ask(acceptor, "02 00 01 03 fa", S_NS)
    assert ask(acceptor, "02 00 01 02 fb", S_NS) == "01 03 02 00 00 00 00 fa"


def test_a_replaced_unit_has_another_number_and_starts_from_nothing() -> None:
    acceptor = enabled()
    acceptor.insert(1, 0)
    acceptor.replace(Identity(serial=5, serial_bytes=4), 0)
    assert ask(acceptor, "02 00 01 f2 0b") == "01 04 02 00 05 00 00 00 f4"
    assert ask(acceptor, "02 00 01 e1 1c") == "01 03 02 00 00 00 00 fa"
    assert ask(acceptor, POLL).startswith("01 0b 02 00 00")


def test_the_token_goes_to_the_position_asked_for_and_the_rest_stay_in_order() -> None:
    ids = ("TK200A", "EU200A", "EU100A")
    assert coin_table(ids, 1) == ids
    assert coin_table(ids, 5) == ("EU200A", "EU100A", "......", "......", "TK200A")
    with pytest.raises(ValueError, match="1 to 16, found 17"):
        coin_table(ids, 17)
    with pytest.raises(ValueError, match="six characters"):
        coin_table(("TK2",), 1)
