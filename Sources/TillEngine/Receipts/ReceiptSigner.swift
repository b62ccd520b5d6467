package import FoundationEssentials
package import TillModel

/// Signs transactions in the App Store's format. It is called within commits, so that it neither waits nor fails for
/// want of a disk.
package protocol ReceiptSigner: Sendable {
    /// The transaction, purchased or restored, as the store vouches for it at `facts.date`.
    func sign(_ facts: ReceiptFacts) throws -> SignedReceipt
    /// Many transactions, each as alone; on several processors if that is quicker.
    func sign(_ facts: [ReceiptFacts]) -> [Result<SignedReceipt, any Error>]
    /// The application's receipt: a document of all its purchases by an account.
    func sign(_ facts: ApplicationReceiptFacts) throws -> SignedReceipt
    /// The certificate that all chains end in, DER.
    var rootCertificate: [UInt8] { get }
}

extension ReceiptSigner {
    package func sign(_ facts: [ReceiptFacts]) -> [Result<SignedReceipt, any Error>] {
        facts.map { facts in Result { try sign(facts) } }
    }
}

/// What a transaction's receipt says.
package struct ReceiptFacts: Hashable, Sendable {
    package var application: String
    /// The queue's key: of one account and application.
    package var queue: Int64
    /// Stored, so that it has its key.
    package var transaction: TransactionRecord
    /// What was paid, in minor units of an ISO 4217 currency; nil when nobody knows.
    package var paid: Paid?
    package var storefront: Storefront
    /// When it is signed.
    package var date: Date

    package struct Paid: Hashable, Sendable {
        package var amount: Int64
        package var currency: String

        package init(amount: Int64, currency: String) {
            self.amount = amount
            self.currency = currency
        }
    }

    package init(
        application: String,
        queue: Int64,
        transaction: TransactionRecord,
        paid: Paid?,
        storefront: Storefront,
        date: Date
    ) {
        self.application = application
        self.queue = queue
        self.transaction = transaction
        self.paid = paid
        self.storefront = storefront
        self.date = date
    }
}

/// What an application's receipt says.
package struct ApplicationReceiptFacts: Hashable, Sendable {
    package var application: String
    package var queue: Int64
    /// When the account first used the queue; nil when it never did.
    package var originalPurchaseDate: Date?
    /// Of the transactions that belong in it, the oldest first.
    package var receipts: [SignedReceipt]
    /// When it is signed.
    package var date: Date

    package init(
        application: String,
        queue: Int64,
        originalPurchaseDate: Date?,
        receipts: [SignedReceipt],
        date: Date
    ) {
        self.application = application
        self.queue = queue
        self.originalPurchaseDate = originalPurchaseDate
        self.receipts = receipts
        self.date = date
    }
}

/// A JWS in its compact form (RFC 7515), in two parts: many receipts share a header, which holds the certificates.
package struct SignedReceipt: Hashable, Sendable {
    /// BASE64URL(header).
    package var header: String
    /// BASE64URL(payload) || '.' || BASE64URL(signature).
    package var body: String

    package init(header: String, body: String) {
        self.header = header
        self.body = body
    }

    package var compact: String {
        "\(header).\(body)"
    }

    /// The bytes of ``compact``.
    var compactCount: Int {
        header.utf8.count + 1 + body.utf8.count
    }
}
