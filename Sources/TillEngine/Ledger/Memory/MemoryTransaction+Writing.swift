import TillModel

extension MemoryTransaction: LedgerWriter {
    func createQueue(_ name: QueueName) throws -> QueueRecord {
        guard queue(name) == nil else {
            throw TillError(.alreadyExists, "The ledger has this queue already.")
        }
        let record = QueueRecord(key: Int64(state.queues.count) + 1, name: name)
        state.queueKeys[MemoryQueue.Name(name)] = record.key
        state.queues[record.key] = MemoryQueue(record)
        return record
    }

    func advanceRevision(ofQueue key: Int64) throws -> UInt64 {
        var record = try existingQueue(key)
        record.revision += 1
        state.queues[key]?.record = record
        return record.revision
    }

    func insert(_ transaction: TransactionRecord) throws -> Int64 {
        _ = try existingQueue(transaction.queue)
        guard state.transactionKeys[transaction.id] == nil else {
            throw TillError(.alreadyExists, "The ledger has transaction \(transaction.id.text) already.")
        }
        try requireFreeRevision(of: transaction)
        var record = try normalized(transaction)
        state.highestKey += 1
        record.key = state.highestKey
        state.index(record)
        return record.key
    }

    func update(_ transaction: TransactionRecord) throws {
        guard let old = self.transaction(key: transaction.key) else {
            throw TillError(.notFound, "The ledger has no transaction \(transaction.key).")
        }
        var record = try normalized(transaction)
        record.queue = old.queue
        record.id = old.id
        record.payment = old.payment
        if record.revision != old.revision {
            try requireFreeRevision(of: record)
        }
        state.unindex(old)
        state.index(record)
    }

    func insert(_ charge: ChargeRecord) throws {
        _ = try existingQueue(charge.queue)
        guard transaction(key: charge.transactionKey) != nil else {
            throw TillError(.notFound, "The ledger has no transaction \(charge.transactionKey).")
        }
        guard self.charge(forTransaction: charge.transactionKey) == nil else {
            throw TillError(.alreadyExists, "Transaction \(charge.transactionKey) has a charge already.")
        }
        var record = charge
        record.createdAt = charge.createdAt.roundedToMilliseconds
        record.dueAt = charge.dueAt.roundedToMilliseconds
        state.chargeKeys.insert(record.transactionKey)
        state.index(record)
    }

    func update(_ charge: ChargeRecord) throws {
        guard let old = self.charge(forTransaction: charge.transactionKey) else {
            throw TillError(.notFound, "Transaction \(charge.transactionKey) has no charge.")
        }
        var record = old
        record.state = charge.state
        record.attempts = charge.attempts
        record.dueAt = charge.dueAt.roundedToMilliseconds
        record.reference = charge.reference
        state.unindex(old)
        state.index(record)
    }

    func insert(_ restore: RestoreRecord) throws {
        _ = try existingQueue(restore.queue)
        guard self.restore(restore.id) == nil else {
            throw TillError(.alreadyExists, "The ledger has restore \(restore.id.text) already.")
        }
        var record = restore
        record.createdAt = restore.createdAt.roundedToMilliseconds
        record.deadline = restore.deadline.roundedToMilliseconds
        state.restores[restore.id] = record
        state.restoreIDs.append(restore.id)
    }

    func update(_ restore: RestoreRecord) throws {
        guard var record = self.restore(restore.id) else {
            throw TillError(.notFound, "The ledger has no restore \(restore.id.text).")
        }
        record.state = restore.state
        record.cursor = restore.cursor
        record.count = restore.count
        state.restores[record.id] = record
    }
}

extension MemoryTransaction {
    func insert(_ event: EventRecord) throws {
        _ = try existingQueue(event.queue)
        let events = state.queues[event.queue]?.events ?? []
        let index = events.firstIndex { $0.revision >= event.revision } ?? events.endIndex
        guard index == events.endIndex || events[index].revision != event.revision else {
            throw TillError(.alreadyExists, "Queue \(event.queue) has an event \(event.revision) already.")
        }
        state.queues[event.queue]?.events.insert(event, at: index)
    }

    func pruneEvents(ofQueue key: Int64, keeping count: Int) throws {
        var record = try existingQueue(key)
        let events = state.queues[key]?.events ?? []
        guard let newest = events.dropLast(max(0, count)).last else {
            return
        }
        record.floor = max(record.floor, newest.revision)
        state.queues[key]?.record = record
        state.queues[key]?.events.removeAll { $0.revision <= newest.revision }
    }

    private func existingQueue(_ key: Int64) throws -> QueueRecord {
        guard let record = queue(key: key) else {
            throw TillError(.notFound, "The ledger has no queue \(key).")
        }
        return record
    }

    private func requireFreeRevision(of record: TransactionRecord) throws {
        let change = MemoryQueue.Change(revision: record.revision, key: 0)
        guard state.queues[record.queue]?.changes.contains(change) != true else {
            throw TillError(.alreadyExists, "Queue \(record.queue) has a change \(record.revision) already.")
        }
    }

    /// The record as a database would give it back, with dates in milliseconds.
    private func normalized(_ transaction: TransactionRecord) throws -> TransactionRecord {
        if let original = transaction.original?.key, state.transactions[original] == nil {
            throw TillError(.notFound, "The ledger has no original transaction \(original).")
        }
        var record = transaction
        record.createdAt = transaction.createdAt.roundedToMilliseconds
        record.finishedAt = transaction.finishedAt?.roundedToMilliseconds
        if let timestamp = transaction.payment.discount?.timestamp {
            record.payment.discount?.timestamp = timestamp.roundedToMilliseconds
        }
        return record
    }
}
