import Glibc

/// Whom the system's database knows by a name.
struct SystemNames: Sendable {
    var user: @Sendable (String) -> UInt32?
    var group: @Sendable (String) -> UInt32?

    /// The machine's own (getpwnam(3), getgrnam(3)). Only for one thread, as when the daemon starts.
    static let database = SystemNames(
        user: { unsafe getpwnam($0)?.pointee.pw_uid },
        group: { unsafe getgrnam($0)?.pointee.gr_gid }
    )
}
