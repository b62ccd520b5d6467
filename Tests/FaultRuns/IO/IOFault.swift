import Glibc
import TillProviders

/// A system call of a daemon that fails: which, how, and the how manieth.
package struct IOFault: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, CaseIterable, Sendable {
        case EIO, ENOSPC, EMFILE, ENOMEM, EAGAIN
        /// Half of the bytes are written, as may happen to any write.
        case short
    }

    package var call: String
    package var kind: Kind
    /// Of its thread; for what the preloaded library does, of the process. From 1.
    package var number: Int
    /// Whether all later ones fail, too.
    package var isSticky: Bool

    /// What fails how.
    static let kinds: [(call: String, kinds: [Kind])] = [
        ("pwrite64", [.EIO, .ENOSPC]), ("write", [.EIO, .ENOSPC]), ("fdatasync", [.EIO]), ("fsync", [.EIO]),
        ("ftruncate", [.EIO]), ("openat", [.EMFILE, .EIO]), ("rename", [.EIO, .ENOSPC]), ("accept4", [.EMFILE]),
        ("mmap", [.ENOMEM]), (threads, [.EAGAIN]), (fileWrites, [.short, .EIO, .ENOSPC]),
    ]

    /// All writes to files of the state together.
    static let fileWrites = "file writes"
    /// The making of threads, of whichever thread: the system refuses all of a process alike.
    package static let threads = "threads"

    /// What the preloaded library counts and has fail, for the whole process.
    static let preloaded: Set<String> = [fileWrites, threads]

    /// Without these a commit's outcome is unknown: a daemon that goes on after one has gone on too far.
    static let fatal: Set<String> = ["pwrite64", "fdatasync"]

    /// After these nobody knows what is on the disk of the provider's record.
    private static let fatalToRecord: Set<String> = ["pwrite64", "write", "fsync", fileWrites]

    /// Whether a daemon that goes on has gone on too far, where files with these names failed.
    func isFatal(toFiles names: Set<String>) -> Bool {
        let isRecord = names.contains(SimulatedRecord.fileName)
        return Self.fatal.contains(call) || isRecord && kind != .short && Self.fatalToRecord.contains(call)
    }

    /// Where a program may end as if it was killed: neither Swift nor Dispatch can do without memory and threads.
    static let mayCrash: Set<String> = ["mmap", threads]

    /// The calls that strace sees only while the daemon serves, because the dynamic loader makes them too.
    static let whileServing: Set<String> = ["accept4", "mmap"]

    package var description: String {
        "\(call) \(kind.rawValue) at \(number)\(isSticky ? " and after" : "")"
    }

    /// The row of the figures that it belongs to.
    var family: String {
        "\(call) \(kind.rawValue)\(isSticky ? ", sticky" : "")"
    }

    /// For strace; nil for what the preloaded library does.
    var injection: String? {
        Self.preloaded.contains(call) ? nil : "error=\(kind.rawValue):when=\(number)\(isSticky ? "+" : "")"
    }

    /// For the preloaded library.
    var errorNumber: Int32 {
        switch kind {
        case .EIO: Glibc.EIO
        case .ENOSPC: Glibc.ENOSPC
        case .EAGAIN: Glibc.EAGAIN
        default: 0
        }
    }
}
