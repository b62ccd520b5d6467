/// An error answer of Stripe's.
package struct StripeFailure: Error, Hashable, Sendable {
    package var status: Int
    /// The fields of `error`.
    package var fields: Fields
    /// Whether execution had begun, so that the answer is stored for the idempotency key.
    package var isStored = false

    init(_ status: Int, type: String, code: String? = nil, _ message: String, param: String? = nil) {
        self.status = status
        fields = ["type": .string(type), "message": .string(message)]
        if let code {
            fields["code"] = .string(code)
            fields["doc_url"] = .string("https://stripe.com/docs/error-codes/\(code.replacing("_", with: "-"))")
        }
        if let param {
            fields["param"] = .string(param)
        }
    }

    package var code: String { fields.text("code") }
    var body: JSON { ["error": .object(fields)] }

    func with(_ name: String, _ value: JSON) -> StripeFailure {
        var copy = self
        copy.fields[name] = value
        return copy
    }

    /// The same failure, stored for the idempotency key.
    var stored: StripeFailure {
        var copy = self
        copy.isStored = true
        return copy
    }
}

extension StripeFailure {
    /// A parameter that fails validation. Nothing was executed.
    static func invalid(_ message: String, param: String? = nil, code: String? = nil) -> StripeFailure {
        StripeFailure(400, type: "invalid_request_error", code: code, message, param: param)
    }

    static func unknownParameter(_ name: String) -> StripeFailure {
        .invalid("Received unknown parameter: \(name)", param: name, code: "parameter_unknown")
    }

    static func missing(_ name: String, _ id: String, param: String, status: Int = 404) -> StripeFailure {
        StripeFailure(
            status,
            type: "invalid_request_error",
            code: "resource_missing",
            "No such \(name): '\(id)'",
            param: param
        )
    }

    static let unauthorized = StripeFailure(
        401,
        type: "invalid_request_error",
        "You did not provide an API key. Provide it in the Authorization header, as a bearer token."
    )

    static func invalidKey(_ key: String) -> StripeFailure {
        StripeFailure(401, type: "invalid_request_error", "Invalid API Key provided: \(key.prefix(8))****")
    }

    static func forbidden(_ permission: String) -> StripeFailure {
        StripeFailure(
            403,
            type: "invalid_request_error",
            code: "more_permissions_required_for_application",
            "The provided key does not have the required permission '\(permission)'."
        )
    }

    static let otherParameters = StripeFailure(
        400,
        type: "idempotency_error",
        "Keys for idempotent requests can only be used with the same parameters and endpoint they were first used with."
    )

    static let keyInUse = StripeFailure(
        409,
        type: "idempotency_error",
        code: "idempotency_key_in_use",
        "There is currently another in-progress request using this idempotency key."
    )

    static let rateLimit = StripeFailure(
        429,
        type: "invalid_request_error",
        code: "rate_limit",
        "Request rate limit exceeded."
    )

    static let lockTimeout = StripeFailure(
        429,
        type: "invalid_request_error",
        code: "lock_timeout",
        "This object cannot be accessed right now because another API request or process is accessing it."
    )

    static let internalError = StripeFailure(500, type: "api_error", "An unknown error occurred.").stored

    /// A request that the intent's status does not allow.
    static func unexpectedState(_ intent: JSON, _ verb: String) -> StripeFailure {
        StripeFailure(
            400,
            type: "invalid_request_error",
            code: "payment_intent_unexpected_state",
            "You cannot \(verb) this PaymentIntent because it has a status of \(intent["status"].string ?? "")."
        ).with("payment_intent", intent).stored
    }
}
