import FoundationEssentials
import TillModel

#if MUTANTS
    import Mutants
#endif

/// The effects of a commit that are applied once it is durable.
struct CommitEffects: Sendable {
    /// The changes of each queue, by its key.
    var changes: [Int64: QueueChanges] = [:]
    var charges: [ChargeJob] = []
    var restores: [RestoreRecord] = []
    var downloads: [DownloadJob] = []
    /// Downloads that have ended, or were restarted.
    var endedDownloads: [Int64] = []
    /// Whether a question for an authorisation agent came or went.
    var requestsChanged = false
    /// All settings that operators have changed, if this commit changed one.
    var settings: [String: String]?
    /// What is logged.
    var log: [CommitLog.Line] = []
}

/// The context of a command within a transaction: the rows, and the command's effects.
///
/// Every change of a queue is made through it, so that the change gets its place in the change log.
struct CommandContext {
    /// Events of a queue that are kept for observers that are away.
    static let eventsKept = 1000
    /// Entries of one kind that are kept of a transaction's history.
    static let historyKept = 50

    let ledger: any LedgerWriter
    /// This daemon's name among those that share the ledger; nil if it has the ledger alone.
    private let host: String?
    /// What is logged about transactions once it is durable; nil if that is not logged.
    private let log: CommitLog?
    /// Deliveries that are stored with the next change of their transaction.
    private let deliveries: DeliveryLog?
    /// The time of the command, to the millisecond.
    var now: Date
    var effects = CommitEffects()
    #if MUTANTS
        var isAnsweredEarly = false
    #endif

    init(
        ledger: any LedgerWriter,
        host: String? = nil,
        deliveries: DeliveryLog? = nil,
        log: CommitLog? = nil,
        now: Date
    ) {
        self.ledger = ledger
        self.host = host
        self.log = log
        self.deliveries = deliveries
        self.now = now
    }

    /// The queue of that name, created for its first command.
    func queue(_ name: QueueName) throws -> QueueRecord {
        if let queue = try ledger.queue(name) {
            return queue
        }
        return try ledger.createQueue(name)
    }

    /// Inserts or updates the transaction as the queue's next change: one without a revision is new. Its dates are
    /// rounded as the ledger stores them, so that observers get the stored values.
    @discardableResult
    mutating func save(_ transaction: consuming TransactionRecord) throws -> TransactionRecord {
        let isNew = transaction.revision == 0
        var saved = rounded(consume transaction)
        saved.revision = try nextRevision(ofQueue: saved.queue)
        if isNew {
            saved.key = try ledger.insert(saved)
        } else {
            try ledger.update(saved)
            try noteDeliveries(of: saved)
        }
        effects.changes[saved.queue]?.keep(saved, isNew: isNew)
        try log?.add(saved, ledger)
        return saved
    }

    /// Inserts downloads of a transaction that was saved in this commit.
    mutating func insert(_ downloads: [DownloadRecord], of transaction: inout TransactionRecord) throws {
        guard !downloads.isEmpty else {
            return
        }
        transaction.downloads = try downloads.map { download in
            var inserted = download
            inserted.key = try ledger.insert(download)
            return inserted
        }
        effects.changes[transaction.queue]?.updateSilently(transaction)
    }

    /// Updates the transaction without a change of the queue, so that observers are not notified. If they are notified of
    /// an earlier change in this commit, they get it with these values, rounded as the ledger stores them.
    mutating func updateSilently(_ transaction: TransactionRecord) throws {
        let updated = rounded(transaction)
        try ledger.update(updated)
        try noteDeliveries(of: updated)
        effects.changes[updated.queue]?.updateSilently(updated)
    }

    /// Stores a change of a transaction that the application may have finished: one that has left the queue is not
    /// delivered again.
    mutating func amend(_ transaction: TransactionRecord) throws {
        if transaction.finishedAt == nil {
            try save(transaction)
        } else {
            try updateSilently(transaction)
        }
    }

    private func rounded(_ transaction: consuming TransactionRecord) -> TransactionRecord {
        #if MUTANTS
            if Mutant.datesNotRounded.isPlanted {
                return transaction
            }
        #endif
        transaction.roundToMilliseconds()
        return transaction
    }

    /// Stores the download as the queue's next change.
    mutating func save(_ download: DownloadRecord) throws -> DownloadRecord {
        var saved = download
        saved.revision = try nextRevision(ofQueue: saved.queue)
        try ledger.update(saved)
        // Observers also get its progress, which the ledger does not have.
        effects.changes[saved.queue]?.keepNoMore()
        return saved
    }

