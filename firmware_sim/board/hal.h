/* What the firmware asks of its microcontroller. One page to port: write these for your part.
 * Slots are numbered from 1; bit n - 1 of a mask belongs to slot n. */
#ifndef HAL_H
#define HAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many selectors are wired, 1 to BOARD_SLOTS. */
uint8_t hal_slots(void);

/* The number of this board, unlike every other's, for ever: a chip's unique id will do. */
uint64_t hal_serial(void);

/* Count this start in memory that survives power loss and give the new count, from 1. It must never
 * give a number twice: write first, read back, then return it. 0 if that memory fails. */
uint32_t hal_boot(void);

/* Whether the credit line of a slot's selector is active now (optocoupler conducting). */
bool hal_credit(uint8_t slot);

/* Whether the croupier's key is held down now. */
bool hal_button(void);

/* Let the selectors of these slots accept; inhibit the others. All must be inhibited in reset. */
void hal_gates(uint8_t open);

/* Light these lamps. */
void hal_lamps(uint16_t lit);

/* Send bytes to the host; must take FRAME_ENCODED bytes at once (a buffer and an interrupt). */
void hal_send(const uint8_t *bytes, size_t n);

#endif
