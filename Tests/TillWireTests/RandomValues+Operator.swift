import FoundationEssentials
import TestValues
import TillModel

extension SplitMix64 {
    mutating func minorUnits() -> Int64 {
        Int64(bitPattern: next())
    }

    mutating func filter() -> TransactionFilter {
        TransactionFilter(
            application: optional { $0.text(from: 1) },
            account: optional { $0.text(from: 1) },
            productID: optional { $0.text(from: 1) },
            state: optional { $0.element(of: TransactionState.self) },
            attention: optional { $0.element(of: TransactionFilter.Attention.self) }
        )
    }

    mutating func explanation() -> Explanation {
        Explanation(
            application: text(),
            account: text(),
            transaction: transaction(),
            sentence: text(),
            actions: list { $0.text() },
            history: list { $0.historyEntry() },
            charges: list { $0.charge() },
            refunds: list { $0.refund() }
        )
    }

    mutating func historyEntry() -> HistoryEntry {
        HistoryEntry(date: date(), kind: element(of: HistoryEntry.Kind.self), actor: text(), detail: text())
    }

    mutating func charge() -> ChargeSummary {
        ChargeSummary(
            paymentID: uuid(),
            state: element(of: ChargeSummary.State.self),
            amount: minorUnits(),
            currency: text(),
            attempts: number(),
            reference: optional { $0.text(from: 1) },
            dueAt: date()
        )
    }

    mutating func refund() -> RefundSummary {
        RefundSummary(
            id: uuid(),
            quantity: number(),
            amount: minorUnits(),
            currency: text(),
            reason: element(of: Revocation.Reason.self),
            state: element(of: RefundSummary.State.self),
            reference: optional { $0.text(from: 1) },
            createdAt: date()
        )
    }

    mutating func row() -> ReconciliationRow {
        ReconciliationRow(
            paymentID: uuid(),
            finding: element(of: ReconciliationRow.Finding.self),
            ledgerState: optional { $0.element(of: ChargeSummary.State.self) },
            ledgerAmount: optional { $0.minorUnits() },
            providerAmount: optional { $0.minorUnits() },
            currency: text(),
            reference: optional { $0.text(from: 1) },
            productID: optional { $0.text(from: 1) }
        )
    }

    mutating func entry() -> LedgerEntry {
        LedgerEntry(
            date: date(),
            kind: element(of: LedgerEntry.Kind.self),
            paymentID: uuid(),
            refundID: optional { $0.uuid() },
            application: text(),
            account: text(),
            productID: text(),
            quantity: Int(next() as UInt8),
            amount: minorUnits(),
            currency: text(),
            reference: optional { $0.text(from: 1) }
        )
    }

    mutating func backup() -> BackupSummary {
        BackupSummary(ledgerID: uuid(), date: date(), byteCount: next(), hasKeys: flag())
    }

    mutating func host() -> LedgerHost {
        LedgerHost(
            name: text(),
            isLive: flag(),
            isAnswering: flag(),
            openedAt: date(),
            commits: next(),
            version: text(),
            catalogueHash: bytes(),
            configurationHash: bytes()
        )
    }

    mutating func link() -> AuditLink {
        AuditLink(
            sequence: minorUnits(),
            date: date(),
            uid: UInt32(truncatingIfNeeded: next()),
            host: text(),
            action: text(),
            subject: text(),
            detail: text(),
            reason: text(),
            previousHash: bytes(),
            hash: bytes()
        )
    }

    mutating func review() -> ReviewOutcome? {
        optional { $0.flag() ? .notCharged : .charged(reference: $0.optional { $0.text(from: 1) }) }
    }
}
