import FoundationEssentials

/// The changes that one sequence delivered within one run of a process.
struct ObservedSequence {
    enum Item {
        /// - asked: the time at which the process asked for the change.
        case delivered(Sighting, asked: UInt64)
        case removed(Sighting)
        case initialDeliveryEnded
        case restoreEnded(UUID, count: Int?)
    }

    /// The history, the run, and the number within the run.
    let name: String
    let history: Int
    let run: Int
    /// The time just before the sequence was read.
    let startedAt: UInt64
    private(set) var items: [Item] = []
    /// All sightings in order.
    private(set) var sightings: [(at: UInt64, sighting: Sighting)] = []
    /// The time at which the initial delivery was complete; nil if it was not.
    private(set) var initialDeliveryEndedAt: UInt64?
    /// The revisions in which the sequence must have seen every change: from the first live one to the last.
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
