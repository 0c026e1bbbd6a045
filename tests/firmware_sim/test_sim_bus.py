"""The wire in virtual time: pace, echo, collisions, and every fault that it can be given."""

import pytest

from firmware_sim.acceptor import Acceptor
from firmware_sim.bus import Bus, WireSetup
from firmware_sim.device import Model
from firmware_sim.identity import Identity

MS_NS = 1_000_000
BYTE_NS = 1_041_666  # ten bits at 9600 baud
POLL_11 = bytes.fromhex("0b 00 01 e5 0f")
EMPTY_11 = bytes.fromhex("01 0b 0b 00 00 00 00 00 00 00 00 00 00 00 00 e9")
SIMPLE_11 = bytes.fromhex("0b 00 01 fe f6")
ACK_11 = bytes.fromhex("01 00 0b 00 f4")
RESET_ALL = bytes.fromhex("00 00 01 01 fe")


def bus_of(slots: int = 7, first: int = 11, **setup: bool | int) -> Bus:
    wire = WireSetup(**{"paced": False, "echo": False, **setup})  # type: ignore[arg-type]
    model = Model(crc16=wire.crc16)
    return Bus([Acceptor(first + n, Identity(serial=n + 1), model) for n in range(slots)], wire)


def ask(bus: Bus, command: bytes, now_ns: int = 0) -> bytes:
    bus.receive(command, now_ns)
    return bus.advance(now_ns)


def test_without_pace_the_answer_is_there_at_once() -> None:
    bus = bus_of()
    assert ask(bus, POLL_11) == EMPTY_11
    assert bus.deadline_ns() is None


def test_with_echo_the_host_hears_itself_first() -> None:
    assert ask(bus_of(echo=True), POLL_11) == POLL_11 + EMPTY_11


def test_one_poll_takes_twenty_one_bytes_at_9600_baud() -> None:
    bus = bus_of(paced=True, echo=True)
    bus.receive(POLL_11, 0)
    arrivals: list[tuple[int, bytes]] = []
    while (deadline_ns := bus.deadline_ns()) is not None:
        arrivals.append((deadline_ns, bus.advance(deadline_ns)))
    assert [at_ns for at_ns, _ in arrivals] == [n * BYTE_NS for n in range(1, 22)]
    assert b"".join(data for _, data in arrivals) == POLL_11 + EMPTY_11
    assert arrivals[-1][0] == 21_874_986  # 21.875 ms: 5 + 16 bytes, as the budget says


def test_nothing_is_heard_before_its_time() -> None:
    bus = bus_of(paced=True)
    bus.receive(SIMPLE_11, 0)
    assert bus.advance(6 * BYTE_NS - 1) == b""
    assert bus.advance(6 * BYTE_NS) == ACK_11[:1]
    assert bus.advance(10 * BYTE_NS) == ACK_11[1:]


def test_a_device_delay_comes_between_command_and_reply() -> None:
    bus = bus_of(paced=True, reply_ns=2 * MS_NS)
    bus.receive(SIMPLE_11, 0)
    assert bus.advance(10 * BYTE_NS + 2 * MS_NS - 1) == ACK_11[:4]
    assert bus.advance(10 * BYTE_NS + 2 * MS_NS) == ACK_11[4:]


def test_the_interface_takes_no_more_than_the_longest_packet_ahead() -> None:
    bus = bus_of(paced=True)
    assert bus.accepts_host_bytes(0)
    bus.receive(bytes(260), 0)
    assert not bus.accepts_host_bytes(0)
    assert bus.accepts_host_bytes(BYTE_NS)


