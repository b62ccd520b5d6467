import FoundationEssentials
import TillModel

/// How a question is put to a person.
struct AgentPrompt {
    let request: AuthorizationRequest

    /// What the person has to know, a line each.
    var lines: [String] {
        let username = request.applicationUsername.map { ", user \($0)" } ?? ""
        return [
            title,
            "  \(RequestLine(request: request).subject)",
            "  application \(request.application)\(username), account \(request.account)",
            "  asked \(request.createdAt.timestamp), to be answered by \(request.deadline.timestamp)\(time)",
            "  id \(request.id.text)",
        ].map(\.printable)
    }

    /// What stands before the answer.
    var question: String {
        switch request.kind {
        case .purchase: "Pay? y, N or skip: "
        case .approval: "Allow it? y, N or skip: "
        case .priceConsent: "Agree to the price? y, N or skip: "
        }
    }

    private var title: String {
        switch request.kind {
        case .purchase: "Purchase"
        case .approval: "Ask to Buy: \(request.account) wants to buy"
        case .priceConsent: "A higher price of a subscription"
        }
    }

    /// How long that is from the asking: the store's clock need not be this machine's.
    private var time: String {
        let seconds = request.deadline.timeIntervalSince(request.createdAt)
        guard let whole = Int64(exactly: seconds.rounded()), whole > 0 else {
            return ""
        }
        return " (within \(TimeSpan(.seconds(whole))))"
    }
}
