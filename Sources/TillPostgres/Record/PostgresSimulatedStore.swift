package import FoundationEssentials
import NIOConcurrencyHelpers
package import TillEngine
package import TillModel
package import TillProviders

/// The simulated provider's record in a table of the database whose ledger hosts share, so that all of them have one provider.
///
/// It has a connection and transactions of its own: an entry is durable before its charge or refund is answered, whatever
/// becomes of the ledger's commits. Calls that wait are recorded in one transaction. Those of all hosts happen one after the
/// other, so that each finds what the others have recorded.
package final class PostgresSimulatedStore: SimulatedStore {
    /// A call that is not recorded yet.
    private final class Waiting: Sendable {
        let call: SimulatedCall
        let date: Date
        let forgetsSince: Date?
        /// Nil until it is recorded.
        let saved = NIOLockedValueBox<SimulatedSaved?>(nil)

        init(_ call: SimulatedCall, at date: Date, forgetsSince: Date?) {
            self.call = call
            self.date = date
            self.forgetsSince = forgetsSince
        }
    }

    private let connections: ReaderPool
    private let waiting = NIOLockedValueBox<[Waiting]>([])

    /// - Parameters:
    ///   - patience: For how long a call waits for a server that cannot be reached.
    ///   - connect: Makes a connection; it may block.
    init(patience: Duration, connect: @escaping @Sendable () throws -> PostgresConnection) {
        connections = ReaderPool(count: 1, patience: patience) {
            let connection = try connect()
            try connection.preferIndexes()
            // The other hosts wait for the transactions.
            try connection.limitPauses()
            return connection
        }
    }

    /// Returns when the task is cancelled: calls fail one by one while the database cannot be reached.
    package func watch() async throws {
        let (never, continuation) = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingNewest(1))
        for await _ in never {}
        continuation.finish()
    }

    package func charge(_ paymentID: UUID) async throws(TillError) -> SimulatedCharge? {
        try await read { SimulatedBook(try $0.simulatedEntries.ofPayments([paymentID])).charge(paymentID) }
    }

    package func entry(_ key: SimulatedEntry.Key, forgetsSince date: Date?) async throws(TillError) -> SimulatedEntry? {
        try await read { connection in
            let entries =
                switch key {
                case .payment(let id): try connection.simulatedEntries.ofPayments([id])
                case .refund(let id): try connection.simulatedEntries.ofRefund(id)
                }
            return SimulatedBook(entries).entry(key, forgetsSince: date)
        }
    }

    package func record(after cursor: String?) async throws(TillError) -> ProviderRecordPage {
        let number = cursor.flatMap { Int64($0) } ?? 0
        return try await read { try $0.simulatedEntries.charges(after: number, limit: SimulatedProvider.recordPage) }
    }

    package func save(_ call: SimulatedCall, at date: Date, forgetsSince: Date?) async -> SimulatedSaved {
        let own = Waiting(call, at: date, forgetsSince: forgetsSince)
        waiting.withLockedValue { $0.append(own) }
        do {
            // The connection is lent to one at a time: if an earlier one has recorded this call too, nothing waits any more.
            try await connections.read { try self.saveWaiting($0) }
        } catch {
            waiting.withLockedValue { $0.removeAll { $0 === own } }
        }
        return own.saved.withLockedValue(\.self) ?? .failed
    }

    /// Records what a daemon that had the ledger alone has kept in a file, unless it was recorded before.
    package func adopt(_ entries: [SimulatedEntry]) async throws(TillError) {
        try await read { connection in
            try connection.inSimulatedRecord { recorded in
                var rest = entries[...]
                while !rest.isEmpty {
                    try recorded.addMissing(Array(rest.prefix(Self.adoptedAtOnce)))
                    rest = rest.dropFirst(Self.adoptedAtOnce)
                }
            }
        }
    }

    private static let adoptedAtOnce = 1000

    package func close() {
        connections.close()
    }

    private func saveWaiting(_ connection: PostgresConnection) throws {
        let calls = waiting.withLockedValue { waiting in
            defer { waiting = [] }
            return waiting
        }
        guard !calls.isEmpty else {
            return
        }
        do {
            let answers = try connection.inSimulatedRecord { try Self.record(calls, in: $0) }
            for (call, answer) in zip(calls, answers) {
                call.saved.withLockedValue { $0 = answer }
            }
        } catch {
            // Whether they are recorded is unknown: the next attempt finds out.
            waiting.withLockedValue { $0 = calls + $0 }
            throw error
        }
    }

    private static func record(_ calls: [Waiting], in recorded: SimulatedEntries) throws -> [SimulatedSaved] {
        var book = SimulatedBook(try recorded.ofPayments(calls.map(\.call.paymentID)))
        var new: [SimulatedEntry] = []
        let answers = calls.map { waiting -> SimulatedSaved in
            if let known = book.entry(waiting.call.key, forgetsSince: waiting.forgetsSince) {
                return .done(reference: known.reference)
            }
            guard let entry = book.entry(for: waiting.call, at: waiting.date) else {
                return .tooMuch
            }
            book.add(entry)
            new.append(entry)
            return .done(reference: entry.reference)
        }
        try recorded.add(new)
        return answers
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws(TillError) -> Value {
        do {
            return try await connections.read(body)
        } catch let error as TillError {
            throw error
        } catch {
            throw TillError(.unavailable, "The provider's record cannot be read: \(error)", cause: error)
        }
    }
}
