"""What the visor of a carrusel's member shows (CAN-9): the prize of all tables, and never a guess.

Table 2 starts at 10,000.00; with two more tables the prize is 30,000.00.
"""

from __future__ import annotations

from msgspec.structs import replace
from support.carrusel import Member, open_member, paid
from support.table import FOUR_SEVENS, canarias

from jackpot.console.desk import CarruselStatus, DeskStatus
from jackpot.law.policies import LinkLost, Policies
from jackpot.law.terms import AwardedHand
from jackpot.law.words import Language
from jackpot.table import facts as f
from jackpot.visor.sign_text import Shape, sign_pages
from jackpot.visor.state import VisorState, visor_state

EURO = 100_000_000
TOTAL = 30_000 * EURO
SEED = 10_000 * EURO


def shown(
    table: Member,
    total: int | None = TOTAL,
    *,
    decision: int = 0,
    pending: tuple[str, ...] = (),
) -> VisorState:
    heard = CarruselStatus(total, pending, linked=True, decision=decision)
    return visor_state(table.state, DeskStatus(ready=True, carrusel=heard))


def share(table: str, deducted: int, seed: int = 0) -> f.CarruselShare:
    return f.CarruselShare(table, SEED, SEED, deducted, seed_microcents=seed)


def locked() -> Member:
    table = open_member()
    table.hand(3)
    return table.lock_on(TOTAL)


def test_CAN_9_a_member_shows_the_prize_and_what_each_award_of_it_would_be() -> None:
    visor = shown(open_member())
    assert visor.amount_cents == 3_000_000
    assert [line.cents for line in visor.awards] == [3_000_000, 300_000, 150_000]
    assert visor.carrusel == "norte"
    assert not visor.unlinked


def test_until_the_join_is_answered_the_own_meter_is_shown() -> None:
    table = Member()
    table.start().open()
    table.ask()
    visor = shown(table)
    assert (visor.amount_cents, visor.carrusel, visor.unlinked) == (1_000_000, "", False)


def test_from_the_lock_to_the_decision_the_view_is_shown_whatever_others_bet() -> None:
    table = locked()
    assert shown(table, TOTAL + 500 * EURO).amount_cents == 3_000_000
    table.declare(box3=FOUR_SEVENS)
    assert shown(table, TOTAL + 500 * EURO).amount_cents == 3_000_000
    table.confirm()
    assert shown(table, TOTAL + 500 * EURO).amount_cents == 3_000_000
    assert shown(table).pending


def test_an_award_decided_elsewhere_meanwhile_leaves_less_of_the_view() -> None:
    """10 % of 30,000.00 went to table 1; then 400.00 were bet. Only 27,000.00 of the view are left."""
    table = locked()
    table.decided(share("1", 1_500 * EURO), share("2", 1_500 * EURO), table="1", hand=4)
    assert shown(table, 27_400 * EURO, decision=1).amount_cents == 2_700_000


def test_a_hand_is_owed_what_a_royal_flush_elsewhere_has_left_restarts_included() -> None:
    """Tables 1 and 2 gave their 10,000.00 and began anew at 10,000.00; table 3 has only given."""
    table = locked()
    table.decided(
        share("1", SEED, SEED),
        share("2", SEED, SEED),
        share("3", SEED),
        table="1",
        hand=4,
        restart=True,
    )
    assert shown(table, 20_000 * EURO, decision=1).amount_cents == 2_000_000


def test_a_total_without_the_decision_that_was_applied_is_not_shown() -> None:
    table = open_member()
    table.decided(share("1", 1_500 * EURO), share("2", 1_500 * EURO), table="1", hand=4)
    assert shown(table, decision=0).amount_cents is None
    assert shown(table, 27_000 * EURO, decision=1).amount_cents == 2_700_000


def test_after_the_decision_the_new_total_is_shown_beside_the_hit() -> None:
    table = locked()
    table.declare(box3=FOUR_SEVENS).confirm()
    table.decided(
        share("1", 750 * EURO),
        share("2", 750 * EURO),
        payments=(paid(3, AwardedHand.FOUR_OF_A_KIND, 150_000),),
    )
    visor = shown(table, 28_500 * EURO, decision=1)
    assert visor.amount_cents == 2_850_000
    assert [hit.cents for hit in visor.hits] == [150_000]
    assert not visor.pending


def test_CAN_9_a_claim_anywhere_is_pending_on_every_visor() -> None:
    assert not shown(open_member()).pending
    assert shown(open_member(), pending=("1",)).pending


def test_without_the_link_it_says_so_and_without_a_total_there_are_dashes() -> None:
    table = open_member(canarias(Policies(link_lost=LinkLost.QUEUE)))
    table.play(f.CarruselLinkLost())
    visor = shown(table)
    assert visor.unlinked
    assert visor.amount_cents == 3_000_000
    assert shown(table, None).amount_cents is None
    assert visor_state(table.state, DeskStatus(ready=True)).amount_cents is None


def test_a_stopped_box_vouches_for_no_total() -> None:
    table = open_member()
    table.play(f.CarruselStopped(carrusel="norte", incarnation=1, why="two boxes"))
    assert shown(table).amount_cents is None


def test_a_table_that_has_left_shows_its_own_meter_again() -> None:
    table = open_member()
    table.play(f.CarruselLeaveAsked(by="J1", second="D1", why="season"))
    table.play(f.CarruselLeft(carrusel="norte", position=30))
    visor = shown(table)
    assert (visor.amount_cents, visor.carrusel) == (1_000_000, "")


def test_a_sign_names_the_carrusel_and_says_when_it_is_not_heard() -> None:
    shape = Shape(rows=2, columns=20, language=Language.ES)
    visor = shown(open_member())
    assert sign_pages(visor, shape) == (("  JACKPOT CARRUSEL  ", "   30.000,00 EUR    "),)
    lost = replace(visor, unlinked=True)
    assert sign_pages(lost, shape)[0][0] == "     SIN ENLACE     "
    nothing = replace(lost, amount_cents=None)
    assert sign_pages(nothing, shape) == (("     SIN ENLACE     ", "     - - - - -      "),)
