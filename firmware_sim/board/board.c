#include "board.h"

#include <string.h>

#include "frame.h"
#include "hal.h"

enum { VERSION = 1, FIRMWARE_MAJOR = 1, FIRMWARE_MINOR = 0, NAME_BYTES = 12, ADDRESS_BYTES = 12 };
enum { FLAG_WATCHDOG = 1, FLAG_BUTTON = 2, FLAG_FULL = 4 };

struct event {
    uint8_t source, kind, code;
    uint32_t count;
};

/* One input that bounces, and how long it has been active. */
struct input {
    bool active;
    uint8_t differing_ms;
    uint16_t active_ms;
};

/* Source 0 is the board itself (its key), source n slot n. */
static struct {
    uint32_t boot;
    uint32_t acked, last;                   /* event numbers; last - acked are in the ring */
    struct event ring[BOARD_RING];          /* event number e is at e % BOARD_RING */
    uint32_t count[BOARD_SLOTS + 1];        /* events of each source, also those without room */
    uint32_t count_acked[BOARD_SLOTS + 1];
    struct input input[BOARD_SLOTS + 1];
    uint8_t fault[BOARD_SLOTS + 1];         /* stands until a clean self-test */
    uint8_t wanted;                         /* open, if the host is to have its way */
    uint16_t lamps;
    uint16_t unheard_ms;                    /* since the last POLL */
    bool expired;                           /* the watchdog has closed the slots */
    bool heard;                             /* a sequence number is known */
    uint8_t seq;
    struct frame_reader reader;
} board;

/* ---- events ------------------------------------------------------------------------------- */

/* Without room an event is not kept, but counted: the host sees the gap, nobody guesses. */
static void happen(uint8_t source, uint8_t kind, uint8_t code)
{
    uint32_t count = ++board.count[source];
    if (board.last - board.acked >= BOARD_RING)
        return;
    struct event *event = &board.ring[++board.last % BOARD_RING];
    event->source = source;
    event->kind = kind;
    event->code = code;
    event->count = count;
}

static void forget_until(uint32_t number)
{
    while (board.acked != number) {
        const struct event *event = &board.ring[++board.acked % BOARD_RING];
        board.count_acked[event->source] = event->count;
    }
}

/* ---- inputs and outputs ------------------------------------------------------------------- */

static uint8_t bit(uint8_t slot)
{
    return (uint8_t)(1u << (slot - 1));
}

static uint8_t faulty_slots(void)
{
    uint8_t mask = 0;
    for (uint8_t slot = 1; slot <= hal_slots(); slot++)
        if (board.fault[slot] != TEST_CLEAN)
            mask |= bit(slot);
    return mask;
}

/* Slots whose credit line moves: a chip is under way. */
static uint8_t busy_slots(void)
{
    uint8_t mask = 0;
    for (uint8_t slot = 1; slot <= hal_slots(); slot++)
        if (board.input[slot].active || board.input[slot].differing_ms > 0)
            mask |= bit(slot);
    return mask;
}

static bool ring_is_high(void)
{
    return board.last - board.acked >= BOARD_RING_HIGH;
}

static uint8_t open_slots(void)
{
    return ring_is_high() ? 0 : (uint8_t)(board.wanted & ~faulty_slots());
}

/* True at the moment when a debounced input changes. */
static bool changed(struct input *input, bool now)
{
    if (input->active && input->active_ms < UINT16_MAX)
        input->active_ms++;
    input->differing_ms = now == input->active ? 0 : (uint8_t)(input->differing_ms + 1);
    if (input->differing_ms < BOARD_DEBOUNCE_MS)
        return false;
    input->differing_ms = 0;
    input->active = now;
    if (now)
        input->active_ms = 0;
    return true;
}

/* A credit is told when its pulse has ended, and also from a closed slot: the chip is in the box,
 * and what it counts for is the table's decision. */
static void watch_slot(uint8_t slot)
{
    struct input *input = &board.input[slot];
    if (changed(input, hal_credit(slot)) && !input->active) {
        if (input->active_ms < BOARD_PULSE_MS)
            happen(slot, EVENT_FAULT, FAULT_TOO_FAST);
        else if (input->active_ms <= BOARD_BLOCKED_MS)
            happen(slot, EVENT_CHIP, 1);
    } else if (input->active && input->active_ms == BOARD_BLOCKED_MS) {
        board.fault[slot] = TEST_CREDIT_SENSOR;
        happen(slot, EVENT_FAULT, FAULT_BLOCKED);
    }
}

/* ---- messages ----------------------------------------------------------------------------- */

static void put(struct frame *frame, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        frame->payload[frame->size++] = (uint8_t)(value >> (8 * i));
}

static uint64_t get(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

static void put_text(struct frame *frame, const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < NAME_BYTES; i++)
        put(frame, i < length ? (uint8_t)text[i] : 0, 1);
}

static void refuse(struct frame *answer, uint8_t why)
{
    answer->type = MESSAGE_REFUSED;
    answer->size = 0;
    put(answer, why, 1);
}

/* A host begins: every slot closes, and it learns who this is and what was acknowledged. */
static void answer_hello(struct frame *answer)
{
    board.wanted = 0;
    board.lamps = 0;
    put(answer, hal_serial(), 8);
    put(answer, board.boot, 4);
    put(answer, FIRMWARE_MAJOR, 1);
    put(answer, FIRMWARE_MINOR, 1);
    put(answer, hal_slots(), 1);
    put(answer, BOARD_RING, 1);
    put_text(answer, "open slots");
    put_text(answer, "reference");
    for (uint8_t source = 0; source <= hal_slots(); source++)
        put(answer, board.count_acked[source], 4);
}

