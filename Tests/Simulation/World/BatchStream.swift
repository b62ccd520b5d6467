import TillClient
import TillEngine
import TillModel

/// A stream of batches from the daemon to a client, in order.
// One thread runs the whole simulation, so no two threads access this.
final class BatchStream: ChangeStream, @unchecked Sendable {
    private static let acknowledgeTimeout = Duration.seconds(10)

    let session: Link
    /// The daemon's end of the stream.
    var observation: Observation?
    var task: Int?
    private var underWay: ArraySlice<EventBatch> = []
    private var arrived: ArraySlice<EventBatch> = []
    private var error: TillError?
    private var waiting: CheckedContinuation<Void, Never>?

    init(_ session: Link) {
        self.session = session
    }

    /// Returns the next batch with events, and skips heartbeats.
    func next(isolation actor: isolated (any Actor)?) async throws(TillError) -> EventBatch {
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
        try await session.call(timeout: Self.acknowledgeTimeout) { (_) throws(TillError) in
            guard let observation = self.observation else {
                throw TillError(.notFound, "The observer does not exist.")
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
