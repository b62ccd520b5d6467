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
        return "<h1>Transactions</h1>\(try form())\(list)\(try next(found.next))"
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
                HTML.transaction(transaction.id, "…\(transaction.id.text.suffix(8))"),
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
        guard let choice = Choice.allCases.first(where: { $0.name == text }) else {
            throw TillError(.invalidArgument, "There is no \(name) \(text).")
        }
        return choice
    }

    private func form() throws(TillError) -> HTML {
        let texts = [
            ("application", "Application", "org.example.notes"), ("account", "Account", "uid:1000"),
            ("product", "Product", "coins.100"),
        ]
        let inputs = texts.map { name, label, hint in
            """
            <label>\(label) <input name="\(name)" value="\(query[name] ?? "")" placeholder="\(hint)" \
            autocomplete="off" spellcheck="false"></label>
            """ as HTML
        }
        return """
            <form data-view="transactions" role="search">\(inputs)\
            \(choice("state", "State", TransactionState.self))\
            \(choice("attention", "Attention", TransactionFilter.Attention.self))\
            <button type="submit">Search</button></form>\
            <form data-view="transaction" role="search"><label>Transaction's id <input name="id" required \
            autocomplete="off" spellcheck="false"></label><button type="submit">Open</button></form>
            """
    }

    private func choice<Choice: CaseNamed>(_ name: String, _ label: String, _: Choice.Type) -> HTML {
        let options = Choice.allCases.map { choice in
            let selected: HTML = query[name] == choice.name ? " selected" : ""
            return "<option value=\"\(choice.name)\"\(selected)>\(choice.title)</option>" as HTML
        }
        return """
            <label>\(label) <select name="\(name)"><option value="">any</option>\(options)</select></label>
            """
    }

    private func next(_ token: UInt64?) throws(TillError) -> HTML {
        guard let token else {
            return ""
        }
        return "<button type=\"button\" data-page=\"\(token)\">Older transactions</button>"
    }
}
