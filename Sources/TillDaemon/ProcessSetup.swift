import CSystemCalls
import Glibc
import TTRPC
package import TillModel

/// What a process that handles money sets before it does anything else.
package enum ProcessSetup {
    /// Those that Swift's runtime reports crashes on.
    private static let crashSignals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]
    /// Those that would end the process, and that nothing in it waits for.
    private static let ignoredSignals =
        [SIGPIPE, SIGXFSZ, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR, SIGSTKFLT]
        + (__libc_current_sigrtmin()...__libc_current_sigrtmax())
    /// Threads that are there whatever the machine is: the watchdog's test of threads, and that of stopping; the ledger's
    /// writer, its checkpointer and four readers, each with a queue of Dispatch; that of the provider's record; and
    /// Dispatch's own two. Swift's pool does with fewer.
    private static let threadsOfProcess = 11
    /// Address space beside the threads': what the daemon takes at most under attack.
    private static let roomBytes = 256 << 20
    /// Freed bytes that a heap keeps, and by how many it grows; what a group of commands needs at once lies between.
    private static let heapKeeps: CInt = 4 << 20
    private static let heapStep: CInt = 1 << 20

    /// Keeps memory out of crash reports, core files and other processes of the same user, signals from ending the
    /// process unasked, and the heap from shrinking and growing with every commit.
    ///
    /// Swift's backtrace prints memory that registers point to. Its environment says whether it does, before `main`; so
    /// its signal handlers are taken away, whatever that says.
    package static func harden() {
        for number in crashSignals {
            _ = signal(number, SIG_DFL)
        }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        // Where core files go to a program, the limit does not hold (core(5)).
        _ = till_forbid_dumps()
        for number in ignoredSignals {
            _ = signal(number, SIG_IGN)
        }
        till_keep_freed_memory(heapKeeps, heapStep)
    }

    /// Checks that there can be all threads and all memory that the daemon takes, to be called before it has others: what
    /// lies beneath it ends without a word if it gets no thread.
    package static func checkRoom() throws(TillError) {
        let threads = threadsOfProcess + TTRPCServer.threadsMaximum
        let code = till_check_room(CInt(threads), roomBytes)
        guard code == 0 else {
            throw .systemCall(
                """
                The process needs \(threads) threads and \(roomBytes >> 20) MiB of address space beside them; raise its \
                limits (ulimit -u, ulimit -v, TasksMax=)
                """,
                errno: code
            )
        }
    }

    /// Gives back what the heaps have free between what is in use. Each of the many has had its own peak, and would keep
    /// it for good.
    static func releaseFreedMemory() {
        till_release_freed_memory()
    }

    /// Raises the limit of open files to what the system allows, and checks that it is enough.
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
                "The process may open \(limit.rlim_cur) files and needs \(needed); raise the limit (ulimit -n \(needed))."
            )
        }
    }
}
