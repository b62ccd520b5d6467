package import FoundationEssentials
package import TillModel

/// Payments and transactions, for applications.
///
/// Adding and finishing have two forms. One suspends its task until the command is durable. The other passes the answer to a
/// closure, so that a caller with many commands in flight needs no tasks; see ``GroupCommit/submit(isOwn:_:then:)``.
extension PaymentEngine {
    /// Transactions in one page of a list.
    package static let pageMaximum = 64
    package static let pageDefault = 64

    package func canMakePayments(account: String) -> Bool {
        parts.purchasing.canMakePayments(account: account)
    }

    /// Adds the payment to the queue, or returns its transaction if it was added before.
    ///
    /// - Throws: `invalidArgument` for an invalid payment, `alreadyExists` when the identity belongs to another payment:
    ///   nothing happened. `unavailable` when the outcome is unknown.
    package func addPayment(_ payment: Payment, to name: QueueName) async throws(TillError) -> Transaction {
        try await awaitAnswer { (answer) throws(TillError) in try addPayment(payment, to: name, then: answer) }
    }

    package func addPayment(
        _ payment: Payment,
        to name: QueueName,
        then answer: @escaping @Sendable (Result<Transaction, TillError>) -> Void
    ) throws(TillError) {
        try payment.validate()
        commit(about: .id(payment.id), in: name) { context in
            if let existing = try context.ledger.transaction(payment.id) {
                return try Self.repeated(existing, payment, name, context.ledger)
            }
            return .success(try self.parts.purchasing.begin(payment, in: try context.queue(name), &context))
        } then: { [numbering] in
            answer($0.map { $0.transaction(identifiedBy: numbering) })
        }
    }

    /// Adds a payment that was made outside its application, as an operator of a simulated store may.
    ///
    /// - Throws: `failedPrecondition` unless the store is simulated.
    package func addPayment(
        _ payment: Payment,
        to name: QueueName,
        by identity: OperatorIdentity
    ) async throws(TillError) -> Transaction {
        try payment.validate()
        guard isSimulated else {
            throw TillError(.failedPrecondition, "Only payers buy for real money: offer a promoted purchase instead.")
        }
        let record = try await commit { context -> Result<TransactionRecord, TillError> in
            let detail = "\(payment.quantity) of \(payment.productID) for \(name.account)"
            try context.audit("AddPayment", subject: payment.id.text, detail: detail, by: identity)
            return .success(try self.parts.purchasing.begin(payment, in: try context.queue(name), &context))
        }
        return record.transaction(identifiedBy: numbering)
    }

    private static func repeated(
        _ existing: TransactionRecord,
        _ payment: Payment,
        _ name: QueueName,
        _ ledger: any LedgerReader
    ) throws -> Result<TransactionRecord, TillError> {
        guard existing.payment.hasSameBytes(as: payment), try ledger.queue(key: existing.queue)?.name == name else {
            return .failure(
                TillError(
                    .alreadyExists,
                    "The identity \(payment.id.text) belongs to another payment; a new payment needs a new identity."
                )
            )
        }
        return .success(existing)
    }

    /// Takes back a payment that has not been charged: it fails, as cancelled. Repeating it is harmless. If the payment
    /// waits for its payer, the provider withdraws the charge first.
    ///
    /// - Throws: `notFound` for a payment that this queue never had; `failedPrecondition` when it is being charged, or
    ///   has ended, perhaps because its payer had just paid; `unavailable` when the provider could not be asked: nothing
    ///   happened.
    package func cancelPayment(_ id: UUID, in name: QueueName) async throws(TillError) -> Transaction {
        let purchasing = parts.purchasing
        var cancellation = try await commit { context in try purchasing.cancel(id, in: name, &context) }
        if case .toWithdraw(let charge) = cancellation {
            try await withdraw(charge, failingWith: Purchasing.withdrawn) { context in
                if let key = charge.transactionKey {
                    try Purchasing.noteCancellation(of: key, in: name, context)
                }
            }
            cancellation = try await commit { context in try purchasing.cancel(id, in: name, &context) }
        }
        guard case .ended(let transaction) = cancellation else {
            throw TillError(.unavailable, "The payment \(id.text) could not be cancelled; try again later.")
        }
        return transaction.transaction(identifiedBy: numbering)
    }

