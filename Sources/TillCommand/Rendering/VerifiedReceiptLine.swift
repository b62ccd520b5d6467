import FoundationEssentials
import TillModel
import TillReceiptVerification

/// A receipt that was found right.
struct VerifiedReceiptLine: OutputLine {
    let receipt: VerifiedReceipt

    private var kind: String {
        switch receipt.kind {
        case .transaction: "transaction"
        case .application: "application"
        case .renewal: "renewal"
        }
    }

    /// What it is of, and then what there is, by name.
    var text: String {
        let named = details.compactMap { detail in detail.value.map { "\(detail.name)=\($0)" } }
        let owner = receipt.application.map { " of \($0)" } ?? ""
        return "valid  \(kind)\(owner)  \(named.joined(separator: " "))"
    }

    private var details: [(name: String, value: String?)] {
        [
            ("environment", receipt.environment.rawValue),
            ("signed", receipt.signedDate.timestamp),
            ("product", receipt.productID),
            ("identifier", receipt.transactionID),
            ("original", receipt.originalTransactionID),
            ("purchased", receipt.purchaseDate?.timestamp),
            ("expires", receipt.expirationDate?.timestamp),
            ("revoked", receipt.revocationDate?.timestamp),
        ]
    }

    private enum Key: String, CodingKey {
        case kind, application, environment
        case signedDate = "signed_date"
        case productID = "product_id"
        case transactionIdentifier = "transaction_identifier"
        case originalTransactionIdentifier = "original_transaction_identifier"
        case purchaseDate = "purchase_date"
        case expirationDate = "expiration_date"
        case revocationDate = "revocation_date"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(kind, forKey: .kind)
        try container.encodeIfPresent(receipt.application, forKey: .application)
        try container.encode(receipt.environment.rawValue, forKey: .environment)
        try container.encode(receipt.signedDate.timestamp, forKey: .signedDate)
        try container.encodeIfPresent(receipt.productID, forKey: .productID)
        try container.encodeIfPresent(receipt.transactionID, forKey: .transactionIdentifier)
        try container.encodeIfPresent(receipt.originalTransactionID, forKey: .originalTransactionIdentifier)
        try container.encodeIfPresent(receipt.purchaseDate?.timestamp, forKey: .purchaseDate)
        try container.encodeIfPresent(receipt.expirationDate?.timestamp, forKey: .expirationDate)
        try container.encodeIfPresent(receipt.revocationDate?.timestamp, forKey: .revocationDate)
    }
}
