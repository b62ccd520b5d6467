import Glibc

/// The names of users and groups in the system's database.
struct SystemNames: Sendable {
    var user: @Sendable (String) -> UInt32?
    var group: @Sendable (String) -> UInt32?

    /// The machine's database (getpwnam(3), getgrnam(3)). Only one thread may use it, as when the daemon starts.
    static let database = SystemNames(
        user: { unsafe getpwnam($0)?.pointee.pw_uid },
        group: { unsafe getgrnam($0)?.pointee.gr_gid }
    )
}
