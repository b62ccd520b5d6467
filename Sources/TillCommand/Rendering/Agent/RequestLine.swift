import FoundationEssentials
import TillModel

/// A question that waits for a person.
struct RequestLine: OutputLine {
    let request: AuthorizationRequest

    var text: String {
        let details = [
            "id=\(request.id.text)", "account=\(request.account)", "application=\(request.application)",
            "asked=\(request.createdAt.timestamp)", "deadline=\(request.deadline.timestamp)",
        ]
        let username = request.applicationUsername.map { ["username=\($0)"] } ?? []
        return "\(request.kind.title)  \(subject)  \((details + username).joined(separator: " "))"
    }

    /// What it is about and what it costs: `Coins (coins) ×2 for $9.98`.
    var subject: String {
        "\(request.displayName) (\(request.productID)) ×\(request.quantity) for \(localizedPrice)"
    }

    private var localizedPrice: String {
        request.price.localized(request.locale)
    }

    private enum Key: String, CodingKey {
        case id, kind, application, account, quantity, price, currency, locale, deadline
        case productID = "product_id"
        case displayName = "display_name"
        case localizedPrice = "localized_price"
        case applicationUsername = "application_username"
        case createdAt = "created_at"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(request.id.text, forKey: .id)
        try container.encode(request.kind.name, forKey: .kind)
        try container.encode(request.application, forKey: .application)
        try container.encode(request.account, forKey: .account)
        try container.encode(request.productID, forKey: .productID)
        try container.encode(request.displayName, forKey: .displayName)
        try container.encode(request.quantity, forKey: .quantity)
        try container.encode("\(request.price.amount)", forKey: .price)
        try container.encode(request.price.currency, forKey: .currency)
        try container.encode(localizedPrice, forKey: .localizedPrice)
        try container.encode(request.locale, forKey: .locale)
        try container.encodeIfPresent(request.applicationUsername, forKey: .applicationUsername)
        try container.encode(request.createdAt.timestamp, forKey: .createdAt)
        try container.encode(request.deadline.timestamp, forKey: .deadline)
    }
}
