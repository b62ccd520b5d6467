import FoundationEssentials
import TillModel

/// A payment that is not in the queue.
struct PaymentFields: Encodable {
    let payment: Payment

    var text: String {
        let username = payment.applicationUsername.map { " username=\($0)" } ?? ""
        return "\(payment.productID) ×\(payment.quantity)  id=\(payment.id.text)\(username)"
    }

    private enum Key: String, CodingKey {
        case id, quantity
        case productID = "product_id"
        case applicationUsername = "application_username"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(payment.id.text, forKey: .id)
        try container.encode(payment.productID, forKey: .productID)
        try container.encode(payment.quantity, forKey: .quantity)
        try container.encodeIfPresent(payment.applicationUsername, forKey: .applicationUsername)
    }
}
