import Foundation
import TillModel

/// The restores that this process began, so that each is given exactly one end.
struct RestoreRegistry {
    /// How many ends of other processes' restores are remembered, for a call that turns out to have joined one.
    static let endsMaximum = 64

    /// How a restore ended: the error if it failed.
    typealias End = PaymentError?

    private(set) var open: [UUID: RestoreOrder] = [:]
    private var ends: [(id: UUID, end: End)] = []
    /// Failures that only this process knows, and nobody was there to be told of.
    private var untold: [any Error] = []

    mutating func begin(_ order: RestoreOrder) {
        open[order.id] = order
    }

    /// The daemon runs the restore that was asked for, perhaps as another one.
    ///
    /// - Parameter isHeard: Whether anybody is there to be told.
    /// - Returns: The end to be told, if the other has ended already.
    mutating func join(_ id: UUID, to running: UUID, isHeard: Bool) -> (order: RestoreOrder, end: End)? {
        open[id]?.isBegun = true
        guard id != running, let order = open.removeValue(forKey: id), open[running] == nil else {
            return nil
        }
        if isHeard, let ended = ends.last(where: { $0.id == running }) {
            return (order, ended.end)
        }
        open[running] = order
        return nil
    }

    /// The daemon says that a restore has ended.
    ///
    /// - Parameter isHeard: Whether anybody is there to be told; until somebody is, the restore stays open.
    /// - Returns: What was asked for, if that is to be told.
    mutating func end(_ id: UUID, _ end: End, isHeard: Bool) -> RestoreOrder? {
        ends.append((id, end))
        if ends.count > Self.endsMaximum {
            ends.removeFirst()
        }
        return isHeard ? open.removeValue(forKey: id) : nil
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
