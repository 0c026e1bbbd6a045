"""The certificates that a configuration names, for `jackpot check-config`: are they good today?"""

from __future__ import annotations

from jackpot.config import Config
from jackpot.config.broker import TlsFiles
from jackpot.config.coordinator import CoordinatorConfig
from jackpot.daemon.clock import SystemClock
from jackpot.daemon.link.certificates import Holder, check_files, common_name, moment
from jackpot.errors import Refused
from jackpot.law.limits import Finding


def certificate_findings(config: Config | CoordinatorConfig) -> tuple[Finding, ...]:
    """Everything that keeps a broker or a cluster from believing this box."""
    if isinstance(config, CoordinatorConfig):
        name = common_name(Holder.COORDINATOR, config.name)
        log = None if config.nats is None else config.nats.tls
        return (*_of("broker", config.broker.tls, name), *_of("log", log, name))
    if config.carrusel is None:
        return ()
    return _of("carrusel", config.carrusel.broker.tls, config.table.number)


def _of(section: str, files: TlsFiles | None, name: str) -> tuple[Finding, ...]:
    if files is None:
        return ()
    try:
        check_files(files, name, moment(SystemClock().wall_ns()))
    except Refused as refused:
        path = f"{section}.tls_cert"
        return (Finding(path, refused.expected, refused.found, refused.to_do, refused.rule),)
    return ()
