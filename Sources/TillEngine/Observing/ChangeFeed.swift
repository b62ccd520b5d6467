import TillModel

/// Reads queues' change logs for observers.
final class ChangeFeed: Sendable {
    let access: LedgerAccess
    let changes: ChangeSignal
    let pages: ChangePages
    let active: ActiveDownloads
    let deliveries: DeliveryLog
    let time: any TimeSource

    init(
        access: LedgerAccess,
        changes: ChangeSignal,
        pages: ChangePages,
        active: ActiveDownloads,
        deliveries: DeliveryLog,
        time: any TimeSource
    ) {
        self.access = access
        self.changes = changes
        self.pages = pages
        self.active = active
        self.deliveries = deliveries
        self.time = time
    }

    /// The queue, created if nobody has used it before, without what applications have finished in the ledger's database.
    func openQueue(_ name: QueueName) async throws(TillError) -> QueueRecord {
        let found = try await access.read { ledger in
            try ledger.queue(name).map { ($0, try !ledger.finishesInDatabase(inQueue: $0.key, limit: 1).isEmpty) }
        }
        if let (queue, hasFinishes) = found, !hasFinishes {
            return queue
        }
        return try await access.commit { context in
            let queue = try context.queue(name)
            try Finishing.followAll(inQueue: queue.key, &context)
            return .success(queue)
        }
    }

    /// Acknowledges everything up to the revision: events and revocations that were pending until then are no longer
    /// delivered at every attach.
    func acknowledge(_ revision: UInt64, inQueue queue: Int64) async throws(TillError) {
        try await access.commit { context in
            try context.ledger.acknowledge(revision, inQueue: queue)
            return .success(())
        }
    }

    /// Whether an observer is known to have every change.
    func isUpToDate(_ cursor: ObserverCursor, queue: Int64) -> Bool {
        cursor.isFollowing && changes.isNewest(cursor.revision, ofQueue: queue)
    }

    /// Reads the cursor's next batch, and advances the cursor. Empty when there is nothing new.
    func nextBatch(
        _ cursor: inout ObserverCursor,
        queue: Int64,
        limit: Int,
        collapsesRenewals: Bool
    ) async throws(TillError) -> OutgoingBatch {
        while true {
            let isShared = cursor.isFollowing
            let page =
                isShared
                ? try await followingPage(after: cursor.revision, queue: queue, limit: limit)
                : try await page(cursor.query, queue: queue, limit: limit, collapsesRenewals: collapsesRenewals)
            if cursor.restart(below: page.floor) {
                continue
            }
            let batch = cursor.advance(by: page)
            if !batch.events.isEmpty || (page.isLast && cursor.phase == .live) {
                return OutgoingBatch(batch: batch, encoding: isShared ? page.encoding : nil)
            }
        }
    }

    /// The changes since a revision, shared by all observers that follow the queue.
    private func followingPage(after revision: UInt64, queue: Int64, limit: Int) async throws(TillError) -> ChangePage {
        let key = ChangePages.Key(queue: queue, after: revision, limit: limit)
        return try await pages.page(key) { () throws(TillError) in
            try await page(.changes(after: revision), queue: queue, limit: limit, collapsesRenewals: false)
        }
    }

    private func page(
        _ query: ObserverCursor.Query,
        queue: Int64,
        limit: Int,
        collapsesRenewals: Bool
    ) async throws(TillError) -> ChangePage {
        let page = try await access.read { ledger in
            var entries = try self.entries(query, queue: queue, limit: limit, ledger)
            if collapsesRenewals, case .unfinished = query {
                try Self.collapseRenewals(&entries, ledger)
            }
            let record = try ledger.queue(key: queue)
            return ChangePage(entries, limit: limit, newest: record?.revision ?? 0, floor: record?.floor ?? 0)
        }
        if access.ledger.isShared {
            // Another host may have finished them: no progress follows their removal.
            active.end(ofTransactions: page.removedTransactions)
        }
        return page
    }

    /// Keeps only the newest of each subscription's unfinished renewals, with the number of those that it includes.
    private static func collapseRenewals(_ entries: inout [ObserverCursor.Entry], _ ledger: any LedgerReader) throws {
        for index in entries.indices {
            guard case .updated(var transaction) = entries[index].event, transaction.subscription?.isRenewal == true,
                let term = try ledger.transaction(transaction.id)?.term
            else {
                continue
            }
            let renewals = try ledger.unfinishedRenewals(
                ofSubscription: term.subscription,
                limit: TransactionRecord.renewalsMaximum
            )
            if renewals.last?.id == transaction.id {
                transaction.subscription?.collapsedCount = renewals.count - 1
                entries[index].event = .updated(transaction)
            } else if renewals.count < TransactionRecord.renewalsMaximum {
                entries[index].event = nil
            }
        }
    }

    private func entries(
        _ query: ObserverCursor.Query,
        queue: Int64,
        limit: Int,
        _ ledger: any LedgerReader
    ) throws -> [ObserverCursor.Entry] {
        let records: [TransactionRecord]
        let events: [EventRecord]
        var downloads: [DownloadRecord] = []
        switch query {
        case .none:
            return []
        case .unfinished(let revisions):
            records = try ledger.deliverableTransactions(in: queue, revisions: revisions, limit: limit)
            events = try ledger.pendingEvents(in: queue, revisions: revisions, limit: limit)
        case .changes(let revision):
            records = try ledger.transactions(in: queue, changedAfter: revision, limit: limit)
            events = try ledger.events(in: queue, after: revision, limit: limit)
            downloads = try ledger.downloads(in: queue, changedAfter: revision, limit: limit)
        }
        let entries =
            records.map { ObserverCursor.Entry($0, identifiedBy: access.ledger.numbering) }
            + events.map(ObserverCursor.Entry.init)
            + downloads.map {
                ObserverCursor.Entry(revision: $0.revision, event: .downloadsUpdated([active.current($0)]))
            }
        return Array(entries.sorted { $0.revision < $1.revision }.prefix(limit))
    }
}
