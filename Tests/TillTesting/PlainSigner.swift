import FoundationEssentials
package import TillEngine
import TillModel

/// A signer without signatures, whose receipts contain their facts as text.
package struct PlainSigner: ReceiptSigner {
    package struct Failure: Error {}

    private let failing: String?

    /// - Parameter product: The product whose transactions cannot be signed.
    package init(failingFor product: String? = nil) {
        failing = product
    }

    package func sign(_ facts: ReceiptFacts) throws -> SignedReceipt {
        let transaction = facts.transaction
        guard transaction.payment.productID != failing else {
            throw Failure()
        }
        let words: [String?] = [
            transaction.payment.productID,
            "\(transaction.state)",
            transaction.key == 0 ? "without-key" : nil,
            facts.paid.map { "\($0.amount)-\($0.currency)" },
            transaction.original == nil ? nil : "original",
            transaction.term.map { $0.isRenewal ? "renewal" : "term" },
            transaction.term?.isUpgraded == true ? "upgraded" : nil,
            transaction.revocation.map { "revoked-\($0.quantity)" },
            facts.storefront.countryCode,
        ]
        return SignedReceipt(header: "header", body: words.compactMap(\.self).joined(separator: "."))
    }

    package func sign(_ facts: ApplicationReceiptFacts) throws -> SignedReceipt {
        SignedReceipt(header: facts.application, body: facts.receipts.map(\.body).joined(separator: " "))
    }

    package func sign(_ facts: RenewalFacts) throws -> SignedReceipt {
        let record = facts.subscription
        guard record.renewalProductID != failing else {
            throw Failure()
        }
        let words: [String?] = [
            record.renewalProductID,
            "\(record.state)",
            record.willRenew ? "renews" : nil,
            record.expirationReason.map { "\($0)" },
            facts.price.map { "\($0.amount)-\($0.currency)" },
            facts.offer.map { "\($0.type)" },
            facts.offerPeriod,
            facts.applicationUsername,
        ]
        return SignedReceipt(header: "header", body: words.compactMap(\.self).joined(separator: "."))
    }

    package var rootCertificate: [UInt8] {
        Array("root".utf8)
    }
}
