"""The configuration: strict, every finding at once, each with its place and its rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackpot.board.setup import BoardSetup
from jackpot.cctalk.setup import Echo
from jackpot.config import ConfigErrors, Finding, load_config, load_config_file
from jackpot.config.sections import KEYS, CctalkSetup
from jackpot.errors import Refused
from jackpot.law.policies import SeedSource
from jackpot.law.terms import AwardedHand, JackpotKind

SAMPLES = sorted((Path(__file__).parent.parent / "config").glob("*.toml"))

GOOD = """
profile = "canarias"

[casino]
name = "Casino de Ejemplo"
id = "casino.example"

[table]
number = "7"
minimum = "10.00"

[jackpot]
bet = "2.00"
percentage = "25"
seed = "10000.00"
authorisation = "2026/001"

[slots]
port = "/dev/ttyUSB0"

[ledger]
dir = "record"
"""


def findings(text: str) -> list[Finding]:
    """What is wrong with a configuration."""
    with pytest.raises(ConfigErrors) as caught:
        load_config(text)
    return list(caught.value.findings)


def places(text: str) -> list[tuple[str, str | None]]:
    """Where, and by which rule."""
    return [(finding.path, finding.rule) for finding in findings(text)]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_every_sample_in_config_is_valid(sample: Path) -> None:
    assert load_config_file(sample).terms.bet_cents > 0


def test_there_is_a_sample_for_each_kind_of_installation() -> None:
    assert [sample.name for sample in SAMPLES] == [
        "automatic-ceiling-reserve.toml",
        "automatic-signs.toml",
        "automatic.toml",
        "castilla-y-leon.toml",
        "fixed.toml",
        "galicia.toml",
        "manual.toml",
        "reversible-second-layout.toml",
    ]


def test_a_short_configuration_gets_the_documented_defaults() -> None:
    config = load_config(GOOD, Path("/srv/table"))
    assert config.terms.bet_cents == 200
    assert config.terms.jackpot_ppm == 250_000
    assert config.terms.seed_cents == 1_000_000
    assert config.terms.boxes == 7
    assert config.terms.second_signature_over_cents == 300_000
    assert config.origin == "casino.example/table-7-1"
    assert config.ledger.file == Path("/srv/table/record/table.ledger")
    assert config.ledger.checkpoint_interval_s == 3_600
    assert config.ledger.disk_alarm_bytes == 536_870_912
    assert config.slots is not None
    mechanism = config.slots.mechanism
    assert isinstance(mechanism, CctalkSetup)
    assert [(slot.box, slot.address) for slot in mechanism.slots] == [
        (1, 11), (2, 12), (3, 13), (4, 14), (5, 15), (6, 16), (7, 17),
    ]  # fmt: skip
    assert mechanism.line.echo is Echo.AUTO
    assert mechanism.line.baud == config.slots.baud == 9600
    assert mechanism.slots[0].coin_position is None
    assert config.screens.bind == "127.0.0.1"
    assert config.screens.session_timeout_s == 1_800


def test_the_whole_text_and_the_profile_are_kept_for_the_ledger() -> None:
    config = load_config(GOOD)
    assert config.text == GOOD
    assert 'id = "canarias"' in config.profile_text


def test_twelve_wrong_places_give_twelve_findings_at_once() -> None:
    text = """
profile = "canarias"
colour = "green"

[casino]
name = "Casino de Ejemplo"
id = "Casino!"

[table]
number = "7"
boxes = 8
minimum = "10.00"
minimum_from = "15.00"

[jackpot]
bet = "6.00"
percentage = 25
seed = "1000.00"

[policies]
base_of_hand = "at_noon"

[slots]
prot = "/dev/ttyUSB0"

[ledger]
dir = "record"

