import TillAudit
import TillCrypto
import TillEngine
import TillModel
import TillOutput

/// The comparison of the ledger with the provider, which an operator begins.
struct BooksPage {
    let viewer: ConsoleSessions.Session

    var html: HTML {
        guard !viewer.isReadOnly else {
            return "<h1>Books</h1><p>A session that may only read cannot compare the books.</p>"
        }
        let form = Form(target: .action(.reconcile), button: "Compare now", fields: [])
        return """
            <h1>Books</h1><p>Compares each charge in the ledger with the provider's record. Charges that were prepared \
            at the provider, and that nobody will make, are cancelled.</p>\(form.html)
            """
    }

    /// The differences and the verdict.
    static func result(_ rows: [ReconciliationRow], _ sum: ReconciliationPage) -> HTML {
        let headings = ["Payment", "Product", "Ledger", "Ledger's amount", "Provider's amount", "Currency", "Finding"]
        let cells = rows.map { row -> [HTML] in
            [
                HTML.shortTransaction(row.paymentID),
                "\(row.productID ?? "–")",
                "\(row.ledgerState?.title ?? "nothing")",
                "\(row.ledgerAmount.map(String.init) ?? "–")",
                "\(row.providerAmount.map(String.init) ?? "–")",
                "\(row.currency)",
                HTML.badge(row.finding.title, row.finding == .open ? .waiting : .bad),
            ]
        }
        let list = HTML.table("Differences, in minor units", headings, cells, orElse: "There is no difference.")
        return "<p class=\"sentence\">\(ReconciliationLine.verdict(sum))</p>\(list)"
    }
}

/// The audit log, the newest entries first.
struct AuditPage {
    let engine: PaymentEngine
    let viewer: ConsoleSessions.Session
    let query: ViewQuery

    func html() async throws(TillError) -> HTML {
        let last = try await engine.auditHead()
        let end = min(Int64(clamping: try query.token()), last)
        let newest = end > 0 ? end : last
        let before = max(0, newest - Int64(PaymentEngine.auditPageMaximum))
        let links = try await engine.audit(after: before, limit: PaymentEngine.auditPageMaximum)
            .filter { $0.sequence <= newest }
        let headings = ["No.", "When", "Who", "Action", "Subject", "Details", "Reason"]
        let list = HTML.table(
            "Changes by operators, the newest first",
            headings,
            links.reversed().map(Self.row),
            orElse: "No operator has changed anything."
        )
        let more = HTML.next(before > 0 ? before : nil, "Older entries")
        let verify = Form(target: .action(.verifyAudit), button: "Verify the whole log", fields: [])
        return "<h1>Audit log</h1>\(viewer.isReadOnly ? "" : verify.html)\(list)\(more)"
    }

    private static func row(_ link: AuditLink) -> [HTML] {
        [
            "\(link.sequence)", HTML.date(link.date), "\(link.user)", "\(link.action)", "\(link.subject)",
            "\(link.detail)", "\(link.reason)",
        ]
    }
}
