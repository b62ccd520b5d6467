import Foundation
import TillModel

/// The restores that this process began. It ensures that each ends exactly once.
struct RestoreRegistry {
    /// How many ends of other processes' restores are kept, for a call that turns out to have joined one.
    static let endsMaximum = 64

    /// The result of a restore: its error, or nil if it succeeded.
    typealias End = PaymentError?

    /// The restores that have not ended, by id.
    private(set) var open: [UUID: PendingRestore] = [:]
    private var ends: [(id: UUID, end: End)] = []
    /// Failures that only this process knows and that could not be reported because there were no observers.
    private var unreported: [any Error] = []

    mutating func begin(_ pending: PendingRestore) {
        open[pending.id] = pending
    }

    /// Records that the daemon runs the requested restore, possibly as part of another restore. Restores that share a
    /// run have one end.
    ///
    /// - Parameter hasObservers: Whether there are observers to notify.
    /// - Returns: The end to report, if the run has already ended.
    mutating func join(_ id: UUID, to run: UUID, hasObservers: Bool) -> (pending: PendingRestore, end: End)? {
        guard var pending = open[id] else {
            return nil
        }
        if let other = open.values.first(where: { $0.id != id && $0.run == run }) {
            open[id] = nil
            // Both share one end, which must not omit a transaction that was reported between the two requests.
            open[other.id]?.notificationCount = max(pending.notificationCount, other.notificationCount)
            return nil
        }
        pending.run = run
        open[id] = pending
        guard id != run, hasObservers, let ended = ends.last(where: { $0.id == run }) else {
            return nil
        }
        open[id] = nil
        return (pending, ended.end)
    }

    /// Records that the daemon ended a restore.
    ///
    /// - Parameter hasObservers: Whether there are observers to notify; without observers the restore stays open.
    /// - Returns: The restore whose end must be reported, if any.
    mutating func end(_ run: UUID, _ end: End, hasObservers: Bool) -> PendingRestore? {
        ends.append((run, end))
        if ends.count > Self.endsMaximum {
            ends.removeFirst()
        }
        // The end may arrive before the answer that says which run serves the restore.
        guard hasObservers, let pending = open[run] ?? open.values.first(where: { $0.run == run }) else {
            return nil
        }
        return open.removeValue(forKey: pending.id)
    }

    /// Records that a restore failed in this process, without an answer from the daemon.
    ///
    /// - Parameter hasObservers: Whether there are observers to notify; if not, the failure is kept for later observers.
    /// - Returns: Whether the failure must be reported now.
    mutating func fail(_ id: UUID, _ error: any Error, hasObservers: Bool) -> Bool {
        guard open.removeValue(forKey: id) != nil else {
            return false
        }
        if !hasObservers {
            unreported.append(error)
        }
        return hasObservers
    }

    /// Returns and removes the failures that are still to be reported.
    mutating func takeUnreported() -> [any Error] {
        defer { unreported = [] }
        return unreported
    }
}

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