    /// Appends an event as the queue's next change.
    mutating func append(_ kind: EventRecord.Kind, toQueue key: Int64, isPending: Bool = false) throws {
        let revision = try nextRevision(ofQueue: key)
        let event = EventRecord(queue: key, revision: revision, kind: kind, isPending: isPending)
        try ledger.insert(event)
        effects.changes[key]?.keep(event)
        try ledger.pruneEvents(ofQueue: key, keeping: Self.eventsKept)
    }

    /// Stores a charge, which is sent after the commit if it became open by this.
    ///
    /// - Parameter transaction: The transaction that it is for, as stored in this commit; nil for a renewal.
    @discardableResult
    mutating func save(
        _ charge: consuming ChargeRecord,
        of transaction: TransactionRecord? = nil,
        wasOpen: Bool = false
    ) throws -> ChargeRecord {
        var saved = consume charge
        if saved.key == 0 {
            saved.key = try ledger.insert(saved)
        } else {
            try ledger.update(saved)
        }
        if saved.state == .open, !wasOpen {
            effects.charges.append(ChargeJob(charge: saved, transaction: transaction))
        }
        return saved
    }

    /// Writes into a transaction's history.
    func note(
        _ key: Int64,
        kind: HistoryRecord.Kind = .change,
        by actor: String = HistoryRecord.daemon,
        _ detail: String
    ) throws {
        let entry = HistoryRecord(transactionKey: key, date: now, kind: kind, actor: actor, detail: detail)
        try ledger.append(entry, keeping: Self.historyKept)
        try log?.add(entry, ledger)
    }

    /// Writes an operator's action into a transaction's history.
    func note(_ key: Int64, by identity: OperatorIdentity, _ detail: String) throws {
        try note(key, by: String(user: identity.uid, host: host), detail)
    }

    /// Writes what the provider said into a transaction's history, unless the same is there already.
    ///
    /// - Returns: Whether it was not.
    func noteOnce(_ key: Int64, _ text: String) throws -> Bool {
        guard try !ledger.history(ofTransaction: key).contains(where: { $0.detail == text }) else {
            return false
        }
        try note(key, kind: .providerCall, text)
        return true
    }

    /// Writes a delivery of the transaction into its history.
    func note(_ key: Int64, _ delivery: DeliveryLog.Entry) throws {
        try ledger.append(HistoryRecord(delivery, ofTransaction: key), keeping: Self.historyKept)
    }

    private func noteDeliveries(of transaction: TransactionRecord) throws {
        for delivery in deliveries?.take(transaction.id) ?? [] {
            try note(transaction.key, delivery)
        }
    }

    /// Records an operator's action in the audit log, in the same commit as its effect.
    ///
    /// - Parameters:
    ///   - action: The method, for example `Refund`.
    ///   - subject: The object of the action, for example a transaction's identity.
    ///   - detail: The request, in a fixed form.
    /// - Throws: `invalidArgument` for a reason that is too long, which ``OperatorIdentity/validate()`` finds before.
    mutating func audit(_ action: String, subject: String, detail: String, by identity: OperatorIdentity) throws {
        try identity.validate()
        let link = AuditLink(
            after: try ledger.lastAudit(),
            date: now,
            host: host ?? "",
            action: action,
            subject: subject,
            detail: detail,
            by: identity
        )
        try ledger.append(link)
    }

    /// Stores a new restore, which runs after the commit.
    mutating func insert(_ restore: RestoreRecord) throws {
        try ledger.insert(restore)
        effects.restores.append(restore)
    }

    /// Gives the queue its next revision, for a change that the caller adds to ``CommitEffects/changes``.
    private mutating func nextRevision(ofQueue key: Int64) throws -> UInt64 {
        let revision = try ledger.advanceRevision(ofQueue: key)
        effects.changes[key, default: QueueChanges(first: revision)].advance(to: revision)
        return revision
    }

    /// Whether observers are notified of this commit's changes as if they had read them.
    func notifiesAsStored() -> Bool {
        effects.changes.allSatisfy { queue, changes in
            let limit = QueueChanges.keptMaximum + 1
            guard changes.isWhole,
                let records = try? ledger.transactions(in: queue, changedAfter: changes.after, limit: limit),
                let events = try? ledger.events(in: queue, after: changes.after, limit: limit)
            else {
                return true
            }
            // Any numbering distinguishes the keys.
            let stored =
                records.map { ObserverCursor.Entry($0, identifiedBy: .plain) } + events.map(ObserverCursor.Entry.init)
            return changes.kept.map { $0.entry(identifiedBy: .plain) } == stored.sorted { $0.revision < $1.revision }
        }
    }
}
