import TillEngine
import TillModel

/// Where a transaction stands in its queue. One index over place, queue and revision serves all that ask for the
/// transactions that are at some places in the order of their changes.
package enum Place: Int, CaseIterable {
    /// Finished, and nothing about it is to be delivered.
    case left = 0
    /// In a final state, to be finished by the application.
    case ended = 1
    // Not in a final state: a place for each blocker, but one for both that wait for the user.
    case atProvider = 2
    case behindOtherPayment = 3
    case atUser = 4
    case atApproval = 5
    case atResolution = 6
    /// Finished, but no observer has acknowledged its revocation yet.
    case revoked = 7

    static let unfinished: [Place] = [
        .ended, .atProvider, .behindOtherPayment, .atUser, .atApproval, .atResolution,
    ]
    static let deliverable = unfinished + [.revoked]

    init(_ blocker: Blocker) {
        self =
            switch blocker {
            case .provider: .atProvider
            case .otherPayment: .behindOtherPayment
            case .authorization, .payerAction: .atUser
            case .approval: .atApproval
            case .resolution: .atResolution
            }
    }

    init(_ record: TransactionRecord) {
        if record.finishedAt != nil {
            self = record.isRevocationPending ? .revoked : .left
        } else if record.state.isFinal {
            self = .ended
        } else {
            self = record.blocker.map(Place.init) ?? .atProvider
        }
    }
}

extension [Place] {
    /// The places as a list for SQL.
    package var list: String {
        "(\(map { String($0.rawValue) }.joined(separator: ", ")))"
    }
}
