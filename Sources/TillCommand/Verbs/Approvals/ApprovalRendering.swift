import FoundationEssentials
import TillModel
import TillOutput

/// An open request for approval.
struct RequestLine: OutputLine {
    let request: AuthorizationRequest

    var text: String {
        let details: Details = [
            "id": request.id.text,
            "account": request.account,
            "application": request.application,
            "asked": request.createdAt.timestamp,
            "deadline": request.deadline.timestamp,
            "username": request.applicationUsername,
        ]
        return "\(request.kind.title)  \(subject)  \(details.text)"
    }

    /// The product, the quantity and the price: `Coins (coins) ×2 for $9.98`.
    var subject: String {
        "\(request.displayName) (\(request.productID)) ×\(request.quantity) for \(localizedPrice)"
    }

    private var localizedPrice: String {
        request.price.localized(request.locale)
    }

    var json: JSONObject {
        [
            "id": request.id,
            "kind": request.kind.name,
            "application": request.application,
            "account": request.account,
            "product_id": request.productID,
            "display_name": request.displayName,
            "quantity": request.quantity,
            "price": request.price.exactAmount,
            "currency": request.price.currency,
            "localized_price": localizedPrice,
            "locale": request.locale,
            "application_username": request.applicationUsername,
            "created_at": request.createdAt,
            "deadline": request.deadline,
        ]
    }
}

/// The outcome of a request.
struct AnswerLine: OutputLine {
    let id: UUID
    let kind: AuthorizationRequest.Kind
    let outcome: AgentOutcome
    /// The page that the user was shown for it.
    var page: String?

    var text: String {
        "\(id.text)  \(kind.title)  \(outcome.title)\(page.map { "  \($0)" } ?? "")"
    }

    var json: JSONObject {
        ["id": id, "kind": kind.name, "outcome": outcome.name, "page": page]
    }
}

/// The page of a payment.
struct PageLine: OutputLine {
    let id: UUID
    let page: String

    var text: String {
        page
    }

    var json: JSONObject {
        ["id": id, "page": page]
    }
}

/// The outcome of a request that an agent handled.
enum AgentOutcome: Hashable, Sendable, CaseNamed {
    case approved
    case declined
    /// The user did not answer within the agent's timeout.
    case declinedAfterTimeout
    /// The page of the payment was shown. Paying answers the request.
    case shown
    /// The agent left the request open.
    case skipped
    /// The request was answered elsewhere, or has expired.
    case withdrawn
    /// The agent ended before an answer.
    case left

    /// The answer for the daemon, or nil.
    var approval: Bool? {
        switch self {
        case .approved: true
        case .declined, .declinedAfterTimeout: false
        case .shown, .skipped, .withdrawn, .left: nil
        }
    }

    /// Whether the agent has nothing left to do for the request because of what it did.
    var isAnswer: Bool {
        approval != nil || self == .shown
    }

    /// The outcome of a typed line, or nil if the line is not an answer.
    init?(typed line: String) {
        switch line.trimmingPrefix(while: \.isWhitespace).lowercased().split(separator: " ").first ?? "" {
        case "y", "yes": self = .approved
        case "", "n", "no": self = .declined
        case "s", "skip": self = .skipped
        default: return nil
        }
    }
}

/// The prompt that asks the user about a request.
struct AgentPrompt {
    let request: AuthorizationRequest
    /// The page of a payment; nil for another request, and if the page is not known.
    var page: String?

    /// The lines that describe the request.
    var lines: [String] {
        let username = request.applicationUsername.map { ", user \($0)" } ?? ""
        return [
            title,
            "  \(RequestLine(request: request).subject)",
            "  application \(request.application)\(username), account \(request.account)",
            "  asked \(request.createdAt.timestamp), answer by \(request.deadline.timestamp)\(time)",
            "  id \(request.id.text)",
        ].map(\.printable) + (page.map { ["  page \($0.printable)"] } ?? [])
    }

    /// The text before the typed answer.
    var question: String {
        switch request.kind {
        case .purchase: "Pay? y, N or skip: "
        case .approval: "Allow it? y, N or skip: "
        case .priceConsent: "Agree to the price? y, N or skip: "
        case .payment: "Pay on the page. Type n to cancel the payment, or s to skip: "
        }
    }

    /// The outcome of a typed line, or nil if the line is not an answer. A payment is cancelled only by a word.
    func outcome(typed line: String) -> AgentOutcome? {
        let outcome = AgentOutcome(typed: line)
        guard request.kind == .payment else {
            return outcome
        }
        return outcome == .approved || line.allSatisfy(\.isWhitespace) ? nil : outcome
    }

    /// The text after a line that is not an answer.
    var hint: String {
        request.kind == .payment ? question : "Type y to approve, n to decline, or s to skip: "
    }

    /// The text for a request that closed while it was shown.
    var withdrawal: String {
        request.kind == .payment
            ? "The payment was paid or cancelled, or has expired."
            : "The request was answered elsewhere, or has expired."
    }

    private var title: String {
        switch request.kind {
        case .purchase: "Purchase"
        case .approval: "Ask to Buy: \(request.account) wants to buy"
        case .priceConsent: "Price increase of a subscription"
        case .payment: "Payment on the provider's page"
        }
    }

    /// The time from the request to its deadline, because the store's clock may differ from this machine's.
    private var time: String {
        let seconds = request.deadline.timeIntervalSince(request.createdAt)
        guard let whole = Int64(exactly: seconds.rounded()), whole > 0 else {
            return ""
        }
        return " (within \(TimeSpan(.seconds(whole))))"
    }
}
