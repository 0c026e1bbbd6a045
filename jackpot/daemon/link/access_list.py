"""mosquitto's access list for the boxes of an authority: who may say and hear what (CAN-9).

One block for each good certificate, made from the topics of the code: whoever is not in it says
nothing and hears nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from jackpot.daemon.link.certificates import Holder, issued
from jackpot.errors import Refused
from jackpot.link import topics

_HEAD = """\
# Who may say what, for mosquitto: a box writes under its own name only, and never sees the log.
# Made by `jackpot certs access` from the certificates that were issued; make it anew after each.
"""

_ANY = topics.EVERY_NODE
"""Whatever carrusel, whatever table."""


def access_list(folder: Path) -> str:
    """The file for the authority in ``folder``. Raises ``Refused``: there is none, or no
    good certificate; a broker with an empty list admits nobody."""
    blocks = [_HEAD]
    for one in issued(folder):
        kind, _, name = one.name.partition("-")
        if one.withdrawn or kind == Holder.BROKER.value:
            continue
        if kind == Holder.TABLE.value:
            blocks.append(_block(name, _said_by_table(name), topics.of_node(_ANY, name)))
        else:
            said = _said_by_coordinator(name)
            blocks.append(_block(one.name, said, topics.of_coordinator(_ANY)))
    if len(blocks) == 1:
        raise Refused(
            reason="no_certificates",
            expected=f"a good certificate of a table or a coordinator in {folder}",
            found="none",
            to_do="issue them first: `jackpot certs issue table 7`",
            rule="CAN-9",
        )
    return "\n".join(blocks)


def _block(user: str, said: Sequence[str], heard: Sequence[str]) -> str:
    lines: Iterable[str] = (
        f"user {user}",
        *(f"topic write {topic}" for topic in said),
        *(f"topic read {topic}" for topic in heard),
    )
    return "".join(f"{line}\n" for line in lines)


def _said_by_table(name: str) -> tuple[str, ...]:
    return (
        topics.up(_ANY, name),
        topics.birth(_ANY, name),
        topics.node_beat(_ANY, name),
        topics.resync(_ANY, name),
        topics.head(_ANY, name),
    )


def _said_by_coordinator(name: str) -> tuple[str, ...]:
    return (
        topics.ack(_ANY, _ANY),
        topics.total(_ANY),
        topics.members(_ANY),
        topics.decision(_ANY),
        topics.coordinator_beat(_ANY, name),
        topics.head(_ANY, name),
    )