[screens]
bind = "0.0.0.0"
"""
    assert places(text) == [
        ("casino.id", None),
        ("table.boxes", "CAN-2.2"),
        ("jackpot.percentage", "CAN-8.b"),
        ("jackpot.authorisation", "CAN-8.b"),
        ("policies.base_of_hand", None),
        ("slots.port", None),
        ("slots.prot", None),
        ("colour", None),
        ("jackpot.bet", "CAN-8.1"),
        ("jackpot.seed", "CAN-8.b"),
        ("table.minimum", "CAN-6.1"),
        ("screens.bind", None),
    ]


def test_each_finding_says_expected_found_and_what_to_do() -> None:
    (finding,) = findings(GOOD.replace('bet = "2.00"', 'bet = "5.01"').replace("10000", "25050"))
    assert finding == Finding(
        path="jackpot.bet",
        expected="at most 5.00 €, 50 % of the table minimum",
        found="5.01 €",
        to_do="lower the jackpot bet or raise the table minimum",
        rule="CAN-8.1",
    )


def test_CAN_8_b_the_seed_is_at_least_5000_bets() -> None:
    assert places(GOOD.replace("10000.00", "9999.99")) == [("jackpot.seed", "CAN-8.b")]


def test_CAN_8_a_a_fixed_jackpot_is_at_least_10000_bets() -> None:
    fixed = GOOD.replace("[jackpot]", '[jackpot]\nkind = "fixed"').replace('"25"', '"0"')
    assert places(fixed) == [("jackpot.seed", "CAN-8.a")]
    assert load_config(fixed.replace("10000.00", "20000.00")).terms.kind is JackpotKind.FIXED


def test_CAN_6_1_the_minimum_stays_within_the_authorised_band() -> None:
    band = GOOD.replace('minimum = "10.00"', 'minimum = "10.00"\nminimum_to = "9.00"')
    assert places(band) == [("table.minimum", "CAN-6.1")]


def test_an_unreadable_figure_is_found_once_and_the_law_judges_the_rest() -> None:
    text = GOOD.replace('bet = "2.00"', 'bet = "2,00"').replace('"25"', '"0"')
    assert places(text) == [("jackpot.bet", "CAN-8.1"), ("jackpot.percentage", "CAN-8.b")]


@pytest.mark.parametrize("value", ["2.00", "2", '"2.0"', '"-2.00"', '"2,00"', '"1.000,00"', "true"])
def test_an_amount_is_a_string_with_two_decimals_and_never_a_float(value: str) -> None:
    assert places(GOOD.replace('bet = "2.00"', f"bet = {value}")) == [("jackpot.bet", "CAN-8.1")]


def test_an_unknown_key_is_named_with_the_key_that_was_meant() -> None:
    (finding,) = findings(GOOD + '\n[screens]\nlangauge = "es"\n')
    assert (finding.path, finding.to_do) == ("screens.langauge", "did you mean language?")


def test_a_missing_section_is_one_finding() -> None:
    assert places(GOOD.replace('[ledger]\ndir = "record"', "")) == [("ledger", None)]


def test_a_manual_table_needs_no_slots() -> None:
    manual = GOOD.replace("[jackpot]", '[jackpot]\nmode = "manual"')
    assert load_config(manual.replace('[slots]\nport = "/dev/ttyUSB0"', "")).slots is None


def test_an_automatic_table_without_slots_is_told_so() -> None:
    assert places(GOOD.replace('[slots]\nport = "/dev/ttyUSB0"', "")) == [("slots", None)]


def test_text_that_is_no_toml_names_the_line() -> None:
    (finding,) = findings("profile = canarias")
    assert finding.path == "(file)"
    assert "line 1" in finding.found


BOARD = GOOD.replace("[slots]", '[slots]\nmechanism = "board"')


def test_CAN_8_b2_the_slot_board_needs_nothing_but_its_port() -> None:
    config = load_config(BOARD, Path("/srv/table"))
    assert config.slots is not None
    assert config.slots.mechanism == BoardSetup(boxes=(1, 2, 3, 4, 5, 6, 7), baud=115_200)
    assert config.slots.port == Path("/dev/ttyUSB0")
    slower = load_config(BOARD.replace("[slots]", "[slots]\nbaud = 19200"))
    assert slower.slots is not None
    assert slower.slots.baud == 19_200


def test_what_only_acceptors_have_is_a_finding_with_the_board() -> None:
    text = BOARD.replace("[slots]", '[slots]\necho = "on"\naddresses = [11]')
    assert places(text) == [("slots.echo", "CAN-8.b2"), ("slots.addresses", "CAN-8.b2")]


def test_a_speed_that_the_board_does_not_have_is_a_finding() -> None:
    assert places(BOARD.replace("[slots]", "[slots]\nbaud = 1200")) == [("slots.baud", "CAN-8.b2")]


def test_fewer_boxes_need_fewer_addresses() -> None:
    five = GOOD.replace('number = "7"', 'number = "7"\nboxes = 5')
    config = load_config(five)
    assert config.slots is not None
    assert isinstance(config.slots.mechanism, CctalkSetup)
    assert config.slots.boxes == (1, 2, 3, 4, 5)
    assert [slot.address for slot in config.slots.mechanism.slots] == [11, 12, 13, 14, 15]
    seven = five.replace("[slots]", "[slots]\naddresses = [11, 12, 13, 14, 15, 16, 17]")
    assert places(seven) == [("slots.addresses", "CAN-8.b2")]


@pytest.mark.parametrize("addresses", ["[]", "[11, 11]", '["11"]', "[1]", "[18]", "11"])
def test_addresses_are_different_ones_that_ccTalk_knows(addresses: str) -> None:
    text = GOOD.replace("[slots]", f"[slots]\naddresses = {addresses}")
    assert [place for place, _ in places(text)] == ["slots.addresses"]


def test_PINs_never_cross_a_network_in_the_open() -> None:
    open_ = GOOD + '\n[screens]\nbind = "192.0.2.1"\n'
    assert places(open_) == [("screens.bind", None)]
    config = load_config(open_ + 'tls_cert = "cert.pem"\ntls_key = "key.pem"\n')
    assert config.screens.bind == "192.0.2.1"
    assert places(open_ + 'tls_cert = "cert.pem"\n') == [("screens.tls_key", None)]


def test_policies_are_the_profile_s_unless_written() -> None:
    text = GOOD.replace(
        "[slots]", '[policies]\nseed_source = "reserve"\npayable_unit = "0.50"\n\n[slots]'
    )
    policies = load_config(text).terms.policies
    assert (policies.seed_source, policies.payable_unit_cents) == (SeedSource.RESERVE, 50)


def test_a_profile_may_be_a_file_of_its_own(tmp_path: Path) -> None:
    packaged = load_config(GOOD).profile_text
    (tmp_path / "own.toml").write_text(packaged.replace('id = "canarias"', 'id = "own"'))
    config = load_config(GOOD.replace('"canarias"', '"own.toml"'), tmp_path)
    assert config.terms.profile == "own"
    assert places(GOOD.replace('"canarias"', '"none.toml"')) == [("profile", None)]
    assert places(GOOD.replace('"canarias"', '"andorra"')) == [("profile", None)]


def test_CYL_a_profile_without_awards_starts_only_with_its_own() -> None:
    text = GOOD.replace('"canarias"', '"castilla-y-leon"')
    assert [place for place, _ in places(text)] == ["jackpot.awards"]
    awards = text + '\n[jackpot.awards]\nroyal_flush = "100"\n'
    assert load_config(awards).terms.award_shares_ppm == {AwardedHand.ROYAL_FLUSH: 1_000_000}
    wrong = text + '\n[jackpot.awards]\nfull_house = "1"\n'
    assert "jackpot.awards" in [place for place, _ in places(wrong)]


def test_a_file_that_cannot_be_read_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        load_config_file(tmp_path / "none.toml")
    assert caught.value.reason == "config_unreadable"


def test_every_key_is_explained_in_the_manual() -> None:
    page = (Path(__file__).parent.parent / "docs" / "operation.md").read_text(encoding="utf-8")
    table = page[page.index("| section | key |") : page.index("A changed configuration")]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("|")]
    named = {word for row in rows[2:] for word in row[2].split("`")[1::2]}
    assert named == {key for keys in KEYS.values() for key in keys}
    sections = {word for row in rows[2:] for word in row[1].split("`")[1::2]}
    assert sections == set(KEYS)


def test_CAN_2_2_the_other_layout_is_read_from_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "second.toml").write_text(GOOD.replace("[table]", '[table]\nlayout = "2"'))
    text = GOOD.replace("[table]", '[table]\nother_layout = "second.toml"')
    config = load_config(text, tmp_path)
    assert config.other is not None
    assert (config.terms.layout, config.other.terms.layout) == ("1", "2")
    assert config.text.startswith(text)
    assert config.text.endswith((tmp_path / "second.toml").read_text())


@pytest.mark.parametrize("second", ["", "nothing = 1", GOOD, GOOD.replace('"7"', '"8"')])
def test_CAN_2_2_a_wrong_other_layout_is_a_finding(tmp_path: Path, second: str) -> None:
    if second:
        (tmp_path / "second.toml").write_text(second)
    text = GOOD.replace("[table]", '[table]\nother_layout = "second.toml"')
    with pytest.raises(ConfigErrors, match=r"second\.toml|layout"):
        load_config(text, tmp_path)
