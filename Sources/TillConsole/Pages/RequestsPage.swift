import TillEngine
import TillModel
import TillOutput

/// The open requests of all accounts: Ask to Buy, consent, prices, and payments on the provider's page.
struct RequestsPage {
    let engine: PaymentEngine
    let viewer: ConsoleSessions.Session
    let query: ViewQuery

    func html() async throws(TillError) -> HTML {
        let (page, next) = try await engine.authorizationRequests(
            for: Approver(viewer),
            token: try query.token(),
            limit: PaymentEngine.requestPageMaximum
        )
        let headings = ["Request", "Product", "Price", "Account", "Application", "Answer by", "Answer"]
        let rows = page.map(row)
        let list = HTML.table("Waiting for an answer, the oldest first", headings, rows, orElse: "Nobody waits.")
        return "<h1>Requests</h1>\(list)\(HTML.next(next, "More requests"))"
    }

    private func row(_ request: AuthorizationRequest) -> [HTML] {
        [
            "\(Self.title(request.kind))",
            "\(request.displayName) (\(HTML.transaction(request.id, request.productID))) ×\(request.quantity)",
            "\(request.price.plain)",
            "\(request.account)",
            "\(request.application)",
            HTML.date(request.deadline),
            viewer.isReadOnly ? "–" : answers(request),
        ]
    }

    private func answers(_ request: AuthorizationRequest) -> HTML {
        let product = "\(request.displayName) ×\(request.quantity) for \(request.account)"
        let decline = answer(request, approves: false, "Decline", "Decline \(product)?")
        guard request.kind != .payment else {
            // Only the payer can pay, on the provider's page.
            return decline
        }
        return "\(answer(request, approves: true, "Approve", "Approve \(product), \(request.price.plain)?"))\(decline)"
    }

    private func answer(_ request: AuthorizationRequest, approves: Bool, _ button: String, _ question: String) -> HTML {
        Form(
            target: .action(.answer),
            button: button,
            fields: [
                .hidden(name: "id", value: request.id.text),
                .hidden(name: "kind", value: request.kind.name),
                .hidden(name: "price", value: "\(request.price.amount)"),
                .hidden(name: "currency", value: request.price.currency),
                .hidden(name: "approves", value: "\(approves)"),
                .hidden(name: "reason", value: "answered on the operator page"),
            ],
            question: question
        )
        .html
    }

    private static func title(_ kind: AuthorizationRequest.Kind) -> String {
        switch kind {
        case .purchase: "Consent to a purchase"
        case .approval: "Ask to Buy"
        case .priceConsent: "Consent to a price increase"
        case .payment: "Payment on the provider's page"
        }
    }
}

extension Approver {
    /// An operator may answer for every account.
    init(_ session: ConsoleSessions.Session) {
        self.init(uid: session.uid, account: String(user: session.uid, host: nil), approvesForOthers: true)
    }
}
