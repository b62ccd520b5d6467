import TillModel

/// The changes of a queue by one commit, so that observers of the queue need not read it.
struct QueueChanges: Sendable {
    /// Changes of one queue that are kept; if there are more, observers read them from the ledger.
    static let keptMaximum = 256

    /// A change as the change log holds it.
    indirect enum Change: Sendable {
        case transaction(TransactionRecord)
        case event(EventRecord)

        /// The key of the transaction, which has one place in the log; nil for an event.
        var key: Int64? {
            if case .transaction(let record) = self { record.key } else { nil }
        }

        func entry(identifiedBy numbering: LedgerNumbering) -> ObserverCursor.Entry {
            switch self {
            case .transaction(let record): ObserverCursor.Entry(record, identifiedBy: numbering)
            case .event(let record): ObserverCursor.Entry(record)
            }
        }

        /// An upper bound on its bytes on the wire.
        var weight: Int {
            switch self {
            case .transaction(let record): record.weight
            case .event(let record): record.event.weight
            }
        }

        var revision: UInt64 {
            switch self {
            case .transaction(let record): record.revision
            case .event(let record): record.revision
            }
        }
    }

    /// The revision before the commit.
    let after: UInt64
    private(set) var newest: UInt64
    /// Whether all changes are kept here.
    private(set) var isWhole = true
    /// In revision order, with the last change of a transaction that changed more than once.
    private(set) var kept: [Change] = []

    /// - Parameter first: The first revision of the commit.
    init(first: UInt64) {
        after = first - 1
        newest = first
    }

    /// Adds a revision for the queue's next change.
    mutating func advance(to revision: UInt64) {
        newest = revision
    }

    /// Keeps the transaction as the change of the newest revision.
    ///
    /// - Parameter isNew: Whether it has no place in the log yet.
    mutating func keep(_ transaction: TransactionRecord, isNew: Bool) {
        if !isNew, let index = kept.firstIndex(where: { $0.key == transaction.key }) {
            kept.remove(at: index)
        }
        keep(.transaction(transaction))
    }

    /// Keeps the event as the change of the newest revision.
    mutating func keep(_ event: EventRecord) {
        keep(.event(event))
    }

    /// Stops keeping changes, because the newest revision's is not kept here.
    mutating func keepNoMore() {
        isWhole = false
        kept = []
    }

    /// A transaction was updated without a change of the queue.
    mutating func updateSilently(_ transaction: TransactionRecord) {
        if let index = kept.firstIndex(where: { $0.key == transaction.key }) {
            kept[index] = .transaction(transaction)
        }
    }

    private mutating func keep(_ change: Change) {
        guard isWhole, kept.count < Self.keptMaximum else {
            return keepNoMore()
        }
        kept.append(change)
    }
}
