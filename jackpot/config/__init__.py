"""The configuration of one table: strict TOML, every finding at once (``docs/operation.md``)."""

from jackpot.config.broker import BrokerConfig, CarruselConfig, MqttVersion, TlsFiles
from jackpot.config.findings import ConfigErrors, Finding, finding_text
from jackpot.config.load import load_config, load_config_file
from jackpot.config.recorded import table_minimums_cents
from jackpot.config.sections import (
    CasinoConfig,
    Config,
    LampsConfig,
    LedgerConfig,
    OtherLayout,
    ScreensConfig,
    SignConfig,
    SignKind,
    SlotsConfig,
    TableConfig,
)

__all__ = [
    "BrokerConfig",
    "CarruselConfig",
    "CasinoConfig",
    "Config",
    "ConfigErrors",
    "Finding",
    "LampsConfig",
    "LedgerConfig",
    "MqttVersion",
    "OtherLayout",
    "ScreensConfig",
    "SignConfig",
    "SignKind",
    "SlotsConfig",
    "TableConfig",
    "TlsFiles",
    "finding_text",
    "load_config",
    "load_config_file",
    "table_minimums_cents",
]
