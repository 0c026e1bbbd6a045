"""The commands, their answers and their manual."""

import re
from pathlib import Path

import pytest

from firmware_sim.acceptor import Acceptor
from firmware_sim.bus import Bus, WireSetup
from firmware_sim.commands import COMMANDS, Console
from firmware_sim.identity import Identity

MANUAL = Path(__file__).parents[2] / "docs" / "simulator.md"


class FakeLine:
    is_plugged = True
    device = "/dev/pts/1"

    def plug(self) -> None:
        self.is_plugged, self.device = True, "/dev/pts/2"

    def unplug(self) -> None:
        self.is_plugged = False


@pytest.fixture
def console() -> Console:
    acceptors = [Acceptor(10 + box, Identity(serial=700_000 + box)) for box in range(1, 8)]
    return Console(Bus(acceptors, WireSetup(paced=False)), FakeLine(), token_position=1)


def enable(console: Console, box: int) -> None:
    volatile = console.bus.acceptors[box - 1].volatile
    volatile.mask, volatile.master_on, volatile.last_poll_ns = 0xFFFF, True, 0


def test_a_chip_goes_in_at_the_token_position_or_at_the_one_named(console: Console) -> None:
    enable(console, 3)
    assert console.execute("chip 3", 0) == {
        "ok": True,
        "box": 3,
        "position": 1,
        "accepted": True,
        "event": [1, 1],
        "counter": 1,
        "at_ns": 0,
    }
    assert console.execute("chip 3 2", 0)["event"] == [2, 1]
    assert console.execute("chip 3 5", 0)["event"] == [0, 1]  # no such coin: reject


def test_a_chip_into_an_inhibited_acceptor_is_returned_and_the_answer_says_so(
    console: Console,
) -> None:
    answer = console.execute("chip 3", 0)
    assert (answer["accepted"], answer["event"]) == (False, [0, 2])
    assert console.execute("counter 3", 0) == {
        "ok": True,
        "box": 3,
        "counter": 1,
        "inserted": 1,
        "accepted": 0,
        "rejected": 1,
        "frauds": 0,
    }


def test_nine_chips_before_any_poll(console: Console) -> None:
    enable(console, 3)
    answer = console.execute("events 3 9", 0)
    assert (answer["accepted"], answer["returned"], answer["counter"]) == (9, 0, 9)


def test_faults_jams_optos_and_their_clearing(console: Console) -> None:
    assert console.execute("fault 3 20", 0)["self_check"] == 20
    assert console.execute("clear 3", 0)["self_check"] == 0
    assert console.execute("fault 3 18 0", 0)["self_check"] == 0
    assert console.execute("fault 3 1 33", 0)["self_check"] == 33
    assert console.execute("clear 3", 0)["optos"] == 0
    assert console.execute("jam 3", 0) == {
        "ok": True,
        "box": 3,
        "self_check": 3,
        "optos": 1,
        "counter": 4,
    }
    assert console.execute("optos 3 2", 0)["optos"] == 2


def test_reset_and_replace_start_the_counter_at_0(console: Console) -> None:
    console.execute("fault 3 1", 0)
    assert console.execute("reset 3", 0)["counter"] == 0
    console.execute("fault 3 1", 0)
    answer = console.execute("replace 3", 0)
    assert (answer["serial"], answer["counter"]) == (701_003, 0)
    assert console.execute("reset 3 250", 0)["ok"]
    assert console.bus.acceptors[2].receive(bytes.fromhex("0d 00 01 fe f4"), 249_999_999) == []


def test_the_wire_of_one_box(console: Console) -> None:
    trouble = console.bus.troubles[2]
    console.execute("silent 3", 0)
    console.execute("mute 3", 0)
    assert (trouble.silent, trouble.mute) == (True, True)
    console.execute("speak 3", 0)
    assert (trouble.silent, trouble.mute) == (False, False)
    console.execute("late 3 40", 0)
    assert trouble.late_ns == 40_000_000
    console.execute("badsum 3", 0)
    assert trouble.bad_sums == 1
    console.execute("badsum 3 4", 0)
    assert trouble.bad_sums == 4


def test_the_models_options(console: Console) -> None:
    acceptor = console.bus.acceptors[2]
    console.execute("masks 3 1 nak", 0)
    assert acceptor.model.mask_lengths == {1}
    assert acceptor.model.wrong_mask_gets_nak
    console.execute("swap 3 on", 0)
    assert acceptor.model.swapped_events
    console.execute("busy 3 2", 0)
    console.execute("nak 3", 0)
    assert (acceptor.refusals.busy, acceptor.refusals.nak) == (2, 1)


def test_the_whole_wire(console: Console) -> None:
    assert console.execute("noise 0.01", 0) == {"ok": True, "noise": 0.01}
    assert console.execute("drop 0.02", 0) == {"ok": True, "drop": 0.02}
    assert console.execute("glitch", 0)["inserts"] == "00 00 01 01 fe"
    assert console.execute("unplug", 0) == {"ok": True, "plugged": False}
    assert console.execute("plug", 0)["device"] == "/dev/pts/2"
    state = console.execute("state", 0)
    assert (state["noise"], state["drop"], state["glitch"]) == (0.01, 0.02, True)
    assert [slot["address"] for slot in state["slots"]] == [11, 12, 13, 14, 15, 16, 17]
    assert state["slots"][2]["starved"]


def test_quit_ends_it(console: Console) -> None:
    assert console.execute("quit", 0)["ok"]
    assert console.done


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("chop 3", "expected a command, found 'chop 3'; try help"),
        ("", "expected a command, found ''; try help"),
        ("chip", "expected `chip BOX [POSITION]`, found 'chip'"),
        ("chip 8", "expected a box 1 to 7, found '8'"),
        ("chip 0", "expected a box 1 to 7, found '0'"),
        ("chip three", "expected a box 1 to 7, found 'three'"),
        ("chip ²", "expected a box 1 to 7, found '²'"),
        ("chip 3 17", "expected a coin position 1 to 16, found '17'"),
        ("fault 3 256", "expected an error code 1 to 255, found '256'"),
        ("noise 2", "expected a probability 0 to 1, found '2'"),
        ("noise nan", "expected a probability 0 to 1, found 'nan'"),
        ("noise loud", "expected a probability 0 to 1, found 'loud'"),
        ("swap 3 yes", "expected on or off, found 'yes'"),
        ("masks 3 3", "expected 1, 2 or both, then perhaps nak; found ['3']"),
        ("late 3 60001", "expected milliseconds 0 to 60000, found '60001'"),
        ("events 3 601", "expected a number of chips 1 to 600, found '601'"),
    ],
)
def test_what_it_does_not_understand_is_said_and_changes_nothing(
    console: Console, text: str, error: str
) -> None:
    before = console.execute("state", 0)
    assert console.execute(text, 0) == {"ok": False, "error": error}
    assert console.execute("state", 0) == before


def test_help_names_every_command_and_the_manual_explains_it(console: Console) -> None:
    usages = console.execute("help", 0)["commands"]
    assert len(usages) == len(COMMANDS) == 29
    manual = MANUAL.read_text(encoding="utf-8")
    documented = re.findall(r"^\| `([^`]+)` \|", manual, flags=re.MULTILINE)
    assert [usage for usage in usages if usage.replace("|", "\\|") not in documented] == []
