import FoundationEssentials
import TillModel
import TillOutput

/// A transaction of any queue.
struct FoundTransactionLine: OutputLine {
    let found: OperatorTransaction

    var text: String {
        let review = found.needsReview ? "  NEEDS REVIEW" : ""
        return
            "\(found.application)  \(found.account)  \(TransactionLine(transaction: found.transaction).text)\(review)"
    }

    var json: JSONObject {
        [
            "application": found.application,
            "account": found.account,
            "transaction": TransactionLine(transaction: found.transaction).json,
            "needs_review": found.needsReview,
        ]
    }
}

/// The explanation of a transaction's state: a sentence, the history, charges and refunds, and the safe actions.
struct ExplanationOutput: Output {
    let explanation: Explanation

    private var history: [HistoryLine] { explanation.history.map(HistoryLine.init) }
    private var charges: [ChargeLine] { explanation.charges.map(ChargeLine.init) }
    private var refunds: [RefundLine] { explanation.refunds.map(RefundLine.init) }

    var lines: [String] {
        let head = [
            explanation.sentence,
            TransactionLine(transaction: explanation.transaction).text,
            "application: \(explanation.application)",
            "account: \(explanation.account)",
        ]
        let actions = explanation.actions.map { "  \($0)" }
        return head + Self.section("History", history) + Self.section("Charges", charges)
            + Self.section("Refunds", refunds) + (actions.isEmpty ? [] : ["", "Safe actions:"] + actions)
    }

    /// A table under its title, or nothing if there are no rows.
    private static func section<Row: TableRow>(_ title: String, _ rows: [Row]) -> [String] {
        guard !rows.isEmpty else {
            return []
        }
        let table = Table(headings: Row.headings, rows: rows.map(\.columns))
        return ["", "\(title):"] + table.lines.map { "  \($0)" }
    }

    var json: JSONObject {
        [
            "application": explanation.application,
            "account": explanation.account,
            "transaction": TransactionLine(transaction: explanation.transaction).json,
            "sentence": explanation.sentence,
            "actions": explanation.actions,
            "history": history.map(\.json),
            "charges": charges.map(\.json),
            "refunds": refunds.map(\.json),
        ]
    }
}

/// An event in the history of a transaction.
struct HistoryLine: TableRow {
    static let headings = ["WHEN", "WHO", "WHAT"]

    let entry: HistoryEntry

    var columns: [String] {
        let kind =
            switch entry.kind {
            case .change: ""
            case .providerCall, .delivery: "\(entry.kind.title): "
            }
        return [entry.date.timestamp, entry.actor, kind + entry.detail]
    }

    var json: JSONObject {
        ["date": entry.date, "kind": entry.kind.name, "actor": entry.actor, "detail": entry.detail]
    }
}

/// A charge for a payment.
struct ChargeLine: TableRow {
    static let headings = ["PAYMENT", "AMOUNT", "STATE", "CALLS", "REFERENCE", "DUE"]

    let charge: ChargeSummary

    /// The time of the next call of the provider. A settled charge has none.
    private var dueAt: Date? {
        charge.state == .open ? charge.dueAt : nil
    }

    var columns: [String] {
        [
            charge.paymentID.text,
            Price(minorUnits: charge.amount, currency: charge.currency).plain,
            charge.state.title,
            "\(charge.attempts)",
            charge.reference ?? "-",
            dueAt?.timestamp ?? "-",
        ]
    }

    var json: JSONObject {
        [
            "payment_id": charge.paymentID,
            "state": charge.state.name,
            "amount": charge.amount,
            "currency": charge.currency,
            "attempts": charge.attempts,
            "reference": charge.reference,
            "due_at": dueAt,
        ]
    }
}

/// A refund of a purchase, or of a part of it.
struct RefundLine: TableRow {
    static let headings = ["CREATED", "QUANTITY", "AMOUNT", "STATE", "CAUSE", "REFERENCE", "ID"]

    let refund: RefundSummary

    fileprivate var amount: String {
        Price(minorUnits: refund.amount, currency: refund.currency).plain
    }

    var columns: [String] {
        [
            refund.createdAt.timestamp, "\(refund.quantity)", amount, refund.state.title, refund.reason.title,
            refund.reference ?? "-", refund.id.text,
        ]
    }

    var json: JSONObject {
        [
            "id": refund.id,
            "quantity": refund.quantity,
            "amount": refund.amount,
            "currency": refund.currency,
            "reason": refund.reason.name,
            "state": refund.state.name,
            "reference": refund.reference,
            "created_at": refund.createdAt,
        ]
    }
}

/// A refund that was just ordered, and its transaction afterwards.
struct RefundedLine: OutputLine {
    let refund: RefundSummary
    let transaction: Transaction

    var text: String {
        let isRevocation = refund.amount == 0 && refund.currency != Price.noCurrency
        let amount = isRevocation ? "" : " for \(RefundLine(refund: refund).amount)"
        let what = "\(isRevocation ? "revocation" : "refund") of \(refund.quantity)\(amount)"
        let state = "\(refund.state.title)  refund-id=\(refund.id.text)"
        return "\(what)  \(state)  \(TransactionLine(transaction: transaction).text)"
    }

    var json: JSONObject {
        ["refund": RefundLine(refund: refund).json, "transaction": TransactionLine(transaction: transaction).json]
    }
}

/// A payment that was offered to an application.
struct PromotedLine: OutputLine {
    let payment: Payment
    let application: String
    let account: String

    var text: String {
        "\(application)  \(account)  offered  \(PaymentLine(payment: payment).text)"
    }

    var json: JSONObject {
        ["application": application, "account": account, "payment": PaymentLine(payment: payment).json]
    }
}
