"""Whether those on the list can sign together what one alone may not."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from jackpot.authority.enough import SIGNED_BY, Lacking, lacking
from jackpot.authority.roles import Role, may_act_as

CROUPIER, CHIEF, DIRECTOR = Role.CROUPIER, Role.TABLE_CHIEF, Role.GAMES_DIRECTOR
ALL = (Lacking.DAY, Lacking.AWARD, Lacking.ENTRIES)


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ([], ALL),
        ([DIRECTOR], ALL),
        ([CROUPIER, CROUPIER, CROUPIER], ALL),
        ([CROUPIER, Role.AUDITOR, Role.TECHNICIAN], ALL),
        ([CROUPIER, CHIEF], (Lacking.AWARD, Lacking.ENTRIES)),
        ([CHIEF, CHIEF, CHIEF], (Lacking.ENTRIES,)),
        ([CHIEF, DIRECTOR], (Lacking.AWARD,)),
        ([CROUPIER, CHIEF, DIRECTOR], ()),
        ([DIRECTOR, DIRECTOR, DIRECTOR], ()),
    ],
)
def test_CAN_3_1_what_cannot_be_signed_with_too_few_people(
    roles: list[Role], expected: tuple[Lacking, ...]
) -> None:
    assert lacking({f"o{n}": (role,) for n, role in enumerate(roles)}) == expected


def test_somebody_with_two_roles_is_still_one_person() -> None:
    assert lacking({"x": (CROUPIER, CHIEF, DIRECTOR), "c1": (CROUPIER,)}) == (
        Lacking.AWARD,
        Lacking.ENTRIES,
    )


def test_counting_finds_what_trying_every_arrangement_finds() -> None:
    for held in product(Role, repeat=4):
        officers = {f"o{n}": (role,) for n, role in enumerate(held)}
        for act, roles in SIGNED_BY.items():
            possible = any(
                all(may_act_as(officers, who, role) for who, role in zip(some, roles, strict=True))
                for some in permutations(officers, len(roles))
            )
            assert (act in lacking(officers)) is not possible


@pytest.mark.parametrize("act", Lacking)
def test_each_says_in_both_languages_what_to_do(act: Lacking) -> None:
    for language in ("es", "en"):
        assert act.text(language).endswith("`jackpot officers add`.")
