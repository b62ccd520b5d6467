/// Which users may use the daemon, and whose account each pays from.
///
/// A user is who the kernel says; nothing that a peer sends changes it.
package struct AccessPolicy: Hashable, Sendable {
    /// Users besides the daemon's own.
    package enum Users: Hashable, Sendable {
        case none
        case some(Set<UInt32>)
        case all
    }

    /// The user that the daemon runs as, who may always use it.
    package var own: UInt32
    package var others: Users

    package init(own: UInt32, others: Users = .none) {
        self.own = own
        self.others = others
    }

    /// The account that the user pays from, or nil for a user who may not use the daemon.
    package func account(ofUser uid: UInt32) -> String? {
        isAllowed(uid) ? "uid:\(uid)" : nil
    }

    private func isAllowed(_ uid: UInt32) -> Bool {
        switch others {
        case _ where uid == own: true
        case .none: false
        case .some(let users): users.contains(uid)
        case .all: true
        }
    }
}
