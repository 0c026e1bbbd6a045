"""The installation's key file."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from jackpot.ledger.keys import KeyUnusable, create_key, load_key


def test_a_created_key_is_its_owner_s_only_and_loads_again(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    created = create_key(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert load_key(path).private_bytes_raw() == created.private_bytes_raw()


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    before = create_key(path)
    with pytest.raises(KeyUnusable, match="key_exists"):
        create_key(path)
    assert load_key(path).private_bytes_raw() == before.private_bytes_raw()


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    create_key(path)
    path.chmod(0o640)
    with pytest.raises(KeyUnusable, match="key_open_to_others"):
        load_key(path)


@pytest.mark.parametrize("content", [None, b"", b"-----BEGIN PRIVATE KEY-----\n"])
def test_a_missing_or_broken_key_file_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "key.pem"
    if content is not None:
        path.write_bytes(content)
        path.chmod(0o600)
    with pytest.raises(KeyUnusable, match="key_unreadable"):
        load_key(path)


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    pem = X25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(pem)
    path.chmod(0o600)
    with pytest.raises(KeyUnusable, match="key_of_another_kind"):
        load_key(path)
