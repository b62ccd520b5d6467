import TillModel

/// What one commit has changed of a queue, so that those who follow the queue need not read it.
struct QueueChanges: Sendable {
    /// Changes of one queue that are kept; of more, observers read what they can take.
    static let keptMaximum = Observation.batchDefault - 1

    private enum Change {
        case transaction(TransactionRecord)
        case event(EventRecord)
    }

    private struct Kept {
        /// The transaction's; 0 for an event.
        var key: Int64
        var change: Change
    }

    /// The revision before the commit.
    let after: UInt64
    private(set) var newest: UInt64
    /// Whether all that changed is kept here.
    private(set) var isWhole = true
    /// In revision order: of a transaction that changed more than once, the last change.
    private var kept: [Kept] = []

    /// - Parameter first: The first revision of the commit.
    init(first: UInt64) {
        after = first - 1
        newest = first
    }

    /// The queue's next change comes.
    mutating func advance(to revision: UInt64) {
        newest = revision
    }

    /// The transaction is what the newest revision is about.
    mutating func keep(_ transaction: TransactionRecord) {
        kept.removeAll { $0.key == transaction.key }
        keep(Kept(key: transaction.key, change: .transaction(transaction)))
    }

    /// The event is what the newest revision is about.
    mutating func keep(_ event: EventRecord) {
        keep(Kept(key: 0, change: .event(event)))
    }

    /// The newest revision is about something that is not kept here.
    mutating func keepNoMore() {
        isWhole = false
        kept = []
    }

    /// A transaction has changed without a change of the queue.
    mutating func restate(_ transaction: TransactionRecord) {
        if let index = kept.firstIndex(where: { $0.key == transaction.key }) {
            kept[index].change = .transaction(transaction)
        }
    }

    private mutating func keep(_ change: Kept) {
        guard isWhole, kept.count < Self.keptMaximum else {
            return keepNoMore()
        }
        kept.append(change)
    }

    /// How many entries there are.
    var count: Int {
        kept.count
    }

    /// As the change log holds them, if all of it is kept.
    var entries: [ObserverCursor.Entry] {
        kept.map { kept in
            switch kept.change {
            case .transaction(let record): ObserverCursor.Entry(record)
            case .event(let record): ObserverCursor.Entry(record)
            }
        }
    }

    /// A bound on the bytes that it takes on the wire.
    var weight: Int {
        kept.reduce(0) { sum, kept in
            switch kept.change {
            case .transaction(let record): sum + record.weight
            case .event(let record): sum + record.event.weight
            }
        }
    }
}
