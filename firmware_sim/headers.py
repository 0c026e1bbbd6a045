"""The command headers that the acceptor knows; each with its number, data length and meaning.

A header that is not here, or comes with another length of data, gets silence (part 1, 13 and 14).
Clauses are those of part 2 of the ccTalk Generic Specification v4.7.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware_sim.device import Device
from firmware_sim.frames import ACK, BROADCAST_ADDRESS, HOST_ADDRESS, NAK
from firmware_sim.identity import COIN_POSITIONS

ADDRESS_POLL = 253  # part 1, 20.2.1: one raw byte, answered by the acceptor itself
ADDRESS_CLASH = 252  # part 1, 20.2.2

POLLING_PRIORITY = bytes((1, 200))  # 3.7: units 1 = ms, every 200 ms
SORTER_PATHS = 8  # 3.46: "e.g. 1 to 8"
COUNTER_BYTES = 3  # 3.30: 24 bits, LSB first


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply's header (ACK, NAK or BUSY) and data."""

    header: int = ACK
    data: bytes = b""


Handler = Callable[[Device, bytes, int], Reply | None]

DONE = Reply()
FAILED = Reply(NAK)  # part 1, 8.1: an error-free command that could not be carried out


def execute(acceptor: Device, header: int, data: bytes, now_ns: int) -> Reply | None:
    """Carry a command out; None is silence."""
    found = _HEADERS.get(header)
    if found is None:
        return None
    lengths, handler = found
    if len(data) not in lengths:
        return None
    return handler(acceptor, data, now_ns)


def _text(choose: Callable[[Device], str]) -> Handler:
    return lambda acceptor, _data, _now_ns: Reply(data=choose(acceptor).encode("ascii"))


def _bytes(choose: Callable[[Device], bytes]) -> Handler:
    return lambda acceptor, _data, _now_ns: Reply(data=choose(acceptor))


def _count(choose: Callable[[Device], int]) -> Handler:
    return _bytes(lambda acceptor: choose(acceptor).to_bytes(COUNTER_BYTES, "little"))


def _simple_poll(_acceptor: Device, _data: bytes, _now_ns: int) -> Reply:
    return DONE


def _address_change(acceptor: Device, data: bytes, _now_ns: int) -> Reply:
    """Part 1, 20.2.3: the ACK still comes from the old address."""
    if data[0] in (BROADCAST_ADDRESS, HOST_ADDRESS):
        return FAILED
    acceptor.address = data[0]
    return DONE


def _address_random(acceptor: Device, _data: bytes, _now_ns: int) -> Reply:
    """Part 1, 20.2.4: the ACK still comes from the old address, as with 251."""
    acceptor.draw_address()
    return DONE


def _serial(acceptor: Device) -> bytes:
    return acceptor.identity.serial.to_bytes(acceptor.identity.serial_bytes, "little")


def _latch_outputs(acceptor: Device, data: bytes, _now_ns: int) -> Reply:
    acceptor.volatile.outputs = data
    return DONE


def _set_mask(acceptor: Device, data: bytes, _now_ns: int) -> Reply | None:
    """3.25: a mask of one byte leaves coins 9 to 16 as they were."""
    if len(data) not in acceptor.model.mask_lengths:
        return FAILED if acceptor.model.wrong_mask_gets_nak else None
    kept = acceptor.volatile.mask >> 8 * len(data) << 8 * len(data)
    acceptor.volatile.mask = kept | int.from_bytes(data, "little")
    return DONE


def _mask(acceptor: Device) -> bytes:
    length = max(acceptor.model.mask_lengths)
    return acceptor.volatile.mask.to_bytes(2, "little")[:length]


def _set_master(acceptor: Device, data: bytes, _now_ns: int) -> Reply:
    """3.28: bit 0 only is used."""
    acceptor.volatile.master_on = bool(data[0] & 1)
    return DONE


def _read_events(acceptor: Device, _data: bytes, now_ns: int) -> Reply:
    """3.27, and part 1, 18.1: this and nothing else feeds the watchdog."""
    acceptor.volatile.last_poll_ns = now_ns
    return Reply(data=acceptor.buffer.reply_data(swapped=acceptor.model.swapped_events))


def _set_override(acceptor: Device, data: bytes, _now_ns: int) -> Reply:
    acceptor.volatile.sorter_override = data[0]
    return DONE


