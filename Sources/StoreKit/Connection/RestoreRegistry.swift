import Foundation
import TillModel

/// The restores that this process began, so that each is given exactly one end.
struct RestoreRegistry {
    /// How many ends of other processes' restores are remembered, for a call that turns out to have joined one.
    static let endsMaximum = 64

    /// How a restore ended: the error if it failed.
    typealias End = PaymentError?

    /// By the orders' own identities.
    private(set) var open: [UUID: RestoreOrder] = [:]
    private var ends: [(id: UUID, end: End)] = []
    /// Failures that only this process knows, and nobody was there to be told of.
    private var untold: [any Error] = []

    mutating func begin(_ order: RestoreOrder) {
        open[order.id] = order
    }

    /// The daemon runs the restore that was asked for, perhaps as another one. Orders of the same run have one end.
    ///
    /// - Parameter isHeard: Whether anybody is there to be told.
    /// - Returns: The end to be told, if the run has ended already.
    mutating func join(_ id: UUID, to run: UUID, isHeard: Bool) -> (order: RestoreOrder, end: End)? {
        guard var order = open[id] else {
            return nil
        }
        if let other = open.values.first(where: { $0.id != id && $0.run == run }) {
            open[id] = nil
            // Their end is the later order's too, which may not miss what was told between the two.
            open[other.id]?.tellings = max(order.tellings, other.tellings)
            return nil
        }
        order.run = run
        open[id] = order
        guard id != run, isHeard, let ended = ends.last(where: { $0.id == run }) else {
            return nil
        }
        open[id] = nil
        return (order, ended.end)
    }

    /// The daemon says that a restore has ended.
    ///
    /// - Parameter isHeard: Whether anybody is there to be told; until somebody is, the restore stays open.
    /// - Returns: What was asked for, if that is to be told.
    mutating func end(_ run: UUID, _ end: End, isHeard: Bool) -> RestoreOrder? {
        ends.append((run, end))
        if ends.count > Self.endsMaximum {
            ends.removeFirst()
        }
        // Its end may come before the answer that says that it runs.
        guard isHeard, let order = open[run] ?? open.values.first(where: { $0.run == run }) else {
            return nil
        }
        return open.removeValue(forKey: order.id)
    }

    /// A restore failed without a word of the daemon's.
    ///
    /// - Parameter isHeard: Whether anybody is there to be told; if not, it is kept for those who come.
    /// - Returns: Whether that is to be told.
    mutating func fail(_ id: UUID, _ error: any Error, isHeard: Bool) -> Bool {
        guard open.removeValue(forKey: id) != nil else {
            return false
        }
        if !isHeard {
            untold.append(error)
        }
        return isHeard
    }

    /// The failures that are still to be told.
    mutating func takeUntold() -> [any Error] {
        defer { untold = [] }
        return untold
    }
}
