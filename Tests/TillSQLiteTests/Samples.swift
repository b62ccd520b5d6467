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
        type: ProductType? = .nonConsumable,
        username: String? = nil,
        state: TransactionState = .purchasing,
        finishedAt: Date? = nil,
        original: OriginalRecord? = nil,
        isEntitlement: Bool = false,
        blocker: Blocker? = nil,
        deadline: Date? = nil,
        term: TermRecord? = nil
    ) -> TransactionRecord {
        let payment = Payment(productID: product, applicationUsername: username)
        return TransactionRecord(
            queue: queue,
            id: payment.id,
            payment: payment,
            productType: type,
            state: state,
            revision: revision,
            createdAt: time(Int(revision)),
            finishedAt: finishedAt,
            original: original,
            isEntitlement: isEntitlement,
            blocker: blocker,
            deadline: deadline,
            term: term
        )
    }
}

extension ChargeRecord {
    static func sample(
        _ queue: Int64,
        _ transaction: Int64?,
        subscription: Int64? = nil,
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
            transactionKey: transaction,
            subscriptionKey: subscription,
            queue: queue,
            exclusiveGroup: product,
            request: request,
            amountAfterOffer: 1998,
            renewalOffer: AppliedOffer(type: .promotional, id: "spring", paymentMode: .payUpFront),
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
            total: 12,
            createdAt: time(created),
            deadline: time(created + 60)
        )
    }
}

extension SubscriptionRecord {
    static func sample(
        _ original: TransactionRecord,
        group: String = "premium",
        consent: PriceConsent = .none,
        due: Int? = nil
    ) -> SubscriptionRecord {
        SubscriptionRecord(
            queue: original.queue,
            groupID: group,
            original: original.asOriginal,
            latestKey: original.key,
            productID: "month",
            renewalProductID: "month",
            periodStart: time(0),
            periodEnd: time(1_000),
            renewalAmount: 499,
            currency: "EUR",
            priceConsent: consent,
            dueAt: due.map(time)
        )
    }
}

extension RefundRecord {
    static func sample(_ transaction: TransactionRecord, state: State = .open, due: Int = 0) -> RefundRecord {
        RefundRecord(
            id: .version7(),
            transactionKey: transaction.key,
            queue: transaction.queue,
            quantity: 1,
            amount: 499,
            currency: "EUR",
            reason: .other,
            state: state,
            createdAt: time(0),
            dueAt: time(due)
        )
    }
}

extension DownloadRecord {
    static func sample(
        _ transaction: TransactionRecord,
        content: String = "level",
        length: Int64 = 1_000,
        state: DownloadState = .waiting,
        revision: UInt64 = 0,
        size: Int64 = 0
    ) -> DownloadRecord {
        DownloadRecord(
            id: .version7(),
            queue: transaction.queue,
            transactionKey: transaction.key,
            transactionID: transaction.id,
            productID: transaction.payment.productID,
            content: ProductContent(identifier: content, version: "1.0", length: length),
            sha256: Array(0..<32),
            state: state,
            revision: revision,
            size: size
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

    /// Adds one transaction with the queue's next revision, and returns it with its key.
    @discardableResult
    func add(to queue: Int64) async throws -> TransactionRecord {
        try await change { writer in
            var record = TransactionRecord.sample(queue, revision: try writer.advanceRevision(ofQueue: queue))
            record.key = try writer.insert(record)
            return record
        }
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

    /// Inserts the charges in one commit, and returns them with their keys.
    func insert(_ records: [ChargeRecord]) async throws -> [ChargeRecord] {
        try await change { writer in
            try records.map { record in
                var record = record
                record.key = try writer.insert(record)
                return record
            }
        }
    }

    /// Inserts one charge, and returns it with its key.
    func insert(_ record: ChargeRecord) async throws -> ChargeRecord {
        var record = record
        let inserted = record
        record.key = try await change { try $0.insert(inserted) }
        return record
    }

    /// Inserts one subscription, and returns it with its key.
    func insert(_ record: SubscriptionRecord) async throws -> SubscriptionRecord {
        var record = record
        let inserted = record
        record.key = try await change { try $0.insert(inserted) }
        return record
    }

    /// Inserts the downloads in one commit, and returns them with their keys.
    func insert(_ records: [DownloadRecord]) async throws -> [DownloadRecord] {
        let isShared = isShared
        return try await change { writer in
            try records.map { record in
                var record = record
                record.key = try writer.insert(record)
                if isShared {
                    // What hosts insert waits until one of them has begun.
                    try writer.update(record)
                }
                return record
            }
        }
    }
}
