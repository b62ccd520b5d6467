package import FoundationEssentials
package import TillHTTP

/// An answer of Stripe's API as it arrived.
package struct StripeAnswer: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: Data

    /// How long to wait after Stripe is busy, unless it says how long.
    static let pause = Duration.seconds(2)
    /// The longest wait that Stripe may ask for.
    private static let pauseMaximum = 3600

    /// What the answer means if its status is not 200.
    var failure: StripeFailure {
        guard var error = try? JSONDecoder().decode(StripeErrorAnswer.self, from: body).error else {
            return .unknown("an answer with status \(status) that is not Stripe's")
        }
        error.status = status
        error.requestID = headers.first(name: "request-id")
        error.isReplayed = headers.first(name: "idempotent-replayed") == "true"
        switch status {
        case 401, 403:
            return .unauthorized(error)
        case 409, 429:
            return .busy(pause)
        case 400..<500 where headers.first(name: "stripe-should-retry") == "true":
            return .busy(pause)
        case 400..<500:
            return .refused(error)
        default:
            return .serverError(error)
        }
    }

    /// How long to wait before the same call may be sent again.
    package var pause: Duration {
        guard let seconds = headers.first(name: "retry-after").flatMap({ Int($0) }), seconds > 0 else {
            return Self.pause
        }
        return .seconds(min(seconds, Self.pauseMaximum))
    }
}
