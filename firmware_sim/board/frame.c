#include "frame.h"

#include <string.h>

uint16_t frame_crc(const uint8_t *bytes, size_t n)
{
    uint16_t crc = 0xFFFF;
    for (size_t i = 0; i < n; i++) {
        crc = (uint16_t)(crc ^ (bytes[i] << 8));
        for (int bit = 0; bit < 8; bit++)
            crc = (uint16_t)((crc & 0x8000) ? (crc << 1) ^ 0x1021 : crc << 1);
    }
    return crc;
}

/* COBS: each zero becomes the distance to the next one. Below 255 bytes no group is ever full. */
static size_t cobs_write(const uint8_t *raw, size_t n, uint8_t *out)
{
    size_t code = 0, at = 1;
    for (size_t i = 0; i < n; i++) {
        if (raw[i] != 0) {
            out[at++] = raw[i];
        } else {
            out[code] = (uint8_t)(at - code);
            code = at++;
        }
    }
    out[code] = (uint8_t)(at - code);
    return at;
}

/* The inverse, in place; the length, or 0 if a distance points past the end. */
static size_t cobs_read(uint8_t *bytes, size_t n)
{
    size_t at = 0, i = 0;
    while (i < n) {
        size_t next = i + bytes[i];
        if (next > n)
            return 0;
        for (i++; i < next; i++)
            bytes[at++] = bytes[i];
        if (i < n)
            bytes[at++] = 0;
    }
    return at;
}

size_t frame_write(const struct frame *frame, uint8_t *out)
{
    uint8_t raw[FRAME_RAW];
    size_t n = FRAME_HEAD + frame->size;
    raw[0] = frame->version;
    raw[1] = frame->type;
    raw[2] = frame->seq;
    memcpy(raw + FRAME_HEAD, frame->payload, frame->size);
    uint16_t crc = frame_crc(raw, n);
    raw[n++] = (uint8_t)(crc & 0xFF);
    raw[n++] = (uint8_t)(crc >> 8);
    out[0] = 0;
    size_t size = 1 + cobs_write(raw, n, out + 1);
    out[size++] = 0;
    return size;
}

static bool take_apart(struct frame_reader *reader, struct frame *frame)
{
    size_t n = cobs_read(reader->raw, reader->size);
    if (n < FRAME_HEAD + FRAME_CRC || n > FRAME_RAW)
        return false;
    n -= FRAME_CRC;
    uint16_t crc = frame_crc(reader->raw, n);
    if (reader->raw[n] != (crc & 0xFF) || reader->raw[n + 1] != crc >> 8)
        return false;
    frame->version = reader->raw[0];
    frame->type = reader->raw[1];
    frame->seq = reader->raw[2];
    frame->size = n - FRAME_HEAD;
    memcpy(frame->payload, reader->raw + FRAME_HEAD, frame->size);
    return true;
}

bool frame_read(struct frame_reader *reader, uint8_t byte, struct frame *frame)
{
    if (byte != 0) {
        if (reader->size < sizeof reader->raw)
            reader->raw[reader->size++] = byte;
        else
            reader->overrun = true;
        return false;
    }
    bool whole = !reader->overrun && reader->size > 0 && take_apart(reader, frame);
    reader->size = 0;
    reader->overrun = false;
    return whole;
}
