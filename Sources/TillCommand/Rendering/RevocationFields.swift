import FoundationEssentials
import TillModel

/// That a purchase was taken back, within its transaction.
struct RevocationFields: Encodable {
    let revocation: Revocation

    var details: [(name: String, value: String)] {
        [
            ("revoked", "\(revocation.quantity)"),
            ("revoked-at", revocation.date.timestamp),
            ("revoked-for", revocation.reason.words(separator: "-")),
        ]
    }

    private enum Key: String, CodingKey {
        case date, reason, quantity
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(revocation.date.timestamp, forKey: .date)
        try container.encode(revocation.reason.name, forKey: .reason)
        try container.encode(revocation.quantity, forKey: .quantity)
    }
}
