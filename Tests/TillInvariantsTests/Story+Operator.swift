import FoundationEssentials
import TillAudit
import TillEngine
import TillInvariants
import TillModel

extension Story {
    static let templates = Content(
        identifier: "templates",
        files: ["": Content.Digest(length: 3, hash: [1, 2, 3])]
    )

    static let download = DownloadRecord(
        id: UUID(),
        queue: 1,
        transactionKey: 7,
        transactionID: UUID(),
        productID: "pro",
        content: ProductContent(identifier: templates.identifier, version: "1", length: 3),
        sha256: [1, 2, 3],
        state: .finished
    )

    /// A refund of ``coins`` without the money.
    static let refund = RefundRecord(
        id: UUID(),
        transactionKey: 1,
        queue: 1,
        quantity: 1,
        amount: 0,
        currency: "USD",
        reason: .other,
        state: .succeeded,
        createdAt: date,
        dueAt: date
    )

    static let interrupted = Payment(productID: "pro", applicationUsername: "leo")
    static let continuing = Payment(productID: "pro", applicationUsername: "leo")

    /// A payment that was interrupted, and the payment that continues it.
    static var interruption: [TransactionRecord] {
        var second = row(10, continuing, .purchased, 0)
        second.continues = interrupted.id
        let error = PaymentError(.paymentCancelled, "Interrupted.", reason: .interrupted)
        return [row(9, interrupted, .failed, 0, error: error), second]
    }

    static let promotion = PaymentNote(Payment(productID: "pro"))

    static let links: [AuditLink] = {
        let first = link(after: .start, "ChangeSettings", "settings", "billing-retry=true locale=de")
        let second = link(after: first, "Refund", coins.id.text, "refund=\(refund.id.text)")
        let third = link(after: second, "ChangeSettings", "settings", "billing-retry=(default) locale=nl")
        return [first, second, third]
    }()

    static var operating: [Fact] {
        [
            .actAnswered(action: "ChangeSettings", subject: "settings", identity: nil),
            .actAnswered(action: "Refund", subject: coins.id.text, identity: refund.id),
            // Repeating an order has no further effect.
            .actAnswered(action: "Refund", subject: coins.id.text, identity: refund.id),
            .actAnswered(action: "ChangeSettings", subject: "settings", identity: nil),
            .downloadFinished(DownloadNote(download.download)), .promoted(promotion), .offered(sequence: 1, promotion),
            .revoked(sequence: 1, id: coins.id), consent,
        ]
    }

    static let move = Fact.storefrontChanged(sequence: 2, country: "DEU")

    /// Moves the store after all other facts.
    mutating func moveStorefront() {
        facts += [.storefrontMoved(country: "DEU", asked: UInt64(facts.count)), Self.move]
    }

    /// Gives every purchased or restored transaction its receipt.
    mutating func signAll() {
        for index in rows.indices where rows[index].state == .purchased || rows[index].state == .restored {
            var row = rows[index]
            let receipt = SignedReceipt(header: "header", body: "\(row.key)")
            let charge = charges.first { $0.transactionKey == row.key && $0.state == .succeeded }
            row.sale = SaleRecord(
                amount: charge?.request.amount ?? 0,
                currency: "USD",
                storefront: Storefront(countryCode: "USA", identifier: "143441")
            )
            receipts[receipt] = ReceiptFacts(
                application: Self.name.application,
                queue: 1,
                numbering: .plain,
                transaction: row,
                period: row.term.map { ReceiptFacts.Period(groupID: $0.groupID, end: $0.end, lineItem: row.key) },
                storefront: Storefront(countryCode: "USA", identifier: "143441"),
                date: Self.date
            )
            row.receipt = receipt
            rows[index] = row
        }
    }

    private static func link(after previous: AuditLink, _ action: String, _ subject: String, _ detail: String)
        -> AuditLink
    {
        link(after: AuditHead(sequence: previous.sequence, hash: previous.hash), action, subject, detail)
    }

    private static func link(after head: AuditHead, _ action: String, _ subject: String, _ detail: String)
        -> AuditLink
    {
        var link = AuditLink(
            sequence: head.sequence + 1,
            date: date,
            uid: 1000,
            action: action,
            subject: subject,
            detail: detail,
            reason: "A trial.",
            previousHash: head.hash,
            hash: []
        )
        link.hash = AuditChain.hash(of: link)
        return link
    }
}
