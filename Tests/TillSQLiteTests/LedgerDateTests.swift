import FoundationEssentials
import TillEngine
import TillModel
import Testing

@Suite("Every ledger: dates are kept in milliseconds")
struct LedgerDateTests {
    private let date = Date(timeIntervalSince1970: 1_700_000_000.123_456)

    private var kept: Date {
        date.roundedToMilliseconds
    }

    @Test(arguments: LedgerKind.allCases)
    func ofTransactions(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let original = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let subscription = try await ledger.insert(SubscriptionRecord.sample(original))
            var record = TransactionRecord.sample(original.queue, revision: 2, finishedAt: date, deadline: date)
            record.createdAt = date
            record.purchasedAt = date
            record.payment = .whole("text")
            record.payment.discount?.timestamp = date
            record.revocation = Revocation(date: date, reason: .other, quantity: 1)
            record.term = TermRecord(subscription: subscription.key, groupID: "g", start: date, end: date)
            let stored = try await ledger.insert(record)
            try await expectKept(ledger, stored.key)
            try await ledger.commit { try $0.update(stored) }
            try await expectKept(ledger, stored.key)
        }
    }

    private func expectKept(_ ledger: any Ledger, _ key: Int64) async throws {
        let found = try #require(await ledger.read { try $0.transaction(key: key) })
        let dates = [
            found.createdAt, found.purchasedAt, found.finishedAt, found.deadline, found.payment.discount?.timestamp,
            found.revocation?.date, found.term?.start, found.term?.end,
        ]
        #expect(dates.allSatisfy { $0 == kept }, "\(dates)")
        let (overdue, due) = try await ledger.read { [date] reader in
            (try reader.overdueTransactions(at: date, limit: 9), try reader.nextDue())
        }
        #expect(overdue.count == 1)
        #expect(due == kept)
    }

    @Test(arguments: LedgerKind.allCases)
    func ofWhatIsDue(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            var subscription = SubscriptionRecord.sample(record)
            subscription.periodStart = date
            subscription.periodEnd = date
            subscription.graceEnd = date
            subscription.retryEnd = date
            subscription.dueAt = date
            subscription = try await ledger.insert(subscription)
            var charge = ChargeRecord.sample(record.queue, record.key)
            charge.createdAt = date
            charge.dueAt = date
            charge = try await ledger.insert(charge)
            var refund = RefundRecord.sample(record)
            refund.createdAt = date
            refund.dueAt = date
            let (inserted, pay, group) = (refund, charge, subscription)
            try await ledger.commit { try $0.insert(inserted) }
            for _ in 1...2 {
                try await ledger.read { [date, kept] reader throws in
                    let subscription = try reader.dueSubscriptions(at: date, limit: 9).first
                    let charge = try reader.dueCharges(at: date, limit: 9).first
                    let refund = try reader.dueRefunds(at: date, limit: 9).first
                    let dates = [
                        subscription?.periodStart, subscription?.periodEnd, subscription?.graceEnd,
                        subscription?.retryEnd, subscription?.dueAt, charge?.createdAt, charge?.dueAt,
                        refund?.createdAt, refund?.dueAt, try reader.nextDue(),
                    ]
                    #expect(dates.allSatisfy { $0 == kept }, "\(dates)")
                }
                try await ledger.commit { writer in
                    try writer.update(group)
                    try writer.update(pay)
                    try writer.update(inserted)
                }
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func ofTheBooks(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            var restore = RestoreRecord.sample(record.queue)
            restore.createdAt = date
            restore.deadline = date
            var payment = Payment.whole("text")
            payment.discount?.timestamp = date
            let request = EventRecord(queue: record.queue, revision: 5, kind: .storePaymentRequested(payment))
            payment.discount?.timestamp = kept
            let requested = EventRecord.Kind.storePaymentRequested(payment)
            var link = AuditLink.blank
            link.date = date
            let entry = HistoryRecord(transactionKey: record.key, date: date, kind: .change, actor: "", detail: "")
            let (job, audited) = (restore, link)
            try await ledger.commit { writer in
                try writer.insert(job)
                try writer.update(job)
                try writer.insert(request)
                try writer.append(entry, keeping: 1)
                try writer.append(audited)
            }
            try await ledger.read { [kept] reader throws in
                let restore = try reader.restore(job.id)
                let dates = [
                    restore?.createdAt, restore?.deadline, try reader.history(ofTransaction: record.key).first?.date,
                    try reader.lastAudit()?.date,
                ]
                #expect(dates.allSatisfy { $0 == kept }, "\(dates)")
                #expect(try reader.events(in: record.queue, after: 0, limit: 1).first?.kind == requested)
            }
        }
    }
}