def test_a_host_that_talks_into_a_reply_spoils_both() -> None:
    bus = bus_of(paced=True)
    bus.receive(SIMPLE_11, 0)
    bus.receive(POLL_11, 6 * BYTE_NS + BYTE_NS // 2)
    heard = bus.advance(60 * BYTE_NS)
    assert heard[:1] == ACK_11[:1]
    assert ACK_11 not in heard
    assert EMPTY_11 not in heard


def test_acceptors_ignore_each_others_replies() -> None:
    bus = bus_of()
    assert ask(bus, POLL_11) == EMPTY_11
    assert ask(bus, bytes.fromhex("0c 00 01 fe f5"), 1) == bytes.fromhex("01 00 0c 00 f3")
    assert [acceptor.bad_checksums for acceptor in bus.acceptors] == [0] * 7


def test_the_answers_to_a_broadcast_lie_over_each_other() -> None:
    bus = bus_of()
    assert ask(bus, RESET_ALL) == bytes.fromhex("01 00 00 00 ff")  # in unison
    # Serial numbers 1 to 7, checksums fb to f5: 0 wins on an open-collector line (f8 & f7 = f0).
    assert ask(bus, bytes.fromhex("00 00 01 f2 0d"), 1) == bytes.fromhex("01 03 00 00 00 00 00 f0")


def test_part_1_20_2_1_address_poll_finds_all_seven_one_after_the_other() -> None:
    bus = bus_of(paced=True)
    bus.receive(bytes.fromhex("00 00 01 fd 02"), 0)
    heard: list[tuple[int, bytes]] = []
    while (deadline_ns := bus.deadline_ns()) is not None:
        data = bus.advance(deadline_ns)
        if data:
            heard.append((deadline_ns, data))
    end_ns = 5 * BYTE_NS
    assert heard == [
        (end_ns + 4 * MS_NS * address + BYTE_NS, bytes((address,))) for address in range(11, 18)
    ]


def test_a_silent_acceptor_hears_nothing_and_its_watchdog_runs_out() -> None:
    bus = bus_of()
    ask(bus, POLL_11)
    bus.troubles[0].silent = True
    assert ask(bus, POLL_11, 900 * MS_NS) == b""
    assert bus.acceptors[0].is_starved(1001 * MS_NS)
    assert ask(bus, bytes.fromhex("0c 00 01 fe f5"), 901 * MS_NS) != b""


def test_a_mute_acceptor_hears_and_is_never_heard() -> None:
    bus = bus_of()
    bus.troubles[0].mute = True
    assert ask(bus, POLL_11, 900 * MS_NS) == b""
    assert not bus.acceptors[0].is_starved(1900 * MS_NS)


def test_a_late_acceptor_answers_late_and_only_that_one() -> None:
    bus = bus_of()
    bus.troubles[0].late_ns = 40 * MS_NS
    assert ask(bus, POLL_11) == b""
    assert bus.deadline_ns() == 40 * MS_NS
    assert bus.advance(40 * MS_NS) == EMPTY_11
    assert ask(bus, bytes.fromhex("0c 00 01 fe f5"), 41 * MS_NS) != b""


def test_wrong_checksums_as_many_as_ordered() -> None:
    bus = bus_of()
    bus.troubles[0].bad_sums = 1
    assert ask(bus, SIMPLE_11) == bytes.fromhex("01 00 0b 00 a1")  # f4 xor 55
    assert ask(bus, SIMPLE_11, 1) == ACK_11


def test_noise_and_losses_come_again_the_same_from_the_same_seed() -> None:
    def session(seed: int) -> list[bytes]:
        bus = bus_of(seed=seed)
        bus.noise = bus.drop = 0.05
        return [ask(bus, POLL_11, n * 100 * MS_NS) for n in range(200)]

    assert session(7) == session(7)
    assert session(7) != session(8)
    assert EMPTY_11 in session(7)
    assert len(set(session(7))) > 10


def test_every_byte_lost_is_silence_and_every_byte_corrupted_is_never_the_packet() -> None:
    bus = bus_of(echo=True)
    bus.drop = 1.0
    assert ask(bus, POLL_11) == b""
    bus.drop, bus.noise = 0.0, 1.0
    heard = ask(bus, POLL_11, 1)
    assert all(one != sent for one, sent in zip(heard, POLL_11, strict=False))


def test_a_corrupt_length_swallows_commands_until_the_line_pauses_for_50_ms() -> None:
    bus = bus_of()
    ask(bus, bytes.fromhex("0b ff 01 e5 0f"), 0)
    assert ask(bus, POLL_11, 40 * MS_NS) == b""
    assert ask(bus, POLL_11, 80 * MS_NS) == b""
    assert ask(bus, POLL_11, 131 * MS_NS) == EMPTY_11


def test_the_glitch_before_a_command_to_address_2_is_one_byte_and_resets_everybody() -> None:
    bus = bus_of(first=2)
    for acceptor in bus.acceptors:
        acceptor.fault(1)
    bus.glitch_armed = True
    poll = bytes.fromhex("02 00 01 e5 18")
    assert ask(bus, poll)[4] == 1  # this packet cannot be turned: it waits
    heard = ask(bus, bytes.fromhex("02 01 01 e4 01 17"), 1)
    assert heard == bytes.fromhex("01 00 00 00 ff")
    assert [acceptor.buffer.counter for acceptor in bus.acceptors] == [0] * 7
    assert not bus.glitch_armed


@pytest.mark.parametrize("crc16", [False, True])
def test_the_glitch_elsewhere_is_a_whole_broadcast_reset_that_nobody_asked_for(crc16: bool) -> None:
    bus = bus_of(crc16=crc16)
    for acceptor in bus.acceptors:
        acceptor.fault(1)
    bus.glitch_armed = True
    assert len(bus.glitch_bytes()) == 5
    ask(bus, POLL_11)
    assert [acceptor.buffer.counter for acceptor in bus.acceptors] == [0] * 7
