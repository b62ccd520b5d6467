import FoundationEssentials
import TillEngine
import TillModel

/// A whole number of seconds, which every ledger keeps exactly.
func time(_ seconds: Int) -> Date {
    Date(timeIntervalSince1970: Double(1_700_000_000 + seconds))
}

let someQueue = QueueName(application: "org.example.notes", account: "uid:1000")

extension TransactionRecord {
    static func sample(
        _ queue: Int64,
        revision: UInt64,
        product: String = "pro",
        username: String? = nil,
        state: TransactionState = .purchasing,
        finishedAt: Date? = nil,
        original: OriginalRecord? = nil,
        isEntitlement: Bool = false
    ) -> TransactionRecord {
        let payment = Payment(productID: product, applicationUsername: username)
        return TransactionRecord(
            queue: queue,
            id: payment.id,
            payment: payment,
            state: state,
            revision: revision,
            createdAt: time(Int(revision)),
            finishedAt: finishedAt,
            original: original,
            isEntitlement: isEntitlement
        )
    }
}

extension ChargeRecord {
    static func sample(
        _ queue: Int64,
        _ key: Int64,
        product: String = "pro",
        state: State = .open,
        due: Int = 0
    ) -> ChargeRecord {
        let request = ChargeRequest(
            paymentID: .version7(),
            application: "org.example.notes",
            account: "uid:1000",
            productID: product,
            quantity: 2,
            amount: 998,
            currency: "EUR"
        )
        return ChargeRecord(
            transactionKey: key,
            queue: queue,
            request: request,
            state: state,
            createdAt: time(0),
            dueAt: time(due)
        )
    }
}

extension RestoreRecord {
    static func sample(_ queue: Int64, username: String? = nil, created: Int = 0) -> RestoreRecord {
        RestoreRecord(
            id: .version7(),
            queue: queue,
            applicationUsername: username,
            revision: 7,
            createdAt: time(created),
            deadline: time(created + 60)
        )
    }
}

extension Ledger {
    /// Commits `work`, and returns what it returned.
    func change<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value {
        try await commit(work)
    }

    /// A new queue.
    func makeQueue(_ name: QueueName = someQueue) async throws -> Int64 {
        try await change { try $0.createQueue(name).key }
    }

    /// Inserts the transactions in one commit, and returns them with their keys.
    func insert(_ records: [TransactionRecord]) async throws -> [TransactionRecord] {
        try await change { writer in
            try records.map { record in
                var record = record
                record.key = try writer.insert(record)
                return record
            }
        }
    }

    /// Inserts one transaction, and returns it with its key.
    func insert(_ record: TransactionRecord) async throws -> TransactionRecord {
        var record = record
        let inserted = record
        record.key = try await change { try $0.insert(inserted) }
        return record
    }
}
