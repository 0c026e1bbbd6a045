/* The reference firmware of the slot board: seven parallel chip selectors, one serial line.
 * What it says and when is docs/board.md; what it needs of the hardware is hal.h.
 * A port calls board_init once after power-up, board_tick every millisecond, and board_byte for each
 * byte of the host, all from the main loop (none of them from an interrupt). */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

enum {
    BOARD_SLOTS = 7,            /* CAN-2.2 */
    BOARD_RING = 64,            /* events kept until acknowledged: nine a slot, while a disk is slow */
    BOARD_RING_HIGH = 56,       /* from here on no slot accepts: room for chips under way */
    BOARD_WINDOW = 16,          /* events in one answer: 112 bytes, 10 ms at 115200 baud */
    BOARD_DEBOUNCE_MS = 5,      /* a contact or a lamp's flash is shorter */
    BOARD_PULSE_MS = 20,        /* a selector's credit pulse is 50 to 200 ms long */
    BOARD_BLOCKED_MS = 500,     /* and never as long as this */
    BOARD_WATCHDOG_MS = 1000    /* without a POLL nobody is listening: close */
};

enum board_event { EVENT_CHIP = 1, EVENT_FAULT = 2, EVENT_BUTTON = 3 };

/* Codes of a fault: those of ccTalk part 3, table 2, so that people find one list. */
enum board_fault { FAULT_BLOCKED = 14, FAULT_TOO_FAST = 18 };

/* The self-test's answer for a slot: ccTalk part 3, table 3. */
enum board_test { TEST_CLEAN = 0, TEST_CREDIT_SENSOR = 3 };

enum board_message {
    MESSAGE_HELLO = 0x01,
    MESSAGE_POLL = 0x02,
    MESSAGE_SLOTS = 0x03,
    MESSAGE_LAMPS = 0x04,
    MESSAGE_SELF_TEST = 0x05,
    MESSAGE_ANSWER = 0x80,      /* added to the type that is answered */
    MESSAGE_REFUSED = 0xFF
};

enum board_refusal {
    REFUSED_VERSION = 1,        /* another protocol version */
    REFUSED_TYPE = 2,           /* a message that this version does not have */
    REFUSED_SIZE = 3,           /* a payload of another length */
    REFUSED_STRANGER = 4,       /* meant for another board, or for this one before its restart */
    REFUSED_NUMBER = 5          /* an acknowledgement of what was never sent */
};

void board_init(void);
void board_byte(uint8_t byte);
void board_tick(void);

#endif
