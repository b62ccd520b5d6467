/// Why a call of Stripe's API has no result (https://docs.stripe.com/error-low-level).
package enum StripeFailure: Error, Hashable, Sendable {
    /// It was refused, and the same call would be refused again.
    case refused(StripeError)
    /// The key was not accepted, or may not do this: nothing happened.
    case unauthorized(StripeError)
    /// Nothing happened; to be called again after so long.
    case busy(Duration)
    /// It was certainly not sent.
    case unreachable(String)
    /// Stripe failed, perhaps after it was carried out.
    case serverError(StripeError)
    /// It may have been carried out, or may still be.
    case unknown(String)

    /// For the history and the log.
    package var reason: String {
        switch self {
        case .refused(let error), .unauthorized(let error): "Stripe refused the call: \(error.summary)"
        case .busy: "Stripe is busy"
        case .serverError(let error): "Stripe failed: \(error.summary)"
        case .unreachable(let reason): "Stripe cannot be reached: \(reason)"
        case .unknown(let reason): "Stripe's answer is unknown: \(reason)"
        }
    }

    /// Whether Stripe repeated the answer of an earlier call with the same key: no call with this key is under way any more.
    var isReplayedServerError: Bool {
        if case .serverError(let error) = self { error.isReplayed } else { false }
    }
}

/// The object `error` of an answer (https://docs.stripe.com/api/errors).
package struct StripeError: Hashable, Sendable, Decodable {
    var type: String?
    var code: String?
    /// The card issuer's reason.
    var declineCode: String?
    /// What the card network advises.
    var adviceCode: String?
    var message: String?
    /// The status of the answer, and Stripe's name for the request.
    var status = 0
    var requestID: String?
    /// Whether it is the stored answer of an earlier call with the same key.
    var isReplayed = false

    private enum CodingKeys: String, CodingKey {
        case type, code, message
        case declineCode = "decline_code"
        case adviceCode = "advice_code"
    }

    var summary: String {
        let details = [type, code, declineCode].compactMap(\.self).joined(separator: ", ")
        let request = requestID.map { ", request \($0)" } ?? ""
        return "\(status) \(details)\(request)\(message.map { ": \($0)" } ?? "")"
    }
}

/// An answer that reports an error.
struct StripeErrorAnswer: Decodable {
    var error: StripeError
}
