"""What the keys of manual mode, and the forms of table chief and director, ask of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.datastructures import FormData

from jackpot.authority.roles import Role, may_act_as
from jackpot.console import acts
from jackpot.console.acts import Signers
from jackpot.console.amounts import cents_typed, microcents_typed
from jackpot.console.forms import number_field, text_field
from jackpot.errors import Refused
from jackpot.law.pools import Pool
from jackpot.law.terms import BetMode
from jackpot.table import facts as f
from jackpot.table.event import OfficerAct

LONGEST_TEXT = 200
"""As long as a reason: it goes into the ledger for ever."""

CHIEF, DIRECTOR, CROUPIER = Role.TABLE_CHIEF, Role.GAMES_DIRECTOR, Role.CROUPIER


def read_act(name: str, form: FormData, signers: Signers) -> OfficerAct:
    """The act of any key of the console. Refuses like ``acts.read_act``."""
    reader = READERS.get(name)
    return acts.read_act(name, form, signers) if reader is None else reader(form, signers)


def can_sign(
    officers: Mapping[str, tuple[Role, ...]], first: str, second: str, roles: tuple[Role, Role]
) -> bool:
    """Whether two people can sign in these roles, the first for the first."""
    return (
        first != second
        and may_act_as(officers, first, roles[0])
        and may_act_as(officers, second, roles[1])
    )


def two_sign(signers: Signers, roles: tuple[Role, Role] = (CHIEF, DIRECTOR)) -> dict[str, str]:
    """``by`` and ``second`` of an act that two sign; the table judges whether they may.

    Refuses ``no_first_officer`` when the one who is logged in can be neither.
    """
    if not any(may_act_as(signers.officers, signers.me, role) for role in roles):
        raise Refused(
            reason="no_first_officer",
            expected=f"a {' or '.join(role.value.replace('_', ' ') for role in roles)} at the console",
            found=signers.me,
            to_do="let one of the two log in",
            rule="CAN-3.1",
        )
    signers.two()  # refuses where nobody signed in the form
    by, second = signers.me, signers.other or ""
    swap = can_sign(signers.officers, second, by, roles) and not can_sign(
        signers.officers, by, second, roles
    )
    return {"by": second, "second": by} if swap else {"by": by, "second": second}


# ---- fields ----------------------------------------------------------------------------------------


def _hand(form: FormData) -> int:
    return number_field(form, "hand")


def why_field(form: FormData) -> str:
    """A reason, picked or written; empty is for the table to refuse."""
    return line_field(form, "why_other") or line_field(form, "why")


def line_field(form: FormData, name: str) -> str:
    """A short text. Refuses ``form_incomplete`` for a long one."""
    text = text_field(form, name)
    if len(text) > LONGEST_TEXT:
        raise Refused(
            reason="form_incomplete",
            expected=f"at most {LONGEST_TEXT} letters in {name}",
            found=f"{len(text)}",
            to_do="write it shorter",
        )
    return text


def _cents(form: FormData) -> int:
    return cents_typed(text_field(form, "amount"))


def _mode(form: FormData) -> BetMode:
    return BetMode.MANUAL if text_field(form, "mode") == "manual" else BetMode.AUTOMATIC


def _signed(form: FormData, amount: int) -> int:
    """``way`` says whether it is added or taken away."""
    return -amount if text_field(form, "way") == "less" else amount


def _entry(form: FormData, signers: Signers) -> dict[str, str]:
    """What every signed entry has."""
    return {**two_sign(signers), "why": why_field(form)}


# ---- manual mode -------------------------------------------------------------------------------------


def _total(form: FormData, signers: Signers) -> OfficerAct:
    """``bet_cents`` is what the key repeated: a total that it did not say is refused."""
    chips = number_field(form, "chips")
    cents = chips * number_field(form, "bet_cents")
    return f.TotalEntered(by=signers.me, hand=_hand(form), chips=chips, cents=cents)


# ---- forms -------------------------------------------------------------------------------------------


def _drop(form: FormData, signers: Signers) -> OfficerAct:
    box = number_field(form, "box")
    return f.DropCounted(
        **two_sign(signers, (CROUPIER, CHIEF)),
        day=text_field(form, "day"),
        chips=number_field(form, "chips"),
        box=box or None,
    )


def _payment_reversed(form: FormData, signers: Signers) -> OfficerAct:
    award, box, bet = _place(text_field(form, "payment"))
    return f.PaymentReversed(
        **_entry(form, signers), award=award, box=box, bet=bet, cents=_signed(form, _cents(form))
    )


def _place(text: str) -> tuple[int, int, int]:
    parts = text.split(".")
    if len(parts) != 3 or not all(part.isdecimal() and len(part) < 12 for part in parts):
        raise Refused(
            reason="form_incomplete",
            expected="a payment from the list",
            found=repr(text[:20]),
            to_do="pick the payment",
        )
    award, box, bet = map(int, parts)
    return award, box, bet


def _corrected(form: FormData, signers: Signers) -> OfficerAct:
    pool = text_field(form, "pool")
    return f.JackpotCorrected(
        **_entry(form, signers),
        microcents=_signed(form, microcents_typed(text_field(form, "amount"))),
        jackpot=number_field(form, "jackpot"),
        authorisation=line_field(form, "authorisation"),
        pool=Pool(pool) if pool in set(Pool) else Pool.JACKPOT,
    )


def _received(form: FormData, signers: Signers) -> OfficerAct:
    hidden = (text_field(form, name) or "0" for name in ("overflow", "reserve"))
    overflow, reserve = map(microcents_typed, hidden)
    return f.JackpotReceived(
        **_entry(form, signers),
        microcents=microcents_typed(text_field(form, "amount")),
        from_table=line_field(form, "place"),
        from_layout=line_field(form, "layout"),
        authorisation=line_field(form, "authorisation"),
        overflow_microcents=overflow,
        reserve_microcents=reserve,
    )


READERS: dict[str, Callable[[FormData, Signers], OfficerAct]] = {
    "total": _total,
    "total-undo": lambda form, who: f.TotalWithdrawn(by=who.me, hand=_hand(form)),
    "total-final": lambda form, who: f.TotalFinal(
        by=who.me, hand=_hand(form), chips=number_field(form, "chips")
    ),
    "assert": lambda form, who: f.BetAsserted(
        by=who.me, hand=_hand(form), box=number_field(form, "box")
    ),
    "mode": lambda form, who: f.ModeChanged(by=who.one(), mode=_mode(form), why=why_field(form)),
    "box-mode": lambda form, who: f.BoxModeChanged(
        by=who.one(), box=number_field(form, "box"), mode=_mode(form), why=why_field(form)
    ),
    "suspend": lambda form, who: f.TableSuspended(by=who.one(), why=why_field(form)),
    "resume": lambda form, who: f.TableResumed(by=who.one(), why=why_field(form)),
    "minimum": lambda form, who: f.TableMinimumSet(by=who.one(), cents=_cents(form)),
    "dispute": lambda form, who: f.BetDisputed(
        **two_sign(who), hand=_hand(form), box=number_field(form, "box"), why=why_field(form)
    ),
    "undo-decision": lambda form, who: f.DecisionReversed(
        **two_sign(who), hand=_hand(form), award=number_field(form, "award"), why=why_field(form)
    ),
    "undo-payment": _payment_reversed,
    "correct-total": lambda form, who: f.TotalCorrected(
        **_entry(form, who),
        hand=number_field(form, "of_hand"),
        chips_before=number_field(form, "chips_before"),
        chips_after=number_field(form, "chips"),
    ),
    "drop": _drop,
    "layout": lambda form, who: f.LayoutChanged(
        **two_sign(who), day=text_field(form, "day"), layout=line_field(form, "layout")
    ),
    "take-over": lambda form, who: f.JackpotTakenOver(
        **_entry(form, who), cents=_cents(form), authorisation=line_field(form, "authorisation")
    ),
    "receive": _received,
    "move": lambda form, who: f.JackpotMoved(
        **_entry(form, who),
        cents=_cents(form),
        to_table=line_field(form, "place"),
        to_layout=line_field(form, "layout"),
        authorisation=line_field(form, "authorisation"),
    ),
    "end": lambda form, who: f.JackpotEnded(
        **_entry(form, who),
        cents=_cents(form),
        paid_to=line_field(form, "place"),
        authorisation=line_field(form, "authorisation"),
    ),
    "correct": _corrected,
    "raise": lambda form, who: f.SeedRaised(
        **_entry(form, who), cents=_cents(form), authorisation=line_field(form, "authorisation")
    ),
    "replace": lambda form, who: f.ControllerReplaced(
        **_entry(form, who),
        old_ledger=line_field(form, "place"),
        old_batch=number_field(form, "batch"),
        old_hash=line_field(form, "hash"),
    ),
}
"""Every key by the last part of its address; a form of two signatures has ``by`` and ``second``."""
