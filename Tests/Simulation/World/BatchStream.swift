import TillEngine
import TillModel

/// Batches on their way from the daemon to a client, in order.
// One thread runs a simulation, so that nothing here is touched by two at once.
final class BatchStream: @unchecked Sendable {
    private static let acknowledgeTimeout = Duration.seconds(10)

    let link: Link
    /// The daemon's end.
    var observation: Observation?
    var task: Int?
    private var underWay: ArraySlice<EventBatch> = []
    private var arrived: ArraySlice<EventBatch> = []
    private var error: TillError?
    private var waiting: CheckedContinuation<Void, Never>?

    init(link: Link) {
        self.link = link
    }

    /// The next batch; heartbeats are none.
    func next() async throws(TillError) -> EventBatch {
        while true {
            if let batch = arrived.popFirst() {
                if !batch.events.isEmpty {
                    return batch
                }
            } else if let error {
                throw error
            } else {
                await withCheckedContinuation { waiting = $0 }
            }
        }
    }

    func acknowledge(_ revision: UInt64) async throws(TillError) {
        try await link.call(timeout: Self.acknowledgeTimeout) { (_) throws(TillError) in
            guard let observation = self.observation else {
                throw TillError(.notFound, "There is no such observer.")
            }
            observation.acknowledge(revision)
        }
    }

    func sent(_ batch: EventBatch) {
        underWay.append(batch)
    }

    func deliverNext() {
        if let batch = underWay.popFirst() {
            arrived.append(batch)
        }
        wake()
    }

    func end(_ error: TillError) {
        self.error = self.error ?? error
        wake()
    }

    private func wake() {
        waiting?.resume()
        waiting = nil
    }
}
