import FoundationEssentials
import TillEngine
import TillModel
import TillOutput

/// One transaction: why it is in its state, its whole history, and what an operator may do.
struct TransactionPage {
    let engine: PaymentEngine
    let viewer: ConsoleSessions.Session

    func html(_ id: UUID) async throws(TillError) -> HTML {
        let explanation = try await engine.explanation(ofTransaction: id)
        return """
            <h1>\(explanation.transaction.payment.productID) ×\(explanation.transaction.payment.quantity)</h1>\
            <p class="sentence">\(explanation.sentence)</p>\(Self.facts(explanation))\
            \(viewer.isReadOnly ? "" : Self.actions(explanation))\(Self.charges(explanation))\
            \(Self.refunds(explanation))\(Self.history(explanation))
            """
    }

    private static func facts(_ explanation: Explanation) -> HTML {
        let transaction = explanation.transaction
        return HTML.details([
            ("Transaction", "<code>\(transaction.id.text)</code>"),
            ("State", "\(transaction.state.title)"),
            ("Waits for", HTML.text(transaction.blocker?.title)),
            ("Until", transaction.deadline.map(HTML.date)),
            ("Application", "\(explanation.application)"),
            ("Account", "\(explanation.account)"),
            ("Application's username", HTML.text(transaction.payment.applicationUsername)),
            ("Identifier", HTML.text(transaction.purchase?.transactionIdentifier)),
            ("Date", (transaction.purchase?.transactionDate).map(HTML.date)),
            ("Original", transaction.original.map { HTML.transaction($0.id) }),
            ("Continues", transaction.continues.map { HTML.transaction($0) }),
            ("Error", HTML.text(transaction.error?.message)),
            ("Revoked", transaction.revocation.map { "×\($0.quantity) on \(HTML.date($0.date)), \($0.reason.title)" }),
            (
                "Period",
                transaction.subscription.map { "\(HTML.date($0.startDate)) to \(HTML.date($0.expirationDate))" }
            ),
            ("Finished", transaction.isFinished ? "yes" : "no"),
        ])
    }

    private static func charges(_ explanation: Explanation) -> HTML {
        let rows = explanation.charges.map { charge -> [HTML] in
            [
                "\(Price(minorUnits: charge.amount, currency: charge.currency).plain)",
                "\(charge.state.title)",
                "\(charge.attempts)",
                "\(charge.reference ?? "–")",
                charge.state == .open ? HTML.date(charge.dueAt) : "–",
            ]
        }
        let headings = ["Amount", "State", "Calls", "Provider's name for it", "Next call"]
        return HTML.table("Charge", headings, rows, orElse: "There is no charge.")
    }

    private static func refunds(_ explanation: Explanation) -> HTML {
        let rows = explanation.refunds.map { refund -> [HTML] in
            [
                HTML.date(refund.createdAt),
                "\(refund.quantity)",
                "\(Price(minorUnits: refund.amount, currency: refund.currency).plain)",
                "\(refund.state.title)",
                "\(refund.reason.title)",
                "\(refund.reference ?? "–")",
            ]
        }
        let headings = ["Ordered", "Quantity", "Amount", "State", "Cause", "Provider's name for it"]
        return HTML.table("Refunds", headings, rows, orElse: "Nothing was refunded.")
    }

    private static func history(_ explanation: Explanation) -> HTML {
        let rows = explanation.history.map { entry -> [HTML] in
            let kind = entry.kind == .change ? "" : "\(entry.kind.title): "
            return [HTML.date(entry.date), "\(entry.actor)", "\(kind + entry.detail)"]
        }
        return HTML.table("History", ["When", "Who", "What"], rows, orElse: "Nothing happened yet.")
    }
}

