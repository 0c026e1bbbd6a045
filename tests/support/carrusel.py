"""A member of a carrusel in memory: what its link would tell it, in short words."""

from __future__ import annotations

from jackpot.law.derivation import Line
from jackpot.law.terms import AwardedHand, Terms
from jackpot.table import facts as f
from jackpot.table import outcomes as o
from jackpot.table.carrusel_state import Membership
from support.table import CANARIAS, Table

NAME = "norte"


class Member(Table):
    """A table that its carrusel answers; decisions are numbered by hand in the tests."""

    def ask(self, carrusel: str = NAME) -> Member:
        """Table chief and director ask to join."""
        self.play(
            f.CarruselJoinAsked(by="J1", second="D1", carrusel=carrusel, authorisation="AUT-9")
        )
        return self

    def answered(self, *, position: int = 7, decision: int = 0, meter: int | None = None) -> Member:
        """The carrusel's log holds the join."""
        member = self.membership
        offered = member.offered_microcents if meter is None else meter
        self.play(
            f.CarruselJoined(
                carrusel=member.carrusel,
                incarnation=member.incarnation,
                position=position,
                decision=decision,
                meter_microcents=offered,
            )
        )
        return self

    def heard(self) -> Member:
        """The link is there, and a total to show."""
        self.play(f.CarruselLinkBack())
        return self

    def lock_on(self, total_microcents: int, *, position: int = 20, decision: int = 0) -> Member:
        """«No va más», drained, with what the visor shows."""
        self.play(f.LockPressed(by="C1", hand=self.number))
        self.play(
            f.CarruselViewed(
                position=position, decision=decision, total_microcents=total_microcents
            ),
            f.LockReached(unknown_boxes=()),
        )
        return self

    def decided(
        self,
        *shares: f.CarruselShare,
        decision: int = 1,
        table: str = "2",
        hand: int = 1,
        payments: tuple[f.CarruselPayment, ...] = (),
        restart: bool = False,
    ) -> Member:
        """A decision arrives; what it pays is the sum of its payments."""
        self.play(
            award(
                *shares,
                decision=decision,
                table=table,
                hand=hand,
                payments=payments,
                restart=restart,
            )
        )
        return self

    def undone(
        self,
        *shares: f.CarruselShare,
        decision: int,
        undoes: int,
        table: str = "2",
        hand: int = 1,
        restart: bool = False,
    ) -> Member:
        """A decision is taken back by another one."""
        self.play(
            f.CarruselUndone(
                carrusel=NAME,
                decision=decision,
                undoes=undoes,
                position=90 + decision,
                table=table,
                hand=hand,
                paid_cents=0,
                restart=restart,
                shares=shares,
                author="k1",
                entry_hash="00",
                signature="sig",
            )
        )
        return self

    @property
    def membership(self) -> Membership:
        """The present one; there must be one."""
        assert self.state.carrusel is not None
        return self.state.carrusel

    def told(self) -> o.CarruselOperation | None:
        """What the last batch told the carrusel: its last event, or nothing."""
        last = self.last[-1]
        return last if isinstance(last, o.CarruselOperation) else None


def award(
    *shares: f.CarruselShare,
    decision: int = 1,
    table: str = "2",
    hand: int = 1,
    payments: tuple[f.CarruselPayment, ...] = (),
    restart: bool = False,
) -> f.CarruselDecided:
    """A decision of the carrusel as a table hears it."""
    return f.CarruselDecided(
        carrusel=NAME,
        decision=decision,
        position=90 + decision,
        table=table,
        hand=hand,
        view_position=20,
        base_microcents=sum(share.base_microcents for share in shares),
        paid_cents=sum(payment.cents for payment in payments),
        restart=restart,
        shares=shares,
        payments=payments,
        derivation=(Line("CAN-9", "base.at_lock", (("base_microcents", 1),)),),
        author="k1",
        entry_hash="00",
        signature="sig",
    )


def paid(box: int, hand: AwardedHand, cents: int) -> f.CarruselPayment:
    """One payment of a decision."""
    return f.CarruselPayment(box=box, bet=1, hand=hand, rule="CAN-8.3", cents=cents)


def open_member(terms: Terms = CANARIAS) -> Member:
    """A member of the carrusel, open, between hands, its link there."""
    table = Member(terms)
    table.start().open()
    return table.ask().answered().heard()
