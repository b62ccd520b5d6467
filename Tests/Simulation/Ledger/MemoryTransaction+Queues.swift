import TillEngine
import TillModel

extension MemoryTransaction: QueueReader {
    func queue(_ name: QueueName) -> QueueRecord? {
        state.queueKeys[MemoryQueue.Name(name)].flatMap(queue(key:))
    }

    func queue(key: Int64) -> QueueRecord? {
        state.queues[key]?.record
    }

    func queues(afterKey key: Int64, limit: Int) -> [QueueRecord] {
        let keys = state.queues.keys.filter { $0 > key }.sorted()
        return keys.prefix(max(0, limit)).compactMap(queue(key:))
    }

    func events(in queue: Int64, after revision: UInt64, limit: Int) -> [EventRecord] {
        let events = state.queues[queue]?.events ?? []
        return Array(events.drop { $0.revision <= revision }.prefix(max(0, limit)))
    }

    func pendingEvents(in queue: Int64, revisions: ClosedRange<UInt64>, limit: Int) -> [EventRecord] {
        let events = state.queues[queue]?.events ?? []
        return Array(
            events.lazy.filter { $0.isPending && revisions.contains($0.revision) }.prefix(max(0, limit))
        )
    }
}

extension MemoryTransaction: QueueWriter {
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
        guard var record = queue(key: key) else {
            throw TillError(.notFound, "The ledger has no queue \(key).")
        }
        record.revision += 1
        state.queues[key]?.record = record
        return record.revision
    }

    func insert(_ event: EventRecord) throws {
        try requireQueue(event.queue)
        let events = state.queues[event.queue]?.events ?? []
        let index = events.firstIndex { $0.revision >= event.revision } ?? events.endIndex
        guard index == events.endIndex || events[index].revision != event.revision else {
            throw TillError(.alreadyExists, "Queue \(event.queue) has an event \(event.revision) already.")
        }
        var record = event
        if case .storePaymentRequested(let payment) = event.kind {
            record.kind = .storePaymentRequested(payment.inMilliseconds)
        }
        state.queues[event.queue]?.events.insert(record, at: index)
    }

    func pruneEvents(ofQueue key: Int64, keeping count: Int) throws {
        guard var queue = state.queues[key],
            let newest = queue.events.dropLast(max(0, count)).last(where: { !$0.isPending })?.revision
        else {
            return
        }
        queue.record.floor = max(queue.record.floor, newest)
        queue.events.removeAll { $0.revision <= newest && !$0.isPending }
        state.queues[key] = queue
    }

    func acknowledge(_ revision: UInt64, inQueue key: Int64) throws {
        guard var queue = state.queues[key] else {
            return
        }
        queue.events = queue.events.map { event in
            var event = event
            event.isPending = event.isPending && event.revision > revision
            return event
        }
        state.queues[key] = queue
        let changes = queue.deliverableChanges.elements.prefix { $0.revision <= revision }
        for var record in changes.compactMap({ state.transactions[$0.key] }) where record.isRevocationPending {
            state.unindex(record)
            record.isRevocationPending = false
            state.index(record)
        }
    }
}
