package import FoundationEssentials
package import TillModel

/// A receipt whose signature, chain, application and environment are correct.
package struct VerifiedReceipt: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The receipt of one transaction.
        case transaction
        /// The receipt of an application, with all purchases of an account.
        case application
        /// The renewal information of a subscription, which names no application.
        case renewal
    }

    package var kind: Kind
    /// The application; nil for renewal information.
    package var application: String?
    package var environment: ReceiptEnvironment
    package var signedDate: Date
    package var transactionID: String?
    package var originalTransactionID: String?
    package var productID: String?
    package var purchaseDate: Date?
    package var expirationDate: Date?
    package var revocationDate: Date?
    /// The complete signed document: JSON in UTF-8.
    package var payload: [UInt8]
}
