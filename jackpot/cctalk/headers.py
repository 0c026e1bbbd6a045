"""The command headers of ccTalk that a table's host may meet (v4.7, part 2), by number and name."""

from __future__ import annotations

from enum import IntEnum


class Header(IntEnum):
    """A command header. The host sends few of them; all are named for logs and diagnoses."""

    FACTORY_SETUP = 255
    SIMPLE_POLL = 254
    ADDRESS_POLL = 253
    ADDRESS_CLASH = 252
    ADDRESS_CHANGE = 251
    ADDRESS_RANDOM = 250
    REQUEST_POLLING_PRIORITY = 249
    REQUEST_STATUS = 248
    REQUEST_MANUFACTURER_ID = 246
    REQUEST_EQUIPMENT_CATEGORY = 245
    REQUEST_PRODUCT_CODE = 244
    REQUEST_DATABASE_VERSION = 243
    REQUEST_SERIAL_NUMBER = 242
    REQUEST_SOFTWARE_REVISION = 241
    TEST_SOLENOIDS = 240
    READ_INPUT_LINES = 237
    READ_OPTO_STATES = 236
    LATCH_OUTPUT_LINES = 233
    PERFORM_SELF_CHECK = 232
    MODIFY_INHIBIT_STATUS = 231
    REQUEST_INHIBIT_STATUS = 230
    READ_BUFFERED_CREDIT = 229
    MODIFY_MASTER_INHIBIT = 228
    REQUEST_MASTER_INHIBIT = 227
    REQUEST_INSERTION_COUNTER = 226
    REQUEST_ACCEPT_COUNTER = 225
    MODIFY_SORTER_OVERRIDE = 222
    REQUEST_SORTER_OVERRIDE = 221
    REQUEST_OPTION_FLAGS = 213
    MODIFY_SORTER_PATHS = 210
    REQUEST_SORTER_PATHS = 209
    CALCULATE_ROM_CHECKSUM = 197
    REQUEST_CREATION_DATE = 196
    REQUEST_LAST_MODIFICATION_DATE = 195
    REQUEST_REJECT_COUNTER = 194
    REQUEST_FRAUD_COUNTER = 193
    REQUEST_BUILD_CODE = 192
    REQUEST_COIN_ID = 184
    REQUEST_BASE_YEAR = 170
    REQUEST_COMMS_REVISION = 4
    CLEAR_COMMS_STATISTICS = 3
    REQUEST_COMMS_STATISTICS = 2
    RESET_DEVICE = 1


class Reply(IntEnum):
    """The headers of replies (part 1, 7.8): all data comes under 0, as does a bare ACK."""

    ACK = 0
    NAK = 5
    BUSY = 6


COIN_ACCEPTOR = b"Coin Acceptor"
"""The exact answer to header 245 of the only kind of device that belongs in a slot."""

COIN_CHANNELS = 16
"""Coin positions 1 to 16: what a two-byte inhibit mask reaches (header 231)."""
