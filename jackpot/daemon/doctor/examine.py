"""The whole examination, in the order in which a technician would go."""

from __future__ import annotations

from pathlib import Path

from jackpot.config import Config, ConfigErrors, load_config_file
from jackpot.config.coordinator import is_coordinator_file, load_coordinator_file
from jackpot.daemon.doctor.coordinator import coordinator_lines
from jackpot.daemon.doctor.link import link_lines
from jackpot.daemon.doctor.machine import Machine
from jackpot.daemon.doctor.outside import outside_lines
from jackpot.daemon.doctor.port import port_lines
from jackpot.daemon.doctor.report import How, Line
from jackpot.daemon.doctor.system import clock_line, disk_lines, record_lines, screen_lines
from jackpot.daemon.serial_line import LOCK_DIRECTORY
from jackpot.errors import Refused


def examine(
    path: Path, machine: Machine | None = None, locks: Path = LOCK_DIRECTORY
) -> tuple[Line, ...]:
    """Every line. A configuration that cannot be read still leaves the clock to look at."""
    machine = Machine() if machine is None else machine
    if is_coordinator_file(path):
        return _examine_coordinator(path, machine)
    config, lines = _config(path)
    lines.append(clock_line(machine))
    if config is None:
        return tuple(lines)
    if config.slots is not None:
        lines += port_lines(config.slots, machine, locks)
    place, set_up = config.ledger, "set the table up with `jackpot init`"
    lines += disk_lines(place.folder, place.disk_alarm_bytes, machine, set_up)
    lines += record_lines(config)
    lines += screen_lines(config.screens)
    lines += outside_lines(config, machine)
    if config.carrusel is not None:
        lines += link_lines(config.carrusel, config.table.number)
    return tuple(lines)


def _examine_coordinator(path: Path, machine: Machine) -> tuple[Line, ...]:
    name, clock = "configuration", clock_line(machine)
    try:
        config = load_coordinator_file(path)
    except ConfigErrors as errors:
        return (*_findings(name, errors), clock)
    found = f"coordinator {config.name} of carrusel {config.carrusel}, no findings"
    good = Line(name, How.OK, "no findings", found)
    return (good, clock, *coordinator_lines(config, machine))


def _findings(name: str, errors: ConfigErrors) -> list[Line]:
    return [
        Line(f"{name} {finding.path}", How.FAULT, finding.expected, finding.found, finding.to_do)
        for finding in errors.findings
    ]


def worst(lines: tuple[Line, ...]) -> How:
    """The worst of them."""
    found = {line.how for line in lines}
    return next((how for how in (How.FAULT, How.WARNING) if how in found), How.OK)


def _config(path: Path) -> tuple[Config | None, list[Line]]:
    name = "configuration"
    try:
        config = load_config_file(path)
    except ConfigErrors as errors:
        return None, _findings(name, errors)
    except Refused as refused:
        return None, [Line(name, How.FAULT, refused.expected, refused.found, refused.to_do)]
    return config, [Line(name, How.OK, "no findings", f"table {config.table.number}, no findings")]
