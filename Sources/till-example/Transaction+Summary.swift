import Foundation
import TillClient

extension Transaction {
    /// Product and quantity, state, identifiers, and the error of a failure.
    var summary: String {
        let identity: [String?] = [
            "id=\(id.uuidString.lowercased())",
            purchase.map { "identifier=\($0.transactionIdentifier)" },
            "revision=\(revision)",
            original.map { "original=\($0.purchase.transactionIdentifier)" },
        ]
        let fields: [String?] = [
            "\(payment.productID) ×\(payment.quantity)",
            "\(state)",
            identity.compactMap(\.self).joined(separator: " "),
            error?.summary,
        ]
        return fields.compactMap(\.self).joined(separator: "  ")
    }
}
