package import FoundationEssentials
import NIOConcurrencyHelpers

/// What this client was told is finished, so that a batch that was under way meanwhile does not deliver it again.
package final class FinishedTransactions: Sendable {
    /// The oldest are forgotten; a batch is under way for milliseconds.
    static let maximum = 4096

    private struct State {
        var revisions: [UUID: UInt64] = [:]
        var order: [UUID] = []
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    package func insert(_ id: UUID, removedAt revision: UInt64) {
        state.withLockedValue { state in
            guard state.revisions.updateValue(revision, forKey: id) == nil else {
                return
            }
            state.order.append(id)
            if state.order.count > Self.maximum {
                state.revisions[state.order.removeFirst()] = nil
            }
        }
    }

    /// Whether the transaction was finished by a change after `revision`.
    func contains(_ id: UUID, after revision: UInt64) -> Bool {
        state.withLockedValue { state in
            state.revisions[id].map { $0 > revision } ?? false
        }
    }
}
