/// Queues and their events.
package protocol QueueReader {
    func queue(_ name: QueueName) throws -> QueueRecord?
    func queue(key: Int64) throws -> QueueRecord?
    /// Queues with a key above `key`, by key.
    func queues(afterKey key: Int64, limit: Int) throws -> [QueueRecord]
    /// The queue's events after `revision`, by revision.
    func events(in queue: Int64, after revision: UInt64, limit: Int) throws -> [EventRecord]
    /// The queue's pending events with a revision in the range, by revision.
    func pendingEvents(in queue: Int64, revisions: ClosedRange<UInt64>, limit: Int) throws -> [EventRecord]
}

package protocol QueueWriter {
    func createQueue(_ name: QueueName) throws -> QueueRecord
    /// Gives the queue its next revision, and returns it.
    func advanceRevision(ofQueue key: Int64) throws -> UInt64
    func insert(_ event: EventRecord) throws
    /// Deletes all but the newest `count` events of the queue and those that are pending, and raises the queue's floor
    /// to the newest deleted.
    func pruneEvents(ofQueue key: Int64, keeping count: Int) throws
    /// Ends the pending of the queue's events and revocations up to `revision`.
    func acknowledge(_ revision: UInt64, inQueue key: Int64) throws
}
