import Dispatch
import FoundationEssentials
import NIOConcurrencyHelpers
import TillEngine
import TillModel

/// The simulated provider's book and its file: each entry is in the book once it is durable, and many are flushed
/// together. Without a file, an entry is in the book at once.
final class SimulatedFileStore: SimulatedStore {
    fileprivate struct Waiting {
        var entry: SimulatedEntry
        var continuations: [CheckedContinuation<SimulatedSaved, Never>]
    }

    fileprivate struct State {
        /// Nil when the record is kept in memory only.
        var record: SimulatedRecord?
        var book: SimulatedBook
        /// Entries that wait for the next flush.
        var unsaved: [SimulatedEntry] = []
        /// Entries that are not durable yet, and the calls that wait for them.
        var waiting: [SimulatedEntry.Key: Waiting] = [:]
        var isBroken = false
    }

    private let state: NIOLockedValueBox<State>
    /// The error after which the record can no longer be written.
    private let failures = AsyncStream.makeStream(of: TillError.self, bufferingPolicy: .bufferingNewest(1))
    private let queue = DispatchQueue(label: "till.simulated-provider")

    /// - Parameter directory: The existing directory of the record.
    init(directory: String) throws(TillError) {
        let (record, entries) = try SimulatedRecord.open(in: directory)
        state = NIOLockedValueBox(State(record: record, book: SimulatedBook(entries)))
    }

    /// A book that is kept in memory only.
    init() {
        state = NIOLockedValueBox(State(record: nil, book: SimulatedBook()))
    }

    func charge(_ paymentID: UUID) -> SimulatedCharge? {
        state.withLockedValue { $0.book.charge(paymentID) }
    }

    func entry(_ key: SimulatedEntry.Key, forgetsSince date: Date?) throws(TillError) -> SimulatedEntry? {
        let (entry, isBroken) = state.withLockedValue { ($0.book.entry(key, forgetsSince: date), $0.isBroken) }
        guard entry != nil || !isBroken else {
            throw TillError(.unavailable, "The provider's record cannot be written.")
        }
        return entry
    }

    func record(after cursor: String?) -> ProviderRecordPage {
        state.withLockedValue {
            ProviderRecordPage($0.book.providerCharges, after: cursor, limit: SimulatedProvider.recordPage)
        }
    }

    /// Records the charge or refund unless it is recorded already, and returns once it is durable.
    func save(_ call: SimulatedCall, at date: Date, forgetsSince: Date?) async -> SimulatedSaved {
        await withCheckedContinuation { continuation in
            let answer: SimulatedSaved? = state.withLockedValue { state in
                if let entry = state.book.entry(call.key, forgetsSince: forgetsSince) {
                    return .done(reference: entry.reference)
                }
                guard !state.isBroken else {
                    return .failed
                }
                if state.waiting[call.key] == nil {
                    guard let entry = state.book.entry(for: call, at: date, reserved: state.pendingRefunds(for: call))
                    else {
                        return .tooMuch
                    }
                    guard state.record != nil else {
                        state.book.add(entry)
                        return .done(reference: entry.reference)
                    }
                    state.unsaved.append(entry)
                    state.waiting[call.key] = Waiting(entry: entry, continuations: [])
                }
                state.waiting[call.key]?.continuations.append(continuation)
                return nil
            }
            if let answer {
                continuation.resume(returning: answer)
            } else {
                queue.async { self.flush() }
            }
        }
    }

    /// The bytes of the record's file that hold all entries of the book. Blocks while entries are flushed.
    ///
    /// - Throws: `unavailable` if the record could not be written, and for a record in memory.
    func recordByteCount() throws(TillError) -> Int {
        let result = queue.sync {
            Result { () throws(TillError) in
                let (record, isBroken) = state.withLockedValue { ($0.record, $0.isBroken) }
                guard let record, !isBroken else {
                    throw TillError(.unavailable, "The record of charges cannot be read: start the daemon again.")
                }
                return try record.byteCount()
            }
        }
        return try result.get()
    }

    /// Returns when the task is cancelled, and throws once the record could not be written: no entry is recorded after
    /// that.
    func watch() async throws {
        for await error in failures.stream {
            throw error
        }
    }

    /// Writes all waiting entries with one flush. Runs on the store's queue only.
    private func flush() {
        let (entries, record) = state.withLockedValue { state in
            defer { state.unsaved = [] }
            return (state.unsaved, state.record)
        }
        guard !entries.isEmpty, let record else {
            return
        }
        let isSaved: Bool
        do {
            try record.append(entries)
            isSaved = true
        } catch {
            isSaved = false
            failures.continuation.yield(error)
        }
        let waiting = state.withLockedValue { state in
            if isSaved {
                entries.forEach { state.book.add($0) }
            } else {
                // The state of the disk is unknown; the next start reads it.
                state.isBroken = true
            }
            return entries.compactMap { state.waiting.removeValue(forKey: $0.key) }
        }
        for saved in waiting {
            let answer = isSaved ? SimulatedSaved.done(reference: saved.entry.reference) : .failed
            saved.continuations.forEach { $0.resume(returning: answer) }
        }
    }
}

extension SimulatedFileStore.State {
    /// Minor units of the refunds of the same charge that are not in the book yet.
    fileprivate func pendingRefunds(for call: SimulatedCall) -> Int64 {
        waiting.values.reduce(0) { sum, waiting in
            guard case .refund(let refund) = waiting.entry, refund.paymentID == call.paymentID else {
                return sum
            }
            return sum &+ refund.amount
        }
    }
}
