/// Part of a queue's change log, as it was read at once.
struct ChangePage: Sendable {
    var entries: [ObserverCursor.Entry]
    /// Whether there was no more.
    var isLast: Bool
    /// The queue's revision then.
    var newest: UInt64
    /// What is made of the page for the wire, by the first observer that it is sent to.
    let encoding = EncodedOnce()

    /// - Parameters:
    ///   - found: In revision order; what fits into a frame is taken.
    ///   - limit: How many were asked for.
    init(_ found: [ObserverCursor.Entry], limit: Int, newest: UInt64) {
        entries = PageWeight.page(of: found) { $0.event?.weight ?? 0 }
        isLast = found.count < limit && entries.count == found.count
        self.newest = newest
    }

    /// A bound on the bytes that it takes on the wire.
    var weight: Int {
        entries.reduce(0) { $0 + ($1.event?.weight ?? 0) }
    }
}
