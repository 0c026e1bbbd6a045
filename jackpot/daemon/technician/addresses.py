"""Addresses of acceptors: one is changed (251), and several that share one are told apart (part 1, 20.2).

They cannot be asked one by one while they share an address, since they answer together. So each draws a
random one (250), all say where they are now (253), and each gets an address of its own (251).
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from jackpot.cctalk.headers import Header
from jackpot.cctalk.setup import ACCEPTOR_ADDRESSES
from jackpot.daemon.technician.probe import Probe
from jackpot.errors import Refused
from jackpot.mechanism.wire_events import Diagnosis

DRAWS = 8
"""Random addresses are drawn so often at most: with eight devices one draw in ten brings two together."""

LOOKS = 2
"""The bytes of two devices may fall together, and noise may take one: part 1, 20.2.1 says to ask again."""

LOWEST_ADDRESS, HIGHEST_ADDRESS = 2, 255
"""0 is everybody, 1 the host."""


class Placed(msgspec.Struct, frozen=True):
    """A device and the address that it has now."""

    address: int
    serial: int | None


async def change_address(probe: Probe, old: int, new: int) -> None:
    """Header 251, checked before and after. Refuses an address that is taken, shared, or nobody's."""
    if not LOWEST_ADDRESS <= new <= HIGHEST_ADDRESS:
        raise _refused("bad_address", "an address from 2 to 255", str(new), "pick another one")
    if (await probe.insist(old, Header.SIMPLE_POLL)).diagnosis is not None:
        raise _nobody_there(old)
    if (await probe.insist(new, Header.SIMPLE_POLL)).diagnosis is None:
        raise _refused(
            "address_taken", f"nobody at address {new}", "an answer", "pick a free address"
        )
    count = await devices_at(probe, old)
    if count > 1:
        raise _refused(
            "address_clash",
            f"one device at address {old}",
            f"{count}",
            f"tell them apart first with `jackpot slots address resolve {old}`",
        )
    await _move(probe, old, new)


async def devices_at(probe: Probe, address: int) -> int:
    """How many devices share an address (252), as far as they can be told apart."""
    return max([len(await probe.addresses(address, Header.ADDRESS_CLASH)) for _ in range(LOOKS)])


async def resolve_clash(probe: Probe, address: int, wanted: Iterable[int] = ()) -> list[Placed]:
    """Give each device at ``address`` one of its own, by its serial number: the lowest keeps ``address``,
    the others get those of ``wanted`` that are free, then the other addresses of coin acceptors.

    Refuses an address with one device or none, a line without room, and devices that draw no address.
    """
    sharing = await _sharing(probe, address)
    others = await _everybody(probe) - {address}
    free = [a for a in (*wanted, *ACCEPTOR_ADDRESSES) if a not in others and a != address]
    places = [address, *dict.fromkeys(free)]
    if len(places) < sharing:
        raise _refused(
            "no_free_address",
            f"{sharing - 1} free addresses among {ACCEPTOR_ADDRESSES}",
            f"{len(places) - 1}",
            "unplug what does not belong on this line",
        )
    drawn = await _draw_apart(probe, address, others, sharing)
    return await _place(probe, drawn, places)


async def _sharing(probe: Probe, address: int) -> int:
    """How many share it; two at least where they only seem to be one."""
    count = await devices_at(probe, address)
    if count == 0:
        raise _nobody_there(address)
    serial = await probe.insist(address, Header.REQUEST_SERIAL_NUMBER)
    if count == 1 and serial.diagnosis in (None, Diagnosis.NO_REPLY):
        raise _refused(
            "no_clash",
            f"several devices at address {address}",
            "one",
            "nothing: give it another address with `jackpot slots address change`",
        )
    return max(2, count)


async def _draw_apart(probe: Probe, address: int, others: set[int], sharing: int) -> set[int]:
    """Everybody at ``address`` draws until all are apart; where they are now."""
    crowded = {address}
    for _ in range(DRAWS):
        for crowd in sorted(crowded):
            await probe.ask(crowd, Header.ADDRESS_RANDOM)  # they answer together: not to be read
        found = await _everybody(probe)
        drawn = found - others
        if len(found) >= len(others) + sharing:
            return drawn
        crowded = {a for a in found if await devices_at(probe, a) > 1}
        if not crowded:
            # Nobody shares an address any more: they were fewer than they seemed.
            return drawn
    raise _refused(
        "addresses_fixed",
        f"{sharing} devices that draw addresses of their own (header 250)",
        f"{len(drawn)}",
        "set the addresses by the acceptors' switches, as their manual says",
    )


async def _everybody(probe: Probe) -> set[int]:
    """Every address on the line (253)."""
    found: set[int] = set()
    for _ in range(LOOKS):
        found |= set(await probe.addresses(0, Header.ADDRESS_POLL))
    return found


async def _place(probe: Probe, drawn: set[int], places: list[int]) -> list[Placed]:
    """Each to its place, by its serial number."""
    serials = {address: await _serial(probe, address) for address in drawn}
    in_order = sorted(drawn, key=lambda address: (serials[address] is None, serials[address] or 0))
    placed = []
    for old, new in zip(in_order, places, strict=False):
        if old != new:
            await _move(probe, old, new)
        placed.append(Placed(new, serials[old]))
    return placed


async def _serial(probe: Probe, address: int) -> int | None:
    """None if it is not told, however often it is asked."""
    for _ in range(LOOKS):
        told = await probe.insist(address, Header.REQUEST_SERIAL_NUMBER)
        if told.diagnosis is None:
            return int.from_bytes(told.data, "little")
    return None


async def _move(probe: Probe, old: int, new: int) -> None:
    changed = await probe.ask(old, Header.ADDRESS_CHANGE, bytes((new,)))
    there = await probe.insist(new, Header.SIMPLE_POLL)
    if there.diagnosis is not None:
        found = "a refusal" if changed.diagnosis is None else changed.diagnosis.value
        raise _refused(
            "address_unchanged",
            f"an answer from address {new}",
            found,
            "set the address by the acceptor's switches, as its manual says",
        )


def _nobody_there(address: int) -> Refused:
    return _refused(
        "nobody_there",
        f"an acceptor at address {address}",
        "silence",
        "look who answers with `jackpot slots scan`",
    )


def _refused(reason: str, expected: str, found: str, to_do: str) -> Refused:
    return Refused(reason=reason, expected=expected, found=found, to_do=to_do, rule="CAN-8.b2")
