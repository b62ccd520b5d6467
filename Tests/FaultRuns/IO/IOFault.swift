import Glibc
import TillProviders

/// A failing system call of a daemon: its name, its error, and its number in the sequence of such calls.
package struct IOFault: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, CaseIterable, Sendable {
        case EIO, ENOSPC, EMFILE, ENOMEM, EAGAIN
        /// Half of the bytes are written, which POSIX permits for any write.
        case short
    }

    package var call: String
    package var kind: Kind
    /// The number of the call, from 1. strace counts for each thread; the preloaded library counts for the process.
    package var number: Int
    /// Whether all later calls fail, too.
    package var isSticky: Bool

    /// The failing calls, and the kinds of their failure.
    static let kinds: [(call: String, kinds: [Kind])] = [
        ("pwrite64", [.EIO, .ENOSPC]), ("write", [.EIO, .ENOSPC]), ("fdatasync", [.EIO]), ("fsync", [.EIO]),
        ("ftruncate", [.EIO]), ("openat", [.EMFILE, .EIO]), ("rename", [.EIO, .ENOSPC]), ("accept4", [.EMFILE]),
        ("mmap", [.ENOMEM]), (threads, [.EAGAIN]), (fileWrites, [.short, .EIO, .ENOSPC]),
    ]

    /// All writes to files of the state directory together.
    static let fileWrites = "file writes"
    /// Creations of threads by any thread: the system refuses them for the whole process.
    package static let threads = "threads"

    /// The calls that the preloaded library counts and makes fail for the whole process.
    static let preloaded: Set<String> = [fileWrites, threads]

    /// The calls whose failure leaves a commit's outcome unknown. The daemon must not continue after one.
    static let fatal: Set<String> = ["pwrite64", "fdatasync"]

    /// The calls whose failure leaves the content of the provider's record on the disk unknown.
    private static let fatalToRecord: Set<String> = ["pwrite64", "write", "fsync", fileWrites]

    /// Whether the daemon must not continue after a failure on files with these names.
    func isFatal(toFiles names: Set<String>) -> Bool {
        let isRecord = names.contains(SimulatedRecord.fileName)
        return Self.fatal.contains(call) || isRecord && kind != .short && Self.fatalToRecord.contains(call)
    }

    /// The calls after whose failure a program may crash: Swift and Dispatch cannot work without memory and threads.
    static let mayCrash: Set<String> = ["mmap", threads]

    /// The calls that strace injects only once the daemon serves, because the dynamic loader makes them too.
    static let whileServing: Set<String> = ["accept4", "mmap"]

    package var description: String {
        "\(call) \(kind.rawValue) at \(number)\(isSticky ? " and after" : "")"
    }

    /// The row of the figures to which the fault belongs.
    var family: String {
        "\(call) \(kind.rawValue)\(isSticky ? ", sticky" : "")"
    }

    /// The option for strace; nil for faults that the preloaded library causes.
    var injection: String? {
        Self.preloaded.contains(call) ? nil : "error=\(kind.rawValue):when=\(number)\(isSticky ? "+" : "")"
    }

    /// The error number for the preloaded library.
    var errorNumber: Int32 {
        switch kind {
        case .EIO: Glibc.EIO
        case .ENOSPC: Glibc.ENOSPC
        case .EAGAIN: Glibc.EAGAIN
        default: 0
        }
    }
}
