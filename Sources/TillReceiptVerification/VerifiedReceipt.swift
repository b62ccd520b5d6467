package import FoundationEssentials
package import TillModel

/// A receipt whose signature, chain, application and environment were found right.
package struct VerifiedReceipt: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Of one transaction.
        case transaction
        /// Of an application: all purchases of an account.
        case application
        /// How a subscription will renew; it names no application.
        case renewal
    }

    package var kind: Kind
    /// Nil of a renewal.
    package var application: String?
    package var environment: ReceiptEnvironment
    package var signedDate: Date
    package var transactionID: String?
    package var originalTransactionID: String?
    package var productID: String?
    package var purchaseDate: Date?
    package var expirationDate: Date?
    package var revocationDate: Date?
    /// The whole document as it was signed: JSON in UTF-8.
    package var payload: [UInt8]
}
