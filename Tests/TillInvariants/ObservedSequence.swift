import FoundationEssentials

/// What one sequence of changes delivered, within one run of a process.
struct ObservedSequence {
    enum Item {
        /// - asked: when the process asked for it.
        case delivered(Sighting, asked: UInt64)
        case removed(Sighting)
        case initialDeliveryEnded
        case restoreEnded(UUID, count: Int?)
    }

    /// The history, the run and the number within it.
    let name: String
    let history: Int
    let run: Int
    /// When it was about to be read.
    let startedAt: UInt64
    private(set) var items: [Item] = []
    /// Every sighting in order.
    private(set) var sightings: [(at: UInt64, sighting: Sighting)] = []
    /// When everything unfinished had been delivered, if it came to that.
    private(set) var initialDeliveryEndedAt: UInt64?
    /// The revisions in which it certainly saw every change: from the first live one to the last.
    private(set) var live: ClosedRange<UInt64>?

    init(name: String, history: Int, run: Int, startedAt: UInt64) {
        self.name = name
        self.history = history
        self.run = run
        self.startedAt = startedAt
    }

    mutating func append(_ item: Item, at time: UInt64) {
        items.append(item)
        switch item {
        case .delivered(let sighting, _), .removed(let sighting):
            see(sighting, at: time)
        case .initialDeliveryEnded:
            initialDeliveryEndedAt = initialDeliveryEndedAt ?? time
        case .restoreEnded:
            break
        }
    }

    private mutating func see(_ sighting: Sighting, at time: UInt64) {
        sightings.append((time, sighting))
        if initialDeliveryEndedAt != nil {
            let first = live?.lowerBound ?? sighting.revision
            live = first...max(first, live?.upperBound ?? 0, sighting.revision)
        }
    }
}
