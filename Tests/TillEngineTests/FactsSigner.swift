import NIOConcurrencyHelpers
import TillEngine
import TillModel
import TillTesting

/// Keeps what every receipt was signed of; a receipt is its number.
final class FactsSigner: ReceiptSigner {
    private let signed = NIOLockedValueBox<[ReceiptFacts]>([])

    func sign(_ facts: ReceiptFacts) -> SignedReceipt {
        signed.withLockedValue { signed in
            signed.append(facts)
            return SignedReceipt(header: "header", body: "\(signed.count - 1)")
        }
    }

    func sign(_ facts: RenewalFacts) -> SignedReceipt {
        SignedReceipt(header: "header", body: facts.subscription.productID)
    }

    func sign(_ facts: ApplicationReceiptFacts) -> SignedReceipt {
        SignedReceipt(header: "application", body: facts.receipts.map(\.body).joined(separator: " "))
    }

    var rootCertificate: [UInt8] {
        PlainSigner().rootCertificate
    }

    /// The facts that a receipt was signed for; nil for none.
    func facts(of receipt: SignedReceipt?) -> ReceiptFacts? {
        receipt.flatMap { receipt in
            signed.withLockedValue { signed in
                Int(receipt.body).flatMap { signed.indices.contains($0) ? signed[$0] : nil }
            }
        }
    }
}
