/* An fsync that reports an error at its n-th call: FSYNC_FAIL is n, FSYNC_LOG a file that gets one line for each call,
 * "ok" or "failed" and the path of what was synced. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int calls;

int fsync(int descriptor)
{
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    const char *which = getenv("FSYNC_FAIL"), *log = getenv("FSYNC_LOG");
    int failing = which != NULL && ++calls == atoi(which);
    char place[64], path[4096];
    snprintf(place, sizeof place, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(place, path, sizeof path - 1);
    if (log != NULL && length > 0) {
        FILE *out = fopen(log, "ae");
        path[length] = 0;
        if (out != NULL) {
            fprintf(out, "%s %s\n", failing ? "failed" : "ok", path);
            fclose(out);
        }
    }
    if (failing) {
        errno = EIO;
        return -1;
    }
    return real(descriptor);
}
