// System calls that Swift's Glibc module does not have.
#ifndef TILL_SYSTEM_CALLS_H
#define TILL_SYSTEM_CALLS_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Opens what lies beneath the directory: no step of the path is a link, and none leads out (openat2(2)). The
// descriptor closes on exec. Gives -1 and errno on failure.
int till_open_beneath(int directory, const char *path, int flags, mode_t mode);

// Sets the access list of an open file, in the form that the kernel reads (acl(5), xattr(7)). Gives -1 and errno on
// failure.
int till_set_access_list(int descriptor, const uint8_t *bytes, size_t count);

// Begins to write a range of the file to the disk, so that a later fsync finds little to do. A hint: it cannot fail.
void till_begin_writing_out(int descriptor, int64_t offset, int64_t count);

// A descriptor of the process that connected the Unix socket, which closes on exec: by the kernel's own memory where it
// has SO_PEERPIDFD (Linux 6.5), else by the number, which may be another process's by now; `by_number` says which. Gives
// -1 and errno on failure.
int till_peer_process(int socket, pid_t number, bool *by_number);

// Gives 1 if the process of the descriptor still runs, 0 if it has ended (pidfd_open(2)), -1 and errno on failure.
int till_process_runs(int process);

// Keeps the process's memory out of core files and from other processes of its user (PR_SET_DUMPABLE, prctl(2)). Gives
// -1 and errno on failure.
int till_forbid_dumps(void);

// Runs the function on a thread of its own, for which nobody waits. Gives 0, or the error's number when there is none.
int till_detach_thread(void (*body)(void));

// Keeps SIGTERM and SIGINT, from now on, for till_wait_for_stop_signal: they wait in this thread and in all that it makes,
// and end nothing. To be called once, before the process has other threads.
void till_hold_stop_signals(void);

// Gives them their usual effect again, those included that have arrived.
void till_release_stop_signals(void);

// Returns once one of them has arrived. This thread takes them; others may do so, too.
void till_wait_for_stop_signal(void);

// Checks that the process can have so many more threads at the same time, and so many more bytes of address space beside
// them. Gives 0, or the error's number. The threads have ended when it returns.
int till_check_room(int threads, size_t bytes);

// Has each heap keep so many freed bytes at its end, hold all blocks of less than that, and grow by so many at a time,
// rather than give memory back to the system and ask for it again all the time (mallopt(3)).
void till_keep_freed_memory(int trim_threshold, int step);

// Gives the system the whole pages that are free within the heaps (malloc_trim(3)).
void till_release_freed_memory(void);

// Makes this thread's text UTF-8, whatever the process's locale is. Gives what till_end_utf8 needs to undo it.
locale_t till_begin_utf8(void);
void till_end_utf8(locale_t previous);

#endif
