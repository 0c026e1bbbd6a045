/* The firmware on a workbench: the same board.c as a program in virtual time. Each line of standard
 * input is one command, each is answered by one line: open gates, lit lamps, whether the command's
 * chip fell in, bytes sent ("-": none).
 *
 *   new SERIAL BOOTS SLOTS   another board, its memory of starts set
 *   on                       power lost and back
 *   wear 0|1                 the memory of starts fails, or works
 *   t MS                     time passes
 *   rx HEX                   bytes from the host
 *   chip SLOT MS FALL        a chip, now: through the open gate, and FALL ms later its pulse follows,
 *                            whatever the gate does then; or back to the player
 *   stack SLOT MS N          chips one behind the other, each with its own look at the gate
 *   line SLOT 0|1            hold the credit line
 *   key 0|1                  the croupier's key
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "frame.h"
#include "hal.h"

enum { GAP_MS = 30, INSIDE = 8, LINE_BYTES = 8192, SENT_BYTES = 64 * FRAME_ENCODED };

/* What a slot's selector does. A chip inside is past the gate: nothing gives it back. More than
 * INSIDE have no room, so the next one stays outside. */
struct selector {
    unsigned inside[INSIDE];    /* pulses to come, oldest first */
    unsigned falling_ms[INSIDE]; /* until each of them reaches the credit line */
    unsigned chips_inside;
    unsigned stacked, stacked_pulse_ms;
    unsigned left_ms, gap_ms;
    bool held;
};

static struct selector selectors[BOARD_SLOTS + 1];
static uint64_t serial = 1;
static uint32_t boots;
static uint8_t slots = BOARD_SLOTS, gates;
static uint16_t lamps;
static bool key, worn, fell_in;
static uint8_t sent[SENT_BYTES];
static size_t sent_size;

uint8_t hal_slots(void) { return slots; }
uint64_t hal_serial(void) { return serial; }
uint32_t hal_boot(void) { return worn ? 0 : ++boots; }
bool hal_credit(uint8_t slot) { return selectors[slot].held || selectors[slot].left_ms > 0; }
bool hal_button(void) { return key; }
void hal_gates(uint8_t open) { gates = open; }
void hal_lamps(uint16_t lit) { lamps = lit; }

void hal_send(const uint8_t *bytes, size_t n)
{
    if (sent_size + n > sizeof sent)
        exit(3);
    memcpy(sent + sent_size, bytes, n);
    sent_size += n;
}

/* The one look at the gate that a chip gets; what is answered here is what happens. */
static bool drop(uint8_t slot, unsigned pulse_ms, unsigned fall_ms)
{
    struct selector *selector = &selectors[slot];
    if (!(gates >> (slot - 1) & 1) || selector->chips_inside == INSIDE)
        return false;
    selector->falling_ms[selector->chips_inside] = fall_ms;
    selector->inside[selector->chips_inside++] = pulse_ms;
    return true;
}

static void start_pulse(struct selector *selector)
{
    selector->left_ms = selector->inside[0];
    selector->chips_inside--;
    size_t rest = selector->chips_inside * sizeof selector->inside[0];
    memmove(selector->inside, selector->inside + 1, rest);
    memmove(selector->falling_ms, selector->falling_ms + 1, rest);
}

static void run_selector(uint8_t slot)
{
    struct selector *selector = &selectors[slot];
    for (unsigned i = 0; i < selector->chips_inside; i++)
        if (selector->falling_ms[i] > 0)
            selector->falling_ms[i]--;
    if (selector->left_ms > 0) {
        if (--selector->left_ms == 0)
            selector->gap_ms = GAP_MS;
    } else if (selector->gap_ms > 0) {
        selector->gap_ms--;
    } else {
        if (selector->chips_inside == 0 && selector->stacked > 0) {
            selector->stacked--;
            drop(slot, selector->stacked_pulse_ms, 0);
        }
        if (selector->chips_inside > 0 && selector->falling_ms[0] == 0)
            start_pulse(selector);
    }
}

static void pass(unsigned long ms)
{
    while (ms-- > 0) {
        for (uint8_t slot = 1; slot <= slots; slot++)
            run_selector(slot);
        board_tick();
    }
}

static void receive(const char *hex)
{
    unsigned value;
    for (; sscanf(hex, "%2x", &value) == 1; hex += 2)
        board_byte((uint8_t)value);
}

static bool slot_from(unsigned long number, struct selector **selector)
{
    *selector = &selectors[number <= slots ? number : 0];
    return number >= 1 && number <= slots;
}

static bool obey(char *line)
{
    struct selector *selector;
    char *rest = line + strcspn(line, " \n");
    unsigned long first = strtoul(rest, &rest, 10), second = strtoul(rest, &rest, 10),
                  third = strtoul(rest, NULL, 10);
    if (strncmp(line, "t ", 2) == 0) {
        pass(first);
    } else if (strncmp(line, "rx ", 3) == 0) {
        receive(line + 3);
    } else if (strncmp(line, "chip ", 5) == 0 && slot_from(first, &selector)) {
        fell_in = drop((uint8_t)first, (unsigned)second, (unsigned)third);
    } else if (strncmp(line, "stack ", 6) == 0 && slot_from(first, &selector)) {
        selector->stacked += (unsigned)third;
        selector->stacked_pulse_ms = (unsigned)second;
    } else if (strncmp(line, "line ", 5) == 0 && slot_from(first, &selector)) {
        selector->held = second != 0;
    } else if (strncmp(line, "key ", 4) == 0) {
        key = first != 0;
    } else if (strncmp(line, "wear ", 5) == 0) {
        worn = first != 0;
    } else if (strncmp(line, "on", 2) == 0) {
        board_init();
    } else if (strncmp(line, "new ", 4) == 0) {
        if (third < 1 || third > BOARD_SLOTS)
            return false;
        serial = first;
        boots = (uint32_t)second;
        slots = (uint8_t)third;
        key = worn = false;
        memset(selectors, 0, sizeof selectors);
        board_init();
    } else {
        return false;
    }
    return true;
}

int main(void)
{
    static char line[LINE_BYTES];
    board_init();
    while (fgets(line, sizeof line, stdin) != NULL) {
        sent_size = 0;
        fell_in = false;
        if (!obey(line))
            return 2;
        printf("%u %u %d ", (unsigned)gates, (unsigned)lamps, fell_in);
        for (size_t i = 0; i < sent_size; i++)
            printf("%02x", (unsigned)sent[i]);
        puts(sent_size == 0 ? "-" : "");
        fflush(stdout);
    }
    return 0;
}