static void answer_poll(struct frame *answer, uint32_t acked)
{
    /* An older number is a repetition; one that was never sent is a mistake. */
    if (acked - board.acked <= board.last - board.acked) {
        forget_until(acked);
    } else if (board.acked - acked > UINT32_MAX / 2) {
        refuse(answer, REFUSED_NUMBER);
        return;
    }
    put(answer, (board.expired ? FLAG_WATCHDOG : 0u) | (board.input[0].active ? FLAG_BUTTON : 0u)
                    | (ring_is_high() ? FLAG_FULL : 0u), 1);
    board.unheard_ms = 0;
    board.expired = false;
    put(answer, open_slots(), 1);
    put(answer, busy_slots(), 1);
    put(answer, faulty_slots(), 1);
    put(answer, board.acked, 4);
    put(answer, board.last, 4);
    for (uint8_t source = 0; source <= hal_slots(); source++)
        put(answer, board.count[source], 4);
    uint32_t held = board.last - board.acked;
    for (uint32_t i = 1; i <= held && i <= BOARD_WINDOW; i++) {
        const struct event *event = &board.ring[(board.acked + i) % BOARD_RING];
        put(answer, event->source, 1);
        put(answer, event->kind, 1);
        put(answer, event->code, 1);
        put(answer, event->count, 4);
    }
}

static void answer_self_test(struct frame *answer)
{
    for (uint8_t slot = 1; slot <= hal_slots(); slot++) {
        if (!board.input[slot].active)
            board.fault[slot] = TEST_CLEAN;
        put(answer, board.fault[slot], 1);
    }
}

/* Arguments of a message after the 12 bytes that say which board and start it is meant for. */
static int argument_bytes(uint8_t type)
{
    switch (type) {
    case MESSAGE_POLL: return 4;
    case MESSAGE_SLOTS: return 1;
    case MESSAGE_LAMPS: return 2;
    case MESSAGE_SELF_TEST: return 0;
    default: return -1;
    }
}

static void answer_addressed(const struct frame *asked, struct frame *answer)
{
    int n = argument_bytes(asked->type);
    if (n < 0) {
        refuse(answer, REFUSED_TYPE);
        return;
    }
    if (asked->size != (size_t)(ADDRESS_BYTES + n)) {
        refuse(answer, REFUSED_SIZE);
        return;
    }
    if (get(asked->payload, 8) != hal_serial() || get(asked->payload + 8, 4) != board.boot) {
        refuse(answer, REFUSED_STRANGER);
        return;
    }
    uint32_t argument = (uint32_t)get(asked->payload + ADDRESS_BYTES, n);
    switch (asked->type) {
    case MESSAGE_POLL:
        answer_poll(answer, argument);
        break;
    case MESSAGE_SLOTS:
        board.wanted = (uint8_t)(argument & ((1u << hal_slots()) - 1u));
        put(answer, open_slots(), 1);
        break;
    case MESSAGE_LAMPS:
        board.lamps = (uint16_t)argument;
        put(answer, board.lamps, 2);
        break;
    default:
        answer_self_test(answer);
    }
}

static void answer(const struct frame *asked)
{
    static struct frame answer;
    static uint8_t bytes[FRAME_ENCODED];
    answer.version = VERSION;
    answer.type = (uint8_t)(asked->type | MESSAGE_ANSWER);
    answer.seq = asked->seq;
    answer.size = 0;
    if (asked->version != VERSION)
        refuse(&answer, REFUSED_VERSION);
    else if (asked->type != MESSAGE_HELLO)
        answer_addressed(asked, &answer);
    else if (asked->size != 0)
        refuse(&answer, REFUSED_SIZE);
    else
        answer_hello(&answer);
    hal_send(bytes, frame_write(&answer, bytes));
}

/* ---- what a port calls -------------------------------------------------------------------- */

void board_init(void)
{
    memset(&board, 0, sizeof board);
    hal_gates(0);
    hal_lamps(0);
    board.boot = hal_boot();
}

void board_byte(uint8_t byte)
{
    static struct frame asked;
    if (!frame_read(&board.reader, byte, &asked))
        return;
    /* An older sequence number is a copy that comes late: what it asked for is out of date. */
    if (board.heard && asked.type != MESSAGE_HELLO && (uint8_t)(asked.seq - board.seq) >= 128)
        return;
    board.heard = true;
    board.seq = asked.seq;
    answer(&asked);
    hal_gates(open_slots());
    hal_lamps(board.lamps);
}

void board_tick(void)
{
    for (uint8_t slot = 1; slot <= hal_slots(); slot++)
        watch_slot(slot);
    if (changed(&board.input[0], hal_button()))
        happen(0, EVENT_BUTTON, board.input[0].active ? 1 : 0);
    if (board.unheard_ms < BOARD_WATCHDOG_MS) {
        board.unheard_ms++;
    } else if (board.wanted != 0 || board.lamps != 0) {
        board.wanted = 0;
        board.lamps = 0;
        board.expired = true;
    }
    hal_gates(open_slots());
    hal_lamps(board.lamps);
}
