/// A system call of a daemon that fails: which, how, and the how manieth.
package struct IOFault: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, CaseIterable, Sendable {
        case EIO, ENOSPC, EMFILE, ENOMEM, EAGAIN
        /// Half of the bytes are written, as may happen to any write.
        case short
    }

    package var call: String
    package var kind: Kind
    /// Of its thread; for short writes, of the process. From 1.
    package var number: Int
    /// Whether all later ones fail, too.
    package var isSticky: Bool

    /// What fails how.
    static let kinds: [(call: String, kinds: [Kind])] = [
        ("pwrite64", [.EIO, .ENOSPC]), ("write", [.EIO, .ENOSPC]), ("fdatasync", [.EIO]), ("fsync", [.EIO]),
        ("ftruncate", [.EIO]), ("openat", [.EMFILE, .EIO]), ("rename", [.EIO, .ENOSPC]), ("accept4", [.EMFILE]),
        ("mmap", [.ENOMEM]), ("clone3", [.EAGAIN]), (shortCall, [.short]),
    ]

    /// All writes to files together, as the preloaded library counts them.
    static let shortCall = "writes"

    /// Without these a commit's outcome is unknown: a daemon that goes on after one has gone on too far.
    static let fatal: Set<String> = ["pwrite64", "fdatasync"]

    /// Where a program may end as if it was killed: neither Swift nor Dispatch can do without memory and threads.
    static let mayCrash: Set<String> = ["mmap", "clone3"]

    /// Looked at only while the daemon serves, because the dynamic loader makes them too; strace takes hold of it then.
    static let whileServing: Set<String> = ["accept4", "mmap", "clone3"]

    package var description: String {
        "\(call) \(kind.rawValue) at \(number)\(isSticky ? " and after" : "")"
    }

    /// The row of the figures that it belongs to.
    var family: String {
        "\(call) \(kind.rawValue)\(isSticky ? ", sticky" : "")"
    }

    /// For strace; nil when it cannot make it.
    var injection: String? {
        kind == .short ? nil : "error=\(kind.rawValue):when=\(number)\(isSticky ? "+" : "")"
    }
}
