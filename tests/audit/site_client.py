"""The audit room without a browser or a server: checked, indexed, and asked in memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import httpx

from jackpot.audit.checker import verify
from jackpot.audit.site.app import build_app
from jackpot.audit.site.background import Done, Work
from jackpot.audit.site.index import IndexWriter, build_index
from jackpot.audit.site.room import Room
from jackpot.audit.source import Source
from jackpot.console import app as screens

TOKEN = "token"
ORIGIN = "http://127.0.0.1:8000"
FONTS = Path(screens.__file__).parent / "static" / "vendor"


def room_of(path: Path, folder: Path) -> Room:
    """A ledger, checked and indexed."""
    index = folder / f"{path.name}.index"
    source = Source(path)
    work = Work(
        in_all=source.batch,
        checked=source.batch,
        indexed=source.batch,
        report=verify(path),
        verdict=build_index(source, index),
    )
    return Room(source, Done(index, work))


def unfinished_room(path: Path, folder: Path, work: Work) -> Room:
    """A ledger whose check and index have only begun."""
    index = folder / f"{path.name}.begun"
    IndexWriter(index).close()
    return Room(Source(path), Done(index, work))


def client_of(rooms: Sequence[Room], host: str = ORIGIN) -> httpx.AsyncClient:
    """A browser at the site over some ledgers, already below the token."""
    transport = httpx.ASGITransport(app=build_app(rooms, TOKEN, FONTS))
    return httpx.AsyncClient(
        transport=transport, base_url=f"{host}/{TOKEN}/", follow_redirects=True
    )


def text_of(page: httpx.Response) -> str:
    """What a page says, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", page.text).split())
