#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

int till_open_beneath(int directory, const char *path, int flags, mode_t mode) {
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = (uint64_t)(unsigned int)(flags | O_CLOEXEC);
    how.mode = mode;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int till_set_access_list(int descriptor, const uint8_t *bytes, size_t count) {
    return fsetxattr(descriptor, "system.posix_acl_access", bytes, count, 0);
}

void till_begin_writing_out(int descriptor, int64_t offset, int64_t count) {
    (void)sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
}

// Debian 12's headers are older than the option.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int till_peer_process(int socket, pid_t number, bool *by_number) {
    int process = -1;
    socklen_t length = sizeof process;
    *by_number = false;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &process, &length) == 0) {
        return process;
    }
    if (errno != ENOPROTOOPT) {
        return -1;
    }
    *by_number = true;
    return (int)syscall(SYS_pidfd_open, number, 0);
}

int till_process_runs(int process) {
    // Readable once the process has ended.
    struct pollfd ended = {.fd = process, .events = POLLIN};
    int count;
    do {
        count = poll(&ended, 1, 0);
    } while (count < 0 && errno == EINTR);
    return count < 0 ? -1 : count == 0;
}

int till_forbid_dumps(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static void *run(void *body) {
    ((void (*)(void))body)();
    return NULL;
}

int till_detach_thread(void (*body)(void)) {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, run, (void *)body);
    return error != 0 ? error : pthread_detach(thread);
}

static sem_t stops;

static sigset_t stop_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    return set;
}

static void note_stop(int number) {
    (void)number;
    int before = errno;
    sem_post(&stops);
    errno = before;
}

static void set_stop_action(void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
}

void till_hold_stop_signals(void) {
    sigset_t set = stop_signals();
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sem_init(&stops, 0, 0);
    set_stop_action(note_stop);
}

void till_release_stop_signals(void) {
    sigset_t set = stop_signals();
    set_stop_action(SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void till_wait_for_stop_signal(void) {
    sigset_t set = stop_signals();
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    while (sem_wait(&stops) != 0) {
    }
}

typedef struct {
    pthread_mutex_t gate;
    sem_t ready;
} Probe;

static void *pass(void *argument) {
    Probe *probe = argument;
    // Sets up the thread's heap, which takes address space, too.
    free(malloc(1));
    sem_post(&probe->ready);
    pthread_mutex_lock(&probe->gate);
    pthread_mutex_unlock(&probe->gate);
    return NULL;
}

static int check_address_space(size_t bytes) {
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        return errno;
    }
    munmap(room, bytes);
    return 0;
}

int till_check_room(int threads, size_t bytes) {
    pthread_t *all = calloc((size_t)threads, sizeof *all);
    if (all == NULL) {
        return ENOMEM;
    }
    Probe probe = {.gate = PTHREAD_MUTEX_INITIALIZER};
    sem_init(&probe.ready, 0, 0);
    pthread_mutex_lock(&probe.gate);
    int count = 0;
    int error = 0;
    while (count < threads && error == 0) {
        error = pthread_create(&all[count], NULL, pass, &probe);
        count += error == 0;
    }
    for (int i = 0; i < count; i++) {
        while (sem_wait(&probe.ready) != 0) {
        }
    }
    if (error == 0) {
        error = check_address_space(bytes);
    }
    pthread_mutex_unlock(&probe.gate);
    while (count > 0) {
        pthread_join(all[--count], NULL);
    }
    sem_destroy(&probe.ready);
    free(all);
    return error;
}

locale_t till_begin_utf8(void) {
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    return utf8 == (locale_t)0 ? (locale_t)0 : uselocale(utf8);
}

void till_end_utf8(locale_t previous) {
    if (previous != (locale_t)0) {
        freelocale(uselocale(previous));
    }
}

void till_keep_freed_memory(int trim_threshold, int step) {
    mallopt(M_TRIM_THRESHOLD, trim_threshold);
    mallopt(M_TOP_PAD, step);
    // It is no longer raised to what is freed once either of these is set.
    mallopt(M_MMAP_THRESHOLD, trim_threshold);
}

void till_release_freed_memory(void) {
    malloc_trim(0);
}
