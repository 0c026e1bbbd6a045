/* Frames: COBS between zero bytes, a checksum at the end (docs/board.md, "Frames"). */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_HEAD = 3,         /* version, type, sequence number */
    FRAME_CRC = 2,
    FRAME_PAYLOAD = 187,    /* at most; the longest message has 156 */
    FRAME_RAW = FRAME_HEAD + FRAME_PAYLOAD + FRAME_CRC,
    FRAME_ENCODED = FRAME_RAW + 3   /* one code byte (below 254 bytes), a zero on either side */
};

struct frame {
    uint8_t version, type, seq;
    uint8_t payload[FRAME_PAYLOAD];
    size_t size;            /* of the payload */
};

/* Collects bytes until a zero; all fields 0 at the start. */
struct frame_reader {
    uint8_t raw[FRAME_RAW + 1];
    size_t size;
    bool overrun;           /* too long: nothing counts until the next zero */
};

/* CRC-16/IBM-3740: polynomial 1021, start FFFF, not reflected; "123456789" gives 29B1. */
uint16_t frame_crc(const uint8_t *bytes, size_t n);

/* Write a frame to out (room for FRAME_ENCODED bytes); its length. */
size_t frame_write(const struct frame *frame, uint8_t *out);

/* One more byte of the line: true when it completes a whole and right frame. */
bool frame_read(struct frame_reader *reader, uint8_t byte, struct frame *frame);

#endif
