import Foundation
import TillModel

/// What the daemon does in the order in which the application asked for it: a restore brings again what was finished
/// before it.
enum QueueOrder: Sendable {
    case finish(UUID)
    case restore(UUID)
}

/// A restore that the application asked for.
struct RestoreOrder: Sendable {
    var id: UUID
    var applicationUsername: String?
    /// When it fails if it has not ended.
    var deadline: ContinuousClock.Instant
    /// How often the registry had told of transactions before.
    var tellings: Int
    /// The restore at the daemon that brings what was asked for; nil until the daemon has the order.
    var run: UUID?

    /// Whether the daemon has it.
    var isBegun: Bool {
        run != nil
    }

    /// Whether the transaction is one that the restore brings.
    func covers(_ transaction: Transaction) -> Bool {
        transaction.state == .restored
            && applicationUsername.map { $0 == transaction.payment.applicationUsername } ?? true
    }
}