def _set_path(acceptor: Device, data: bytes, _now_ns: int) -> Reply:
    """3.46: format (a) one path, format (b) four of which the first is the primary one."""
    position, path = data[0], data[1]
    if not 1 <= position <= COIN_POSITIONS or not 1 <= path <= SORTER_PATHS:
        return FAILED
    acceptor.sorter_paths[position - 1] = path
    return DONE


def _path(acceptor: Device, data: bytes, _now_ns: int) -> Reply:
    if not 1 <= data[0] <= COIN_POSITIONS:
        return FAILED
    return Reply(data=bytes((acceptor.sorter_paths[data[0] - 1],)))


def _coin_id(acceptor: Device, data: bytes, _now_ns: int) -> Reply:
    if not 1 <= data[0] <= COIN_POSITIONS:
        return FAILED
    return Reply(data=acceptor.identity.coin_id(data[0]).encode("ascii"))


def _clear_comms(acceptor: Device, _data: bytes, _now_ns: int) -> Reply:
    acceptor.reader.timeouts = acceptor.bad_checksums = 0
    return DONE


def _comms(acceptor: Device) -> bytes:
    """3.151: time-outs, ignored bytes (it has room for every packet: 0), bad checksums; 8 bits."""
    return bytes((acceptor.reader.timeouts & 0xFF, 0, acceptor.bad_checksums & 0xFF))


def _reset(acceptor: Device, _data: bytes, now_ns: int) -> Reply:
    """3.152: the ACK is sent before it happens. Data does not stop it: a glitch can reset."""
    acceptor.reset(now_ns)
    return DONE


_NONE = frozenset({0})
_ONE = frozenset({1})
_ANY = frozenset(range(256))

_HEADERS: dict[int, tuple[frozenset[int], Handler]] = {
    254: (_NONE, _simple_poll),
    251: (_ONE, _address_change),
    250: (_NONE, _address_random),
    249: (_NONE, _bytes(lambda _acceptor: POLLING_PRIORITY)),
    246: (_NONE, _text(lambda acceptor: acceptor.identity.maker)),
    245: (_NONE, _text(lambda acceptor: acceptor.identity.category)),
    244: (_NONE, _text(lambda acceptor: acceptor.identity.product)),
    242: (_NONE, _bytes(_serial)),
    241: (_NONE, _text(lambda acceptor: acceptor.identity.software)),
    236: (_NONE, _bytes(lambda acceptor: bytes((acceptor.standing.optos,)))),
    233: (_ONE, _latch_outputs),
    232: (_NONE, _bytes(lambda acceptor: bytes((acceptor.standing.self_check,)))),
    231: (frozenset({1, 2}), _set_mask),
    230: (_NONE, _bytes(_mask)),
    229: (_NONE, _read_events),
    228: (_ONE, _set_master),
    227: (_NONE, _bytes(lambda acceptor: bytes((acceptor.volatile.master_on,)))),
    226: (_NONE, _count(lambda acceptor: acceptor.totals.inserted)),
    225: (_NONE, _count(lambda acceptor: acceptor.totals.accepted)),
    222: (_ONE, _set_override),
    221: (_NONE, _bytes(lambda acceptor: bytes((acceptor.volatile.sorter_override,)))),
    213: (_NONE, _bytes(lambda _acceptor: b"\x00")),  # 3.43: credits are coin positions
    210: (frozenset({2, 5}), _set_path),
    209: (_ONE, _path),
    197: (_NONE, _bytes(lambda acceptor: acceptor.identity.rom_checksum)),
    196: (_NONE, _bytes(lambda acceptor: acceptor.identity.date_data(acceptor.identity.created))),
    195: (_NONE, _bytes(lambda acceptor: acceptor.identity.date_data(acceptor.identity.changed))),
    194: (_NONE, _count(lambda acceptor: acceptor.totals.rejected)),
    193: (_NONE, _count(lambda acceptor: acceptor.totals.frauds)),
    192: (_NONE, _text(lambda acceptor: acceptor.identity.build)),
    184: (_ONE, _coin_id),
    170: (_NONE, _text(lambda acceptor: str(acceptor.identity.base_year))),
    4: (_NONE, _bytes(lambda acceptor: bytes(acceptor.identity.comms_revision))),
    3: (_NONE, _clear_comms),
    2: (_NONE, _bytes(_comms)),
    1: (_ANY, _reset),
}
