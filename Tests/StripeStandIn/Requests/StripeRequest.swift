/// A request as it arrived.
struct StripeRequest: Sendable {
    var method: String
    var path: String
    /// The parameters of the query and of the body.
    var fields: FormFields
    /// The body as it was sent.
    var body: [UInt8] = []
    var authorization: String?
    var version: String?
    var key: String?
    var host: String?

    /// The key of the merchant, with or without a `Bearer` scheme.
    var apiKey: String? {
        authorization.flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
    }

    /// Only a request that changes something has an idempotency key.
    var idempotencyKey: String? {
        method == "POST" ? key.flatMap { $0.isEmpty ? nil : $0 } : nil
    }
}

/// An answer as it is sent.
struct StripeAnswer: Hashable, Sendable {
    var status: Int
    var headers: [String: String] = [:]
    var contentType = "application/json"
    var body: String

    init(_ status: Int, _ json: JSON) {
        self.status = status
        body = json.text
    }

    init(html: String) {
        status = 200
        contentType = "text/html; charset=utf-8"
        body = html
    }

    init(status: Int, text: String) {
        self.status = status
        body = text
    }

    init(redirect address: String) {
        status = 303
        headers = ["location": address]
        body = ""
    }

    init(_ failure: StripeFailure) {
        self.init(failure.status, failure.body)
    }
}
