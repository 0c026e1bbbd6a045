"""The log's own chain and its signatures: nothing is put in, taken out or changed unseen."""

from __future__ import annotations

import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace
from support.carrusel_log import terms_of

from jackpot.ledger.note import Signer
from jackpot.link import entries as e
from jackpot.link import messages as m
from jackpot.link.log import LogBroken, check_hash, check_signature, entry_of, seal, seal_all
from jackpot.link.signing import is_key, is_signed, signed, signer, verify

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(32))
KEY = Signer("norte-k1", PRIVATE).verifier.vkey
LEAVING = e.MemberLeaving(table="mesa-1")


def sealed() -> m.Entry:
    """One entry at position 8."""
    return seal("norte", LEAVING, "ab" * 32, 8, "k1", 1_000, signer(PRIVATE))


def test_an_entry_is_hashed_over_its_place_its_author_and_its_body() -> None:
    """Anybody can work the hash out with a shell."""
    one = sealed()
    assert one.body == '{"entry":{"table":"mesa-1"},"kind":"member_leaving"}'
    text = "ab" * 32 + "\n8\nk1\n1000\n" + one.body + "\n"
    assert one.hash == hashlib.sha256(text.encode()).hexdigest()
    assert entry_of(one) == LEAVING
    check_hash(one)
    check_signature(one, KEY, verify)


@pytest.mark.parametrize(
    "change",
    [
        {"position": 9},
        {"previous": "cd" * 32},
        {"author": "k2"},
        {"at_ns": 1_001},
        {"body": '{"entry":{"table":"mesa-2"},"kind":"member_leaving"}'},
    ],
)
def test_a_changed_entry_has_another_hash(change: dict[str, object]) -> None:
    """Every part is covered."""
    with pytest.raises(LogBroken, match="altered"):
        check_hash(replace(sealed(), **change))


def test_an_entry_of_nobody_known_is_not_believed() -> None:
    """Keys are pinned: an unknown author, another key, a signature that is none."""
    other = Signer("norte-k1", Ed25519PrivateKey.from_private_bytes(b"1" * 32)).verifier.vkey
    for key, entry in (
        (None, sealed()),
        (other, sealed()),
        (KEY, replace(sealed(), signature="x")),
    ):
        with pytest.raises(LogBroken):
            check_signature(entry, key, verify)


def test_a_body_of_a_later_version_is_not_guessed_at() -> None:
    """An unknown kind, an unknown field, no JSON at all."""
    for body in ('{"entry":{},"kind":"new"}', '{"entry":{"a":1},"kind":"member_leaving"}', "{"):
        with pytest.raises(LogBroken, match="no entry of this version"):
            entry_of(replace(sealed(), body=body))


def test_several_entries_hang_together() -> None:
    """Positions follow, each names the one before."""
    first, second = seal_all("norte", [LEAVING, LEAVING], "", 0, "k1", 5, signer(PRIVATE))
    assert (first.position, second.position) == (1, 2)
    assert (first.previous, second.previous) == ("", first.hash)


def test_a_birth_is_signed_over_everything_else() -> None:
    """With the ledger's own key, in the form that signed notes use."""
    birth = m.Birth(
        table="mesa-1",
        ledger=KEY,
        incarnation=1,
        asks_to_join=True,
        join_hash="00",
        officers=("j1", "d1"),
        authorisation="A-1",
        terms=terms_of("mesa-1"),
        meter_microcents=5,
        operation=0,
        decision=0,
    )
    whole = signed(birth, signer(PRIVATE))
    assert is_signed(whole, KEY)
    assert not is_signed(replace(whole, meter_microcents=6), KEY)
    assert not is_signed(birth, KEY)


@pytest.mark.parametrize("key", ["", "a+b", "a+b+c", KEY[:-4], "a+b+" + "A" * 44])
def test_what_is_no_key_signs_nothing(key: str) -> None:
    """A malformed key is no error of the program."""
    assert not is_key(key)
    assert not verify(key, b"", "")
