import Foundation
import TillModel

/// Commands that the daemon must execute in the order of the application's calls: a restore delivers again the
/// transactions that were finished before it.
enum QueueCommand: Sendable {
    case finish(UUID)
    case restore(UUID)
}

/// A restore that the application requested.
struct PendingRestore: Sendable {
    var id: UUID
    var applicationUsername: String?
    /// When it fails unless it has ended.
    var deadline: ContinuousClock.Instant
    /// The registry's notification count when the restore was requested.
    var notificationCount: Int
    /// The id of the daemon's restore that serves this one; nil until the daemon has received it.
    var run: UUID?

    /// Whether the daemon has received it.
    var isBegun: Bool {
        run != nil
    }

    /// Whether the restore includes the transaction.
    func covers(_ transaction: Transaction) -> Bool {
        transaction.state == .restored
            && applicationUsername.map { $0 == transaction.payment.applicationUsername } ?? true
    }
}
