import CSystemCalls
import Glibc
import TTRPC
package import TillModel

/// The process's settings for a program that handles money, applied before anything else.
package enum ProcessSetup {
    /// The signals on which Swift's runtime reports crashes.
    private static let crashSignals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]
    /// The signals that would end the process, and that no part of it handles.
    private static let ignoredSignals =
        [SIGPIPE, SIGXFSZ, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR, SIGSTKFLT]
        + (__libc_current_sigrtmin()...__libc_current_sigrtmax())
    /// The number of threads on any machine: the watchdog's test thread and the thread for stop signals; the threads of the
    /// ledger's writer, checkpointer and four readers and of the provider's record, each with a Dispatch queue, for which
    /// Dispatch may begin a second thread before the first is free again (of 98 starts on a busy machine, one had 17 threads
    /// and one 19; most had 13 or 14); and Dispatch's own three. Swift's pool works with fewer.
    private static let threadsOfProcess = 2 + 2 * 7 + 3
    /// The address space in addition to that of the threads: the daemon's maximum under attack.
    private static let roomBytes = 256 << 20
    /// The freed bytes that a heap keeps, and the bytes by which it grows. A group of commands needs an amount in between.
    private static let heapKeeps: CInt = 4 << 20
    private static let heapStep: CInt = 1 << 20

    /// Keeps memory out of crash reports, core files and other processes of the same user; ignores signals that would end
    /// the process; and prevents the heap from shrinking and growing with every commit.
    ///
    /// Swift's backtrace prints memory that registers point to. The environment turns it on before `main`, so this removes
    /// its signal handlers in any case.
    package static func harden() {
        for number in crashSignals {
            _ = signal(number, SIG_DFL)
        }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        // The limit does not apply to core files that are piped to a program (core(5)).
        _ = till_forbid_dumps()
        for number in ignoredSignals {
            _ = signal(number, SIG_IGN)
        }
        till_keep_freed_memory(heapKeeps, heapStep)
    }

    /// Checks that the daemon can have all its threads and memory. Call it before the process has other threads: libraries
    /// end the process without a message if they cannot create a thread.
    package static func checkRoom() throws(TillError) {
        let threads = threadsOfProcess + TTRPCServer.threadsMaximum
        let code = till_check_room(CInt(threads), roomBytes)
        guard code == 0 else {
            throw .systemCall(
                """
                The process needs another \(threads) threads and \(roomBytes >> 20) MiB of address space: raise its \
                limits (ulimit -u, ulimit -v, TasksMax=)
                """,
                errno: code
            )
        }
    }

    /// Returns the free memory within the heaps to the system. Otherwise each heap would keep its own peak permanently.
    static func releaseFreedMemory() {
        till_release_freed_memory()
    }

    /// Raises the limit of open files to the maximum that the system allows, and checks that it suffices.
    static func checkFileLimit(needed: Int) throws(TillError) {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0 else {
            throw .systemCall("Cannot read the limit of open files")
        }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(resource, &limit)
        guard limit.rlim_cur >= rlim_t(needed) else {
            throw TillError(
                .failedPrecondition,
                "The process may open \(limit.rlim_cur) files and needs \(needed): raise the limit (ulimit -n \(needed))."
            )
        }
    }
}
