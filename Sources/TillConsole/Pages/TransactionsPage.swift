import FoundationEssentials
import TillEngine
import TillModel
import TillOutput

/// The transactions of all queues, the newest first, with filters.
struct TransactionsPage {
    let engine: PaymentEngine
    let query: ViewQuery

    func html() async throws(TillError) -> HTML {
        let found = try await engine.operatorTransactions(
            matching: try filter(),
            token: try query.token(),
            limit: PaymentEngine.findPageMaximum,
            newestFirst: true
        )
        let list = Self.table("Transactions, the newest first", found.page, orElse: "No transaction matches.")
        return "<h1>Transactions</h1>\(forms)\(list)\(HTML.next(found.next, "Older transactions"))"
    }

    /// The transactions as a table.
    static func table(_ caption: String, _ transactions: [OperatorTransaction], orElse sentence: String) -> HTML {
        let headings = ["Product", "State", "Account", "Application", "Date", "Transaction"]
        let rows = transactions.map { found -> [HTML] in
            let transaction = found.transaction
            return [
                "\(transaction.payment.productID) ×\(transaction.payment.quantity)",
                state(found),
                "\(found.account)",
                "\(found.application)",
                transaction.purchase.map { HTML.date($0.transactionDate) } ?? "–",
                HTML.shortTransaction(transaction.id),
            ]
        }
        return HTML.table(caption, headings, rows, orElse: sentence)
    }

    /// The state with what it waits for.
    private static func state(_ found: OperatorTransaction) -> HTML {
        let transaction = found.transaction
        if found.needsReview {
            return HTML.badge("needs review", .bad)
        }
        if let revocation = transaction.revocation {
            return HTML.badge("revoked ×\(revocation.quantity)", .plain)
        }
        let state = transaction.state.title
        switch transaction.state {
        case .purchasing, .deferred:
            let wait = transaction.blocker.map { ", waits for \($0.title)" } ?? ""
            return HTML.badge("\(state)\(wait)", .waiting)
        case .failed:
            return HTML.badge(state, .bad)
        case .purchased, .restored:
            return HTML.badge(transaction.isFinished ? "\(state), finished" : "\(state), unfinished", .good)
        }
    }

    private func filter() throws(TillError) -> TransactionFilter {
        TransactionFilter(
            application: query["application"],
            account: query["account"],
            productID: query["product"],
            state: try value("state"),
            attention: try value("attention")
        )
    }

    /// The case of a type that a parameter names; nil without one.
    private func value<Choice: CaseNamed>(_ name: String) throws(TillError) -> Choice? {
        guard let text = query[name] else {
            return nil
        }
        guard let choice = Choice.named(text) else {
            throw TillError(.invalidArgument, "There is no \(name) \(text).")
        }
        return choice
    }

    private var forms: [HTML] {
        let search = Form(
            target: .view(.transactions),
            button: "Search",
            fields: [
                text("application", "Application", hint: "org.example.notes"),
                text("account", "Account", hint: "uid:1000"),
                text("product", "Product", hint: "coins.100"),
                choice("state", "State", TransactionState.self),
                choice("attention", "Attention", TransactionFilter.Attention.self),
            ]
        )
        let open = Form(
            target: .view(.transaction),
            button: "Open",
            fields: [.text(name: "id", label: "Transaction's id", isRequired: true)]
        )
        return [search.html, open.html]
    }

    private func text(_ name: String, _ label: String, hint: String) -> Form.Field {
        .text(name: name, label: label, value: query[name] ?? "", hint: hint)
    }

    private func choice<Choice: CaseNamed>(_ name: String, _ label: String, _: Choice.Type) -> Form.Field {
        let options = [(value: "", label: "any")] + Choice.allCases.map { (value: $0.name, label: $0.title) }
        return .choice(name: name, label: label, options: options, chosen: query[name] ?? "")
    }
}
