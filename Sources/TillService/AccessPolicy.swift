/// Which users may use the daemon, whose account each pays from, and who may do more.
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
    /// Users besides the daemon's own who may look into all queues, and change what is in them. They may also approve.
    package var operators: Set<UInt32>
    /// Users besides the operators who answer for other accounts.
    package var approvers: Set<UInt32>

    package init(own: UInt32, others: Users = .none, operators: Set<UInt32> = [], approvers: Set<UInt32> = []) {
        self.own = own
        self.others = others
        self.operators = operators
        self.approvers = approvers
    }

    /// The account that the user pays from, or nil for a user who may not use the daemon.
    package func account(ofUser uid: UInt32) -> String? {
        isAllowed(uid) ? "uid:\(uid)" : nil
    }

    package func isOperator(_ uid: UInt32) -> Bool {
        uid == own || operators.contains(uid)
    }

    package func isApprover(_ uid: UInt32) -> Bool {
        isOperator(uid) || approvers.contains(uid)
    }

    private func isAllowed(_ uid: UInt32) -> Bool {
        switch others {
        case _ where isApprover(uid): true
        case .none: false
        case .some(let users): users.contains(uid)
        case .all: true
        }
    }
}
