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

    mutating func begin(_ id: UUID) {
        open.insert(id)
    }

    /// The daemon runs the restore that was asked for as another one.
    ///
    /// - Returns: The end, if the other has ended already.
    mutating func join(_ id: UUID, to running: UUID) -> End? {
        guard id != running, open.remove(id) != nil, !open.contains(running) else {
            return nil
        }
        if let ended = ends.last(where: { $0.id == running }) {
            return .some(ended.end)
        }
        open.insert(running)
        return nil
    }

    /// - Returns: Whether this process waits for that end.
    mutating func end(_ id: UUID, _ end: End) -> Bool {
        ends.append((id, end))
        if ends.count > Self.endsMaximum {
            ends.removeFirst()
        }
        return open.remove(id) != nil
    }
}
