import TillEngine
import TillModel
import TillOutput

/// What an operator looks at first: whether the daemon serves, and what waits for somebody.
struct OverviewPage {
    /// Transactions of each kind that are listed.
    private static let listMaximum = 8

    let engine: PaymentEngine
    let history: FigureHistory

    func html() async throws(TillError) -> HTML {
        let lists = [
            try await list(.needsReview, "Charges that need review", "No charge needs review."),
            try await list(.interrupted, "Interrupted purchases", "No purchase is interrupted."),
            try await list(.pending, "Purchasing or deferred", "No payment waits."),
            try await list(.unfinished, "Not finished by their application", "Everything is finished."),
        ]
        return "<h1>Overview</h1>\(daemon)\(Plots(points: history.points).html)\(lists)"
    }

    private var daemon: HTML {
        let clock = engine.clock()
        return HTML.details([
            (
                "Daemon",
                engine.isServing
                    ? HTML.badge("takes payments", .good) : HTML.badge("takes no payments now; see its log", .bad)
            ),
            ("Version", "tilld \(TillVersion.text)"),
            ("Store", engine.isSimulated ? "simulated: no money moves" : "real money"),
            ("Ledger", "\(engine.timelineID.text)"),
            ("Store's clock", HTML.date(clock.now)),
            ("Ahead of this machine's", clock.offset > .zero ? "\(clock.offset.spanText)" : nil),
        ])
    }

    private func list(
        _ attention: TransactionFilter.Attention,
        _ caption: String,
        _ sentence: String
    ) async throws(TillError) -> HTML {
        let (page, next) = try await engine.operatorTransactions(
            matching: TransactionFilter(attention: attention),
            token: 0,
            limit: Self.listMaximum
        )
        let more: HTML =
            next == nil ? "" : "<p><a href=\"#/transactions?attention=\(attention.name)\">All of them</a></p>"
        return "\(TransactionsPage.table(caption, page, orElse: sentence))\(more)"
    }
}
