package import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// Explains a transaction: its history, what it waits for, and possible actions.
    ///
    /// - Throws: `notFound`.
    package func explanation(ofTransaction id: UUID) async throws(TillError) -> Explanation {
        try await read { ledger in
            guard let transaction = try ledger.transaction(id),
                let name = try ledger.queue(key: transaction.queue)?.name
            else {
                throw TillError(.notFound, "There is no transaction \(id.text).")
            }
            let history = try ledger.history(ofTransaction: transaction.key)
            let facts = ExplanationText.Facts(
                transaction: transaction,
                charge: try ledger.charge(forTransaction: transaction.key),
                refunds: try ledger.refunds(ofTransaction: transaction.key),
                subscription: try transaction.term.flatMap { try ledger.subscription(key: $0.subscription) },
                renewal: try Self.renewalInReview(after: transaction, ledger),
                dispute: try ledger.openDispute(in: transaction.queue),
                isPruned: transaction.isPruned(history)
            )
            let all = history + self.waitingDeliveries(of: transaction)
            return Explanation(name, facts, all.sorted { $0.date < $1.date }, self.numbering)
        }
    }

    /// The deliveries that are stored with the transaction's next change.
    private func waitingDeliveries(of transaction: TransactionRecord) -> [HistoryRecord] {
        feed.deliveries.waiting(transaction.id).map { HistoryRecord($0, ofTransaction: transaction.key) }
    }
}

extension TransactionRecord {
    /// Whether it has lost its receipt. A failed payment never had one, and need not have a history.
    fileprivate func isPruned(_ history: [HistoryRecord]) -> Bool {
        state != .failed && finishedAt != nil && receipt == nil && history.isEmpty
    }
}

extension Explanation {
    init(
        _ name: QueueName,
        _ facts: ExplanationText.Facts,
        _ history: [HistoryRecord],
        _ numbering: LedgerNumbering
    ) {
        let text = ExplanationText(facts)
        self.init(
            application: name.application,
            account: name.account,
            transaction: facts.transaction.transaction(identifiedBy: numbering),
            sentence: text.sentence.cut(to: Self.textMaximumBytes),
            actions: Array(text.actions.prefix(Self.actionsMaximum)),
            history: Self.timeline(name, facts.transaction, history.map(\.entry)),
            charges: facts.charge.map { [$0.summary] } ?? [],
            refunds: facts.refunds.suffix(Self.refundsMaximum).map(\.summary)
        )
    }
}

extension Explanation {
    /// The history, completed from the transaction's own row: how it began, and when it was finished.
    private static func timeline(
        _ name: QueueName,
        _ transaction: TransactionRecord,
        _ history: [HistoryEntry]
    ) -> [HistoryEntry] {
        let isOwn = transaction.state != .restored && transaction.term?.isRenewal != true
        let begin = HistoryEntry(
            date: transaction.createdAt,
            kind: .change,
            actor: isOwn ? name.account : HistoryRecord.daemon,
            detail: transaction.state == .restored ? "restored" : isOwn ? "added to the queue" : "renewed"
        )
        let end = transaction.finishedAt.map { date in
            HistoryEntry(date: date, kind: .change, actor: name.account, detail: "finished by the application")
        }
        let all = [begin] + history.suffix(historyMaximum - 2) + [end].compactMap(\.self)
        return all.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }.map(\.element)
    }
}

extension HistoryRecord {
    /// The entry as operators see it.
    fileprivate var entry: HistoryEntry {
        HistoryEntry(
            date: date,
            kind: entryKind,
            actor: actor.cut(to: Explanation.textMaximumBytes),
            detail: detail.cut(to: Explanation.textMaximumBytes)
        )
    }

    private var entryKind: HistoryEntry.Kind {
        switch kind {
        case .change: .change
        case .providerCall: .providerCall
        case .delivery: .delivery
        }
    }
}

extension String {
    /// Its first characters, of at most so many bytes.
    fileprivate func cut(to bytes: Int) -> String {
        guard utf8.count > bytes else {
            return self
        }
        var cut = ""
        for character in self {
            guard cut.utf8.count + character.utf8.count <= bytes else {
                break
            }
            cut.append(character)
        }
        return cut
    }
}

extension PaymentEngine {
    /// Transactions in one page of an operator's list.
    package static let findPageMaximum = 32

    /// A page of the transactions of all queues that pass the filter, and the token of the next page if there is more.
    ///
    /// - Parameters:
    ///   - token: The next token of the previous page; 0 for the first page.
    ///   - limit: 1 to ``findPageMaximum``.
    ///   - newestFirst: Whether the newest come first, and not the oldest.
    package func operatorTransactions(
        matching filter: TransactionFilter,
        token: UInt64,
        limit: Int,
        newestFirst: Bool = false
    ) async throws(TillError) -> (page: [OperatorTransaction], next: UInt64?) {
        guard (1...Self.findPageMaximum).contains(limit) else {
            throw TillError(.invalidArgument, "The page size must be 1 to \(Self.findPageMaximum).")
        }
        return try await read { ledger in
            let key = try ledger.key(ofToken: token) { try ledger.transaction(key: $0) != nil }
            let records =
                newestFirst
                ? try ledger.transactions(matching: filter, beforeKey: key == 0 ? .max : key, limit: limit)
                : try ledger.transactions(matching: filter, afterKey: key, limit: limit)
            let (page, next) = PageWeight.page(of: records, limit: limit) { UInt64(exactly: $0.key) }
            return (try page.compactMap { try self.operatorTransaction($0, ledger) }, next)
        }
    }

    /// A page of all queues, the oldest first, and the token of the next page if there is more.
    ///
    /// - Parameters:
    ///   - token: The next token of the previous page; 0 for the first page.
    ///   - limit: 1 to ``findPageMaximum``.
    package func operatorQueues(token: UInt64, limit: Int) async throws(TillError) -> (
        page: [QueueName], next: UInt64?
    ) {
        guard (1...Self.findPageMaximum).contains(limit) else {
            throw TillError(.invalidArgument, "The page size must be 1 to \(Self.findPageMaximum).")
        }
        return try await read { ledger in
            let key = try ledger.key(ofToken: token) { try ledger.queue(key: $0) != nil }
            let queues = try ledger.queues(afterKey: key, limit: limit)
            return (queues.map(\.name), queues.count == limit ? queues.last.flatMap { UInt64(exactly: $0.key) } : nil)
        }
    }

    private func operatorTransaction(_ record: TransactionRecord, _ ledger: any LedgerReader) throws
        -> OperatorTransaction?
    {
        guard let name = try ledger.queue(key: record.queue)?.name else {
            return nil
        }
        return OperatorTransaction(
            application: name.application,
            account: name.account,
            transaction: record.transaction(identifiedBy: numbering),
            needsReview: try ledger.charge(forTransaction: record.key)?.state == .needsReview
                || Self.renewalInReview(after: record, ledger) != nil
        )
    }

    /// The charge for a renewal whose outcome is unknown; nil unless the transaction is its subscription's last period.
    static func renewalInReview(after record: TransactionRecord, _ ledger: any LedgerReader) throws -> ChargeRecord? {
        guard let key = record.term?.subscription, try ledger.subscription(key: key)?.latestKey == record.key else {
            return nil
        }
        return try ledger.chargeInReview(ofSubscription: key)
    }
}