    /// Takes the transaction out of the queue; finishing it again is harmless.
    ///
    /// - Parameter includingOlderRenewals: Whether older unfinished renewals of its subscription leave with it.
    /// - Returns: The change that removed it.
    /// - Throws: `notFound` for a transaction that this queue never had, `failedPrecondition` while it is purchasing or
    ///   deferred, or while an application finishes it in the ledger's database: nothing happened. `unavailable` when the outcome
    ///   is unknown.
    package func finishTransaction(
        _ id: UUID,
        in name: QueueName,
        includingOlderRenewals: Bool = false
    ) async throws(TillError) -> UInt64 {
        try await awaitAnswer {
            finishTransaction(id, in: name, includingOlderRenewals: includingOlderRenewals, then: $0)
        }
    }

    package func finishTransaction(
        _ id: UUID,
        in name: QueueName,
        includingOlderRenewals: Bool,
        then answer: @escaping @Sendable (Result<UInt64, TillError>) -> Void
    ) {
        commit(about: .id(id), in: name) { context in
            try Finishing.finish(id, in: name, includingOlderRenewals: includingOlderRenewals, &context)
        } then: {
            answer($0)
        }
    }

    /// Waits for the answer of a command that `submit` submits or refuses.
    private func awaitAnswer<Value: Sendable>(
        of submit: (@escaping @Sendable (Result<Value, TillError>) -> Void) throws(TillError) -> Void
    ) async throws(TillError) -> Value {
        let result: Result<Value, TillError> = await withCheckedContinuation { continuation in
            do throws(TillError) {
                try submit { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    /// A page of the queue's transactions, and the token of the next page if there is more: the unfinished ones, the oldest
    /// first, or all in the order of their last changes.
    ///
    /// - Parameters:
    ///   - token: The next token of the previous page; 0 for the first page.
    ///   - limit: At most ``pageMaximum``.
    package func transactions(
        in name: QueueName,
        token: UInt64,
        includeFinished: Bool,
        limit: Int
    ) async throws(TillError) -> (page: [Transaction], next: UInt64?) {
        guard (1...Self.pageMaximum).contains(limit) else {
            throw TillError(.invalidArgument, "The page size must be 1 to \(Self.pageMaximum).")
        }
        let records = try await read { ledger in
            let queue = try ledger.queue(name)
            return includeFinished
                ? try ledger.changedTransactions(in: queue, token: token, limit: limit)
                : try ledger.unfinishedTransactions(in: queue, token: token, limit: limit)
        }
        let (page, next) = PageWeight.page(of: records, limit: limit) { record in
            includeFinished ? record.revision : UInt64(exactly: record.key)
        }
        return (page.map { current($0) }, next)
    }

    /// The transaction as it is now, with the progress of its downloads.
    private func current(_ record: TransactionRecord) -> Transaction {
        var transaction = record.transaction(identifiedBy: numbering)
        if !transaction.downloads.isEmpty {
            transaction.downloads = record.downloads.map(active.current)
        }
        return transaction
    }
}

extension Payment {
    /// Whether the two are the same to the byte; Swift's `==` takes canonically equivalent texts for equal.
    func hasSameBytes(as other: Payment) -> Bool {
        self == other && texts.elementsEqual(other.texts) { $0.hasSameBytes(as: $1) }
    }

    private var texts: [String] {
        [productID, applicationUsername ?? ""]
            + [discount?.identifier, discount?.keyIdentifier, discount?.signature].map { $0 ?? "" }
    }
}

extension LedgerReader {
    fileprivate func unfinishedTransactions(in queue: QueueRecord?, token: UInt64, limit: Int) throws
        -> [TransactionRecord]
    {
        let key = try key(ofToken: token) { try hasTransaction($0, in: queue) }
        return try queue.map { try unfinishedTransactions(in: $0.key, afterKey: key, limit: limit) } ?? []
    }

    fileprivate func changedTransactions(in queue: QueueRecord?, token: UInt64, limit: Int) throws
        -> [TransactionRecord]
    {
        let revision = try revision(ofToken: token, in: queue)
        return try queue.map { try transactions(in: $0.key, changedAfter: revision, limit: limit) } ?? []
    }
}
