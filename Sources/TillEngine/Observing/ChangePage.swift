import NIOConcurrencyHelpers
package import TillModel

/// Part of a queue's change log, as it was read at once.
struct ChangePage: Sendable {
    /// What observers are sent, in revision order.
    let events: [QueueEvent]
    /// The last revision that it has something at, also where that is left out of the delivery; nil of an empty page.
    let revision: UInt64?
    /// Whether there was no more.
    let isLast: Bool
    /// The queue's revision then.
    let newest: UInt64
    /// The revision up to which events were missing from the log then.
    let floor: UInt64
    /// A bound on the bytes that it takes on the wire.
    let weight: Int
    /// What is made of the page for the wire, by the first observer that it is sent to.
    let encoding = EncodedOnce()

    /// - Parameters:
    ///   - found: In revision order; what fits into a frame is taken.
    ///   - limit: How many were asked for.
    ///   - floor: The queue's; 0 where all that follows what was asked for is known to be there.
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

/// Bytes that several senders of the same message share: the first makes them.
package final class EncodedOnce: Sendable {
    private let bytes = NIOLockedValueBox<[UInt8]?>(nil)

    init() {}

    /// The bytes, or those that `encode` makes if there are none yet. Others wait for it, so it has to be quick.
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

/// A batch on its way to an observer, whose bytes it may share with others that get the same.
package struct OutgoingBatch: Sendable {
    package var batch: EventBatch
    /// Nil where nobody else gets it.
    var encoding: EncodedOnce?

    /// The batch as bytes, by the one encoding that all senders use.
    package func bytes<Failure: Error>(
        _ encode: (EventBatch) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8] {
        guard let encoding else {
            return try encode(batch)
        }
        return try encoding.bytes { () throws(Failure) in try encode(batch) }
    }
}
