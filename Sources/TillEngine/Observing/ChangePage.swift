import FoundationEssentials
import NIOConcurrencyHelpers
package import TillModel

/// Part of a queue's change log, read at one time.
struct ChangePage: Sendable {
    /// The events for observers, in revision order.
    let events: [QueueEvent]
    /// The last revision in the page, even if its change is left out of the delivery; nil for an empty page.
    let revision: UInt64?
    /// Whether it reached the end of the log.
    let isLast: Bool
    /// The queue's revision when it was read.
    let newest: UInt64
    /// The revision up to which events were missing from the log when it was read.
    let floor: UInt64
    /// An upper bound on its bytes on the wire.
    let weight: Int
    /// The page's bytes for the wire, which the first observer that it is sent to encodes.
    let encoding = EncodedOnce()

    /// The identities of transactions that have left the queue.
    var removedTransactions: Set<UUID> {
        Set(events.compactMap { if case .removed(let transaction) = $0 { transaction.id } else { nil } })
    }

    /// - Parameters:
    ///   - found: In revision order; the page takes as many as fit into a frame.
    ///   - limit: How many were requested.
    ///   - floor: The queue's floor; 0 if the log is known to be complete after the requested revision.
    init(_ found: [ObserverCursor.Entry], limit: Int, newest: UInt64, floor: UInt64 = 0) {
        let entries = PageWeight.page(of: found) { $0.event?.weight ?? 0 }
        events = entries.compactMap(\.event)
        revision = entries.last?.revision
        isLast = found.count < limit && entries.count == found.count
        self.newest = newest
        self.floor = floor
        weight = events.reduce(0) { $0 + $1.weight }
    }
}

/// Bytes that several senders of the same message share: the first encodes them.
package final class EncodedOnce: Sendable {
    private let bytes = NIOLockedValueBox<[UInt8]?>(nil)

    init() {}

    /// The bytes, encoded by `encode` if there are none yet. Other senders wait for it, so it has to be fast.
    package func bytes<Failure: Error>(_ encode: () throws(Failure) -> [UInt8]) throws(Failure) -> [UInt8] {
        let made: Result<[UInt8], Failure> = bytes.withLockedValue { bytes in
            if let bytes {
                return .success(bytes)
            }
            return Result { () throws(Failure) in
                let made = try encode()
                bytes = made
                return made
            }
        }
        return try made.get()
    }
}

/// A batch on its way to an observer, which may share its bytes with other observers.
package struct OutgoingBatch: Sendable {
    package var batch: EventBatch
    /// Nil if no other observer gets it.
    var encoding: EncodedOnce?

    /// The batch's bytes, encoded once for all senders.
    package func bytes<Failure: Error>(
        _ encode: (EventBatch) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8] {
        guard let encoding else {
            return try encode(batch)
        }
        return try encoding.bytes { () throws(Failure) in try encode(batch) }
    }
}
