/// An answer that is stored for an idempotency key.
struct StoredAnswer: Hashable, Sendable {
    var fingerprint: String
    var status: Int
    var body: String
    var requestID: String
    var storedAt: Int
}

/// How a request with an idempotency key is handled.
enum KeyDecision: Equatable {
    case execute
    case replay(StoredAnswer)
    case refuse(StripeFailure)

    /// - Parameter lifetime: The seconds after which the key is forgotten.
    init(stored: StoredAnswer?, isInUse: Bool, fingerprint: String, now: Int, lifetime: Int) {
        if isInUse {
            self = .refuse(.keyInUse)
        } else if let stored, now - stored.storedAt < lifetime {
            self = stored.fingerprint == fingerprint ? .replay(stored) : .refuse(.otherParameters)
        } else {
            self = .execute
        }
    }
}

extension StripeRequest {
    /// The method, the path and the parameters, which a repeated key must have in common.
    var fingerprint: String {
        "\(method) \(path) \(fields.canonical)"
    }
}
