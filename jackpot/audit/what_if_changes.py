"""What a what-if may change: policies about amounts, and the awards of a profile."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from jackpot.errors import Refused
from jackpot.law.policies import Policies
from jackpot.law.policy_texts import with_policy
from jackpot.law.profile import Profile
from jackpot.law.terms import Terms

ABOUT_AMOUNTS = (
    "base_of_hand",
    "below_royal",
    "equal_straight_flushes",
    "payable_unit",
    "seed_source",
    "config_change",
)
"""The policies that change what is paid, and nothing that people or slots do."""


@dataclass(frozen=True)
class Changes:
    """What differs: ``policies`` as ``name=value``, and the award rules of another profile."""

    policies: tuple[str, ...] = ()
    profile: Profile | None = None

    def check(self) -> None:
        """Raises ``Refused`` for a policy that is unknown, or that is not about amounts."""
        for setting in self.policies:
            name = setting.partition("=")[0].strip()
            with_policy(Policies(), setting)
            if name not in ABOUT_AMOUNTS:
                raise Refused(
                    reason="policy_about_people",
                    expected=f"a policy about amounts: {', '.join(ABOUT_AMOUNTS)}",
                    found=name,
                    to_do="nobody knows what players and staff would have done under it",
                )
        if self.profile is not None and not self.profile.award_shares_ppm:
            raise Refused(
                reason="profile_without_awards",
                expected="a profile with a table of awards",
                found=self.profile.id,
                to_do="add its awards to a copy of the profile, and name that file",
            )

    def terms(self, recorded: Terms) -> Terms:
        """The recorded terms with the changes; the authorised figures stay."""
        policies, profile = recorded.policies, self.profile
        if profile is not None:
            for name in ABOUT_AMOUNTS:
                own = "payable_unit_cents" if name == "payable_unit" else name
                policies = replace(policies, **{own: getattr(profile.policies, own)})
            recorded = replace(
                recorded,
                profile=profile.id,
                ace_low_in_straights=profile.ace_low_in_straights,
                award_shares_ppm=profile.award_shares_ppm,
                citations=profile.citations,
            )
        for setting in self.policies:
            policies = with_policy(policies, setting)
        return replace(recorded, policies=policies)
