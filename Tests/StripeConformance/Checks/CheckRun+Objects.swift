import TillEngine
import TillModel

/// Objects that checks make, with the parameters that Till sends.
extension CheckRun {
    static let intents = "/v1/payment_intents"

    /// The parameters of a payment of 5 euros, which no redirect may interrupt.
    static func payment(_ method: String, _ more: [(String, String)] = []) -> [(String, String)] {
        [
            ("amount", "500"), ("currency", "eur"), ("payment_method", method), ("description", "Till conformance"),
            ("automatic_payment_methods[enabled]", "true"), ("automatic_payment_methods[allow_redirects]", "never"),
        ] + more
    }

    /// Makes an intent that is not confirmed, and returns its id.
    func prepare(_ method: String = "pm_card_visa", _ more: [(String, String)] = []) async throws -> String {
        let intent = try await post(Self.intents, "", Self.payment(method, more))
        expect(
            intent,
            200,
            ["status": "requires_confirmation", "amount": 500, "currency": "eur", "livemode": false]
        )
        return try id(of: intent)
    }

    /// Confirms an intent, which may charge it.
    func confirm(_ intent: String, _ fields: [(String, String)] = []) async throws -> APIAnswer {
        try await post("\(Self.intents)/*/confirm", intent, fields)
    }

    func cancel(_ intent: String) async throws -> APIAnswer {
        try await post("\(Self.intents)/*/cancel", intent)
    }

    /// Makes a payment that succeeds, and returns its id.
    func pay(_ method: String = "pm_card_visa", _ more: [(String, String)] = []) async throws -> String {
        let intent = try await prepare(method, more)
        let paid = try await confirm(intent)
        guard expect(paid, 200, ["status": "succeeded", "amount_received": 500]) else {
            throw Stop()
        }
        return intent
    }

    /// What Till notes on the payment of a request.
    func metadata(_ request: ChargeRequest) -> [(String, String)] {
        [("metadata[till_payment]", request.paymentID.text), ("metadata[till_ledger]", account.ledger.text)]
    }

    func refund(_ payment: String, _ more: [(String, String)] = []) async throws -> APIAnswer {
        try await post("/v1/refunds", "", [("payment_intent", payment)] + more)
    }

    func customer() async throws -> String {
        try id(of: try await post("/v1/customers", "", [("description", "Till conformance")]))
    }

    /// Saves a test method with a customer, and returns its id.
    func attach(_ method: String, to customer: String) async throws -> String {
        let saved = try await post("/v1/payment_methods/*/attach", method, [("customer", customer)])
        expect(saved, 200, ["customer": .text(customer)])
        return try id(of: saved)
    }

    /// Makes the method the one that the customer's renewals are paid with.
    func setDefault(_ method: String, of customer: String) async throws {
        let changed = try await post(
            "/v1/customers/*",
            customer,
            [("invoice_settings[default_payment_method]", method)]
        )
        expect(changed, 200, ["invoice_settings.default_payment_method": .text(method)])
    }
}
