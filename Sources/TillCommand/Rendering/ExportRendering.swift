import FoundationEssentials
import TillModel
import TillOutput

/// A charge or a refund, for accounting. Its amount is negative for money that was given back.
struct LedgerEntryRow: CSVRow {
    static let headings = [
        "date", "kind", "payment_id", "refund_id", "application", "account", "product",
        "quantity", "amount", "currency", "reference",
    ]

    let entry: LedgerEntry

    var line: CSVLine {
        CSVLine(values: [
            .plain(entry.date.timestamp), .plain(entry.kind.name), .plain(entry.paymentID.text),
            .plain(entry.refundID?.text ?? ""), .text(entry.application), .text(entry.account), .text(entry.productID),
            .plain("\(entry.quantity)"),
            .plain(Price(minorUnits: entry.signedAmount, currency: entry.currency).plainAmount),
            .text(entry.currency), .text(entry.reference ?? ""),
        ])
    }

    var json: JSONObject {
        [
            "date": entry.date,
            "kind": entry.kind.name,
            "payment_id": entry.paymentID,
            "refund_id": entry.refundID,
            "application": entry.application,
            "account": entry.account,
            "product": entry.productID,
            "quantity": entry.quantity,
            "amount": entry.signedAmount,
            "currency": entry.currency,
            "reference": entry.reference,
        ]
    }
}

/// What was charged and given back on a day in UTC, in one currency.
struct DayTotal: CSVRow {
    static let headings = ["day", "currency", "charges", "charged", "refunds", "refunded", "net"]

    let day: String
    let currency: String
    private(set) var charges = 0
    private(set) var refunds = 0
    /// In minor units.
    private(set) var charged: Int64 = 0
    private(set) var refunded: Int64 = 0

    init(day: String, currency: String) {
        self.day = day
        self.currency = currency
    }

    mutating func add(_ entry: LedgerEntry) throws(CommandFailure) {
        switch entry.kind {
        case .charge:
            charges += 1
            charged = try sum(charged, entry.amount)
        case .refund:
            refunds += 1
            refunded = try sum(refunded, entry.amount)
        }
    }

    private func sum(_ total: Int64, _ amount: Int64) throws(CommandFailure) -> Int64 {
        let (sum, isTooLarge) = total.addingReportingOverflow(amount)
        // Neither total is ever below zero, so that their difference is a number too.
        guard amount >= 0, !isTooLarge else {
            throw CommandFailure(
                .failed,
                "The total of \(day) in \(currency) cannot be computed: export without --totals."
            )
        }
        return sum
    }

    var line: CSVLine {
        CSVLine(values: [
            .plain(day), .text(currency), .plain("\(charges)"), .plain(text(charged)), .plain("\(refunds)"),
            .plain(text(-refunded)), .plain(text(charged - refunded)),
        ])
    }

    private func text(_ amount: Int64) -> String {
        Price(minorUnits: amount, currency: currency).plainAmount
    }

    var json: JSONObject {
        [
            "day": day,
            "currency": currency,
            "charges": charges,
            "charged": charged,
            "refunds": refunds,
            "refunded": -refunded,
            "net": charged - refunded,
        ]
    }
}

extension LedgerEntry {
    fileprivate var signedAmount: Int64 {
        kind == .refund ? 0 &- amount : amount
    }

    /// The day in UTC: `2026-11-01`.
    var day: String {
        date.formatted(Date.ISO8601FormatStyle().year().month().day())
    }
}

extension LedgerEntry.Kind: CaseNamed {}
