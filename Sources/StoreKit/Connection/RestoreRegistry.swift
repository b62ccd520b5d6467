import Foundation
import TillModel

/// The restores that this process began, so that each is given exactly one end.
struct RestoreRegistry {
    /// How many ends of other processes' restores are remembered, for a call that turns out to have joined one.
    static let endsMaximum = 64

    /// How a restore ended: the error if it failed.
    typealias End = PaymentError?

    private(set) var open: Set<UUID> = []
    private var ends: [(id: UUID, end: End)] = []
    /// Failures that only this process knows, and nobody was there to be told of.
    private var untold: [any Error] = []

    mutating func begin(_ id: UUID) {
        open.insert(id)
    }

    /// The daemon runs the restore that was asked for as another one.
    ///
    /// - Parameter isHeard: Whether anybody is there to be told.
    /// - Returns: The end to be told, if the other has ended already.
    mutating func join(_ id: UUID, to running: UUID, isHeard: Bool) -> End? {
        guard id != running, open.remove(id) != nil, !open.contains(running) else {
            return nil
        }
        if isHeard, let ended = ends.last(where: { $0.id == running }) {
            return .some(ended.end)
        }
        open.insert(running)
        return nil
    }

    /// The daemon says that a restore has ended.
    ///
    /// - Parameter isHeard: Whether anybody is there to be told; until somebody is, the restore stays open.
    /// - Returns: Whether that is to be told.
    mutating func end(_ id: UUID, _ end: End, isHeard: Bool) -> Bool {
        ends.append((id, end))
        if ends.count > Self.endsMaximum {
            ends.removeFirst()
        }
        return isHeard && open.remove(id) != nil
    }

    /// A restore failed without a word of the daemon's.
    ///
    /// - Parameter isHeard: Whether anybody is there to be told; if not, it is kept for those who come.
    /// - Returns: Whether that is to be told.
    mutating func fail(_ id: UUID, _ error: any Error, isHeard: Bool) -> Bool {
        guard open.remove(id) != nil else {
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
