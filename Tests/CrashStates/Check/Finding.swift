package import TillInvariants

/// A fault of a disk state.
package enum Finding: Hashable, Sendable, CustomStringConvertible {
    /// The daemon refuses to start on the state, or a process fails on it.
    case refused(String)
    /// SQLite finds the ledger damaged.
    case damaged(String)
    case broken(Violation)

    package var description: String {
        switch self {
        case .refused(let reason): "the daemon would not start: \(reason)"
        case .damaged(let reason): "the ledger is damaged: \(reason)"
        case .broken(let violation): "\(violation)"
        }
    }
}
