/// Part of a queue's change log, as it was read at once.
struct ChangePage: Sendable {
    var entries: [ObserverCursor.Entry]
    /// Whether there was no more.
    var isLast: Bool
    /// The queue's revision then.
    var newest: UInt64
    /// The revision up to which events were missing from the log then.
    var floor: UInt64
    /// What is made of the page for the wire, by the first observer that it is sent to.
    let encoding = EncodedOnce()

    /// - Parameters:
    ///   - found: In revision order; what fits into a frame is taken.
    ///   - limit: How many were asked for.
    ///   - floor: The queue's; 0 where all that follows what was asked for is known to be there.
    init(_ found: [ObserverCursor.Entry], limit: Int, newest: UInt64, floor: UInt64 = 0) {
        entries = PageWeight.page(of: found) { $0.event?.weight ?? 0 }
        isLast = found.count < limit && entries.count == found.count
        self.newest = newest
        self.floor = floor
    }

    /// A bound on the bytes that it takes on the wire.
    var weight: Int {
        entries.reduce(0) { $0 + ($1.event?.weight ?? 0) }
    }
}