/// The forms. Which of them can do something now, the engine decides when one is sent.
extension TransactionPage {
    private static func actions(_ explanation: Explanation) -> HTML {
        let transaction = explanation.transaction
        var forms: [HTML] = []
        if transaction.state == .purchased {
            forms.append(refund(transaction))
        }
        if let id = reviewed(explanation) {
            forms.append(review(id))
        } else if transaction.blocker == .resolution || transaction.state == .failed || transaction.subscription != nil
        {
            forms.append(resolve(transaction.id))
        }
        if transaction.subscription != nil {
            forms += subscription(transaction.id)
        }
        if transaction.receipt != nil {
            forms.append(receipt(transaction.id))
        }
        return forms.isEmpty ? "" : "<h2>Actions</h2><div class=\"actions\">\(forms)</div>"
    }

    private static func refund(_ transaction: Transaction) -> HTML {
        titled(
            "Refund",
            Form(
                target: .action(.refund),
                button: "Refund…",
                fields: [
                    id(transaction.id),
                    .number(
                        name: "quantity",
                        label: "Quantity (0 for all that is left)",
                        value: 0,
                        in: 0...transaction.payment.quantity
                    ),
                    .choice(
                        name: "cause",
                        label: "Cause",
                        options: Revocation.Reason.allCases.map { ($0.name, $0.title) }
                    ),
                    .checkbox(name: "keepsMoney", label: "Revoke without giving money back"),
                    .reason,
                ],
                question: "This cannot be undone.",
                preview: .refundPreview
            )
        )
    }

    /// The charge or refund of unknown outcome; nil without one.
    private static func reviewed(_ explanation: Explanation) -> UUID? {
        if let refund = explanation.refunds.first(where: { $0.state == .needsReview }) {
            return refund.id
        }
        return explanation.charges.contains { $0.state == .needsReview } ? explanation.transaction.id : nil
    }

    private static func review(_ id: UUID) -> HTML {
        titled(
            "State what the provider did",
            Form(
                target: .action(.resolve),
                button: "Resolve…",
                fields: [
                    Self.id(id),
                    .choice(
                        name: "review",
                        label: "The provider's records show",
                        options: [("charged", "money moved"), ("not_charged", "no money moved")]
                    ),
                    .text(name: "reference", label: "Provider's name for it"),
                    .reason,
                ],
                question: "The ledger will say this from now on. Look into the provider's own records first."
            )
        )
    }

    private static func resolve(_ id: UUID) -> HTML {
        titled(
            "Continue an interrupted purchase or an unpaid renewal",
            Form(
                target: .action(.resolve),
                button: "Continue",
                fields: [Self.id(id), .hidden(name: "review", value: "none"), .reason]
            )
        )
    }

    private static func subscription(_ id: UUID) -> [HTML] {
        [
            titled(
                "Renewal",
                Form(
                    target: .action(.autoRenew),
                    button: "Change",
                    fields: [
                        Self.id(id),
                        .choice(
                            name: "renews",
                            label: "At the end of the period",
                            options: [("true", "renew"), ("false", "do not renew")]
                        ),
                        .reason,
                    ]
                )
            ),
            titled(
                "Renew now",
                Form(
                    target: .action(.renew),
                    button: "Renew…",
                    fields: [Self.id(id), .reason],
                    question: "The period ends now, and the next one is charged for at once."
                )
            ),
            titled(
                "End the subscription now",
                Form(
                    target: .action(.expire),
                    button: "End…",
                    fields: [Self.id(id), .reason],
                    question: "The account loses the subscription at once. No money is given back."
                )
            ),
        ]
    }

    private static func receipt(_ id: UUID) -> HTML {
        titled(
            "Sign the receipt again",
            Form(
                target: .action(.rebuildReceipt),
                button: "Sign",
                fields: [Self.id(id), .reason]
            )
        )
    }

    private static func id(_ id: UUID) -> Form.Field {
        .hidden(name: "id", value: id.text)
    }

    private static func titled(_ title: String, _ form: Form) -> HTML {
        "<details><summary>\(title)</summary>\(form.html)</details>"
    }
}
