import TillModel

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
