/* Records what a process does to the files of one folder, and can make the disk fail.
 *
 * Preloaded (LD_PRELOAD) below SQLite and Python alike. LOSS_FOLDER is the folder, LOSS_TRACE the
 * file that takes the records: five 64-bit numbers (operation, descriptor, offset, flags, length)
 * and then `length` bytes. powerloss_disk.py reads them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { START = 1, OPEN, CLOSE, WRITE, TRUNCATE, SYNC, UNLINK, RENAME, MARK };
enum { DESCRIPTORS = 1024 }; /* the default limit of open files */

static char ours[DESCRIPTORS];
static const char *folder;
static int trace = -1;
static long syncs_to_pass = -1; /* how many more syncs succeed; -1: all */
static long syncs_to_live = -1; /* the process ends at the sync after these; -1: never */
static long room = -1;          /* how many more bytes the disk takes; -1: any */
static int read_only;

#define REAL(name, type) \
    static __typeof__(type) real; \
    if (!real) real = (__typeof__(type))dlsym(RTLD_NEXT, name)

static void put(const void *bytes, size_t length) {
    const char *at = bytes;
    while (length > 0) {
        long done = syscall(SYS_write, trace, at, length);
        if (done <= 0) _exit(97);
        at += done;
        length -= (size_t)done;
    }
}

static void record(int64_t what, int64_t fd, int64_t offset, int64_t flags, const void *bytes,
                   size_t length) {
    int64_t head[5] = {what, fd, offset, flags, (int64_t)length};
    if (trace < 0) return;
    put(head, sizeof head);
    put(bytes, length);
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("LOSS_TRACE");
    folder = getenv("LOSS_FOLDER");
    if (!path || !folder) return;
    trace = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    record(START, 0, 0, 0, "", 0);
}

static int in_folder(const char *path) {
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_ours(int fd) { return fd >= 0 && fd < DESCRIPTORS && ours[fd]; }

/* ---- what the tests say ---------------------------------------------------------------------- */

void loss_mark(const char *text) { record(MARK, 0, 0, 0, text, strlen(text)); }
void loss_fail_syncs_after(long count) { syncs_to_pass = count; }
void loss_die_at_sync_after(long count) { syncs_to_live = count; }
void loss_room(long bytes) { room = bytes; }
void loss_read_only(int on) { read_only = on; }

/* ---- names ----------------------------------------------------------------------------------- */

static int opened(int fd, const char *path, int flags) {
    if (fd >= 0 && fd < DESCRIPTORS) {
        ours[fd] = (char)in_folder(path);
        if (ours[fd]) record(OPEN, fd, 0, flags, path, strlen(path));
    }
    return fd;
}

static int do_open(const char *name, const char *path, int flags, mode_t mode) {
    int (*call)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);
    if (read_only && in_folder(path) && (flags & (O_WRONLY | O_RDWR | O_CREAT))) {
        errno = EROFS;
        return -1;
    }
    return opened(call(path, flags, mode), path, flags);
}

#define MODE(flags, mode) \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = (mode_t)va_arg(rest, int); \
        va_end(rest); \
    }

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    MODE(flags, mode)
    return do_open("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    mode_t mode = 0;
    MODE(flags, mode)
    return do_open("open64", path, flags, mode);
}

int close(int fd) {
    REAL("close", int (*)(int));
    if (is_ours(fd)) {
        record(CLOSE, fd, 0, 0, "", 0);
        ours[fd] = 0;
    }
    return real(fd);
}

int unlink(const char *path) {
    REAL("unlink", int (*)(const char *));
    int result = real(path);
    if (result == 0 && in_folder(path)) record(UNLINK, 0, 0, 0, path, strlen(path));
    return result;
}

int rename(const char *from, const char *to) {
    REAL("rename", int (*)(const char *, const char *));
    int result = real(from, to);
    if (result == 0 && in_folder(from)) {
        record(RENAME, 0, 0, 0, from, strlen(from));
        record(RENAME, 0, 0, 1, to, strlen(to));
    }
    return result;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static int no_room(int fd, size_t length) {
    if (room < 0 || !is_ours(fd)) return 0;
    if ((long)length > room) {
        errno = ENOSPC;
        return 1;
    }
    room -= (long)length;
    return 0;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
    REAL("pwrite64", ssize_t (*)(int, const void *, size_t, off64_t));
    if (no_room(fd, length)) return -1;
    ssize_t done = real(fd, bytes, length, offset);
    if (done > 0 && is_ours(fd)) record(WRITE, fd, offset, 0, bytes, (size_t)done);
    return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
    return pwrite64(fd, bytes, length, offset);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    REAL("write", ssize_t (*)(int, const void *, size_t));
    if (no_room(fd, length)) return -1;
    ssize_t done = real(fd, bytes, length);
    if (done > 0 && is_ours(fd))
        record(WRITE, fd, lseek(fd, 0, SEEK_CUR) - done, 0, bytes, (size_t)done);
    return done;
}

ssize_t sendfile64(int to, int from, off64_t *offset, size_t length) {
    REAL("sendfile64", ssize_t (*)(int, int, off64_t *, size_t));
    if (!is_ours(to)) return real(to, from, offset, length);
    errno = EINVAL; /* the caller falls back on write, which is recorded */
    return -1;
}

int ftruncate64(int fd, off64_t size) {
    REAL("ftruncate64", int (*)(int, off64_t));
    int result = real(fd, size);
    if (result == 0 && is_ours(fd)) record(TRUNCATE, fd, size, 0, "", 0);
    return result;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int synced(int fd, int (*real)(int)) {
    if (is_ours(fd)) {
        if (syncs_to_live == 0) _exit(99);
        if (syncs_to_live > 0) syncs_to_live--;
        if (syncs_to_pass == 0) {
            record(SYNC, fd, 0, 1, "", 0);
            errno = EIO;
            return -1;
        }
        if (syncs_to_pass > 0) syncs_to_pass--;
    }
    int result = real(fd);
    if (result == 0 && is_ours(fd)) record(SYNC, fd, 0, 0, "", 0);
    return result;
}

int fsync(int fd) {
    REAL("fsync", int (*)(int));
    return synced(fd, real);
}

int fdatasync(int fd) {
    REAL("fdatasync", int (*)(int));
    return synced(fd, real);
}
