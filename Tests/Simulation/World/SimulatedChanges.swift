import TillClient
import TillEngine
import TillModel

/// A queue's changes over a simulated connection, read by the rules of the client library.
struct SimulatedChanges {
    private let visit: Visit
    private var reader: ChangeReader
    private var stream: BatchStream?
    private let window: Int
    private let batchSize: Int

    init(visit: Visit) {
        self.visit = visit
        window = visit.world.random.number(in: 1...4)
        reader = ChangeReader(cursor: nil, window: window)
        batchSize = [1, 2, 64][visit.world.random.below(3)]
    }

    mutating func next() async throws(TillError) -> Change? {
        while !Task.isCancelled {
            if let change = reader.next(excluding: visit.finished) {
                return change
            }
            do throws(TillError) {
                try await advance()
            } catch  where error.endsOnlyTheStream {
                lose(error)
            }
        }
        return nil
    }

    /// Ends the reading.
    func leave() {
        if let stream {
            stream.link.leave(stream)
        }
    }

    private mutating func advance() async throws(TillError) {
        guard let stream else {
            return try await attach()
        }
        if let revision = reader.acknowledgementDue {
            try await stream.acknowledge(revision)
            reader.acknowledged()
        }
        reader.read(try await stream.next())
    }

    private mutating func attach() async throws(TillError) {
        let now = visit.world.scheduler.now
        let link = try await visit.connector.link(until: reader.isConnected ? now : now + .seconds(3600))
        reader.attach(toLedger: visit.world.disk.durable.id)
        stream = link.observe(
            visit.shopper.queue,
            after: reader.cursor,
            resumesInitialDelivery: reader.resumesInitialDelivery,
            window: window,
            batchSize: batchSize
        )
    }

    private mutating func lose(_ error: TillError) {
        if let stream {
            visit.connector.drop(stream.link)
        }
        stream = nil
        reader.lose(error.message)
    }
}
